"""R3, R5 What a line means where it is given: one text of the rules for checking a sheet and for carrying it out.

A `Situation` is made of what a side knows, or of the truth; the rules do not ask which.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.lexicon import Lexicon, Names, lexicon
from campaign.engine.orders import Checked, Order, Placed, Problem, Severity, Understood
from tests.toy.facts import Halt
from tests.toy.orders import Attack, FallBack, Move, Pass, Stand, WhenAttacked
from tests.toy.state import Force, State, occupied
from tests.toy.theatre import Card, Theatre, Use, enemy_of

MOST_AREAS = 2
"""R3.1 A move's length."""


@dataclass(frozen=True)
class Situation:
    """Where everybody stands, as far as somebody knows."""

    theatre: Theatre
    forces: Mapping[UnitId, Force]
    hand: tuple[Card, ...]
    enemies: frozenset[PlaceId]
    attacked: PlaceId | None
    """Where one of the own forces has been attacked."""
    standing: tuple[WhenAttacked, ...]

    @property
    def own(self) -> frozenset[PlaceId]:
        return frozenset(force.at for force in self.forces.values())


def as_known(theatre: Theatre, known: State, side: SideId) -> Situation:
    own = known.own[side]
    return _situation(theatre, known, side, frozenset(seen.at for seen in own.seen))


def as_true(theatre: Theatre, state: State, side: SideId) -> Situation:
    return _situation(theatre, state, side, occupied(state.own[enemy_of(side)]))


def _situation(theatre: Theatre, state: State, side: SideId, enemies: frozenset[PlaceId]) -> Situation:
    own, attack = state.own[side], state.open.attack
    attacked = attack.at if attack is not None and attack.attacker != side else None
    return Situation(theatre, own.forces, own.hand, enemies, attacked, own.standing)


def names(theatre: Theatre, known: State) -> Names:
    """A side's own forces, and every area."""
    forces = {id_: (force.name, id_) for own in known.own.values() for id_, force in own.forces.items()}
    return Names(lexicon("force of yours" if len(known.own) == 1 else "force of the game", forces), areas(theatre))


def areas(theatre: Theatre) -> Lexicon[PlaceId]:
    return lexicon("area of this map", {id_: (id_, area.name) for id_, area in theatre.areas.items()})


# --- which line counts -----------------------------------------------------------------------------------------------


def chosen(situation: Situation, sheet: Sequence[Placed], kinds: tuple[type[Order], ...]) -> Any:
    """The order that counts: the first of these kinds with nothing against it, or None."""
    placed, _ = _read(situation, sheet, kinds)
    return None if placed is None else placed.order


def check(situation: Situation, sheet: Sequence[Placed], kinds: tuple[type[Order], ...]) -> Checked:
    """All that can be said of a sheet; a line that does not count has an error."""
    placed, problems = _read(situation, sheet, kinds)
    if placed is None:
        return Checked((), tuple(problems))
    meaning = _MEANINGS[type(placed.order)](situation, placed.order)
    return Checked((Understood(placed.line, meaning),), tuple(problems))


def _read(
    situation: Situation, sheet: Sequence[Placed], kinds: tuple[type[Order], ...]
) -> tuple[Placed | None, list[Problem]]:
    counts: Placed | None = None
    problems: list[Problem] = []
    for placed in sheet:
        if not isinstance(placed.order, kinds) or type(placed.order) not in _OBJECTIONS:
            continue
        fault = _TWICE if counts is not None else _OBJECTIONS[type(placed.order)](situation, placed.order)
        if fault is None:
            counts = placed
        else:
            code, message, rule = fault
            problems.append(Problem(code, Severity.ERROR, placed.line, 1, message, "", rule))
    return counts, problems


# --- what is against a line ------------------------------------------------------------------------------------------

_Fault = tuple[str, str, str] | None
"""Code, message, rule."""

_TWICE: _Fault = ("twice", "a line above is carried out already, and a side does one thing in its turn", "R1.3")


@dataclass(frozen=True)
class Walk:
    """R3 How far a way leads."""

    entered: tuple[PlaceId, ...]
    halt: Halt | None = None
    before: PlaceId | None = None


def walk(situation: Situation, start: PlaceId, path: Sequence[PlaceId]) -> Walk:
    """R3.1 Along links, two areas at most, through areas that hold nobody."""
    at = start
    entered: list[PlaceId] = []
    for place in path:
        halt = _halt(situation, at, place, len(entered))
        if halt is not None:
            return Walk(tuple(entered), halt, place)
        entered.append(place)
        at = place
    return Walk(tuple(entered))


def _halt(situation: Situation, at: PlaceId, place: PlaceId, done: int) -> Halt | None:
    if not situation.theatre.board.adjoin(at, place):
        return Halt.GAP
    if done == MOST_AREAS:
        return Halt.TOO_FAR
    if place in situation.own:
        return Halt.OWN
    return Halt.ENEMY if place in situation.enemies else None


def _against_move(situation: Situation, order: Move) -> _Fault:
    idle = _not_ready(situation, order.force)
    if idle is not None:
        return idle
    way = walk(situation, situation.forces[order.force].at, order.path)
    return None if way.halt is None else (way.halt.name.lower(), f"{way.before}: {way.halt.value}", "R3.1")


def _against_attack(situation: Situation, order: Attack) -> _Fault:
    idle = _not_ready(situation, order.force)
    if idle is not None:
        return idle
    if not situation.theatre.board.adjoin(situation.forces[order.force].at, order.at):
        return "gap", f"{order.at} is not linked to where the force stands", "R5.1"
    if order.at not in situation.enemies:
        return "nobody", f"no enemy is seen in {order.at}", "R5.1"
    return _not_in_hand(situation, order.card, Use.ATTACK)


def _against_stand(situation: Situation, order: Stand) -> _Fault:
    return _not_in_hand(situation, order.card, Use.DEFENCE)


def _against_fall_back(situation: Situation, order: FallBack) -> _Fault:
    if situation.attacked is None or order.to in ways_out(situation, situation.attacked):
        return None
    return "no-way", f"the force cannot fall back to {order.to}", "R5.2"


def ways_out(situation: Situation, at: PlaceId) -> tuple[PlaceId, ...]:
    """R5.2 The linked areas that hold nobody."""
    held = situation.own | situation.enemies
    return tuple(place for place in situation.theatre.board.neighbours(at) if place not in held)


def _not_ready(situation: Situation, unit: UnitId) -> _Fault:
    force = situation.forces.get(unit)
    if force is None:
        return "gone", "the force is no more", "R5.4"
    return ("spent", f"{force.name} has acted today", "R1.3") if force.spent else None


def _not_in_hand(situation: Situation, card: Card | None, use: Use) -> _Fault:
    if card is None:
        return None
    if card not in situation.hand:
        return "card", f"you do not hold the card {card.value}", "R4.3"
    line = situation.theatre.cards[card]
    return None if line.use is use else ("card", f"{card.value} is a card of the {line.use.value}", "R4.3")


_OBJECTIONS: Mapping[type[Order], Callable[[Situation, Any], _Fault]] = {
    Move: _against_move,
    Attack: _against_attack,
    Pass: lambda _situation, _order: None,
    Stand: _against_stand,
    FallBack: _against_fall_back,
}


def _with_card(card: Card | None) -> str:
    return f" with the card {card.value}" if card else ""


_MEANINGS: Mapping[type[Order], Callable[[Situation, Any], str]] = {
    Move: lambda situation, order: f"{situation.forces[order.force].name} goes to {order.path[-1]}",
    Attack: lambda situation, order: f"{situation.forces[order.force].name} attacks {order.at}{_with_card(order.card)}",
    Pass: lambda _situation, _order: "You pass",
    Stand: lambda _situation, order: f"Your force stands{_with_card(order.card)}",
    FallBack: lambda _situation, order: f"Your force falls back to {order.to}",
}
