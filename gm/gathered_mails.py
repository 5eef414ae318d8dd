"""Mails that gather news: the digest of the evening, and the mail about somebody's battles.

What is in one is decided when it is written. News is left out if it is old, if its phase was withdrawn, or if its
reader belongs to another audience than when it was news; all else is read as that reader reads it then.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.html import strip_tags

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.mail import choices
from campaign.mail.choices import When
from campaign.mail.messages import Extras, message_to, present_members, to_member
from campaign.mail.mutes import unsubscribe_headers
from campaign.mail.outbox import MailMessage, enqueue, is_address
from campaign.mail.secret_addresses import takes_mail
from campaign.models import Battle, DeadlineKind, Gathering, MailNews, Membership, Phase, PhaseState
from campaign.people import memberships
from campaign.record.clock_changes import CLOSE
from campaign.selectors import knowledge
from campaign.services import battle_title
from campaign.templatetags.fieldpost import moment
from campaign.viewers import Viewer
from gm.desk.reminders import missing_of
from gm.mail import Received, dice_headers, report_of
from incoming.addresses import reply_header
from orders.battles.mail import BRIEF, MEETING, REPORTED, is_still, said_of_meeting
from orders.battles.reading import mark_of, shown_report, whole_brief_of

Waiting = tuple[int, int, str]
"""A member's news that waits for one mail: their campaign, they, and what gathers it."""


def gather_due(now: datetime, *, most: int | None = None, goes_on: Callable[[], bool] = lambda: True) -> int:
    """Write the mails whose time has come; returns how many.

    `most`: the number after which the rest waits for the next call. `goes_on` is asked after each mail, and ends the
    call if it says no.
    """
    due = MailNews.objects.filter(gathered_at=None, leaves_at__lte=now)
    waiting = due.values_list("member__campaign", "member", "into").distinct()
    # by names, never by numbers of rows, as the record counts mails in the order in which they are written
    names = ("member__campaign__slug", "member__user__username", "into")
    written = 0
    for which in list(waiting.order_by(*names)):
        here = run_each("the gathered mail of member", [which], _gather)
        written += here
        if here and (written == most or not goes_on()):
            break
    return written


def _gather(which: Waiting) -> int:
    campaign_id, member_id, into = which
    with transaction.atomic(durable=True):
        first = Membership.objects.select_related("campaign").get(pk=member_id, campaign=campaign_id)
        memberships.lock(first.campaign)
        waiting = MailNews.objects.filter(member=member_id, into=into, gathered_at=None)
        rows = list(waiting.select_related("phase__campaign").order_by("phase__no", "created_at", "key"))
        member = _reader(first)
        news = _without_what_was_replaced([row for row in rows if member is not None and _is_news(row, member)])
        old = {row.pk for row in rows} - {row.pk for row in news}
        MailNews.objects.filter(pk__in=old).delete()
        for row in news:
            _move_to_live_phase(row)
        written = bool(member and news and enqueue(_message(member, Gathering(into), news)))
        fp("gather.before_commit")
    return int(written)


def _reader(member: Membership) -> Membership | None:
    """The member, as long as they are one and mail can be sent to them."""
    present = present_members(member.campaign).filter(pk=member.pk).first()
    return present if present is not None and is_address(present.user.email) else None


# --- what is still news ----------------------------------------------------------------------------------------------


def _is_news(news: MailNews, member: Membership) -> bool:
    """Whether something is still news for its reader, who may have changed sides or their mind since."""
    viewer, state = _viewer(member), news.phase.state
    if viewer.audience != news.audience or choices.chosen(member, news.kind) is When.NEVER:
        return False
    if state == PhaseState.WITHDRAWN:
        return news.kind in choices.ABOUT_QUESTIONS
    if news.battle:
        battle = _battle(news)
        return battle is not None and is_still(news, battle, viewer)
    if news.kind == "opened":
        return _following(news.phase).exists()
    if news.kind == "reminder" and state == PhaseState.OPEN:
        with to_member(member):
            return bool(missing_of(member, news.phase))
    return _TRUE_WHILE.get(news.kind, state) == state


def _move_to_live_phase(news: MailNews) -> None:
    """Let what outlives its withdrawn phase be about the newest one; under another key, as a mail may have died."""
    if news.phase.state == PhaseState.WITHDRAWN:
        phases = Phase.objects.filter(campaign=news.phase.campaign_id).exclude(state=PhaseState.WITHDRAWN)
        news.phase = phases.select_related("campaign").latest("no")
        news.key += f" {news.phase.no}.{news.phase.rev}"


_TRUE_WHILE = {"report": PhaseState.PUBLISHED, "review": PhaseState.REVIEW, "reminder": PhaseState.OPEN}
"""The state of its phase in which some kinds of news are true."""


_REPLACED = {
    "review": "draft",
    "reminder": "what is missing",
    **dict.fromkeys(("extend", "resume", "outage", CLOSE), "deadline"),
}
"""What some kinds of news are about: newer news of the same phase replaces it."""


def _without_what_was_replaced(news: Sequence[MailNews]) -> list[MailNews]:
    newest = {(row.phase_id, _REPLACED.get(row.kind, row.pk)): row.pk for row in news}
    return [row for row in news if newest[row.phase_id, _REPLACED.get(row.kind, row.pk)] == row.pk]


def _following(phase: Phase) -> QuerySet[Phase]:
    """The phase after a published one, while it is open."""
    return Phase.objects.filter(campaign=phase.campaign_id, no=phase.no + 1, state=PhaseState.OPEN)


def _battle(news: MailNews) -> Battle | None:
    battles = Battle.objects.filter(phase=news.phase, key=news.battle)
    return battles.select_related("phase__campaign", "attacking_player__user", "defending_player__user").first()


def _viewer(member: Membership) -> Viewer:
    return Viewer(member.campaign, member.user, member)


# --- the mails -------------------------------------------------------------------------------------------------------


def _message(member: Membership, into: Gathering, news: Sequence[MailNews]) -> MailMessage:
    if into is Gathering.BATTLES:
        return _about_battles(member, news)
    return _digest(member, news)


def _about_battles(member: Membership, news: Sequence[MailNews]) -> MailMessage:
    """All that is new about a member's battles, in the order of their names."""
    battles: dict[str, dict[str, Any]] = {}
    with to_member(member):
        for row in sorted(news, key=lambda row: row.battle):
            title = battle_title(member.campaign, row.battle)
            new: dict[str, Any] = {"title": title, "page": row.page, "brief": None, "texts": [], "key": row.battle}
            said = battles.setdefault(row.battle, new)
            if row.kind == BRIEF:
                said["brief"] = _brief(member, row.battle)
            if row.kind == REPORTED and takes_mail():
                said["reported"], said["mark"] = _reported(member, row)
            text = _in_time(row, member)
            if text not in said["texts"]:
                said["texts"].append(text)
    context = {"battles": list(battles.values()), "replies": takes_mail()}
    extras = Extras(gathered=[row.pk for row in news], headers=_reply(member, news))
    return message_to(
        member, kind="battles", key=key_of("battles", news), context=context, phase=news[-1].phase, extras=extras
    )


def _brief(member: Membership, battle: str) -> Any:
    theirs = _viewer(member)
    return whole_brief_of(theirs, knowledge(theirs), battle)


def _reported(member: Membership, news: MailNews) -> tuple[str, str]:
    """The other side's report as far as the member may read it, and the number by which they answer it."""
    theirs, battle = _viewer(member), _battle(news)
    shown = shown_report(theirs, battle, knowledge(theirs)) if battle else None
    return (shown.lines, mark_of(battle)) if battle and shown else ("", "")


def _in_time(news: MailNews, member: Membership) -> str:
    """The text of news as it is now; with the time that is left, if it waits for an answer or asks for something."""
    if news.kind == "reminder":
        return missing_of(member, news.phase)
    if news.kind == MEETING:
        battle = _battle(news)
        return said_of_meeting(_viewer(member), battle) if battle else ""
    left = {REPORTED: _answer_due, "opened": _deadline}.get(news.kind)
    return f"{news.text} {left(news, member)}".rstrip() if left else news.text


def _answer_due(news: MailNews, member: Membership) -> str:
    battle = _battle(news)
    if news.phase.held:
        return "The campaign is paused, so the time to answer does not run now."
    if battle is None or battle.accepts_at is None:
        return ""
    return f"If nobody answers by {_moment(battle.accepts_at, member)}, it is accepted."


def _deadline(news: MailNews, member: Membership) -> str:
    """The deadline of the phase that opened, as it is now: it may have changed since."""
    phase = _following(news.phase).get()
    if phase.held:
        return "The campaign is paused, so no deadline runs now."
    words = "Results are due by" if phase.deadline_kind == DeadlineKind.NAGS else "The deadline is"
    return f"{words} {_moment(phase.deadline_at, member)}."


def _moment(at: datetime, member: Membership) -> str:
    """A time by its reader's clock, as on pages."""
    with timezone.override(clock.zone(member.user.time_zone)):
        return strip_tags(moment(at))


@dataclass(frozen=True)
class _Picture:
    """The newest map of a digest, and the heads of the dice logs of its newest publication."""

    extras: Mapping[str, Any]
    headers: Mapping[str, str]


def _digest(member: Membership, news: Sequence[MailNews]) -> MailMessage:
    """What is new for a member: what they may do first, then the reports with the newest map."""
    who = _viewer(member).audience
    reports = [row for row in news if row.kind == "report"]
    with to_member(member):
        context: dict[str, Any] = {
            "lines": [{"text": _in_time(row, member), "page": row.page} for row in news if row.kind != "report"],
            "reports": [report_of(row, who) for row in reports],
        }
        newest = _newest(reports[-1].phase, who) if reports else _Picture({}, {})
    stopping = unsubscribe_headers(member.campaign, member.user) if reports else {}
    extras = Extras(
        headers={**newest.headers, **stopping, **_reply(member, news)},
        gathered=[row.pk for row in news],
        **newest.extras,
    )
    context["pictured"] = bool(extras.pictures)
    return message_to(
        member, kind="digest", key=key_of("digest", news), context=context, phase=news[-1].phase, extras=extras
    )


def _reply(member: Membership, news: Sequence[MailNews]) -> dict[str, str]:
    """The header by which a mail can be answered that asks for something in the open phase; none for others."""
    if not any(row.kind in _ASKING for row in news):
        return {}
    phases = Phase.objects.filter(campaign=member.campaign, state=PhaseState.OPEN)
    phase = phases.select_related("campaign").first()
    return reply_header(phase, member) if phase else {}


_ASKING = ("opened", "reminder", BRIEF, REPORTED)


def _newest(phase: Phase, who: Audience) -> _Picture:
    received = Received(phase.all_artefacts.filter(audience__in=(who, PUBLIC)))
    picture, published = received.get((who, "map")), received.row((who, "map"))
    drawn = {} if picture is None else {"pictures": {"map": picture}, "published": published}
    return _Picture(drawn, dice_headers(received))


def key_of(kind: str, news: Sequence[MailNews]) -> str:
    """The key of a mail that gathers just this news, before its reader's name."""
    keys = sha256("\n".join(sorted(row.key for row in news)).encode()).hexdigest()[:32]
    return f"{kind}/{news[-1].phase.campaign.slug}/{keys}"
