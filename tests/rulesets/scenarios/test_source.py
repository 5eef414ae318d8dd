"""Both scenarios: which numbers are the reference's (2.5, 2.6, R10), and that history's line is a German loss."""

import pytest

from campaign.game.loading import WithStart, find_scenario, load_scenario, supplied_scenarios
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.day.victory import leader, victory_points
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData

LOADED = [loaded for folder in supplied_scenarios() if (loaded := load_scenario(folder)).rules is RULESET]
each_scenario = pytest.mark.parametrize("loaded", LOADED, ids=lambda loaded: loaded.scenario.title)
ARDENNES: GameData = LOADED[0].scenario.game_data

WORTH = {
    6: "Bastogne",
    5: "Liège",
    4: "St. Vith, Namur, Dinant, Luxembourg",
    3: "Huy, Marche, Houffalize",
    2: "Malmédy, Stavelot, Spa, Verviers, Ciney, Rochefort, La Roche, Vielsalm, Clervaux, Wiltz, Ettelbruck, Arlon, "
    "Neufchâteau, Elsenborn, Eupen",
    1: "Manhay, Diekirch, Echternach, Monschau",
}
"""2.5 The places that the Allies hold at the start, by their points."""
HOME = {"Prüm", "Bitburg", "Gerolstein"}
"""2.5 The places that the Germans hold at the start, whose points are ours to choose."""
HISTORY = {"St. Vith", "Houffalize", "Vielsalm", "La Roche", "Clervaux", "Wiltz", "Diekirch", "Rochefort"}
"""2.5 What the Germans held on 31 December besides."""
BASTOGNE_AND_THE_MEUSE = {"Bastogne", "Marche", "Ciney", "Dinant"}
FUEL = {
    8: "Liège",
    6: "Stavelot",
    4: "Spa, Verviers, Namur",
    3: "Eupen, Huy, Libramont, Arlon",
    2: "Bastogne, Marche",
    1: "Büllingen, Malmédy, St. Vith, Samrée",
}
"""2.6, 2.9 Depots by their fuel points; the paired ones lie at Stavelot, Samrée and Libramont."""


def by_name(numbers: dict[int, str]) -> dict[str, int]:
    return {name: number for number, names in numbers.items() for name in names.split(", ")}


def worth_in(game_data: GameData) -> dict[str, int]:
    return {hex_.town: hex_.victory_points for hex_ in game_data.hexes.values() if hex_.victory_points}


def ahead(german: set[str]) -> str | None:
    """R15.5 Who wins the large scenario, if the Germans hold these places."""
    held = {id_: GERMAN if hex_.town in german else ALLIED for id_, hex_ in ARDENNES.hexes.items()}
    return leader(
        victory_points(ARDENNES, {id_: held[id_] for id_, hex_ in ARDENNES.hexes.items() if hex_.victory_points})
    )


def test_the_large_scenario_has_every_place_of_the_reference() -> None:
    assert worth_in(ARDENNES).keys() == by_name(WORTH).keys() | HOME
    assert sum(worth for town, worth in worth_in(ARDENNES).items() if town not in HOME) == 70


@each_scenario
def test_every_place_but_home_towns_has_the_points_of_the_reference(loaded: WithStart) -> None:
    worth = worth_in(loaded.scenario.game_data)
    assert {town: points for town, points in worth.items() if town not in HOME} == {
        town: points for town, points in by_name(WORTH).items() if town in worth
    }
    assert max(worth[town] for town in HOME & worth.keys()) <= by_name(WORTH)["Bastogne"]


@each_scenario
def test_home_towns_are_held_by_the_germans_at_the_start_and_nothing_else(loaded: WithStart) -> None:
    game_data: GameData = loaded.scenario.game_data
    held = {hex_.town for hex_ in game_data.hexes.values() if hex_.victory_points and hex_.control == GERMAN}
    assert held == HOME & worth_in(game_data).keys() != set()


def test_the_line_of_history_is_a_german_loss_and_with_bastogne_and_the_meuse_a_win() -> None:
    assert ahead(HOME | HISTORY) == ALLIED
    assert ahead(HOME | HISTORY | BASTOGNE_AND_THE_MEUSE) == GERMAN


def depots_in(game_data: GameData) -> dict[str, int]:
    return {hex_.town: hex_.depot for hex_ in game_data.hexes.values() if hex_.depot}


def test_the_large_scenario_has_every_depot_of_the_reference() -> None:
    assert depots_in(ARDENNES).keys() == by_name(FUEL).keys()


@each_scenario
def test_a_depot_has_a_third_of_the_fuel_of_the_reference_and_at_least_a_point(loaded: WithStart) -> None:
    """The places are given; the points are ours to choose."""
    depots = depots_in(loaded.scenario.game_data)
    assert depots == {town: max(round(points / 3), 1) for town, points in by_name(FUEL).items() if town in depots}


def test_fuel_at_the_start_and_every_morning_is_that_of_the_source() -> None:
    fuel = ARDENNES.charts.fuel
    assert (fuel.start, fuel.income, fuel.infantry_per_point, fuel.mechanized_per_point) == (20, 3, 5, 2)


@pytest.mark.parametrize("name", ["ardennes-1944", "st-vith-1944"])
def test_the_briefing_says_what_an_allied_unit_counts_for_in_the_resolver(name: str) -> None:
    folder = find_scenario(f"forum_campaign/{name}")
    game_data: GameData = load_scenario(folder).scenario.game_data
    text = (folder / "briefing-allied.md").read_text(encoding="utf-8")
    assert f"counts for only {game_data.charts.resolver.sides[ALLIED]} percent" in " ".join(text.split())


@each_scenario
def test_only_units_that_moved_use_fuel(loaded: WithStart) -> None:
    """R10.4 Advances and pursuits use none."""
    assert not loaded.scenario.game_data.charts.fuel.advance_counts
