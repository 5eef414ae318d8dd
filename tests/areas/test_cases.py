"""Every rule of the area game has its examples, and every example its rule."""

import re

import pytest

from campaign.game.casebook import find_cases
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.rulebook import rulebook
from tests.playthroughs.answers import CASES

RULES = [found.case.rule for found in find_cases([CASES / "area_activation"])]
LAST_RULE = 50


@pytest.mark.parametrize("number", range(1, LAST_RULE + 1))
def test_every_rule_has_two_cases(number: int) -> None:
    assert len([rule for rule in RULES if re.fullmatch(rf"R{number}(\.\d+)?", rule)]) >= 2


def test_every_rule_of_a_case_is_written_down() -> None:
    assert set(RULES) <= rulebook(load_scenario(find_scenario("area_activation/ardennes-1944"))).anchors
