"""Polling the mailbox: each mail for an address of ours is stored, then noted as read; last of all, mails are put away.

A process that dies between these steps leaves the mail to the next poll, which finds that it is stored already. Two
processes that poll at once do no harm either.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from imaplib import IMAP4

from django.conf import settings
from django.db import Error as DatabaseTrouble
from django.db.models import Q

from campaign.core import clock
from incoming.addresses import takes
from incoming.models import LastPoll, Mailbox
from incoming.receiving import take
from incoming.ways.heads import is_from_nobody, recipients
from incoming.ways.mailbox import Folder, Head, MailUnavailable, Unreadable, in_words, opened
from incoming.ways.mailbox_url import source
from incoming.ways.waiting import answer_polls, polls_asked_for

log = logging.getLogger(__name__)

AT_A_LOCK = timedelta(seconds=2)
"""The shortest pause between polls while a phase waits for one."""
LONGEST_PAUSE = timedelta(minutes=5)
"""Between polls of a mailbox that cannot be read."""
LATE = timedelta(minutes=15)
"""After how long the administrator is told that the mailbox is not read."""
TRIES_AT_ONCE = 3
"""How often a mail is tried that cannot be read before there are pauses, which double."""
FIRST_BREAK, LONGEST_BREAK = timedelta(minutes=2), timedelta(hours=6)
UNFILED_AT_ONCE, MOST_UNFILED = 100, 1000
"""How many mails one poll puts away, and how many may wait for it: of more, the oldest stay where they are."""
MOST_TRIES = 30
"""How often a mail is tried: for five days."""


def poll_if_due() -> int:
    """Read the mailbox if it is time; returns how many mails were stored."""
    return poll() if is_due(clock.now()) else 0


def is_due(now: datetime) -> bool:
    """Whether to read the mailbox: after the usual pause, longer while it fails, and at once for a phase that waits."""
    row = mailbox()
    if row.tried_at is None:
        return True
    if polls_asked_for().exists():
        return now >= row.tried_at + AT_A_LOCK
    pause = timedelta(seconds=settings.MAIL_IN_EVERY)
    if row.failing_since is not None:
        pause = max(pause, min(row.tried_at - row.failing_since, LONGEST_PAUSE))
    return now >= row.tried_at + pause


def mailbox() -> Mailbox:
    """How far the mailbox is read that the settings name."""
    return Mailbox.objects.get_or_create(name=source().name)[0]


def poll() -> int:
    """Read all mails that are new in the mailbox; returns how many were stored. Trouble with it is noted and logged.

    The database's troubles are raised, and leave the mails in the mailbox.
    """
    row, began = mailbox(), clock.now()
    Mailbox.objects.filter(pk=row.pk).update(tried_at=began)
    try:
        with opened(source()) as folder:
            asked = list(polls_asked_for())  # only now: the folder that is open has every mail that came before
            done = _read(folder, row)
            _note_read(row, asked, began)
            _put_away(folder, row)
    except DatabaseTrouble:
        raise
    except Unreadable as why:
        _note_trouble(row, str(why), began)
        return 0
    except Exception as error:
        log.exception("the mailbox could not be read")
        _note_trouble(row, f"Reading it broke: {type(error).__name__}. The log says more.", began)
        return 0
    return done


def _note_read(row: Mailbox, asked: Collection[LastPoll], began: datetime) -> None:
    """Note that a poll has read everything, and answer the locks that wait for it unless a mail is still to be read."""
    if not row.retries:
        answer_polls(asked, clock.now())
    earlier = Mailbox.objects.filter(Q(read_at=None) | Q(read_at__lt=began), pk=row.pk)
    earlier.update(read_at=began)
    _note_trouble(row, "", began)


def _note_trouble(row: Mailbox, why: str, now: datetime) -> None:
    """Note what is wrong with the mailbox, or that nothing is. The log says it once."""
    here = Mailbox.objects.filter(pk=row.pk)
    if not why:
        here.update(failing_since=None, why="")
        return
    if why != row.why:
        log.error("the mailbox of incoming mail: %s", why)
    here.update(why=why[:300])
    here.filter(failing_since=None).update(failing_since=now)


# --- one reading -----------------------------------------------------------------------------------------------------


def _read(folder: Folder, row: Mailbox) -> int:
    """Read what is new in a folder; how many mails were stored."""
    if row.validity != folder.validity:
        row.validity, row.uid, row.retries, row.unfiled = folder.validity, 0, {}, []
        Mailbox.objects.filter(pk=row.pk).update(validity=row.validity, uid=0, retries={}, unfiled=[])
    _give_up(row)
    done = 0
    new = [uid for uid in folder.uids_after(row.uid) if str(uid) not in row.retries]
    for uid in [*new, *_due_retries(row)]:  # those last: reading them may end the conversation
        _count(row, uid)
        try:
            stored = _take(folder, uid)
        except MailUnavailable as error:
            log.warning("%s could not be read; it is tried again", error, exc_info=error)
        else:
            row.retries.pop(str(uid), None)
            if stored:
                done += 1
                row.unfiled = [*row.unfiled, uid][-MOST_UNFILED:]
        row.uid = max(row.uid, uid)
        _save(row)
    return done


def _save(row: Mailbox) -> None:
    names = ("uid", "retries", "unfiled", "unfiled_why", "unfiled_since")
    read = {name: getattr(row, name) for name in names}
    Mailbox.objects.filter(pk=row.pk, validity=row.validity).update(**read)


def _take(folder: Folder, uid: int) -> bool:
    """Store a mail if it is for an address of ours; whether it is. Raises MailUnavailable if reading it breaks."""
    head = folder.head(uid)
    ours = recipients(head.headers) if head else []
    if head is None or not ours or not takes(ours):
        return False
    whole = folder.whole(head)
    return whole is not None and _store(head, whole, ours)


def _store(head: Head, whole: bytes, ours: list[str]) -> bool:
    try:
        nobody = is_from_nobody(head.headers)
        return take(whole, ours, from_nobody=nobody, too_large=head.is_too_large, at=head.at)
    except DatabaseTrouble:
        raise
    except Exception as error:
        raise MailUnavailable(f"mail {head.uid} of the mailbox") from error


# --- mails that are stored -------------------------------------------------------------------------------------------


def _put_away(folder: Folder, row: Mailbox) -> None:
    """Mark or move mails that are stored, up to the first for which that fails: it is tried again after the others."""
    for uid in row.unfiled[:UNFILED_AT_ONCE]:
        try:
            folder.put_away(uid, settings.MAIL_IN_MOVE_TO)
        except (Unreadable, IMAP4.error, OSError) as error:
            _note_unfiled(row, uid, str(error) if isinstance(error, Unreadable) else in_words(error, source()))
            return
        row.unfiled = [each for each in row.unfiled if each != uid]
        _save(row)
    if row.unfiled_why:
        row.unfiled_why, row.unfiled_since = "", None
        _save(row)


def _note_unfiled(row: Mailbox, uid: int, why: str) -> None:
    """Note why a mail could not be marked or moved. The log says it once."""
    if row.unfiled_why != why[:300]:
        log.error("the mailbox of incoming mail: %s", why)
    row.unfiled, row.unfiled_why = [*(each for each in row.unfiled if each != uid), uid], why[:300]
    row.unfiled_since = row.unfiled_since or clock.now()
    _save(row)


# --- mails that cannot be read ---------------------------------------------------------------------------------------


def _count(row: Mailbox, uid: int) -> None:
    """Count a try before it is made: a mail with which the server ends the conversation must not end every poll."""
    tries = row.retries.get(str(uid), (0,))[0] + 1
    pause = timedelta(0)
    if tries >= TRIES_AT_ONCE:
        pause = min(FIRST_BREAK * 2 ** (tries - TRIES_AT_ONCE), LONGEST_BREAK)
    row.retries[str(uid)] = [tries, (clock.now() + pause).isoformat()]
    _save(row)


def _due_retries(row: Mailbox) -> list[int]:
    now = clock.now()
    return sorted(int(uid) for uid, (_, at) in row.retries.items() if datetime.fromisoformat(at) <= now)


def _give_up(row: Mailbox) -> None:
    """Forget mails that were tried often enough. They stay in the mailbox as they are."""
    for uid in [uid for uid, (tries, _) in row.retries.items() if tries >= MOST_TRIES]:
        del row.retries[uid]
        row.uid = max(row.uid, int(uid))
        log.error("mail %s of the mailbox could not be read in %s tries; it stays there, unread", uid, MOST_TRIES)
    _save(row)


# --- what is wrong ---------------------------------------------------------------------------------------------------


def trouble(now: datetime) -> str:
    """What keeps mail from being read for a while already, for the administrator; empty if nothing does."""
    try:
        row = Mailbox.objects.filter(name=source().name).first()
    except ValueError as error:
        return str(error)
    if row is None or row.tried_at is None:
        return "The mailbox has not been read yet: start `manage.py takemail`."
    if row.tried_at < now - LATE:
        return "Nothing polls the mailbox: start `manage.py takemail`."
    if row.failing_since is not None and row.failing_since < now - LATE:
        return row.why
    unread = sum(tries >= TRIES_AT_ONCE for tries, _ in row.retries.values())
    return f"Mails in the mailbox that cannot be read: {unread}. The log says more." if unread else ""


def not_put_away(now: datetime) -> str:
    """Why mails that were taken lie where they came for a while already, for the administrator; empty if none do."""
    row = mailbox()
    if row.unfiled_since is None or row.unfiled_since > now - LATE:
        return ""
    return f"Mails that were taken and not marked or moved: {len(row.unfiled)}. {row.unfiled_why}"
