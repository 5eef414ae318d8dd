"""`manage.py play`, and games of bots: reproducible and complete. What bots write is in tests/bots."""

import dataclasses
import json
from io import StringIO
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command

from campaign.engine.values.ids import SideId
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.simulation import play_game, play_phases, simulation_of
from campaign.game.store import encode_events
from campaign.management.commands.play import Command
from tests import toy
from tests.laws.games import load

SMALL = "forum_campaign/st-vith-1944"
LOADED = load_scenario(find_scenario(SMALL))
DAYS = ["1944-12-17", "1944-12-18", "1944-12-19", "1944-12-20"]
FIGURES = {
    *("vp_german", "vp_allied", "lost_german", "lost_allied", "unsupplied_german", "unsupplied_allied"),
    *("fuel", "fuel_for_all"),
    *("depots_captured", "depots_destroyed", "at_the_meuse"),
}
_STOPS_A_DAY = 12
"""More phases than any campaign has."""


def players(german: str, allied: str) -> dict[SideId, str]:
    return {SideId("german"): german, SideId("allied"): allied}


def play(*words: str) -> list[str]:
    out = StringIO()
    call_command("play", *words, stdout=out)
    return out.getvalue().splitlines()


def read(lines: list[str]) -> list[dict[str, Any]]:
    """The lines without their times."""
    *games, last = [json.loads(line) for line in lines]
    assert all(game.pop("seconds") >= 0 for game in games)
    assert last["summary"].pop("seconds_a_game") >= 0
    return [*games, last]


# --- the command ------------------------------------------------------------------------------------------------------


def test_each_game_has_a_line_with_what_came_of_it() -> None:
    *games, _ = read(play(SMALL, "--games", "3", "--first", "7", "--bots", "german=fist", "--jobs", "1", "--json"))
    assert [game["seed"] for game in games] == [7, 8, 9]
    for game in games:
        assert set(game) == {"seed", "players", "result", "days", "figures", "phases", "refused"}
        assert game["players"] == {"german": "fist", "allied": "all-round"}
        assert game["days"] == DAYS
        assert set(game["figures"]) == FIGURES
        assert all(len(figures) == len(DAYS) for figures in game["figures"].values())


def test_the_result_goes_by_the_victory_points_of_the_last_day() -> None:
    *games, _ = read(play(SMALL, "--games", "4", "--jobs", "1", "--json"))
    for game in games:
        german, allied = (game["figures"][f"vp_{side}"][-1] for side in ("german", "allied"))
        assert game["result"] == ("german" if german > allied else "allied" if allied > german else "draw")


def test_the_last_line_sums_all_games_up() -> None:
    *games, last = read(play(SMALL, "--games", "3", "--jobs", "1", "--json"))
    summary = last["summary"]
    assert (summary["games"], summary["days"]) == (3, DAYS)
    assert sum(summary["results"].values()) == 3
    for name, medians in summary["medians"].items():
        assert medians == [sorted(game["figures"][name][day] for game in games)[1] for day in range(len(DAYS))]
    assert summary["refused_a_game"] == round(sum(sum(game["refused"].values()) for game in games) / 3, 2)
    assert set(summary["first_day"]) == FIGURES
    phases = sorted(number for game in games for number in game["phases"])
    assert phases[(len(phases) - 1) // 2] <= summary["phases_a_day"] <= phases[len(phases) // 2]


def test_a_day_of_the_area_game_has_two_phases_where_everything_is_delegated() -> None:
    game, last = read(play("area_activation/race-to-the-meuse", "--json"))
    assert game["phases"] == [2, 2, 2]
    assert last["summary"]["phases_a_day"] == 2


def test_without_json_there_is_a_sentence_for_each_game_and_a_table() -> None:
    lines = play(SMALL, "--games", "2", "--jobs", "1")
    assert [line.split(":")[0] for line in lines[:3]] == ["game 1", "game 2", "2 games"]
    assert {line.split()[0] for line in lines[4:-1]} == FIGURES


def test_games_played_side_by_side_are_the_same() -> None:
    words = (SMALL, "--games", "3", "--json", "--option", "zone_cost=stop")
    assert read(play(*words, "--jobs", "2")) == read(play(*words, "--jobs", "1"))


def test_a_campaigns_choices_are_played_by() -> None:
    usual, scarce = (
        read(play(SMALL, "--jobs", "1", "--json", *words))[0] for words in ((), ("--option", "movement_scale=half"))
    )
    assert usual["figures"] != scarce["figures"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere/at-all"], "there is no such folder"),
        ([SMALL, "--bots", "german"], "a bot is written SIDE=NAME, as in german=all-round"),
        ([SMALL, "--bots", "german="], "a bot is written SIDE=NAME"),
        ([SMALL, "--bots", "german=brave"], "there is no bot 'brave'; there are all-round, home-guard, fist, cutter"),
        ([SMALL, "--bots", "north=fist"], "there is no side 'north'; there are german, allied"),
        ([SMALL, "--option", "zone_cost"], "an option is written NAME=ANSWER"),
        ([SMALL, "--option", "weather=fine"], "there is no option 'weather'"),
        ([SMALL, "--option", "zone_cost=huge"], "zone_cost must be one of none, enter, both, stop, not 'huge'"),
        ([SMALL, "--option", "battles=outside"], "battles must be automatic"),
        ([SMALL, "--games", "0"], "'0' is not 1 or more"),
        ([SMALL, "--jobs", "-1"], "'-1' is not 1 or more"),
        ([], "name a scenario, or say --bar"),
        ([SMALL, "--bar"], "scenario: --bar chooses its own games. Leave it out"),
        (["--bar", "forum_campaign", "--first", "0"], "--first: --bar chooses its own games"),
        (["--bar", "--first", "0"], "--first: --bar chooses its own games"),
        (["--bar", "--json"], "--json: --bar chooses its own games"),
        (["--bar", "--games", "3"], "--games: --bar chooses its own games"),
        (["--bar", "--bots", "german=fist"], "--bots: --bar chooses its own games"),
        (["--bar", "--option", "zone_cost=stop"], "--option: --bar chooses its own games"),
        ([SMALL, "--kept", "bar.txt"], "--kept: only --bar uses it"),
        ([SMALL, "--minutes", "5"], "--minutes: only --bar uses it"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Command, "_bar", mock.Mock())  # a word let through by mistake must not start an hour of games
    with pytest.raises(CommandError, match=message):
        play(*words)


# --- the games --------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    first, again, other = (
        [
            encode_events(phase.resolution.events)
            for phase in play_phases(LOADED, seed=seed, players=players("all-round", "all-round"))
        ]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_no_phase_is_stuck() -> None:
    played = list(play_phases(LOADED, seed=5, players=players("all-round", "fist")))
    assert len(played) <= _STOPS_A_DAY * len(DAYS)
    for phase in played:
        assert LOADED.rules.now(phase.resolution.state) != LOADED.rules.now(phase.before) or phase is played[-1]
        assert all(sheet.orders for sheet in phase.sheets), "every bot writes orders"


def test_any_ruleset_with_bots_is_played_by_the_names_of_its_own() -> None:
    estuary = load(toy.SCENARIO)
    sides = dict(zip(estuary.rules.sides, ("bold", "cautious"), strict=True))
    game = play_game(estuary, seed=3, players=sides)
    assert game.outcome in {*estuary.rules.sides, "draw"}
    assert not game.refused
    assert set(game.figures) == {"points_north", "points_south", "forces_north", "forces_south"}


def test_rules_that_no_bot_knows_are_not_played() -> None:
    estuary = load(toy.SCENARIO)
    without = dataclasses.replace(estuary, rules=dataclasses.replace(estuary.rules, simulation=None))
    with pytest.raises(LookupError, match="The Estuary"):
        simulation_of(without)
