"""The situation: the one picture that rules of movement, attack and supply read, made from knowledge or from truth.

Checking a sheet walks it over what its side knows; adjudication walks it over what is. Both are the same walk.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from campaign.engine.errors import EngineError
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.state import State, Unit
from campaign.rulesets.forum_campaign.theatre import Theatre, Weather, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, supplied_hexes, zone


class Basis(Enum):
    """What a situation is made from."""

    KNOWLEDGE = "knowledge"
    """A move that cannot be completed is not begun: its line is refused."""
    TRUTH = "truth"
    """A move that cannot be completed goes as far as it can (R4.7)."""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a side's units meet. Hexes of the enemy are those of its ground units."""

    basis: Basis
    theatre: Theatre
    side: SideId
    date: datetime.date
    weather: Weather
    fuel: int
    """R10 G1 The reserve in hand at the start of German movement."""
    units: Mapping[UnitId, Unit]
    """The side's own units, by id."""
    enemy: frozenset[PlaceId]
    zone: frozenset[PlaceId]
    """R5.1 The enemy's zones of control."""
    costly_zone: frozenset[PlaceId]
    """R5.3 Those that cost extra."""
    seen_enemy: frozenset[PlaceId]
    seen_zone: frozenset[PlaceId]
    """What of these the side knows of."""
    ways: dict[PlaceId, tuple[tuple[PlaceId, int], ...]] = field(default_factory=dict, compare=False, repr=False)
    """What it costs to go on from a hex, by where: kept by `movement` for the searches of a whole sheet. Nothing in it
    depends on where the side's own units are."""

    def with_units(self, units: Mapping[UnitId, Unit]) -> "Situation":
        return replace(self, units=units)

    def at(self, place: PlaceId) -> tuple[Unit, ...]:
        """Own units in a hex."""
        return tuple(unit for unit in self.units.values() if unit.at == place)


def as_known(theatre: Theatre, known: State, side: SideId) -> Situation:
    """What a side's slice tells it. Every enemy it sees counts as supplied: it cannot know better."""
    seen = frozenset(sighting.at for sighting in known.own[side].sightings)
    seen_zone = zone(theatre, seen)
    return _situation(Basis.KNOWLEDGE, theatre, known, side, enemy=seen, zone_=seen_zone, costly=seen_zone, seen=seen)


def as_true(theatre: Theatre, state: State, side: SideId) -> Situation:
    """What is."""
    enemy = state.own[enemy_of(side)]
    seen = frozenset(sighting.at for sighting in state.own[side].sightings)
    return _situation(
        Basis.TRUTH,
        theatre,
        state,
        side,
        enemy=occupied_hexes(enemy),
        zone_=zone(theatre, occupied_hexes(enemy)),
        costly=zone(theatre, supplied_hexes(enemy)),
        seen=seen,
    )


def _situation(
    basis: Basis,
    theatre: Theatre,
    state: State,
    side: SideId,
    *,
    enemy: frozenset[PlaceId],
    zone_: frozenset[PlaceId],
    costly: frozenset[PlaceId],
    seen: frozenset[PlaceId],
) -> Situation:
    if state.open.weather is None:
        raise EngineError("nobody can move before the first weather")
    return Situation(
        basis=basis,
        theatre=theatre,
        side=side,
        date=state.open.date,
        weather=state.open.weather.condition,
        fuel=state.open.fuel,
        units=state.own[side].units,
        enemy=enemy,
        zone=zone_,
        costly_zone=costly,
        seen_enemy=seen,
        seen_zone=zone(theatre, seen),
    )
