"""What can happen. What each fact changes is in `evolve`, who learns of it in `release`."""

import datetime
from collections.abc import Mapping
from enum import Enum

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier
from tests.toy.model.game_data import Card
from tests.toy.model.orders import WhenAttacked
from tests.toy.model.state import Answer, Attack, Seen


class Halt(Enum):
    """Why a move ends early, or cannot be made."""

    GAP = "the areas are not linked"
    TOO_FAR = "a force moves two areas at most"
    OWN = "one of your forces is there"
    ENEMY = "the enemy is there"


class Turned(Fact, frozen=True):
    """R1 The sequence moves on. An attack is over when the turn is."""

    phase: PhaseKey
    date: datetime.date
    turn: SideId


class Shuffled(Fact, frozen=True):
    """R4.1 The deck has its order."""

    deck: tuple[Card, ...]


class Rested(Fact, frozen=True):
    """R1.2 All forces are fresh."""


class Opened(Fact, frozen=True):
    """R1.2 The day's first turn is this side's."""

    side: SideId


class Drawn(Fact, frozen=True):
    """R4.2 A side has taken a card off the deck. Others do not learn which."""

    side: SideId
    card: Card | None


class Played(Fact, frozen=True):
    """R4.3 A card leaves a hand."""

    side: SideId
    card: Card


class Passed(Fact, frozen=True):
    """R1.4"""

    side: SideId


class Acted(Fact, frozen=True):
    """R1.3 A side uses its turn."""

    side: SideId


class Moved(Fact, frozen=True):
    """R3 A force has moved, and is spent."""

    side: SideId
    force: UnitId
    start: PlaceId
    path: tuple[PlaceId, ...]
    met: PlaceId | None = None
    """R3.2 The enemy's area that it stopped at."""


class Attacked(Fact, frozen=True):
    """R5.1 A force attacks, and is spent."""

    attack: Attack


class AttackLapsed(Fact, frozen=True):
    """R5.1 Nobody was there, but the force is spent."""

    side: SideId
    force: UnitId
    at: PlaceId


class Answered(Fact, frozen=True):
    """R5.2"""

    side: SideId
    answer: Answer
    card: Card | None = None


class StandingOrdersGiven(Fact, frozen=True):
    """R5.6 A side's standing orders are these from now on."""

    side: SideId
    orders: tuple[WhenAttacked, ...]


class Fought(Fact, frozen=True):
    """R5.3 The dice have decided. Each side learns its own sum, since strengths are secret."""

    at: PlaceId
    winner: SideId
    sums: Mapping[SideId, tuple[Modifier, ...]]


class Weakened(Fact, frozen=True):
    """R5.4 A force loses a point of strength."""

    side: SideId
    force: UnitId


class FellBack(Fact, frozen=True):
    """R5.2, R5.4"""

    side: SideId
    force: UnitId
    to: PlaceId


class Advanced(Fact, frozen=True):
    """R5.5"""

    side: SideId
    force: UnitId
    to: PlaceId


class Destroyed(Fact, frozen=True):
    """R5.4"""

    side: SideId
    force: UnitId
    name: str


class Scouted(Fact, frozen=True):
    """R6.1 What each side sees of the enemy now."""

    pictures: Mapping[SideId, tuple[Seen, ...]]


class Taken(Fact, frozen=True):
    """R7.1 An objective changes hands."""

    place: PlaceId
    side: SideId


class Ended(Fact, frozen=True):
    """R7.2"""

    winner: SideId | None
    points: Mapping[SideId, int]


class ForcePlaced(Fact, frozen=True):
    """R8.1"""

    side: SideId
    force: UnitId
    at: PlaceId


class StrengthSet(Fact, frozen=True):
    """R8.1"""

    side: SideId
    force: UnitId
    strength: int
