"""What a campaign knows of itself: the truth, in the parts that decide who may see it."""

import datetime
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from campaign.engine import state as engine
from campaign.engine.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values import Value
from campaign.engine.views import Branch, Echelon
from campaign.rulesets.forum_campaign.theatre import Weather

SMALL_AT = 50
"""R12.7 Percent of the full establishment at which a unit falls to task force size."""
WIPED_OUT_AT = 20
"""R12.8 Percent at which it is wiped out: a further 30."""
SMALL_WIPED_OUT_AT = 40
"""R12 G6 The same for units that were small from the start, of their own establishment."""

Stamp = int
"""When something was last known of a hex: two a day, the German and the Allied portion."""


class Unit(Value, frozen=True):
    """A ground unit. Strength is headcount in percent of its full establishment (R12.7)."""

    id: UnitId
    label: str
    name: str
    branch: Branch
    echelon: Echelon
    small: bool
    """R5.7 Small for stacking, now."""
    small_from_start: bool
    movement: int
    """Printed movement points."""
    strength: int = 100
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

    @property
    def mechanized(self) -> bool:
        """Of the class mechanized; all others are infantry."""
        return self.branch in (Branch.ARMOR, Branch.MECHANIZED)


class Sighting(Value, frozen=True):
    """R15.2 An enemy unit as one side makes it out."""

    at: PlaceId
    type: "UnitType"
    unit: UnitId | None = None
    """None where only the type is known."""
    label: str = ""
    branch: Branch | None = None
    echelon: Echelon = Echelon.UNKNOWN


class UnitType(Enum):
    """R15.2 What is made out from afar: airborne reads as infantry, brigades and cavalry as Panzergrenadiers."""

    ARMOUR = "armour"
    INFANTRY = "infantry"
    PANZERGRENADIER = "PzGr"


class Combatant(Value, frozen=True):
    """A unit in a battle, as both sides know it from then on."""

    unit: UnitId
    label: str
    branch: Branch
    echelon: Echelon
    comes_from: PlaceId | None = None
    """R12.1 The hex out of which it attacks; None: it defends."""


class Winner(Enum):
    ATTACKERS = "attackers"
    DEFENDERS = "defenders"


class Battle(Value, frozen=True):
    """R12 A fight for one hex, to be fought outside."""

    at: PlaceId
    attacker: SideId
    attackers: tuple[Combatant, ...]
    defenders: tuple[Combatant, ...]


class DepotStatus(Enum):
    INTACT = "intact"
    CAPTURED = "captured"


class WeatherToday(Value, frozen=True):
    """R2.3 Condition and modifiers to air units."""

    condition: Weather
    allied_air: int
    german_air: int


class Open(Value, frozen=True):
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


class Own(Value, frozen=True):
    """Known to one side only."""

    units: Mapping[UnitId, Unit]
    lost: Mapping[UnitId, Unit] = {}
    """Destroyed units as they last were."""
    sightings: tuple[Sighting, ...] = ()
    """The enemy as last told (R15.1)."""
    identified: frozenset[UnitId] = frozenset()
    """Enemy units met in battle today, known by name until the day ends."""
    entered: Mapping[PlaceId, Stamp] = {}
    """When own ground units were last in a hex."""
    seen: Mapping[PlaceId, Stamp] = {}
    """When enemies were last sighted in a hex."""


class RuledResult(Value, frozen=True):
    """R15.6 What the GM has ruled to come of a battle."""

    winner: Winner
    advance: UnitId | None
    losses: Mapping[UnitId, int]
    retreats: Mapping[UnitId, PlaceId]


class Hidden(Value, frozen=True):
    """Known to nobody yet."""

    ruled: Mapping[PlaceId, RuledResult] = {}
    """By the hex fought for; it waits for the battle to be settled."""


State = engine.State[Open, Own, Hidden]


def with_hidden_part(raw: dict[str, Any]) -> dict[str, Any]:
    """The upgrade from state version 1, in which nothing was hidden."""
    return {**raw, "hidden": {}}


def ruled_results(state: State) -> Mapping[PlaceId, RuledResult]:
    """What the GM has ruled of the battles that wait. Slices hold nothing of it."""
    return state.hidden.ruled if state.hidden else {}


def on_map(own: Own) -> Iterator[tuple[Unit, PlaceId]]:
    """The ground units on the map with their hexes, by id."""
    for unit in own.units.values():
        if unit.at is not None:
            yield unit, unit.at


def stamp(open_: Open) -> Stamp:
    """The current portion as a stamp."""
    return open_.date.toordinal() * 2 + (open_.phase.startswith("allied") or open_.phase == "night")


def left_a_hex(start: PlaceId | None, path: tuple[PlaceId, ...]) -> bool:
    """R10 G2 Whether a move counts as one: coming onto the map alone does not."""
    return len(path) > (start is None)


def combatant(unit: Unit, *, attacks: bool) -> Combatant:
    return Combatant(unit.id, unit.label, unit.branch, unit.echelon, unit.at if attacks else None)


def wiped_out_at(unit: Unit) -> int:
    """R12.8, R12 G6 The strength at which a unit is no more."""
    return SMALL_WIPED_OUT_AT if unit.small_from_start else WIPED_OUT_AT
