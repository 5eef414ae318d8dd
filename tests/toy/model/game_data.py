"""What never changes and everybody knows: sides, areas and cards."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from campaign.engine.board.board import Board
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.value import Value

NORTH, SOUTH = SideId("north"), SideId("south")
SIDES = (NORTH, SOUTH)
SIDE_NAMES = {NORTH: "North", SOUTH: "South"}


class Card(Enum):
    AMBUSH = "ambush"
    EARTHWORKS = "earthworks"
    BARRAGE = "barrage"
    FLANKERS = "flankers"


class Use(Enum):
    """Who may play a card."""

    ATTACK = "attack"
    DEFENCE = "defence"


class CardLine(Value, frozen=True):
    """R4.3 A card of the chart."""

    use: Use
    bonus: int
    count: int
    """The number in the deck."""


class Area(Value, frozen=True):
    id: PlaceId
    name: str
    at: tuple[int, int]
    """Column and row on the map."""
    terrain: str
    points: int
    """R7.2 0: it is no objective."""


@dataclass(frozen=True)
class GameData:
    title: str
    first_day: datetime.date
    last_day: datetime.date
    areas: Mapping[PlaceId, Area]
    board: Board
    cards: Mapping[Card, CardLine]
    draw: int
    """R4.2 Cards drawn at dawn."""
    hand: int
    """R4.2 The most that a side holds."""


def enemy_of(side: SideId) -> SideId:
    return SOUTH if side == NORTH else NORTH
