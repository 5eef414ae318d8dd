"""What is written down outside of a site, to be held against it: lines of JSON, on disk before they count."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WAITING = "waits for the others\n"
"""What a run says to whoever started it; it goes on when it is sent a line."""


class Record:
    """One process's own file of lines."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.jsonl"

    def write(self, **line: object) -> None:
        """Add a line with the time, and return once it is on disk."""
        with self._path.open("ab", buffering=0) as file:
            file.write(json.dumps({"at": time.time(), **line}).encode() + b"\n")
            os.fsync(file.fileno())


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of all records of this name and kind, as `acks-*`; a last line that was cut off was never on disk."""
    return [json.loads(line) for path in sorted(folder.glob(f"{name}.jsonl")) for line in _whole_lines(path)]


def _whole_lines(path: Path) -> Iterator[bytes]:
    *whole, _cut_off = path.read_bytes().split(b"\n")
    yield from whole
