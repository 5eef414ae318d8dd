"""The quick-reference chart: what weather does, air units, fuel, who holds what; to each audience what it knows."""

from collections.abc import Mapping
from typing import Any

import pytest

from campaign.engine.display.views import Panel
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, audience_of
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.disclosure.show import show
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, Weather
from campaign.rulesets.forum_campaign.model.state import Support
from campaign.rulesets.forum_campaign.model.words import PEOPLES
from gm.demo import SCENARIO
from tests.playthroughs.transcript import demo_phases
from tests.rulesets.game import NIGHT, US, VG, Game

EVERYBODY = (audience_of(GERMAN), audience_of(ALLIED), GM, PUBLIC)


def chart_of(number: int, audience: Audience) -> Mapping[str, Panel]:
    """The tables of a phase of the demonstration, by key."""
    (package,) = (package for package in demo_phases()[number].packages if package.audience == audience)
    return {panel.key: panel for panel in package.view.chart}


def cells(panel: Panel) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in panel.rows}


def shown_support(audience: Audience, **support: Mapping[str, Support]) -> set[str]:
    """The tables of support that an audience gets, with so much support given to each side."""
    game_data = load_scenario(find_scenario(SCENARIO)).scenario.game_data
    state: Any = demo_phases()[0].resolution.state
    own = {side: replace(part, support=support.get(side, {})) for side, part in state.own.items()}
    known = state_known_to(replace(state, own=own), audience)
    view = show(game_data, known, audience, ())
    return {panel.key for panel in view.chart if panel.key.startswith("support")}


def test_all_read_the_same_chart_but_for_their_own_support() -> None:
    for number in range(len(demo_phases())):
        charts = [chart_of(number, audience) for audience in EVERYBODY]
        for chart in charts:
            open_to_all = {key: panel for key, panel in chart.items() if not key.startswith("support")}
            assert open_to_all == chart_of(number, PUBLIC)


@pytest.mark.parametrize(
    ("audience", "seen"),
    [
        (audience_of(GERMAN), {"support-german"}),
        (audience_of(ALLIED), {"support-allied"}),
        (GM, {"support-german", "support-allied"}),
        (PUBLIC, set()),
    ],
)
def test_support_in_a_battle_is_its_sides_own(audience: Audience, seen: set[str]) -> None:
    both = {side: {"K16": Support(air_units=2, artillery=True)} for side in (GERMAN, ALLIED)}
    assert shown_support(audience, **both) == seen


def test_before_the_boxes_are_opened_it_says_what_the_weather_lets_fly() -> None:
    air = cells(chart_of(0, PUBLIC)["air"])
    assert air["Available"] == ("6", "6")
    assert air["Air superiority"] == ("allowed", "allowed")
    assert air["Interdiction"] == ("–", "allowed")
    assert air["Air drop"] == ("–", "grounded")
    assert "Superiority won" not in air


def test_once_they_are_open_it_counts_what_is_in_them() -> None:
    air = cells(chart_of(1, PUBLIC)["air"])
    assert air["Air superiority"] == ("4", "2")
    assert air["Air drop"] == ("–", "grounded")
    assert air["Superiority won"] == ("yes", "–")


def test_ground_costs_what_the_days_weather_makes_it() -> None:
    ground = chart_of(0, PUBLIC)["ground"]
    assert ground.title == f"Entering a hex, {Weather.GLOOMY.value} [R6.1]"
    assert cells(ground)["Forest"] == ("2",)
    assert cells(ground)["Main road"] == ("1",)
    assert cells(ground)["Town"] == ("1",)


def test_a_campaign_with_a_forecast_reads_tomorrows_weather_below_todays() -> None:
    game = Game(units={"german": VG, "allied": US}, phase="allied_sheet", options={"forecast": "yes"})
    game.play(ALLIED, "", **NIGHT, **{"weather/1944-12-18": 1})
    (weather,) = (panel for panel in game.view(PUBLIC).chart if panel.key == "weather")
    assert [row[0] for row in weather.rows[:2]] == ["Today", "Tomorrow"]
    assert cells(weather)["Today"] == (Weather.GLOOMY.value,)


def test_objectives_add_up_to_the_victory_points_of_their_holders() -> None:
    for number in range(len(demo_phases())):
        chart = chart_of(number, PUBLIC)
        held: dict[str, int] = {}
        for _, points, holder in chart["objectives"].rows:
            held[holder] = held.get(holder, 0) + int(points)
        assert {PEOPLES[side]: int(points) for side, (_, points) in zip(SIDES, chart["vp"].rows, strict=True)} == held


def test_depots_say_what_has_become_of_them() -> None:
    newest = chart_of(len(demo_phases()) - 1, PUBLIC)
    assert cells(newest["depots"])["Büllingen (R19)"] == ("1", "captured")
    assert cells(chart_of(0, PUBLIC)["depots"])["Büllingen (R19)"] == ("1", "intact")


def test_every_table_names_its_rule_and_fits_its_head() -> None:
    for panel in chart_of(2, GM).values():
        assert panel.title.endswith("]")
        assert {len(row) for row in panel.rows} == {len(panel.head) or 2}
