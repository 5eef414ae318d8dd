"""The messages of the game: what a published phase asks and tells, and what waits for the GM.

Each function only reads and returns messages; `campaign.mail.outbox.enqueue` writes them in the transaction that
makes them true. A message shows its reader what their audience received, never another's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings

from campaign.engine.display.views import View
from campaign.engine.phases import Weight
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.game.artefacts import report_texts, sealed_report
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_state, decode_view
from campaign.handling import all_handling
from campaign.mail.messages import Extras, link, message_to, present_members, to_member
from campaign.mail.mutes import mute_link, unsubscribe_headers
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import Artefact, DeadlineKind, Mailing, Membership, Phase, PhaseState, Role
from campaign.record.dice_log import HEADS, seal_in
from campaign.secrecy import truth
from campaign.services import scenario_of, title_of
from campaign.viewers import Viewer
from gm.last_reports import views_before
from gm.order_template import order_template
from gm.todo import Todo, todo_of, without_sheet

_STANDING = ("counters", "sightings", "markers", "front", "control")
"""The parts of a View that are news when they change."""
_PASSING = ("arrows", "log")
"""The parts of a View that are news when there are any."""


class Content(Protocol):
    """An artefact, stored or about to be."""

    @property
    def audience(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def content(self) -> bytes: ...


class Received:
    """What every audience received of a phase, by audience and kind; the guard gives each reader only their own."""

    def __init__(self, artefacts: Iterable[Content | Artefact]) -> None:
        self._contents = {(each.audience, each.kind): bytes(each.content) for each in artefacts}

    def __getitem__(self, which: tuple[str, str]) -> bytes:
        truth.require(Audience(which[0]))
        return self._contents[which]

    def get(self, which: tuple[str, str], default: bytes | None = None) -> bytes | None:
        truth.require(Audience(which[0]))
        return self._contents.get(which, default)


# --- publication -----------------------------------------------------------------------------------------------------


def enqueue_publication(phase: Phase) -> None:
    """Write the messages of a phase that was just published, with the next one open, in the publishing transaction."""
    following = phase.campaign.phases.filter(no=phase.no + 1, state=PhaseState.OPEN).first()
    enqueue_all(publication_messages(phase, artefacts=phase.all_artefacts.all(), next_phase=following))


def enqueue_all(messages: Iterable[MailMessage]) -> None:
    """Write messages into the outbox, within the caller's transaction."""
    for message in messages:
        enqueue(message)


def publication_messages(
    phase: Phase, *, artefacts: Iterable[Content | Artefact], next_phase: Phase | None
) -> list[MailMessage]:
    """At most one message for each player and GM: what they must do now, or what has changed for them."""
    received = Received(artefacts)
    before = views_before(phase, Weight(phase.weight))
    reports, questions = _mailed(phase, next_phase)
    messages: list[MailMessage] = []
    told: dict[Audience, dict[str, Any]] = {}
    decoded: dict[Audience, tuple[Any, View]] = {}

    def known_to(who: Audience) -> tuple[Any, View]:
        """The state and the View that an audience knows, decoded once."""
        if who not in decoded:
            decoded[who] = _known(phase, who, received)
        return decoded[who]

    def texts_for(who: Audience) -> dict[str, Any]:
        """The same report for all of an audience, made once."""
        if who not in told:
            told[who] = _texts(phase, who, received, before.get(who, []))
        return told[who]

    for member in present_members(phase.campaign):
        who = Viewer(member.campaign, member.user, member).audience
        read = before.get(who, [])
        with to_member(member):
            todo = todo_of(member, next_phase) if next_phase and questions else None
            if next_phase and todo:
                context = _opened(todo, phase, next_phase, who=who, known_to=known_to) | {"reports": reports}
                context |= texts_for(who)
                messages.append(_publication_message(member, "opened", phase, received=received, context=context))
            elif (
                reports
                and not member.mutes_reports
                and is_news(next(iter(read), None), decode_view(received[who, "view"]))
            ):
                context = {"over": next_phase is None, "mute_link": mute_link(member)}
                context |= texts_for(who)
                messages.append(_publication_message(member, "report", phase, received=received, context=context))
    return messages


def _mailed(phase: Phase, next_phase: Phase | None) -> tuple[bool, bool]:
    """Whether to mail the report of a phase, and whether to mail those who must act in the next one.

    A mailed report includes the question to its reader, whatever is mailed about the next phase.
    """
    handling = all_handling(phase.campaign)
    reports = handling[Weight(phase.weight)].mailing is Mailing.REPORTS
    asks = next_phase is not None and handling[Weight(next_phase.weight)].mailing is not Mailing.DIGEST
    return reports, reports or asks


def _publication_message(
    member: Membership, kind: str, phase: Phase, *, received: Received, context: Mapping[str, Any]
) -> MailMessage:
    who = Viewer(member.campaign, member.user, member).audience
    picture = received.get((who, "map")) if context.get("reports", True) else None
    page = link("phase", phase.campaign.slug, phase.no)
    of_phase = {"reports": True, "pictured": picture is not None, "phase_link": page}
    return message_to(
        member,
        kind=kind,
        key=_key(kind, phase),
        context={**of_phase, **context},
        phase=phase,
        extras=Extras(
            pictures={} if picture is None else {"map": picture},
            headers=_dice_headers(received) | (unsubscribe_headers(member) if kind == "report" else {}),
        ),
    )


def _dice_headers(received: Received) -> dict[str, str]:
    """The heads of all dice logs, kept in mailboxes, where nobody on the site can change them."""
    heads = seal_in(received[PUBLIC, HEADS]).heads
    return {"Fieldpost-Dice": " ".join(f"{name}={head}" for name, head in sorted(heads.items()))} if heads else {}


def _texts(phase: Phase, who: Audience, received: Received, before: Sequence[View]) -> dict[str, Any]:
    """The words of a publication message: the report, and the GM's preface apart from it.

    Of the dice it says where they can be checked; their heads are in the message's headers.
    """
    seal = seal_in(received[PUBLIC, HEADS])
    notes = [*seal.gm_notes, *([f"Check the dice: {link('dice', phase.campaign.slug)}"] if seal.heads else [])]
    document = sealed_report(decode_view(received[who, "view"]), before, notes)
    report = dict(report_texts(document, rule_url(phase.campaign.slug)))
    preface = received.get((who, "preface"), b"")
    texts = {"report_text": report["text"], "report_html": report["html"]} | ({"preface": preface} if preface else {})
    words = {name: text.decode().strip() for name, text in texts.items()}
    words["report_html"] = words["report_html"].replace('href="/', f'href="{settings.SITE_URL}/')
    return words


def _known(phase: Phase, who: Audience, received: Received) -> tuple[Any, View]:
    rules, version = scenario_of(phase.campaign).rules, phase.resolution.state_version
    return decode_state(rules, received[who, "slice"], version=version), decode_view(received[who, "view"])


def _opened(
    todo: Todo, phase: Phase, next_phase: Phase, *, who: Audience, known_to: Callable[[Audience], tuple[Any, View]]
) -> dict[str, Any]:
    asks = {
        "asked": todo,
        "opened": next_phase,
        "opened_title": title_of(next_phase),
        "nags": next_phase.deadline_kind == DeadlineKind.NAGS,
    }
    if not todo.desks:
        return asks | {"if_missing": "", "template": ""}
    loaded, (known, view) = scenario_of(phase.campaign), known_to(who)
    return asks | {
        "if_missing": without_sheet(loaded.rules, known, who),
        "template": order_template(loaded, next_phase, todo.desks, view=view, known=known, who=who),
    }


def is_news(before: View | None, now: View) -> bool:
    """Whether an audience sees anything else than with its last report; also if there was none."""
    if before is None:
        return True
    other = {part for part in (*_STANDING, *_PASSING) if getattr(before, part) != getattr(now, part)}
    return not other.isdisjoint(_STANDING) or any(getattr(now, part) for part in other)


# --- notices ---------------------------------------------------------------------------------------------------------


def notice_messages(phase: Phase, *, kind: str, key: str, what: str, now: datetime) -> list[MailMessage]:
    """A short message to all players and GMs about a deadline, a pause or an outage. `key` names the event."""
    key, deadline_at = f"{_key(kind, phase)}/{key}", None if phase.held else phase.deadline_at
    context = {"what": what, "now": now, "deadline_at": deadline_at}
    return [
        message_to(member, kind=kind, key=key, context=context, phase=phase, extras=Extras(template="notice"))
        for member in present_members(phase.campaign)
    ]


# --- what waits for the GM -------------------------------------------------------------------------------------------


def review_messages(phase: Phase, *, fence: int) -> list[MailMessage]:
    """A draft waits for the GM; each draft is reported once."""
    return _desk_messages(
        phase,
        kind="review",
        key=f"{_key('review', phase)}/{fence}",
        what=f"The draft results of “{title_of(phase)}” are ready, with maps, reports and the reasons for each event.",
        to_do="Review them, add GM rulings if you need to, and publish. The players see nothing until then.",
        button="Review the draft results",
    )


def failure_messages(phase: Phase, *, fence: int) -> list[MailMessage]:
    """A phase could not be adjudicated, and waits for a person."""
    return _desk_messages(
        phase,
        kind="failed",
        key=f"{_key('failed', phase)}/{fence}",
        what=f"Fieldpost could not resolve “{title_of(phase)}” and will not try again on its own. No sheet is lost.",
        to_do="Ask the person who runs this site what the log says. When the fault is fixed, choose “Try again” on your"
        " desk. If you think that one of your rulings caused it, tell them.",
        button="GM desk",
    )


def _desk_messages(phase: Phase, *, kind: str, key: str, what: str, to_do: str, button: str) -> list[MailMessage]:
    context = {
        "subject": _DESK_SUBJECTS[kind],
        "heading": _DESK_HEADINGS[kind],
        "what": what,
        "to_do": to_do,
        "button": button,
        "desk_link": link(_DESK_PAGES[kind], phase.campaign.slug),
    }
    game_masters = present_members(phase.campaign).filter(role=Role.GM)
    return [
        message_to(member, kind=kind, key=key, context=context, phase=phase, extras=Extras(template="desk"))
        for member in game_masters
    ]


_DESK_SUBJECTS = {"review": "draft results are ready", "failed": "your desk"}
"""Others may see a subject on a screen: it says that there is something, not what."""

_DESK_PAGES = {"review": "draft", "failed": "desk"}

_DESK_HEADINGS = {
    "review": "The draft results are ready",
    "failed": "A phase could not be resolved",
}


def _key(kind: str, phase: Phase) -> str:
    return f"{kind}/{phase.campaign.slug}/{phase.no}.{phase.rev}"
