"""Searches over a board that every ruleset uses: how far a budget leads, and the cheapest way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.board import Board
from campaign.engine.ids import PlaceId

Steps = Callable[[PlaceId], Iterable[tuple[PlaceId, int]]]
"""From a place: each neighbour that can be entered, and what entering it costs: a positive whole number."""
_Row = Sequence[tuple[int, int]]
"""The same in a board's numbers."""
_NOWHERE: frozenset[PlaceId] = frozenset()


class Costs:
    """What every step on a board costs. A place is asked after once, when a search first goes on from it."""

    __slots__ = ("_rows", "_steps", "board", "ends")

    def __init__(self, board: Board, steps: Steps) -> None:
        self.board = board
        self.ends: frozenset[int] = frozenset()
        """The numbers of the places in which every way ends, unless it begins there."""
        self._steps = steps
        self._rows: list[_Row | None] = [None] * len(board.by_number)

    def altered(self, steps: Steps, *, at: Iterable[PlaceId], ends: frozenset[PlaceId] = _NOWHERE) -> "Costs":
        """The same but for the steps on from some places. `ends`: places in which every way ends now."""
        costs = Costs(self.board, steps)
        costs.ends = frozenset(map(self.board.numbers.__getitem__, ends))
        costs._rows = self._rows.copy()
        for place in at:
            costs._rows[self.board.numbers[place]] = None
        return costs

    def worked_out(self) -> "Costs":
        """Every place asked after at once, for costs that others are made of."""
        for number in range(len(self._rows)):
            self.row(number)
        return self

    def row(self, number: int) -> _Row:
        """The steps on from the place of this number."""
        row = self._rows[number]
        if row is None:
            place, numbers = self.board.by_number[number], self.board.numbers
            row = () if place is None else tuple([(numbers[near], cost) for near, cost in self._steps(place)])
            self._rows[number] = row
        return row

    def settle(self, start: int, *, budget: int, avoid: Iterable[int], goal: int | None = None) -> "_Settled":
        """Dial's algorithm: one bucket a point of cost, so time grows with the places reached and not with the board.

        Whatever is avoided counts as reached for less than nothing, so that no way is an improvement.
        """
        rows, stopped, budget = self._rows, self.ends - {start}, max(budget, 0)
        best = [budget + 1] * len(rows)
        for number in avoid:
            best[number] = -1
        best[start] = 0
        came_from = [start] * len(rows)
        buckets: list[list[int]] = [[] for _ in range(budget + 1)]
        buckets[0].append(start)
        for spent in range(budget):
            if goal is not None and best[goal] <= spent:
                break
            for at in buckets[spent]:
                if best[at] != spent or at in stopped:
                    continue
                for near, cost in rows[at] or self.row(at):
                    arrival = spent + cost
                    if arrival < best[near]:
                        best[near], came_from[near] = arrival, at
                        buckets[arrival].append(near)
        return _Settled(best, came_from, buckets)


@dataclass(frozen=True, slots=True)
class _Settled:
    """A search that is over, in a board's numbers."""

    best: list[int]
    """The least cost to each place: more than the budget if it is not reached, less than 0 if it was avoided."""
    came_from: list[int]
    buckets: list[list[int]]
    """The places by what it cost to come there, also of those to which a cheaper way was found later."""


class Reach:
    """Where a budget leads from a start, and by which ways."""

    __slots__ = ("_board", "_settled", "_start", "costs")

    def __init__(self, board: Board, start: PlaceId, settled: _Settled) -> None:
        self._board, self._start, self._settled = board, start, settled
        self.costs: Mapping[PlaceId, int] = _costs(board, settled)
        """Every place reached with its least cost, the nearest first; the start itself at 0."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """A cheapest way to a place that is reached, as the places entered; none to the start."""
        return _way(self._board, self._settled, self._start, place)


def reach(costs: Costs, start: PlaceId, *, budget: int, avoid: Iterable[PlaceId] = ()) -> Reach:
    """How far a budget leads from a place, without entering what is to be avoided."""
    numbers = costs.board.numbers
    settled = costs.settle(numbers[start], budget=budget, avoid=map(numbers.__getitem__, avoid))
    return Reach(costs.board, start, settled)


def shortest_path(
    costs: Costs, start: PlaceId, goal: PlaceId, *, budget: int, avoid: Iterable[PlaceId] = ()
) -> tuple[PlaceId, ...] | None:
    """The cheapest way as the places entered, or None if the budget does not lead there."""
    numbers = costs.board.numbers
    avoided = map(numbers.__getitem__, avoid)
    settled = costs.settle(numbers[start], budget=budget, avoid=avoided, goal=numbers[goal])
    if not 0 <= settled.best[numbers[goal]] < len(settled.buckets):
        return None
    return _way(costs.board, settled, start, goal)


def _costs(board: Board, settled: _Settled) -> dict[PlaceId, int]:
    places, best = board.by_number, settled.best
    return {
        places[number]: spent  # type: ignore[misc] # only places have numbers that steps lead to
        for spent, bucket in enumerate(settled.buckets)
        for number in bucket
        if best[number] == spent
    }


def _way(board: Board, settled: _Settled, start: PlaceId, goal: PlaceId) -> tuple[PlaceId, ...]:
    way: list[PlaceId] = []
    place = goal
    while place != start:
        way.append(place)
        came_from = board.by_number[settled.came_from[board.numbers[place]]]
        assert came_from is not None, "steps lead from places to places"
        place = came_from
    return tuple(reversed(way))
