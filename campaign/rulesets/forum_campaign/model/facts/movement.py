"""R4, R8, R11 What can happen to units that move, split or are moved."""

from enum import Enum

from msgspec import field

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier
from campaign.rulesets.forum_campaign.model.state import Unit


class StopReason(Enum):
    """Why a move ended early, or did not begin."""

    GAP = "gap"
    CLOSED = "closed"
    ENEMY = "enemy"
    ZONE = "zone"
    ALLOWANCE = "allowance"
    UNSUPPLIED = "unsupplied"
    FULL = "full"
    FUEL = "fuel"
    ENTRY = "entry"
    TWICE = "twice"
    """The unit has moved already."""
    SCATTERED = "scattered"
    STOPPED = "stopped"
    """2.10 A zone of control stopped it."""
    ABSENT = "absent"
    """R8 The task force does not exist, yet or any more."""
    ASTRAY = "astray"
    """R4.5 The unit is not on the path of its saved movement."""


class RefusalReason(Enum):
    """R8 Why a unit creates no task force, or a task force does not rejoin."""

    COMMANDO = "commando"
    SMALL = "small"
    WEAK = "weak"
    OUT = "out"
    """Its task force is already out."""
    SPLIT = "split"
    """It has created one, or taken one back, in this turn."""
    OFF_MAP = "off-map"
    UNSUPPLIED = "unsupplied"
    SCATTERED = "scattered"
    TANKS = "tanks"
    SPENT = "spent"
    """It has moved further than one printed point fewer allows."""
    FULL = "full"
    NO_PARENT = "no-parent"
    APART = "apart"
    ABSENT = "absent"
    """There is no such task force, yet or any more."""


COMMANDO_SEARCH = "commando/"
"""R11.3 With what the label of the roll begins; the commando's id follows."""


class CommandoSearched(Fact, frozen=True):
    """R11.3 An Allied unit has entered a commando's hex."""

    side: SideId
    unit: UnitId
    label: str
    at: PlaceId
    eliminated: bool


class CommandosGone(Fact, frozen=True):
    """R11.6 The commandos leave the map after their last day."""

    side: SideId
    units: tuple[UnitId, ...]


class Detached(Fact, frozen=True):
    """R8.1 A unit has created a task force."""

    side: SideId
    parent: UnitId
    task_force: Unit


class Rejoined(Fact, frozen=True):
    """R8.3 A task force is part of its unit again."""

    side: SideId
    parent: UnitId
    unit: UnitId


class TaskForceDenied(Fact, frozen=True):
    """R8 An ordered task force is not created, or does not rejoin."""

    side: SideId
    unit: UnitId
    """The unit that should have created it, or the task force that should have rejoined."""
    refusal_reason: RefusalReason = field(name="denial")


class Resized(Fact, frozen=True):
    """R12.7 A unit counts as small, or as full-size again."""

    side: SideId
    unit: UnitId
    small: bool


class Plotted(Fact, frozen=True):
    """R4.5 A unit has saved movement for after the battles."""

    side: SideId
    unit: UnitId
    path: tuple[PlaceId, ...]
    """The first hex is the one in which the unit waits."""
    contact: bool = False
    """Whether it has met an enemy zone of control. Its side may not have seen the enemy and does not learn it."""


class Following(Fact, frozen=True):
    """R11.5 A commando will go with a unit."""

    side: SideId
    unit: UnitId
    leader: UnitId
    until: PlaceId | None = None
    """The hex in which it stays behind; None: it goes all the way."""


class Followed(Fact, frozen=True):
    """R11.5 A commando has gone with the unit in its hex."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId


class Moved(Fact, frozen=True):
    """R4 A movement order was carried out, as far as it could be."""

    side: SideId
    unit: UnitId
    start: PlaceId | None
    """None: it came onto the map."""
    path: tuple[PlaceId, ...]
    """The hexes entered. Empty: it stayed where it was."""
    spent: int
    stop_reason: StopReason | None = field(default=None, name="halt")
    before: PlaceId | None = None
    """The hex it would have entered next, if something stopped it."""
    reasons: tuple[Modifier, ...] = ()
    """What the path cost, hex by hex."""
    met: PlaceId | None = None
    """R4.7 The hex of the enemy that it ran into."""


class UnitPlaced(Fact, frozen=True):
    """R15.6 The GM places a unit; a destroyed one comes back."""

    side: SideId
    unit: UnitId
    at: PlaceId


class StrengthSet(Fact, frozen=True):
    """R15.6 The GM sets a unit's headcount; its size follows from it (R12.7)."""

    side: SideId
    unit: UnitId
    strength: int
