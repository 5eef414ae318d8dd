"""The orders that may be added to a sheet: a ruleset lists candidates, and its checker decides."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from campaign.engine.orders.grammar import grammar_of, units_named
from campaign.engine.orders.order import Order, Placed, Severity, Submission
from campaign.engine.phases import Phase
from campaign.engine.state import State
from campaign.engine.values.ids import UnitId

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])


@dataclass(frozen=True)
class Draft(Generic[T, S]):
    """A sheet so far, and the phase that is open."""

    phase: Phase[T, S]
    sheet: Submission[T, S]

    def kinds(self, unit: UnitId | None) -> Iterator[type[Order]]:
        """The phase's orders for a unit; for None those that name none."""
        return (kind for kind in self.phase.orders if _is_for_a_unit(kind) == (unit is not None))

    def has(self, kind: type[Order], unit: UnitId) -> bool:
        """Whether the sheet has a line of this kind about a unit."""
        return any(type(placed.order) is kind and unit in units_named(placed.order) for placed in self.sheet.lines)

    def allows(self, order: Order) -> bool:
        """Whether the checker accepts the order as the sheet's next line."""
        line = 1 + max((placed.line for placed in self.sheet.lines), default=0)
        problems = self.phase.check(replace(self.sheet, lines=(*self.sheet.lines, Placed(order, line)))).problems
        return not any(each.line == line and each.severity is Severity.ERROR for each in problems)

    def allowed(self, orders: Iterable[Order]) -> Iterator[Order]:
        """Those of the phase's orders among these that the checker accepts."""
        return (order for order in orders if type(order) in self.phase.orders and self.allows(order))


def _is_for_a_unit(kind: type[Order]) -> bool:
    return any(part.type is UnitId and not part.optional for part in grammar_of(kind))
