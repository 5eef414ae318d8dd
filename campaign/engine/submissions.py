"""What a side has written for a phase, with all that it is checked by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from campaign.engine.facts import Ledger, Noted
from campaign.engine.ids import Audience, SideId, audience_of
from campaign.engine.orders import ONE_DESK, Desks, Note, Order, Placed
from campaign.engine.state import State, slice_of

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])

Orders = Mapping[Audience, Sequence[Placed]]
"""The sheets of a phase by who wrote them. An audience that is missing gave no orders."""


@dataclass(frozen=True)
class Submission(Generic[T, S]):
    """The lines of a side's sheets, and what the side knows. It holds nothing else, so no check can reveal more."""

    theatre: T
    known: S
    """The player's state."""
    who: Audience
    lines: Sequence[Placed]
    desks: Desks = ONE_DESK

    @property
    def side(self) -> SideId:
        return SideId(self.who)

    def has(self, kind: type[Order]) -> bool:
        """Whether a line is of this kind."""
        return any(type(placed.order) is kind for placed in self.lines)


def submitted(ledger: Ledger[T, S], orders: Orders, side: SideId) -> Submission[T, S]:
    """What a side has written for the phase that is being resolved, with what the side knows now."""
    who = audience_of(side)
    return Submission(ledger.theatre, slice_of(ledger.state, who), who, orders.get(who, ()))


def take_notes(ledger: Ledger[T, S], sheet: Submission[T, S]) -> None:
    """Put a side's notes to the GM on record."""
    for placed in sheet.lines:
        if isinstance(placed.order, Note):
            ledger.emit(Noted(sheet.side, placed.order.text), rule="")
