"""The canary: what shows that the machinery has stopped, although nothing has broken."""

import logging
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef

from campaign import truth
from campaign.models import DeadlineKind, OutboxMessage, OutboxState, Phase, PhaseState, User
from campaign.outbox import Letter, post
from gm.lifecycle import LEASE

log = logging.getLogger(__name__)

LATE_LOCK = timedelta(seconds=120)
LATE_MAIL = timedelta(minutes=15)
ROOM = 50_000_000
"""Bytes that must be free where the data lies. On a full disk no sheet can be received."""


def troubles(now: datetime) -> list[str]:
    """What should have been done long ago, or will soon fail, for whoever runs the site. It names no campaign."""
    return [*_unlocked(now), *_stuck(now), *_failed(), *_unsent(now), *_cramped()]


def report(now: datetime) -> int:
    """Log what should have been done long ago, and mail it to the admins once a day; returns how much it is."""
    found = troubles(now)
    for trouble in found:
        log.error("overdue: %s", trouble)
    if found:
        _mail_admins(found, now)
    return len(found)


def _mail_admins(found: list[str], now: datetime) -> None:
    text = "\n".join([*found, "", f"As of {now:%-d %B %Y, %H:%M} UTC. See the log, and {settings.SITE_URL}/healthz."])
    for admin in User.objects.filter(is_superuser=True, is_active=True):
        key, subject = f"canary/{now:%Y-%m-%d}/{admin.pk}", "Fieldpost: something is overdue"
        post(Letter(key=key, kind="canary", user=admin, to_addr=admin.email, subject=subject, text=text))


def _unlocked(now: datetime) -> Iterator[str]:
    due = Phase.objects.filter(state=PhaseState.OPEN, held=False, deadline_kind=DeadlineKind.CLOSES)
    if late := due.filter(deadline_at__lt=now - LATE_LOCK).count():
        yield f"{late} due and not locked"


def _stuck(now: datetime) -> Iterator[str]:
    """A lease is renewed by nobody: one that ran out a whole lease ago has been waiting for a worker since."""
    running = Phase.objects.filter(state=PhaseState.RUNNING, lease_until__lt=now - LEASE)
    if stuck := running.count():
        yield f"{stuck} claimed and not finished"


def _failed() -> Iterator[str]:
    """Its GMs know already; but the log, which says why, is read by who runs the site."""
    if failed := Phase.objects.filter(state=PhaseState.FAILED).count():
        yield f"{failed} failed and to be tried again"


def _unsent(now: datetime) -> Iterator[str]:
    """By when a mail was written: each try that fails puts off the next.

    If mails went out that were due later than it was tried first, the trouble is its reader's, and the GM sees it.
    """
    waiting = OutboxMessage.objects.filter(state__in=[OutboxState.WAITING, OutboxState.SENDING])
    later = OutboxMessage.objects.filter(state=OutboxState.SENT, next_at__gte=OuterRef("first_try_at"))
    with truth.opened("OutboxMessage"):
        unsent = waiting.filter(~Exists(later), created_at__lt=now - LATE_MAIL).count()
    if unsent:
        yield f"{unsent} mails due and not sent"


def _cramped() -> Iterator[str]:
    if shutil.disk_usage(settings.DATA_DIR).free < ROOM:
        yield "the disk is nearly full"
