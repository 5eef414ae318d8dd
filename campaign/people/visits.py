"""When members last opened a page of their campaign: for its game masters, who see whom their mails have not reached.

Reading a page writes this, and nothing else. It is written at most once a minute for each member, and looked up before:
a page that has nothing to write waits for no other. If it cannot be written, the page is answered without it.
"""

import logging
from datetime import datetime, timedelta
from typing import cast

from django.db import DatabaseError, transaction

from campaign.core import clock
from campaign.models import LastSeen, User
from campaign.secrecy import truth
from campaign.viewers import memberships_of

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=1)
"""How often it is written at most: the time of a visit may be this much too early."""


def note_visit(user: User, slug: str) -> None:
    """Note that somebody has opened a page of a campaign, if they are a member of it."""
    with truth.opened("LastSeen"):
        part = memberships_of(user).filter(campaign__slug=slug).values_list("pk", "last_seen__at").first()
        if part is None:
            return
        member, at = cast("tuple[int, datetime | None]", part)
        now = clock.now()
        if at is not None and now - at < EVERY:
            return
        try:
            with transaction.atomic():
                _write(member, now=now, first=at is None)
        except DatabaseError as error:
            log.warning("it was not noted that a member was on the site: %s", type(error).__name__)


def _write(member: int, *, now: datetime, first: bool) -> None:
    if first:
        LastSeen.objects.bulk_create([LastSeen(member_id=member, at=now)], ignore_conflicts=True)
    else:
        LastSeen.objects.filter(member=member, at__lte=now - EVERY).update(at=now)
