"""The one door for sheets, whatever road they come by.

A sheet that arrives in time is kept, faulty or not; its receipt is given only after it is safely stored.
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
from campaign.services import writers_of
from orders.models import HQ, Channel, Sheet


class TooLate(Exception):
    """The phase no longer takes sheets."""


class NotYours(Exception):
    """Who does not act in a phase sends no sheet for it."""


class KeyReused(Exception):
    """A submission key came again with something else; nothing was stored."""


class Outdated(Exception):
    """Somebody sent a newer version of this sheet meanwhile; nothing was stored."""

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


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A sheet on its way in."""

    phase_id: int
    side: str
    author: User
    text: str
    channel: Channel
    idem_key: str
    """The same key is the same submission: it is stored once and answered alike."""
    desk: str = HQ
    expected_version: int
    """The version its writer saw last, 0 for none."""
    ready: bool = False


def submit(
    submission: Submission,
    *,
    letter: Callable[[Sheet], MailMessage] | None = None,
    allowed: Callable[[], bool] | None = None,
) -> Receipt:
    """Store a sheet and return its receipt, or raise TooLate, NotYours, KeyReused or Outdated and store nothing.

    With `letter` its author gets the receipt by mail as well. `allowed` says whether he may send it, and is asked when
    nobody can change that any more before the sheet is stored.
    """
    submission = replace(submission, text=storable(submission.text))
    with transaction.atomic(durable=True):
        phase = Phase.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=submission.phase_id)
        now = clock.now()  # only now: whoever waited for the row must not be stamped with an earlier time
        known = phase.all_sheets.filter(side=submission.side, idem_key=_key(submission)).first()
        if known is not None:
            return _receipt(_require_same(known, submission))
        _require_open(phase, submission, now)
        if allowed is not None:
            memberships.lock(phase.campaign)
            if not allowed():
                raise NotYours
        sheet = _store(phase, submission, now)
        audit.record(phase.campaign, "submit", _subject(phase, sheet), at=now, rows=[sheet])
        if letter is not None:
            enqueue(letter(sheet))
        if sheet.ready:
            wake_workers(Job.PHASE, phase.pk)
        fp("submit.before_commit")
    fp("submit.after_commit")
    return _receipt(sheet)


def storable(text: str) -> str:
    """A text as every database can keep it: NUL and halves of surrogate pairs become replacement characters."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def sheet_digest(text: str, nonce_: str) -> str:
    """SHA-256 of a sheet's text and its nonce."""
    return hashlib.sha256(f"{text}\n{nonce_}".encode()).hexdigest()


def _key(submission: Submission) -> str:
    """The key within its side: whether the enemy has used the same one is nobody's to find out."""
    return hashlib.sha256(f"{submission.side}\n{submission.idem_key}".encode("utf-8", "replace")).hexdigest()


def _require_same(known: Sheet, submission: Submission) -> Sheet:
    stored = (known.side, known.desk, known.author_id, known.text, known.ready)
    if stored != (submission.side, submission.desk, submission.author.pk, submission.text, submission.ready):
        raise KeyReused
    return known


def _require_open(phase: Phase, submission: Submission, now: datetime) -> None:
    """A deadline that nags turns nobody away, and one that stands still has not passed."""
    closed = phase.deadline_kind == DeadlineKind.CLOSES and not phase.held and now >= phase.deadline_at
    if phase.state != PhaseState.OPEN or closed:
        raise TooLate
    if submission.side not in writers_of(phase):
        raise NotYours


def _store(phase: Phase, submission: Submission, now: datetime) -> Sheet:
    desk = phase.all_sheets.filter(side=submission.side, desk=submission.desk)
    newest = desk.order_by("-version").values_list("version", flat=True).first() or 0
    if newest != submission.expected_version:
        raise Outdated(newest)
    version = newest + 1
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
        received_at=now,
        idem_key=_key(submission),
    )


def _subject(phase: Phase, sheet: Sheet) -> dict[str, str | int]:
    return {
        "phase": phase.no,
        "rev": phase.rev,
        "side": sheet.side,
        "desk": sheet.desk,
        "version": sheet.version,
        "digest": sheet.digest,
    }


def _receipt(sheet: Sheet) -> Receipt:
    return Receipt(sheet.version, sheet.received_at, sheet.digest, sheet.ready)
