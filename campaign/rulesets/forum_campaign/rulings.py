"""R15.6 What the GM may rule, and what would leave a position that cannot be."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.ids import SideId, UnitId
from campaign.rulesets.forum_campaign.facts import (
    Controlled,
    CutOff,
    DepotCaptured,
    Destroyed,
    FuelSet,
    Resupplied,
    StrengthSet,
    UnitPlaced,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.state import DepotStatus, State
from campaign.rulesets.forum_campaign.theatre import SIDES, Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, too_full


def why_not(theatre: Theatre, state: State, fact: Fact) -> str:
    """Why this fact cannot be ruled now; empty if it can."""
    objection = _OBJECTIONS.get(type(fact))
    if objection is None:
        return f"{type(fact).__name__} is nothing to rule: it follows from the sheets and the rules"
    return objection(theatre, state, fact)


def _placed(theatre: Theatre, state: State, fact: UnitPlaced) -> str:
    return _no_unit(state, fact.side, fact.unit) or _no_place_for(theatre, state, fact)


def _strength_set(_theatre: Theatre, state: State, fact: StrengthSet) -> str:
    return _no_unit(state, fact.side, fact.unit) or (
        "" if 1 <= fact.strength <= 100 else "strength is 1 to 100 percent"
    )


def _destroyed(_theatre: Theatre, state: State, fact: Destroyed) -> str:
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    unit = state.own[fact.side].units[fact.unit]
    agrees = (unit.label, unit.at) == (fact.label, fact.at)
    return "" if agrees else f"{unit.id} is {unit.label} at {unit.at or 'no hex'}"


def _marked(_theatre: Theatre, state: State, fact: CutOff | Resupplied) -> str:
    return _no_unit(state, fact.side, fact.unit)


def _fuel_set(_theatre: Theatre, _state: State, fact: FuelSet) -> str:
    return "" if fact.points >= 0 else "the reserve is never negative"


def _controlled(_theatre: Theatre, state: State, fact: Controlled) -> str:
    return _no_side(fact.side) or ("" if fact.place in state.open.control else f"{fact.place} is no objective")


def _captured(_theatre: Theatre, state: State, fact: DepotCaptured) -> str:
    intact = state.open.depots.get(fact.place) is DepotStatus.INTACT
    return "" if intact else f"there is no depot to capture at {fact.place}"


def _no_side(side: SideId) -> str:
    return "" if side in SIDES else f"there is no side {side!r}"


def _no_unit(state: State, side: SideId, unit: UnitId) -> str:
    return _no_side(side) or ("" if unit in state.own[side].units else f"the {side} side has no unit {unit}")


def _no_place_for(theatre: Theatre, state: State, fact: UnitPlaced) -> str:
    at, units = fact.at, state.own[fact.side].units
    if at not in theatre.hexes:
        return f"{at} is not on the map"
    if at in occupied_hexes(state.own[enemy_of(fact.side)]):
        return f"the enemy stands at {at} (R5.6)"
    there = [other for other in units.values() if other.at == at and other.id != fact.unit]
    return f"{at} is full (R5.5)" if too_full([*there, units[fact.unit]]) else ""


_OBJECTIONS: Mapping[type[Fact], Callable[[Theatre, State, Any], str]] = {
    UnitPlaced: _placed,
    StrengthSet: _strength_set,
    Destroyed: _destroyed,
    CutOff: _marked,
    Resupplied: _marked,
    FuelSet: _fuel_set,
    WeatherSet: lambda _theatre, _state, _fact: "",
    Controlled: _controlled,
    DepotCaptured: _captured,
}
"""What may be ruled, each with what speaks against it."""
