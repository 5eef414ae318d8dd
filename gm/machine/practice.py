"""Removes practice campaigns that nobody plays any more, with all their rows."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from campaign.core.isolation import run_each
from campaign.models import Campaign, Membership, Phase
from campaign.people.practice import IDLE
from orders.models import Draft, LockedSheet


def forget_practices(now: datetime) -> int:
    """Remove the practice campaigns that everybody has left, and those in which nothing was done for long."""
    here, since = {"campaign": OuterRef("pk")}, now - IDLE
    played = Exists(Membership.objects.filter(**here, left_at=None))
    in_use = Exists(Phase.objects.filter(**here, opens_at__gt=since)) | Exists(
        Draft.objects.filter(phase__campaign=OuterRef("pk"), saved_at__gt=since)
    )
    idle = Campaign.objects.filter(practice=True).exclude(played & in_use)
    return run_each("the practice campaign", list(idle.order_by("pk")), _forget)


def _forget(campaign: Campaign) -> int:
    with transaction.atomic():
        LockedSheet.objects.filter(phase__campaign=campaign).delete()
        campaign.delete()
    return 1
