"""Absences that are booked: everybody reads until when a member is away, and a bot may write for them until then."""

from datetime import datetime

from django.db import transaction
from django.http import Http404

from campaign.models import Membership
from campaign.people.memberships import Refused, locked_member, record
from campaign.viewers import Viewer


def book_absence(viewer: Viewer, member: Membership, *, until: datetime | None, now: datetime) -> None:
    """Book until when a member is away, or with None that they are back. They may, and the GM. Raises Refused."""
    if not viewer.is_gm and member != viewer.member:
        raise Http404
    if until is not None and until <= now:
        raise Refused("Choose a day in the future, or none.")
    with transaction.atomic():
        member = locked_member(viewer, member)
        member.away_until = until
        member.save(update_fields=["away_until"])
        subject: dict[str, str | int] = {"person": member.user_id, "until": until.isoformat() if until else ""}
        record(viewer, "away", subject, now, rows=[member])
