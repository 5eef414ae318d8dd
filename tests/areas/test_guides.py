"""The guides of the introductory scenario lead through the surprise turns, with orders that are legal."""

import pytest

from campaign.engine.orders.order import Severity
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to, with_open
from campaign.engine.values.ids import Audience, SideId
from campaign.game.beginning import first_state
from campaign.game.guide import Guide, Page, guide_file, read_guide
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.area_activation.model.game_data import SIDES
from campaign.rulesets.area_activation.sequence import SURPRISE

RACE = find_scenario("area_activation/race-to-the-meuse")
BY_DEFAULT = {
    "german": ["As things stand Stadtkyll acts by default in a surprise turn, in which you may not pass"],
    "allied": [],
}
"""What the sheet says of the third surprise turn: the German guide has lines for two."""
each_side = pytest.mark.parametrize("side", SIDES)


def guide(side: SideId) -> Guide:
    return read_guide((RACE / guide_file(side)).read_text(encoding="utf-8"))


@each_side
def test_the_guided_sheet_is_accepted_without_a_problem(side: SideId) -> None:
    loaded, who = load_scenario(RACE), Audience(side)
    state = with_open(first_state(loaded, {}), phase=SURPRISE)
    phase = loaded.rules.now(state)
    assert phase == guide(side).phase
    text = "\n".join([*(step.order for step in guide(side).steps if step.order), "READY"])
    known = state_known_to(state, who)
    sheet = read_side(loaded.rules, loaded.scenario.game_data, known, who, [DeskSheet(text)], phase=phase)
    checked = check_side(loaded.rules, loaded.scenario.game_data, known, sheet)
    said = [problem.message for problem in checked.problems]
    assert said == BY_DEFAULT[side]
    assert {problem.severity for problem in checked.problems} <= {Severity.NOTICE}
    assert len(sheet.orders) == 4, "three orders and READY"


@each_side
def test_a_guide_leads_over_every_page(side: SideId) -> None:
    steps = guide(side).steps
    assert {step.page for step in steps} == set(Page)
    assert all(len(step.text.split()) <= 50 for step in steps)
