"""R3 The day in the air: units by die, the boxes, superiority and removals, the missions at dawn."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from campaign.engine.facts import Ledger
from campaign.engine.phases import Orders, submitted
from campaign.engine.values.ids import PUBLIC, PlaceId, SideId, audience_of
from campaign.rulesets.forum_campaign.air.airdrop import PAIR, fly_dawn_drops
from campaign.rulesets.forum_campaign.air.checking import check_air, read_removals
from campaign.rulesets.forum_campaign.model.facts.air import (
    AirAllocated,
    AirAvailable,
    AirRemoved,
    Interdicted,
    MissionsPlanned,
    SuperiorityWon,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, Box, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.options import Parity
from campaign.rulesets.forum_campaign.model.state import Missions, State, Target, Unit, on_map
from campaign.rulesets.forum_campaign.model.words import SIDE_NAMES

REMOVED_FIRST = (Box.CAS, Box.INTERDICTION, Box.DROP, Box.SUPERIORITY)
"""R3 G3 The boxes that lose units first if the winner has named none."""
PER_AIR_UNIT = 2
"""R3.9 The bonus of each air unit to the Allied roll."""
TWICE = 2
"""R3.9 An interdiction succeeds with this many times the German roll."""


# --- the morning -----------------------------------------------------------------------------------------------------


def roll_air_units(ledger: Ledger[GameData, State]) -> None:
    """R3.1 Each side's air units of the day: a die and the weather's modifier, at least zero."""
    today, date = ledger.state.open.weather, ledger.state.open.date
    assert today is not None, "the weather is rolled before"
    for side, modifier in ((GERMAN, today.german_air), (ALLIED, today.allied_air)):
        (die,) = ledger.roll(
            f"air/{side}/{date}",
            sides=ledger.game_data.charts.air.die,
            audience=PUBLIC,
            purpose=f"{SIDE_NAMES[side]} air units ({modifier:+d})",
            rule="R3.1",
        )
        ledger.emit(AirAvailable(side, max(0, die + modifier)), rule="R3.1")


# --- the boxes -------------------------------------------------------------------------------------------------------


def open_boxes(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R3.5 Show all what both sides sent out in secret; a side without a sheet sends nothing (G11)."""
    plans = {side: check_air(submitted(ledger, orders, side)) for side in SIDES}
    for side, plan in plans.items():
        if plan.missions != Missions():
            ledger.emit(MissionsPlanned(side, plan.missions), rule="R3.5")
        if side in ledger.state.open.air and ledger.state.open.air[side].available:
            ledger.emit(AirAllocated(side, plan.boxes), rule="R3.5")
    _contest(ledger)


def _contest(ledger: Ledger[GameData, State]) -> None:
    """R3.7 Air superiority, if anyone flies for it. Removals are limited to what the loser has in the air."""
    sent = {side: _boxes(ledger.state, side).get(Box.SUPERIORITY, 0) for side in SIDES}
    if not any(sent.values()):
        return
    winner, removals = superiority(sent, ledger.state.open.options.parity)
    flying = sum(_boxes(ledger.state, enemy_of(winner)).values()) if winner else 0
    ledger.emit(SuperiorityWon(winner, min(removals, flying)), rule="R3.7")


def _boxes(state: State, side: SideId) -> Mapping[Box, int]:
    day = state.open.air.get(side)
    return day.boxes if day else {}


def superiority(sent: Mapping[SideId, int], parity: Parity) -> tuple[SideId | None, int]:
    """R3.7 The winner with these units, and how many enemy units it removes: one for every two more that it has."""
    counted = {side: units - units % PAIR if parity is Parity.EVEN_FIRST else units for side, units in sent.items()}
    ahead = counted[GERMAN] - counted[ALLIED]
    if not ahead:
        return None, 0
    return (GERMAN if ahead > 0 else ALLIED), abs(ahead) // PAIR


# --- removals --------------------------------------------------------------------------------------------------------


def remove(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R3.7 Remove enemy air units: those named in the removals' phase, then by the air sheet, then in the usual order.

    Removals do not change who won (G3).
    """
    winner = ledger.state.open.air_winner
    if winner is None:
        return
    named = read_removals(submitted(ledger, orders, winner)).boxes
    preferred = (*ledger.state.own[winner].missions.priorities, *REMOVED_FIRST)
    loser = enemy_of(winner)
    for box in _in_order(_boxes(ledger.state, loser), named, preferred):
        if not ledger.state.open.removals:
            return
        if _boxes(ledger.state, loser).get(box, 0):
            ledger.emit(AirRemoved(loser, box), rule="R3.7")


def _in_order(boxes: Mapping[Box, int], named: Sequence[Box], preferred: Sequence[Box]) -> Iterator[Box]:
    yield from named
    for box in preferred:
        yield from repeat(box, boxes.get(box, 0))


# --- the missions of the dawn ----------------------------------------------------------------------------------------


def fly_missions(ledger: Ledger[GameData, State]) -> None:
    """R3.8, R3.9 Fly the first drops, then interdiction."""
    fly_dawn_drops(ledger)
    for target in list(_flyable(ledger.state)):
        _strike(ledger, target)


def _flyable(state: State) -> Iterator[Target]:
    """R3.9 The targets in sheet order, with the air units that removals have left for them."""
    left = _boxes(state, ALLIED).get(Box.INTERDICTION, 0)
    for target in state.own[ALLIED].missions.interdictions:
        units = min(target.air_units, left)
        left -= units
        if units:
            yield Target(target.at, units)


def _strike(ledger: Ledger[GameData, State], target: Target) -> None:
    """R3.9 Each side rolls once: the Allied roll plus two for each air unit against twice the German roll."""
    unit = _target_in(ledger.state, target.at)
    if unit is None:
        ledger.emit(Interdicted(target.at, target.air_units, success=False), rule="R3.9")
        return
    allied, german = (_roll_for(ledger, side, target.at) for side in (ALLIED, GERMAN))
    success = interdicts(allied, german, air_units=target.air_units)
    ledger.emit(Interdicted(target.at, target.air_units, success, GERMAN, unit.id), rule="R3.9")


def interdicts(allied: int, german: int, *, air_units: int) -> bool:
    """R3.9 Whether these rolls interdict the target."""
    return allied + PER_AIR_UNIT * air_units >= TWICE * german


def _target_in(state: State, at: PlaceId) -> Unit | None:
    """R3.9 The target in a hex: the full-size unit if there is one, else the first by id."""
    there = [unit for unit, place in on_map(state.own[GERMAN]) if place == at]
    return min(there, key=lambda unit: (unit.small, unit.id), default=None)


def _roll_for(ledger: Ledger[GameData, State], side: SideId, at: PlaceId) -> int:
    (die,) = ledger.roll(
        f"interdiction/{at}/{side}",
        sides=ledger.game_data.charts.air.interdiction_die,
        audience=audience_of(ALLIED),
        purpose=f"the {SIDE_NAMES[side]} side in the interdiction of {ledger.game_data.place_name(at)}",
        rule="R3.9",
    )
    return die
