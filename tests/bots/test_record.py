"""The record of the games by which the scenarios are judged: some are played again, and NOTES.md has the bars."""

import re
from functools import cache
from pathlib import Path

import pytest

from campaign.game.bars import FIRST_SEED, ResultsBySeed, all_bars, judged, play_trial, results_in
from campaign.game.loading import find_scenario
from campaign.rulesets.forum_campaign.bars.trials import ALL, FIVE, LARGE, OWNERS, ablation, pairing

BARS = all_bars()["forum_campaign"]
TRIALS = {trial.key: trial for trial in BARS.trials}
RECORD = Path(__file__).with_name("bars.txt")
"""Written by `manage.py play --bar --kept tests/bots/bars.txt`. Code may change after that as long as games do not."""
NOTES = (find_scenario(LARGE) / "NOTES.md").read_text(encoding="utf-8")
AGAIN = [
    ("mirror", 0),
    ("unlimited fuel", 1),
    *((pairing(style, other), 2) for style, other in zip(FIVE[::2], FIVE[1::2], strict=False)),
    (pairing(ALL, FIVE[-1]), 3),
    *((ablation(feature, owners[0]), 4) for feature, owners in OWNERS.items()),
    *(("tutorial", number) for number in range(4)),
]
"""The games that are played again, by trial and number."""


@cache
def recorded() -> ResultsBySeed:
    _, results = results_in(RECORD)
    return results


@pytest.mark.parametrize(("trial", "number"), AGAIN)
def test_a_game_comes_out_as_it_is_recorded(trial: str, number: int) -> None:
    seed = FIRST_SEED + number
    assert play_trial(BARS, TRIALS[trial], seed) == recorded()[trial][seed], "play the games of all bars again"


def test_every_game_is_recorded() -> None:
    assert {key: sorted(by_seed) for key, by_seed in recorded().items()} == {
        key: list(range(FIRST_SEED, FIRST_SEED + trial.games)) for key, trial in TRIALS.items()
    }


def test_the_notes_have_every_bar() -> None:
    """As `manage.py play --bar` prints them."""
    lines = [line.strip() for line in NOTES.splitlines()]
    assert [line for line in lines if line.startswith("bar ")] == list(map(str, judged(BARS, recorded())))


def test_the_notes_say_why_a_bar_is_short() -> None:
    reasons = dict(re.findall(r"^- `([a-z0-9.-]+)`: (.{20,})", NOTES, re.MULTILINE))
    assert list(reasons) == [bar.name for bar in judged(BARS, recorded()) if not bar.is_met]
