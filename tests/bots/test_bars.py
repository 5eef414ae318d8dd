"""`manage.py play --bar`: what is noted of games, how they are judged, and how an interrupted run goes on."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command

from campaign.engine.bars import Bar, Trial
from campaign.engine.values.ids import audience_of
from campaign.game import bars as playing
from campaign.game.bars import Kept, all_bars, judged, open_games, play_trial
from campaign.game.simulation import bot_sheet
from campaign.rulesets.forum_campaign.bars.trials import (
    ALL,
    FEATURES,
    FIVE,
    LARGE,
    OWNERS,
    TUTORIAL,
    _silent,
    ablation,
    pairing,
    without,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from tests.bots.test_sheets import LARGE as ARDENNES
from tests.bots.test_sheets import LOADED, mirror

BARS = all_bars()["forum_campaign"]
DAYS = 16


def game(vp: int = 38, outcome: str = GERMAN, **more: Any) -> dict[str, Any]:
    usual = {"lost_german": 3, "lost_allied": 9, "elsenborn": False, "forbidden": [0] * 8 + [2] * 8}
    return {"outcome": outcome, "vp_german": vp, "vp_allied": 88 - vp, **usual, **more}


def results() -> dict[str, list[dict[str, Any]]]:
    """Of every trial four games, two of them German wins."""
    outcomes = (GERMAN, ALLIED, GERMAN, ALLIED)
    return {trial.key: [game(outcome=outcome) for outcome in outcomes] for trial in BARS.trials}


def values(found: dict[str, list[dict[str, Any]]]) -> dict[str, Bar]:
    return {bar.name: bar for bar in BARS.judge(found)}


# --- judging ---------------------------------------------------------------------------------------------------------


def test_a_bar_is_a_line() -> None:
    assert str(Bar(name="a", value=12.34, error=1.0, least=10)) == "bar a 12.3 +- 1.0 >= 10 ok"
    assert str(Bar(name="b", value=12.34, error=1.0, least=20, most=60)) == "bar b 12.3 +- 1.0 >= 20 and <= 60 short"
    assert str(Bar(name="c", value=61.0, error=0.0, most=60)) == "bar c 61.0 +- 0.0 <= 60 short"
    assert str(Bar(name="d", value=1.0, error=0.0)) == "bar d 1.0 +- 0.0 none ok"


def test_history_counts_first_days() -> None:
    meuse, cut_off = (19, 20, 26, 27), (22, 23, 16, None)
    found = results()
    found["mirror"] = [
        game(at_the_meuse=day, elsenborn=day == 19, lost_allied=day) | ({"bastogne_cut_off": cut} if cut else {})
        for day, cut in zip(meuse, cut_off, strict=True)
    ]
    bars = values(found)
    assert bars["history.meuse-20-to-26"].value == 50
    assert bars["history.meuse-before-20"].value == 25
    assert bars["history.bastogne-cut-off"].value == 50
    assert bars["history.elsenborn"].value == 25
    assert bars["history.lost-allied"].value == 23
    assert not bars["history.lost-allied"].is_met
    assert bars["history.lost-german"].is_met


def test_fuel_counts_the_median_day() -> None:
    found = results()
    found["mirror"] = [game(forbidden=[0] * 6 + [each] * 2 + [3] * each + [1] * (8 - each)) for each in (0, 4, 4, 6)]
    found["unlimited fuel"] = [game(vp=vp) for vp in (38, 40, 42, 48)]
    bars = values(found)
    assert bars["fuel.forbidden-until-22"].value == 4
    assert bars["fuel.short-days-from-24"].value == 4
    assert bars["fuel.unlimited"].value == 4
    assert bars["fuel.unlimited-at-least"].value == pytest.approx(4 - 1.96 * bars["fuel.unlimited"].error)


def test_the_ladder_counts_both_sides_and_half_a_draw() -> None:
    found = results()
    name = FIVE[0]
    found[pairing(ALL, name)] = [game(outcome=GERMAN), game(outcome="draw")]
    found[pairing(name, ALL)] = [game(outcome=ALLIED), game(outcome=GERMAN)]
    bars = values(found)
    assert bars[f"ladder.all-round-{name}"].value == 62.5
    others = [pairing(name, other) for other in FIVE[1:]] + [pairing(other, name) for other in FIVE[1:]]
    assert len(others) == 8
    assert bars[f"ladder.{name}"].value == pytest.approx(100 * (1.5 + 8 * 2) / (4 + 8 * 4))


def test_a_feature_is_worth_what_its_owner_has_less_without_it() -> None:
    found = results()
    found[ablation("demolition", ALLIED)] = [game(vp=vp) for vp in (39, 40, 41, 40)]
    found[ablation("purchases", GERMAN)] = [game(vp=vp) for vp in (36, 37, 37, 36)]
    found[ablation("purchases", ALLIED)] = [game(vp=vp) for vp in (40, 39, 39, 40)]
    bars = values(found)
    assert bars["features.demolition"].value == 2
    assert bars["features.purchases"].value == 1.5
    assert bars["features.proven"].value == 2
    assert bars["features.commandos"].limit == "none"


# --- playing ---------------------------------------------------------------------------------------------------------


def test_each_pairing_is_played_on_both_sides_with_the_same_seeds() -> None:
    trials = {trial.key: trial for trial in BARS.trials}
    assert len(trials) == len(BARS.trials)
    ladder = [trial for trial in BARS.trials if " against " in trial.key]
    assert len(ladder) == 6 * 5
    assert all(trial.games == 10 for trial in ladder)
    assert trials["unlimited fuel"].games == trials["tutorial"].games == 100
    assert trials["tutorial"].scenario == TUTORIAL
    assert all(trial.scenario == LARGE for trial in BARS.trials if trial.key != "tutorial")
    for feature, owners in OWNERS.items():
        games = [trials[ablation(feature, side)].games for side in owners]
        assert 100 <= sum(games) <= 400
        assert max(games) <= trials["mirror"].games  # each game without the feature has one with it


@pytest.mark.parametrize("feature", FEATURES)
def test_a_bot_without_a_feature_never_uses_it(feature: str) -> None:
    """Not in any position in which the usual bot does."""
    used = 0
    for phase in mirror():
        for sheet in phase.sheets:
            if uses(sheet.text, feature):
                written = bot_sheet(LOADED[ARDENNES], phase.before, sheet.who, without(feature), BARS.bots)
                assert not uses(written.text, feature)
                assert written.text.endswith("READY\n")
                assert written.refused == ()
                used += 1
    assert used


def test_a_bot_without_air_units_orders_nothing_of_a_unit_that_their_supply_would_let_move() -> None:
    sheet = "AIR drop 2\nAIRDROP 4 Inf\nMOVE 4 Inf B2\nMOVE 28 Inf B3\nATTACK 4 Inf B4\nREADY\n"
    silent = _silent(lambda _game_data, _known, _who: sheet, "air")
    start = LOADED[ARDENNES].scenario
    assert silent(start.game_data, start.start, audience_of(ALLIED)) == "MOVE 28 Inf B3\nREADY\n"


def uses(text: str, feature: str) -> bool:
    return any(line.startswith(tuple(f"{word} " for word in FEATURES[feature])) for line in text.splitlines())


def test_unlimited_fuel_forbids_nothing() -> None:
    trial = next(trial for trial in BARS.trials if trial.key == "unlimited fuel")
    noted = play_trial(BARS, replace(trial, scenario=TUTORIAL), 1)
    assert noted["forbidden"] == [0] * 4
    assert noted["vp_german"] + noted["vp_allied"] > 0
    assert "bastogne_cut_off" not in noted


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    file, tried = tmp_path / "bar.txt", []

    def play(_bars: Any, trial: Trial[Any], seed: int) -> Any:
        tried.append((trial.key, seed))
        return game(outcome=(GERMAN, ALLIED)[seed % 2])

    with mock.patch("campaign.management.commands.play.play_trial", side_effect=play):
        with mock.patch("campaign.management.commands.play.monotonic", side_effect=[0, *[1] * 7, 3601]):
            assert _bar("--kept", str(file)) == [f"{_number_of_games() - 7} games are left. Run it again to play them."]
        lines = _bar("--kept", str(file))
    assert len(tried) == len(set(tried)) == _number_of_games()
    assert [line.split()[0] for line in lines] == ["bar"] * len(values(results()))
    assert list(open_games(BARS, Kept(file))) == []
    assert [str(bar) for bar in judged(BARS, Kept(file).results)] == lines


def test_processes_side_by_side_play_the_same_games(tmp_path: Path) -> None:
    (tutorial,) = (trial for trial in BARS.trials if trial.key == "tutorial")
    few = replace(BARS, trials=[replace(tutorial, games=5)], judge=lambda _results: [])
    alone, together = tmp_path / "alone.txt", tmp_path / "together.txt"
    with mock.patch("campaign.management.commands.play.all_bars", return_value={"forum_campaign": few}):
        assert _bar("--kept", str(alone)) == _bar("--kept", str(together), jobs=2) == []
    assert Kept(alone).results == Kept(together).results
    assert len(Kept(alone).results["tutorial"]) == 5


def test_a_game_that_fails_loses_no_other(tmp_path: Path) -> None:
    file = tmp_path / "bar.txt"
    (tutorial,) = (trial for trial in BARS.trials if trial.key == "tutorial")
    few = replace(BARS, trials=[replace(tutorial, games=5)])

    def play(_bars: Any, _trial: Trial[Any], seed: int) -> Any:
        if seed == 5001:
            raise ArithmeticError("out of fuel")
        return game()

    with (
        mock.patch("campaign.management.commands.play.all_bars", return_value={"forum_campaign": few}),
        mock.patch("campaign.management.commands.play.play_trial", side_effect=play),
        pytest.raises(ArithmeticError, match="out of fuel"),
    ):
        _bar("--kept", str(file), jobs=2)
    seeds = Kept(file).results["tutorial"].keys()
    assert 5000 in seeds
    assert 5001 not in seeds


def test_results_of_other_code_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "bar.txt"
    Kept(file).add("mirror", 5000, game())
    assert Kept(file).results == {"mirror": {5000: game()}}
    with mock.patch.object(playing, "_made_of", return_value="other"), pytest.raises(CommandError, match="Delete it"):
        _bar("--kept", str(file))


def _number_of_games() -> int:
    return sum(trial.games for trial in BARS.trials)


def _bar(*words: str, jobs: int = 1) -> list[str]:
    out = StringIO()
    call_command("play", "--bar", "forum_campaign", "--jobs", str(jobs), *words, stdout=out)
    return out.getvalue().splitlines()


CHANGED = ["engine/dice.py", "game/loading.py", "rulesets/chess/moves.py", "scenarios/a/map.json"]


@pytest.mark.parametrize("changed", CHANGED)
def test_results_are_of_the_code_and_scenarios_that_they_depend_on(tmp_path: Path, changed: str) -> None:
    file = tmp_path / changed
    file.parent.mkdir(parents=True)
    file.write_text("1", encoding="utf-8")
    with mock.patch.multiple(playing, RULESETS_FOLDER=tmp_path / "rulesets", SCENARIOS=tmp_path / "scenarios"):
        before = playing._made_of.__wrapped__()
        assert playing._made_of.__wrapped__() == before
        file.write_text("2", encoding="utf-8")
        assert playing._made_of.__wrapped__() != before, "what it says"
        file.write_text("1", encoding="utf-8")
        file.rename(file.with_stem("other"))
        assert playing._made_of.__wrapped__() != before, "its name"
