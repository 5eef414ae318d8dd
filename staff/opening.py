"""After the end: a side opens its room to everybody, once all who commanded it at the end agree."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.http import Http404

from campaign.engine.values.ids import PUBLIC
from campaign.models import Membership, Role
from campaign.people.memberships import locked_member
from campaign.viewers import COMMANDING, Viewer
from staff.models import Agreement, Comment
from staff.rooms import is_closed, is_staff


@dataclass(frozen=True)
class Consent:
    """How far a side's commanders agree to open their room."""

    agreed: tuple[str, ...]
    waiting: tuple[str, ...]
    decides: bool
    """Whether the viewer is one of them."""
    has_agreed: bool
    """Whether the viewer has agreed."""


def consent_of(viewer: Viewer) -> Consent | None:
    """How far the viewer's side is; None unless its room can be opened and is not."""
    if not is_staff(viewer) or not is_closed(viewer.campaign) or not _comments_are_closed(viewer):
        return None
    agreed = _agreed(viewer)
    deciding = _deciding(viewer)
    return Consent(
        agreed=tuple(each.user.username for each in deciding if each.pk in agreed),
        waiting=tuple(each.user.username for each in deciding if each.pk not in agreed),
        decides=viewer.member.pk in [each.pk for each in deciding],
        has_agreed=viewer.member.pk in agreed,
    )


def agree(viewer: Viewer, *, now: datetime) -> bool:
    """Agree to open the viewer's room; whether it is open now. For good: what was read cannot be taken back.

    Http404 for everybody who is not asked.
    """
    with transaction.atomic():
        present = _asked(viewer)
        Agreement.objects.for_viewer(present).get_or_create(
            side=present.side, member=present.member, defaults={"campaign": present.campaign, "agreed_at": now}
        )
        if not {each.pk for each in _deciding(present)} <= _agreed(present):
            return False
        Comment.objects.for_viewer(present).filter(side=present.side).update(audience=PUBLIC)
        return True


def take_back(viewer: Viewer) -> None:
    """Agree no longer, while the room is not open. Http404 for everybody who is not asked."""
    with transaction.atomic():
        present = _asked(viewer)
        Agreement.objects.for_viewer(present).filter(side=present.side, member=present.member).delete()


def _asked(viewer: Viewer) -> Viewer:
    """The viewer as they are now, if they are asked; else Http404. Acts of the campaign wait meanwhile."""
    present = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
    consent = consent_of(present)
    if consent is None or not consent.decides:
        raise Http404
    return present


def _comments_are_closed(viewer: Viewer) -> bool:
    """Whether the side has comments, and has not opened its room."""
    return Comment.objects.for_viewer(viewer).filter(side=viewer.side).exclude(audience=PUBLIC).exists()


def _agreed(viewer: Viewer) -> set[int]:
    return set(Agreement.objects.for_viewer(viewer).filter(side=viewer.side).values_list("member", flat=True))


def _deciding(viewer: Viewer) -> list[Membership]:
    """The side's commanders when the campaign ended; its deputies if it had none.

    Somebody who left after the end is still one of them: without their consent the room stays closed.
    """
    end = viewer.campaign.closing.at
    there = Q(joined_at__lte=end) & (Q(left_at=None) | Q(left_at__gt=end))
    members = Membership.objects.filter(there, campaign=viewer.campaign, side=viewer.side, role__in=COMMANDING)
    found = list(members.select_related("user").order_by("user__username"))
    return [each for each in found if each.role == Role.COMMANDER] or found
