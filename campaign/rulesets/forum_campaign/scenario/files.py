"""What a scenario's files hold: scenario.toml, tables.toml or shared charts, map.json, units.csv."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from campaign.engine.board.hexes import Numbering
from campaign.engine.display.backdrops import Background
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.game_data import (
    AtLeastOne,
    Box,
    Branch,
    Echelon,
    Fuel,
    Goods,
    Points,
    ResolverRules,
    RoadClass,
    Sight,
    Terrain,
    TerrainCost,
    Weather,
)

SideName = Literal["german", "allied"]
PlayerCount = Annotated[int, msgspec.Meta(ge=2, le=100)]
AirModifier = Annotated[int, msgspec.Meta(ge=-99, le=99)]


# --- scenario.toml ---------------------------------------------------------------------------------------------------


class Head(Value, frozen=True):
    """scenario.toml: title, dates and other facts about the scenario."""

    title: str
    ruleset: str
    first_day: datetime.date
    last_day: datetime.date
    credit: str
    scale: str
    charts: str = ""
    """The charts that it shares with other scenarios, charts/<name>.toml; empty: it has its own in tables.toml."""
    great_river: str = "Meuse"
    """R6.2 The river drawn dark blue."""
    air_on_first_day: bool = True
    """R1.5 If false, the first day begins with German movement, and nothing flies on it."""
    background: Background | None = None
    about: Annotated[str, msgspec.Meta(max_length=300)] = ""
    """A sentence for people who choose a scenario."""
    players: tuple[PlayerCount, PlayerCount] | None = None
    """The fewest and the most players that it suits, both sides together."""


# --- tables.toml and charts/ -----------------------------------------------------------------------------------------


class RollLine(Value, frozen=True):
    roll: tuple[int, int]
    weather: Weather
    allied: AirModifier
    german: AirModifier


class WeatherDay(Value, frozen=True):
    date: datetime.date
    lines: tuple[RollLine, ...]


class WeatherTable(Value, frozen=True):
    die: Annotated[int, msgspec.Meta(ge=2, le=1000)]
    day: tuple[WeatherDay, ...]


class MovementTable(Value, frozen=True):
    terrain: Mapping[Terrain, TerrainCost]
    town: TerrainCost
    town_from_importance: Points
    primary_road: TerrainCost
    secondary_road: TerrainCost
    river: Points
    meuse: Points
    enter_zone_of_control: Points
    leave_zone_of_control: Points
    commando: Points


class AirTable(Value, frozen=True):
    die: AtLeastOne
    interdiction_die: AtLeastOne
    planes: AtLeastOne
    missions: Mapping[Weather, Mapping[SideName, tuple[Box, ...]]]


class CommandoTable(Value, frozen=True):
    last_day: datetime.date
    drop_rows: tuple[str, ...]
    """Row letters of the paratroops' drop zone."""
    drop_from_column: Points = 0
    """Its westernmost column."""


class WareLine(Value, frozen=True):
    goods: Goods
    points: AtLeastOne
    amount: AtLeastOne
    german: str
    allied: str


class PurchaseTable(Value, frozen=True):
    points: Points
    ware: tuple[WareLine, ...]


class Tables(Value, frozen=True):
    """tables.toml or shared charts: the tables that a GM may edit."""

    weather: WeatherTable
    movement: MovementTable
    fuel: Fuel
    sight: Sight
    air: AirTable
    commandos: CommandoTable
    purchases: PurchaseTable
    resolver: ResolverRules
    options: Mapping[str, str] = {}
    """2.10 Answers that these tables are made for. Campaigns have them unless their founder chooses others."""


# --- map.json --------------------------------------------------------------------------------------------------------


class _MapPart(msgspec.Struct, frozen=True):
    """A part of map.json; fields that the rules do not need are allowed."""


class MapHex(_MapPart, frozen=True):
    id: PlaceId
    terrain: Terrain
    control: SideName
    country: str = ""
    town: str = ""
    importance: Points = 0
    vp: Points = 0
    depot: Points = 0
    fortified: bool = False


class MapRoad(_MapPart, frozen=True, rename={"kind": "class"}):
    a: PlaceId
    b: PlaceId
    kind: RoadClass
    bridge: bool = False


class MapExit(_MapPart, frozen=True, rename={"kind": "class"}):
    """A road that leaves the map."""

    hex: PlaceId
    to: PlaceId
    """The next hex, which is not on the map."""
    kind: RoadClass


class MapRiver(_MapPart, frozen=True):
    a: PlaceId
    b: PlaceId
    names: tuple[str, ...] = ()


class MapEntry(_MapPart, frozen=True):
    name: str
    hex: PlaceId
    edge: Literal["N", "E", "S", "W"]
    side: SideName


class MapFile(_MapPart, frozen=True):
    """map.json"""

    hexes: tuple[MapHex, ...]
    numbering: Numbering = Numbering()
    roads: tuple[MapRoad, ...] = ()
    roads_out: tuple[MapExit, ...] = ()
    rivers: tuple[MapRiver, ...] = ()
    frontiers: tuple[tuple[PlaceId, PlaceId, str], ...] = ()
    closed_hexsides: tuple[tuple[PlaceId, PlaceId], ...] = ()
    entries: tuple[MapEntry, ...] = ()
    supply: Mapping[SideName, tuple[PlaceId, ...]] = {}


# --- units.csv -------------------------------------------------------------------------------------------------------


class UnitRow(msgspec.Struct, frozen=True, rename={"branch": "class"}):
    """A line of units.csv."""

    id: UnitId
    label: str
    name: str
    side: SideName
    branch: Branch
    size: Literal["full", "small"]
    movement: int
    arrives: datetime.date
    how: Literal["setup", "reinforcement", "airdrop"]
    hex: PlaceId | None = None
    echelon: Echelon = Echelon.UNKNOWN
    establishment: int = 100
    """R12.11 What it has at the start, in percent of a full formation of its kind."""
    strength: int = 100
    """In files of older releases, which counted all percentages of full formations. Now every unit starts at 100."""
    army: str = ""
    corps: str = ""
