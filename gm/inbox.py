"""What waits for a person in all their campaigns, each campaign read as their member of it.

The guard knows one reader at a time. What waits in a campaign is read in a block that answers the person's member of
it, and outside these blocks the person is the public; so nothing of one campaign is read with the part that somebody
has in another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.html import strip_tags

from campaign.fighting import fights
from campaign.mail.bounces import mail_comes_back
from campaign.mail.messages import written_to
from campaign.models import Battle, BattleState, Campaign, OutboxMessage, OutboxState, PhaseState, User
from campaign.people.memberships import OwnCampaign, campaigns_of
from campaign.selectors import PhaseInfo
from campaign.services import battle_title
from campaign.templatetags.fieldpost import battle_named, moment
from campaign.viewers import Viewer
from gm.phases import approval
from gm.todo import asked_desks
from orders.battles.reading import battles_of, may_confirm, may_report
from orders.models import HQ, Sheet
from posting.deciding import undecided
from questions.reading import waiting_questions
from stories.models import Story


@dataclass(frozen=True)
class Waiting:
    """A thing that waits for somebody, and where they do it."""

    text: str
    button: str
    address: str
    due: datetime | None = None
    """When it is too late; None: it waits."""


@dataclass(frozen=True)
class Part:
    """A person's part in a campaign, and what waits for them there."""

    own: OwnCampaign
    waiting: tuple[Waiting, ...]


def inbox(user: User) -> list[Part]:
    """A person's campaigns: first those in which something waits, by the earliest time when it is due."""
    parts = [_part(user, own) for own in campaigns_of(user)]
    return sorted(parts, key=lambda part: (not part.waiting, min(map(_urgency, part.waiting), default=_NO_TIME)))


def _part(user: User, own: OwnCampaign) -> Part:
    with written_to(user, own.viewer.audience):
        phase = own.phase
        return Part(own, tuple(waiting_for(own.viewer, phase) if phase else untold_stories(own.viewer)))


def _urgency(waiting: Waiting) -> tuple[bool, float]:
    return (False, waiting.due.timestamp()) if waiting.due else _NO_TIME


_NO_TIME = (True, 0.0)


def waiting_for(viewer: Viewer, phase: PhaseInfo) -> Iterator[Waiting]:
    """What waits for a member in the open phase of their campaign."""
    if viewer.is_gm:
        yield from _for_gm(viewer, phase)
    elif phase.open and viewer.plays:
        yield from _sheets(viewer, phase)
        yield from _own_battles(viewer, phase)


# --- for players -----------------------------------------------------------------------------------------------------


def _sheets(viewer: Viewer, phase: PhaseInfo) -> Iterator[Waiting]:
    """The sheets that the viewer writes and that are not READY, unless HQ is READY for them."""
    if viewer.side not in phase.acts or not viewer.writes_sheets:
        return
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=viewer.side)
    rows = sheets.order_by("version").values_list("desk", "ready", "for_side")
    newest = {desk: (ready, for_side) for desk, ready, for_side in rows}
    if newest.get(HQ) == (True, True):
        return
    for desk in asked_desks(viewer.member, phase.key):
        ready, _ = newest.get(desk.name, (False, False))
        if not ready:
            what = "is submitted, but not READY" if desk.name in newest else "is not written yet"
            yield Waiting(
                f"{_named(phase)}: your sheet for {desk.name} {what}.",
                "Write your orders",
                reverse("sheet", args=[viewer.campaign.slug, desk.name]),
                _deadline(phase),
            )


def _own_battles(viewer: Viewer, phase: PhaseInfo) -> Iterator[Waiting]:
    """The battles that the viewer plays, and whose result waits for them."""
    if not phase.nags:
        return
    for battle in battles_of(viewer):
        if not fights(viewer, battle):
            continue
        if battle.state == BattleState.REPORTED and may_confirm(viewer, battle):
            text = f"{_title(battle)}: the other side has reported the result. If nobody answers, it counts."
            yield _battle(viewer, battle, text, "Confirm or dispute", battle.accepts_at)
        elif battle.state == BattleState.OPEN and may_report(viewer, battle):
            yield _battle(viewer, battle, f"{_title(battle)}: report the result.", "Report", _deadline(phase))


def _battle(viewer: Viewer, battle: Battle, text: str, button: str, due: datetime | None) -> Waiting:
    return Waiting(text, button, reverse("battle", args=[viewer.campaign.slug, battle.key]), due)


def _title(battle: Battle) -> str:
    return battle_title(battle.phase.campaign, battle.key)


def _named(phase: PhaseInfo) -> str:
    return f"“{phase.title}” of {phase.moment}"


def _deadline(phase: PhaseInfo) -> datetime | None:
    return None if phase.held or phase.untimed else phase.deadline_at


# --- for game masters ------------------------------------------------------------------------------------------------


def _for_gm(viewer: Viewer, phase: PhaseInfo) -> Iterator[Waiting]:
    if phase.state == PhaseState.REVIEW:
        yield _draft(viewer, phase)
    elif phase.failed:
        yield _at_desk(viewer, f"Fieldpost could not resolve {_named(phase)}.")
    elif phase.open and phase.held:
        yield from _paused(viewer, phase)
    if phase.open and phase.nags:
        yield from _results(viewer, phase)
    yield from untold_stories(viewer)
    yield from _questions(viewer)
    yield from _stuck(viewer)


def _stuck(viewer: Viewer) -> Iterator[Waiting]:
    """Mails that could not be sent, people to whom they come back, and forum posts that wait for the GM's decision.

    One statement, unless mails have come back: a person's campaigns are all looked up for their first page.
    """
    mail = OutboxMessage.objects.filter(campaign=OuterRef("pk"))
    dead, bounced = mail.filter(state=OutboxState.DEAD), mail.filter(bounced_at__isnull=False)
    campaign = Campaign.objects.filter(pk=viewer.campaign.pk).annotate(
        dead_mails=_count(dead, "campaign"),
        stuck_posts=_count(undecided(viewer), "destination__campaign"),
        has_bounced=Exists(bounced),
    )
    mails, posts, has_bounced = campaign.values_list("dead_mails", "stuck_posts", "has_bounced").get()
    if mails:
        text = f"{mails} mail{'' if mails == 1 else 's'} could not be sent."
        yield Waiting(text, "Outbox", reverse("outbox", args=[viewer.campaign.slug]))
    if has_bounced:
        yield from _unreached(viewer)
    if posts:
        text = f"{posts} forum post{' waits' if posts == 1 else 's wait'} for your decision."
        yield Waiting(text, "Destinations", reverse("destinations", args=[viewer.campaign.slug]))


def _unreached(viewer: Viewer) -> Iterator[Waiting]:
    """The members to whom this campaign's mails come back."""
    if people := len(mail_comes_back(viewer.campaign)):
        text = f"Mail to {people} {'person' if people == 1 else 'people'} comes back."
        yield Waiting(text, "Outbox", reverse("outbox", args=[viewer.campaign.slug]))


def _count(rows: QuerySet[Any], campaign: str) -> Coalesce:
    """The number of these rows of one campaign, as part of another statement."""
    counted = rows.order_by().values(campaign).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def _questions(viewer: Viewer) -> Iterator[Waiting]:
    asked = waiting_questions(viewer)
    if asked is not None:
        since = strip_tags(moment(asked.since))
        text = f"1 question waits for your answer, since {since}."
        if asked.count > 1:
            text = f"{asked.count} questions wait for your answer, the oldest since {since}."
        yield Waiting(text, "Answer", reverse("questions", args=[viewer.campaign.slug]))


def _draft(viewer: Viewer, phase: PhaseInfo) -> Waiting:
    """The draft; its due time is when it is published without its GM, if they have allowed that."""
    campaign, text = viewer.campaign, f"The draft results of {_named(phase)} wait for your review."
    row = campaign.phases.get(pk=phase.phase_id)
    approved = approval.waiting(row)
    if approved is not None:
        text = f"{_named(phase)} is about to be published. Until then you can cancel it."
        return Waiting(text, "Draft results", reverse("draft", args=[campaign.slug]), approved.publishes_at)
    due = approval.publishes_unattended_at(row)
    text += " If nothing is flagged, they are published without you." if due else ""
    return Waiting(text, "Review the draft results", reverse("draft", args=[campaign.slug]), due)


def _paused(viewer: Viewer, phase: PhaseInfo) -> Iterator[Waiting]:
    """A pause that does not end without the GM."""
    if not phase.no:
        text = "The campaign starts when every side has a commander or a bot."
        yield Waiting(text, "Invite people", reverse("people", args=[viewer.campaign.slug]))
    elif viewer.campaign.phases.filter(pk=phase.phase_id, held_until=None).exists():
        yield _at_desk(viewer, f"The campaign is paused in {_named(phase)} until you resume it.")


def untold_stories(viewer: Viewer) -> Iterator[Waiting]:
    """The stories of which a game master has not said who may read them, by phase, from its draft on."""
    if not viewer.is_gm:
        return
    resolved = Q(battle__phase__state__in=[PhaseState.REVIEW, PhaseState.PUBLISHED])
    stories = Story.objects.filter(resolved, battle__phase__campaign=viewer.campaign, readers="")
    counted = stories.values_list("battle__phase__no").annotate(Count("pk")).order_by("battle__phase__no")
    for no, count in counted:
        what = "story waits" if count == 1 else "stories wait"
        text = f"{count} {what} for you to say who may read {'it' if count == 1 else 'them'}."
        yield Waiting(text, "Stories", reverse("stories", args=[viewer.campaign.slug, no]))


def _at_desk(viewer: Viewer, text: str) -> Waiting:
    return Waiting(text, "GM desk", reverse("desk", args=[viewer.campaign.slug]))


def _results(viewer: Viewer, phase: PhaseInfo) -> Iterator[Waiting]:
    """The battles without a result: those in dispute, those that nobody has reported, those that nobody answers."""
    battles = list(battles_of(viewer))
    for state, (text, button) in _WITHOUT_RESULT.items():
        for battle in battles:
            if battle.state == state:
                due = {BattleState.OPEN: _deadline(phase), BattleState.REPORTED: battle.accepts_at}.get(state)
                yield _battle(viewer, battle, f"The {battle_named(battle.key, viewer.campaign)} {text}", button, due)


_WITHOUT_RESULT: Mapping[BattleState, tuple[str, str]] = {
    BattleState.DISPUTED: ("is disputed, and waits for your decision.", "Decide"),
    BattleState.OPEN: ("has no report.", "Battle"),
    BattleState.REPORTED: ("has a report that nobody has answered. It counts when its time is over.", "Battle"),
}
