"""R12, R15.3 What can happen in battles, and after them."""

from collections.abc import Mapping
from enum import Enum

from campaign.engine.facts import Fact
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.modifiers import Modifier
from campaign.rulesets.forum_campaign.model.state import Battle, Support, TankLosses, Winner


class Lapse(Enum):
    """Why an attack that was ordered did not come about."""

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
    """R8 A task force that is not there, not yet or not any more."""


class ArtilleryNamed(Fact, frozen=True):
    """R15.3 Whose battles get the heavy artillery, first come first served."""

    side: SideId
    units: tuple[UnitId, ...]


class Supported(Fact, frozen=True):
    """R3.10, R15.3 What supports a side in a battle besides its units."""

    side: SideId
    at: PlaceId
    support: Support


class Beaten(Fact, frozen=True):
    """R12.5 A unit has lost its battle and must retreat."""

    side: SideId
    unit: UnitId
    wanted: PlaceId | None = None
    """The hex that its owner has chosen."""


class Routed(Fact, frozen=True):
    """R12.5 A hex is lost, and defenders are left who must retreat out of it."""

    battle: Battle
    """With those who are left of both sides."""
    choice: bool
    """Whether they may have more than one way, by what everybody knows of them."""


class AdvanceOrdered(Fact, frozen=True):
    """R12.2, R12.3 Who of the victors moves on, when all battles are settled."""

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
    """R12.10 A unit takes in what is left of a destroyed one, and moves less in its next portion."""

    side: SideId
    unit: UnitId
    remains_of: UnitId
    gained: int
    debt: int


class AttackLapsed(Fact, frozen=True):
    """R4.4 An ordered attack did not come about."""

    side: SideId
    unit: UnitId
    at: PlaceId | None
    lapse: Lapse


class BattleOpened(Fact, frozen=True):
    """R12 A hex is attacked; the battle is fought outside."""

    battle: Battle


class Decision(Enum):
    """How a battle came to its result."""

    REPORTED = "reported"
    UNREPORTED = "unreported"
    """It counts as a defence without losses."""
    WITHDRAWN = "withdrawn"
    """R12.6 The defender withdrew."""
    RESOLVED = "resolved"
    """2.10 By the rules' own resolver."""


class BattleFought(Fact, frozen=True):
    """R12.1 A battle has its result."""

    at: PlaceId
    attacker: SideId
    winner: Winner
    decision: Decision = Decision.REPORTED
    reasons: Mapping[SideId, tuple[Modifier, ...]] = {}
    """R12.11 Where it was resolved by the rules: what each side's strength was made of."""


class BattleRuled(Fact, frozen=True):
    """R15.6 The GM decides a battle; the sheets' lines about it do not count any more."""

    at: PlaceId
    winner: Winner
    advance: UnitId | None = None
    losses: Mapping[UnitId, int] = {}
    retreats: Mapping[UnitId, PlaceId] = {}
    tanks: Mapping[UnitId, TankLosses] = {}
    pursuers: Mapping[UnitId, PlaceId] = {}
    minute: int | None = None
    """R12.6 Of the defenders' withdrawal; None: they fought it out."""


class Weakened(Fact, frozen=True):
    """R12.7 A unit lost headcount, and may be small now: fallen to task force size."""

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
    """R12.5, R12.8 A unit is no more."""

    side: SideId
    unit: UnitId
    label: str
    at: PlaceId
    cause: Cause


class Retreated(Fact, frozen=True):
    """R12.5 A beaten unit retreats."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId
    wanted: PlaceId | None = None
    """The hex that its owner chose, if he did; it may not have been free any more."""
    through: tuple[PlaceId, ...] = ()
    """2.10 Hexes on its way, where it retreats further than one."""


class Advanced(Fact, frozen=True):
    """R12.2 A victor moves into the hex fought for."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId
    counts: bool = False
    """R10.6 It has moved, and burns fuel."""


class Pursued(Fact, frozen=True):
    """R12.3 A mechanized victor goes on, into the hex that was won or one beyond it."""

    side: SideId
    unit: UnitId
    start: PlaceId
    path: tuple[PlaceId, ...]
    """The hexes entered. Empty: no hex was open to it."""
    wanted: PlaceId
    """Where it was to go; it may not have been free."""
    counts: bool = False
    """R10.6 It has moved, and burns fuel."""
