"""The room that is left on the paper: what is printed where, in pixels."""

from collections import defaultdict
from collections.abc import Sequence
from math import fsum

from campaign.maps.drawing.geometry import Box, overlap

Cell = tuple[int, int]


class Room:
    """The parts of the paper that are already printed on."""

    def __init__(self, limit: Box) -> None:
        self._limit = limit
        self._cells: dict[Cell, list[Box]] = defaultdict(list)

    def take(self, box: Box, *within: Box) -> None:
        """Take a box for print, and again the parts of it that nothing should cover."""
        for cell in cells_of(box):
            self._cells[cell] += (box, *within)

    def free(self, box: Box, *within: Box) -> None:
        """Give up a box that was taken, with the same parts."""
        for cell in cells_of(box):
            for each in (box, *within):
                self._cells[cell].remove(each)

    def around(self, box: Box) -> list[Box]:
        """The boxes of print that a box overlaps."""
        return [*self._met(box, cells_of(box))]

    def cost(self, box: Box) -> float:
        """How many square pixels of print a box would cover or have cut off."""
        cut_off = (box[2] - box[0]) * (box[3] - box[1]) - overlap(box, self._limit)
        return self.covered(box, cells_of(box)) + 2 * cut_off

    def covered(self, box: Box, cells: Sequence[Cell]) -> float:
        """How many square pixels of print a box would cover; `cells`: the cells that it touches."""
        met = self._met(box, cells)
        return fsum([overlap(box, other) for other in met]) if met else 0.0

    def _met(self, box: Box, cells: Sequence[Cell]) -> set[Box]:
        left, top, right, bottom = box
        met: set[Box] = set()
        for cell in cells:
            for other in self._cells.get(cell, ()):
                if other[0] < right and other[2] > left and other[1] < bottom and other[3] > top:
                    met.add(other)
        return met

    def best(self, boxes: Sequence[Box]) -> int:
        """The index of the box that costs least, the first of equals; the box is not taken."""
        costs = [round(self.cost(box), 3) for box in boxes]
        return costs.index(min(costs))


_CELL = 160


def cells_of(box: Box) -> list[Cell]:
    """The squares of the paper that a box touches."""
    left, top, right, bottom = box
    column, row, last, lowest = int(left // _CELL), int(top // _CELL), int(right // _CELL), int(bottom // _CELL)
    if column == last and row == lowest:
        return [(column, row)]
    return [(x, y) for x in range(column, last + 1) for y in range(row, lowest + 1)]
