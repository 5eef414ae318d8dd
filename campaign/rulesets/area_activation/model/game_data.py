"""The map and the charts: constant in a campaign and known to everybody."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated

import msgspec

from campaign.engine.board.board import Board
from campaign.engine.display.views import Point
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import Value

GERMAN = SideId("german")
ALLIED = SideId("allied")
SIDES = (GERMAN, ALLIED)
SIDE_NAMES = {GERMAN: "German", ALLIED: "Allied"}
PEOPLE = {GERMAN: "the Germans", ALLIED: "the Allies"}

Small = Annotated[int, msgspec.Meta(ge=0, le=99)]
"""A number that a chart may hold."""

Border = tuple[PlaceId, PlaceId]
"""Two adjoining spaces; maps over borders hold both directions."""

Outline = tuple[Point, ...]
"""A line on the paper: the points along it."""


def enemy_of(side: SideId) -> SideId:
    return ALLIED if side == GERMAN else GERMAN


class Terrain(Enum):
    """R30 What covers a space."""

    CLEAR = "clear"
    BROKEN = "broken"
    WOODS = "woods"
    FOREST = "forest"


class Town(Enum):
    """R30 What is built in a space."""

    NONE = ""
    TOWN = "town"
    CITY = "city"


class Kind(Enum):
    """R15 How a unit moves."""

    INFANTRY = "infantry"
    MECHANIZED = "mechanized"
    ARMOR = "armor"


class Nation(Enum):
    """R38 Whose troops a unit has: it decides where it may arrive."""

    GERMAN = "GE"
    AMERICAN = "US"
    BRITISH = "UK"


class Edge(Enum):
    """R34 An edge of the map that a space touches."""

    NONE = ""
    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def side(self) -> SideId | None:
        """R34 Whose supply comes from there."""
        if self is Edge.NONE:
            return None
        return GERMAN if self is Edge.EAST else ALLIED


class Bank(Enum):
    """R23, R42 The bank of the Meuse on which a space lies."""

    NONE = ""
    NEAR = "E"
    """South and east of it, where the Germans come from."""
    FAR = "W"


@dataclass(frozen=True)
class Space:
    """An area of the map."""

    id: PlaceId
    name: str
    at: Point
    terrain: Terrain
    town: Town
    points: int
    """R42 What its control is worth."""
    control: SideId
    """R2 Who controls it at the start."""
    edge: Edge
    entries: frozenset[str]
    """R38 The letters of the units that arrive there."""
    is_exit: bool
    """R24"""
    bank: Bank
    artillery: bool
    """R28 It has the sign of German artillery."""
    shelter: int
    """R30 Hits that it takes off for a defender who controls it."""
    shelter_taken: int
    """R30 The same for a defender who does not."""

    def shelters(self, defender: SideId, holder: SideId) -> int:
        """R30 How many hits the space takes off."""
        return self.shelter if holder == defender else self.shelter_taken


@dataclass(frozen=True)
class Crossing:
    """What a border between two spaces is like."""

    road: bool
    river: str
    """The river that flows along it; empty: none."""
    great: bool
    """R23 The river is the Meuse."""
    line: Outline
    """The border on the paper."""


@dataclass(frozen=True)
class Card:
    """A unit as it is printed: constant, and known to both sides."""

    id: UnitId
    name: str
    side: SideId
    nation: Nation
    kind: Kind
    strength: int
    attack: int
    """R27 The die that hits when it attacks, or less."""
    defence: int
    bonus: bool
    """R26 It rolls one die more than its strength."""
    elite: bool
    """R28 It is elite: of infantry, attackers hit worse; of armor, its defence is lower."""
    start: PlaceId | None
    due: datetime.date | None
    """R38 The day on which it arrives."""
    entry: str
    """R38 The letter of the spaces where it arrives; empty for units that start, and for the OKW reserve."""

    @property
    def in_reserve(self) -> bool:
        """R39 It is of the OKW reserve."""
        return self.start is None and self.due is None

    @property
    def worth(self) -> int:
        """R42 The points that its loss costs its side."""
        return 1 if self.strength >= 4 else 0

    @property
    def drives(self) -> bool:
        """R15 It is armor or mechanized."""
        return self.kind is not Kind.INFANTRY

    @property
    def resists(self) -> bool:
        """R28 Attackers of a space where it defends hit worse."""
        return self.kind is Kind.ARMOR or (self.elite and self.kind is Kind.INFANTRY)


class Points(Value, frozen=True):
    """R40 Replacement points of a day."""

    armor: Small = 0
    infantry: Small = 0


class Victory(Enum):
    """How the winner is found."""

    POINTS = "points"
    """R43 By victory points and the thresholds of the calendar."""
    RACE = "race"
    """R44 By units at the Meuse."""


@dataclass(frozen=True)
class Day:
    """A line of the calendar."""

    date: datetime.date
    initiative: SideId
    """R6"""
    replacements: Mapping[SideId, Points]
    supply: frozenset[SideId]
    """R5 The sides whose supply is checked that morning."""
    german_win: int | None
    """R43 The points with which the Germans win that evening; None: the game goes on."""
    allied_win: int | None
    marked: int
    """R37 German units that the Allies mark as short of fuel."""
    refuelled: int
    """R37 How many of them the Germans free again."""
    german_strategic: bool
    """R19"""
    allied_air: bool
    """R28"""


@dataclass(frozen=True)
class GameData:
    title: str
    credit: str
    spaces: Mapping[PlaceId, Space]
    borders: Mapping[Border, Crossing]
    cards: Mapping[UnitId, Card]
    days: Mapping[datetime.date, Day]
    shore: tuple[Outline, ...]
    """The lines of the map's edge, from border to border."""
    out_of_supply: int
    """R27 The die that hits for a defender without supply or fuel."""
    attackers_bonus: datetime.date
    """R12 The last day of the German surprise."""
    british_free: datetime.date
    """R23 The day from which British units may cross the Meuse in any case."""
    commando: tuple[datetime.date, datetime.date]
    """R41 The first and last day of the commando operation."""
    no_attrition: datetime.date
    """R36 From this day Allied units suffer none."""
    meuse_points: int
    """R42"""
    victory: Victory
    goal: PlaceId | None
    """R44 The space whose control makes a draw of the race."""

    @cached_property
    def board(self) -> Board:
        """The spaces with their neighbours, both in the order of the map file."""
        near: dict[PlaceId, list[PlaceId]] = {place: [] for place in self.spaces}
        for a, b in self.borders:
            near[a].append(b)
        order = {place: number for number, place in enumerate(self.spaces)}
        return Board({place: sorted(adjoining, key=order.__getitem__) for place, adjoining in near.items()})

    @property
    def first_day(self) -> datetime.date:
        return min(self.days)

    @property
    def last_day(self) -> datetime.date:
        return max(self.days)

    def sources(self, side: SideId) -> Iterator[PlaceId]:
        """R34 The spaces at the side's edges of the map."""
        return (space.id for space in self.spaces.values() if space.edge.side == side)

    def entries(self, letters: str) -> Iterator[PlaceId]:
        """R38 The spaces with one of these letters."""
        return (space.id for space in self.spaces.values() if not space.entries.isdisjoint(letters))

    def touches_meuse(self, place: PlaceId) -> bool:
        """R23 Whether a space lies along the Meuse, on either bank."""
        return self.spaces[place].bank is not Bank.NONE
