"""The record of the games by which the area game's scenarios are judged: ten are played again."""

import re
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from campaign.engine.values.ids import Audience
from campaign.game.bars import FIRST_SEED, ResultsBySeed, all_bars, judged, play_trial, results_in
from campaign.game.loading import find_scenario
from campaign.rulesets.area_activation.bars import SCENARIOS, pairing
from campaign.rulesets.area_activation.bots import BOTS
from campaign.rulesets.area_activation.bots.sheets import sheet
from campaign.rulesets.area_activation.bots.styles import ALLROUNDER
from campaign.rulesets.area_activation.model.game_data import SIDES, GameData
from campaign.rulesets.area_activation.model.orders import Decision
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.sequence import DAY, SURPRISE

BARS = all_bars()["area_activation"]
TRIALS = {trial.key: trial for trial in BARS.trials}
RECORD = Path(__file__).with_name("bars.txt")
"""Written by `manage.py play --bar area_activation --kept tests/areas/bars.txt`. Code may change after that as long as
games do not."""
NOTES = (find_scenario("area_activation/ardennes-1944") / "NOTES.md").read_text(encoding="utf-8")
SMALL, LARGE = SCENARIOS
AGAIN = [
    *((pairing(SMALL, german, allied), 1) for german, allied in list(product(BOTS, BOTS))[::2]),
    (pairing(SMALL, "asking", "asking"), 2),
    (pairing(SMALL, "allrounder", "absent"), 3),
    *((pairing(LARGE, name, name), 0) for name in BOTS),
]
"""The games that are played again, by trial and number."""


@cache
def recorded() -> ResultsBySeed:
    _, results = results_in(RECORD)
    return results


def test_ten_games_are_played_again() -> None:
    assert len(AGAIN) == 10


@pytest.mark.parametrize(("trial", "number"), AGAIN)
def test_a_game_comes_out_as_it_is_recorded(trial: str, number: int) -> None:
    seed = FIRST_SEED + number
    assert play_trial(BARS, TRIALS[trial], seed) == recorded()[trial][seed], "play the games of all bars again"


def test_a_side_that_is_asked_about_everything_has_four_other_mails_a_day_at_most() -> None:
    wishes = "".join(f"ASK ME {about.value}\n" for about in Decision)

    def asking(game_data: GameData, known: State, who: Audience) -> str:
        return (wishes if known.open.phase in (DAY, SURPRISE) else "") + sheet(game_data, known, who, ALLROUNDER)

    trial = replace(TRIALS[pairing(SMALL, "asking", "asking")], players=dict.fromkeys(SIDES, "all"))
    result = play_trial(replace(BARS, bots={"all": asking}), trial, FIRST_SEED)
    assert max(result["phases"]) == 5
    assert result["mails"] <= 4


def test_every_game_is_recorded() -> None:
    assert {key: sorted(by_seed) for key, by_seed in recorded().items()} == {
        key: list(range(FIRST_SEED, FIRST_SEED + trial.games)) for key, trial in TRIALS.items()
    }


def test_the_notes_have_every_bar() -> None:
    """As `manage.py play --bar area_activation` prints them."""
    lines = [line.strip() for line in NOTES.splitlines()]
    assert [line for line in lines if line.startswith("bar ")] == list(map(str, judged(BARS, recorded())))


def test_the_notes_say_why_a_bar_is_short() -> None:
    reasons = dict(re.findall(r"^- `([a-z0-9.-]+)`: (.{20,})", NOTES, re.MULTILINE))
    assert list(reasons) == [bar.name for bar in judged(BARS, recorded()) if not bar.is_met]
