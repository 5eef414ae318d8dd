"""The games for a ruleset's bars: played in parts, their results kept, so that an interrupted run goes on."""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from campaign.engine.bars import Bar, Bars, Moment, Result, Trial
from campaign.game.loading import RULESETS_FOLDER, SCENARIOS, WithStart, find_scenario, load_scenario
from campaign.game.simulation import play_phases
from campaign.rulesets import RULESETS

FIRST_SEED = 5000
"""Nobody tunes on this seed and those after it."""


ResultsBySeed = dict[str, dict[int, Result]]
"""By the key of the trial, and the seed."""


class OldResults(Exception):
    """Results that other code or other scenarios have brought about."""


def all_bars() -> dict[str, Bars[Any, Any]]:
    """The bars of the rulesets that have some, by the ruleset's key."""
    return {rules.key: rules.simulation.bars for rules in RULESETS if rules.simulation and rules.simulation.bars}


class Kept:
    """The file of results: a line for each game. Its first line says what code and scenarios they are of."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.results: ResultsBySeed = {}
        if file.exists():
            head, self.results = results_in(file)
            if head != _made_of():
                raise OldResults(f"{file} has results of other code or scenarios. Delete it.")

    def add(self, trial: str, seed: int, result: Result) -> None:
        """Keep the result of a game."""
        begun = self.file.exists()
        with self.file.open("a", encoding="utf-8") as file:
            file.write(("" if begun else f"{_made_of()}\n") + json.dumps([trial, seed, result]) + "\n")
        self.results.setdefault(trial, {})[seed] = result


def results_in(file: Path) -> tuple[str, ResultsBySeed]:
    """The digest of what the results of a file are of, and the results."""
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    found: ResultsBySeed = {}
    for trial, seed, result in map(json.loads, lines):
        found.setdefault(trial, {})[seed] = result
    return head, found


def open_games(bars: Bars[Any, Any], kept: Kept) -> Iterator[tuple[Trial[Any], int]]:
    """The games that have no result yet. All trials come forward together."""
    most = max(trial.games for trial in bars.trials)
    for number in range(most):
        for trial in bars.trials:
            if number < trial.games and FIRST_SEED + number not in kept.results.get(trial.key, {}):
                yield trial, FIRST_SEED + number


def play_trial(bars: Bars[Any, Any], trial: Trial[Any], seed: int) -> Result:
    """What is noted of a game."""
    loaded = _load(trial.scenario)
    played = play_phases(loaded, seed=seed, players=trial.players, bots=bars.bots, before_each=trial.before_each)
    moments = (
        Moment(
            before=phase.before,
            sheets={sheet.who: sheet.text for sheet in phase.sheets},
            after=phase.resolution.state,
        )
        for phase in played
    )
    return bars.note(loaded.scenario.game_data, trial, moments)


def judged(bars: Bars[Any, Any], results: ResultsBySeed) -> list[Bar]:
    """The bars by the results so far. Raises KeyError if a trial has none."""
    return list(bars.judge({trial: [by_seed[seed] for seed in sorted(by_seed)] for trial, by_seed in results.items()}))


@cache
def _load(scenario: str) -> WithStart:
    return load_scenario(find_scenario(scenario))


@cache
def _made_of() -> str:
    """A digest of all that a result may depend on."""
    root = RULESETS_FOLDER.parent
    code = [path for folder in (RULESETS_FOLDER, root / "engine", root / "game") for path in folder.rglob("*.py")]
    data = [path for path in SCENARIOS.rglob("*") if path.suffix in (".toml", ".csv", ".json")]
    digest = hashlib.sha256()
    for path in sorted([*code, *data]):
        name = path.relative_to(root).as_posix()
        digest.update(f"{name} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()
