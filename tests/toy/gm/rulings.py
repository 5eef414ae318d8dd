"""R8 The GM's corrections: the meaning of their lines, and objections."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.orders.checking import Refused
from campaign.engine.orders.order import Order, Placed
from campaign.engine.rulings import Objections, RuledFacts, facts_meant, no_side
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from tests.toy.model.facts import Drawn, ForcePlaced, StrengthSet
from tests.toy.model.game_data import GameData
from tests.toy.model.orders import Deal, Place, Strength
from tests.toy.model.state import FULL_STRENGTH, State, all_occupied, deck_of


def corrections(_game_data: GameData, known: State, lines: Sequence[Placed]) -> RuledFacts:
    return facts_meant(lines, {kind: partial(meaning, known) for kind, meaning in _MEANINGS.items()})


def _owner(known: State, unit: UnitId) -> SideId:
    for side, own in known.own.items():
        if unit in own.forces:
            return side
    raise Refused("ruling", "the force no longer exists", "R8.1")


_MEANINGS: Mapping[type[Order], Callable[[State, Any], Fact]] = {
    Place: lambda known, order: ForcePlaced(_owner(known, order.force), order.force, order.at),
    Strength: lambda known, order: StrengthSet(_owner(known, order.force), order.force, order.points),
    Deal: lambda _known, order: Drawn(SideId(order.to.value), order.card),
}


# --- objections to a ruling ------------------------------------------------------------------------------------------


def _placed(game_data: GameData, state: State, fact: ForcePlaced) -> str:
    return _no_force(state, fact.side, fact.force) or _no_room(game_data, state, fact.force, fact.at)


def _strength_set(_game_data: GameData, state: State, fact: StrengthSet) -> str:
    most = "" if 1 <= fact.strength <= FULL_STRENGTH else f"strength must be 1 to {FULL_STRENGTH}"
    return _no_force(state, fact.side, fact.force) or most


def _dealt(_game_data: GameData, state: State, fact: Drawn) -> str:
    return no_side(state, fact.side) or ("" if fact.card in deck_of(state) else "the deck has no such card")


def _no_force(state: State, side: SideId, unit: UnitId) -> str:
    missing = no_side(state, side)
    return missing or ("" if unit in state.own[side].forces else f"the {side} side has no force {unit}")


def _no_room(game_data: GameData, state: State, unit: UnitId, at: PlaceId) -> str:
    """R2.2 An attack must also stay as it was declared."""
    attack = state.open.attack
    if attack is not None and (unit in (attack.force, attack.defender) or at in (attack.start, attack.at)):
        return "an attack is under way there; make the ruling when it is over"
    if at not in game_data.areas:
        return f"{at} is not on the map"
    return f"{at} holds a force (R2.2)" if at in all_occupied(state) else ""


RULINGS: Objections = {ForcePlaced: _placed, StrengthSet: _strength_set, Drawn: _dealt}
