"""Polling the mailbox: each mail for a reply address or return path is stored, then put away, then noted as read.

A process that dies between these steps leaves the mail to the next poll, which finds that it is stored already. Two
processes that poll at once do no harm either.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error as DatabaseTrouble
from django.db.models import Q

from campaign.core import clock
from incoming.addresses import takes
from incoming.models import Mailbox
from incoming.receiving import take
from incoming.ways.heads import is_from_nobody, recipients
from incoming.ways.mailbox import Folder, Head, MailUnavailable, Unreadable, opened
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
UNFILED_AT_ONCE = 100
"""How many mails one poll puts away that earlier polls could not."""
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
    except DatabaseTrouble:
        raise
    except Unreadable as why:
        _note_trouble(row, str(why), began)
        return 0
    except Exception as error:
        log.exception("the mailbox could not be read")
        _note_trouble(row, f"Reading it broke: {type(error).__name__}. The log says more.", began)
        return 0
    if not row.retries:
        answer_polls(asked, clock.now())
    earlier = Mailbox.objects.filter(Q(read_at=None) | Q(read_at__lt=began), pk=row.pk)
    earlier.update(read_at=began)
    _note_trouble(row, "", began)
    return done


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
    _put_away_later(folder, row)
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
                _put_away(folder, row, uid)
        row.uid = max(row.uid, uid)
        _save(row)
    return done


def _save(row: Mailbox) -> None:
    read = {"uid": row.uid, "retries": row.retries, "unfiled": row.unfiled, "unfiled_why": row.unfiled_why}
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


def _put_away(folder: Folder, row: Mailbox, uid: int) -> bool:
    """Mark or move a mail that is stored, or note that it is still to be done; whether it is done."""
    row.unfiled = [other for other in row.unfiled if other != uid]
    try:
        folder.put_away(uid, settings.MAIL_IN_MOVE_TO)
    except Unreadable as why:
        if row.unfiled_why != str(why):
            log.error("the mailbox of incoming mail: %s", why)
        row.unfiled, row.unfiled_why = [*row.unfiled, uid], str(why)
        return False
    if not row.unfiled:
        row.unfiled_why = ""
    return True


def _put_away_later(folder: Folder, row: Mailbox) -> None:
    """Try again to put away what could not be put away before, up to the first that still cannot, which then waits."""
    for uid in row.unfiled[:UNFILED_AT_ONCE]:
        if not _put_away(folder, row, uid):
            break
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
        return "Nothing has read the mailbox yet: `manage.py takemail` does."
    if row.tried_at < now - LATE:
        return "Nothing polls the mailbox: start `manage.py takemail`."
    if row.failing_since is not None and row.failing_since < now - LATE:
        return row.why
    unread = sum(tries >= TRIES_AT_ONCE for tries, _ in row.retries.values())
    if unread:
        return f"Mails in the mailbox that cannot be read: {unread}. The log says more."
    return f"Mails that were taken and not put away: {len(row.unfiled)}. {row.unfiled_why}" if row.unfiled else ""
