"""Phases, and the GM's rulings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from campaign.engine.facts import Fact, Ledger, Noted
from campaign.engine.orders.order import Checked, Note, Order, Placed, Submission
from campaign.engine.state import State, state_known_to
from campaign.engine.values.ids import Audience, PhaseKey, SideId, audience_of
from campaign.engine.values.value import Value

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])

Orders = Mapping[Audience, Sequence[Placed]]
"""The sheets of a phase by who wrote them. An audience that is missing gave no orders."""


class Weight(Enum):
    """How much work a phase is for everybody. A campaign has settings for each weight."""

    FULL = "full"
    """It has a report and a mail of its own."""
    IMPULSE = "impulse"
    """One of many within a turn: published at once and without mail, and gathered in the next full phase's report."""
    REPLY = "reply"
    """A short question to one side in the middle of another phase; else as an impulse."""


def asks(side: SideId | None) -> frozenset[Audience]:
    """One side as those who must act; nobody for None."""
    return frozenset() if side is None else frozenset({audience_of(side)})


def heaviest(weights: Iterable[Weight]) -> Weight:
    """The first of these in the order of full, impulse, reply; ValueError for none."""
    return min(weights, key=list(Weight).index)


def nobody(_open: object) -> frozenset[Audience]:
    """For phases that run on their own."""
    return frozenset()


def unanswered(_open: object, _standing: object) -> bool:
    """For phases in which no standing orders answer for a side."""
    return False


def nothing_to_check(_sheet: object) -> Checked:
    """For phases in which nobody acts, or nothing can be wrong."""
    return Checked((), ())


Check = Callable[[Submission[T, S]], Checked]
"""What the lines of a sheet will do as far as its side knows.

A message about a line goes to its desk, one about a unit without orders to the desk that has the unit.
"""


@dataclass(frozen=True, kw_only=True)
class Phase(Generic[T, S]):
    """A line of the sequence of play."""

    key: PhaseKey
    title: str
    rule: str
    resolve: Callable[[Ledger[T, S], Orders], None]
    acts: Callable[[Any], frozenset[Audience]] = nobody
    """Who must act before it resolves, by the open part of the state: that they must act is public."""
    orders: tuple[type[Order], ...] = ()
    check: Check[T, S] = nothing_to_check
    standing: Callable[[Any, Sequence[Any]], bool] = unanswered
    """(open part, a side's standing orders): whether these answer for the side, so that it need not act.

    It reads nothing else: that a side must act is public, and reveals only this of its standing orders.
    """
    side: SideId | None = None
    """Whose phase it is, where it is one side's."""
    weight: Weight = Weight.FULL
    closes: bool = True
    """Defaults apply at its deadline. If not, the phase waits and sends reminders, as battles do for results."""


@dataclass(frozen=True, kw_only=True)
class Standing(Generic[T, S]):
    """Orders that apply until their side changes them: their kinds, and where the state has them."""

    orders: tuple[type[Order], ...]
    """Written in the sheet of any phase. Lines of these kinds replace all earlier ones of the side."""
    of: Callable[[S, SideId], Sequence[Order]]
    """(state or player's state, side): its standing orders, as far as they are known there."""
    given: Callable[[SideId, tuple[Any, ...]], Fact]
    """The fact that a side's standing orders are these from now on. Its release is to that side only."""
    check: Check[T, S]
    """What the standing orders of a sheet will do."""


def submitted(ledger: Ledger[T, S], orders: Orders, side: SideId) -> Submission[T, S]:
    """What a side has written for the phase that is being resolved, with what the side knows now."""
    who = audience_of(side)
    return Submission(ledger.game_data, state_known_to(ledger.state, who), who, orders.get(who, ()))


def take_notes(ledger: Ledger[T, S], sheet: Submission[T, S]) -> None:
    """Put a side's notes to the GM on record."""
    for placed in sheet.lines:
        if isinstance(placed.order, Note):
            ledger.emit(Noted(sheet.side, placed.order.text), rule="")


def phase_name(key: PhaseKey, occurrence: int) -> PhaseKey:
    """The name of a phase in a run: its key, and from the second time on the number of the occurrence."""
    return key if occurrence == 1 else PhaseKey(f"{key}/{occurrence}")


def key_and_occurrence(name: PhaseKey) -> tuple[PhaseKey, int]:
    """The inverse of `phase_name`."""
    key, _, occurrence = name.partition("/")
    return PhaseKey(key), int(occurrence or 1)


def phase_title(phase: Phase[Any, Any], occurrence: int) -> str:
    """What players call a phase: German sheet, German impulse 3.

    Impulses and replies have their number, a full phase only where it comes up again.
    """
    return phase.title if occurrence == 1 and phase.weight is Weight.FULL else f"{phase.title} {occurrence}"


def title_in(phases: Iterable[Phase[Any, Any]], name: PhaseKey) -> str:
    """What players call the phase of this name in a run; raises KeyError if there is none."""
    key, occurrence = key_and_occurrence(name)
    return phase_title({phase.key: phase for phase in phases}[key], occurrence)


class Ruling(Value, frozen=True):
    """A correction by the GM: a fact, applied just before the phase `at` resolves, and the reason for it.

    A roll is entered, not applied: its dice fall when its label is rolled.
    """

    at: PhaseKey
    fact: Any
    reason: str
