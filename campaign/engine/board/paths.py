"""Searches over a board, for every ruleset: how far a budget leads, and the cheapest way.

A search is Dial's algorithm: one bucket for each point of the budget, gone through in turn. With a budget of 4 from S:

    S -1- a -2- b -1- c        bucket 0   S    puts a into bucket 1 and d into bucket 2
    |                 |               1   a    puts b into bucket 3
    +------2- d ---2--+               2   d    puts c into bucket 4
                                      3   b    comes to c for 4 as well: no cheaper than before
                                      4   c    nobody goes on from the last bucket

`best` has the least cost found so far for each place, by its number: at first 5, one more than the budget, so that
"cheaper than before" and "within the budget" are one comparison. A place where ways end (an enemy's zone of control)
begins at its own, lower budget and has no steps on; a closed place begins at -1 and is never cheaper.

`Costs` has the steps on from each place as a row of (number, cost), computed when a search first gets there. Other
costs share the rows that do not differ (`altered`). Each search takes a list for `best` and cleans it afterwards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from campaign.engine.board.board import Board
from campaign.engine.values.ids import PlaceId

Steps = Callable[[PlaceId], Iterable[tuple[PlaceId, int]]]
"""From a place: each neighbour that can be entered, and the cost of entering it, a positive whole number."""
Row = Sequence[tuple[int, int]]
"""The same in a board's numbers."""
_Budgets = tuple[int, int]
"""The budget of a search, and the budget for steps into places where ways end."""
_END: Row = []
"""The steps on from where ways end: none."""
_CLOSED = -1
"""The cost at which a closed place counts as reached: no way is ever cheaper."""


class Costs:
    """The cost of every step on a board. The steps on from a place are computed once, when a search needs them."""

    __slots__ = ("_begun", "_closed", "_ends", "_steps", "board", "rows", "scratch")

    def __init__(
        self,
        board: Board,
        steps: Steps,
        *,
        closed: Iterable[PlaceId] = (),
        ends: Iterable[PlaceId] = (),
        known: "list[Row | None] | None" = None,
    ) -> None:
        """`closed`: places that cannot be entered, even if there are steps. `known`: the steps by number, if known.

        `ends`: places where every way ends, unless it begins there.
        """
        numbers = board.numbers
        self.board, self._steps = board, steps
        self._closed, self._ends = [numbers[place] for place in closed], [numbers[place] for place in ends]
        self.scratch: dict[_Budgets, _Scratch] = {}
        self._begun: list[Row | None] = known or [None] * len(board.by_number)
        """The steps on from each place, by number, for a way that begins there; None until needed."""
        self.rows = self._begun.copy()
        """The same for a way that has arrived there, and may have ended."""
        for number in self._ends:
            self.rows[number] = _END

    def altered(
        self,
        steps: Steps,
        *,
        at: Iterable[PlaceId],
        rows: Iterable[tuple[int, Row]] = (),
        closed: Iterable[PlaceId] = (),
        ends: Iterable[PlaceId] = (),
    ) -> "Costs":
        """The same, except for the steps on from some places, and for places that are closed or end a way.

        `rows`: steps that are already known, by number; `at`: the places where they are out of date.
        """
        known, numbers = self._begun.copy(), self.board.numbers
        for number, row in rows:
            known[number] = row
        for place in at:
            known[numbers[place]] = None
        return Costs(self.board, steps, closed=closed, ends=ends, known=known)

    def ending(self, ends: Iterable[PlaceId]) -> "Costs":
        """The same, with these places as those where every way ends."""
        costs = self.altered(self._steps, at=(), ends=ends)
        costs._closed = self._closed
        return costs

    def worked_out(self) -> "Costs":
        """The same with the steps of every place computed at once, for costs that others are made from."""
        once: dict[tuple[int, int], tuple[int, int]] = {}  # sharing equal steps saves processor cache
        for number in range(len(self.rows)):
            row = self._begun[number] = tuple([once.setdefault(step, step) for step in self.begun(number)])
            if not self.is_end(number):
                self.rows[number] = row
        return self

    def begun(self, number: int) -> Row:
        """The steps on from the place of this number, for a way that begins there or does not end there."""
        row = self._begun[number]
        if row is None:
            place, numbers = self.board.by_number[number], self.board.numbers
            row = () if place is None else tuple([(numbers[near], cost) for near, cost in self._steps(place)])
            self._begun[number] = row
            if not self.is_end(number):
                self.rows[number] = row
        return row

    def is_end(self, number: int) -> bool:
        """Whether every way ends at the place of this number."""
        return self.rows[number] is _END

    def scratch_for(self, budgets: _Budgets) -> "_Scratch":
        """The lists for searches with these budgets."""
        scratch = self.scratch[budgets] = _Scratch(self._blank(*budgets), [])
        return scratch

    def _blank(self, budget: int, budget_in_ends: int) -> list[int]:
        blank = [budget + 1] * len(self.rows)
        for number in self._ends:
            blank[number] = budget_in_ends + 1
        for number in self._closed:
            blank[number] = _CLOSED
        return blank


class _Scratch(NamedTuple):
    """Lists of the least cost of each place, for searches with the same budgets."""

    blank: list[int]
    """Before a search: more than the budget; for closed places, never cheaper."""
    clean: list[list[int]]
    """Copies of it. A search takes one and cleans it before it puts it back: it changes few places of many."""


class Reach:
    """The places that a budget reaches from a start, and the ways to them."""

    __slots__ = ("_came_from", "_search", "costs")

    def __init__(self, costs: Costs, start: PlaceId, budget: int, budget_in_ends: int | None = None) -> None:
        search = self._search = _Search(costs, budget, budget if budget_in_ends is None else budget_in_ends)
        search.begin(costs.board.numbers[start])
        search.run()
        self._came_from: Mapping[int, int] | None = None
        self.costs: Mapping[PlaceId, int] = search.found()
        """Every place reached with its least cost; the start itself at 0."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """A cheapest way to a place that is reached, as the places entered; empty for the start."""
        if self._came_from is None:
            self._came_from = self._search.came_from()
        return self._search.way(place, self._came_from)

    def beyond(self, costs: Costs, *, budget: int) -> Mapping[PlaceId, int]:
        """What is reached from the ends of its ways under other costs, with the least cost.

        This includes other such ends, if they are cheaper this way. The budget is not larger than before.
        """
        if costs is self._search.over:
            return {}
        search, is_end, numbers = _Search(costs, budget, budget), self._search.over.is_end, costs.board.numbers
        search.resume(self._search)
        search.run()
        found = search.found().items()
        return {place: cost for place, cost in found if place not in self.costs or is_end(numbers[place])}


def reach(costs: Costs, start: PlaceId, *, budget: int, budget_in_ends: int | None = None) -> Reach:
    """How far a budget leads from a place. `budget_in_ends`: the budget for places where ways end, if it is less."""
    return Reach(costs, start, budget, budget_in_ends)


def shortest_path(costs: Costs, start: PlaceId, goal: PlaceId, *, budget: int) -> tuple[PlaceId, ...] | None:
    """The cheapest way as the places entered, or None if the budget does not lead there."""
    search, numbers = _Search(costs, budget, budget), costs.board.numbers
    search.begin(numbers[start])
    came_from = search.run_to(numbers[goal])
    return search.way(goal, came_from) if goal in search.found() else None


class _Search:
    """Dial's algorithm: one bucket for each point of cost, so time grows with the places reached, not with the board.

    `run` keeps no ways, as most callers need only the places in reach. `found` ends the search.
    """

    __slots__ = ("_best", "_buckets", "_first", "_resumed", "_scratch", "over")

    def __init__(self, over: Costs, budget: int, budget_in_ends: int) -> None:
        budget = max(budget, 0)
        budgets = budget, budget_in_ends
        self.over, self._first = over, -1
        self._scratch = blank, clean = over.scratch.get(budgets) or over.scratch_for(budgets)
        self._best = clean.pop() if clean else blank.copy()
        self._buckets: list[list[int]] = [[] for _ in range(budget + 1)]
        """Places by the cost of reaching them, also those to which a cheaper way was found later."""
        self._resumed: Sequence[Sequence[int]] = ()

    def begin(self, start: int) -> None:
        best, buckets = self._best, self._buckets
        self._first = start
        best[start] = 0
        buckets[0].append(start)
        if self.over.rows[start] is _END:
            for near, cost in self.over.begun(start):
                if cost < best[near]:
                    best[near] = cost
                    buckets[cost].append(near)

    def resume(self, search: "_Search") -> None:
        """Continue from the places where the ways of another search ended."""
        best, buckets, is_end = self._best, self._buckets, search.over.is_end
        self._resumed = search._buckets[: len(buckets)]
        for cost in reversed(range(len(buckets))):
            for number in self._resumed[cost]:
                best[number] = cost
            buckets[cost] = [number for number in self._resumed[cost] if is_end(number)]

    def run(self) -> None:
        """Search to the end of the budget."""
        best, buckets, rows = self._best, self._buckets, self.over.rows
        for spent in range(len(buckets) - 1):  # nothing leads on from where the last point is spent
            for at in buckets[spent]:
                row = rows[at]
                if row is None:
                    row = self.over.begun(at)
                for near, cost in row:  # a cheaper way has reached this place
                    if spent + cost < best[near]:
                        best[near] = arrival = spent + cost
                        buckets[arrival].append(near)

    def run_to(self, goal: int) -> Mapping[int, int]:
        """Search until the goal is reached as cheaply as possible; what `came_from` gives, for the way to the goal."""
        best, buckets, over, first = self._best, self._buckets, self.over, self._first
        from_end = over.begun(first) if over.is_end(first) else ()
        came_from = {near: first for near, cost in from_end if best[near] == cost}
        for spent in range(len(buckets) - 1):
            if best[goal] <= spent:
                break
            for at in buckets[spent]:
                row = over.rows[at]
                if row is None:
                    row = over.begun(at)
                for near, cost in row:
                    if spent + cost < best[near]:
                        best[near] = arrival = spent + cost
                        buckets[arrival].append(near)
                        came_from[near] = at
        return came_from

    def found(self) -> dict[PlaceId, int]:
        """All places reached. This cleans the search's list and ends it."""
        places, best, (blank, clean) = self.over.board.by_number, self._best, self._scratch
        found: dict[PlaceId, int] = {}
        spent = len(self._buckets)
        for bucket in reversed(self._buckets):  # of two ways to a place, the cheaper counts
            spent -= 1
            for number in bucket:
                found[places[number]] = spent  # type: ignore[index] # no search comes to a gap
                best[number] = blank[number]
        for numbers in self._resumed:
            for number in numbers:
                best[number] = blank[number]
        clean.append(best)
        self._best = []
        return found

    def came_from(self) -> Mapping[int, int]:
        """The place from which each was first reached at its least cost: the search again, with its result known."""
        best: dict[int, int] = {}
        for spent, bucket in enumerate(self._buckets):
            for number in bucket:
                best.setdefault(number, spent)
        found: dict[int, int] = {}
        for at, spent in best.items():
            if at == self._first or not self.over.is_end(at):
                for near, cost in self.over.begun(at):
                    if best.get(near) == spent + cost:
                        found.setdefault(near, at)
        return found

    def way(self, goal: PlaceId, came_from: Mapping[int, int]) -> tuple[PlaceId, ...]:
        """The places entered on the way to one that was reached."""
        board = self.over.board
        way = [board.numbers[goal]]
        while way[-1] != self._first:
            way.append(came_from[way[-1]])
        return tuple([board.by_number[number] for number in reversed(way[:-1])])  # type: ignore[misc] # no gaps
