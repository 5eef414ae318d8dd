"""The paper map: what the hexes, hexsides and names of a small map become."""

from dataclasses import replace
from datetime import date
from math import sqrt

import pytest

from campaign.engine.display.views import Border, Entry, Line
from campaign.engine.values.ids import GM, PlaceId
from campaign.game.loading import find_scenario, load_scenario, scenario_files
from campaign.game.turn_package import view_of
from campaign.rulesets.forum_campaign.model import signs
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.scenario.base_map import base_map
from campaign.rulesets.forum_campaign.scenario.case import read_case

SMALL = {
    "size": "A1-C2",
    "terrain": {"forest": "B1"},
    "roads": {"primary": ["A2-A1"], "secondary": ["B1-B2"]},
    "rivers": {"Our": "A2|A1", "Meuse": "B1|C1"},
    "closed": "A1|B1",
    "towns": [{"hex": "B2", "name": "Spa", "importance": 2, "vp": 3}],
    "entries": [{"name": "Bonn", "hex": "C2", "edge": "E", "side": "german"}],
}
MAP = base_map(
    read_case({"map": SMALL, "units": {}}, scenario_files(find_scenario("forum_campaign/ardennes-1944"))).game_data
)
ST_VITH = base_map(load_scenario(find_scenario("forum_campaign/st-vith-1944")).scenario.game_data)
A1, A2, B1, B2, C1, C2 = map(PlaceId, ("A1", "A2", "B1", "B2", "C1", "C2"))
HALF = sqrt(3) / 2
"""Half a hex across, its side being 1: rows A and C are so far east of row B."""


def test_every_hex_is_drawn_where_it_lies() -> None:
    """The northernmost row is the uppermost; to the row below it are one and a half sides."""
    places = {ground.id: ground.at for ground in MAP.grounds}
    columns = {"A1": 3, "A2": 5, "B1": 2, "B2": 4, "C1": 3, "C2": 5}
    heights = {"A": 3.0, "B": 1.5, "C": 0.0}
    assert list(places) == list(columns)
    for place, at in places.items():
        assert at == pytest.approx((columns[place] * HALF, heights[place[0]]))


def test_a_hex_has_its_outline_terrain_and_town() -> None:
    wood, spa = MAP.grounds[2:4]
    assert wood.outline[0] == pytest.approx((wood.at[0], wood.at[1] - 1))
    assert (wood.terrain, wood.name, wood.importance, wood.victory_points) == ("forest", "", 0, 0)
    assert (spa.terrain, spa.name, spa.importance, spa.victory_points) == ("clear", "Spa", 2, 3)


def test_roads_rivers_and_closed_hexsides_are_drawn_once() -> None:
    roads = [Line(A1, A2, signs.MAIN_ROAD.key), Line(B1, B2, signs.SECONDARY_ROAD.key)]
    assert sorted(MAP.lines, key=lambda line: line.a) == roads
    assert sorted(MAP.borders, key=lambda border: (border.a, border.b)) == [
        Border(A1, A2, signs.RIVER.key, ("Our",)),
        Border(A1, B1, signs.CLOSED.key),
        Border(B1, C1, signs.GREAT_RIVER.key, ("Meuse",)),
    ]


def test_rows_are_named_at_both_ends_and_columns_below_and_above() -> None:
    shown = {(label.text, round(label.at[0], 3), label.at[1]) for label in MAP.margin}
    rows = {("A", 3, -1.4, 3.0), ("A", 5, 1.4, 3.0), ("B", 2, -1.4, 1.5), ("B", 4, 1.4, 1.5)}
    rows |= {("C", 3, -1.4, 0.0), ("C", 5, 1.4, 0.0)}
    columns = {("1", 3, 0, 4.5), ("2", 5, 0, 4.5), ("1", 3, 0, -1.5), ("2", 5, 0, -1.5)}
    assert shown == {(text, round(halves * HALF + aside, 3), y) for text, halves, aside, y in rows | columns}
    assert len(MAP.margin) == len(shown)


def test_the_sides_and_the_ways_in() -> None:
    assert MAP.sides == (GERMAN, ALLIED)
    assert MAP.entries == (Entry(C2, "Bonn", GERMAN),)


def test_a_scenarios_map_says_whose_it_is_and_what_is_only_there() -> None:
    assert (ST_VITH.title, ST_VITH.scale) == ("St. Vith, December 1944", "6.5 km a hex")
    assert ST_VITH.credit.startswith("Town coordinates: GeoNames")
    (schnee_eifel,) = (ground for ground in ST_VITH.grounds if ground.id == "L18")
    assert (schnee_eifel.fortified, schnee_eifel.country) == (True, "DE")
    frontier = [{border.a, border.b} for border in ST_VITH.borders if border.kind is signs.FRONTIER.key]
    assert {"L15", "L16"} in frontier
    assert all(frontier.count(edge) == 1 for edge in frontier)
    bridged = {frozenset((line.a, line.b)) for line in ST_VITH.lines if line.bridge}
    assert frozenset(("S16", "S17")) in bridged
    assert len(bridged) < len(ST_VITH.lines)


def test_roads_of_a_cut_out_lead_on_to_hexes_that_are_not_on_it() -> None:
    assert MAP.exits == ()
    at = {ground.id: ground.at for ground in ST_VITH.grounds}
    found = {exit_.at: exit_ for exit_ in ST_VITH.exits}
    x, y = at[PlaceId("L15")]
    assert found[PlaceId("L15")].toward == pytest.approx((x - HALF, y + 1.5)), "to the south-west"
    assert found[PlaceId("L15")].kind == signs.SECONDARY_ROAD.key
    assert found[PlaceId("L18")].kind == signs.MAIN_ROAD.key


def test_a_map_knows_its_days_and_its_scale() -> None:
    assert ST_VITH.subtitle == "17 to 20 December 1944"
    assert ST_VITH.turns == tuple(f"{day} December 1944" for day in range(17, 21))
    assert ST_VITH.kilometres * sqrt(3) == pytest.approx(6.5), "from one hex to the next"
    assert MAP.kilometres == 0, "a case has no scale"


def test_the_days_of_a_view_are_those_of_the_track_of_turns() -> None:
    loaded = load_scenario(find_scenario("forum_campaign/st-vith-1944"))
    rules, game_data = loaded.rules, loaded.scenario.game_data
    assert view_of(rules, game_data, loaded.scenario.start, (), GM).date == ST_VITH.turns[0]


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("1944-12-16", "1944-12-16", "16 December 1944"),
        ("1944-11-28", "1944-12-02", "28 November to 2 December 1944"),
        ("1944-12-28", "1945-01-03", "28 December 1944 to 3 January 1945"),
    ],
)
def test_the_subtitle_names_no_month_twice(first: str, last: str, said: str) -> None:
    game_data = load_scenario(find_scenario("forum_campaign/st-vith-1944")).scenario.game_data
    days = {"first_day": date.fromisoformat(first), "last_day": date.fromisoformat(last)}
    assert base_map(replace(game_data, **days)).subtitle == said


@pytest.mark.parametrize(("scale", "apart"), [("6.5 km a hex", 6.5), ("1 km a hex", 1), ("about 6 km", 0), ("", 0)])
def test_only_a_scale_in_kilometres_a_hex_gives_a_scale_bar(scale: str, apart: float) -> None:
    game_data = load_scenario(find_scenario("forum_campaign/st-vith-1944")).scenario.game_data
    assert base_map(replace(game_data, scale=scale)).kilometres * sqrt(3) == pytest.approx(apart)
