"""Where a side of the area game sees everything, the answer to a sheet is what happens: see `plain_sight`."""

import pytest

from campaign.engine.orders.order import Severity
from campaign.rulesets.area_activation.model import facts
from tests.areas.plain_sight import breaches, play, position_of, sheet_of

SHEETS = 200
"""By hand more: see `plain_sight`."""


@pytest.mark.parametrize("tenth", range(10))
def test_the_answer_to_a_sheet_is_what_happens(tenth: int) -> None:
    seeds = range(tenth * SHEETS // 10, (tenth + 1) * SHEETS // 10)
    assert {seed: found for seed in seeds if (found := breaches(seed))} == {}


def test_the_random_sheets_have_lines_of_every_sort_that_count_and_that_do_not() -> None:
    counted, doubted, happened = set(), set(), set()
    for seed in range(SHEETS):
        side, scenario = position_of(seed)
        played = play(scenario, side, sheet_of(seed, scenario, side))
        counted |= {type(order) for order, _ in played.counted()}
        doubted |= {each.rule for each in played.answer.problems if each.severity is Severity.WARNING}
        happened |= {type(fact) for fact in played.happened()}
    assert {kind.__name__ for kind in counted} == {"Activate", "Move", "Exit", "Pass"}
    assert {"R4", "R7", "R8", "R10", "R17", "R18", "R19", "R21", "R49.1"} <= doubted
    assert {facts.Moved, facts.Exited, facts.Fought, facts.Joined, facts.CouldNotMove} <= happened
