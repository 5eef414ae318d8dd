"""The case runner finds the faults of a case: a case that cannot fail proves nothing."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.engine.errors import ScenarioError
from campaign.game.casebook import find_cases, run_case

HEAD = """
ruleset = "forum_campaign"
charts = "forum_campaign/ardennes-1944"

[map.strip]
size = "A1-A8"

[[case]]
id = "one"
title = "A move of two hexes"
rule = "R4"
position.map = "strip"
position.units.german."2 Pz" = { at = "A6", class = "armor" }
"""
SOUND = """
[[case.phase]]
orders.german = "MOVE 2 Pz A5-A4"
[case.phase.expect]
phase = "allied_sheet"
problems.german = []
events = [{ type = "Moved", path = ["A5", "A4"] }, { type = "FuelSpent", points = 1 }]
absent = [{ type = "BattleOpened" }]
disclosed.german = [{ type = "Moved" }]
undisclosed.allied = [{ type = "Moved" }]
log.german = ["2 Pz moves A6-A5-A4", "German fuel: 1 point spent"]
state."own.german.units.2 Pz.at" = "A4"
state."own.german.units.3 Pz" = "nothing there"
"""


def failures(tmp_path: Path, phases: str, head: str = HEAD) -> list[tuple[str, str]]:
    file = tmp_path / "case.toml"
    file.write_text(head + phases, encoding="utf-8")
    (found,) = find_cases([file])
    return [(failure.expected, failure.found) for failure in run_case(found)]


def test_a_sound_case_holds(tmp_path: Path) -> None:
    assert failures(tmp_path, SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('phase = "allied_sheet"', 'phase = "night"', "phase night"),
        ("problems.german = []", 'problems.german = ["1 gap"]', "problems of german: ['1 gap']"),
        ("points = 1", "points = 2", "events: {'type': 'FuelSpent', 'points': 2}"),
        ('path = ["A5", "A4"]', 'path = ["A5"]', "events: {'type': 'Moved', 'path': ['A5']}"),
        ('{ type = "BattleOpened" }', '{ type = "Moved" }', "events: nothing like {'type': 'Moved'}"),
        ('disclosed.german = [{ type = "Moved" }]', 'disclosed.allied = [{ type = "Moved" }]', "told to allied"),
        ("undisclosed.allied", "undisclosed.german", "told to german: nothing like"),
        (
            "German fuel: 1 point spent",
            "German fuel: 2 points spent",
            "report of german: 'German fuel: 2 points spent'",
        ),
        ('.at" = "A4"', '.at" = "A5"', "own.german.units.2 Pz.at = 'A5'"),
        ('orders.german = "MOVE 2 Pz A5-A4"', 'orders.german = "MOVE 2 Pz A5-A3"', "problems of german: []"),
        ("[case.phase.expect]", 'dice."luck" = [1]\n[case.phase.expect]', "an adjudication"),
        ('phase = "allied_sheet"', 'error = "no such phase"', "error: no such phase"),
    ],
)
def test_what_does_not_hold_is_a_failure(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in SOUND
    found = failures(tmp_path, SOUND.replace(old, new, 1))
    assert any(expected in failure for failure, _ in found), found


EMPTY = '[[case.phase]]\norders.german = "# nothing"\n[case.phase.expect]\nnotices.german = '
NO_ORDERS = "no-orders: 1 unit has no orders and holds: 2 Pz"


@pytest.mark.parametrize("wanted", ['["no-orders"]', f'["{NO_ORDERS}"]'])
def test_notices_are_expected_by_code_or_with_their_message(tmp_path: Path, wanted: str) -> None:
    assert failures(tmp_path, EMPTY + wanted) == []


@pytest.mark.parametrize("wanted", [f'["{NO_ORDERS}!"]', '["no-orders", "no-orders"]', '["spent"]', "[]"])
def test_other_notices_are_a_failure(tmp_path: Path, wanted: str) -> None:
    ((expected, found),) = failures(tmp_path, EMPTY + wanted)
    assert (expected, found) == (f"notices to german: {wanted}".replace('"', "'"), f"['{NO_ORDERS}']")


def test_facts_are_expected_in_order(tmp_path: Path) -> None:
    swapped = SOUND.replace(
        'events = [{ type = "Moved", path = ["A5", "A4"] }, { type = "FuelSpent", points = 1 }]',
        'events = [{ type = "FuelSpent", points = 1 }, { type = "Moved", path = ["A5", "A4"] }]',
    )
    assert failures(tmp_path, swapped)[0][0].startswith("events: {'type': 'Moved'")


def test_an_unscripted_roll_is_a_failure(tmp_path: Path) -> None:
    phases = SOUND + '[[case.phase]]\norders.allied = ""\n'
    ((_, found),) = failures(tmp_path, phases)
    assert "'weather/1944-12-17' is not scripted" in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('position.map = "strip"', 'position.map = "strap"', "there is no map 'strap'"),
        ("title =", "titel =", "titel"),
        ("[[case]]", "[[case", "case.toml"),
    ],
)
def test_a_file_that_is_no_case_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        failures(tmp_path, SOUND, HEAD.replace(old, new, 1))


@pytest.mark.parametrize(("old", "new"), [("A6", "B6"), ('class = "armor"', 'class = "horse"'), ("A1-A8", "all")])
def test_a_position_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(ScenarioError, match="the case"):
        failures(tmp_path, SOUND, HEAD.replace(old, new, 1))


def test_a_map_without_corners_is_told_how_they_are_written(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"map\.size is 'all'\. Write two corners: A1-F8\.$"):
        failures(tmp_path, SOUND, HEAD.replace("A1-A8", "all", 1))


def test_the_command_prints_failures_and_the_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.toml"
    file.write_text(HEAD + SOUND.replace("points = 1", "points = 2"), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("cases", str(file))
    assert ended.value.code == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "0 passed, 1 failed"
    assert any("FuelSpent" in line for line in lines)
    file.write_text(HEAD + SOUND, encoding="utf-8")
    call_command("cases", str(file))
    assert capsys.readouterr().out.splitlines() == ["1 passed, 0 failed"]


def test_the_command_refuses_a_place_without_cases(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such file or folder"):
        call_command("cases", str(tmp_path / "nowhere"))
    with pytest.raises(SystemExit):
        call_command("cases", str(tmp_path))
