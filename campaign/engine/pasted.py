"""A table that somebody pastes from a spreadsheet or a forum, line by line, and what is wrong with a line of it."""

import csv
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from campaign.engine.orders.lexicon import unprintable

MOST_LINES = 2_000
"""The most lines of a table, without empty ones and comments."""
MOST_CELLS = 40
"""The most cells of a line."""
LONGEST_CELL = 120
"""Characters of the longest cell."""
_SEPARATORS = ("\t", ";", ",")


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong with a line, and the fix."""

    line: int
    """From 1; 0: the whole."""
    message: str
    cure: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}. {self.cure}" if self.line else self.without_line

    @property
    def without_line(self) -> str:
        """For somebody who has not seen the line."""
        return f"{self.message[:1].upper()}{self.message[1:]}. {self.cure}"


@dataclass(frozen=True)
class PastedLine:
    """The cells of a line, without the spaces around them."""

    number: int
    cells: tuple[str, ...]


def pasted_lines(
    text: str, *, columns: Callable[[Sequence[str]], int], words: Collection[str]
) -> tuple[tuple[PastedLine, ...], tuple[Fault, ...]]:
    """The lines of a table that are neither empty nor comments, and the faults of those that cannot be read.

    Tabs, semicolons or commas are between the cells, whichever make the most columns of the heading. `columns` counts
    them in a line, and gives 0 for a line that is no heading. A line that begins with one of `words` is no part of the
    table, and has its own separator after that word.
    """
    own = re.compile(rf"\s*(?:{'|'.join(map(re.escape, words))})[ ]*([\t;,])", re.IGNORECASE)
    written, faults = list(_written(text)), list[Fault]()
    for number, _ in written[MOST_LINES : MOST_LINES + 1]:
        cure = "Delete the lines that are not needed."
        faults.append(Fault(number, f"the lines from here on are too many, as at most {MOST_LINES} are read", cure))
    written = written[:MOST_LINES]
    separator = _separator([line for _, line in written if not own.match(line)], columns)
    read = list[PastedLine]()
    for number, line in written:
        if not line.strip(f"{separator} \t"):
            continue
        if at := unprintable(line):
            faults.append(Fault(number, f"character {at} cannot be shown", "Delete it."))
            continue
        typed = own.match(line)
        try:
            cells = tuple(cell.strip() for cell in _cells(line, typed[1] if typed else separator))
        except csv.Error as error:
            faults.append(Fault(number, f"its cells cannot be told apart: {error}", "Correct the quotation marks."))
            continue
        if any(cells[MOST_CELLS:]):
            cure = "Delete those after the last column."
            faults.append(Fault(number, f"the line has more than {MOST_CELLS} cells", cure))
            continue
        read.append(PastedLine(number, cells[:MOST_CELLS]))
    return tuple(read), tuple(faults)


def spreadsheet(table: str) -> str:
    """A table as a file that spreadsheets open with its umlauts: they look for this mark."""
    return f"\ufeff{table}"


def _written(text: str) -> Iterator[tuple[int, str]]:
    """The lines with anything in them but a comment, by their numbers."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _separator(lines: Sequence[str], columns: Callable[[Sequence[str]], int]) -> str:
    """What is between the cells of the first heading; a comma if there is no heading."""
    for line in lines:
        count, separator = max((_columns(line, each, columns), each) for each in _SEPARATORS)
        if count:
            return separator
    return ","


def _columns(line: str, separator: str, columns: Callable[[Sequence[str]], int]) -> int:
    if separator not in line:
        return 0
    try:
        cells = _cells(line, separator)
    except csv.Error:
        return 0  # reading the line later says what is wrong with it
    return columns(cells[:MOST_CELLS])


def _cells(line: str, separator: str) -> list[str]:
    (cells,) = csv.reader([line], delimiter=separator, strict=True, skipinitialspace=True)
    return cells
