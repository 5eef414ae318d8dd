"""Hexes: numbering, coordinates, distance and shape.

The id of a hex is made of its row and its column by the map's numbering: `Q19`, `c05r01`, `0501`. Internally a hex is
a pair of axial coordinates (q to the east, r to the north-east, or to the north if hexes are in columns), in which
distance is simple arithmetic.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from itertools import pairwise
from math import sqrt
from typing import Literal

from campaign.engine.board.board import Board
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value

_AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""East, north-east, north-west, west, south-west, south-east; in columns each 30 degrees further anticlockwise."""
_WIDTH = sqrt(3.0)

Axial = tuple[int, int]


# --- numbering -------------------------------------------------------------------------------------------------------


class Shift(Enum):
    """Which rows are half a hex further east, or which columns half a hex further in the direction of the rows."""

    EVEN_ROWS = "even rows"
    ODD_ROWS = "odd rows"
    EVEN_COLUMNS = "even columns"
    ODD_COLUMNS = "odd columns"


class Numbering(Value, frozen=True):
    """How the ids of a map's hexes are made. Rows and columns are even or odd by their number; row A is number 0."""

    pattern: str = "{row:A}{column}"
    """The parts `{row}` and `{column}` among letters and digits: `{row:A}` is a letter, `{row:02}` a number of two
    digits, `{row}` one without a zero before it."""
    first_row: Literal["south", "north"] = "south"
    """Where rows begin; columns begin in the west."""
    shifted: Shift = Shift.EVEN_ROWS

    def __post_init__(self) -> None:
        _reader(self.pattern)

    def reads(self, text: str) -> bool:
        """Whether a word has the form of an id."""
        return _reader(self.pattern).fullmatch(text) is not None

    def row_of(self, place: PlaceId) -> str:
        """The row as the id has it; raises ValueError for a word that is no id."""
        return self._found(place)["row"]

    def column_of(self, place: PlaceId) -> str:
        """The same of the column."""
        return self._found(place)["column"]

    def number_of_column(self, place: PlaceId) -> int:
        """The number of the column, counted eastwards."""
        return _number(self.column_of(place))

    def written(self, row: int, column: int) -> PlaceId:
        """The id of the hex in this row and column."""
        numbers = {"row": row, "column": column}
        return PlaceId(_PART.sub(lambda part: _written(numbers[part["name"]], part["form"]), self.pattern))

    @property
    def in_columns(self) -> bool:
        """Whether hexes are in straight columns, with flat tops; otherwise in straight rows, with pointed tops."""
        return self.shifted in (Shift.EVEN_COLUMNS, Shift.ODD_COLUMNS)

    def axial(self, place: PlaceId) -> Axial:
        """Axial coordinates of a hex; raises ValueError for a word that is no id."""
        row, column = _number(self.row_of(place)), self.number_of_column(place)
        north = 1 if self.first_row == "south" else -1
        shifted = int((column if self.in_columns else row) % 2 != self._even)
        if self.in_columns:
            return column, (north * (2 * row + shifted) - column - self._even) // 2
        return (2 * column + shifted - north * row - self._even) // 2, north * row

    def middle(self, at: Axial) -> tuple[float, float]:
        """The middle of a hex in map units (corner distance 1, x east, y north)."""
        q, r = at
        if self.in_columns:
            return q * 1.5, (r + (q + self._even) / 2) * _WIDTH
        return (q + (r + self._even) / 2) * _WIDTH, r * 1.5

    @property
    def _even(self) -> int:
        return int(self.shifted in (Shift.EVEN_ROWS, Shift.EVEN_COLUMNS))

    def _found(self, place: PlaceId) -> re.Match[str]:
        found = _reader(self.pattern).fullmatch(place)
        if found is None:
            raise ValueError(f"{place!r} is not a hex id; ids of this map look like {self.written(16, 19)}")
        return found


_PART = re.compile(r"\{(?P<name>row|column)(?::(?P<form>A|0[23]))?\}")
_FORMS = {"A": "[A-Z]", "02": "[0-9]{2}", "03": "[0-9]{3}", None: "[1-9][0-9]?"}


@lru_cache(maxsize=64)
def _reader(pattern: str) -> re.Pattern[str]:
    """What ids of this pattern look like; raises ValueError for one from which row and column cannot be read."""
    parts = sorted(part["name"] for part in _PART.finditer(pattern))
    if parts != ["column", "row"] or not re.fullmatch("[A-Za-z0-9]*", _PART.sub("", pattern)):
        raise ValueError(
            f"the pattern {pattern!r} must have {{row}} and {{column}} once each, with letters and digits around them"
        )
    if re.search(r"\{(row|column)\}\{(row|column)\}", pattern):
        raise ValueError(f"by the pattern {pattern!r} row and column cannot be told apart; write {{row:02}}")
    return re.compile(_PART.sub(lambda part: f"(?P<{part['name']}>{_FORMS[part['form']]})", pattern))


def _number(text: str) -> int:
    return int(text) if text.isdigit() else ord(text) - ord("A")


def _written(number: int, form: str | None) -> str:
    return chr(ord("A") + number) if form == "A" else format(number, form or "")


# --- the hexes of a map ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Grid:
    """The hexes of a map with their coordinates. Equal only to itself, so that caches can use it as a key."""

    numbering: Numbering
    coordinates: Mapping[PlaceId, Axial]

    @classmethod
    def of(cls, places: Iterable[PlaceId], numbering: Numbering | None = None) -> "Grid":
        """The grid of these hexes; raises ValueError for a word that is no id."""
        numbers = numbering or Numbering()
        return cls(numbers, {place: numbers.axial(place) for place in places})

    def distance(self, a: PlaceId, b: PlaceId) -> int:
        """Steps between two hexes, as if the map had no edge."""
        return steps_between(self.coordinates[a], self.coordinates[b])

    def steps_around(self, places: Iterable[PlaceId], *, most: int) -> dict[Axial, int]:
        """The hexes at most `most` steps from these places, on or off the map, with the steps to the nearest."""
        found = dict.fromkeys((self.coordinates[place] for place in places), 0)
        ring = list(found)
        for steps in range(1, most + 1):
            around = {(q + dq, r + dr) for q, r in ring for dq, dr in _AROUND}
            ring = [each for each in around if each not in found]
            found |= dict.fromkeys(ring, steps)
        return found

    def board(self) -> Board:
        """The board of these hexes: the neighbours of each that exist, from the east anticlockwise."""
        by_axial = {at: place for place, at in self.coordinates.items()}
        return Board(
            {
                place: tuple(by_axial[n] for dq, dr in _AROUND if (n := (q + dq, r + dr)) in by_axial)
                for (q, r), place in by_axial.items()
            },
            {by_axial[at]: number for at, number in row_numbers(by_axial).items()},
        )

    @cached_property
    def middles(self) -> Mapping[PlaceId, tuple[float, float]]:
        """The middles of all hexes in map units (corner distance 1, x east, y south of the northernmost)."""
        found = {place: self.numbering.middle(at) for place, at in self.coordinates.items()}
        top = max(north for _, north in found.values())
        return {place: (east, top - north) for place, (east, north) in found.items()}

    def outline(self, place: PlaceId) -> tuple[tuple[float, float], ...]:
        """The six corners of a hex in map units, clockwise from the top, or from the right in columns."""
        x, y = middle = self.middles[place]
        if not self.numbering.in_columns:
            return corners(middle)
        return tuple((x - dy, y + dx) for dx, dy in ((px - x, py - y) for px, py in corners(middle)))


def steps_between(a: Axial, b: Axial) -> int:
    """Steps between two hexes."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def row_numbers(hexes: Collection[Axial]) -> dict[Axial, int]:
    """Numbers for hexes, by rows, so that neighbours are always at one of six distances.

    One number is free between two rows, so that no shift leads from the end of one into the next.
    """
    ends: dict[int, tuple[int, int]] = {}
    for q, row in hexes:
        first, last = ends.get(row, (q, q))
        ends[row] = (min(first, q), max(last, q))
    pitch = 2 + max(0, 0, *(ends[row][1] - ends[above][0] for row, above in pairwise(sorted(ends))))
    lowest = min((row * pitch + first for row, (first, _) in ends.items()), default=0)
    return {(q, row): row * pitch + q - lowest for q, row in hexes}


def corners(middle: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The six corners round a middle, in map units, from the top clockwise."""
    x, y = middle
    half = _WIDTH / 2
    return ((x, y - 1), (x + half, y - 0.5), (x + half, y + 0.5), (x, y + 1), (x - half, y + 0.5), (x - half, y - 0.5))
