"""`adjudicate`: all that the engine does, as one pure function."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from campaign.engine.dice import Entered, Overridden, Roller
from campaign.engine.errors import EngineError
from campaign.engine.facts import Event, Fact, Ledger, Rolled
from campaign.engine.orders.order import NoStandingOrders, Order, Placed
from campaign.engine.phases import Orders, Ruling, phase_name
from campaign.engine.ruleset import Ruleset
from campaign.engine.state import State
from campaign.engine.values.ids import Audience, PhaseKey, SideId

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])


_ENDLESS = 1000
"""Phases in a row in which nobody acts. After this many the sequence is taken to have no end."""


def asked(rules: Ruleset[T, S], state: S) -> frozenset[Audience]:
    """Who must act in the open phase: all who act there, except sides whose standing orders answer for them."""
    phase = rules.phase(rules.now(state))
    return frozenset(who for who in phase.acts(state.open) if rules.is_asked(state, who))


@dataclass(frozen=True)
class Resolution(Generic[S]):
    """The result of an adjudication: the state in which somebody must act next, and all events until then."""

    state: S
    events: tuple[Event[Any], ...]


def adjudicate(
    rules: Ruleset[T, S],
    game_data: T,
    state: S,
    orders: Orders,
    *,
    dice: Roller,
    rulings: Sequence[Ruling] = (),
) -> Resolution[S]:
    """Resolve the open phase with these orders, then every phase in which nobody must act.

    New standing orders apply from the start of the phase. Raises EngineError for orders of another phase, for rulings
    whose phase did not come up, for rolls entered by hand that nothing asked for, and for a campaign that has ended.
    """
    if rules.over(state):
        raise EngineError("the campaign has ended")
    dice = _with_entered(dice, rulings)
    ledger = Ledger(game_data=game_data, state=state, evolve=rules.evolve, release=rules.release, dice=dice)
    waiting = [ruling for ruling in rulings if not isinstance(ruling.fact, Rolled)]
    _require_fitting(rules, orders, state)
    occurrences: Counter[PhaseKey] = Counter()
    for _ in range(_ENDLESS):
        phase = rules.phase(rules.now(ledger.state))
        occurrences[phase.key] += 1
        ledger.phase = phase_name(phase.key, occurrences[phase.key])
        orders = _without_standing(rules, ledger, orders, rule=phase.rule)
        waiting = _apply_rulings(rules, ledger, waiting)
        phase.resolve(ledger, orders)
        if not rules.over(ledger.state):
            ledger.emit(rules.step(ledger.state), rule=phase.rule)
        if rules.over(ledger.state) or asked(rules, ledger.state):
            _require_all_met(waiting, dice)
            return Resolution(ledger.state, tuple(ledger.events))
        orders = {}
    raise EngineError(f"after {_ENDLESS} phases still nobody had to act")


def _with_entered(dice: Roller, rulings: Sequence[Ruling]) -> Roller:
    rolls = [(ruling.fact, ruling.reason) for ruling in rulings if isinstance(ruling.fact, Rolled)]
    return Overridden(dice, {roll.label: Entered(roll.dice, reason) for roll, reason in rolls})


def _require_fitting(rules: Ruleset[T, S], orders: Orders, state: S) -> None:
    phase = rules.phase(rules.now(state))
    strange = {who: _strange(rules.orders_for(state, who), sheet) for who, sheet in orders.items()}
    must = asked(rules, state)
    strangers = sorted((set(orders) - rules.writers(must)) | {who for who in set(orders) - must if strange[who]})
    if strangers:
        raise EngineError(f"{', '.join(strangers)} cannot give orders in {phase.title}")
    for placed in (placed for sheet in strange.values() for placed in sheet):
        raise EngineError(f"{type(placed.order).__name__} is not an order of {phase.title}")


def _strange(kinds: tuple[type[Order], ...], sheet: Sequence[Placed]) -> list[Placed]:
    return [placed for placed in sheet if type(placed.order) not in kinds]


def _without_standing(rules: Ruleset[T, S], ledger: Ledger[T, S], orders: Orders, *, rule: str) -> Orders:
    """Apply the standing orders of these sheets; returns the other orders of those who are asked."""
    standing = rules.standing
    if standing is None:
        return orders
    writers = {who: sheet for who, sheet in orders.items() if rules.is_asked(ledger.state, who)}
    stays: tuple[type[Order], ...] = (*standing.orders, NoStandingOrders)
    for who, sheet in sorted(orders.items()):
        given = tuple(placed.order for placed in sheet if isinstance(placed.order, standing.orders))
        withdrawn = any(isinstance(placed.order, NoStandingOrders) for placed in sheet)
        if (given or withdrawn) and given != tuple(standing.of(ledger.state, SideId(who))):
            ledger.emit(standing.given(SideId(who), given), rule=rule)
    return {who: [each for each in sheet if not isinstance(each.order, stays)] for who, sheet in writers.items()}


def _apply_rulings(rules: Ruleset[T, S], ledger: Ledger[T, S], waiting: list[Ruling]) -> list[Ruling]:
    """Apply the rulings of the ledger's phase in order; returns the others."""
    for ruling in (ruling for ruling in waiting if ruling.at == ledger.phase):
        _apply(rules, ledger, ruling)
    return [ruling for ruling in waiting if ruling.at != ledger.phase]


def _apply(rules: Ruleset[T, S], ledger: Ledger[T, S], ruling: Ruling) -> None:
    before = ledger.state
    named = f"the ruling {ruling.reason!r} ({type(ruling.fact).__name__} at {ruling.at})"
    if not isinstance(ruling.fact, Fact):
        raise EngineError(f"{named} is not a fact")
    objection = rules.why_no_ruling(ledger.game_data, ledger.state, ruling.fact)
    if objection:
        raise EngineError(f"{named} cannot be applied: {objection}")
    ledger.emit(ruling.fact, rule="GM", ruling=ruling.reason)
    if ledger.state == before:
        raise EngineError(f"{named} changes nothing")


def _require_all_met(waiting: Sequence[Ruling], dice: Roller) -> None:
    if waiting:
        listed = "; ".join(f"{ruling.reason!r} at {ruling.at}" for ruling in waiting)
        raise EngineError(f"rulings for phases that were not resolved: {listed}")
    if dice.left_over():
        raise EngineError(f"rolls that were entered but not needed: {', '.join(dice.left_over())}")
