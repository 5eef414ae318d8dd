"""The orders that may be added to a sheet: a ruleset lists candidates, and its checker decides."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from campaign.engine.orders.grammar import grammar_of, units_named
from campaign.engine.orders.order import HQ, Order, Placed, Severity, Submission
from campaign.engine.phases import Phase
from campaign.engine.state import State
from campaign.engine.values.ids import PlaceId, UnitId

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=State[Any, Any, Any])


@dataclass(frozen=True)
class Way:
    """A way for a unit, as far as its side knows, from where the sheet so far leaves it."""

    order: Order
    """The line for it. If the sheet has such a line about the unit, this one goes on from there and replaces it."""
    path: tuple[PlaceId, ...]
    """The places entered, the last one at its end."""
    cost: int
    """In the ruleset's points, with all that the unit has spent before."""
    allowance: int
    """The most that it may spend."""


@dataclass(frozen=True)
class Draft(Generic[T, S]):
    """A sheet so far, and the phase that is open."""

    phase: Phase[T, S]
    sheet: Submission[T, S]
    desk: str = HQ
    """The desk whose sheet gets the lines."""
    _found: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, find: "Callable[[Draft[T, S]], R]") -> R:
        """What a function finds out about the draft, found out once."""
        if find not in self._found:
            self._found[find] = find(self)
        found: R = self._found[find]
        return found

    def kinds(self, unit: UnitId | None) -> Iterator[type[Order]]:
        """The phase's orders for a unit; for None those that name none."""
        return (kind for kind in self.phase.orders if _is_for_a_unit(kind) == (unit is not None))

    def without(self, kinds: Collection[type[Order]]) -> "Draft[T, S]":
        """The same without these kinds of orders, which the caller lists in another way.

        What was found out about its sheet stays.
        """
        orders = tuple(kind for kind in self.phase.orders if kind not in kinds)
        fewer = replace(self, phase=replace(self.phase, orders=orders))
        fewer._found.update(self._found)
        return fewer

    def lines(self, kind: type[Order]) -> list[Placed]:
        """The sheet's lines of a kind."""
        return [placed for placed in self.sheet.lines if type(placed.order) is kind]

    def own_lines(self, kind: type[Order]) -> list[Placed]:
        """The desk's lines of a kind."""
        return [placed for placed in self.lines(kind) if placed.desk == self.desk]

    def less(self, line: Placed | None) -> "Draft[T, S]":
        """The same without a line, in whose place another may come."""
        lines = tuple(placed for placed in self.sheet.lines if placed is not line)
        return replace(self, sheet=replace(self.sheet, lines=lines))

    def has(self, kind: type[Order], unit: UnitId) -> bool:
        """Whether the sheet has a line of this kind about a unit."""
        return any(type(placed.order) is kind and unit in units_named(placed.order) for placed in self.sheet.lines)

    def allows(self, order: Order) -> bool:
        """Whether the checker accepts the order as the sheet's next line."""
        line = 1 + max((placed.line for placed in self.sheet.lines), default=0)
        problems = self.phase.check(
            replace(self.sheet, lines=(*self.sheet.lines, Placed(order, line, self.desk)))
        ).problems
        return not any(each.line == line and each.severity is Severity.ERROR for each in problems)

    def allowed(self, orders: Iterable[Order]) -> Iterator[Order]:
        """Those of the phase's orders among these that the checker accepts."""
        return (order for order in orders if type(order) in self.phase.orders and self.allows(order))


def no_ways(_draft: Draft[Any, Any], _unit: UnitId) -> tuple[Way, ...]:
    """For rulesets whose candidates are all that a map needs."""
    return ()


def _is_for_a_unit(kind: type[Order]) -> bool:
    return any(part.type is UnitId and not part.optional for part in grammar_of(kind))
