"""A cache in files of what is slow to draw, so that a computer draws it once, whichever process asks.

A file is written whole or not at all and checked before it is used. All files may be deleted at any time.
"""

import fcntl
import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from errno import ENOSPC
from pathlib import Path
from shutil import disk_usage
from threading import get_ident
from typing import IO, TypeVar

import msgspec
from isal import isal_zlib

from campaign.engine.values.value import Value
from campaign.maps.drawing.edition import edition

log = logging.getLogger(__name__)

V = TypeVar("V", bound=Value)

_DIGEST = 32
"""Bytes before the content: SHA-256 over the file's name and content."""
_EFFORT = 1
ROOM = 200_000_000
"""Bytes to leave free on the disk: the last of it is for orders."""
_LOCK = "drawing"


class DiskCache:
    """Values by name, as files in a folder for each edition of the maps."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        """None: nothing is stored."""
        self._told = False
        """Whether the log already says that the folder cannot be written."""

    def fetch(self, name: str, kind: type[V], make: Callable[[], V]) -> V:
        """The value of a name, created and stored if missing.

        A new value is packed and unpacked too, so that stored and new values are alike.
        """
        found = self.get(name, kind)
        if found is None:
            written = msgspec.msgpack.encode(make())
            self._write(name, written)
            found = msgspec.msgpack.decode(written, type=kind)
        return found

    def get(self, name: str, kind: type[V]) -> V | None:
        """The stored value of a name. None if it is missing or cannot be used, which is logged."""
        path = self._path(name)
        if path is None:
            return None
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("%s cannot be read and will be drawn again: %s", path, error)
            return None
        found = _unpacked(name, content, kind)
        if found is None:
            log.warning("%s is damaged and will be drawn again", path)
        else:
            self.use(name)
        return found

    def use(self, name: str) -> bool:
        """Note that a stored value is in use. False if it is missing."""
        path = self._path(name)
        if path is None:
            return False
        try:
            os.utime(path)
        except FileNotFoundError:
            return False
        except OSError:  # it belongs to another user: `get` says whether it can be read
            return os.access(path, os.R_OK)
        return True

    def _write(self, name: str, written: bytes) -> None:
        path = self._path(name)
        if path is None:
            return
        packed = isal_zlib.compress(written, _EFFORT)
        draft = path.with_name(f".{name}.{os.getpid()}.{get_ident()}")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if disk_usage(path.parent).free < ROOM:
                raise OSError(ENOSPC, "the disk is nearly full", str(path.parent))
            draft.write_bytes(_digest(name, packed) + packed)
            draft.replace(path)
        except OSError as error:
            log.warning("%s cannot be written; each process that needs it draws it again: %s", path, error)
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def forget(self, before: datetime) -> int:
        """Delete what was not used since then, in all editions; returns the number of files."""
        gone = 0
        for path in list(self.folder.glob("*/*")) if self.folder else ():
            with suppress(FileNotFoundError):  # another process is tidying too
                if path.stat().st_mtime < before.timestamp():
                    path.unlink()
                    gone += 1
        for folder in list(self.folder.glob("*/")) if self.folder else ():
            with suppress(OSError):  # not empty
                folder.rmdir()
        return gone

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether no other process draws ahead for this cache. A process that dies leaves nothing locked."""
        lock = self._lock()
        if lock is None:
            yield False
            return
        with lock as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                mine = True
            except BlockingIOError:
                mine = False
            yield mine

    def _lock(self) -> IO[bytes] | None:
        """The file that the process which draws ahead locks. None if there can be none, which is logged once."""
        if self.folder is None:
            return None
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return (self.folder / _LOCK).open("wb")
        except OSError as error:
            if not self._told:
                log.warning("%s cannot be written, and nothing is drawn ahead: %s", self.folder, error)
            self._told = True
            return None

    def _path(self, name: str) -> Path | None:
        """The file of a name; None for no name, under which nothing is stored."""
        return self.folder / edition() / name if self.folder and name else None


DISK_CACHE = DiskCache()
"""The cache of this process. The settings name its folder."""


def _digest(name: str, packed: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + packed).digest()


def _unpacked(name: str, content: bytes, kind: type[V]) -> V | None:
    digest, packed = content[:_DIGEST], content[_DIGEST:]
    if digest != _digest(name, packed):
        return None
    try:
        return msgspec.msgpack.decode(isal_zlib.decompress(packed), type=kind)
    except (isal_zlib.error, msgspec.DecodeError):  # type: ignore[misc] # its stub has an instance
        return None
