"""Every rule example in tests/cases holds."""

import re
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.ruleset import Ruleset
from campaign.game.casebook import Found, check_case, find_cases
from campaign.game.loading import Loaded
from campaign.game.rulebook import rulebook
from campaign.rulesets import RULESETS
from tests.playthroughs.answers import approved, case_lines, chart_lines, rules_cited, scenarios

RULESETS_FOLDER = Path(__file__).parents[1] / "campaign" / "rulesets"
CASES = list(find_cases([Path(__file__).parent / "cases"]))
SCENARIOS = scenarios()
ANCHORS = {loaded.rules.key: rulebook(loaded).anchors for loaded in SCENARIOS}
RENEW = "python -m tests.playthroughs answers"


@pytest.mark.parametrize("found", CASES, ids=[found.name for found in CASES])
def test_case_holds(found: Found) -> None:
    result = check_case(found)
    assert result.failures == ()
    assert rules_cited(result) - ANCHORS[found.rules.key] == set(), "every rule named is written down"
    assert list(case_lines(found, result)) == approved().get(found.name), f"if it is meant: {RENEW}"


@pytest.mark.parametrize("loaded", SCENARIOS, ids=lambda loaded: loaded.scenario.title)
def test_charts_are_shown_as_approved(loaded: Loaded) -> None:
    assert list(chart_lines(loaded)) == approved()[loaded.scenario.title], f"if it is meant: {RENEW}"


def test_no_answer_is_kept_for_a_case_that_is_gone() -> None:
    assert set(approved()) == {found.name for found in CASES} | {loaded.scenario.title for loaded in SCENARIOS}


def test_case_ids_are_unique_in_their_file() -> None:
    names = [found.name for found in CASES]
    assert len(names) == len(set(names))


def test_every_ruleset_has_cases() -> None:
    assert {found.rules.key for found in CASES} == {rules.key for rules in RULESETS}


EXAMPLES = {
    "forum_campaign": {
        *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 17, 18, 20, 21, 22, 24, 25, 26, 27, 29, 30, 31, 32, 34, 36, 37),
        *(38, 39, 41, 42, 44, 46, 47, 48, 50, 52, 53, 55, 57, 58, 59, 61, 62, 64, 66, 67, 68, 70, 72, 73, 74, 76, 78),
        *(79, 80, 81, 82, 83, 84, 86, 87, 89, 90, 92, 94, 95, 97, 98, 100, 102, 103, 104, 106, 108),
    },
    "area_activation": {1, 2, 4, 5, 6, 7, 8, 10, 12, 13, 14, 16, 18, 19, 21, 22, 24, 25},
}
"""The acceptance examples of each game's rules; their numbers have gaps."""


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.key)
def test_every_acceptance_example_has_its_case(rules: Ruleset[Any, Any]) -> None:
    assert not EXAMPLES[rules.key] - {found.case.example for found in CASES if found.rules.key == rules.key}


def test_every_ruling_that_a_case_quotes_is_written_down() -> None:
    for found in CASES:
        if found.case.ruling is not None:
            rulings = RULESETS_FOLDER / found.rules.key / "RULINGS.md"
            assert re.search(rf"^{found.case.ruling}\. \*\*", rulings.read_text(encoding="utf-8"), re.MULTILINE)
