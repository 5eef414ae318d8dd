"""Text for a fixed-width font: clean words, wrapped lines, tables in aligned columns."""

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from itertools import zip_longest

from campaign.reports.document import Table

INDENT = "  "
GAP = "  "

_NUMBER = re.compile(r"[-+−]?\d+(?:[.,]\d+)?\s?%?")
_NOTHING = {"", "-", "–", "—"}
_UNPRINTABLE = {"Cc", "Cs"}
_DIRECTION = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of writing: unclosed in a name, they would reverse the rest of a post."""


class Align(Enum):
    LEFT = "left"
    RIGHT = "right"


def clean(text: str) -> str:
    """One line of printable characters: white space becomes single spaces, control characters are removed."""
    if text.isprintable():  # the usual case: nothing to look for
        return " ".join(text.split())
    kept = (c for c in text if c.isspace() or not (c in _DIRECTION or unicodedata.category(c) in _UNPRINTABLE))
    return " ".join("".join(kept).split())


def display_width(text: str) -> int:
    """Columns in a fixed-width font: none for a combining mark, two for an East Asian wide character."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns, broken at spaces; only a word that fits no line is cut."""
    whole = " ".join(text.split())
    if display_width(whole) <= width:  # the usual case: nothing to break
        return [whole]
    lines = [""]
    for word in text.split():
        for piece in _pieces(word, width):
            if lines[-1] and display_width(lines[-1]) + 1 + display_width(piece) > width:
                lines.append(piece)
            else:
                lines[-1] = f"{lines[-1]} {piece}".lstrip()
    return lines


def hanging(text: str, *, mark: str, width: int) -> list[str]:
    """`text` wrapped to `width` columns after a mark such as `- `; further lines are aligned with the first."""
    first, *more = wrap(text, width - len(mark))
    return [mark + first, *(" " * len(mark) + line for line in more)]


def alignments(table: Table) -> tuple[Align, ...]:
    """The alignment of each column: numbers to the right, words to the left."""
    columns = ([clean(cell) for cell in column] for column in zip(*table.rows, strict=True))
    return tuple(Align.RIGHT if _are_numbers(column) else Align.LEFT for column in columns)


def table_lines(table: Table, width: int) -> list[str]:
    """The table in at most `width` columns: its title, then head and rows, aligned and indented.

    If it is too wide, the widest columns are narrowed and their cells wrapped.
    """
    rows = [[clean(cell) for cell in row] for row in (table.head, *table.rows) if row]
    widths = _widths(list(zip(*rows, strict=True)), room=width - len(INDENT))
    aligns = alignments(table)
    lines = [_row_lines(row, widths=widths, aligns=aligns) for row in rows]
    if table.head:
        lines.insert(1, [GAP.join("-" * column for column in widths)])
    title = clean(table.title)
    return [*(wrap(title, width) if title else ()), *(INDENT + line for row in lines for line in row)]


def _character_width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _pieces(word: str, width: int) -> Iterator[str]:
    if display_width(word) <= width:
        yield word
        return
    piece = ""
    for character in word:
        if piece and display_width(piece + character) > width:
            yield piece
            piece = ""
        piece += character
    yield piece


def _are_numbers(cells: list[str]) -> bool:
    written = [cell for cell in cells if cell not in _NOTHING]
    return bool(written) and all(map(_NUMBER.fullmatch, written))


def _widths(columns: list[tuple[str, ...]], *, room: int) -> list[int]:
    """The widths of the cells; if that is too wide, columns shrink to their longest words, then further."""
    natural = [max(map(display_width, column)) for column in columns]
    words = [max(map(display_width, " ".join(column).split()), default=0) for column in columns]
    room -= len(GAP) * (len(columns) - 1)
    return _narrowed(_narrowed(natural, least=words, room=room), least=[1] * len(columns), room=room)


def _narrowed(widths: list[int], *, least: list[int], room: int) -> list[int]:
    """The widths after narrowing the widest by one until they fit the room or reach their minimum."""
    narrowed = list(widths)
    while sum(narrowed) > room and (wide := [n for n, width in enumerate(narrowed) if width > least[n]]):
        narrowed[max(wide, key=narrowed.__getitem__)] -= 1
    return narrowed


def _row_lines(row: list[str], *, widths: list[int], aligns: tuple[Align, ...]) -> list[str]:
    cells = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines = zip_longest(*cells, fillvalue="")
    return [GAP.join(map(_padded, line, widths, aligns)).rstrip() for line in lines]


def _padded(text: str, width: int, align: Align) -> str:
    space = " " * (width - display_width(text))
    return space + text if align is Align.RIGHT else text + space
