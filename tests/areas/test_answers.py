"""What the answer to a sheet says, word for word, of what is done by default and of what is not done."""

from campaign.engine.orders.order import Severity
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to, with_open
from campaign.engine.values.ids import Audience
from campaign.game.beginning import first_state
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.area_activation.model.game_data import GERMAN
from campaign.rulesets.area_activation.sequence import SURPRISE
from tests.areas.board import Loaded
from tests.areas.test_outcomes import ALLIES, GERMANS, Game


def answers(text: str) -> list[str]:
    """How the first sheet of the Germans is read, line by line."""
    loaded, who = load_scenario(find_scenario("area_activation/race-to-the-meuse")), Audience(GERMAN)
    known = state_known_to(with_open(first_state(loaded, {}), phase=SURPRISE), who)
    sheet = read_side(loaded.rules, loaded.scenario.game_data, known, who, [DeskSheet(text)], phase=SURPRISE)
    checked = check_side(loaded.rules, loaded.scenario.game_data, known, sheet)
    assert [each for each in checked.problems if each.severity is not Severity.NOTICE] == []
    return [each.text for each in checked.understood]


def test_r49_1_a_move_alone_lets_its_space_act_by_default() -> None:
    first, second = answers("MOVE 272 VG Monschau\nMOVE 326 VG Monschau")
    assert first.startswith(
        "272 VG goes to Monschau. Gemund acts by default, after your ACTIVATE lines. 272 VG and 326 VG"
    )
    assert first.endswith("on average the attacker loses 0.3 and the defender 0.9")
    assert second == "326 VG goes to Monschau"


def test_r49_1_with_an_activate_line_the_odds_are_there() -> None:
    first, second = answers("MOVE 326 VG Monschau\nACTIVATE Gemund")
    assert first == "326 VG goes to Monschau"
    assert second.startswith("Your units in Gemund act. 326 VG against 38 Cav in Monschau: 50 %")


def doubts(*answer: str) -> list[str]:
    """What is said of a German answer about breakthroughs from Ouffet, where three units of armor have won."""
    game = Game({unit: {"at": "Ouffet"} for unit in ("1SSPz", "2Pz", "116Pz", "14Cav")}, date="1944-12-17")
    game.play({GERMANS: "ACTIVATE Ouffet\nASK ME breakthroughs", ALLIES: "STAND Ouffet"}, Loaded({"1SSPz": 7}))
    return [f"{each.line}: {each.message}" for each in game.check(GERMANS, "\n".join(answer)).problems]


def test_r33_of_two_units_over_a_river_border_the_second_is_told_of_the_river() -> None:
    said = doubts("BREAK THROUGH 1 SS Pz to Herve", "BREAK THROUGH 2 Pz to Herve", "HALT 116 Pz")
    assert said == ["2: by then it cannot: Herve: a unit has already crossed that river border"]


def test_r49_6_a_line_below_one_that_is_followed_is_told_of_that_line() -> None:
    lines = "BREAK THROUGH 1 SS Pz to Herve", "BREAK THROUGH 2 Pz to Modave", "BREAK THROUGH 2 Pz to Herve"
    assert doubts(*lines) == ["3: a line above decides"]


def test_r49_6_a_line_below_a_halt_is_told_of_that_line() -> None:
    assert doubts("HALT 2 Pz", "BREAK THROUGH 2 Pz to Modave") == ["2: a line above decides"]


def test_r49_6_a_line_above_one_that_is_followed_is_told_what_bars_it() -> None:
    lines = "BREAK THROUGH 1 SS Pz to Herve", "BREAK THROUGH 2 Pz to Herve", "BREAK THROUGH 2 Pz to Modave"
    assert doubts(*lines) == ["2: by then it cannot: Herve: a unit has already crossed that river border"]
