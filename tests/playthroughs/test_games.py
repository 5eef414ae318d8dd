"""Whole games play today as they did when they were approved: sheets, answers, events, and everybody's views."""

from pathlib import Path

import pytest

from campaign.game.casebook import find_cases
from tests.laws.games import RULES, scenarios
from tests.playthroughs.games import GAMES, Playthrough, name_of
from tests.playthroughs.lines import END

TESTS = Path(__file__).parents[1]
_BEFORE = 12
"""Lines shown in front of a difference: it is seldom without a reason."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.scenario)
def test_a_game_plays_as_approved(game: Playthrough) -> None:
    today = game.files()
    approved = {path.name: path.read_text(encoding="utf-8").splitlines() for path in game.folder.glob("*.txt")}
    assert any(f" | {END}" in line for lines in approved.values() for line in lines), "it is kept to its end"
    for name in sorted({*approved, *today}):
        found = first_difference(approved.get(name, []), today.get(name, []))
        assert found == "", f"{game.scenario}/{name} {found}\n\nif it is meant: python -m tests.playthroughs"


def test_every_scenario_has_a_game_and_every_ruleset_cases() -> None:
    keys = {rules.key for rules in RULES}
    assert {game.scenario for game in GAMES} == {name_of(folder) for folder in scenarios()}
    assert {game.loaded.rules.key for game in GAMES} == keys
    folders = [TESTS / "cases", TESTS / "toy" / "cases"]
    assert {found.rules.key for found in find_cases(folders, rulesets=RULES)} == keys


def test_a_difference_is_shown_with_what_led_to_it() -> None:
    approved = ["=== a phase", "--- the view of gm", "1", "2", "3"]
    assert first_difference(approved, approved) == ""
    assert first_difference(approved, [*approved[:3], "4", "3"]) == (
        "line 4 of === a phase, --- the view of gm:\n  === a phase\n  --- the view of gm\n  1\n- 2\n+ 4"
    )
    assert first_difference(approved, approved[:4]).endswith("  2\n- 3\n+ (the end)")
    assert first_difference([], approved).startswith("line 1 of (nothing):\n- (the end)\n+ === a phase")


def first_difference(approved: list[str], today: list[str]) -> str:
    """Where two texts part, in words, with the lines before; empty if they do not."""
    longest = max(len(approved), len(today))
    number = next((at for at in range(longest) if approved[at : at + 1] != today[at : at + 1]), None)
    if number is None:
        return ""
    heads = [next((line for line in reversed(today[:number]) if line.startswith(mark)), "") for mark in ("===", "---")]
    where = ", ".join(filter(None, heads)) or "(nothing)"
    before = [f"  {line}" for line in today[max(0, number - _BEFORE) : number]]
    old, new = ("".join(text[number : number + 1]) or "(the end)" for text in (approved, today))
    return "\n".join([f"line {number + 1} of {where}:", *before, f"- {old}", f"+ {new}"])
