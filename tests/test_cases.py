"""Every rule example in tests/cases holds."""

import re
from pathlib import Path

import pytest

from campaign.casebook import Found, find_cases, run_case
from campaign.rulesets import RULESETS

RULESETS_FOLDER = Path(__file__).parents[1] / "campaign" / "rulesets"
CASES = list(find_cases([Path(__file__).parent / "cases"]))


@pytest.mark.parametrize("found", CASES, ids=[found.name for found in CASES])
def test_case_holds(found: Found) -> None:
    assert run_case(found) == []


def test_case_ids_are_unique_in_their_file() -> None:
    names = [found.name for found in CASES]
    assert len(names) == len(set(names))


def test_every_ruleset_has_cases() -> None:
    assert {found.rules.key for found in CASES} == {rules.key for rules in RULESETS}


EXAMPLES = {1, 2, 3, 27, 29, 30, 31, 32, 34, 36, 42, 44, 46, 47, 48, 52, 53, 55, 57, 58, 59, 61, 62, 64, 66}
EXAMPLES |= {90, 92, 95, 97, 106, 108}
EXAMPLES |= {50, 68, 70, 72, 73, 74, 76, 78, 79, 80, 83, 84, 86, 87, 89}
"""The acceptance examples of the rules that are played today."""


def test_every_acceptance_example_has_its_case() -> None:
    assert not EXAMPLES - {found.case.example for found in CASES}


def test_every_ruling_that_a_case_quotes_is_written_down() -> None:
    for found in CASES:
        if found.case.ruling is not None:
            rulings = RULESETS_FOLDER / found.rules.key / "RULINGS.md"
            assert re.search(rf"^{found.case.ruling}\. \*\*", rulings.read_text(encoding="utf-8"), re.MULTILINE)
