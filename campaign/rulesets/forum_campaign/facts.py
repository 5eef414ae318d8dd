"""What can happen in a forum campaign. What each fact changes is in `evolve`, who is told of it in `release`."""

import datetime
from collections.abc import Mapping
from enum import Enum

from campaign.engine.facts import Fact, Rolled
from campaign.engine.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.modifiers import Modifier
from campaign.rulesets.forum_campaign.state import (
    Battle,
    DepotStatus,
    Sighting,
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


class Lapse(Enum):
    """Why an attack that was ordered did not come about."""

    NOBODY_THERE = "nobody there"
    NOT_ADJACENT = "not adjacent"
    TOO_FAR = "moved too far"
    UNSUPPLIED = "unsupplied"
    OFF_MAP = "not on the map"
    TWICE = "attacks already"
    OWN_UNITS = "own units"


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


class BattleFought(Fact, frozen=True):
    """R12.1 A battle has its result. Without a report it counts as a defence without losses."""

    at: PlaceId
    attacker: SideId
    winner: Winner
    reported: bool = True


class BattleRuled(Fact, frozen=True):
    """R15.6 The GM decides a battle; the sheets' lines about it do not count any more."""

    at: PlaceId
    winner: Winner
    advance: UnitId | None = None
    losses: Mapping[UnitId, int] = {}
    retreats: Mapping[UnitId, PlaceId] = {}


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


class Advanced(Fact, frozen=True):
    """R12.2 A victor moves into the hex fought for."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId


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


class Noted(Fact, frozen=True):
    """A side's note to the GM."""

    side: SideId
    text: str


class CampaignEnded(Fact, frozen=True):
    """R15.5 The last day is over; nobody won a draw."""

    points: Mapping[SideId, int]
    winner: SideId | None


FACTS = (
    Rolled
    | Turned
    | WeatherSet
    | FuelReceived
    | FuelSpent
    | FuelSet
    | Scouted
    | Moved
    | UnitPlaced
    | DepotSet
    | AttackLapsed
    | BattleOpened
    | BattleRuled
    | BattleFought
    | Weakened
    | StrengthSet
    | Destroyed
    | Retreated
    | Advanced
    | CutOff
    | Resupplied
    | DepotCaptured
    | Controlled
    | Noted
    | CampaignEnded
)
