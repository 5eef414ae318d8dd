"""The canary: what shows that the machinery has stopped, although nothing has broken."""

import logging
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Trouble:
    """What should have been done long ago, or will soon fail. It names no campaign."""

    what: str
    count: int | None = None
    """Of how many; for whoever runs the site, and nobody else."""

    def __str__(self) -> str:
        return self.what if self.count is None else f"{self.what}: {self.count}"


def troubles(now: datetime) -> list[Trouble]:
    """Troubles of the machinery. That there are some may be known to all, as it tells nothing of anybody's mails."""
    return [*_unlocked(now), *_stuck(now), *_failed(), *_unsent(now), *_cramped()]


def report(now: datetime) -> int:
    """Log all troubles, and mail them to the admins once a day; returns how many there are."""
    found = [*map(str, [*troubles(now), *_refused(now)])]
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


def _unlocked(now: datetime) -> Iterator[Trouble]:
    due = Phase.objects.filter(state=PhaseState.OPEN, held=False, deadline_kind=DeadlineKind.CLOSES)
    if late := due.filter(deadline_at__lt=now - LATE_LOCK).count():
        yield Trouble("stops due and not locked", late)


def _stuck(now: datetime) -> Iterator[Trouble]:
    """A lease is renewed by nobody: one that ran out a whole lease ago has been waiting for a worker since."""
    running = Phase.objects.filter(state=PhaseState.RUNNING, lease_until__lt=now - LEASE)
    if stuck := running.count():
        yield Trouble("stops claimed and not finished", stuck)


def _failed() -> Iterator[Trouble]:
    """Its GMs know already; but the log, which says why, is read by who runs the site."""
    if failed := Phase.objects.filter(state=PhaseState.FAILED).count():
        yield Trouble("stops failed and to be tried again", failed)


def _unsent(now: datetime) -> Iterator[Trouble]:
    if unsent := _late_mails(now, refused=False):
        yield Trouble("mails due and not sent", unsent)


def _refused(now: datetime) -> Iterator[Trouble]:
    """Those that the server takes for nobody concern whoever runs the site; but who does not get his, concerns nobody
    else, so that the health page is silent on them."""
    if refused := _late_mails(now, refused=True):
        yield Trouble("mails refused by the mail server, and none taken since", refused)


def _late_mails(now: datetime, *, refused: bool) -> int:
    """By when a mail was written: each try that fails puts off the next.

    If mails went out that were due later than it was tried first, the trouble is its reader's, and the GM sees it.
    """
    waiting = OutboxMessage.objects.filter(state__in=[OutboxState.WAITING, OutboxState.SENDING], refused=refused)
    later = OutboxMessage.objects.filter(state=OutboxState.SENT, next_at__gte=OuterRef("first_try_at"))
    with truth.opened("OutboxMessage"):
        return waiting.filter(~Exists(later), created_at__lt=now - LATE_MAIL).count()


def _cramped() -> Iterator[Trouble]:
    if shutil.disk_usage(settings.DATA_DIR).free < ROOM:
        yield Trouble("the disk is nearly full")
