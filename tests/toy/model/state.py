"""The state of a game, in the parts that decide who may see it."""

import datetime
from collections.abc import Mapping
from enum import Enum

from campaign.engine import state as engine
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.value import Value
from tests.toy.model.game_data import Card
from tests.toy.model.options import Options
from tests.toy.model.orders import WhenAttacked

FULL_STRENGTH = 3


class Force(Value, frozen=True):
    id: UnitId
    name: str
    at: PlaceId
    strength: int
    brigade: str = ""
    spent: bool = False
    """R1.3 It has acted today."""


class Answer(Enum):
    """R5.2 The action of the attacked side."""

    STANDS = "stands"
    FALLS_BACK = "falls back"


class Attack(Value, frozen=True):
    """R5.1 An attack in progress, as everybody knows it."""

    attacker: SideId
    force: UnitId
    name: str
    start: PlaceId
    at: PlaceId
    defender: UnitId
    defender_name: str
    card: Card | None = None
    answer: Answer | None = None
    answer_card: Card | None = None


class Seen(Value, frozen=True):
    """R6.1 An enemy force in sight."""

    at: PlaceId
    force: UnitId
    name: str


class Open(Value, frozen=True):
    """Known to all."""

    date: datetime.date
    phase: PhaseKey
    turn: SideId
    """R1.3 Whose turn it is."""
    control: Mapping[PlaceId, SideId]
    """R7.1 The side that holds each objective."""
    hand_sizes: Mapping[SideId, int]
    passes: int = 0
    """R1.4 Passes in a row."""
    played: tuple[Card, ...] = ()
    attack: Attack | None = None
    ended: bool = False
    options: Options = Options()


class Own(Value, frozen=True):
    """Known to one side."""

    forces: Mapping[UnitId, Force]
    hand: tuple[Card, ...] = ()
    seen: tuple[Seen, ...] = ()
    """The enemy as last seen."""
    standing: tuple[WhenAttacked, ...] = ()
    """R5.6"""


class Hidden(Value, frozen=True):
    """Known to nobody."""

    deck: tuple[Card, ...]
    """The next card comes first."""


State = engine.State[Open, Own, Hidden]


def deck_of(state: State) -> tuple[Card, ...]:
    """Empty in a player's state."""
    return state.hidden.deck if state.hidden else ()


def occupied(own: Own) -> frozenset[PlaceId]:
    return frozenset(force.at for force in own.forces.values())


def all_occupied(state: State) -> frozenset[PlaceId]:
    """Every area that holds a force, in truth."""
    return frozenset(place for own in state.own.values() for place in occupied(own))
