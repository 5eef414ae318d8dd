"""The orders of the forum campaign. A sheet's line is one of these; its fields are its grammar."""

from typing import Annotated, ClassVar

from campaign.engine.orders.order import AllOthersHold, Help, Hold, Keyword, Note, Order, Path, Ready
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.model.game_data import Box, Goods
from campaign.rulesets.forum_campaign.model.state import Winner


class Move(Order, frozen=True):
    """R4 Move a unit hex by hex, or the cheapest way known to a place. A reinforcement's first hex is its entry."""

    one_of: ClassVar[tuple[str, ...]] = ("path", "to")

    unit: Annotated[UnitId, Help("one of your units")]
    path: Annotated[Path, Help("the hexes entered")] = ()
    to: Annotated[PlaceId | None, Keyword("to"), Help("a place to go to")] = None


class Attack(Order, frozen=True):
    """R4.4, R12.2 Attack one hex after movement: a named one, or any that the unit has run into or is next to."""

    one_of: ClassVar[tuple[str, ...]] = ("at", "contact")
    by_tap: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your units")]
    at: Annotated[PlaceId | None, Help("the hex to attack")] = None
    contact: Annotated[bool, Keyword("contact"), Help("the word contact")] = False
    prefer: Annotated[Path, Keyword("prefer"), Help("hexes in order of preference")] = ()


class Then(Order, frozen=True):
    """R4.5 Where a unit goes on with its saved movement when the portion's battles are over."""

    one_of: ClassVar[tuple[str, ...]] = ("path", "to")

    unit: Annotated[UnitId, Help("one of your units")]
    path: Annotated[Path, Help("the hexes entered")] = ()
    to: Annotated[PlaceId | None, Keyword("to"), Help("a place to go to")] = None


class Detach(Order, frozen=True):
    """R8 A unit of more than 70 percent of its establishment creates a task force, which later lines may order."""

    unit: Annotated[UnitId, Help("one of your units")]
    tanks: Annotated[int, Keyword("tanks"), Help("tanks that go along")] = 0


class Rejoin(Order, frozen=True):
    """R8.3 A task force that has come to its own unit's hex becomes part of it again."""

    unit: Annotated[UnitId, Help("one of your task forces")]


class Cas(Order, frozen=True):
    """R3.10 Close air support for a unit that attacks."""

    beside_others: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your attacking units")]
    air_units: Annotated[int, Help("the number of air units")]


class Artillery(Order, frozen=True):
    """R15.3 The next battle of this unit, attack or defence, is one of the two with heavy artillery."""

    beside_others: ClassVar[bool] = True
    shared_out: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your units")]


class Outside(Order, frozen=True):
    """R12.11 The battle of this attacker is among the first that are fought outside; the next line's comes after it."""

    beside_others: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your attacking units")]


class Follow(Order, frozen=True):
    """R11.5 A commando goes along if the unit in its hex advances or pursues; as far as a hex, or all the way."""

    unit: Annotated[UnitId, Help("one of your commandos")]
    leader: Annotated[UnitId, Help("the unit to go with")]
    to: Annotated[PlaceId | None, Keyword("to"), Help("where it stays behind")] = None


class Demolish(Order, frozen=True):
    """R9.5 Try to destroy a depot that a German ground unit has come near."""

    of_the_side: ClassVar[bool] = True
    by_tap: ClassVar[bool] = True

    at: Annotated[PlaceId, Help("the depot")]


class Air(Order, frozen=True):
    """R3.5 What the day's air units are sent to do."""

    of_the_side: ClassVar[bool] = True

    superiority: Annotated[int, Keyword("superiority"), Help("air units for superiority")] = 0
    cas: Annotated[int, Keyword("cas"), Help("air units for close air support")] = 0
    interdiction: Annotated[int, Keyword("interdiction"), Help("air units for interdiction")] = 0
    drop: Annotated[int, Keyword("drop"), Help("air units for air drops")] = 0


class Remove(Order, frozen=True):
    """R3.7 If you win in the air, enemy air units are removed from this box first; the next line's box is next.

    In a phase for removals, which a campaign may have chosen, each line removes one air unit.
    """

    of_the_side: ClassVar[bool] = True

    box: Annotated[Box, Help("a box of the enemy")]


class Interdict(Order, frozen=True):
    """R3.9 Send air units of the interdiction box against the German unit in a hex."""

    of_the_side: ClassVar[bool] = True
    by_tap: ClassVar[bool] = True

    at: Annotated[PlaceId, Help("the hex of a German unit that you see")]
    air_units: Annotated[int, Help("the number of air units")]


class Airdrop(Order, frozen=True):
    """R3.8 Supply an unsupplied unit from the air, with two air units of the drop box."""

    beside_others: ClassVar[bool] = True
    shared_out: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your unsupplied units")]


class Paradrop(Order, frozen=True):
    """R11.8 The paratroops jump, on their day only."""

    by_tap: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("the paratroops")]
    at: Annotated[PlaceId, Help("a hex of the drop zone")]


class Buy(Order, frozen=True):
    """R14 Spend points on a unit that rested yesterday."""

    beside_others: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your units")]
    goods: Annotated[Goods, Help("what it gets")]


class Result(Order, frozen=True):
    """R12 Who holds the objective of an attacked hex at the end, and which attacker moves in."""

    at: Annotated[PlaceId, Help("the hex fought for")]
    winner: Annotated[Winner, Help("who won")]
    advance: Annotated[UnitId | None, Keyword("advance"), Help("the attacker that occupies the hex")] = None


class Losses(Order, frozen=True):
    """R12.7 What a unit lost in its battle, in percent of its establishment."""

    unit: Annotated[UnitId, Help("a unit of the battle")]
    percent: Annotated[int, Help("the headcount lost")]


class Tanks(Order, frozen=True):
    """R12.9 Tanks that a unit lost in its battle, one by one."""

    unit: Annotated[UnitId, Help("a unit of the battle")]
    medium: Annotated[int, Keyword("medium"), Help("medium tanks lost")] = 0
    heavy: Annotated[int, Keyword("heavy"), Help("heavy tanks lost")] = 0


class Withdrawal(Order, frozen=True):
    """R12.6 The defender withdrew: their units were at a friendly edge or corner in that minute of the battle."""

    at: Annotated[PlaceId, Help("the hex fought for")]
    minute: Annotated[int, Keyword("minute"), Help("the minute of the request")]


class Pursue(Order, frozen=True):
    """R12.3 A mechanized victor goes on: into the hex that was won, or one hex beyond it."""

    by_tap: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("an attacker")]
    to: Annotated[PlaceId, Keyword("to"), Help("the hex it goes to")]


class Retreat(Order, frozen=True):
    """R12.5 Where a defeated defender goes, by its owner's choice."""

    by_tap: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("a defeated unit")]
    to: Annotated[PlaceId, Keyword("to"), Help("the hex it retreats to")]


class Decide(Order, frozen=True):
    """2.10 This battle is decided by the rules' own resolver."""

    at: Annotated[PlaceId, Help("the hex fought for")]


AIR_ORDERS = (Air, Remove, Interdict, Airdrop, Paradrop, Buy, Artillery, Note, Ready)
REMOVAL_ORDERS = (Remove, Note, Ready)
_MARCH_ORDERS = (Move, Then, Detach, Rejoin, Attack, Cas, Artillery, Outside)
_CLOSING_ORDERS = (Hold, AllOthersHold, Note, Ready)
GERMAN_ORDERS = (*_MARCH_ORDERS, Follow, *_CLOSING_ORDERS)
ALLIED_ORDERS = (*_MARCH_ORDERS, Demolish, Airdrop, *_CLOSING_ORDERS)
ATTACK_ORDERS = (Attack, Cas, Artillery, Outside, Note, Ready)
RETREAT_ORDERS = (Retreat, Note, Ready)
BATTLE_ORDERS = (Result, Losses, Tanks, Withdrawal, Retreat, Pursue, Decide, Ready)
