"""Offers to step in: people without a side say that they would play if somebody drops out. Only the GM reads them."""

from datetime import datetime

from django.db import transaction
from django.http import Http404

from campaign.models import Membership, Role, SubstituteOffer
from campaign.people.memberships import lock
from campaign.record.dice_log import has_ended
from campaign.viewers import Viewer

LONGEST_OFFER = 200


def may_offer(viewer: Viewer) -> bool:
    """Whether the viewer can offer to step in: signed in, without a side, in a campaign that still runs."""
    if not viewer.user.is_authenticated or viewer.campaign.practice or has_ended(viewer.campaign):
        return False
    present = Membership.objects.filter(campaign=viewer.campaign, user=viewer.person, left_at=None)
    return not present.exclude(role=Role.SPECTATOR).exists()


def offer(viewer: Viewer, words: str, *, now: datetime) -> None:
    """Offer to step in, or say it in other words. Http404 for those who cannot."""
    if not may_offer(viewer):
        raise Http404
    said = {"words": " ".join(words.split())[:LONGEST_OFFER], "offered_at": now}
    with transaction.atomic():
        lock(viewer.campaign)
        SubstituteOffer.objects.for_viewer(viewer).update_or_create(
            campaign=viewer.campaign, author=viewer.person, defaults=said
        )


def withdraw(viewer: Viewer) -> None:
    """Withdraw the viewer's offer, if there is one."""
    SubstituteOffer.objects.for_viewer(viewer).delete()


def own_offer(viewer: Viewer) -> SubstituteOffer | None:
    """The viewer's own offer."""
    if not viewer.user.is_authenticated:
        return None
    return SubstituteOffer.objects.for_viewer(viewer).first()
