"""The small scenario: a true cut-out of the large map, small enough to learn with and open to both sides."""

from math import ceil

import pytest

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.day.supply import check_supply
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, Branch, GameData
from campaign.rulesets.forum_campaign.model.state import State, Unit
from campaign.rulesets.forum_campaign.model.zoc import too_full
from tests.laws.games import dice_of

FOLDER = find_scenario("forum_campaign/st-vith-1944")
LOADED = load_scenario(FOLDER)
RULES = LOADED.rules
THEATRE: GameData = LOADED.scenario.game_data
START: State = LOADED.scenario.start
ARDENNES: GameData = load_scenario(find_scenario("forum_campaign/ardennes-1944")).scenario.game_data

P19, Q18, Q19, Q20 = PlaceId("P19"), PlaceId("Q18"), PlaceId("Q19"), PlaceId("Q20")
TAKEN_ON_THE_16TH = {PlaceId("R20")}

each_side = pytest.mark.parametrize("side", SIDES)


def units(side: SideId) -> list[Unit]:
    return list(START.own[side].units.values())


def placed(state: State, side: SideId, unit: str, at: PlaceId) -> State:
    """The state with a unit elsewhere."""
    own = state.own[side]
    moved = replace(own.units[UnitId(unit)], at=at)
    return replace(state, own={**state.own, side: replace(own, units={**own.units, moved.id: moved})})


def cut_off(state: State) -> set[UnitId]:
    """Who of both sides would be unsupplied if it were looked at now."""
    ledger = Ledger(
        game_data=THEATRE, state=state, evolve=RULES.evolve, release=RULES.release, dice=dice_of(RULES, 1, 1)
    )
    check_supply(ledger)
    return {unit.id for own in ledger.state.own.values() for unit in own.units.values() if not unit.supplied}


def inside(edge: tuple[PlaceId, PlaceId]) -> bool:
    return edge[0] in THEATRE.hexes and edge[1] in THEATRE.hexes


# --- the size of it ---------------------------------------------------------------------------------------------------


def test_it_is_small() -> None:
    rows = {place[0] for place in THEATRE.hexes}
    columns = {place[1:] for place in THEATRE.hexes}
    assert len(rows) <= 12
    assert len(columns) <= 12
    assert len(THEATRE.hexes) == len(rows) * len(columns), "a rectangle"
    assert 18 <= sum(len(units(side)) for side in SIDES) <= 24


def test_it_lasts_four_days_each_with_its_weather() -> None:
    assert (THEATRE.last_day - THEATRE.first_day).days == 3
    assert (min(THEATRE.charts.weather), max(THEATRE.charts.weather)) == (THEATRE.first_day, THEATRE.last_day)


# --- the map ----------------------------------------------------------------------------------------------------------


def test_its_hexes_are_those_of_the_large_map() -> None:
    for place, hex_ in THEATRE.hexes.items():
        large = ARDENNES.hexes[place]
        if place in TAKEN_ON_THE_16TH:
            assert (large.control, hex_.control) == (ALLIED, GERMAN)
        assert (hex_.terrain, hex_.town, hex_.importance) == (large.terrain, large.town, large.importance)
        assert (hex_.victory_points, hex_.depot) == (large.victory_points, large.depot)
        assert (hex_.fortified, hex_.country) == (large.fortified, large.country)
        assert hex_.control == large.control or place in TAKEN_ON_THE_16TH


def test_its_hexsides_are_those_of_the_large_map() -> None:
    assert THEATRE.roads == {edge: road for edge, road in ARDENNES.roads.items() if inside(edge)}
    assert THEATRE.rivers == {edge: river for edge, river in ARDENNES.rivers.items() if inside(edge)}
    assert THEATRE.bridges == {edge for edge in ARDENNES.bridges if inside(edge)}
    assert THEATRE.frontiers == {edge for edge in ARDENNES.frontiers if inside(edge)}
    assert THEATRE.roads
    assert THEATRE.rivers


def test_its_roads_leave_it_where_those_of_the_large_map_do() -> None:
    """All but those that an entry's road stands for: it leaves the same hex within 45 degrees."""
    cut = {edge: road for edge, road in ARDENNES.roads.items() if edge[0] in THEATRE.hexes and not inside(edge)}
    entries = {entry.hex for entry in THEATRE.entries}
    assert THEATRE.roads_out.items() <= cut.items()
    assert {place for place, _ in cut.keys() - THEATRE.roads_out.keys()} <= entries
    assert len(THEATRE.roads_out) > 20


@each_side
def test_each_side_is_supplied_from_the_rim_that_it_holds(side: SideId) -> None:
    edge = THEATRE.supply_edge[side]
    rim = {place for place in THEATRE.hexes if len(THEATRE.board.neighbours(place)) < 6}
    assert edge == {place for place in rim if THEATRE.hexes[place].control == side}


@each_side
def test_roads_lead_in_over_the_rim_that_a_side_holds(side: SideId) -> None:
    entries = {entry.hex for entry in THEATRE.entries if entry.side == side}
    assert entries
    assert entries <= THEATRE.supply_edge[side]


# --- the units --------------------------------------------------------------------------------------------------------


@each_side
def test_every_unit_is_on_ground_of_its_own(side: SideId) -> None:
    standing = [unit for unit in units(side) if unit.arrives is None]
    assert standing
    for unit in standing:
        assert unit.at is not None
        assert THEATRE.hexes[unit.at].control == side, unit.label
        assert not too_full(other for other in standing if other.at == unit.at), unit.label


@each_side
def test_each_side_has_armour_and_a_reinforcement_on_the_second_or_third_day(side: SideId) -> None:
    coming = [unit for unit in units(side) if unit.arrives is not None]
    assert any(unit.branch is Branch.ARMOR for unit in units(side))
    assert coming
    for unit in coming:
        assert unit.arrives is not None
        assert 1 <= (unit.arrives - THEATRE.first_day).days <= 2
        assert unit.entry in {entry.hex for entry in THEATRE.entries if entry.side == side}


def test_there_are_commandos_and_an_allied_airborne_division() -> None:
    assert 1 <= sum(unit.branch is Branch.COMMANDO for unit in units(GERMAN)) <= 2
    assert any(unit.branch is Branch.AIRBORNE and not unit.small for unit in units(ALLIED))


# --- what it is about -------------------------------------------------------------------------------------------------


def test_the_germans_may_choose_what_to_win_with() -> None:
    """The briefing says so."""
    worth = {hex_.town: hex_.victory_points for hex_ in THEATRE.hexes.values() if hex_.victory_points}
    held = sum(hex_.victory_points for hex_ in THEATRE.hexes.values() if hex_.control == GERMAN)
    missing = sum(worth.values()) // 2 + 1 - held
    assert missing == worth["Houffalize"] == worth["St. Vith"] - 1 == worth["Stavelot"] + worth["Malmédy"] - 1


def test_fuel_does_not_last_for_moving_everything_every_day() -> None:
    fuel, days = THEATRE.charts.fuel, 4
    foot = [u for u in units(GERMAN) if u.branch in {Branch.INFANTRY, Branch.AIRBORNE}]
    wheels = [u for u in units(GERMAN) if u.branch in {Branch.ARMOR, Branch.MECHANIZED} and u.arrives is None]
    a_day = ceil(len(foot) / fuel.infantry_per_point) + ceil(len(wheels) / fuel.mechanized_per_point)
    given = fuel.start + days * fuel.income
    captured = sum(hex_.depot for hex_ in THEATRE.hexes.values())
    assert a_day <= fuel.start + fuel.income, "on the first day everything can move"
    assert given < days * a_day <= given + captured


def test_nobody_is_cut_off_on_the_first_morning() -> None:
    assert cut_off(START) == set()


def test_the_regiment_on_the_schnee_eifel_is_shut_in_when_manderfeld_falls() -> None:
    taken = placed(placed(START, ALLIED, "U-14CAV", Q18), GERMAN, "G-3FJ", Q19)
    assert cut_off(taken) == {"U-422"}
    assert cut_off(placed(taken, ALLIED, "U-422", P19)) == set(), "it got out in time"
    assert cut_off(placed(taken, GERMAN, "G-3FJ", Q20)) == set(), "it was relieved"
