"""The orders of the forum campaign. A sheet's line is one of these; its fields are its grammar."""

from typing import Annotated, ClassVar

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.orders import Help, Keyword, Order, Path, Ready, Text
from campaign.rulesets.forum_campaign.state import Winner


class Move(Order, frozen=True):
    """R4 Move a unit hex by hex, or the cheapest way known to a place. A reinforcement's first hex is its entry."""

    one_of: ClassVar[tuple[str, ...]] = ("path", "to")

    unit: Annotated[UnitId, Help("a unit of yours")]
    path: Annotated[Path, Help("the hexes entered")] = ()
    to: Annotated[PlaceId | None, Keyword("to"), Help("a place to go to")] = None


class Attack(Order, frozen=True):
    """R4.4, R12.2 Attack one hex after movement: a named one, or whatever enemy the unit has run into or stands by."""

    one_of: ClassVar[tuple[str, ...]] = ("at", "contact")

    unit: Annotated[UnitId, Help("a unit of yours")]
    at: Annotated[PlaceId | None, Help("the hex to attack")] = None
    contact: Annotated[bool, Keyword("contact"), Help("the word contact")] = False
    prefer: Annotated[Path, Keyword("prefer"), Help("hexes in order of preference")] = ()


class Hold(Order, frozen=True):
    """A unit stays where it is."""

    unit: Annotated[UnitId, Help("a unit of yours")]


class AllOthersHold(Order, frozen=True):
    """Every unit without another order stays where it is."""


class Note(Order, frozen=True):
    """A word to the GM."""

    text: Annotated[Text, Help("what the GM should know")]


class Result(Order, frozen=True):
    """R12 Who holds the objective of an attacked hex at the end, and which attacker moves in."""

    at: Annotated[PlaceId, Help("the hex fought for")]
    winner: Annotated[Winner, Help("who won")]
    advance: Annotated[UnitId | None, Keyword("advance"), Help("the attacker that occupies the hex")] = None


class Losses(Order, frozen=True):
    """R12.7 What a unit lost in its battle, in percent of its full establishment."""

    unit: Annotated[UnitId, Help("a unit of the battle")]
    percent: Annotated[int, Help("the headcount lost")]


class Retreat(Order, frozen=True):
    """R12.5 Where a defeated defender goes, by its owner's choice."""

    unit: Annotated[UnitId, Help("a defeated unit")]
    to: Annotated[PlaceId, Keyword("to"), Help("the hex it retreats to")]


SHEET_ORDERS = (Move, Attack, Hold, AllOthersHold, Note, Ready)
BATTLE_ORDERS = (Result, Losses, Retreat, Ready)
