"""What the game master of the area game writes and reads: rulings, who sees a space; and figures of a position."""

import pytest

from campaign.engine.facts import Fact
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Problem
from campaign.engine.state import state_known_to, with_open
from campaign.engine.statistics import Day
from campaign.engine.values.ids import GM, PlaceId, UnitId
from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.bots import measures, outcome
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN
from campaign.rulesets.area_activation.model.orders import Sign
from campaign.rulesets.area_activation.show.show import show
from campaign.rulesets.area_activation.show.sight import sees_place
from campaign.rulesets.area_activation.show.statistics import STATISTICS
from tests.areas.test_outcomes import Game

VG, INF, ARM = UnitId("18VG"), UnitId("28Inf"), UnitId("7Arm")
UNITS = {"18VG": {"at": "Prum"}, "28Inf": {"at": "Clervaux", "strength": 3}}


def read(game: Game, text: str) -> tuple[list[Fact], list[Problem]]:
    """The facts that a game master's lines mean, and what is wrong with them."""
    known = state_known_to(game.state, GM)
    sheet = parse(text, RULESET.corrections, RULESET.correction_names(game.game_data, known))
    ruled, problems = RULESET.correct(game.game_data, known, sheet.orders)
    return [fact for _, fact in ruled], [*sheet.problems, *problems]


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_r50_a_line_means_a_fact() -> None:
    game = Game(UNITS, points=7)
    lines: dict[str, Fact] = {
        "PLACE 18 VG at Bleialf": facts.UnitPlaced(GERMAN, VG, PlaceId("Bleialf"), 4),
        "PLACE 7 Arm at Liege": facts.UnitPlaced(ALLIED, ARM, PlaceId("Liege"), 4),
        "STRENGTH 28 Inf 2": facts.StrengthSet(ALLIED, INF, 2),
        "REMOVE 28 Inf": facts.UnitRemoved(ALLIED, INF),
        "PUT SIGN unsupplied on 18 VG": facts.SignSet(GERMAN, VG, Sign.UNSUPPLIED, on=True),
        "TAKE SIGN acted off 18 VG": facts.SignSet(GERMAN, VG, Sign.ACTED, on=False),
        "CONTROL Bastogne for german": facts.ControlSet(PlaceId("Bastogne"), GERMAN, 2),
        "CONTROL Prum for allied": facts.ControlSet(PlaceId("Prum"), ALLIED, 0),
        "ADD POINTS 3": facts.PointsSet(10),
        "TAKE POINTS 3": facts.PointsSet(4),
    }
    for line, fact in lines.items():
        assert read(game, line) == ([fact], []), line


def test_r50_points_of_a_space_that_the_allies_take_back_are_taken_away() -> None:
    game = Game(UNITS, control={"Bastogne": "german"})
    assert read(game, "CONTROL Bastogne for allied") == ([facts.ControlSet(PlaceId("Bastogne"), ALLIED, -2)], [])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("STRENGTH 7 Arm 2", "7 Arm is not on the map"),
        ("REMOVE 7 Arm", "7 Arm is not on the map"),
        ("PUT SIGN acted on 7 Arm", "7 Arm is not on the map"),
        ("CONTROL Prum for german", "Prum is theirs already"),
    ],
)
def test_r50_a_line_that_means_nothing_says_why(line: str, said: str) -> None:
    found, (problem,) = read(Game(UNITS), line)
    assert found == []
    assert (problem.message, problem.rule) == (said, "R50")


# --- who sees a space ------------------------------------------------------------------------------------------------


def test_r45_without_fog_everybody_sees_everything() -> None:
    game = Game(UNITS)
    sight = sees_place(game.game_data, game.state, GERMAN, PlaceId("Liege"))
    assert (sight.seen, sight.what, sight.by, sight.rule) == (True, "Nothing is hidden in this campaign.", (), "R45")


def test_r45_with_fog_a_side_sees_from_its_units_and_its_spaces() -> None:
    game = Game({**UNITS, "28Inf": {"at": "StVith"}}, options={"fog": "on"})
    sight = sees_place(game.game_data, game.state, GERMAN, PlaceId("Bleialf"))
    assert (sight.seen, sight.what, sight.rule) == (True, "It sees every unit there, with its strength.", "R45")
    assert sight.by[0] == "18 VG in Prum"
    assert "its control of Prum" in sight.by
    assert "28 Inf in St. Vith" not in sight.by, "it is the enemy's"
    assert not any("Bleialf" in by for by in sight.by), "it is Allied"


def test_r45_with_fog_a_side_does_not_see_what_is_far_from_it() -> None:
    game = Game(UNITS, options={"fog": "on"})
    sight = sees_place(game.game_data, game.state, GERMAN, PlaceId("Liege"))
    assert (sight.seen, sight.by, sight.rule) == (False, (), "R45")
    assert sight.what == "It has no unit and no space there or next to it."


# --- what the map shows ----------------------------------------------------------------------------------------------


def test_the_map_says_the_points_and_the_time_and_who_holds_what_they_are_for() -> None:
    game = Game(UNITS, points=7, control={"Bastogne": "german"})
    view = show(game.game_data, state_known_to(game.state, GM), GM, ())
    assert {panel.key: panel.rows[0] for panel in view.panels if panel.on_map} == {
        "points": ("German points", "7"),
        "time": ("Time", "0530"),
    }
    held = {marker.at: (marker.side, marker.value) for marker in view.markers}
    assert held[PlaceId("Bastogne")] == (GERMAN, 2)
    assert PlaceId("Prum") not in held, "it is worth nothing"


# --- what is measured ------------------------------------------------------------------------------------------------


def test_a_position_in_figures() -> None:
    game = Game(UNITS, points=7)
    assert measures(game.game_data, game.state) == {
        "points": 7,
        "units_german": 1,
        "strength_german": 4,
        "units_allied": 1,
        "strength_allied": 3,
    }


def test_a_game_without_a_winner_is_a_draw() -> None:
    game = Game(UNITS)
    assert outcome(game.game_data, game.state) == "draw"
    assert outcome(game.game_data, with_open(game.state, winner=ALLIED)) == "allied"


def test_a_day_is_plotted_as_it_was() -> None:
    game = Game(UNITS, points=7, control={"Bastogne": "german"})
    happened = (
        facts.Hit(ALLIED, INF, PlaceId("Clervaux"), 2),
        facts.Starved(GERMAN, VG),
        facts.Eliminated(ALLIED, ARM, PlaceId("Clervaux"), strength=3, points=1),
    )
    day = Day(RULESET.moment(game.state), game.state, happened)
    figures = {each.key: list(each.figures(game.game_data, day)) for each in STATISTICS}
    assert figures["victory-points"] == [7]
    assert figures["strength"] == [4, 3]
    assert figures["lost"] == [1, 5]
    assert figures["held"] == [2, 23]
