"""Hexes: coordinates, distance and shape of pointy-top maps whose rows carry letters and whose columns carry numbers.

Row A is the southernmost; every second row, A first, stands half a hex further east. An id is row and column: `Q19`.
Inside, a hex is a pair of axial coordinates (q to the east, r to the north-east), in which distance is simple
arithmetic.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import pairwise
from math import sqrt

from campaign.engine.board import Board
from campaign.engine.ids import PlaceId

_ID = re.compile(r"([A-Z])([1-9][0-9]?)")
_AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""East, north-east, north-west, west, south-west, south-east."""
_WIDTH = sqrt(3.0)

Axial = tuple[int, int]


def is_hex(text: str) -> bool:
    """Whether a word has the form of a hex id, on whatever map."""
    return _ID.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def axial(place: PlaceId) -> Axial:
    """Axial coordinates of a hex; raises ValueError for a word that is no hex id."""
    found = _ID.fullmatch(place)
    if found is None:
        raise ValueError(f"{place!r} is no hex id: a row letter and a column number, such as Q19")
    row, column = ord(found[1]) - ord("A"), int(found[2])
    return column - (row + 1) // 2, row


def distance(a: PlaceId, b: PlaceId) -> int:
    """Steps between two hexes on an unbounded map."""
    (aq, ar), (bq, br) = axial(a), axial(b)
    dq, dr = bq - aq, br - ar
    return max(abs(dq), abs(dr), abs(dq + dr))


def steps_around(places: Iterable[PlaceId], *, most: int) -> dict[Axial, int]:
    """Every hex at most so many steps from one of these places on an unbounded map, with the steps to the nearest."""
    found = dict.fromkeys(map(axial, places), 0)
    ring = list(found)
    for steps in range(1, most + 1):
        around = {(q + dq, r + dr) for q, r in ring for dq, dr in _AROUND}
        ring = [each for each in around if each not in found]
        found |= dict.fromkeys(ring, steps)
    return found


def hex_board(places: Iterable[PlaceId]) -> Board:
    """The board of these hexes: each adjoins those around it that are there, from the east anticlockwise."""
    by_axial = {axial(place): place for place in places}
    return Board(
        {
            place: tuple(by_axial[n] for dq, dr in _AROUND if (n := (q + dq, r + dr)) in by_axial)
            for (q, r), place in by_axial.items()
        },
        {by_axial[at]: number for at, number in row_numbers(by_axial).items()},
    )


def row_numbers(hexes: Collection[Axial]) -> dict[Axial, int]:
    """Numbers for hexes, by rows: each neighbour of a hex lies at one of six distances, the same everywhere.

    One number stays free between two rows, so that nothing is shifted from the end of one into the next.
    """
    ends: dict[int, tuple[int, int]] = {}
    for q, row in hexes:
        first, last = ends.get(row, (q, q))
        ends[row] = (min(first, q), max(last, q))
    pitch = 2 + max(0, 0, *(ends[row][1] - ends[above][0] for row, above in pairwise(sorted(ends))))
    lowest = min((row * pitch + first for row, (first, _) in ends.items()), default=0)
    return {(q, row): row * pitch + q - lowest for q, row in hexes}


def centre(place: PlaceId, *, top_row: str) -> tuple[float, float]:
    """The middle of a hex in map units (corner distance 1, x east, y south), `top_row` being the northernmost."""
    q, row = axial(place)
    column = q + (row + 1) // 2
    shift = 0.5 if row % 2 == 0 else 0.0
    return (column + shift) * _WIDTH, (ord(top_row) - ord("A") - row) * 1.5


def middles(places: Collection[PlaceId]) -> dict[PlaceId, tuple[float, float]]:
    """The middles of all hexes of a map in map units."""
    top = max(place[0] for place in places)
    return {place: centre(place, top_row=top) for place in places}


def corners(middle: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The six corners round a middle, in map units, from the top clockwise."""
    x, y = middle
    half = _WIDTH / 2
    return ((x, y - 1), (x + half, y - 0.5), (x + half, y + 0.5), (x, y + 1), (x - half, y + 0.5), (x - half, y - 0.5))
