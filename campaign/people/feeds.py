"""Secret addresses of calendars: one for each member, shown once, replaced or ended at any time.

Only its digest is stored. It ends with its member's part: when they leave, and when they get another role.
"""

import hashlib
import secrets
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.http import Http404
from django.urls import reverse

from campaign.models import CalendarFeed
from campaign.people.memberships import lock
from campaign.viewers import Viewer


def make_feed(viewer: Viewer, *, now: datetime) -> str:
    """A new address of the viewer's calendar, in place of an earlier one. Nobody can find it out later."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        lock(viewer.campaign)
        fresh = {"digest": _digest(token), "made_at": now}
        CalendarFeed.objects.update_or_create(member=viewer.member, defaults=fresh)
    return f"{settings.SITE_URL}{reverse('feed', args=[viewer.campaign.slug, token])}"


def end_feed(viewer: Viewer) -> None:
    """End the address of the viewer's calendar, if they have one."""
    CalendarFeed.objects.filter(member=viewer.member).delete()


def feed_since(viewer: Viewer) -> datetime | None:
    """When the viewer made the address of their calendar; None if they have none."""
    return CalendarFeed.objects.filter(member=viewer.member).values_list("made_at", flat=True).first()


def owner_of(slug: str, token: str) -> Viewer:
    """Whose calendar it is; Http404 alike for addresses that have ended, never were, or are of another campaign."""
    found = CalendarFeed.objects.filter(digest=_digest(token), member__campaign__slug=slug, member__left_at=None)
    feed = found.select_related("member__campaign__closing", "member__user").first()
    if feed is None:
        raise Http404
    return Viewer(feed.member.campaign, feed.member.user, feed.member)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
