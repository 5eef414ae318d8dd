"""The people who have offered to step in, for the GM: the list, and an invitation into a seat by mail."""

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404

from campaign.models import Membership, Role, SubstituteOffer, User
from campaign.people.invitations import invite
from campaign.viewers import Viewer


@dataclass(frozen=True)
class Offered:
    """Somebody who would step in."""

    name: str
    words: str
    offered_at: datetime
    spectator: bool
    """They are in the campaign already: the GM changes their role instead of inviting them."""


def offered(viewer: Viewer) -> list[Offered]:
    """Who would step in, the earliest first; those who play by now are left out."""
    present = dict(Membership.objects.filter(campaign=viewer.campaign, left_at=None).values_list("user", "role"))
    rows = (
        SubstituteOffer.objects.filter(campaign=viewer.campaign).select_related("author").order_by("offered_at", "pk")
    )
    return [
        Offered(row.author.username, row.words, row.offered_at, row.author_id in present)
        for row in rows
        if present.get(row.author_id, Role.SPECTATOR) == Role.SPECTATOR
    ]


def invite_substitute(viewer: Viewer, name: str, *, role: str, side: str, now: datetime) -> None:
    """Mail somebody who has offered to step in an invitation into a seat. Raises memberships.Refused.

    Http404 for those who have not, and for spectators, whose role the GM changes.
    """
    if name not in {each.name for each in offered(viewer) if not each.spectator}:
        raise Http404
    user = User.objects.get(username=name)
    invite(viewer, role=role, side=side, meant_for=name, address=user.email, now=now)
