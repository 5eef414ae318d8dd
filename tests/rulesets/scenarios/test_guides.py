"""Guides through the first phase: their orders are legal in a new campaign, and faults are named with their lines."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate, asked
from campaign.engine.errors import ScenarioError
from campaign.engine.orders.order import Placed, Problem, Severity
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId
from campaign.game.beginning import first_state
from campaign.game.guide import GENERAL, PARTS, Guide, Page, general_guide, guide_file, read_guide, require_guides
from campaign.game.loading import WithStart, find_scenario, load_scenario, scenario_files
from campaign.rulesets.forum_campaign.bots import BOTS
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES
from tests.laws.games import dice_of, load, scenarios

FOLDER = find_scenario("forum_campaign/st-vith-1944")
FILES = scenario_files(FOLDER)
MINE = guide_file(GERMAN)
load_once = cache(load)


def guide(side: SideId) -> Guide:
    return read_guide(FILES[guide_file(side)])


def guided_sheet(side: SideId) -> str:
    """What somebody has written who does all that their guide says."""
    lines = dict.fromkeys(step.order for step in guide(side).steps if step.order)
    return "\n".join([*lines, "READY"])


def read(loaded: WithStart, state: Any, side: SideId, text: str) -> tuple[tuple[Placed, ...], tuple[Problem, ...]]:
    who, game_data = Audience(side), loaded.scenario.game_data
    known = state_known_to(state, who)
    sheet = read_side(loaded.rules, game_data, known, who, [DeskSheet(text)], phase=loaded.rules.now(known))
    return sheet.orders, check_side(loaded.rules, game_data, known, sheet).problems


def until(loaded: WithStart, side: SideId, number: int, options: Mapping[str, str], german: str) -> Any:
    """A new campaign when a side's guided phase opens; before it, the Germans follow their guide or are a bot."""
    rules, game_data, lock = loaded.rules, loaded.scenario.game_data, 0
    state = first_state(loaded, options)
    while rules.now(state) != guide(side).phase or not lock:
        sheets: dict[Audience, tuple[Placed, ...]] = {}
        for who in asked(rules, state):
            if who == Audience(GERMAN):
                text = BOTS[german](game_data, state_known_to(state, who), who) if german else guided_sheet(GERMAN)
                sheets[who] = read(loaded, state, GERMAN, text)[0]
        lock += 1
        state = adjudicate(rules, game_data, state, sheets, dice=dice_of(rules, number, lock)).state
    return state


@pytest.mark.parametrize("options", [{}, {"battles": "automatic"}], ids=["battles outside", "practice"])
@pytest.mark.parametrize("german", ["", *BOTS])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", range(1, 4))
def test_the_guided_sheet_is_accepted_without_a_warning(
    side: SideId, german: str, options: Mapping[str, str], number: int
) -> None:
    loaded = load_once(FOLDER)
    state = until(loaded, side, number, options, german)
    orders, problems = read(loaded, state, side, guided_sheet(side))
    assert [problem.message for problem in problems if problem.severity is not Severity.NOTICE] == []
    assert len(orders) >= 4, "three orders and READY"
    assert not any(problem.units for problem in problems), "nobody is forgotten"


@pytest.mark.parametrize("side", SIDES)
def test_a_unit_to_choose_stands_alone_in_its_hex(side: SideId) -> None:
    """So that a tap chooses it, as its side sees the map."""
    loaded = load_once(FOLDER)
    units = loaded.scenario.start.own[side].units.values()
    for step in guide(side).steps:
        if step.tap:
            here = [unit.label for unit in units if unit.at == step.points_at]
            assert len(here) == 1
            assert here[0] in step.order
            assert here[0] in step.text


@pytest.mark.parametrize("side", SIDES)
def test_a_guide_leads_over_every_page_of_a_first_day(side: SideId) -> None:
    steps = guide(side).steps
    assert {step.page for step in steps} == set(Page)
    assert len([step for step in steps if step.order and not step.tap]) == 3, "three guided orders"
    assert all(len(step.text.split()) <= 50 for step in steps)


def test_the_general_guide_fits_every_scenario() -> None:
    """A scenario may have it as its own, under other names."""
    text = GENERAL.read_text(encoding="utf-8").replace('"general-', '"my-')
    for folder in scenarios():
        loaded = load_once(folder)
        files = {guide_file(side): text for side in loaded.rules.sides}
        require_guides(files, loaded.rules, loaded.scenario.game_data, loaded.scenario.start)
    assert all(step.name.startswith("general-") for step in general_guide().steps)


def test_every_part_that_a_step_may_point_at_is_used() -> None:
    used = {step.points_at for each in (general_guide(), *map(guide, SIDES)) for step in each.steps}
    assert set(PARTS) <= used


# --- faults ----------------------------------------------------------------------------------------------------------

STEP = '[[steps]]\nname = "one"\npage = "orders"\nwhen = "open"\npoints_at = "sheet"\ntext = "Here."\n'
OTHER = '[[steps]]\nname = "two"\npage = "situation"\npoints_at = "map"\ntext = "There."\n'
TWO = f'phase = "german_sheet"\n\n{STEP}\n{OTHER}'


def faults() -> Iterator[tuple[str, str, int, str, str]]:
    """What is written in place of what, the line of the fault, and words of its message and cure."""
    yield 'phase = "german_sheet"', 'phase = "tea"', 1, "no phase 'tea'", "german_sheet"
    yield 'name = "two"', 'name = "one"', 11, "another step has the name 'one'", "another name"
    yield 'name = "two"', 'name = "general-map"', 11, "another step has the name 'general-map'", "another name"
    yield 'name = "two"', 'name = "Two!"', 11, "no name of a step", "small letters"
    yield 'page = "situation"', 'page = "moon"', 12, "moon", "values"
    yield 'points_at = "map"', 'points_at = "sheet"', 13, "the page 'situation' has no 'sheet'", "open phase"
    yield 'points_at = "sheet"', 'points_at = "Z99"', 7, "the page 'orders' has no 'Z99'", "a place of the map"
    yield 'text = "There."', 'text = " "', 14, "empty or too long", "600"
    yield 'text = "There."', 'text = "[[luck]]"', 14, "no 'luck'", "figure"
    yield 'text = "There."', 'text = "There."\nsound = "ping"', 15, "sound", "Remove"
    yield 'text = "Here."', 'text = "Here."\ntap = true', 9, "no unit to choose", "order"
    yield 'text = "There."', 'text = "There."\norder = "READY"', 15, "no sheet for this order", "orders"
    yield 'text = "Here."', 'text = "Here."\norder = "MOVE 9 SS to Q19"', 9, "9 SS", ""
    yield 'text = "Here."', 'text = "Here."\norder = "AIR cas 1"', 9, "AIR", ""
    yield 'text = "Here."', 'text = "Here."\norder = "# nothing"', 9, "not one order", "one line"


def require(text: str) -> None:
    scenario = load_once(FOLDER).scenario
    require_guides({MINE: text}, load_once(FOLDER).rules, scenario.game_data, scenario.start)


@pytest.mark.parametrize(("old", "new", "line", "message", "cure"), list(faults()))
def test_a_fault_is_named_with_file_line_and_cure(old: str, new: str, line: int, message: str, cure: str) -> None:
    assert TWO.count(old) == 1
    require(TWO)
    with pytest.raises(ScenarioError) as found:
        require(TWO.replace(old, new))
    assert (found.value.file, found.value.line) == (MINE, line)
    assert message in str(found.value)
    assert cure in found.value.cure


def test_a_guide_of_nobody_and_one_that_is_too_long_are_refused(tmp_path: Path) -> None:
    for name, text, message in (
        ("guide-french.toml", TWO, "no side has this name"),
        (MINE, TWO + "#" * 20_000, "the guide is too long"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        for file, content in FILES.items():
            if "/" not in file:
                (folder / file).write_text(content, encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
        with pytest.raises(ScenarioError, match=message):
            load_scenario(folder)


def test_the_other_side_is_never_named_by_its_unseen_units() -> None:
    """A guide is its side's alone, and speaks of nothing else."""
    loaded = load_once(FOLDER)
    for side, enemy in ((GERMAN, ALLIED), (ALLIED, GERMAN)):
        words, units = FILES[guide_file(side)], loaded.scenario.start.own[enemy].units.values()
        assert not [unit.label for unit in units if f"**{unit.label}" in words]
