"""Every rule example in tests/cases holds."""

from pathlib import Path

import pytest

from campaign.casebook import Found, find_cases, run_case
from campaign.rulesets import RULESETS

CASES = list(find_cases([Path(__file__).parent / "cases"]))


@pytest.mark.parametrize("found", CASES, ids=[found.name for found in CASES])
def test_case_holds(found: Found) -> None:
    assert run_case(found) == []


def test_case_ids_are_unique_in_their_file() -> None:
    names = [found.name for found in CASES]
    assert len(names) == len(set(names))


def test_every_ruleset_has_cases() -> None:
    assert {found.rules.key for found in CASES} == {rules.key for rules in RULESETS}
