"""The files of a scenario as they are written."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from campaign.engine.display.views import Point
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import Value
from campaign.rulesets.area_activation.model.game_data import (
    Bank,
    Edge,
    Kind,
    Nation,
    Outline,
    Points,
    Small,
    Terrain,
    Town,
    Victory,
)

SideName = Literal["german", "allied"]
Strength = Annotated[int, msgspec.Meta(ge=1, le=6)]
Chance = Annotated[int, msgspec.Meta(ge=0, le=10)]


class Head(Value, frozen=True):
    """scenario.toml"""

    title: str
    ruleset: str
    first_day: datetime.date
    last_day: datetime.date
    credit: str = ""
    about: str = ""
    players: tuple[int, int] | None = None
    victory: Victory = Victory.POINTS
    goal: PlaceId | None = None
    based_on: str = ""
    """The folder of the scenario whose map, units and tables it uses."""


class SpaceLine(Value, frozen=True):
    """A space of map.json."""

    id: PlaceId
    name: str
    at: Point
    terrain: Terrain
    control: SideName
    shelter: tuple[Small, Small]
    """R30 Hits taken off for a defender who controls it, and for one who does not."""
    town: Town = Town.NONE
    points: Small = 0
    edge: Edge = Edge.NONE
    entries: str = ""
    exit: bool = False
    bank: Bank = Bank.NONE
    artillery: bool = False


class BorderLine(Value, frozen=True):
    """A border of map.json, which both spaces share."""

    a: PlaceId
    b: PlaceId
    line: Outline
    road: bool = False
    river: str = ""


class MapFile(Value, frozen=True):
    """map.json"""

    spaces: tuple[SpaceLine, ...]
    borders: tuple[BorderLine, ...]
    shore: tuple[Outline, ...]
    """The edge of the map, from border to border."""


class UnitRow(msgspec.Struct, frozen=True):
    """A line of units.csv."""

    id: UnitId
    name: str
    side: SideName
    nation: Nation
    kind: Kind
    strength: Strength
    attack: Chance
    defence: Chance
    bonus: Literal["yes", ""] = ""
    elite: Literal["yes", ""] = ""
    start: PlaceId | None = None
    due: datetime.date | None = None
    entry: str = ""


class DayLine(Value, frozen=True):
    """A day of tables.toml."""

    date: datetime.date
    initiative: SideName
    replacements: Mapping[SideName, Points] = {}
    supply: tuple[SideName, ...] = ()
    german_win: int | None = None
    allied_win: int | None = None
    marked: Small = 0
    refuelled: Small = 0
    german_strategic: bool = False
    allied_air: bool = False


class Tables(Value, frozen=True):
    """tables.toml"""

    attackers_bonus: datetime.date
    british_free: datetime.date
    commando: tuple[datetime.date, datetime.date]
    no_attrition: datetime.date
    out_of_supply: Chance
    meuse_points: Small
    day: tuple[DayLine, ...]
