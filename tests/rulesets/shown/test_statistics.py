"""Figures of the forum campaign's plots, by hand."""

from collections.abc import Sequence

import pytest

from campaign.engine.facts import Fact
from campaign.engine.ruleset import Scenario
from campaign.engine.statistics import START, Day
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets.forum_campaign.disclosure.statistics import STATISTICS
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.model.facts.battle import Absorbed, BattleFought, Cause, Destroyed, Weakened
from campaign.rulesets.forum_campaign.model.facts.day import CutOff, DepotCaptured, FuelSpent
from campaign.rulesets.forum_campaign.model.facts.movement import Moved, UnitPlaced
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.state import State, Winner
from campaign.rulesets.forum_campaign.scenario.case import read_case

PZ, VG, INF, CAV = map(UnitId, ("2 Pz", "12 VG", "28 Inf", "14 Cav"))
CASE = {
    "map": {"size": "A1-C8", "german": "A6 A7 A8 B6 B7 B8 C6 C7 C8"},
    "units": {
        "german": {"2 Pz": {"at": "B7", "class": "armor"}, "12 VG": {"at": "A7"}},
        "allied": {"28 Inf": {"at": "A1"}, "14 Cav": {"at": "C2", "establishment": 60}},
    },
}


@pytest.fixture(scope="module")
def case() -> Scenario[GameData, State]:
    return read_case(CASE, scenario_files(find_scenario("forum_campaign/ardennes-1944")))


def figures(case: Scenario[GameData, State], key: str, *facts: Fact) -> Sequence[int]:
    """The figures of one plot on a day in which just this happened."""
    state = case.start
    for fact in facts:
        state = evolve(state, fact)
    statistic = next(each for each in STATISTICS if each.key == key)
    return tuple(statistic.figures(case.game_data, Day(START, state, facts)))


def test_losses_count_by_establishment_and_what_is_absorbed_is_not_lost(case: Scenario[GameData, State]) -> None:
    weakened = Weakened(ALLIED, CAV, lost=50, strength=50, small=True)
    assert figures(case, "losses", weakened) == (0, 30)
    destroyed = Destroyed(ALLIED, CAV, "14 Cav", PlaceId("C2"), Cause.LOSSES)
    assert figures(case, "losses", weakened, destroyed) == (0, 60)
    assert figures(case, "strength", weakened, destroyed) == (200, 100)
    assert figures(case, "units-lost", weakened, destroyed) == (0, 1)
    hurt = Weakened(ALLIED, INF, lost=40, strength=60, small=False)
    absorbed = Absorbed(ALLIED, INF, CAV, gained=20, debt=1)
    assert figures(case, "losses", hurt, weakened, destroyed, absorbed) == (0, 80)


def test_a_destroyed_unit_that_the_gm_brings_back_was_lost_on_that_day_all_the_same(
    case: Scenario[GameData, State],
) -> None:
    destroyed = Destroyed(GERMAN, VG, "12 VG", PlaceId("A7"), Cause.NO_RETREAT)
    assert figures(case, "losses", destroyed, UnitPlaced(GERMAN, VG, PlaceId("A8"))) == (100, 0)
    assert figures(case, "units-lost", destroyed, UnitPlaced(GERMAN, VG, PlaceId("A8"))) == (0, 0)


def test_battles_count_for_who_attacked_and_for_who_won(case: Scenario[GameData, State]) -> None:
    fought = (
        BattleFought(PlaceId("A1"), GERMAN, Winner.DEFENDERS),
        BattleFought(PlaceId("C2"), GERMAN, Winner.ATTACKERS),
        BattleFought(PlaceId("B7"), ALLIED, Winner.DEFENDERS),
    )
    assert figures(case, "battles", *fought) == (2, 1)
    assert figures(case, "victories", *fought) == (2, 1)
    assert figures(case, "victories", *fought[:1]) == (0, 1)


def test_fuel_used_and_captured_are_those_of_the_day(case: Scenario[GameData, State]) -> None:
    assert figures(case, "fuel-used", FuelSpent(2), FuelSpent(1)) == (3, 0)
    statistic = next(each for each in STATISTICS if each.key == "fuel-used")
    captured = Day(START, case.start, (DepotCaptured(PlaceId("A1"), 4), FuelSpent(1)))
    assert tuple(statistic.figures(case.game_data, captured)) == (1, 4)
    assert figures(case, "fuel", FuelSpent(1)) == (case.start.open.fuel - 1,)


def test_units_out_of_supply_are_those_with_a_marker(case: Scenario[GameData, State]) -> None:
    assert figures(case, "supply", CutOff(GERMAN, PZ)) == (1, 0)


def test_ground_and_advance_are_measured_from_where_the_sides_began(case: Scenario[GameData, State]) -> None:
    assert figures(case, "ground") == figures(case, "advance") == (0, 0)
    raid = Moved(GERMAN, PZ, PlaceId("B7"), tuple(map(PlaceId, ("B6", "B5", "B4", "B3"))), spent=4)
    assert figures(case, "ground", raid) == (3, 0)
    assert figures(case, "advance", raid) == (3, 0)
    back = Moved(GERMAN, PZ, PlaceId("B3"), tuple(map(PlaceId, ("B4", "B5", "B6"))), spent=4)
    assert figures(case, "ground", raid, back) == (3, 0), "nobody has taken it back"
    assert figures(case, "advance", raid, back) == (0, 0)
