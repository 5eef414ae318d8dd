"""Phases, the GM's rulings, and `adjudicate`: the whole of what the engine does, as one pure function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from campaign.engine.dice import Entered, Overridden, Roller
from campaign.engine.errors import EngineError
from campaign.engine.facts import Event, Fact, Ledger, Rolled
from campaign.engine.ids import Audience, PhaseKey
from campaign.engine.orders import Order, Placed
from campaign.engine.state import State
from campaign.engine.values import Value

if TYPE_CHECKING:
    from campaign.engine.ruleset import Ruleset

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])

Orders = Mapping[Audience, Sequence[Placed]]
"""The sheets of a phase by who wrote them. Whoever is missing gave no orders."""

_ENDLESS = 1000
"""So many phases in which nobody acts mean that the sequence never comes to a stop."""


def nobody(_state: object) -> frozenset[Audience]:
    """For phases that run by themselves."""
    return frozenset()


@dataclass(frozen=True, kw_only=True)
class Phase(Generic[T, S]):
    """A line of the sequence of play."""

    key: PhaseKey
    title: str
    rule: str
    resolve: Callable[[Ledger[T, S], Orders], None]
    acts: Callable[[S], frozenset[Audience]] = nobody
    """Who must act before it resolves, computed from the state."""
    orders: tuple[type[Order], ...] = ()
    closes: bool = True
    """Its deadline applies defaults. If not, it nags: the phase waits, as battles do for their results."""


class Ruling(Value, frozen=True):
    """A correction by the GM: a fact, applied just before phase `at` resolves, and the reason for it.

    A roll is not applied but entered: its dice are those that fall when its label is rolled.
    """

    at: PhaseKey
    fact: Any
    reason: str


@dataclass(frozen=True)
class Resolution(Generic[S]):
    """What an adjudication leads to: the state at the next stop, and all events on the way there."""

    state: S
    events: tuple[Event[Any], ...]


def adjudicate(
    rules: "Ruleset[T, S]",
    theatre: T,
    state: S,
    orders: Orders,
    *,
    dice: Roller,
    rulings: Sequence[Ruling] = (),
) -> Resolution[S]:
    """Resolve the phase the state stands in with these orders, then every phase that needs nobody.

    Raises EngineError for orders that do not belong to the phase, for rulings that met none, for rolls entered by
    hand that nothing asked for, and for a campaign that has ended.
    """
    if rules.over(state):
        raise EngineError("the campaign has ended")
    table = {phase.key: phase for phase in rules.phases}
    dice = _with_entered(dice, rulings)
    ledger = Ledger(theatre=theatre, state=state, evolve=rules.evolve, release=rules.release, dice=dice)
    waiting = [ruling for ruling in rulings if not isinstance(ruling.fact, Rolled)]
    _require_fitting(table[rules.now(state)], orders, state)
    for _ in range(_ENDLESS):
        phase = table[rules.now(ledger.state)]
        ledger.phase = phase.key
        waiting = _apply_rulings(rules, ledger, waiting)
        phase.resolve(ledger, orders)
        if not rules.over(ledger.state):
            ledger.emit(rules.step(ledger.state), rule=phase.rule)
        if rules.over(ledger.state) or table[rules.now(ledger.state)].acts(ledger.state):
            _require_all_met(waiting, dice)
            return Resolution(ledger.state, tuple(ledger.events))
        orders = {}
    raise EngineError(f"{_ENDLESS} phases passed and none asked anybody for anything")


def _with_entered(dice: Roller, rulings: Sequence[Ruling]) -> Roller:
    rolls = [(ruling.fact, ruling.reason) for ruling in rulings if isinstance(ruling.fact, Rolled)]
    return Overridden(dice, {roll.label: Entered(roll.dice, reason) for roll, reason in rolls})


def _require_fitting(phase: Phase[Any, S], orders: Orders, state: S) -> None:
    strangers = sorted(set(orders) - phase.acts(state))
    if strangers:
        raise EngineError(f"{', '.join(strangers)} cannot give orders in {phase.title}")
    for placed in (placed for sheet in orders.values() for placed in sheet):
        if type(placed.order) not in phase.orders:
            raise EngineError(f"{type(placed.order).__name__} is no order of {phase.title}")


def _apply_rulings(rules: "Ruleset[T, S]", ledger: Ledger[T, S], waiting: list[Ruling]) -> list[Ruling]:
    """Apply the rulings of the ledger's phase in order; the others are returned."""
    for ruling in (ruling for ruling in waiting if ruling.at == ledger.phase):
        _apply(rules, ledger, ruling)
    return [ruling for ruling in waiting if ruling.at != ledger.phase]


def _apply(rules: "Ruleset[T, S]", ledger: Ledger[T, S], ruling: Ruling) -> None:
    before = ledger.state
    named = f"the ruling {ruling.reason!r} ({type(ruling.fact).__name__} at {ruling.at})"
    if not isinstance(ruling.fact, Fact):
        raise EngineError(f"{named} is no fact")
    objection = rules.why_no_ruling(ledger.theatre, ledger.state, ruling.fact)
    if objection:
        raise EngineError(f"{named} cannot be: {objection}")
    ledger.emit(ruling.fact, rule="GM", ruling=ruling.reason)
    if ledger.state == before:
        raise EngineError(f"{named} changes nothing")


def _require_all_met(waiting: Sequence[Ruling], dice: Roller) -> None:
    if waiting:
        listed = "; ".join(f"{ruling.reason!r} at {ruling.at}" for ruling in waiting)
        raise EngineError(f"no such phase came up before the next stop: {listed}")
    if dice.left_over():
        raise EngineError(f"rolls that nothing asked for before the next stop: {', '.join(dice.left_over())}")
