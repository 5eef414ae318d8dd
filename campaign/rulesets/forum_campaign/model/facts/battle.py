"""R12, R15.3 What can happen in battles, and after them."""

from collections.abc import Mapping
from enum import Enum

from msgspec import field

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier
from campaign.rulesets.forum_campaign.model.state import Battle, Support, TankLosses, Winner


class CancelReason(Enum):
    """Why an attack that was ordered did not take place."""

    NOBODY_THERE = "nobody there"
    NOT_ADJACENT = "not adjacent"
    TOO_FAR = "moved too far"
    UNSUPPLIED = "unsupplied"
    OFF_MAP = "not on the map"
    TWICE = "attacks already"
    OWN_UNITS = "own units"
    SCATTERED = "scattered"
    COMMANDO = "commando"
    ABSENT = "absent"
    """R8 The task force does not exist, yet or any more."""


class ArtilleryNamed(Fact, frozen=True):
    """R15.3 The units whose battles get heavy artillery, in this order."""

    side: SideId
    units: tuple[UnitId, ...]


class Supported(Fact, frozen=True):
    """R3.10, R15.3 A side has support in a battle besides its units."""

    side: SideId
    at: PlaceId
    support: Support


class Defeated(Fact, frozen=True, tag="Beaten"):
    """R12.5 A unit has lost its battle and must retreat."""

    side: SideId
    unit: UnitId
    wanted: PlaceId | None = None
    """The hex that its owner has chosen."""


class RetreatsBegun(Fact, frozen=True, tag="Routed"):
    """R12.5 A hex is lost, and its remaining defenders must retreat."""

    battle: Battle
    """With the remaining units of both sides."""
    choice: bool
    """Whether they may have a choice, by what everybody knows."""


class AdvanceOrdered(Fact, frozen=True):
    """R12.2, R12.3 The victors that move on when all battles are decided."""

    side: SideId
    at: PlaceId
    unit: UnitId | None
    pursuers: Mapping[UnitId, PlaceId]


class TanksLost(Fact, frozen=True):
    """R12.9 A unit lost tanks."""

    side: SideId
    unit: UnitId
    medium: int
    heavy: int


class Absorbed(Fact, frozen=True):
    """R12.10 A unit absorbs what is left of a destroyed one, and moves less in its next portion."""

    side: SideId
    unit: UnitId
    remains_of: UnitId
    gained: int
    debt: int


class AttackCancelled(Fact, frozen=True, tag="AttackLapsed"):
    """R4.4 An ordered attack did not take place."""

    side: SideId
    unit: UnitId
    at: PlaceId | None
    cancel_reason: CancelReason = field(name="lapse")


class BattleOpened(Fact, frozen=True):
    """R12 A hex is attacked; the battle is fought outside."""

    battle: Battle


class Decision(Enum):
    """How a battle was decided."""

    REPORTED = "reported"
    UNREPORTED = "unreported"
    """No result was entered: it counts as a defence without losses."""
    WITHDRAWN = "withdrawn"
    """R12.6 The defender withdrew."""
    RESOLVED = "resolved"
    """2.10 By the resolver."""


class BattleFought(Fact, frozen=True):
    """R12.1 A battle has its result."""

    at: PlaceId
    attacker: SideId
    winner: Winner
    decision: Decision = Decision.REPORTED
    reasons: Mapping[SideId, tuple[Modifier, ...]] = {}
    """R12.11 What each side's strength was made of, if the rules decided."""


class BattleRuled(Fact, frozen=True):
    """R15.6 The GM decides a battle; lines of sheets about it no longer count."""

    at: PlaceId
    winner: Winner
    advance: UnitId | None = None
    losses: Mapping[UnitId, int] = {}
    retreats: Mapping[UnitId, PlaceId] = {}
    tanks: Mapping[UnitId, TankLosses] = {}
    pursuers: Mapping[UnitId, PlaceId] = {}
    minute: int | None = None
    """R12.6 The minute of the defenders' withdrawal; None: they did not withdraw."""


class Weakened(Fact, frozen=True):
    """R12.7 A unit lost headcount, and may have fallen to task force size."""

    side: SideId
    unit: UnitId
    lost: int
    strength: int
    small: bool


class Cause(Enum):
    LOSSES = "losses"
    NO_RETREAT = "no retreat"
    RULING = "ruling"


class Destroyed(Fact, frozen=True):
    """R12.5, R12.8 A unit is destroyed."""

    side: SideId
    unit: UnitId
    label: str
    at: PlaceId
    cause: Cause


class Retreated(Fact, frozen=True):
    """R12.5 A defeated unit retreats."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId
    wanted: PlaceId | None = None
    """The hex that its owner chose, if they did; it may no longer have been free."""
    through: tuple[PlaceId, ...] = ()
    """2.10 The hexes on its way, if it retreats more than one hex."""


class Advanced(Fact, frozen=True):
    """R12.2 A victor moves into the hex that was won."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId
    counts: bool = False
    """R10.6 Whether this counts as a move and uses fuel."""


class Pursued(Fact, frozen=True):
    """R12.3 A mechanized victor pursues, into the hex won or one beyond it."""

    side: SideId
    unit: UnitId
    start: PlaceId
    path: tuple[PlaceId, ...]
    """The hexes entered. Empty: no hex was open to it."""
    wanted: PlaceId
    """Where it was ordered to; the hex may not have been free."""
    counts: bool = False
    """R10.6 Whether this counts as a move and uses fuel."""
