"""Absences: from when until when members are away, who stands in for them, and why.

Their side and the game masters read them, nobody else; that a game master is away, every member reads. A new absence
replaces those of the same member that overlap it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from campaign.engine.values.ids import PUBLIC
from campaign.mail.messages import link, message_to
from campaign.mail.outbox import enqueue
from campaign.models import Absence, Campaign, Membership, PhaseState, Role
from campaign.people.memberships import MAY_HOLD_A_DESK, Refused, locked_member, members, record
from campaign.viewers import Viewer

LONGEST_WHY = 200
LONGEST_ABSENCE = timedelta(days=366)
MOST_ABSENCES = 10
"""The most absences of one member that have not ended."""


@dataclass(frozen=True, kw_only=True)
class Booking:
    """What somebody says of their absence."""

    since: datetime | None = None
    """None: now."""
    until: datetime
    deputy: str = ""
    """The forum name of who stands in; empty: nobody."""
    why: str = ""


def book(viewer: Viewer, member: Membership, booking: Booking, *, now: datetime) -> Absence:
    """Book an absence of a member. They may, and the GM. Their deputy is told by mail. Raises Refused."""
    _require_own(viewer, member)
    since = max(booking.since or now, now)
    if booking.until <= since:
        raise Refused("Choose a day in the future on which the member is back, later than the one on which they leave.")
    if booking.until > since + LONGEST_ABSENCE:
        raise Refused("An absence can last a year. Ask the GM to give your role to someone else.")
    with transaction.atomic():
        member = locked_member(viewer, member)
        if member.role == Role.SPECTATOR:
            raise Refused("Spectators have nothing to stay away from.")
        deputy = _deputy(viewer, member, booking.deputy)
        booked = absences_of(viewer).filter(member=member)
        replaced = list(booked.filter(starts_at__lt=booking.until, ends_at__gt=since))
        if booked.filter(ends_at__gt=now).count() - len(replaced) >= MOST_ABSENCES:
            raise Refused(f"You have booked {MOST_ABSENCES} absences. End one of them first.")
        _end(viewer, member, replaced, now)
        absence = Absence.objects.create(
            member=member,
            audience=member.side or PUBLIC,
            starts_at=since,
            ends_at=booking.until,
            deputy=deputy,
            why=" ".join(booking.why.split())[:LONGEST_WHY],
            booked_at=now,
        )
        record(viewer, "away", _subject(absence), now, rows=[absence])
        if deputy is not None:
            _tell(deputy, absence)
    return absence


def end(viewer: Viewer, member: Membership, *, now: datetime, starts_at: datetime | None = None) -> int:
    """End an absence of a member, or without its beginning the present one; returns how many ended."""
    _require_own(viewer, member)
    with transaction.atomic():
        member = locked_member(viewer, member)
        booked = absences_of(viewer).filter(member=member, ends_at__gt=now)
        found = list(booked.filter(starts_at=starts_at) if starts_at else booked.filter(starts_at__lte=now))
        _end(viewer, member, found, now)
    return len(found)


def absences_of(viewer: Viewer) -> QuerySet[Absence]:
    """All absences that the viewer may read, with their members, the earliest first; none for the public."""
    if viewer.membership is None:
        return Absence.objects.for_viewer(viewer).none()
    booked = Absence.objects.for_viewer(viewer).filter(member__left_at=None)
    return booked.select_related("member__user", "deputy__user").order_by("starts_at", "member__user__username")


def coming(viewer: Viewer, now: datetime) -> list[Absence]:
    """The absences that the viewer may read and that have not ended."""
    return list(absences_of(viewer).filter(ends_at__gt=now))


def away_now(viewer: Viewer, now: datetime) -> dict[int, Absence]:
    """The members who are away, as far as the viewer may know, each with the absence."""
    return {each.member_id: each for each in absences_of(viewer).filter(starts_at__lte=now, ends_at__gt=now)}


def stands_in_for(viewer: Viewer, now: datetime) -> list[Membership]:
    """The members of the viewer's side whose sheets the viewer writes now, as they are away."""
    if not viewer.side or not viewer.writes_sheets:
        return []
    found = absences_of(viewer).filter(deputy=viewer.member, starts_at__lte=now, ends_at__gt=now)
    return [each.member for each in found if each.member.side == viewer.side]


def may_stand_in(viewer: Viewer, member: Membership) -> list[str]:
    """The forum names of those who may stand in for a member: others who write sheets of their side."""
    return deputies_among(members(viewer), member)


def deputies_among(present: Iterable[Membership], member: Membership) -> list[str]:
    """The same, among the present members of a campaign."""
    if not member.side or member.role not in MAY_HOLD_A_DESK:
        return []
    mates = (each for each in present if each.side == member.side and each.role in MAY_HOLD_A_DESK)
    return [each.user.username for each in mates if each.pk != member.pk]


def _deputy(viewer: Viewer, member: Membership, name: str) -> Membership | None:
    if not name:
        return None
    if name not in may_stand_in(viewer, member):
        raise Refused(f"Choose somebody else to stand in than {name}: somebody who writes sheets of the same side.")
    return members(viewer).get(user__username=name)


def _require_own(viewer: Viewer, member: Membership) -> None:
    if not viewer.is_gm and member != viewer.member:
        raise Http404


def _end(viewer: Viewer, member: Membership, found: Collection[Absence], now: datetime) -> None:
    for absence in found:
        record(viewer, "back", {"person": member.user_id}, now, gone=[absence])
        absence.delete()


def _subject(absence: Absence) -> dict[str, str | int]:
    return {
        "person": absence.member.user_id,
        "since": absence.starts_at.isoformat(),
        "until": absence.ends_at.isoformat(),
        "deputy": absence.deputy.user_id if absence.deputy else 0,
    }


def _tell(deputy: Membership, absence: Absence) -> None:
    """Write to a deputy for whom they stand in, and when, within the caller's transaction."""
    campaign: Campaign = deputy.campaign
    newest = campaign.phases.exclude(state=PhaseState.WITHDRAWN).latest("no")
    context = {
        "absent": absence.member.user.username,
        "since": absence.starts_at,
        "until": absence.ends_at,
        "orders_link": link("orders", campaign.slug),
    }
    key = f"deputy/{campaign.slug}/{absence.member.user.username}/{absence.starts_at.isoformat()}"
    if deputy.user.email:
        enqueue(message_to(deputy, kind="deputy", key=key, context=context, phase=newest))
