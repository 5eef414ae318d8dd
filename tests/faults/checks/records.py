"""Records from outside a site, to compare with it: lines of JSON that are on disk before they count."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WAITING = "waits for the others\n"
"""What a run prints when it is ready; it continues when it is sent a line."""

IN_DOUBT = "mails whose note could not be written"
"""A figure of a run."""

SHEETS = "FIELDPOST_TEST_SHEETS"
"""The variable with the folder of base maps that one run has drawn and the others need not draw."""


class Record:
    """A process's own file of lines."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.jsonl"

    def write(self, **line: object) -> None:
        """Add a line with the time; returns once it is on disk."""
        with self._path.open("ab", buffering=0) as file:
            file.write(json.dumps({"at": time.time(), **line}).encode() + b"\n")
            os.fsync(file.fileno())


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of all records whose names match, as `acks-*`; a last line that is cut off does not count."""
    return [json.loads(line) for path in sorted(folder.glob(f"{name}.jsonl")) for line in _whole_lines(path)]


def _whole_lines(path: Path) -> Iterator[bytes]:
    *whole, _cut_off = path.read_bytes().split(b"\n")
    yield from whole
