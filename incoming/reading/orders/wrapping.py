"""Lines of orders that a mail program broke into several, put together again.

An order begins with its verb. A line continues the one before if that is so long that the next word had no room, and
if its first word can be no verb; or if a path is cut at one of its strokes.
"""

import re
from collections.abc import Sequence

from incoming.reading.text.lines import Line

SHORTEST_BROKEN = 66
"""Columns that a line has, with its next word, if a mail program broke it before that word; the usual limit is 72."""
LONGEST_BROKEN = 80
SHORTEST_CUT = 40
"""Columns of a line that is broken within a path."""

_WORD = re.compile(r"\S+")
_STROKE = re.compile(r"[-=>\u2010-\u2015\u2212\u2190-\u21ff]")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def unwrapped(rows: Sequence[Line]) -> list[str]:
    """The texts of these lines; those that belong together are one."""
    texts: list[str] = []
    before: Line | None = None
    for row in rows:
        glue = None if before is None else _glue(before, texts[-1], row)
        if glue is None:
            texts.append(row.text.rstrip())
        else:
            texts[-1] += glue + row.text.strip()
        before = row
    return texts


def _glue(before: Line, text: str, row: Line) -> str | None:
    """What was between two lines before they were broken; None if they are two."""
    first = _WORD.match(row.text.strip())
    if not before.width or not row.width or not text.strip() or first is None or first[0].startswith("#"):
        return None
    if before.width >= SHORTEST_CUT and (_STROKE.match(text[-1:]) or _STROKE.match(first[0])) and first[0][1:]:
        return ""
    room = before.width + 1 + len(first[0]) >= SHORTEST_BROKEN and before.width <= LONGEST_BROKEN
    return " " if room and not _is_verb(first[0], text) else None


def _is_verb(word: str, text: str) -> bool:
    """Whether a word may begin an order: it is of letters, and has a capital if the line before has its verb so."""
    if not _LETTERS.fullmatch(word):
        return False
    verb = _WORD.match(text.strip())
    return word[0].isupper() or verb is None or not verb[0].strip("#").isupper()
