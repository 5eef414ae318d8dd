"""Searches over a board that every ruleset uses: how far a budget leads, and the cheapest way.

A search is Dial's algorithm: one bucket for each point of the budget, gone through in turn. With a budget of 4 from S:

    S -1- a -2- b -1- c        bucket 0   S    puts a into bucket 1 and d into bucket 2
    |                 |               1   a    puts b into bucket 3
    +------2- d ---2--+               2   d    puts c into bucket 4
                                      3   b    comes to c for 4 as well: no cheaper than before
                                      4   c    nobody goes on from the last bucket

`best` has the least cost found so far for each place, by its number: at first 5, one more than the budget, so that
"cheaper than before" and "within the budget" are one comparison. A place in which ways end (an enemy's zone of control)
begins at its own, lower budget and has no steps on; a closed place begins at -1 and is never cheaper.

`Costs` has the steps on from each place as a row of (number, cost), asked for when a search first comes there. Other
costs share the rows that do not differ (`altered`). Each search borrows a list for `best` and puts it back clean.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from campaign.engine.board import Board
from campaign.engine.ids import PlaceId

Steps = Callable[[PlaceId], Iterable[tuple[PlaceId, int]]]
"""From a place: each neighbour that can be entered, and what entering it costs: a positive whole number."""
Row = Sequence[tuple[int, int]]
"""The same in a board's numbers."""
_Budgets = tuple[int, int]
"""Of a search, and of what leads into places where ways end."""
_END: Row = []
"""The steps on from where ways end: none."""
_CLOSED = -1
"""What a place counts as reached for that is not to be entered: no way is ever cheaper."""


class Costs:
    """What every step on a board costs. A place is asked after once, when a search first goes on from it."""

    __slots__ = ("_begun", "_blanks", "_closed", "_ends", "_spare", "_steps", "board", "rows")

    def __init__(
        self,
        board: Board,
        steps: Steps,
        *,
        closed: Iterable[PlaceId] = (),
        ends: Iterable[PlaceId] = (),
        known: "list[Row | None] | None" = None,
    ) -> None:
        """`closed`: places that are not entered, whatever the steps say. `known`: the steps by number, so far as known.

        `ends`: places in which every way ends, unless it begins there.
        """
        numbers = board.numbers
        self.board, self._steps = board, steps
        self._closed, self._ends = [numbers[place] for place in closed], [numbers[place] for place in ends]
        self._blanks: dict[_Budgets, list[int]] = {}
        self._spare: dict[_Budgets, list[list[int]]] = {}
        self._begun: list[Row | None] = known or [None] * len(board.by_number)
        """The steps on from each place, by number, for a way that begins there; None if it was not asked after."""
        self.rows = self._begun.copy()
        """The same for a way that has come there, which may have ended."""
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
        """The same but for the steps on from some places, and for what is closed or ends a way.

        `rows`: such steps that are worked out already, by number; `at` says where they are not to be trusted.
        """
        known, numbers = self._begun.copy(), self.board.numbers
        for number, row in rows:
            known[number] = row
        for place in at:
            known[numbers[place]] = None
        return Costs(self.board, steps, closed=closed, ends=ends, known=known)

    def ending(self, ends: Iterable[PlaceId]) -> "Costs":
        """The same, but for the places in which every way ends."""
        costs = self.altered(self._steps, at=(), ends=ends)
        costs._closed = self._closed
        return costs

    def worked_out(self) -> "Costs":
        """Every place asked after at once, for costs that others are made of."""
        once: dict[tuple[int, int], tuple[int, int]] = {}  # equal steps kept once take less of the processor's cache
        for number in range(len(self.rows)):
            row = self._begun[number] = tuple([once.setdefault(step, step) for step in self.begun(number)])
            if not self.is_end(number):
                self.rows[number] = row
        return self

    def begun(self, number: int) -> Row:
        """The steps on from the place of this number, for a way that begins there or may go on."""
        row = self._begun[number]
        if row is None:
            place, numbers = self.board.by_number[number], self.board.numbers
            row = () if place is None else tuple([(numbers[near], cost) for near, cost in self._steps(place)])
            self._begun[number] = row
            if not self.is_end(number):
                self.rows[number] = row
        return row

    def is_end(self, number: int) -> bool:
        """Whether every way ends in the place of this number."""
        return self.rows[number] is _END

    def blank(self, budgets: _Budgets) -> list[int]:
        """What each place was reached for before a search: more than the budget, but for those that are closed."""
        blank = self._blanks.get(budgets)
        if blank is None:
            blank = self._blanks[budgets] = self._blank(*budgets)
        return blank

    def borrow(self, budgets: _Budgets) -> list[int]:
        """A copy of the blank for one search to write on. The search cleans it before it puts it back."""
        try:
            return self._spare[budgets].pop()
        except (KeyError, IndexError):
            return self.blank(budgets).copy()

    def put_back(self, clean: list[int], budgets: _Budgets) -> None:
        """Keep a clean copy: a search writes on few places, and a board has many."""
        self._spare.setdefault(budgets, []).append(clean)

    def _blank(self, budget: int, budget_in_ends: int) -> list[int]:
        blank = [budget + 1] * len(self.rows)
        for number in self._ends:
            blank[number] = budget_in_ends + 1
        for number in self._closed:
            blank[number] = _CLOSED
        return blank


class Reach:
    """Where a budget leads from a start, and by which ways."""

    __slots__ = ("_came_from", "_search", "costs")

    def __init__(self, costs: Costs, start: PlaceId, budget: int, budget_in_ends: int | None = None) -> None:
        self._search = _Search(costs, budget, budget if budget_in_ends is None else budget_in_ends)
        self._search.begin(costs.board.numbers[start])
        self._search.run()
        self._came_from: Mapping[int, int] | None = None
        self.costs: Mapping[PlaceId, int] = self._search.found()
        """Every place reached with its least cost; the start itself at 0."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """A cheapest way to a place that is reached, as the places entered; none to the start."""
        if self._came_from is None:
            self._came_from = self._search.came_from()
        return self._search.way(place, self._came_from)

    def beyond(self, costs: Costs, *, budget: int) -> Mapping[PlaceId, int]:
        """What is reached on from where its ways end, with the least cost; other such ends, cheaper so, among it.

        Other costs say what that takes. The budget is no larger than it was.
        """
        if costs is self._search.over:
            return {}
        search, is_end, numbers = _Search(costs, budget, budget), self._search.over.is_end, costs.board.numbers
        search.resume(self._search)
        search.run()
        found = search.found().items()
        return {place: cost for place, cost in found if place not in self.costs or is_end(numbers[place])}


def reach(costs: Costs, start: PlaceId, *, budget: int, budget_in_ends: int | None = None) -> Reach:
    """How far a budget leads from a place. `budget_in_ends`: what leads into places where ways end, if it is less."""
    return Reach(costs, start, budget, budget_in_ends)


def shortest_path(costs: Costs, start: PlaceId, goal: PlaceId, *, budget: int) -> tuple[PlaceId, ...] | None:
    """The cheapest way as the places entered, or None if the budget does not lead there."""
    search, numbers = _Search(costs, budget, budget), costs.board.numbers
    search.begin(numbers[start])
    search.run(goal=numbers[goal])
    return search.way(goal, search.came_from()) if goal in search.found() else None


class _Search:
    """Dial's algorithm: one bucket a point of cost, so time grows with the places reached and not with the board.

    It keeps no ways: most searches are asked for what is in reach only. With `found` it ends.
    """

    __slots__ = ("_best", "_buckets", "_budgets", "_first", "_resumed", "over")

    def __init__(self, over: Costs, budget: int, budget_in_ends: int) -> None:
        budget = max(budget, 0)
        self.over, self._first, self._budgets = over, -1, (budget, budget_in_ends)
        self._best = over.borrow(self._budgets)
        self._buckets: list[list[int]] = [[] for _ in range(budget + 1)]
        """Places by what it cost to come there, also those to which a cheaper way was found later."""
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
        """Go on from where the ways of another search have ended."""
        best, buckets, is_end = self._best, self._buckets, search.over.is_end
        self._resumed = search._buckets[: len(buckets)]
        for cost in reversed(range(len(buckets))):
            for number in self._resumed[cost]:
                best[number] = cost
            buckets[cost] = [number for number in self._resumed[cost] if is_end(number)]

    def run(self, goal: int | None = None) -> None:
        """To the end of the budget, or until the goal is reached as cheaply as can be."""
        best, buckets, rows = self._best, self._buckets, self.over.rows
        for spent in range(len(buckets) - 1):  # nobody goes on from where the last point is spent
            if goal is not None and best[goal] <= spent:
                break
            for at in buckets[spent]:
                row = rows[at]
                if row is None:
                    row = self.over.begun(at)
                for near, cost in row:  # from where a cheaper way has led, this one leads nowhere
                    if spent + cost < best[near]:
                        best[near] = arrival = spent + cost
                        buckets[arrival].append(near)

    def found(self) -> dict[PlaceId, int]:
        """All that it has come to. Its list is cleaned on the way, and it goes no further."""
        places, best, blank = self.over.board.by_number, self._best, self.over.blank(self._budgets)
        found: dict[PlaceId, int] = {}
        for spent in reversed(range(len(self._buckets))):  # where two ways have led, the cheaper is what counts
            for number in self._buckets[spent]:
                found[places[number]] = spent  # type: ignore[index] # no search comes to a gap
                best[number] = blank[number]
        for numbers in self._resumed:
            for number in numbers:
                best[number] = blank[number]
        self.over.put_back(best, self._budgets)
        self._best = []
        return found

    def came_from(self) -> Mapping[int, int]:
        """Whence each place was first reached as cheaply as can be: the search once more, knowing its outcome."""
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
        """The places entered on the way to one that it has come to."""
        board = self.over.board
        way = [board.numbers[goal]]
        while way[-1] != self._first:
            way.append(came_from[way[-1]])
        return tuple([board.by_number[number] for number in reversed(way[:-1])])  # type: ignore[misc] # no gaps
