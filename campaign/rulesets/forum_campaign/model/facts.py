"""What can happen in a forum campaign. What each fact changes is in `evolve`, who is told of it in `release`."""

import datetime
from collections.abc import Mapping
from enum import Enum

from campaign.engine.facts import Fact
from campaign.engine.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.modifiers import Modifier
from campaign.rulesets.forum_campaign.model.game_data import Box, Goods
from campaign.rulesets.forum_campaign.model.state import (
    Battle,
    DepotStatus,
    LastSeen,
    Missions,
    Sighting,
    Support,
    TankLosses,
    Unit,
    WeatherToday,
    Winner,
)


class Halt(Enum):
    """Why a move ended before its time, or was not begun."""

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
    """2.10 A zone of control ended its move."""
    ABSENT = "absent"
    """R8 A task force that is not there, not yet or not any more."""
    ASTRAY = "astray"
    """R4.5 It is not where its saved movement begins."""


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


class Denial(Enum):
    """R8 Why a unit creates no task force, or does not take it back."""

    COMMANDO = "commando"
    SMALL = "small"
    WEAK = "weak"
    OUT = "out"
    """Its task force is out already."""
    SPLIT = "split"
    """Once a turn is enough."""
    OFF_MAP = "off-map"
    UNSUPPLIED = "unsupplied"
    SCATTERED = "scattered"
    TANKS = "tanks"
    SPENT = "spent"
    """It has moved further than one printed point less allows."""
    FULL = "full"
    NO_PARENT = "no-parent"
    APART = "apart"
    ABSENT = "absent"
    """There is no such task force, not yet or not any more."""


class Turned(Fact, frozen=True):
    """R1.2 The sequence of play moves on."""

    phase: PhaseKey
    date: datetime.date


class WeatherSet(Fact, frozen=True):
    """R2.3 The day has its weather."""

    today: WeatherToday


class FuelReceived(Fact, frozen=True):
    """R10.2 The daily fuel arrives."""

    points: int


class FuelSpent(Fact, frozen=True):
    """R10.4 The price of the portion's moves is paid. Only the Germans are told the reasons."""

    points: int
    reasons: tuple[Modifier, ...] = ()


class FuelSet(Fact, frozen=True):
    """R15.6 The GM sets the reserve."""

    points: int


class Scouted(Fact, frozen=True):
    """R15.1 The sides' pictures of the enemy, drawn anew."""

    sightings: Mapping[SideId, tuple[Sighting, ...]]
    positions: Mapping[SideId, Mapping[PlaceId, int]] = {}
    """R13 The enemy's prepared positions that each side makes out."""
    last_seen: Mapping[SideId, tuple[LastSeen, ...]] = {}
    """2.10 Enemies out of sight, where a campaign keeps them."""


class Forecast(Fact, frozen=True):
    """2.10 Tomorrow's weather is known."""

    tomorrow: WeatherToday


class AirAvailable(Fact, frozen=True):
    """R3.1 A side has so many air units today."""

    side: SideId
    units: int


class MissionsPlanned(Fact, frozen=True):
    """R3 A side has ordered its missions in the air; they are flown when the boxes are open."""

    side: SideId
    missions: Missions


class AirAllocated(Fact, frozen=True):
    """R3.5 The boxes of a side are shown."""

    side: SideId
    boxes: Mapping[Box, int]


class SuperiorityWon(Fact, frozen=True):
    """R3.7 Who has air superiority, and how many enemy air units he removes. Nobody in a tie."""

    side: SideId | None
    removals: int


class AirRemoved(Fact, frozen=True):
    """R3.7 An air unit of this side is removed from its box for the day."""

    side: SideId
    box: Box


class AirDropped(Fact, frozen=True):
    """R3.8 A unit is supplied from the air."""

    side: SideId
    unit: UnitId
    at: PlaceId | None = None
    """Where it stood then; None: on record from before this was written down."""


class Interdicted(Fact, frozen=True):
    """R3.9 Air units went for a German unit. Where they succeeded it is unsupplied."""

    at: PlaceId
    air_units: int
    success: bool
    side: SideId | None = None
    """Whose unit it is; None in the face of those who do not know the unit."""
    unit: UnitId | None = None


class Landing(Enum):
    """R11.8 How the paratroops come down."""

    NORMAL = "normal"
    SCATTERED = "scattered"
    ELIMINATED = "eliminated"
    CALLED_OFF = "called off"
    """R11.9 No hex of the drop zone was free: nobody jumped."""


class Landed(Fact, frozen=True):
    """R11.8 The paratroops have jumped."""

    side: SideId
    unit: UnitId
    wanted: PlaceId
    at: PlaceId
    """R11.9 Where they came down; not where they wanted to if that hex was not free."""
    landing: Landing


class CommandoSearched(Fact, frozen=True):
    """R11.3 An Allied unit has come upon a commando."""

    side: SideId
    unit: UnitId
    label: str
    at: PlaceId
    eliminated: bool


class CommandosGone(Fact, frozen=True):
    """R11.6 The commandos' time is over."""

    side: SideId
    units: tuple[UnitId, ...]


class Demolished(Fact, frozen=True):
    """R9.6 An attempt to destroy a depot."""

    place: PlaceId
    destroyed: bool
    reasons: tuple[Modifier, ...] = ()
    """The die and what it was changed by. The Germans know their commandos; the Allies are not told."""


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
    """R8 A task force that was ordered is not created, or does not rejoin."""

    side: SideId
    unit: UnitId
    """Who should have created it; the task force that should have rejoined."""
    denial: Denial


class Resized(Fact, frozen=True):
    """R12.7 A unit counts as small, or as full size again."""

    side: SideId
    unit: UnitId
    small: bool


class Plotted(Fact, frozen=True):
    """R4.5 A unit has a way to go after the battles."""

    side: SideId
    unit: UnitId
    path: tuple[PlaceId, ...]
    """From the hex in which it waits."""
    contact: bool = False
    """Whether it has met an enemy zone of control; its side, which may not have seen it, is not told."""


class CloseSupport(Fact, frozen=True):
    """R3.10 Air units are assigned to an attacker."""

    side: SideId
    unit: UnitId
    air_units: int


class ArtilleryNamed(Fact, frozen=True):
    """R15.3 Whose battles get the heavy artillery, first come first served."""

    side: SideId
    units: tuple[UnitId, ...]


class Supported(Fact, frozen=True):
    """R3.10, R15.3 What supports a side in a battle besides its units."""

    side: SideId
    at: PlaceId
    support: Support


class Following(Fact, frozen=True):
    """R11.5 A commando will go along with a unit."""

    side: SideId
    unit: UnitId
    leader: UnitId
    until: PlaceId | None = None
    """The hex in which it stays behind; None: it goes all the way."""


class Followed(Fact, frozen=True):
    """R11.5 A commando has gone along with the unit in its hex."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId


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


class Reinforced(Fact, frozen=True):
    """R14.2 A unit has received what was bought for it."""

    side: SideId
    unit: UnitId
    goods: Goods
    amount: int
    """What it has more now: percent of headcount, guns or tanks."""


class Dug(Fact, frozen=True):
    """R13.1 A hex has a prepared position: level 1 Dug-in, 2 Entrenched."""

    side: SideId
    at: PlaceId
    level: int


class PositionGone(Fact, frozen=True):
    """R13.5 A prepared position is no more."""

    side: SideId
    at: PlaceId


class Moved(Fact, frozen=True):
    """R4 A movement order was carried out, as far as it went."""

    side: SideId
    unit: UnitId
    start: PlaceId | None
    """None: it came onto the map."""
    path: tuple[PlaceId, ...]
    """The hexes entered. Empty: it stayed where it was."""
    spent: int
    halt: Halt | None = None
    before: PlaceId | None = None
    """The hex it would have entered next, where something stopped it."""
    reasons: tuple[Modifier, ...] = ()
    """What the way cost, hex by hex."""
    met: PlaceId | None = None
    """R4.7 The hex of the enemy that it ran into."""


class DepotSet(Fact, frozen=True):
    """R15.6 The GM says how it is with a depot; the fuel is not touched."""

    place: PlaceId
    status: DepotStatus


class UnitPlaced(Fact, frozen=True):
    """R15.6 The GM puts a unit somewhere; a destroyed one is back."""

    side: SideId
    unit: UnitId
    at: PlaceId


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


class StrengthSet(Fact, frozen=True):
    """R15.6 The GM sets a unit's headcount; its size follows from it (R12.7)."""

    side: SideId
    unit: UnitId
    strength: int


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


class CutOff(Fact, frozen=True):
    """R7.1 A unit gets an unsupplied marker."""

    side: SideId
    unit: UnitId


class Resupplied(Fact, frozen=True):
    """R7.1 A unit loses its unsupplied marker."""

    side: SideId
    unit: UnitId


class DepotCaptured(Fact, frozen=True):
    """R9.2 A depot is captured."""

    place: PlaceId
    value: int


class Controlled(Fact, frozen=True):
    """R15.5 An objective changed hands."""

    place: PlaceId
    side: SideId


class CampaignEnded(Fact, frozen=True):
    """R15.5 The last day is over; nobody won a draw."""

    points: Mapping[SideId, int]
    winner: SideId | None
