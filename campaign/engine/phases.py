"""Phases, standing orders, the GM's rulings, and `adjudicate`: the whole of what the engine does, as a pure function.

A run is one call of `adjudicate`: the phase that somebody was asked in, and those after it that need nobody. Within a
run a phase has a name: its key, and from its second occurrence on the number of that with it (`turn`, `turn/2`). Events
and rulings use these names.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from campaign.engine.dice import Entered, Overridden, Roller
from campaign.engine.errors import EngineError
from campaign.engine.facts import Event, Fact, Ledger, Rolled
from campaign.engine.ids import Audience, PhaseKey, SideId, audience_of
from campaign.engine.orders import Checked, Desks, NoStandingOrders, Order, Placed
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


class Weight(Enum):
    """How much a phase asks of everybody. A campaign has settings for each weight."""

    FULL = "full"
    """It has a report and a mail of its own."""
    IMPULSE = "impulse"
    """One of many within a turn: published at once and without mail, and gathered in the next full phase's report."""
    REPLY = "reply"
    """A short question to one side in the middle of another phase; else as an impulse."""


def nobody(_open: object) -> frozenset[Audience]:
    """For phases that run on their own."""
    return frozenset()


def unanswered(_open: object, _standing: object) -> bool:
    """For phases in which no standing orders answer for a side."""
    return False


def nothing_to_check(_theatre: object, _known: object, _who: object, _sheet: object, _desks: object) -> Checked:
    """For phases in which nobody acts, or nothing can be wrong."""
    return Checked((), ())


Check = Callable[[T, S, Audience, Sequence[Placed], Desks], Checked]
"""(theatre, player's state, who, orders, desks): what they would do as far as the player knows.

What is said of a line is its desk's, what is said of units without orders is said to the desk that has them.
"""


@dataclass(frozen=True, kw_only=True)
class Phase(Generic[T, S]):
    """A line of the sequence of play."""

    key: PhaseKey
    title: str
    rule: str
    resolve: Callable[[Ledger[T, S], Orders], None]
    acts: Callable[[Any], frozenset[Audience]] = nobody
    """Who must act before it resolves, computed from the open part of the state: that they are asked is public."""
    orders: tuple[type[Order], ...] = ()
    check: Check[T, S] = nothing_to_check
    standing: Callable[[Any, Sequence[Any]], bool] = unanswered
    """(open part, a side's standing orders): whether these answer for the side, so that it is not asked.

    It reads nothing else: that a side is asked is public, and tells of its standing orders no more than this.
    """
    side: SideId | None = None
    """Whose phase it is, where it is one side's."""
    weight: Weight = Weight.FULL
    closes: bool = True
    """Its deadline applies defaults. If not, it nags: the phase waits, as battles do for their results."""


@dataclass(frozen=True, kw_only=True)
class Standing(Generic[T, S]):
    """Orders that stay until their side changes them: which there are, and where the state has them."""

    orders: tuple[type[Order], ...]
    """Written in the sheet of any phase. Lines of these kinds replace all that the side had."""
    of: Callable[[S, SideId], Sequence[Order]]
    """(state or player's state, side): its standing orders, as far as they are known there."""
    given: Callable[[SideId, tuple[Any, ...]], Fact]
    """The fact that a side's standing orders are these from now on. Its release is to that side only."""
    check: Callable[[T, S, Audience, Sequence[Placed]], Checked]
    """(theatre, player's state, who, the standing orders of a sheet): what they would do."""


def phase_name(key: PhaseKey, occurrence: int) -> PhaseKey:
    """What a phase is called in a run, by how often it has come up there; the first time by its key alone."""
    return key if occurrence == 1 else PhaseKey(f"{key}/{occurrence}")


def key_and_occurrence(name: PhaseKey) -> tuple[PhaseKey, int]:
    """The inverse of `phase_name`."""
    key, _, occurrence = name.partition("/")
    return PhaseKey(key), int(occurrence or 1)


def asked(rules: "Ruleset[T, S]", state: S) -> frozenset[Audience]:
    """Who has to act in the phase a state stands in: those who do there, but for sides whose standing orders answer."""
    phase = rules.phase(rules.now(state))
    return frozenset(who for who in phase.acts(state.open) if not _is_answered(rules, phase, state, who))


def _is_answered(rules: "Ruleset[T, S]", phase: Phase[T, S], state: S, who: Audience) -> bool:
    if rules.standing is None or who not in map(audience_of, rules.sides):
        return False
    return phase.standing(state.open, rules.standing.of(state, SideId(who)))


class Ruling(Value, frozen=True):
    """A correction by the GM: a fact, applied just before the phase named `at` resolves, and the reason for it.

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
    """Resolve the phase the state stands in with these orders, then every phase that needs nobody to be asked.

    Standing orders among them hold from before the phase resolves. Raises EngineError for orders that do not belong to
    the phase, for rulings that met none, for rolls entered by hand that nothing asked for, and for a campaign that has
    ended.
    """
    if rules.over(state):
        raise EngineError("the campaign has ended")
    dice = _with_entered(dice, rulings)
    ledger = Ledger(theatre=theatre, state=state, evolve=rules.evolve, release=rules.release, dice=dice)
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
    raise EngineError(f"{_ENDLESS} phases passed and none asked anybody for anything")


def _with_entered(dice: Roller, rulings: Sequence[Ruling]) -> Roller:
    rolls = [(ruling.fact, ruling.reason) for ruling in rulings if isinstance(ruling.fact, Rolled)]
    return Overridden(dice, {roll.label: Entered(roll.dice, reason) for roll, reason in rolls})


def _require_fitting(rules: "Ruleset[T, S]", orders: Orders, state: S) -> None:
    phase = rules.phase(rules.now(state))
    strangers = sorted(set(orders) - asked(rules, state))
    if strangers:
        raise EngineError(f"{', '.join(strangers)} cannot give orders in {phase.title}")
    for placed in (placed for sheet in orders.values() for placed in sheet):
        if type(placed.order) not in rules.orders_of(phase):
            raise EngineError(f"{type(placed.order).__name__} is no order of {phase.title}")


def _without_standing(rules: "Ruleset[T, S]", ledger: Ledger[T, S], orders: Orders, *, rule: str) -> Orders:
    """Let the standing orders of these sheets hold from now on; returns the other orders."""
    standing = rules.standing
    if standing is None:
        return orders
    stays: tuple[type[Order], ...] = (*standing.orders, NoStandingOrders)
    for who, sheet in sorted(orders.items()):
        given = tuple(placed.order for placed in sheet if isinstance(placed.order, standing.orders))
        withdrawn = any(isinstance(placed.order, NoStandingOrders) for placed in sheet)
        if (given or withdrawn) and given != tuple(standing.of(ledger.state, SideId(who))):
            ledger.emit(standing.given(SideId(who), given), rule=rule)
    return {who: [each for each in sheet if not isinstance(each.order, stays)] for who, sheet in orders.items()}


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
