"""Reports of battles by mail, and the answers to the other player's.

A player mails the lines of one battle: its report, or CONFIRM or DISPUTE with the number of the report that they were
mailed. A comment `# Battle: KEY` names it if they fight several.
"""

import re
from collections.abc import Callable, Sequence

from campaign.fighting import fights
from campaign.mail.messages import to_member
from campaign.models import Battle
from campaign.secrecy import truth
from campaign.services import battle_title
from campaign.viewers import Viewer
from incoming.answering import answer_message, problem_as_text
from incoming.models import MailState, ReceivedMail
from incoming.noting import conclude, write
from incoming.reading import Reading
from orders.battles import reporting
from orders.battles.reporting import Answered, Faulty, OtherPhase, Unusable, Which
from orders.intake import KeyReused, NotYours, TooLate

_DESK = re.compile(r"^\s*#\s*desk:", re.IGNORECASE | re.MULTILINE)
_BATTLE = re.compile(r"^[ \t]*#[ \t]*battle:[ \t]*(?P<key>\S+)", re.IGNORECASE | re.MULTILINE)
_ANSWER = re.compile(r"^[ \t]*(?P<verb>confirm|dispute)[ \t]+(?P<seen>\d{1,9})\b[ \t:]*", re.IGNORECASE | re.MULTILINE)


def battles_in(mail: ReceivedMail, reading: Reading) -> list[Battle]:
    """The battles that a mail can be about: those that its writer fights in the mail's phase.

    None if they name the desk whose sheet they mean.
    """
    if _DESK.search(reading.orders or ""):
        return []
    viewer = _viewer(mail)
    every = mail.address.phase.battles.select_related("attacking_player", "defending_player").order_by("key")
    return [battle for battle in every if fights(viewer, battle)]


def settle(mail: ReceivedMail, reading: Reading, fought: Sequence[Battle]) -> None:
    """Do what a mail says of one of these battles, and answer it."""
    orders = (reading.orders or "").strip("\n")
    battle = _named(orders, fought)
    if battle is None:
        keys = ", ".join(each.key for each in fought)
        why = f"You fight several battles: {keys}. Begin the lines of one with its name, like # Battle: {fought[0].key}"
        conclude(mail, reading, MailState.REFUSED, why=f"{why}.")
        return
    try:
        _act(mail, reading, battle, orders)
    except Faulty as faulty:
        problems = [problem_as_text(problem) for problem in faulty.read.problems]
        conclude(mail, reading, MailState.REFUSED, why="Please fix these lines, and send all again.", details=problems)
    except Unusable as refusal:
        conclude(mail, reading, MailState.REFUSED, why=str(refusal))
    except (Answered, NotYours, KeyReused) as refusal:
        conclude(mail, reading, MailState.REFUSED, why=_REFUSALS[type(refusal)])
    except (TooLate, OtherPhase):
        conclude(mail, reading, MailState.LATE)


_REFUSALS: dict[type[Exception], str] = {
    Answered: "The battle has changed since that mail was written, or waits for nothing of yours.",
    NotYours: "You no longer play this battle.",
    KeyReused: "This mail was already taken with another text.",
}


def _act(mail: ReceivedMail, reading: Reading, battle: Battle, orders: str) -> None:
    viewer, phase = _viewer(mail), mail.address.phase
    which, title = Which(phase.no, phase.rev, battle.key), battle_title(phase.campaign, battle.key)
    answers = list(_ANSWER.finditer(orders))
    if len(answers) > 1:
        raise Unusable(_TWICE)
    with to_member(viewer.member):
        if not answers:
            noted = _noted(
                mail, reading, f"{title}: your report is stored. Now the other player confirms or disputes it."
            )
            reporting.report(viewer, which, orders, idempotent=mail.idem_key, noted=noted)
            return
        said = answers[0]  # lines keep their numbers: of this one and of the battle's name only the words are taken out
        rest = _BATTLE.sub("", f"{orders[: said.start()]}{orders[said.end() :]}").rstrip()
        if said["verb"].lower() == "confirm":
            noted = _noted(mail, reading, f"{title}: confirmed. The result is final.")
            reporting.confirm(viewer, which, rest, seen=said["seen"], noted=noted)
        else:
            noted = _noted(mail, reading, f"{title}: your statement is stored. The game master decides.")
            reporting.dispute(viewer, which, rest.strip("\n"), seen=said["seen"], noted=noted)


_TWICE = "Several lines begin with CONFIRM or DISPUTE and a number. Send your answer again with one such line."


def _noted(mail: ReceivedMail, reading: Reading, why: str) -> Callable[[], None]:
    """What is written in the transaction of the act, which reads for its writer alone."""

    def noted() -> None:
        with truth.opened("ReceivedMail", "ReplyAddress"):
            write(mail, MailState.BATTLE, lambda: answer_message(mail, reading, MailState.BATTLE, why=why), why=why)

    return noted


def _named(orders: str, fought: Sequence[Battle]) -> Battle | None:
    """The battle that a comment names; the only one if none does."""
    named = _BATTLE.search(orders)
    if named is None:
        return fought[0] if len(fought) == 1 else None
    return next((battle for battle in fought if battle.key.casefold() == named["key"].casefold()), None)


def _viewer(mail: ReceivedMail) -> Viewer:
    member = mail.address.member
    return Viewer(mail.address.phase.campaign, member.user, member)
