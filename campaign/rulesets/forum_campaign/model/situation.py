"""The situation that the rules of movement, attack and supply read, made from knowledge or from the truth.

The same rules check a sheet against what its side knows, and execute it on the truth.
"""

import datetime
from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from campaign.engine.errors import EngineError
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import Value, replace
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.movement_costs import Terms
from campaign.rulesets.forum_campaign.model.options import Options
from campaign.rulesets.forum_campaign.model.state import COMMANDO, DepotStatus, Own, Sighting, State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import seen_commandos, seen_hexes, zone


class Basis(Enum):
    """What a situation is made from."""

    KNOWLEDGE = "knowledge"
    """A move that cannot be completed is not begun: its line is refused."""
    TRUTH = "truth"
    """A move that cannot be completed goes as far as it can (R4.7)."""


class Situation(Value, frozen=True, kw_only=True, dict=True):
    """What a side's units meet. Enemy hexes are those of ground units."""

    basis: Basis
    side: SideId
    date: datetime.date
    terms: Terms
    """What its steps cost."""
    fuel: int
    """R10 G1 The reserve in hand at the start of German movement."""
    units: Mapping[UnitId, Unit]
    """The side's own units, by id."""
    sightings: tuple[Sighting, ...]
    """What of the enemy the side knows of."""
    depots: Mapping[PlaceId, int]
    """R9.1 The worth of the depots that are neither captured nor destroyed."""
    retired: frozenset[UnitId]
    """Own units that are lost; no new unit takes their ids."""

    @property
    def game_data(self) -> GameData:
        return self.terms.game_data

    @property
    def options(self) -> Options:
        return self.terms.options

    @property
    def enemy(self) -> frozenset[PlaceId]:
        return self.terms.enemy

    @property
    def zone(self) -> frozenset[PlaceId]:
        """R5.1 The enemy's zones of control."""
        return self.terms.zone

    def with_units(self, units: Mapping[UnitId, Unit]) -> "Situation":
        return replace(self, units=units)

    def cleared(self) -> "Situation":
        """The same without any enemy: as good as the battles may make it (R4.5)."""
        none: frozenset[PlaceId] = frozenset()
        terms = replace(self.terms, enemy=none, zone=none, costly_zone=none, commandos=none)
        return replace(self, terms=terms, sightings=())

    def by_ground_alone(self) -> "Situation":
        """The same, but zones of control and commandos cost nothing, and no zone bars a road."""
        none: frozenset[PlaceId] = frozenset()
        return replace(self, terms=replace(self.terms, zone=none, costly_zone=none, commandos=none))

    @cached_property
    def seen_enemy(self) -> frozenset[PlaceId]:
        """Where the side knows of enemy ground units; needed only when a path comes near one."""
        return seen_hexes(self.sightings)

    def in_seen_zone(self, place: PlaceId) -> bool:
        """R5.1 Whether a hex lies in a zone of control that the side knows of."""
        return not self.seen_enemy.isdisjoint(self.game_data.open_neighbours(place))

    def at(self, place: PlaceId) -> tuple[Unit, ...]:
        """Own ground units in a hex."""
        return tuple(unit for unit in self.units.values() if unit.at == place and unit.ground)


def as_known(game_data: GameData, known: State, side: SideId) -> Situation:
    """The situation as a side knows it. Every enemy it sees counts as supplied: it cannot know better."""
    seen = seen_hexes(known.own[side].sightings)
    enemy = _Enemy(seen, seen, seen_commandos(known.own[side].sightings))
    return _situation(Basis.KNOWLEDGE, game_data, known, side, enemy)


def as_true(game_data: GameData, state: State, side: SideId) -> Situation:
    """The situation in truth."""
    return _situation(Basis.TRUTH, game_data, state, side, _enemy(state.own[enemy_of(side)]))


class _Enemy(NamedTuple):
    """The hexes of the enemy: ground units, those whose zones cost extra (R5.3), and commandos."""

    at: frozenset[PlaceId]
    costly: frozenset[PlaceId]
    commandos: frozenset[PlaceId]


def _enemy(own: Own) -> _Enemy:
    at: set[PlaceId] = set()
    commandos: set[PlaceId] = set()
    cut_off = False
    for unit in own.units.values():
        place = unit.at
        if place is not None:
            if unit.branch is COMMANDO:
                commandos.add(place)
            else:
                at.add(place)
                cut_off = cut_off or not unit.supplied
    occupied = frozenset(at)
    costly = frozenset([place for unit, place in on_map(own) if unit.supplied]) if cut_off else occupied
    return _Enemy(occupied, costly, frozenset(commandos))


def _situation(basis: Basis, game_data: GameData, state: State, side: SideId, enemy: _Enemy) -> Situation:
    if state.open.weather is None:
        raise EngineError("nobody can move before the first weather")
    around = zone(game_data, enemy.at)
    return Situation(
        basis=basis,
        side=side,
        date=state.open.date,
        terms=Terms(
            game_data=game_data,
            weather=state.open.weather.condition,
            options=state.open.options,
            enemy=enemy.at,
            zone=around,
            costly_zone=around if len(enemy.costly) == len(enemy.at) else zone(game_data, enemy.costly),
            commandos=enemy.commandos,
        ),
        fuel=state.open.fuel,
        units=state.own[side].units,
        sightings=state.own[side].sightings,
        depots=_depots(game_data, state),
        retired=frozenset(state.own[side].lost),
    )


def _depots(game_data: GameData, state: State) -> dict[PlaceId, int]:
    intact = DepotStatus.INTACT
    return {place: game_data.hexes[place].depot for place, status in state.open.depots.items() if status is intact}
