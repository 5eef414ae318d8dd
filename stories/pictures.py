"""Pictures as they come from people: checked, then decoded and written again by a process with limits."""

import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Literal

import msgspec

from stories import decoding
from stories.decoding import DAMAGED, MOST_BYTES, Made, Unusable, kind_of

log = logging.getLogger(__name__)

DECODER = Path(decoding.__file__)
SECONDS = 20
"""How long the process may take by the clock."""


def remade(file: IO[bytes], *, folder: Path) -> Made:
    """The picture in a file, which has a place on the disk; raises Unusable. `folder` holds the answer meanwhile."""
    file.flush()
    size = os.fstat(file.fileno()).st_size
    if not size:
        raise Unusable("The file is empty", "Choose it again.")
    if size > MOST_BYTES:
        raise too_long(size)
    kind_of(os.pread(file.fileno(), 16, 0))
    with tempfile.TemporaryFile(dir=folder) as answer:
        _decode(file, answer)
        answer.seek(0)
        return _read(answer.read(decoding.OUTPUT))


def too_long(size: int) -> Unusable:
    """The refusal of a file of this size, in bytes."""
    return Unusable(
        f"The file has {size / 1024 / 1024:.1f} MB; {MOST_BYTES // 1024 // 1024} MB are the most",
        "Save it with a stronger compression, or make the picture smaller.",
    )


def _decode(file: IO[bytes], answer: IO[bytes]) -> None:
    """Let the process write its answer; raises Unusable if it does not end well."""
    os.lseek(file.fileno(), 0, os.SEEK_SET)  # the process reads from where the file's descriptor is
    try:
        done = subprocess.run(  # noqa: S603 - this project's own file
            [sys.executable, "-I", str(DECODER)],
            stdin=file.fileno(),
            stdout=answer.fileno(),
            stderr=subprocess.DEVNULL,
            env={},
            cwd=DECODER.parent,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _too_slow() from error
    if done.returncode in (-_KILLED, -_OUT_OF_TIME):
        raise _too_slow()
    if done.returncode:
        log.warning("a picture was refused: its decoder ended with %s", done.returncode)
        raise DAMAGED


_KILLED, _OUT_OF_TIME = 9, 24
"""The signals of a process whose time is over."""


def _too_slow() -> Unusable:
    return Unusable(
        f"The picture cannot be opened within {SECONDS} seconds, which is the limit",
        "Make it smaller, or save it again.",
    )


def _read(answer: bytes) -> Made:
    """What the process says. A hostile file may have made it say anything."""
    head, _, contents = answer.partition(b"\n")
    try:
        said = msgspec.json.decode(head, type=_Refused | _Head)
    except msgspec.DecodeError as error:
        raise DAMAGED from error
    if isinstance(said, _Refused):
        raise Unusable(said.what, said.cure)
    picture, thumbnail = contents[: said.picture], contents[said.picture :]
    if {kind_of(picture[:16]), kind_of(thumbnail[:16])} != {said.kind} or len(thumbnail) != said.thumbnail:
        raise DAMAGED
    return Made(said.kind, said.width, said.height, picture, thumbnail)


class _Refused(msgspec.Struct, tag="refused", forbid_unknown_fields=True):
    what: str
    cure: str


class _Head(msgspec.Struct, tag="made", forbid_unknown_fields=True):
    kind: Literal["jpeg", "webp"]
    width: int
    height: int
    picture: int
    thumbnail: int
