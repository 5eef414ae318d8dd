"""What became of a mail, noted in its row of the outbox.

A mail that went out and could not be noted would go out again. So a note that cannot be written is kept in memory, and
its process sends nothing more until it is written. And where the database is a file, one process sends at a time, and
only while the disk has room for notes: when that disk fills up, one mail at most is in doubt.
"""

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import disk_usage
from typing import Any

from django.db import DatabaseError, connection, transaction

from campaign.core.failpoints import fp
from campaign.models import OutboxMessage, OutboxState

log = logging.getLogger(__name__)

ROOM = 10_000_000
"""Bytes that must be free on the database's disk before a mail goes out. The health page complains much earlier."""


@dataclass(frozen=True)
class Note:
    """What became of one claim on a mail; void once another worker holds a higher fence."""

    pk: int
    fence: int
    values: dict[str, Any]
    """By column."""

    def write(self) -> bool:
        """Whether the claim was still good. Raises DatabaseError if it cannot be written."""
        with transaction.atomic(durable=True):
            claimed = OutboxMessage.objects.filter(pk=self.pk, state=OutboxState.SENDING, fence=self.fence)
            done = bool(claimed.update(**self.values))
            fp("outbox.before_mark")
        return done


_UNWRITTEN: list[Note] = []
"""The notes that this process could not write, oldest first. They go with the process."""


def note(row: OutboxMessage, *, state: OutboxState, **more: str | bool | datetime) -> bool:
    """Record the result for a claimed mail, unless another worker has claimed it since; returns whether it did.

    Raises DatabaseError if it cannot be written; `write_kept` tries again.
    """
    over = state in (OutboxState.SENT, OutboxState.DEAD)
    # A mail about an account may hold a sign-in code.
    forgotten = {"stored": b""} if over and row.campaign_id is None else {}
    result = Note(row.pk, row.fence, {"state": state, "lease_until": None, **forgotten, **more})
    try:
        return result.write()
    except DatabaseError:
        _UNWRITTEN.append(result)
        log.warning("what became of mail %s cannot be noted: no mail goes out until it is", row.pk)
        raise


def write_kept() -> None:
    """Write the notes that could not be written before. Raises DatabaseError if they still cannot."""
    while _UNWRITTEN:
        _UNWRITTEN[0].write()
        del _UNWRITTEN[0]


@contextmanager
def sending() -> Iterator[bool]:
    """Whether this process may send now. With a database server every process may send at any time."""
    database = _file()
    if database is None:
        yield True
        return
    with database.with_name(f"{database.name}-sending").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # freed when the process dies
        except BlockingIOError:
            yield False
        else:
            yield True


def has_room() -> bool:
    """Whether notes will find room on the disk. A database server's disk is not known here."""
    database = _file()
    return database is None or disk_usage(database.parent).free >= ROOM


def _file() -> Path | None:
    """The file of the database; None for a server, and for the memory of tests."""
    if connection.vendor != "sqlite" or connection.is_in_memory_db():  # type: ignore[attr-defined]
        return None
    return Path(connection.settings_dict["NAME"])
