"""A text as lines with their quotation: quote marks are counted and taken off, soft line breaks are joined."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

MOST_LINES = 4_000
LONGEST_LINE = 4_000

INVISIBLE = re.compile(r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0e-\x1f\x7f]")
"""Characters without a width: joiners, marks of direction, soft hyphens, controls."""
_QUOTED = re.compile(r"[ \t]{0,3}(?:[A-Za-z]{1,3}(?=>))?((?:[>|\uff1e\u203a\u00bb][ \t\u00a0]?)+)")
"""Quote marks at the start of a line, also behind somebody's initials."""
_MARK = re.compile(r"[>|\uff1e\u203a\u00bb]")
_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
SIGNATURE = "--"


@dataclass(frozen=True)
class Line:
    """A line without its quote marks."""

    text: str
    depth: int = 0
    """How many quote marks were before it."""
    width: int = 0
    """Its columns in the mail, with the quote marks; 0 where the mail says where its lines end."""


class Text(NamedTuple):
    """The lines of a mail, and whether some were left out because there are too many."""

    lines: tuple[Line, ...]
    whole: bool = True


def split(text: str) -> Iterator[str]:
    """The lines of a text, at whatever its writer's program ends them with."""
    start = 0
    for found in _BREAK.finditer(text):
        yield text[start : found.start()]
        start = found.end()
    yield text[start:]


def unquote(row: str, *, depth: int = 0) -> Line:
    """A line without quote marks, which count in addition to those that it already has."""
    found = _QUOTED.match(row)
    if found is None:
        return Line(row, depth)
    return Line(row[found.end() :], depth + len(_MARK.findall(found[1])))


def plain(text: str) -> Iterator[Line]:
    """The lines of a text whose breaks may be the mail program's."""
    for row in split(text):
        yield replace(unquote(INVISIBLE.sub("", row)), width=len(row))


def flowed(text: str, *, delete_space: bool) -> Iterator[Line]:
    """The lines of a text in which a space before a break says that the line continues (RFC 3676)."""
    parts: list[str] = []
    depth = 0
    for row in split(text):
        marks = len(row) - len(row.lstrip(">"))
        content = row[marks:].removeprefix(" ")
        if parts and (marks != depth or content.rstrip() == SIGNATURE):
            yield _joined(parts, depth)
            parts = []
        depth = marks
        soft = content.endswith(" ") and content.rstrip() != SIGNATURE
        parts.append(content[:-1] if soft and delete_space else content)
        if not soft:
            yield _joined(parts, depth)
            parts = []
    if parts:
        yield _joined(parts, depth)


def _joined(parts: list[str], depth: int) -> Line:
    return unquote(INVISIBLE.sub("", "".join(parts)), depth=depth)


def limited(lines: Iterable[Line]) -> Text:
    """As many of the lines as we read, each as long as we read it."""
    kept: list[Line] = []
    whole = True
    for line in lines:
        if len(kept) == MOST_LINES:
            return Text(tuple(kept), whole=False)
        whole = whole and len(line.text) <= LONGEST_LINE
        kept.append(line if len(line.text) <= LONGEST_LINE else replace(line, text=line.text[:LONGEST_LINE]))
    return Text(tuple(kept), whole)
