"""Who is away in a campaign, for the machinery and the game master's desk."""

from datetime import datetime

from django.db.models import QuerySet

from campaign.models import Absence, Membership


def absences_now(campaign_id: int, now: datetime) -> QuerySet[Absence]:
    """The absences of a campaign's present members that have begun and not ended."""
    booked = Absence.objects.filter(member__campaign=campaign_id, member__left_at=None)
    return booked.filter(starts_at__lte=now, ends_at__gt=now)


def absent_members(campaign_id: int, now: datetime) -> set[int]:
    """The numbers of the members who are away."""
    return set(absences_now(campaign_id, now).values_list("member", flat=True))


def stood_in_for(member: Membership, now: datetime) -> list[Membership]:
    """The members of the same side for whom this one writes sheets now."""
    found = absences_now(member.campaign_id, now).filter(deputy=member, member__side=member.side)
    return [each.member for each in found.select_related("member").order_by("starts_at", "pk")]
