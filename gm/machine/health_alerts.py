"""Health alerts: signs that the machinery runs but makes no progress."""

import hashlib
import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from campaign.engine.values.ids import PUBLIC
from campaign.mail.delivery import FIRST_PAUSE, quiet_until
from campaign.mail.messages import written_to
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import DeadlineKind, OutboxMessage, OutboxState, Phase, PhaseState, User
from campaign.secrecy import truth
from gm.machine.heartbeat import has_been_alive, is_silent
from gm.phases.lifecycle import LEASE
from incoming.ways import IMAP, polling

log = logging.getLogger(__name__)

HEALTH_ALERT = "canary"
"""The kind of mail that reports troubles."""
NO_WORKER = "no worker is alive"
LATE_LOCK = timedelta(seconds=120)
LATE_MAIL = timedelta(minutes=15)
ROOM = 50_000_000
"""Bytes that must be free on the data's disk. A full disk can receive no sheet."""


@dataclass(frozen=True)
class Trouble:
    """Something long overdue, or about to fail. It names no campaign."""

    what: str
    count: int | None = None
    """How many are affected; only for the site's operator."""

    def __str__(self) -> str:
        return self.what if self.count is None else f"{self.what}: {self.count}"


def troubles(now: datetime) -> list[Trouble]:
    """The troubles on the public health page, which show neither whose mail is late nor what a GM does.

    While no worker is alive it names that and not what waits, or it would say whether anything is due on the site.
    After a silence workers first get the time within which nothing counts as overdue.
    """
    if is_silent(now):
        return [Trouble(NO_WORKER), *_cramped()]
    return [*(_overdue(now) if has_been_alive(now, LATE_MAIL) else ()), *_cramped()]


def report(now: datetime) -> int:
    """Log all troubles, and mail them to the admins daily and when they change; returns how many."""
    found = [*_overdue(now), *_cramped(), *_unclaimed(now), *_failed(), *_refused(now), *_why_unread(now)]
    for trouble in found:
        log.error("overdue: %s", trouble)
    if found:
        _mail_admins(found, now)
    return len(found)


def _mail_admins(found: Sequence[Trouble], now: datetime) -> None:
    kinds = hashlib.sha256("\n".join(trouble.what for trouble in found).encode()).hexdigest()[:12]
    text = "\n".join(
        [*map(str, found), "", f"As of {now:%-d %B %Y, %H:%M} UTC. See the log, and {settings.SITE_URL}/healthz."]
    )
    for admin in User.objects.filter(is_superuser=True, is_active=True):
        key, subject = f"{HEALTH_ALERT}/{now:%Y-%m-%d}/{kinds}/{admin.pk}", "Fieldpost: something is overdue"
        with written_to(admin, PUBLIC):
            message = MailMessage(
                key=key, kind=HEALTH_ALERT, user=admin, to_addr=admin.email, subject=subject, text=text
            )
        enqueue(message)


def _overdue(now: datetime) -> Iterator[Trouble]:
    """What a live machinery would have done long ago."""
    yield from _unlocked(now)
    yield from _stuck(now)
    yield from _unsent(now)
    if _mailbox_trouble(now):
        yield Trouble("the mailbox of incoming mail is not read")


def _why_unread(now: datetime) -> Iterator[Trouble]:
    """What is wrong with the mailbox; it names servers and settings."""
    if why := _mailbox_trouble(now) or _mailbox_trouble(now, polling.not_put_away):
        yield Trouble(why)


def _mailbox_trouble(now: datetime, asked: Callable[[datetime], str] = polling.trouble) -> str:
    if settings.MAIL_IN != IMAP:
        return ""
    with truth.opened("Mailbox"):
        return asked(now)


def _unlocked(now: datetime) -> Iterator[Trouble]:
    due = Phase.objects.filter(state=PhaseState.OPEN, held=False, deadline_kind=DeadlineKind.CLOSES)
    if late := due.filter(deadline_at__lt=now - LATE_LOCK).count():
        yield Trouble("phases that are due and not locked", late)


def _stuck(now: datetime) -> Iterator[Trouble]:
    """Phases whose lease nobody renews: it ended a whole lease ago, and no worker has taken over since."""
    running = Phase.objects.filter(state=PhaseState.RUNNING, lease_until__lt=now - LEASE)
    if stuck := running.count():
        yield Trouble("phases that a worker has begun and not finished", stuck)


def _unclaimed(now: datetime) -> Iterator[Trouble]:
    """Phases that no worker claims, as when all workers are gone, or older than the release that wrote them."""
    waiting = Phase.objects.filter(state=PhaseState.LOCKED, locked_at__lt=now - 2 * LEASE, resolution=None)
    if unclaimed := waiting.count():
        yield Trouble("phases that are locked and that no worker has begun", unclaimed)


def _failed() -> Iterator[Trouble]:
    """Failed phases. Their GMs know already; but the operator reads the log, which says why."""
    if failed := Phase.objects.filter(state=PhaseState.FAILED).count():
        yield Trouble("phases that failed and will be tried again", failed)


def _unsent(now: datetime) -> Iterator[Trouble]:
    """Overdue mails, without those that wait for the end of quiet hours and those that the server refused.

    Its refusals of mail to the admins count.
    """
    late, soon = _late_mails(now), Q(next_at__lte=now + FIRST_PAUSE)
    with truth.opened("OutboxMessage"):
        late = late.filter(Q(refused=False) | Q(kind=HEALTH_ALERT))
        unsent = late.filter(soon).count()
        unsent += sum(
            quiet_until(row, now) is None for row in late.exclude(soon).select_related("user").defer("stored")
        )
    if unsent:
        yield Trouble("mails that are due and not sent", unsent)


def _refused(now: datetime) -> Iterator[Trouble]:
    """Refused mails. If mails due later went out after the first try, the fault is the reader's, and the GM sees it."""
    later = OutboxMessage.objects.filter(state=OutboxState.SENT, next_at__gte=OuterRef("first_try_at"))
    refused = _late_mails(now).filter(~Exists(later), refused=True).count()
    if refused:
        yield Trouble("mails that the mail server refuses", refused)


def _late_mails(now: datetime) -> QuerySet[OutboxMessage]:
    """Mails by their first try, as each failed one delays the next; or else by when they are due.

    Not by when they were written: one that waits for the end of somebody's quiet hours would show all night.
    """
    waiting = OutboxMessage.objects.filter(state__in=[OutboxState.WAITING, OutboxState.SENDING])
    return waiting.alias(since=Coalesce("first_try_at", "next_at")).filter(since__lt=now - LATE_MAIL)


def _cramped() -> Iterator[Trouble]:
    if shutil.disk_usage(settings.DATA_DIR).free < ROOM:
        yield Trouble("the disk is nearly full")
