"""The mails that answer mails: what became of them, in their thread, as text first."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from campaign.engine.orders.order import Problem, Severity
from campaign.mail.choices import MAILED
from campaign.mail.messages import Extras, link, message_to
from campaign.mail.outbox import MailMessage, thread_root
from campaign.models import Phase, PhaseState
from incoming.addresses import reply_header
from incoming.meaning import asked_in, says_something
from incoming.models import MailState, ReceivedMail
from incoming.reading import Reading
from orders.answers import Answer
from orders.models import Sheet
from orders.writing.annotated import annotated

WIDTH = 76
_INDENT = " " * 6
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,240}>")
_REPLY = re.compile(r"^(?:re|aw|antw|sv|rv|vs|ref|odp)\s*(?:\[\d+\])?\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Submitted:
    """A sheet that a mail became, as its author is told of it."""

    sheet: Sheet
    answer: Answer
    replaced: Sheet | None
    """The version that it replaces."""


def answer_message(
    mail: ReceivedMail,
    reading: Reading,
    state: MailState,
    *,
    why: str = "",
    details: Sequence[str] = (),
    submitted: Submitted | None = None,
) -> MailMessage:
    """The answer to a mail: what became of it, and the text with what we read in each line if that is a sheet."""
    address = mail.address
    context: dict[str, Any] = {
        "state": state.value,
        "why": why,
        "details": details,
        "subject": _subject(reading),
        "received_at": mail.received_at,
        "orders": _what_came_late(reading) if state in _LATE else _orders(reading),
        "problems": reading.problems,
        "asks_too": says_something(reading.orders) and asked_in(reading.words) is not None,
        "reopened": address.phase.state == PhaseState.WITHDRAWN,
        "opened": _open_phase(address.phase),
        "page": _page(mail, state),
        **(_of_sheet(submitted) if submitted else {}),
    }
    key = f"mailed/{mail.name}{'/unconfirmed' if mail.state == MailState.WAITS else ''}"
    return _message(mail, key=key, context=context, headers=_in_thread(mail, reading))


def summary_message(newest: ReceivedMail, mails: Sequence[ReceivedMail]) -> MailMessage:
    """One mail on what became of mails that had no answer of their own, for their author."""
    context = {"state": "summary", "subject": "", "mails": mails, "page": _sheet_page(newest.address.phase)}
    return _message(newest, key=f"mailed/summary/{newest.name}", context=context, headers={})


def reading_as_text(text: str, answer: Answer) -> str:
    """A sheet line by line, each with how it is read; lines that are ignored begin with !!."""
    whole = annotated(text, answer)
    said: list[str] = []
    for line in whole.lines:
        said.append(f"{'!! ' if line.ignored else '   '}{line.text}".rstrip())
        said += _below([*line.readings, *map(_problem, line.problems)])
    general = [*whole.readings, *map(_problem, whole.problems)]
    return "\n".join([*said, *([""] if said and general else []), *_wrapped(general, "")])


def _below(sentences: Sequence[str]) -> list[str]:
    return _wrapped(sentences, _INDENT)


def _wrapped(sentences: Sequence[str], indent: str) -> list[str]:
    whole = {"width": WIDTH, "break_long_words": False, "break_on_hyphens": False}
    return [
        line
        for sentence in sentences
        for line in wrap(sentence, initial_indent=indent, subsequent_indent=indent, **whole)  # type: ignore[arg-type]
    ]


_EFFECTS = {Severity.ERROR: "Ignored: ", Severity.WARNING: "Warning: ", Severity.NOTICE: ""}


def problem_as_text(problem: Problem) -> str:
    """A problem of a line, with its number."""
    return f"Line {problem.line}. {_problem(problem)}" if problem.line else _problem(problem)


def _problem(problem: Problem) -> str:
    rule = "" if problem.rule == "NOTATION" else f" ({problem.rule})"
    effect = _EFFECTS[problem.severity]
    message = problem.message if effect else f"{problem.message[:1].upper()}{problem.message[1:]}"
    return f"{effect}{message}{rule}. {problem.hint}".rstrip()


def _of_sheet(submitted: Submitted) -> dict[str, Any]:
    sheet, answer = submitted.sheet, submitted.answer
    return {
        "sheet": sheet,
        "replaced": submitted.replaced,
        "ignored": answer.faulty,
        "lines": len(answer.lines),
        "reading": reading_as_text(sheet.text, answer),
    }


def _subject(reading: Reading) -> str:
    """The subject of their mail without its Re:, so that mail programs keep the thread."""
    subject = " ".join(reading.subject.split())
    while found := _REPLY.match(subject):
        subject = subject[found.end() :]
    return subject[:150]


def _orders(reading: Reading) -> str:
    return (reading.orders or "").strip("\n")


_LATE = (MailState.LATE, MailState.FOUND)


def _what_came_late(reading: Reading) -> str:
    """The orders, or what they asked for in a mail without orders."""
    asked = not says_something(reading.orders) and asked_in(reading.words) is not None
    return reading.words if asked else _orders(reading)


def _in_thread(mail: ReceivedMail, reading: Reading) -> dict[str, str]:
    """Headers by which the answer follows their mail; none where it has no name that can be quoted."""
    named = _MESSAGE_ID.fullmatch(reading.message_id)
    if named is None:
        return {}
    root = thread_root(mail.address.phase.campaign, mail.address.member.user)
    return {"In-Reply-To": named[0], "References": f"{root} {named[0]}"}


def _open_phase(phase: Phase) -> Phase | None:
    """The phase that is open now, if it is another one."""
    found = Phase.objects.filter(campaign=phase.campaign_id, state=PhaseState.OPEN).exclude(pk=phase.pk)
    return found.select_related("campaign").first()


def _page(mail: ReceivedMail, state: MailState) -> str:
    if state is MailState.WAITS:
        return link("confirm_mailed", mail.address.phase.campaign.slug, mail.name)
    if state in _PAGES:
        return link(_PAGES[state], mail.address.phase.campaign.slug)
    return _sheet_page(mail.address.phase)


_PAGES = {MailState.ASKED: "questions", MailState.AWAY: "campaign", MailState.BATTLE: "battles"}


def _sheet_page(phase: Phase) -> str:
    return link("orders", phase.campaign.slug)


def _message(mail: ReceivedMail, *, key: str, context: Mapping[str, Any], headers: Mapping[str, str]) -> MailMessage:
    phase, member = mail.address.phase, mail.address.member
    extras = Extras(headers={**headers, **reply_header(phase, member)})
    return message_to(member, kind=MAILED, key=key, context=context, phase=phase, extras=extras)
