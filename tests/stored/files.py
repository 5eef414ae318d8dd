"""A whole database as a file: a line for what it is, then each table with its columns and a line for each row.

The first line has the files of pictures too, which rows name.

Values are JSON. A column's kind says how to read one: bytes are base64, or text where they are text; times are ISO 8601
in UTC; durations are microseconds.
"""

import base64
import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "rows"

_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Table:
    """A table's columns, each with the kind of its values, and its rows."""

    columns: Mapping[str, str]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Stored:
    """All rows of a database at one schema."""

    schema: Mapping[str, str]
    """The last migration of each app."""
    secret_key: str
    """With which the seeds of its dice are sealed."""
    now: datetime
    """The time at which its story ends."""
    tables: Mapping[str, Table]
    pictures: Mapping[str, bytes]
    """Files by their path within the folder of pictures."""


def stored_files() -> list[Path]:
    """The files, the oldest schema first."""
    return sorted(FOLDER.glob("*.jsonl.xz"))


def pictures_in(folder: Path) -> dict[str, bytes]:
    """The files of pictures in a folder, by their path within it."""
    paths = sorted(path for path in folder.glob("??/*"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def put_pictures(pictures: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of pictures into a folder."""
    for name, content in pictures.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def file_for(schema: Mapping[str, str]) -> Path:
    """Where the rows of a schema are stored: it is named by the migrations of the apps that keep campaigns."""
    parts = (f"{app}-{schema[app].partition('_')[0]}" for app in ("campaign", "orders"))
    return FOLDER / f"{'-'.join(parts)}.jsonl.xz"


def write(path: Path, stored: Stored) -> None:
    """Store rows. The same rows give the same bytes."""
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in _lines(stored))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> Stored:
    """The rows of a file."""
    lines = map(json.loads, lzma.decompress(path.read_bytes()).decode().rstrip("\n").split("\n"))
    head = next(lines)
    tables = {each["table"]: _table(each, lines) for each in lines}
    pictures = {name: base64.b64decode(content) for name, content in head.get("pictures", {}).items()}
    return Stored(head["schema"], head["secret_key"], datetime.fromisoformat(head["now"]), tables, pictures)


def _lines(stored: Stored) -> Iterator[Any]:
    head = {"schema": dict(stored.schema), "secret_key": stored.secret_key, "now": stored.now.isoformat()}
    yield {**head, "pictures": {name: base64.b64encode(stored.pictures[name]).decode() for name in stored.pictures}}
    for name, table in sorted(stored.tables.items()):
        yield {"table": name, "columns": dict(table.columns), "rows": len(table.rows)}
        kinds = table.columns.values()
        for row in table.rows:
            yield [_written(kind, value) for kind, value in zip(kinds, row, strict=True)]


def _table(head: Mapping[str, Any], lines: Iterator[Any]) -> Table:
    kinds = head["columns"].values()
    rows = (_row(kinds, values) for values in islice(lines, head["rows"]))
    return Table(head["columns"], tuple(rows))


def _row(kinds: Iterable[str], values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(_read(kind, value) for kind, value in zip(kinds, values, strict=True))


def _written(kind: str, value: Any) -> Any:
    return value if value is None or kind not in _WRITE else _WRITE[kind](value)


def _read(kind: str, value: Any) -> Any:
    return value if value is None or kind not in _READ else _READ[kind](value)


def _bytes_written(value: bytes) -> Any:
    try:
        return {"text": value.decode()}
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


def _bytes_read(value: Any) -> bytes:
    text: str | None = value["text"] if isinstance(value, dict) else None
    return base64.b64decode(value) if text is None else text.encode()


_WRITE: Mapping[str, Callable[[Any], Any]] = {
    "bytes": _bytes_written,
    "datetime": lambda value: value.astimezone(UTC).isoformat(),
    "date": lambda value: value.isoformat(),
    "duration": lambda value: value // _MICROSECOND,
    "decimal": str,
}
_READ: Mapping[str, Callable[[Any], Any]] = {
    "bytes": _bytes_read,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "duration": lambda value: value * _MICROSECOND,
    "decimal": Decimal,
}
