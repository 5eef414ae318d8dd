"""The messages of the game: what a published phase asks and tells, and what waits for the GM.

Each function only reads and returns messages; `campaign.mail.outbox.enqueue` writes them in the transaction that
makes them true. A message shows its reader what their audience received, never another's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings

from campaign.core import clock
from campaign.engine.display.views import View
from campaign.engine.phases import Weight
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.game.artefacts import report_texts, sealed_report
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_state, decode_view
from campaign.handling import all_handling
from campaign.mail import choices
from campaign.mail.choices import When
from campaign.mail.messages import Extras, link, message_to, present_members, to_member
from campaign.mail.mutes import unsubscribe_headers
from campaign.mail.news import NewsItem
from campaign.mail.outbox import MailMessage, enqueue
from campaign.mail.secret_addresses import takes_mail
from campaign.models import Artefact, Campaign, DeadlineKind, Mailing, MailNews, Membership, Phase, PhaseState, Role
from campaign.record.dice_log import HEADS, seal_in
from campaign.secrecy import truth
from campaign.services import scenario_of, title_of
from campaign.viewers import Viewer
from gm.last_reports import views_before
from gm.order_template import desk_lines, order_template
from gm.todo import Todo, todo_of, without_sheet
from incoming.addresses import reply_headers
from posting.calling import call_turns

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
        self._artefacts = {(each.audience, each.kind): each for each in artefacts}

    def __getitem__(self, which: tuple[str, str]) -> bytes:
        truth.require(Audience(which[0]))
        return bytes(self._artefacts[which].content)

    def get(self, which: tuple[str, str], default: bytes | None = None) -> bytes | None:
        truth.require(Audience(which[0]))
        return self[which] if which in self._artefacts else default

    def row(self, which: tuple[str, str]) -> Artefact | None:
        """The stored artefact; None if there is none, or it is not stored yet."""
        truth.require(Audience(which[0]))
        found = self._artefacts.get(which)
        return found if isinstance(found, Artefact) else None


# --- publication -----------------------------------------------------------------------------------------------------


def enqueue_publication(phase: Phase) -> None:
    """Write the messages of a phase that was just published, with the next one open, in the publishing transaction."""
    following = phase.campaign.phases.filter(no=phase.no + 1, state=PhaseState.OPEN).first()
    messages = publication_messages(phase, artefacts=phase.all_artefacts.all(), next_phase=following)
    enqueue_all(messages)
    if following is not None:
        asked = [
            each.user.pk for each in messages if isinstance(each, MailMessage) and each.user and each.kind == "opened"
        ]
        call_turns(following, asked, now=clock.now())


def enqueue_all(messages: Iterable[MailMessage | NewsItem]) -> None:
    """Write messages into the outbox, or keep them as news, within the caller's transaction."""
    for message in messages:
        enqueue(message)


def publication_messages(
    phase: Phase, *, artefacts: Iterable[Content | Artefact], next_phase: Phase | None
) -> list[MailMessage | NewsItem]:
    """For each player and GM what they must do now, or what has changed for them.

    Who must act also reads what waits for their digest. Others read the news in that, unless they chose otherwise; so
    does who must act but wants no mail of that at once, as its line in the digest brings no report.
    """
    published = _Published(phase, Received(artefacts))
    reports, questions = _mailed(phase, next_phase)
    waiting = _waiting_reports(phase.campaign) if reports else {}
    members = list(present_members(phase.campaign))
    opened = _all_opened(members, published, next_phase) if next_phase and questions else {}
    messages: list[MailMessage | NewsItem] = []
    for member in members:
        who = Viewer(member.campaign, member.user, member).audience
        with to_member(member):
            if member.pk in opened:
                earlier = [news for news in waiting.get(member.pk, []) if news.audience == who]
                context = {**opened[member.pk], "reports": reports, **_earlier(earlier, who)}
                messages.append(_publication_message(member, "opened", published, context))
                if choices.chosen(member, "opened") is When.NOW:
                    continue
            if reports and published.is_news(who):
                idle = next_phase is not None and member.pk not in opened
                messages.append(_report(member, published, idle=idle))
    return messages


def newcomer_messages(phase: Phase, members: Sequence[Membership]) -> list[MailMessage]:
    """What an open phase asks of members who have come since it opened, with the report that opened it."""
    before = (
        phase.campaign.phases.filter(no=phase.no - 1, state=PhaseState.PUBLISHED).select_related("campaign").first()
    )
    if before is None:
        return []
    reports, questions = _mailed(before, phase)
    published = _Published(before, Received(before.all_artefacts.all()))
    opened = _all_opened(members, published, phase) if questions else {}
    messages = []
    for member in members:
        if member.pk in opened:
            context = {**opened[member.pk], "reports": reports, "earlier": []}
            part = f"{member.role}/{member.joined_at:%Y%m%dT%H%M%S}"
            with to_member(member):
                key = f"{_key('opened', before)}/{part}"
                messages.append(_publication_message(member, "opened", published, context, key=key))
    return messages


def _all_opened(members: Sequence[Membership], published: "_Published", next_phase: Phase) -> dict[int, dict[str, Any]]:
    """What the next phase asks, with the header by which that can be answered, by each member whom it asks."""
    opened: dict[int, dict[str, Any]] = {}
    for member in members:
        who = Viewer(member.campaign, member.user, member).audience
        with to_member(member):
            todo = todo_of(member, next_phase)
            if todo:
                opened[member.pk] = _opened(todo, published, next_phase, who)
    asked = [member for member in members if member.pk in opened]
    templates = {pk: context["template"] for pk, context in opened.items()}
    for pk, headers in reply_headers(next_phase, asked, templates).items():
        opened[pk]["reply"] = headers
    return opened


def _mailed(phase: Phase, next_phase: Phase | None) -> tuple[bool, bool]:
    """Whether to mail the report of a phase, and whether to mail those who must act in the next one.

    A mailed report includes the question to its reader, whatever is mailed about the next phase.
    """
    handling = all_handling(phase.campaign)
    reports = handling[Weight(phase.weight)].mailing is Mailing.REPORTS
    asks = next_phase is not None and handling[Weight(next_phase.weight)].mailing is not Mailing.DIGEST
    return reports, reports or asks


class _Published:
    """What a published phase tells each audience, made once for all its readers."""

    def __init__(self, phase: Phase, received: Received) -> None:
        self.phase, self.received = phase, received
        self._before = views_before(phase, Weight(phase.weight))
        self._texts: dict[Audience, dict[str, Any]] = {}
        self._known: dict[Audience, tuple[Any, View]] = {}

    def known(self, who: Audience) -> tuple[Any, View]:
        """The state and the View that an audience knows."""
        if who not in self._known:
            self._known[who] = _known(self.phase, who, self.received)
        return self._known[who]

    def texts(self, who: Audience) -> dict[str, Any]:
        """The report for an audience."""
        if who not in self._texts:
            self._texts[who] = _texts(self.phase, who, self.received, self._before.get(who, []))
        return self._texts[who]

    def is_news(self, who: Audience) -> bool:
        """Whether an audience sees anything else than with its last report."""
        return is_news(next(iter(self._before.get(who, [])), None), decode_view(self.received[who, "view"]))


def _report(member: Membership, published: _Published, *, idle: bool) -> MailMessage | NewsItem:
    """The report alone, at once or as news for a digest. `idle`: whether its reader has nothing to do."""
    if choices.chosen(member, "report") is When.NOW:
        return _publication_message(member, "report", published, {"idle": idle})
    phase = published.phase
    key, page = f"{_key('report', phase)}/{member.user.username}", link("phase", phase.campaign.slug, phase.no)
    return NewsItem(key=key, kind="report", member=member, phase=phase, page=page)


def _publication_message(
    member: Membership, kind: str, published: _Published, more: Mapping[str, Any], *, key: str = ""
) -> MailMessage:
    """`key`: another one than the publication's."""
    phase, received = published.phase, published.received
    who = Viewer(member.campaign, member.user, member).audience
    context = {**more, **published.texts(who)}
    pictured = context.get("reports", True)
    picture = received.get((who, "map")) if pictured else None
    page = link("phase", phase.campaign.slug, phase.no)
    of_phase = {"reports": True, "pictured": picture is not None, "phase_link": page}
    return message_to(
        member,
        kind=kind,
        key=key or _key(kind, phase),
        context={**of_phase, **context},
        phase=phase,
        extras=Extras(
            pictures={} if picture is None else {"map": picture},
            published=received.row((who, "map")) if pictured else None,
            headers={**dice_headers(received), **_more_headers(member, kind, context)},
            gist=context["asked"].text if kind == "opened" else "",
            page=context["asked"].link if kind == "opened" else page,
            gathered=context.get("gathered", ()),
        ),
    )


def _more_headers(member: Membership, kind: str, context: Mapping[str, Any]) -> Mapping[str, str]:
    """A mail that asks can be answered; one that only reports can be stopped."""
    reply: Mapping[str, str] = context.get("reply", {})
    return unsubscribe_headers(member.campaign, member.user) if kind == "report" else reply


def _earlier(news: Sequence[MailNews], who: Audience) -> dict[str, Any]:
    """The reports that waited for the digest of somebody who is mailed now."""
    return {"earlier": [report_of(each, who) for each in news], "gathered": [each.pk for each in news]}


def _waiting_reports(campaign: Campaign) -> Mapping[int, list[MailNews]]:
    """The reports that wait for a digest, by member who still wants any, the oldest first."""
    found = MailNews.objects.filter(member__campaign=campaign, kind="report", gathered_at=None)
    waiting: dict[int, list[MailNews]] = defaultdict(list)
    published = found.filter(phase__state=PhaseState.PUBLISHED).select_related("phase__campaign", "member")
    for news in published.order_by("phase__no"):
        if choices.wants(news.member, news.kind):
            waiting[news.member_id].append(news)
    return waiting


def report_of(news: MailNews, who: Audience) -> dict[str, Any]:
    """The words of a report that was kept for later, as they would have been mailed at once."""
    phase = news.phase
    received = Received(phase.all_artefacts.filter(audience__in=(who, PUBLIC)).exclude(kind__in=_LARGE))
    before = views_before(phase, Weight(phase.weight))
    words = {"preface": "", **_texts(phase, who, received, before.get(who, []))}
    return words | {"phase": phase, "title": title_of(phase), "phase_link": news.page}


_LARGE = ("map", "thumbnail", "chart", "slice")
"""The kinds of artefacts that no report needs."""


def dice_headers(received: Received) -> dict[str, str]:
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


def _opened(todo: Todo, published: _Published, next_phase: Phase, who: Audience) -> dict[str, Any]:
    asks = {
        "asked": todo,
        "opened": next_phase,
        "opened_title": title_of(next_phase),
        "nags": next_phase.deadline_kind == DeadlineKind.NAGS,
    }
    if not todo.desks:
        return asks | {"if_missing": "", "template": ""}
    loaded, (known, view) = scenario_of(published.phase.campaign), published.known(who)
    template = order_template(loaded, next_phase, todo.desks, view=view, known=known, who=who)
    desks = desk_lines(todo.desks) if takes_mail() else ""
    return asks | {"if_missing": without_sheet(loaded.rules, known, who), "template": desks + template}


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
    extras = Extras(template="notice", gist=what, page=link("campaign", phase.campaign.slug))
    return [
        message_to(member, kind=kind, key=key, context=context, phase=phase, extras=extras)
        for member in present_members(phase.campaign)
    ]


# --- what waits for the GM -------------------------------------------------------------------------------------------


def review_messages(phase: Phase, *, fence: int) -> list[MailMessage]:
    """A draft waits for the GM; each draft is reported once."""
    return desk_messages(
        phase,
        kind="review",
        key=f"{_key('review', phase)}/{fence}",
        what=f"The draft results of “{title_of(phase)}” are ready, with maps, reports and the reasons for each event.",
        to_do="Review them, add GM rulings if you need to, and publish. The players see nothing until then.",
        button="Review the draft results",
    )


def failure_messages(phase: Phase, *, fence: int) -> list[MailMessage]:
    """A phase could not be adjudicated, and waits for a person."""
    return desk_messages(
        phase,
        kind="failed",
        key=f"{_key('failed', phase)}/{fence}",
        what=f"Fieldpost could not resolve “{title_of(phase)}” and will not try again on its own. No sheet is lost.",
        to_do="Ask the person who runs this site what the log says. When the fault is fixed, choose “Try again” on your"
        " desk. If you think that one of your rulings caused it, tell them.",
        button="GM desk",
    )


def desk_messages(phase: Phase, *, kind: str, key: str, what: str, to_do: str, button: str) -> list[MailMessage]:
    """A message to every GM about something that waits on their desk."""
    context = {
        "subject": _DESK_SUBJECTS.get(kind, "your desk"),
        "heading": _DESK_HEADINGS[kind],
        "what": what,
        "to_do": to_do,
        "button": button,
        "desk_link": link(_DESK_PAGES.get(kind, "desk"), phase.campaign.slug),
    }
    game_masters = present_members(phase.campaign).filter(role=Role.GM)
    extras = Extras(template="desk", gist=what, page=context["desk_link"])
    return [
        message_to(member, kind=kind, key=key, context=context, phase=phase, extras=extras) for member in game_masters
    ]


_DESK_SUBJECTS = {"review": "draft results are ready"}
"""Others may see a subject on a screen: it says that there is something, not what."""

_DESK_PAGES = {"review": "draft"}

_DESK_HEADINGS = {
    "review": "The draft results are ready",
    "failed": "A phase could not be resolved",
    "unread_mailbox": "A phase has closed without the last mails",
    "found_mails": "Mails were found after their phase had closed",
}


def _key(kind: str, phase: Phase) -> str:
    return f"{kind}/{phase.campaign.slug}/{phase.no}.{phase.rev}"
