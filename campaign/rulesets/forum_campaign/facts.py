"""What can happen in a forum campaign, and what each fact changes.

`evolve` works on the truth and on slices alike: a slice is told its faces and changes by them as the truth does, except
for what it does not hold.
"""

import datetime
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from campaign.engine.facts import Fact, Rolled
from campaign.engine.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.modifiers import Modifier
from campaign.engine.state import with_open, with_own
from campaign.engine.values import replace
from campaign.rulesets.forum_campaign.state import (
    SMALL_AT,
    Battle,
    Combatant,
    DepotStatus,
    Own,
    Sighting,
    Stamp,
    State,
    Unit,
    WeatherToday,
    left_a_hex,
    stamp,
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


class Winner(Enum):
    ATTACKERS = "attackers"
    DEFENDERS = "defenders"


class Turned(Fact, frozen=True):
    """R1.2 The sequence of play moves on."""

    phase: PhaseKey
    date: datetime.date


class WeatherSet(Fact, frozen=True):
    """R2.3"""

    today: WeatherToday


class FuelReceived(Fact, frozen=True):
    """R10.2 The daily income."""

    points: int


class FuelSpent(Fact, frozen=True):
    """R10.4 The price of the portion's moves. Only the Germans are told the reasons."""

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
    """R12 G1 The result of a battle. Without a report it counts as a defence without losses."""

    at: PlaceId
    attacker: SideId
    winner: Winner
    reported: bool = True


class Weakened(Fact, frozen=True):
    """R12.7 A unit lost headcount; small: it has fallen to task force size."""

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
    """R12.5"""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId
    wanted: PlaceId | None = None
    """The hex that its owner chose, if he did; it may not have been free any more."""


class Advanced(Fact, frozen=True):
    """R12.2"""

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
    """R9.2"""

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


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Raises KeyError for a unit or place that is not there, TypeError for no fact of ours."""
    return _EVOLVE[type(fact)](state, fact)


def _turned(state: State, fact: Turned) -> State:
    state = with_open(state, phase=fact.phase, date=fact.date)
    if fact.phase == "morning":
        return _in_every_own(state, _new_day)
    if fact.phase.endswith("_sheet"):
        return with_own(state, SideId(fact.phase.removesuffix("_sheet")), _new_portion)
    return state


def _in_every_own(state: State, change: Callable[[Own], Own]) -> State:
    for side in state.own:
        state = with_own(state, side, change)
    return state


def _new_day(own: Own) -> Own:
    units = {id_: replace(unit, fought=False) for id_, unit in own.units.items()}
    return replace(own, units=units, identified=frozenset())


def _new_portion(own: Own) -> Own:
    return replace(own, units=_at_rest(own.units), lost=_at_rest(own.lost))


def _at_rest(units: Mapping[UnitId, Unit]) -> dict[UnitId, Unit]:
    return {id_: replace(unit, spent=0, moved=False) for id_, unit in units.items()}


def _scouted(state: State, fact: Scouted) -> State:
    for side, sightings in fact.sightings.items():
        state = with_own(state, side, _seeing(sightings, stamp(state.open)))
    return state


def _seeing(sightings: tuple[Sighting, ...], now: Stamp) -> Callable[[Own], Own]:
    seen = {sighting.at: now for sighting in sightings}
    return lambda own: replace(own, sightings=sightings, seen={**own.seen, **seen})


def _moved(state: State, fact: Moved) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        at = fact.path[-1] if fact.path else unit.at
        moved = unit.moved or left_a_hex(fact.start, fact.path)
        own = _with_unit(own, replace(unit, at=at, moved=moved, spent=fact.spent))
        return _enter(own, fact.path, state)

    return with_own(state, fact.side, change)


def _displaced(state: State, side: SideId, unit: UnitId, to: PlaceId) -> State:
    """A unit is elsewhere without having spent movement: retreat, advance, the GM's hand."""
    return with_own(state, side, lambda own: _enter(_with_unit(own, replace(own.units[unit], at=to)), (to,), state))


def _enter(own: Own, path: tuple[PlaceId, ...], state: State) -> Own:
    now = stamp(state.open)
    return replace(own, entered={**own.entered, **dict.fromkeys(path, now)})


def _with_unit(own: Own, unit: Unit) -> Own:
    return replace(own, units={**own.units, unit.id: unit})


def _change_unit(state: State, side: SideId, unit: UnitId, **changes: Any) -> State:
    return with_own(state, side, lambda own: _with_unit(own, replace(own.units[unit], **changes)))


def _battle_opened(state: State, fact: BattleOpened) -> State:
    battle = fact.battle
    state = with_open(state, battles=(*state.open.battles, battle))
    for side in state.own:
        sides = (battle.attackers, battle.defenders)
        ours, theirs = sides if side == battle.attacker else reversed(sides)
        state = with_own(state, side, _engaged(ours, theirs))
    return state


def _engaged(ours: tuple[Combatant, ...], theirs: tuple[Combatant, ...]) -> Callable[[Own], Own]:
    def change(own: Own) -> Own:
        for fighter in ours:
            own = _with_unit(own, replace(own.units[fighter.unit], fought=True))
        return replace(own, identified=own.identified | {fighter.unit for fighter in theirs})

    return change


def _destroyed(state: State, fact: Destroyed) -> State:
    def change(own: Own) -> Own:
        units = dict(own.units)
        unit = units.pop(fact.unit)
        return replace(own, units=units, lost={**own.lost, unit.id: unit})

    return with_own(state, fact.side, change)


def _recalled(state: State, fact: UnitPlaced) -> State:
    """A destroyed unit among the living again."""

    def change(own: Own) -> Own:
        lost = dict(own.lost)
        unit = lost.pop(fact.unit, None)
        units = own.units if unit is None else dict(sorted({**own.units, unit.id: unit}.items()))
        return replace(own, units=units, lost=lost)

    return with_own(state, fact.side, change)


def _strength_set(state: State, fact: StrengthSet) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        small = unit.small_from_start or fact.strength <= SMALL_AT
        return _with_unit(own, replace(unit, strength=fact.strength, small=small))

    return with_own(state, fact.side, change)


def _depot_captured(state: State, fact: DepotCaptured) -> State:
    depots = {**state.open.depots, fact.place: DepotStatus.CAPTURED}
    return with_open(state, depots=depots, fuel=state.open.fuel + fact.value)


def _nothing(state: State, _fact: Fact) -> State:
    return state


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    Rolled: _nothing,
    Noted: _nothing,
    AttackLapsed: _nothing,
    Turned: _turned,
    WeatherSet: lambda state, fact: with_open(state, weather=fact.today),
    FuelReceived: lambda state, fact: with_open(state, fuel=state.open.fuel + fact.points),
    FuelSpent: lambda state, fact: with_open(state, fuel=state.open.fuel - fact.points),
    FuelSet: lambda state, fact: with_open(state, fuel=fact.points),
    Scouted: _scouted,
    Moved: _moved,
    UnitPlaced: lambda state, fact: _displaced(_recalled(state, fact), fact.side, fact.unit, fact.at),
    DepotSet: lambda state, fact: with_open(state, depots={**state.open.depots, fact.place: fact.status}),
    BattleOpened: _battle_opened,
    BattleFought: lambda state, fact: with_open(
        state, battles=tuple(battle for battle in state.open.battles if battle.at != fact.at)
    ),
    Weakened: lambda state, fact: _change_unit(state, fact.side, fact.unit, strength=fact.strength, small=fact.small),
    StrengthSet: _strength_set,
    Destroyed: _destroyed,
    Retreated: lambda state, fact: _displaced(state, fact.side, fact.unit, fact.to),
    Advanced: lambda state, fact: _displaced(state, fact.side, fact.unit, fact.to),
    CutOff: lambda state, fact: _change_unit(state, fact.side, fact.unit, supplied=False),
    Resupplied: lambda state, fact: _change_unit(state, fact.side, fact.unit, supplied=True),
    DepotCaptured: _depot_captured,
    Controlled: lambda state, fact: with_open(state, control={**state.open.control, fact.place: fact.side}),
    CampaignEnded: lambda state, _fact: with_open(state, ended=True),
}
