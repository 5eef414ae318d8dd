"""Searches over a board that every ruleset uses: how far a budget leads, and the cheapest way."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain

from campaign.engine.board import Board
from campaign.engine.ids import PlaceId

Steps = Callable[[PlaceId], Iterable[tuple[PlaceId, int]]]
"""From a place: each neighbour that can be entered, and what entering it costs: a positive whole number."""
_Row = Sequence[tuple[int, int]]
"""The same in a board's numbers."""
_NOWHERE: frozenset[PlaceId] = frozenset()
_CLOSED = -1
"""What a place counts as reached for that is not to be entered: no way is ever cheaper."""


class Costs:
    """What every step on a board costs. A place is asked after once, when a search first goes on from it."""

    __slots__ = ("_blanks", "_closed", "_rows", "_steps", "board", "ends")

    def __init__(self, board: Board, steps: Steps, *, closed: Collection[PlaceId] = ()) -> None:
        """`closed`: places that are not entered, whatever the steps say."""
        self.board = board
        self.ends: frozenset[int] = frozenset()
        """The numbers of the places in which every way ends, unless it begins there."""
        self._steps = steps
        self._rows: list[_Row | None] = [None] * len(board.by_number)
        self._closed = [board.numbers[place] for place in closed]
        self._blanks: dict[int, list[int]] = {}

    def altered(
        self,
        steps: Steps,
        *,
        at: Iterable[PlaceId],
        closed: Collection[PlaceId] = (),
        ends: frozenset[PlaceId] = _NOWHERE,
    ) -> "Costs":
        """The same but for the steps on from some places. `ends`: places in which every way ends now."""
        numbers = self.board.numbers
        costs = Costs(self.board, steps, closed=closed)
        costs.ends = frozenset([numbers[place] for place in ends])
        costs._rows = self._rows.copy()
        for place in at:
            costs._rows[numbers[place]] = None
        return costs

    def worked_out(self) -> "Costs":
        """Every place asked after at once, for costs that others are made of."""
        for number in range(len(self._rows)):
            self.row(number)
        return self

    @property
    def rows(self) -> Sequence[_Row | None]:
        """The steps on from each place that was asked after, by number."""
        return self._rows

    def row(self, number: int) -> _Row:
        """The steps on from the place of this number."""
        row = self._rows[number]
        if row is None:
            place, numbers = self.board.by_number[number], self.board.numbers
            row = () if place is None else tuple([(numbers[near], cost) for near, cost in self._steps(place)])
            self._rows[number] = row
        return row

    def blank(self, budget: int) -> list[int]:
        """What each place was reached for before a search: more than the budget, but for those that are closed."""
        blank = self._blanks.get(budget)
        if blank is None:
            blank = self._blanks[budget] = [budget + 1] * len(self._rows)
            for number in self._closed:
                blank[number] = _CLOSED
        return blank.copy()


class Reach:
    """Where a budget leads from a start, and by which ways."""

    __slots__ = ("_costs", "_search", "_start", "costs")

    def __init__(self, costs: Costs, start: PlaceId, *, budget: int) -> None:
        self._costs, self._start = costs, start
        self._search = _Search(costs, budget)
        self._search.begin(costs.board.numbers[start])
        self._search.run()
        self.costs: Mapping[PlaceId, int] = self._search.found()
        """Every place reached with its least cost, the nearest first; the start itself at 0."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """A cheapest way to a place that is reached, as the places entered; none to the start."""
        return self._search.way(self._start, place)

    def beyond(self, costs: Costs, *, budget: int, by: frozenset[PlaceId]) -> Mapping[PlaceId, int]:
        """What else can be reached where more steps can be taken, with the least cost.

        They begin in the places that are given, and the budget is no larger than it was.
        """
        search = _Search(costs, budget)
        search.resume(self.costs, by)
        search.run()
        found = search.found()
        return {place: found[place] for place in found.keys() - self.costs.keys()}


def reach(costs: Costs, start: PlaceId, *, budget: int) -> Reach:
    """How far a budget leads from a place."""
    return Reach(costs, start, budget=budget)


def shortest_path(costs: Costs, start: PlaceId, goal: PlaceId, *, budget: int) -> tuple[PlaceId, ...] | None:
    """The cheapest way as the places entered, or None if the budget does not lead there."""
    search, numbers = _Search(costs, budget), costs.board.numbers
    search.begin(numbers[start])
    search.run(goal=numbers[goal])
    return search.way(start, goal) if search.has(numbers[goal]) else None


class _Search:
    """Dial's algorithm: one bucket a point of cost, so time grows with the places reached and not with the board."""

    __slots__ = ("_best", "_buckets", "_came_from", "_costs", "_first")

    def __init__(self, costs: Costs, budget: int) -> None:
        budget = max(budget, 0)
        self._costs, self._first = costs, -1
        self._best = costs.blank(budget)
        self._came_from = [0] * len(self._best)
        self._buckets: list[list[int]] = [[] for _ in range(budget + 1)]
        """Places by what it cost to come there, also those to which a cheaper way was found later."""

    def begin(self, start: int) -> None:
        self._first = start
        self._best[start] = 0
        self._buckets[0].append(start)

    def resume(self, reached: Mapping[PlaceId, int], by: frozenset[PlaceId]) -> None:
        """Go on from where another search has come, by some of its places."""
        numbers, best, buckets = self._costs.board.numbers, self._best, self._buckets
        for place, cost in reached.items():
            if cost < len(buckets):
                best[numbers[place]] = cost
                if place in by:
                    buckets[cost].append(numbers[place])

    def run(self, goal: int | None = None) -> None:
        """To the end of the budget, or until the goal is reached as cheaply as can be."""
        best, came_from, buckets = self._best, self._came_from, self._buckets
        rows, row, stopped = self._costs.rows, self._costs.row, self._costs.ends - {self._first}
        for spent in range(len(buckets) - 1):  # nobody goes on from where the last point is spent
            if goal is not None and best[goal] <= spent:
                break
            for at in buckets[spent]:
                if best[at] != spent or at in stopped:
                    continue
                for near, cost in rows[at] or row(at):
                    arrival = spent + cost
                    if arrival < best[near]:
                        best[near], came_from[near] = arrival, at
                        buckets[arrival].append(near)

    def has(self, number: int) -> bool:
        return 0 <= self._best[number] < len(self._buckets)

    def found(self) -> dict[PlaceId, int]:
        """All that it has come to, the nearest first. Whoever is in two buckets is named where he came first."""
        numbers = list(chain.from_iterable(self._buckets))
        places = map(self._costs.board.by_number.__getitem__, numbers)
        return dict(zip(places, map(self._best.__getitem__, numbers), strict=True))  # type: ignore[arg-type] # no gaps

    def way(self, start: PlaceId, goal: PlaceId) -> tuple[PlaceId, ...]:
        """The places entered on the way to one that it has come to."""
        board, way = self._costs.board, [goal]
        while way[-1] != start:
            came_from = board.by_number[self._came_from[board.numbers[way[-1]]]]
            assert came_from is not None, "steps lead from places to places"
            way.append(came_from)
        return tuple(reversed(way[:-1]))
