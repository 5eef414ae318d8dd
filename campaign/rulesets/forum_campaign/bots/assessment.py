"""A bot's assessment of its side's state: where units are, how strong they may be, and what is worth having."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.bots.style import Style
from campaign.rulesets.forum_campaign.day.supply import along_lines
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Echelon, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.situation import Situation, as_known
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Sighting, State, Unit, UnitType

_BY_TYPE = {
    UnitType.ARMOUR: 110.0,
    UnitType.INFANTRY: 80.0,
    UnitType.PANZERGRENADIER: 70.0,
    UnitType.CONTACT: 75.0,
    UnitType.COMMANDO: 0.0,
}
"""The assumed strength of an enemy that is known by type only."""
_BY_ECHELON = {Echelon.REGIMENT: 45.0, Echelon.BRIGADE: 60.0, Echelon.BATTALION: 20.0, Echelon.TEAM: 0.0}
_DEPOT_WORTH = 0.5
"""Worth of a fuel point, in victory points."""
_FAR = 60


@dataclass(frozen=True)
class Assessment:
    """The open phase as one side sees it. All of it comes from the side's own state."""

    game_data: GameData
    known: State
    side: SideId
    style: Style
    situation: Situation
    wanted: dict[PlaceId, float] = field(default_factory=dict)
    """What there is to gain or to keep, as far as no unit sees to it yet."""

    @property
    def units(self) -> Mapping[UnitId, Unit]:
        return self.situation.units

    @cached_property
    def enemies(self) -> dict[PlaceId, float]:
        """The assumed strength in each enemy hex in sight."""
        found: dict[PlaceId, float] = {}
        for seen in self.known.own[self.side].sightings:
            if seen.type is not UnitType.COMMANDO:
                found[seen.at] = found.get(seen.at, 0.0) + _guess(seen)
        return found

    @cached_property
    def supplied(self) -> frozenset[PlaceId]:
        """The hexes in which a unit would be in supply, as far as the side knows."""
        lines = along_lines(self.game_data, self.side, self.situation.enemy)
        return self.game_data.open_board.places_of(lines)

    @cached_property
    def _distances(self) -> dict[PlaceId, dict[PlaceId, int]]:
        places, distance = self.game_data.hexes, self.game_data.grid.distance
        return {goal: {place: distance(goal, place) for place in places} for goal in sorted(self.wanted)}

    def power(self, unit: Unit) -> float:
        """The strength of an own unit in an attack, by the resolver's chart."""
        rules = self.game_data.charts.resolver
        worth = unit.strength * unit.establishment * rules.arms.get(unit.branch, 0) / 10_000
        worth *= rules.small / 100 if unit.small_from_start else 1.0
        worth += unit.tanks * rules.medium_tank + unit.heavy_tanks * rules.heavy_tank
        return worth * rules.sides.get(self.side, 100) / 100

    def resistance(self, target: PlaceId) -> float:
        """The strength of an enemy hex in defence, with its ground and positions as far as they are seen."""
        rules, here = self.game_data.charts.resolver, self.game_data.hexes[target]
        percent = rules.terrain.get(here.terrain, 0) + (rules.town if self.game_data.is_town(target) else 0)
        level = self.known.own[self.side].seen_positions.get(target, 0)
        percent += (0, rules.dug_in, rules.entrenched)[level]
        if self.side != GERMAN and here.fortified:
            percent += rules.fortified
        return self.enemies[target] * (1 + percent / 100)

    def pull(self, place: PlaceId) -> float:
        """How near a hex is to all that no unit sees to yet."""
        return sum(worth / (1 + self._distances[goal][place]) for goal, worth in self.wanted.items())

    def see_to(self, place: PlaceId, *, share: float) -> None:
        """A unit sees to what is in or next to this hex: less of it is left for others."""
        for goal in self.wanted:
            if self._distances[goal][place] <= 1:
                self.wanted[goal] *= 1 - share

    def nearest_enemy(self, place: PlaceId) -> int:
        """Hexes to the nearest enemy in sight."""
        return min((self.game_data.grid.distance(place, enemy) for enemy in self.enemies), default=_FAR)


def assess(game_data: GameData, known: State, side: SideId, style: Style) -> Assessment:
    """The assessment of the open phase."""
    seen = Assessment(game_data, known, side, style, as_known(game_data, known, side))
    for place, holder in known.open.control.items():
        worth = float(game_data.hexes[place].victory_points)
        if holder != side:
            seen.wanted[place] = worth * seen.style.onward
        else:
            seen.wanted[place] = worth * seen.style.hold
    for place, status in known.open.depots.items():
        if status is DepotStatus.INTACT:
            asked = 1.0 if side == GERMAN else seen.style.hold
            seen.wanted[place] = seen.wanted.get(place, 0.0) + game_data.hexes[place].depot * _DEPOT_WORTH * asked
    return seen


def _guess(seen: Sighting) -> float:
    if seen.unit is None or seen.echelon not in _BY_ECHELON:
        return _BY_TYPE[seen.type]
    return _BY_ECHELON[seen.echelon]


def enemy_objective(seen: Assessment, place: PlaceId) -> bool:
    return seen.known.open.control.get(place) == enemy_of(seen.side)
