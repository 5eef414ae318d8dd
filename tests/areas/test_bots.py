"""What the area game's bots write: lines that count, from nothing but their side's state."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.simulation import PlayedPhase, play_phases, simulation_of
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN
from tests.laws.games import answers

ROOT = Path(__file__).parents[2]
LOADED = load_scenario(find_scenario("area_activation/race-to-the-meuse"))
BOTS = simulation_of(LOADED).bots
NAMES = list(BOTS)
MOST_PHASES = {"sheets": 9, "live": 900}
"""More than a game of three days has."""


@cache
def game(german: str, allied: str, seed: int = 1, options: tuple[tuple[str, str], ...] = ()) -> tuple[PlayedPhase, ...]:
    players = {SideId(GERMAN): german, SideId(ALLIED): allied}
    return tuple(play_phases(LOADED, seed=seed, players=players, options=dict(options)))


def refused(phases: tuple[PlayedPhase, ...]) -> list[str]:
    return [f"{sheet.who}: {each.message}" for phase in phases for sheet in phase.sheets for each in sheet.refused]


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_bot_is_refused(name: str) -> None:
    assert refused(game(name, NAMES[NAMES.index(name) - 1])) == []


@pytest.mark.parametrize("number", range(4))
def test_every_game_ends_whatever_a_campaign_has_chosen(number: int) -> None:
    options = answers(LOADED.rules, number)
    names = NAMES[number % 3], NAMES[number // 2 % 3]
    played = game(*names, number, tuple(sorted(options.items())))
    assert LOADED.rules.over(played[-1].resolution.state)
    assert len(played) <= MOST_PHASES["live"]
    assert refused(played) == []


@pytest.mark.parametrize("options", [{"fog": "on"}, {"alternation": "live"}])
def test_every_game_ends_with_hidden_units_and_with_live_turns(options: dict[str, str]) -> None:
    played = game("allrounder", "hammer", 2, tuple(options.items()))
    assert LOADED.rules.over(played[-1].resolution.state)
    assert len(played) <= MOST_PHASES[options.get("alternation", "sheets")]
    assert refused(played) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_writes_the_same_whatever_it_does_not_see(name: str) -> None:
    """Where units are hidden, the enemy's units are taken from another game; what the side sees of them stays."""
    fog = (("fog", "on"),)
    *_, stranger = game(NAMES[0], NAMES[1], 8, fog)
    for phase in game(name, name, 9, fog):
        for sheet in phase.sheets:
            other = next(side for side in phase.before.own if side != sheet.who)
            own = {**phase.before.own, other: stranger.before.own[other]}
            assert _written(name, replace(phase.before, own=own), sheet.who) == sheet.text


def _written(name: str, state: Any, who: Audience) -> str:
    text: str = BOTS[name](LOADED.scenario.game_data, state_known_to(state, who), who)
    return text


def test_styles_play_different_games() -> None:
    states = [(phase.before, sheet.who) for phase in game(NAMES[0], NAMES[0]) for sheet in phase.sheets]
    assert len({tuple(_written(name, *state) for state in states) for name in NAMES}) == len(NAMES)


def test_processes_play_the_same_game_though_their_sets_have_another_order() -> None:
    """With ties between the spaces to which a unit may go, which the long game has."""
    command = [sys.executable, "manage.py", "play", "area_activation/ardennes-1944", "--first", "5000", "--json"]
    orders = [{**os.environ, "PYTHONHASHSEED": order} for order in ("1", "2")]
    playing = [subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE) for env in orders]
    one, other = (json.loads(each.communicate()[0].splitlines()[0]) for each in playing)
    assert {**one, "seconds": 0} == {**other, "seconds": 0}
