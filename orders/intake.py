"""The one entry for sheets, whatever their channel.

A sheet that arrives in time is stored, faulty or not; its receipt is given only after it is safely stored.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import DeadlineKind, Phase, PhaseState, User
from campaign.people import memberships
from campaign.record import audit
from campaign.record.dice_keys import nonce
from campaign.services import takes_effect, writers_of
from orders.models import HQ, Channel, Sheet


class TooLate(Exception):
    """The phase no longer takes sheets."""


class NotYours(Exception):
    """The sender does not act in this phase, and can send no sheet for it."""


class KeyReused(Exception):
    """A submission key was used again with different content; nothing was stored."""


class Outdated(Exception):
    """Somebody submitted a newer version of this sheet meanwhile; nothing was stored."""

    def __init__(self, newest: int) -> None:
        super().__init__(f"version {newest} was submitted after you began")
        self.newest = newest


@dataclass(frozen=True)
class Receipt:
    """What a sender keeps: it proves later which orders counted."""

    version: int
    received_at: datetime
    digest: str
    ready: bool
    ready_at: datetime | None
    """When its READY takes effect; None: it is not READY."""
    for_side: bool
    """Whether it is READY for all desks of its side."""


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A sheet to be stored."""

    phase_id: int
    side: str
    author: User | None
    """None: a bot."""
    text: str
    channel: Channel
    idem_key: str
    """One key is one submission: it is stored once, and a repetition gets the same answer."""
    desk: str = HQ
    expected_version: int | None
    """The last version that its writer saw, 0 for none; None, by mail: whatever there was when it was received."""
    received_at: datetime | None = None
    """When a mail was received; None: now."""
    ready: bool = False
    for_side: bool = False
    """Whether HQ says READY for all desks of its side."""


def submit(
    submission: Submission,
    *,
    receipt_mail: Callable[[Sheet], MailMessage] | None = None,
    allowed: Callable[[], bool] | None = None,
    noted: Callable[[Sheet], None] | None = None,
) -> Receipt:
    """Store a sheet and return its receipt, or raise TooLate, NotYours, KeyReused or Outdated and store nothing.

    With `receipt_mail`, its author also gets the receipt by mail, unless they practise alone. `allowed` says whether
    they may send it, and is called when nobody can change that before the sheet is stored. `noted` keeps what else
    becomes true with it.
    """
    submission = replace(submission, text=storable(submission.text))
    with transaction.atomic(durable=True):
        phase = Phase.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=submission.phase_id)
        now = clock.now()  # only now: a request that waited for the row must not get an earlier time
        known = phase.all_sheets.filter(side=submission.side, idem_key=_key(submission)).first()
        if known is not None:
            return _receipt(_require_same(known, submission))
        received_at = submission.received_at or now
        _require_open(phase, submission, received_at)
        if allowed is not None:
            memberships.lock(phase.campaign)
            if not allowed():
                raise NotYours
        sheet = _store(phase, submission, received_at, now)
        audit.record(phase.campaign, "submit", _subject(phase, sheet), at=now, rows=[sheet])
        if receipt_mail is not None and not phase.campaign.practice:
            enqueue(receipt_mail(sheet))
        if noted is not None:
            noted(sheet)
        if sheet.ready and sheet.ready_at is None:
            wake_workers(Job.PHASE, phase.pk)
        fp("submit.before_commit")
    fp("submit.after_commit")
    return _receipt(sheet)


def storable(text: str) -> str:
    """A text as it is stored: lines end with LF, NUL and lone surrogates become replacement characters."""
    return (
        text.replace("\r\n", "\n").replace("\0", "\ufffd").encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    )


def sheet_digest(text: str, nonce_: str) -> str:
    """SHA-256 of a sheet's text and its nonce."""
    return hashlib.sha256(f"{text}\n{nonce_}".encode()).hexdigest()


def _key(submission: Submission) -> str:
    """The key within its side, so that nobody can find out which keys the enemy used."""
    return hashlib.sha256(f"{submission.side}\n{submission.idem_key}".encode("utf-8", "replace")).hexdigest()


def _require_same(known: Sheet, submission: Submission) -> Sheet:
    author = submission.author and submission.author.pk
    stored = (known.side, known.desk, known.author_id, known.text, known.ready, known.for_side)
    sent = (submission.side, submission.desk, author, submission.text, submission.ready, submission.for_side)
    if stored != sent:
        raise KeyReused
    return known


def takes_sheets(phase: Phase, at: datetime) -> bool:
    """Whether a phase takes sheets that were received at this time. A deadline that only reminds closes nothing."""
    closed = phase.deadline_kind == DeadlineKind.CLOSES and not phase.held and at >= phase.deadline_at
    return phase.state == PhaseState.OPEN and not closed


def _require_open(phase: Phase, submission: Submission, at: datetime) -> None:
    """Raise TooLate or NotYours unless the phase takes this sheet."""
    if not takes_sheets(phase, at):
        raise TooLate
    if submission.side not in writers_of(phase):
        raise NotYours


def _store(phase: Phase, submission: Submission, received_at: datetime, now: datetime) -> Sheet:
    """Store a sheet that was received then. A READY takes effect as if it had come now: it may be read late."""
    version = _newest(phase, submission, received_at) + 1
    salt = nonce(
        phase.campaign, phase=phase.no, rev=phase.rev, side=submission.side, desk=submission.desk, version=version
    )
    return Sheet.objects.create(
        phase=phase,
        side=submission.side,
        desk=submission.desk,
        version=version,
        author=submission.author,
        channel=submission.channel,
        text=submission.text,
        nonce=salt,
        digest=sheet_digest(submission.text, salt),
        ready=submission.ready,
        ready_at=_ready_at(phase, submission, now),
        for_side=submission.for_side,
        received_at=received_at,
        idem_key=_key(submission),
    )


def _newest(phase: Phase, submission: Submission, received_at: datetime) -> int:
    """The number of the version that this one follows, 0 for none. Raises Outdated if it must not replace that."""
    desk = phase.all_sheets.filter(side=submission.side, desk=submission.desk)
    newest, at = desk.order_by("-version").values_list("version", "received_at").first() or (0, received_at)
    seen = submission.expected_version
    if (at > received_at) if seen is None else (newest != seen):
        raise Outdated(newest)
    return newest


def _ready_at(phase: Phase, submission: Submission, now: datetime) -> datetime | None:
    """When a READY takes effect; a bot does not think again."""
    waits = submission.ready and submission.channel != Channel.BOT
    return takes_effect(phase.campaign, now) if waits else None


def _subject(phase: Phase, sheet: Sheet) -> dict[str, str | int]:
    return {
        "phase": phase.no,
        "rev": phase.rev,
        "side": sheet.side,
        "desk": sheet.desk,
        "version": sheet.version,
        "digest": sheet.digest,
    }


def effective_at(sheet: Sheet) -> datetime | None:
    """When the READY of a sheet takes effect, or did; None: it is not READY."""
    return (sheet.ready_at or sheet.received_at) if sheet.ready else None


def _receipt(sheet: Sheet) -> Receipt:
    return Receipt(sheet.version, sheet.received_at, sheet.digest, sheet.ready, effective_at(sheet), sheet.for_side)
