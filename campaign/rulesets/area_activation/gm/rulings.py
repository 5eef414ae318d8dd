"""R50 The GM's corrections: the meaning of their lines, and objections."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.orders.checking import Refused
from campaign.engine.orders.order import Order, Placed
from campaign.engine.rulings import Objections, RuledFacts, facts_meant, no_side
from campaign.engine.values.ids import SideId, UnitId
from campaign.rulesets.area_activation.model import facts, orders
from campaign.rulesets.area_activation.model.game_data import GERMAN, GameData, enemy_of
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, State, in_space


def corrections(game_data: GameData, known: State, lines: Sequence[Placed]) -> RuledFacts:
    """The facts that the GM's lines mean, and what is wrong with the others."""
    return facts_meant(lines, {kind: partial(meaning, game_data, known) for kind, meaning in _MEANINGS.items()})


def _on_map(game_data: GameData, known: State, unit: UnitId) -> SideId:
    side = game_data.cards[unit].side
    if unit not in known.own[side].units:
        raise Refused("ruling", f"{game_data.cards[unit].name} is not on the map", "R50")
    return side


def _place(game_data: GameData, _known: State, order: orders.Place) -> Fact:
    card = game_data.cards[order.unit]
    return facts.UnitPlaced(card.side, card.id, order.at, card.strength)


def _strength(game_data: GameData, known: State, order: orders.Strength) -> Fact:
    return facts.StrengthSet(_on_map(game_data, known, order.unit), order.unit, order.points)


def _remove(game_data: GameData, known: State, order: orders.Remove) -> Fact:
    return facts.UnitRemoved(_on_map(game_data, known, order.unit), order.unit)


def _sign(game_data: GameData, known: State, order: orders.PutSign | orders.TakeSign) -> Fact:
    side = _on_map(game_data, known, order.unit)
    return facts.SignSet(side, order.unit, order.sign, isinstance(order, orders.PutSign))


def _control(game_data: GameData, known: State, order: orders.Control) -> Fact:
    side = SideId(order.side.value)
    points = game_data.spaces[order.at].points
    if known.open.control[order.at] == side:
        raise Refused("ruling", f"{game_data.spaces[order.at].name} is theirs already", "R50")
    return facts.ControlSet(order.at, side, points if side == GERMAN else -points)


def _points(_game_data: GameData, known: State, order: orders.AddPoints | orders.TakePoints) -> Fact:
    by = order.points if isinstance(order, orders.AddPoints) else -order.points
    return facts.PointsSet(known.open.points + by)


_MEANINGS: Mapping[type[Order], Callable[[GameData, State, Any], Fact]] = {
    orders.Place: _place,
    orders.Strength: _strength,
    orders.Remove: _remove,
    orders.PutSign: _sign,
    orders.TakeSign: _sign,
    orders.Control: _control,
    orders.AddPoints: _points,
    orders.TakePoints: _points,
}
CORRECTIONS = tuple(_MEANINGS)
"""The lines in which the GM corrects."""


# --- objections to a ruling ------------------------------------------------------------------------------------------


def _placed(game_data: GameData, state: State, fact: facts.UnitPlaced) -> str:
    if missing := no_side(state, fact.side) or _no_card(game_data, fact.side, fact.unit):
        return missing
    if fact.at not in game_data.spaces:
        return f"{fact.at} is not on the map"
    there = [unit for unit in in_space(state.own[fact.side].units.values(), fact.at) if unit.id != fact.unit]
    if len(there) >= MOST_IN_A_SPACE:
        return f"{game_data.spaces[fact.at].name} has three units of that side (R18)"
    if fact.unit in (*state.open.lost, *state.open.gone):
        return "the unit has left the campaign for good"
    if fact.strength != game_data.cards[fact.unit].strength:
        return f"it comes with its printed strength, {game_data.cards[fact.unit].strength}"
    return _in_combat(state, fact.unit)


def _no_card(game_data: GameData, side: SideId, unit: UnitId) -> str:
    card = game_data.cards.get(unit)
    return "" if card is not None and card.side == side else f"the {side} side has no unit {unit}"


def _here(game_data: GameData, state: State, fact: Any) -> str:
    """Why a unit cannot be changed; empty if it can."""
    if missing := no_side(state, fact.side) or _no_card(game_data, fact.side, fact.unit):
        return missing
    if fact.unit not in state.own[fact.side].units:
        return f"{game_data.cards[fact.unit].name} is not on the map"
    return _in_combat(state, fact.unit)


def _in_combat(state: State, unit: UnitId) -> str:
    fight = state.open.fight
    fighters = () if fight is None else (*fight.attackers, *fight.defenders)
    return "its combat is not over; make the ruling when it is" if unit in [each.unit for each in fighters] else ""


def _strength_set(game_data: GameData, state: State, fact: facts.StrengthSet) -> str:
    if objection := _here(game_data, state, fact):
        return objection
    most = game_data.cards[fact.unit].strength
    return "" if 1 <= fact.strength <= most else f"strength must be 1 to {most}"


def _control_set(game_data: GameData, state: State, fact: facts.ControlSet) -> str:
    if missing := no_side(state, fact.side):
        return missing
    if fact.place not in game_data.spaces:
        return f"{fact.place} is not on the map"
    name, worth = game_data.spaces[fact.place].name, game_data.spaces[fact.place].points
    if state.open.control[fact.place] == fact.side:
        return f"{name} is theirs already"
    if in_space(state.own[enemy_of(fact.side)].units.values(), fact.place):
        return f"the enemy has units in {name}; put them elsewhere first"
    return "" if fact.points == (worth if fact.side == GERMAN else -worth) else f"{name} is worth {worth}"


def _points_set(_game_data: GameData, state: State, fact: facts.PointsSet) -> str:
    least = -99 if state.open.options.negative_points else 0
    return "" if least <= fact.points <= 99 else f"German points go from {least} to 99"


RULINGS: Objections = {
    facts.UnitPlaced: _placed,
    facts.StrengthSet: _strength_set,
    facts.UnitRemoved: _here,
    facts.SignSet: _here,
    facts.ControlSet: _control_set,
    facts.PointsSet: _points_set,
}
