"""The air as pages show it, and the arithmetic behind it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.display.views import Panel
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Checked, Problem, Severity, Understood, merged
from campaign.engine.ruleset import Scenario
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, audience_of
from campaign.game.loading import find_scenario, load_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.air.missions import superiority
from campaign.rulesets.forum_campaign.disclosure.show import show
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.options import Parity
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.scenario.case import read_case

ARDENNES = load_scenario(find_scenario("forum_campaign/ardennes-1944"))
units = st.integers(0, 13)


def chart(key: str) -> Panel:
    return next(panel for panel in RULESET.charts(ARDENNES.scenario.game_data) if panel.key == key)


def test_the_chances_of_interdiction_are_those_of_two_ten_sided_dice() -> None:
    assert [row[1] for row in chart("interdiction").rows] == ["35 %", "45 %", "55 %", "65 %", "75 %"]


def test_the_missions_of_both_sides_by_weather() -> None:
    """From fair to foul: sunny, gloomy, snow, wet, storm."""
    rows = {row[:2]: row[2:] for row in chart("missions").rows}
    assert rows["German", "close air support"] == ("yes", "yes", "yes", "yes", "–")
    assert rows["Allied", "interdiction"] == ("yes", "yes", "–", "–", "–")
    assert rows["Allied", "air drop"] == ("yes", "–", "–", "–", "–")
    assert ("German", "interdiction") not in rows


def test_the_landings_and_the_northern_third_as_drop_zone() -> None:
    """Ruling 73: without its west, unless the campaign has chosen all of the rows."""
    rows = chart("landings").rows
    assert [row[0] for row in rows] == ["1–3", "4–7", "8–10", "Drop zone", "Drop zone with all rows"]
    for (_, zone), first in zip(rows[-2:], (18, 1), strict=True):
        assert zone.startswith(f"Q{first}–Q26, R{first}–R26")
        assert zone.endswith(f"Y{first}–Y26")


@given(units, units, st.sampled_from(Parity))
def test_superiority_takes_no_side(german: int, allied: int, parity: Parity) -> None:
    winner, removals = superiority({GERMAN: german, ALLIED: allied}, parity)
    other, same = superiority({GERMAN: allied, ALLIED: german}, parity)
    assert removals == same
    assert {winner, other} in ({None}, {GERMAN, ALLIED})


@given(units, units)
def test_an_odd_air_unit_changes_nothing_where_pairs_are_compared(german: int, allied: int) -> None:
    even = superiority({GERMAN: german // 2 * 2, ALLIED: allied // 2 * 2}, Parity.EVEN_FIRST)
    assert superiority({GERMAN: german, ALLIED: allied}, Parity.EVEN_FIRST) == even


def morning(**more: object) -> Scenario[GameData, State]:
    files = scenario_files(find_scenario("forum_campaign/ardennes-1944"))
    position = {
        "map": {"size": "A1-C12"},
        "units": {
            "german": {"12 VG": {"at": "B9"}, "KG Heydte": {"class": "airborne", "arrives": "1944-12-17"}},
            "allied": {"28 Inf": {"at": "B6"}},
        },
        "phase": "morning",
        **more,
    }
    return read_case(position, files)


def after_the_boxes() -> tuple[GameData, Resolution[State]]:
    case = morning(phase="air", air={"german": {"available": 4}, "allied": {"available": 3}})
    sheets = {GERMAN: "AIR superiority 2 cas 2", ALLIED: "AIR cas 3"}
    orders = {
        audience_of(side): parse(
            text, RULESET.phase(PhaseKey("air")).orders, RULESET.names(case.game_data, case.start)
        ).orders
        for side, text in sheets.items()
    }
    return case.game_data, adjudicate(RULESET, case.game_data, case.start, orders, dice=ScriptedDice({}))


def air_panel(game_data: GameData, state: State, audience: Audience) -> Panel:
    view = show(game_data, state_known_to(state, audience), audience, ())
    return next(panel for panel in view.panels if panel.key == "air")


@pytest.mark.parametrize("audience", [audience_of(GERMAN), audience_of(ALLIED), GM, PUBLIC])
def test_everybody_is_shown_both_charts_without_what_was_removed(audience: Audience) -> None:
    game_data, resolution = after_the_boxes()
    panel = air_panel(game_data, resolution.state, audience)
    assert panel.head == ("Box", "Allied", "German")
    assert panel.rows == (
        ("Available", "3", "4"),
        ("Air superiority", "0", "2"),
        ("Close air support", "2", "2"),
        ("Interdiction", "0", "0"),
        ("Air drop", "0", "0"),
    )


def test_before_the_boxes_are_opened_only_the_numbers_are_shown() -> None:
    case = morning(phase="air", air={"german": {"available": 4}, "allied": {"available": 3}})
    panel = air_panel(case.game_data, case.start, PUBLIC)
    assert panel.rows[0] == ("Available", "3", "4")
    assert {row[1:] for row in panel.rows[1:]} == {("0", "0")}


def test_a_forecast_is_next_to_the_weather() -> None:
    case = morning(options={"forecast": "yes"})
    dice = {"weather/1944-12-16": (7,), "weather/1944-12-17": (10,)}
    dice |= {"air/german/1944-12-16": (1,), "air/allied/1944-12-16": (1,)}
    resolution = adjudicate(RULESET, case.game_data, case.start, {}, dice=ScriptedDice(dice))
    view = show(case.game_data, state_known_to(resolution.state, PUBLIC), PUBLIC, ())
    assert ("Tomorrow", "Sunny") in next(panel for panel in view.panels if panel.key == "weather").rows


WAITING = ("KG Heydte", "17 December", "by parachute")


@pytest.mark.parametrize(("date", "listed"), [("1944-12-16", [WAITING]), ("1944-12-17", [WAITING]), ("1944-12-18", [])])
def test_paratroops_are_awaited_until_their_day_is_over(date: str, listed: list[tuple[str, str, str]]) -> None:
    case = morning(date=date, phase="german_sheet")
    view = show(case.game_data, state_known_to(case.start, audience_of(GERMAN)), audience_of(GERMAN), ())
    rows = [row for panel in view.panels if panel.key == "arrivals-german" for row in panel.rows]
    assert rows == listed


def test_several_checks_answer_one_sheet_by_line_and_the_whole_sheet_last() -> None:
    def problem(line: int) -> Problem:
        return Problem("x", Severity.ERROR, line, 1, "")

    one = Checked((Understood(3, "c"),), (problem(0), problem(4)))
    other = Checked((Understood(1, "a"),), (problem(2),))
    assert merged(one, other) == Checked((Understood(1, "a"), Understood(3, "c")), (problem(2), problem(4), problem(0)))
