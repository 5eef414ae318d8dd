"""R8 The GM's corrections: what he writes, what it means, and what speaks against it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.judging import Refused, refusal
from campaign.engine.lexicon import Names
from campaign.engine.orders import Line, Order, Placed, Problem
from tests.toy.facts import Drawn, ForcePlaced, StrengthSet
from tests.toy.orders import Deal, Place, Strength
from tests.toy.sheet import names
from tests.toy.state import FULL_STRENGTH, State, all_occupied, deck_of
from tests.toy.theatre import Theatre

_Lines = Sequence[Placed]


def correction_names(theatre: Theatre, known: State) -> Names:
    """R8.1 The forces of both sides, and every area."""
    return names(theatre, known)


def corrections(
    _theatre: Theatre, known: State, lines: _Lines
) -> tuple[tuple[tuple[int, Fact], ...], tuple[Problem, ...]]:
    """The facts that these lines mean. Whether they may be ruled is not judged here."""
    facts = [(placed.line, _MEANINGS[type(placed.order)](known, placed.order)) for placed in lines]
    why = Refused("ruling", "the force is no more", "R8.1")
    gone = tuple(refusal(Line(line), why) for line, fact in facts if fact is None)
    return tuple((line, fact) for line, fact in facts if fact is not None), gone


def _owner(known: State, unit: UnitId) -> SideId | None:
    return next((side for side, own in known.own.items() if unit in own.forces), None)


def _place(known: State, order: Place) -> Fact | None:
    side = _owner(known, order.force)
    return None if side is None else ForcePlaced(side, order.force, order.at)


def _strength(known: State, order: Strength) -> Fact | None:
    side = _owner(known, order.force)
    return None if side is None else StrengthSet(side, order.force, order.points)


_MEANINGS: Mapping[type[Order], Callable[[State, Any], Fact | None]] = {
    Place: _place,
    Strength: _strength,
    Deal: lambda _known, order: Drawn(SideId(order.to.value), order.card),
}


def why_not(theatre: Theatre, state: State, fact: Fact) -> str:
    """R8.1 Why this fact cannot be ruled now; empty if it can."""
    match fact:
        case ForcePlaced():
            return _no_force(state, fact.side, fact.force) or _no_room(theatre, state, fact.force, fact.at)
        case StrengthSet():
            most = "" if 1 <= fact.strength <= FULL_STRENGTH else f"strength is 1 to {FULL_STRENGTH}"
            return _no_force(state, fact.side, fact.force) or most
        case Drawn():
            return _no_side(state, fact.side) or ("" if fact.card in deck_of(state) else "the deck has no such card")
    return f"{type(fact).__name__} is nothing to rule"


def _no_side(state: State, side: SideId) -> str:
    return "" if side in state.own else f"there is no side {side!r}"


def _no_force(state: State, side: SideId, unit: UnitId) -> str:
    missing = _no_side(state, side)
    return missing or ("" if unit in state.own[side].forces else f"the {side} side has no force {unit}")


def _no_room(theatre: Theatre, state: State, unit: UnitId, at: PlaceId) -> str:
    """R2.2, and an attack is not disturbed: its areas are as they were declared."""
    attack = state.open.attack
    if attack is not None and (unit in (attack.force, attack.defender) or at in (attack.start, attack.at)):
        return "an attack is under way there; rule it when that is over"
    if at not in theatre.areas:
        return f"{at} is not on the map"
    return f"{at} holds a force (R2.2)" if at in all_occupied(state) else ""
