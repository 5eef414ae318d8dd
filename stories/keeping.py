"""Where pictures are kept: files in the data folder, named by their digests, written whole or not at all.

The rows of stories and of pictures of battle maps name them. A process that adds or deletes files holds the lock until
their rows are written. So no file goes that a row is about to name.
"""

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import reduce
from math import inf
from operator import or_
from pathlib import Path
from shutil import disk_usage
from typing import TypeVar

from django.conf import settings
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.db.models.lookups import Contains

from campaign.secrecy import truth
from stories.decoding import Made
from stories.models import SUFFIXES, MapPicture, Picture, Story

ROOM = 200_000_000
"""Bytes to leave free on the disk: the last of it is for orders."""
PATIENCE = 20.0
"""Seconds to wait for each lock."""
KEPT_UNNAMED = timedelta(hours=1)
"""How long a file stays that no row names."""
_Row = TypeVar("_Row", bound=Model)
_AT_ONCE = 100
"""Pictures for which one query asks."""


class Busy(Exception):
    """Others have held the lock for too long; nothing was stored."""


class Full(Exception):
    """The disk is nearly full; nothing was stored."""


@contextmanager
def alone() -> Iterator[Path]:
    """The folder, while no other process of this computer adds or deletes pictures; raises Busy."""
    with _locked("lock") as folder:
        yield folder


@contextmanager
def decoding_alone() -> Iterator[Path]:
    """The folder, while no other process of this computer decodes a picture, which takes much memory; raises Busy.

    Pictures are added and deleted meanwhile, however long it takes.
    """
    with _locked("decoding") as folder:
        yield folder


@contextmanager
def _locked(name: str) -> Iterator[Path]:
    folder = Path(settings.PICTURES)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / name).open("wb") as lock:
        _wait_for(lock.fileno())
        yield folder


def _wait_for(lock: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise Busy from None
            time.sleep(0.05)


def has_room() -> bool:
    """Whether the disk has room for pictures."""
    return disk_usage(settings.DATA_DIR).free >= ROOM


def keep(made: Made, token: str, *, folder: Path) -> Picture:
    """Store the files of a picture; raises Full."""
    try:
        digest, thumbnail = (_written(each, SUFFIXES[made.kind], folder) for each in (made.picture, made.thumbnail))
    except OSError as error:
        raise Full from error
    return Picture(token, made.kind, digest, thumbnail, made.width, made.height, len(made.picture))


def _written(content: bytes, suffix: str, folder: Path) -> str:
    """The digest under which a file is on the disk now, even if the power fails."""
    digest = hashlib.sha256(content).hexdigest()
    path = folder / digest[:2] / f"{digest}.{suffix}"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as draft:
        try:
            draft.write(content)
            draft.flush()
            os.fsync(draft.fileno())
            Path(draft.name).replace(path)
        except OSError:
            Path(draft.name).unlink(missing_ok=True)
            raise
    for written_in in (path.parent, folder):
        _sync(written_in)
    return digest


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# --- reading ---------------------------------------------------------------------------------------------------------


def paths_of(picture: Picture) -> tuple[Path, Path]:
    """The files of a picture and of its thumbnail."""
    folder, suffix = Path(settings.PICTURES), SUFFIXES[picture.kind]
    picture_file, thumbnail_file = (
        folder / digest[:2] / f"{digest}.{suffix}" for digest in (picture.digest, picture.thumbnail)
    )
    return picture_file, thumbnail_file


def damage(picture: Picture) -> str:
    """What is wrong with the files of a picture; empty if nothing is."""
    for path, digest in zip(paths_of(picture), (picture.digest, picture.thumbnail), strict=True):
        try:
            content = path.read_bytes()
        except OSError:
            return f"its file {path.name} is missing"
        if hashlib.sha256(content).hexdigest() != digest:
            return f"its file {path.name} was changed"
    return ""


# --- deleting --------------------------------------------------------------------------------------------------------


def sweep(now: datetime) -> int:
    """Delete the files that no row names, and what interrupted uploads have left; returns how many."""
    before = (now - KEPT_UNNAMED).timestamp()
    gone = _delete(Path(settings.FILE_UPLOAD_TEMP_DIR).glob("*"), before)
    with suppress(Busy), alone() as folder:  # the next sweep comes
        named = _named()
        gone += _delete((each for each in folder.glob("??/*") if each.name not in named), before)
    return gone


def delete(pictures: Collection[Picture]) -> None:
    """Delete the files of pictures at once, unless a row names them still."""
    with alone():
        delete_unnamed(pictures)


def delete_unnamed(pictures: Collection[Picture]) -> None:
    """The same, for who is alone already."""
    listed = list(pictures)
    named = {name for n in range(0, len(listed), _AT_ONCE) for name in _named(listed[n : n + _AT_ONCE])}
    unnamed = (path for picture in pictures for path in paths_of(picture) if path.name not in named)
    _delete(unnamed, inf)


def _named(among: Collection[Picture] | None = None) -> set[str]:
    """The names of all files that rows name; or of those at least which these pictures have too."""
    stories = Story.objects.exclude(stored_pictures=[]).only("stored_pictures")
    of_maps = MapPicture.objects.only("stored_picture")
    if among is not None:
        digests = {digest for each in among for digest in (each.digest, each.thumbnail)}
        stories, of_maps = _with_any(stories, "stored_pictures", digests), _with_any(of_maps, "stored_picture", digests)
    pictures = [picture for story in stories for picture in story.pictures]
    with truth.opened("MapPicture"):
        pictures += [row.picture for row in of_maps]
    return {path.name for picture in pictures for path in paths_of(picture)}


def _with_any(rows: QuerySet[_Row], field: str, digests: Collection[str]) -> QuerySet[_Row]:
    """The rows in whose field any of these digests is written."""
    written = Cast(field, TextField())
    return rows.filter(reduce(or_, (Q(Contains(written, digest)) for digest in sorted(digests))))


def _delete(paths: Iterable[Path], before: float) -> int:
    gone = 0
    for path in list(paths):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < before:
                path.unlink()
                gone += 1
    return gone
