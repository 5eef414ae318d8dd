"""The map and the charts: constant in a campaign and known to everybody."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cached_property
from typing import Annotated

import msgspec

from campaign.engine.board.board import Board
from campaign.engine.board.hexes import Grid
from campaign.engine.display.views import Backdrop
from campaign.engine.orders.lexicon import Lexicon, lexicon
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.value import Value

GERMAN = SideId("german")
ALLIED = SideId("allied")
SIDES = (GERMAN, ALLIED)
PEOPLE = {GERMAN: "the Germans", ALLIED: "the Allies"}
NEAR = 2
"""The most hexes between a battle and the town after which it is named."""

Points = Annotated[int, msgspec.Meta(ge=0, le=99)]
"""A small number that a chart may hold."""
AtLeastOne = Annotated[int, msgspec.Meta(ge=1, le=99)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Worth = Annotated[int, msgspec.Meta(ge=1, le=1000)]

Edge = tuple[PlaceId, PlaceId]
"""Two adjoining hexes; maps over edges hold both directions."""


def enemy_of(side: SideId) -> SideId:
    return ALLIED if side == GERMAN else GERMAN


class Weather(Enum):
    """R2.1 The five conditions."""

    STORM = "Storm"
    SNOW = "Snow"
    WET = "Wet"
    GLOOMY = "Gloomy"
    SUNNY = "Sunny"


class Terrain(Enum):
    """R6.1 What covers a hex."""

    CLEAR = "clear"
    ROUGH = "rough"
    FOREST = "forest"
    VALLEY = "valley"
    MARSH = "marsh"
    CITY = "city"


class Echelon(Enum):
    """The size of a formation, the smallest first."""

    UNKNOWN = ""
    TEAM = "team"
    BATTALION = "battalion"
    REGIMENT = "regiment"
    BRIGADE = "brigade"
    DIVISION = "division"


class Branch(Enum):
    """The arm of a unit."""

    INFANTRY = "infantry"
    AIRBORNE = "airborne"
    ARMOR = "armor"
    MECHANIZED = "mechanized"
    COMMANDO = "commando"


class Box(StrEnum):
    """R3.3 The missions of air units. Text, as states use it for a key."""

    SUPERIORITY = "superiority"
    CAS = "cas"
    INTERDICTION = "interdiction"
    DROP = "drop"


class Goods(StrEnum):
    """R14.2 What points buy. Text, as states use it for a key."""

    MEN = "men"
    AT_GUNS = "at"
    HEAVY_AT_GUNS = "heavy-at"
    AA_GUNS = "aa"
    HEAVY_AA_GUNS = "heavy-aa"
    TANKS = "tanks"


class RoadClass(Enum):
    PRIMARY = "primary"
    SECONDARY = "secondary"


class RiverClass(Enum):
    """R6.2 Light blue and dark blue on the map."""

    RIVER = "river"
    MEUSE = "meuse"


class Hex(Value, frozen=True):
    id: PlaceId
    terrain: Terrain
    control: SideId
    """The side that holds it on the first morning."""
    country: str = ""
    town: str = ""
    importance: int = 0
    victory_points: int = 0
    depot: int = 0
    """Fuel points of the depot there; 0: no depot."""
    fortified: bool = False


class River(Value, frozen=True):
    kind: RiverClass
    names: tuple[str, ...]


class Entry(Value, frozen=True):
    """R14, 2.9 Where a road comes onto the map, for the reinforcements of one side."""

    name: str
    hex: PlaceId
    edge: str
    """The map's edge it lies on: N, E, S or W."""
    side: SideId


class WeatherBand(Value, frozen=True):
    """R2.3 A line of the weather table: rolls `low` to `high` of a day."""

    low: int
    high: int
    weather: Weather
    allied: int
    german: int
    """Modifiers to the air units of each side."""


class TerrainCost(Value, frozen=True):
    """R6.1 Movement points by weather; None: the road does not help."""

    sunny: AtLeastOne | None = None
    gloomy: AtLeastOne | None = None
    snow: AtLeastOne | None = None
    wet: AtLeastOne | None = None
    storm: AtLeastOne | None = None

    def in_weather(self, weather: Weather) -> int | None:
        cost: int | None = getattr(self, weather.name.lower())
        return cost


class Fuel(Value, frozen=True):
    """R10 German fuel."""

    start: Points
    income: Points
    infantry_per_point: AtLeastOne
    mechanized_per_point: AtLeastOne
    advance_counts: bool = False
    """R10.6 Whether a mechanized unit that advances or pursues uses fuel even where the campaign has not chosen it.

    Scenarios of older releases said so here.
    """


class Sight(Value, frozen=True):
    """R15.2 How far a ground unit sees."""

    identity: Points
    type: Points


class AirRules(Value, frozen=True):
    """R3 Dice and missions in the air."""

    die: AtLeastOne
    """R3.1 Rolled by each side for its air units."""
    interdiction_die: AtLeastOne
    planes: AtLeastOne
    """R3.10 Planes in a battle for each air unit of close support."""
    missions: Mapping[Weather, Mapping[SideId, tuple[Box, ...]]]
    """R3.4 What each side may fly in each weather."""


class Commandos(Value, frozen=True):
    """R11 Commandos and the airdrop."""

    last_day: datetime.date
    """R11.6 At the end of this day they are removed."""
    drop_zone: frozenset[PlaceId]
    """R11.8 Where paratroops may jump."""
    whole_drop_zone: frozenset[PlaceId]
    """R11.8 Where they may jump in a campaign that has chosen all of the rows (2.10)."""

    def zone(self, *, whole: bool) -> frozenset[PlaceId]:
        """R11.8 Where paratroops may jump in a campaign that has chosen so."""
        return self.whole_drop_zone if whole else self.drop_zone


class Ware(Value, frozen=True):
    """R14.2 What one purchase gives a unit."""

    goods: Goods
    points: AtLeastOne
    amount: AtLeastOne
    """Percent of the establishment, guns or tanks."""
    names: Mapping[SideId, str]
    """What it is called on each side."""


class Purchases(Value, frozen=True):
    """R14 What each side may buy at the end of a turn."""

    points: Points
    wares: tuple[Ware, ...]


class Toll(Value, frozen=True):
    """What a resolved battle costs each side, in percent of what it has, before the die is added."""

    attackers: Percent
    defenders: Percent


class OddsLine(Value, frozen=True):
    """A line of the resolver's table: from these odds on, attackers in percent of defenders."""

    at: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    chance: Percent
    """Of the attackers to win."""
    won: Toll
    """If the attackers win."""
    held: Toll


class ResolverRules(Value, frozen=True):
    """2.10 How the rules themselves decide a battle."""

    arms: Mapping[Branch, Worth]
    """What a full formation is worth at 100 percent."""
    small: Percent
    """Percent of it for units small from the start."""
    medium_tank: Points
    heavy_tank: Points
    gun: Points
    heavy_gun: Points
    air_unit: Points
    artillery: Points
    direction: Percent
    """R12.1 Percent more for the attackers for each hex, except one, from which they attack."""
    river: Percent
    """Percent less if all of them cross a river."""
    weather: Mapping[Weather, Annotated[int, msgspec.Meta(ge=-90, le=100)]]
    terrain: Mapping[Terrain, Percent]
    """Percent more for the defenders; the same below."""
    town: Percent
    dug_in: Percent
    entrenched: Percent
    fortified: Percent
    loss_die: Annotated[int, msgspec.Meta(ge=2, le=100)]
    tank_losses: Percent
    odds: tuple[OddsLine, ...]
    sides: Mapping[SideId, Worth] = {}
    """Percent of their worth that the units of a side count for; 100 for a side that is not named."""


class MovementCosts(Value, frozen=True):
    """R5.2, R6.1, R6.2 What it costs to enter a hex."""

    terrain: Mapping[Terrain, TerrainCost]
    town: TerrainCost
    town_from_importance: Points
    primary_road: TerrainCost
    secondary_road: TerrainCost
    river: Points
    meuse: Points
    enter_zoc: Points
    leave_zoc: Points
    commando: Points
    """R6.3 Extra for an Allied unit to enter a hex that holds a commando."""


class Charts(Value, frozen=True):
    """The tables a GM can edit."""

    weather_die: int
    weather: Mapping[datetime.date, tuple[WeatherBand, ...]]
    movement: MovementCosts
    fuel: Fuel
    sight: Sight
    air: AirRules
    commandos: Commandos
    purchases: Purchases
    resolver: ResolverRules
    options: Mapping[str, str] = {}
    """2.10 Answers that the tables are made for: a campaign has them unless its founder chooses others."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GameData:
    """Map, charts and calendar of a campaign. Equal only to itself, so that caches can use it as a key."""

    title: str
    credit: str
    scale: str
    first_day: datetime.date
    last_day: datetime.date
    charts: Charts
    hexes: Mapping[PlaceId, Hex]
    grid: Grid
    board: Board
    roads: Mapping[Edge, RoadClass]
    bridges: frozenset[Edge]
    rivers: Mapping[Edge, River]
    closed: frozenset[Edge]
    """R6.5 Hexsides of quiet sectors, closed to movement, zones of control and supply."""
    frontiers: frozenset[Edge]
    entries: tuple[Entry, ...]
    supply_edge: Mapping[SideId, frozenset[PlaceId]]
    """R7.2 Each side's board edge."""
    air_on_first_day: bool = True
    """R1.5 Whether the first day has air units, and an air sheet."""
    roads_out: Mapping[Edge, RoadClass] = field(default_factory=dict)
    """Roads that leave the map: the hex, and the next one, which is not on it. They are only drawn."""
    backdrop: Backdrop | None = None
    """The scenario's own picture of the country, if it has one; without the picture itself."""

    def is_town(self, place: PlaceId) -> bool:
        """R6.1 Whether the town line of the chart applies."""
        here = self.hexes[place]
        return here.terrain is Terrain.CITY or here.importance >= self.charts.movement.town_from_importance

    def open_neighbours(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """Adjoining hexes, except those behind a closed hexside (R6.5)."""
        return self.open_board.neighbours(place)

    @cached_property
    def open_board(self) -> Board:
        """The board without its closed hexsides."""
        return self.board.without(self.closed)

    @cached_property
    def place_names(self) -> Lexicon[PlaceId]:
        """Hexes as orders name them: by number and town."""
        places = {id_: (id_, hex_.town) if hex_.town else (id_,) for id_, hex_ in self.hexes.items()}
        return lexicon("a place on this map", places, ids="a hex of this map", path_help=self._path_help)

    @property
    def _path_help(self) -> str:
        """How a path is written, by an example: from a town of this map over the next two hexes."""
        towns = {id_: hex_.town for id_, hex_ in self.hexes.items() if hex_.town}
        start = max(towns or self.hexes, key=lambda id_: self.hexes[id_].importance)
        path = [start]
        for _ in range(2):
            path += [near for near in self.board.neighbours(path[-1]) if near not in path][:1]
        town = f"; for a town write: to {towns[start]}" if start in towns else ""
        return f"A path is written in hex numbers, {'-'.join(path)}{town}."

    def place_name(self, place: PlaceId) -> str:
        """A hex as reports name it: `St. Vith (P18)` or `Q19`."""
        town = self.hexes[place].town
        return f"{town} ({place})" if town else place

    def battle_title(self, place: PlaceId) -> str:
        """A battle as people read it: `Battle of Clervaux (K16)`, `Battle near St. Vith (O18)`; or its hex."""
        near = "" if self.hexes[place].town else self._town_near(place)
        return f"Battle near {near} ({place})" if near else f"Battle of {self.place_name(place)}"

    def _town_near(self, place: PlaceId) -> str:
        """The nearest town, at most two hexes away; of several the most important one. Empty: there is none."""
        ring, seen = {place}, {place}
        for _ in range(NEAR):
            ring = {near for each in ring for near in self.board.neighbours(each)} - seen
            seen |= ring
            towns = sorted((-self.hexes[each].importance, each) for each in ring if self.hexes[each].town)
            if towns:
                return self.hexes[towns[0][1]].town
        return ""
