"""Air missions on the map: what was flown over which hex, what is planned, what supports a battle.

The boxes as a whole, superiority among them, are on the quick-reference chart instead.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.display.views import Flight
from campaign.engine.facts import Disclosure, Fact
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.air.airdrop import PAIR
from campaign.rulesets.forum_campaign.model.facts.air import AirDropped, Interdicted, Landed, Landing
from campaign.rulesets.forum_campaign.model.facts.battle import Supported
from campaign.rulesets.forum_campaign.model.game_data import ALLIED
from campaign.rulesets.forum_campaign.model.signs import (
    CLOSE_SUPPORT,
    FAILED,
    FLOWN,
    INTERDICTION,
    PARADROP,
    PLANNED,
    SUPPLY_DROP,
)
from campaign.rulesets.forum_campaign.model.state import Own, State

_BEFORE_THEY_FLY = PhaseKey("removals")
"""R3.7 In a campaign with a phase for removals, missions are on record before they are flown."""


def flights(known: State, disclosed: Sequence[Disclosure[Any]]) -> tuple[Flight, ...]:
    """The missions that an audience knows: its own, and those disclosed to it; each once."""
    units: dict[Flight, int] = {}
    for flight in _flights(known, disclosed):
        alike = replace(flight, units=0)
        units[alike] = units.get(alike, 0) + flight.units
    return tuple(replace(flight, units=count) for flight, count in units.items())


def _flights(known: State, disclosed: Sequence[Disclosure[Any]]) -> Iterator[Flight]:
    if known.open.phase == _BEFORE_THEY_FLY:
        for side, own in known.own.items():
            yield from _planned(side, own)
    for line in disclosed:
        yield from _flown(line.fact)
    yield from _in_support(known, disclosed)


def _planned(side: SideId, own: Own) -> Iterator[Flight]:
    """R3.8, R3.9, R11.8 Missions that removals may still prevent."""
    missions = own.missions
    for target in missions.interdictions:
        yield Flight(target.at, INTERDICTION.key, side, target.air_units, PLANNED.key)
    for unit in missions.drops:
        at = own.units[unit].at if unit in own.units else None
        if at is not None:
            yield Flight(at, SUPPLY_DROP.key, side, PAIR, PLANNED.key)
    if missions.jump is not None:
        yield Flight(missions.jump.at, PARADROP.key, side, sortie=PLANNED.key)


def _flown(fact: Fact) -> Iterator[Flight]:
    match fact:
        case Interdicted():
            sortie = FLOWN if fact.success else FAILED
            yield Flight(fact.at, INTERDICTION.key, ALLIED, fact.air_units, sortie.key)
        case AirDropped(at=at) if at is not None:
            yield Flight(at, SUPPLY_DROP.key, fact.side, PAIR, FLOWN.key)
        case Landed() if fact.landing is not Landing.CALLED_OFF:
            sortie = FAILED if fact.landing is Landing.ELIMINATED else FLOWN
            yield Flight(fact.at, PARADROP.key, fact.side, sortie=sortie.key)


def _in_support(known: State, disclosed: Sequence[Disclosure[Any]]) -> Iterator[Flight]:
    """R3.10 Close air support in pending battles, and in those opened and fought since the last phase."""
    disclosures = [line.fact for line in disclosed if isinstance(line.fact, Supported)]
    units: dict[tuple[SideId, PlaceId], int] = {(fact.side, fact.at): fact.support.air_units for fact in disclosures}
    units |= {(side, at): support.air_units for side, own in known.own.items() for at, support in own.support.items()}
    for (side, at), count in sorted(units.items()):
        if count:
            yield Flight(at, CLOSE_SUPPORT.key, side, count, FLOWN.key)
