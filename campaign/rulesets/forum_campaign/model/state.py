"""What a campaign knows of itself: the truth, in the parts that decide who may see it."""

import datetime
from collections.abc import Mapping
from enum import Enum

from msgspec import UNSET, UnsetType, field

from campaign.engine import state as engine
from campaign.engine.orders.order import Path
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.calendar import half_of
from campaign.rulesets.forum_campaign.model.game_data import Box, Branch, Echelon, Goods, Weather
from campaign.rulesets.forum_campaign.model.ledger import Ledger
from campaign.rulesets.forum_campaign.model.options import Options, WipedOut

FULL = 100
"""Percent of its establishment that a unit has at the start, and the most that it can have (R12.7, R14.2)."""
SMALL_AT = 50
"""R12.7 Percent of its establishment at which a unit falls to task force size."""
_WIPED_OUT_AT = {WipedOut.CUMULATIVE: 20, WipedOut.REMAINDER: 35}
"""R12.8 Percent at which it is wiped out: a further 30, however they are counted (2.10)."""
_SMALL_WIPED_OUT_AT = 40
"""R12 G6 The same for units that were small from the start."""

COMMANDO = Branch.COMMANDO
ON_FOOT = (Branch.INFANTRY, Branch.AIRBORNE)
"""Constants, as looking up members of an enumeration is slow and every unit's branch is read often."""

Stamp = int
"""When something was last known of a hex, in portions: two a day."""


class Unit(Value, frozen=True):
    """A ground unit. Strength is headcount in percent of its establishment, which it has at the start (R12.7)."""

    id: UnitId
    label: str
    name: str
    branch: Branch
    echelon: Echelon
    small: bool
    """R5.7 Whether it is small for stacking now."""
    small_from_start: bool
    movement: int
    """Printed movement points."""
    strength: int = FULL
    establishment: int = 100
    """R12.11 What it has at the start, in percent of a full formation of its kind."""
    at: PlaceId | None = None
    """None: not yet arrived."""
    supplied: bool = True
    arrives: datetime.date | None = None
    entry: PlaceId | None = None
    """2.9 The hex at which it enters."""
    army: str = ""
    corps: str = ""
    spent: int = 0
    """Movement points used in its side's current portion."""
    moved: bool = False
    """It left its hex by a movement order in its side's current portion (R10 G2)."""
    fought: bool = False
    """It attacked or defended in the current turn."""
    attacked: bool = False
    """R4.1 It attacks in its side's current portion, and moves no further than an attacker."""
    dislodged: bool = False
    """R13 G It retreated or advanced since its side's portion began, so it digs no further."""
    split: bool = False
    """R8.2, R8.3 It created a task force this turn, was created as one or took one back: one printed point less."""
    debt: int = 0
    """R12.10 Movement points that absorbing costs it in this portion."""
    absorbed: int = 0
    """R12.10 The same for its next portion."""
    parent: UnitId | None = None
    """R8 Of a task force: the unit that created it."""
    lent: int = 0
    """R8 Headcount lent to its task force; not lost."""
    raised: int = 0
    """R12 G6 Of a task force: its headcount when it was created."""
    scattered: bool = False
    """R11.8 Landed dispersed: it never moves, attacks or digs."""
    tanks: int = 0
    """R12.9 Medium tanks of its own, as many as are left."""
    heavy_tanks: int = 0
    bought: Mapping[Goods, int] = {}
    """R14.2 Guns and tanks received on top of its order of battle."""
    ledger: Ledger = UNSET
    """R12.9, R12.10 Its own ledger."""

    @property
    def mechanized(self) -> bool:
        """Of the class mechanized; all others are infantry. Commandos move as mechanized units (R11.1)."""
        return self.branch not in ON_FOOT

    @property
    def ground(self) -> bool:
        """Every unit with a counter except commandos."""
        return self.branch is not COMMANDO

    @property
    def whole(self) -> int:
        """Its headcount including what its task force has, in percent."""
        return self.strength + self.lent


class Sighting(Value, frozen=True):
    """R15.2 An enemy unit as one side sees it."""

    at: PlaceId
    type: "UnitType"
    unit: UnitId | None = None
    """None if only the type is known."""
    label: str = ""
    branch: Branch | None = None
    echelon: Echelon = Echelon.UNKNOWN


class UnitType(Enum):
    """R15.2 What is seen from a distance: airborne looks like infantry, brigades and cavalry like Panzergrenadiers."""

    ARMOUR = "armour"
    INFANTRY = "infantry"
    PANZERGRENADIER = "PzGr"
    COMMANDO = "commando"
    CONTACT = "contact"
    """R15.2 A unit of any type, at the edge of sight if the campaign has chosen so."""


class Combatant(Value, frozen=True):
    """A unit in a battle, as both sides know it from then on."""

    unit: UnitId
    label: str
    branch: Branch
    echelon: Echelon
    comes_from: PlaceId | None = None
    """R12.1 The hex from which it attacks; None: it defends."""


class LastSeen(Value, frozen=True):
    """2.10 An enemy unit that is out of sight again, where it was seen last."""

    sighting: Sighting
    since: datetime.date
    """The last day on which it was in sight."""


class Escort(Value, frozen=True):
    """R11.5 The unit that a commando goes along with, and where it stays behind; None: it goes all the way."""

    leader: UnitId
    until: PlaceId | None = None


class Support(Value, frozen=True):
    """What supports a side in a battle besides its units."""

    air_units: int = 0
    """R3.10 Close air support."""
    artillery: bool = False
    """R15.3 Heavy artillery."""


class Target(Value, frozen=True):
    """R3.9 A hex that is interdicted, and by how many air units."""

    at: PlaceId
    air_units: int


class Jump(Value, frozen=True):
    """R11.8 Paratroops, and the hex they jump over."""

    unit: UnitId
    at: PlaceId


class Missions(Value, frozen=True):
    """R3 What a side has ordered its air units and its paratroops to do, in the order of its lines."""

    priorities: tuple[Box, ...] = ()
    """R3.7 Enemy units in these boxes are removed first."""
    drops: tuple[UnitId, ...] = ()
    """R3.8 Units to supply from the air at the start of the German portion."""
    interdictions: tuple[Target, ...] = ()
    jump: Jump | None = None


class AirDay(Value, frozen=True):
    """R3 A side's air units of the day."""

    available: int
    boxes: Mapping[Box, int] = {}
    """As shown to all after the allocation, less removals."""


class TankLosses(Value, frozen=True):
    """R12.9 Tanks lost, one by one."""

    medium: int = 0
    heavy: int = 0


class Advance(Value, frozen=True):
    """R12.2, R12.3 The unit that moves into a hex won, and the pursuers with their hexes."""

    unit: UnitId | None = None
    pursuers: Mapping[UnitId, PlaceId] = {}


class Winner(Enum):
    ATTACKERS = "attackers"
    DEFENDERS = "defenders"


class Battle(Value, frozen=True):
    """R12 A fight for one hex, to be fought outside."""

    at: PlaceId
    attacker: SideId
    attackers: tuple[Combatant, ...]
    defenders: tuple[Combatant, ...]
    position: int = 0
    """R13 The defenders' prepared position: 1 Dug-in, 2 Entrenched."""


class PendingRetreat(Value, frozen=True):
    """R12.5 A lost battle, with the remaining units of both sides; the defenders must retreat."""

    battle: Battle
    choice: bool
    """Whether they may have a choice, by what everybody knows."""


class DepotStatus(Enum):
    INTACT = "intact"
    CAPTURED = "captured"
    DESTROYED = "destroyed"


class WeatherToday(Value, frozen=True):
    """R2.3 Condition and modifiers to air units."""

    condition: Weather
    allied_air: int
    german_air: int


class Open(Value, frozen=True, rename={"pending_retreats": "routs"}):
    """Known to all."""

    date: datetime.date
    phase: PhaseKey
    fuel: int
    """R10 The German reserve; public by default (R15)."""
    depots: Mapping[PlaceId, DepotStatus]
    control: Mapping[PlaceId, SideId]
    """R15.5 Who holds each objective."""
    weather: WeatherToday | None = None
    battles: tuple[Battle, ...] = ()
    """Waiting for their results."""
    ended: bool = False
    turn: int = 1
    """R1.1 Counted from the first day."""
    options: Options = Options()
    pending_retreats: tuple[PendingRetreat, ...] = ()
    """R12.5 Defeated units that must still retreat, in the order of their battles."""
    forecast: WeatherToday | None = None
    """2.10 Tomorrow's weather, if the campaign has chosen to know it."""
    air: Mapping[SideId, AirDay] = {}
    """R3 Today's air units."""
    removals: int = 0
    """R3.7 Air units that the winner may still remove."""
    air_winner: SideId | None = None
    """R3.7 The side with air superiority today."""


class SavedMove(Value, frozen=True):
    """R4.5 A unit's saved movement for after the battles."""

    unit: UnitId
    path: Path
    """From the hex in which it waits."""


class Own(Value, frozen=True):
    """Known to one side only."""

    units: Mapping[UnitId, Unit]
    lost: Mapping[UnitId, Unit] = {}
    """Destroyed units as they last were."""
    sightings: tuple[Sighting, ...] = ()
    """The enemy as last disclosed (R15.1)."""
    identified: frozenset[UnitId] = frozenset()
    """Enemy units met in battle today, known by name until the day ends."""
    entered: Mapping[PlaceId, Stamp] = {}
    """When own ground units were last in a hex."""
    seen: Mapping[PlaceId, Stamp] = {}
    """When enemies were last sighted in a hex."""
    last_seen: tuple[LastSeen, ...] = ()
    """2.10 Enemies out of sight, if the campaign keeps them on the map."""
    positions: Mapping[PlaceId, int] = {}
    """R13 Own prepared positions: 1 Dug-in, 2 Entrenched."""
    seen_positions: Mapping[PlaceId, int] = {}
    """R13 Enemy positions as last disclosed."""
    missions: Missions = Missions()
    """R3 Ordered for today and not yet flown."""
    drops_flown: int = 0
    """R3.8 Units supplied from the air today."""
    demolition_cost: int | UnsetType = UNSET
    """R9.5 Purchase points of the day that a demolition has cost. UNSET, and not stored, if none."""
    close_support: Mapping[UnitId, int] = {}
    """R3.10 Air units assigned to attackers in this portion."""
    artillery: tuple[UnitId, ...] = ()
    """R15.3 Units whose battles get heavy artillery, in this order, until others are named."""
    barrages: int = 0
    """R15.3 Battles supported by heavy artillery today."""
    support: Mapping[PlaceId, Support] = {}
    """What supports this side in the battles that wait, by hex."""
    plots: tuple[SavedMove, ...] = ()
    """R4.5 Saved movement, to be used after the battles in this order."""
    followers: Mapping[UnitId, Escort] = {}
    """R11.5 Commandos that go along if a unit advances."""
    defeated: Mapping[UnitId, PlaceId | None] = field(default_factory=dict, name="beaten")
    """R12.5 Units that must retreat, with the hex that their owner has chosen."""
    advances: Mapping[PlaceId, Advance] = {}
    """R12.2 The victors that move on when all battles are decided, by the hex won."""


class RuledResult(Value, frozen=True):
    """R15.6 The outcome of a battle that the GM has ruled."""

    winner: Winner
    advance: UnitId | None
    losses: Mapping[UnitId, int]
    retreats: Mapping[UnitId, PlaceId]
    tanks: Mapping[UnitId, TankLosses] = {}
    pursuers: Mapping[UnitId, PlaceId] = {}
    minute: int | None = None
    """R12.6 The minute of the defenders' withdrawal; None: they did not withdraw."""


class Hidden(Value, frozen=True):
    """Known to nobody yet."""

    ruled: Mapping[PlaceId, RuledResult] = {}
    """By the hex fought for, until the battle is decided."""
    contacts: frozenset[UnitId] = frozenset()
    """R4 G2 Units with saved movement that have met an enemy zone in this portion, seen or not."""


State = engine.State[Open, Own, Hidden]


def tanks_at_start(branch: Branch) -> tuple[int, int]:
    """R15.4 The tanks of a unit's order of battle: an armoured one's three medium tanks and a heavy one."""
    return (3, 1) if branch is Branch.ARMOR else (0, 0)


def ruled_results(state: State) -> Mapping[PlaceId, RuledResult]:
    """The GM's rulings for battles that wait. Empty in a player's state."""
    return state.hidden.ruled if state.hidden else {}


def contacts_of(state: State) -> frozenset[UnitId]:
    """R4 G2 Units with saved movement that have met an enemy zone in this portion. Empty in a player's state."""
    return state.hidden.contacts if state.hidden else frozenset()


def on_map(own: Own) -> list[tuple[Unit, PlaceId]]:
    """The ground units on the map with their hexes, by id."""
    units = own.units.values()
    return [(unit, at) for unit in units if (at := unit.at) is not None and unit.branch is not COMMANDO]


def commandos_on_map(own: Own) -> list[tuple[Unit, PlaceId]]:
    """R11 The commandos on the map with their hexes, by id."""
    return [(unit, at) for unit in own.units.values() if unit.branch is COMMANDO and (at := unit.at) is not None]


def stamp(open_: Open) -> Stamp:
    """The current portion as a stamp."""
    return open_.date.toordinal() * 2 + half_of(open_.phase)


def left_a_hex(start: PlaceId | None, path: tuple[PlaceId, ...]) -> bool:
    """R10 G2 Whether a unit left a hex; coming onto the map does not count."""
    return len(path) > (start is None)


def combatant(unit: Unit, *, attacks: bool) -> Combatant:
    return Combatant(unit.id, unit.label, unit.branch, unit.echelon, unit.at if attacks else None)


def wiped_out_at(unit: Unit, wiped_out: WipedOut) -> int:
    """R12.8, R12 G6 The headcount at which a unit is wiped out.

    For a unit small from the start by its establishment, for a task force by its first headcount.
    """
    if unit.raised:
        return unit.raised * _SMALL_WIPED_OUT_AT // 100
    return _SMALL_WIPED_OUT_AT if unit.small_from_start else _WIPED_OUT_AT[wiped_out]


def is_small(unit: Unit) -> bool:
    """R12.7 Whether a unit counts as small: from the start, as a task force, or fallen to half its establishment."""
    return unit.small_from_start or unit.whole <= SMALL_AT
