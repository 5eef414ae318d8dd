"""Orders of a turn, answers to an attack, and the GM's corrections."""

from enum import Enum
from typing import Annotated, ClassVar

from campaign.engine.orders.order import Help, Keyword, Note, Order, Path, Ready
from campaign.engine.values.ids import PlaceId, UnitId
from tests.toy.model.game_data import NORTH, SOUTH, Card


class Move(Order, frozen=True):
    """R3 Move a force one or two areas."""

    by_tap: ClassVar[bool] = True
    force: Annotated[UnitId, Help("one of your forces")]
    path: Annotated[Path, Help("the areas entered")]


class Attack(Order, frozen=True):
    """R5.1 Attack a linked area."""

    by_tap: ClassVar[bool] = True
    force: Annotated[UnitId, Help("one of your forces")]
    at: Annotated[PlaceId, Help("the area to attack")]
    card: Annotated[Card | None, Keyword("with"), Help("a card from your hand")] = None


class Pass(Order, frozen=True):
    """R1.4 Leave the turn to the other side."""


class Stand(Order, frozen=True):
    """R5.2 Meet the attack."""

    card: Annotated[Card | None, Keyword("with"), Help("a card from your hand")] = None


class FallBack(Order, frozen=True):
    """R5.2 Evade the attack."""

    by_tap: ClassVar[bool] = True
    to: Annotated[PlaceId, Help("an empty linked area")]


class Reaction(Enum):
    """What a force does on its own."""

    STAND = "stand"
    EVADE = "evade"


class WhenAttacked(Order, frozen=True):
    """R5.6 Answer attacks on your forces, or on one of them, until you say otherwise."""

    of_the_side: ClassVar[bool] = True
    reaction: Annotated[Reaction, Help("what it does")]
    force: Annotated[
        UnitId | None, Keyword("with"), Help("one of your forces; if left out, all that are not named")
    ] = None


class Hands(Enum):
    """The side that a card is dealt to."""

    NORTH = NORTH
    SOUTH = SOUTH


class Place(Order, frozen=True):
    """R8.1 Put a force somewhere."""

    force: Annotated[UnitId, Help("the force")]
    at: Annotated[PlaceId, Keyword("at"), Help("where it is")]


class Strength(Order, frozen=True):
    """R8.1 Set a force's strength."""

    force: Annotated[UnitId, Help("the force")]
    points: Annotated[int, Help("its strength")]


class Deal(Order, frozen=True):
    """R8.1 Deal a card of the deck."""

    card: Annotated[Card, Help("the card")]
    to: Annotated[Hands, Keyword("to"), Help("the side that gets it")]


TURN_ORDERS = (Move, Attack, Pass, Note, Ready)
ANSWER_ORDERS = (Stand, FallBack, Note, Ready)
CORRECTIONS = (Place, Strength, Deal)
