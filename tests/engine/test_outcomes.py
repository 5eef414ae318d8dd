"""What became of each line of a sheet: in the forum campaign, and in the toy, from what the side is told."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.display.outcomes import Effect, LineOutcome, Outcomes
from campaign.engine.facts import disclose
from campaign.engine.outcomes import outcomes_of
from campaign.engine.phases import Ruling
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet, SideSheet, read_side
from campaign.engine.state import state_known_to, with_open
from campaign.engine.values.ids import Audience, PhaseKey, PlaceId, UnitId, audience_of
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.turn_package import view_of
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.facts.movement import UnitPlaced
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Weather
from campaign.rulesets.forum_campaign.model.state import WeatherToday
from tests import toy
from tests.rulesets.game import Game
from tests.toy.model.game_data import NORTH, SOUTH
from tests.toy.test_toy import position as toy_position

GERMANS, ALLIES = audience_of(GERMAN), audience_of(ALLIED)


class Sheets:
    """A position, the desks' sheets for its phase, and what comes of them."""

    def __init__(self, rules: Ruleset[Any, Any], game_data: Any, state: Any, dice: Mapping[str, int]) -> None:
        self.rules, self.game_data, self.state = rules, game_data, state
        self.dice = ScriptedDice({label: (die,) for label, die in dice.items()})
        self.resolution: Resolution[Any]

    def resolve(
        self, sheets: Mapping[Audience, Sequence[DeskSheet]], rulings: Sequence[Ruling] = ()
    ) -> dict[Audience, Outcomes]:
        read = {who: self._read(who, desks) for who, desks in sheets.items()}
        orders = {who: sheet.lines for who, sheet in read.items()}
        self.resolution = adjudicate(self.rules, self.game_data, self.state, orders, dice=self.dice, rulings=rulings)
        return {who: self._outcomes(who, sheet) for who, sheet in read.items()}

    def _read(self, who: Audience, desks: Sequence[DeskSheet]) -> SideSheet:
        known = state_known_to(self.state, who)
        return read_side(self.rules, self.game_data, known, who, desks, phase=self.rules.now(self.state))

    def _outcomes(self, who: Audience, sheet: SideSheet) -> Outcomes:
        before, after = (state_known_to(state, who) for state in (self.state, self.resolution.state))
        told = disclose(self.resolution.events, who)
        found = outcomes_of(self.rules, self.game_data, sheet, before=before, after=after, told=told)
        self._stands_in_the_report(who, found)
        return found

    def _stands_in_the_report(self, who: Audience, found: Outcomes) -> None:
        log = view_of(self.rules, self.game_data, self.resolution.state, self.resolution.events, who).log
        report = {(line.text, line.rule, line.reasons) for line in log}
        told = (each for each in found.lines if each.effect in (Effect.DONE, Effect.SHORT))
        assert {(said.text, said.rule, said.reasons) for each in told for said in each.because} <= report


def campaign(phase: str = "german_sheet", dice: Mapping[str, int] | None = None, **position: Any) -> Sheets:
    game = Game(phase=phase, **position)
    return Sheets(RULESET, game.game_data, game.state, dice or {})


def estuary(**position: Any) -> Sheets:
    scenario = toy_position(**position)
    return Sheets(toy.RULESET, scenario.game_data, scenario.start, {})


def of_german(sheets: Sheets, text: str, **desks: DeskSheet) -> tuple[LineOutcome, ...]:
    return sheets.resolve({GERMANS: [DeskSheet(text), *desks.values()]})[GERMANS].lines


def read(lines: Sequence[LineOutcome]) -> list[tuple[int, str, list[str]]]:
    return [(each.line, each.effect.value, [said.text for said in each.because]) for each in lines]


UNITS = {"german": {"26 VG": {"at": "D7"}, "2 Pz": {"at": "C7"}}, "allied": {"28 Inf": {"at": "D4"}}}


def test_a_move_says_where_it_led() -> None:
    lines = of_german(campaign(units=UNITS), "# to the front\nMOVE 26 VG D6\n\nREADY")
    assert read(lines) == [(2, "done", ["26 VG moves D7-D6 (1 point)"]), (4, "accepted", [])]
    assert lines[0].because[0].rule == "R4"


def test_a_move_that_was_stopped_says_where_and_why() -> None:
    """R4.7 The enemy has been out of sight."""
    units = {"german": {"26 VG": {"at": "D9"}}, "allied": {"28 Inf": {"at": "D6"}}}
    charts = {"sight": {"identity": 0, "type": 0}}
    (line,) = of_german(campaign(units=units, charts=charts), "MOVE 26 VG D8-D7-D6-D5")
    assert line.effect is Effect.SHORT
    (said,) = line.because
    assert said.text.startswith("26 VG moves D9-D8")
    assert "stops before" in said.text
    assert line.because[0].rule == "R4"


def test_a_hold_counts_and_no_report_speaks_of_it() -> None:
    lines = of_german(campaign(units=UNITS), "HOLD 26 VG\nALL OTHERS HOLD\nNOTE mud")
    assert read(lines) == [(number, "accepted", []) for number in (1, 2, 3)]


def test_a_refused_line_has_the_reason_of_its_check() -> None:
    lines = of_german(campaign(units=UNITS), "MOVE 26 VG D5-D4\nMVOE 2 Pz\nMOVE 2 Pz to D6")
    assert [each.effect for each in lines] == [Effect.IGNORED, Effect.IGNORED, Effect.DONE]
    assert lines[0].because[0].rule.startswith("R")
    assert "26 VG" in lines[0].because[0].text
    assert "MVOE" in lines[1].because[0].text


def ardennes(phase: str) -> Sheets:
    """The first day of the small scenario."""
    loaded = load_scenario(find_scenario("forum_campaign/st-vith-1944"))
    weather = WeatherToday(Weather.GLOOMY, 0, 0)
    start = with_open(loaded.scenario.start, phase=PhaseKey(phase), weather=weather)
    return Sheets(loaded.rules, loaded.scenario.game_data, start, {})


def test_a_line_that_headquarters_replaced_says_so() -> None:
    sixth = DeskSheet("MOVE 12 VG R21\nHOLD 3 FJ\nHOLD 116 Pz", "Sixth", ("6th Panzer Army",))
    lines = of_german(ardennes("german_sheet"), "MOVE 12 VG R21", sixth=sixth)
    assert [(each.desk, each.line, each.effect) for each in lines] == [
        ("HQ", 1, Effect.DONE),
        ("Sixth", 1, Effect.REPLACED),
        ("Sixth", 2, Effect.ACCEPTED),
        ("Sixth", 3, Effect.IGNORED),
    ]
    assert lines[1].because[0].text == "HQ gives this unit orders itself; this line is ignored"


def test_an_attack_names_its_battle_and_a_cancelled_one_the_reason() -> None:
    units = {"german": {"26 VG": {"at": "D5"}, "2 Pz": {"at": "C7"}}, "allied": {"28 Inf": {"at": "D4"}}}
    lines = of_german(campaign(units=units), "ATTACK 26 VG D4\nATTACK 2 Pz contact\nCAS 2 Pz 1")
    assert [each.effect for each in lines] == [Effect.DONE, Effect.SHORT, Effect.IGNORED]
    assert lines[0].because[0].text.startswith("Battle of")
    assert read(lines)[1][2] == ["2 Pz does not attack: no enemy is there"]


@pytest.mark.parametrize(
    ("allied", "german", "effect", "said"),
    [
        (4, 3, Effect.DONE, "Interdiction of D7 succeeds: the unit there is out of supply"),
        (1, 10, Effect.SHORT, "Interdiction of D7 fails"),
    ],
)
def test_a_mission_says_what_came_of_it(allied: int, german: int, effect: Effect, said: str) -> None:
    air = {"allied": {"available": 1}}
    dice = {"interdiction/D7/allied": allied, "interdiction/D7/german": german}
    sheets = campaign("air", dice, units=UNITS, air=air, weather="Sunny", date="1944-12-17")
    lines = sheets.resolve({ALLIES: [DeskSheet("AIR interdiction 1\nINTERDICT D7 1")], GERMANS: []})[ALLIES].lines
    assert read(lines)[1] == (2, effect.value, [said])


def test_a_line_of_which_the_side_is_told_nothing_says_that() -> None:
    """R11.5 An unseen enemy stops the unit on its way, so that the commando is not in its hex."""
    units = {
        "german": {
            "2 Pz": {"at": "D9", "class": "armor"},
            "CDO1": {"at": "D6", "class": "commando", "size": "small"},
        },
        "allied": {"28 Inf": {"at": "D8"}},
    }
    charts = {"sight": {"identity": 0, "type": 0}}
    lines = of_german(campaign(units=units, charts=charts), "MOVE 2 Pz D8-D7-D6\nFOLLOW CDO1 2 Pz")
    assert [each.effect for each in lines] == [Effect.SHORT, Effect.SILENT]
    assert lines[1].because == ()


def test_a_line_refused_by_what_was_known_counts_after_a_ruling() -> None:
    """The sheet is executed as the ruling leaves it, and the outcome follows that."""
    sheets = campaign(units=UNITS)
    ruling = Ruling(PhaseKey("german_sheet"), UnitPlaced(GERMAN, UnitId("26 VG"), PlaceId("F7")), "lost at sea")
    text = [DeskSheet("MOVE 26 VG F6")]
    (before,) = sheets.resolve({GERMANS: text})[GERMANS].lines
    (after,) = sheets.resolve({GERMANS: text}, [ruling])[GERMANS].lines
    assert (before.effect, after.effect) == (Effect.IGNORED, Effect.DONE)
    assert read([after])[0][2] == ["26 VG moves F7-F6 (1 point)"]


def test_lines_that_say_the_same_share_what_came_of_them() -> None:
    units = {"german": {"2 Pz": {"at": "D9", "strength": 50}}, "allied": {"28 Inf": {"at": "D2"}}}
    sheets = campaign("air", units=units)
    sheets.state = with_open(sheets.state, turn=2)
    lines = sheets.resolve({GERMANS: [DeskSheet("BUY 2 Pz men\nBUY 2 Pz men")]})[GERMANS].lines
    assert [(each.effect, len(each.because)) for each in lines] == [(Effect.DONE, 1)] * 2


def test_what_the_enemy_does_changes_no_outcome_that_tells_nothing_of_it() -> None:
    """Nothing but what a side knew and is told goes in: an unseen enemy that nobody meets leaves no trace."""
    charts = {"sight": {"identity": 0, "type": 0}}
    found = set()
    for at in ("A1", "B1"):
        units = {"german": {"26 VG": {"at": "D9"}}, "allied": {"28 Inf": {"at": at}}}
        sheets = campaign(units=units, charts=charts)
        found.add(sheets.resolve({GERMANS: [DeskSheet("MOVE 26 VG D8\nMOVE 26 VG D7\nHOLD 2 Pz")]})[GERMANS])
    assert len(found) == 1


def test_air_units_of_the_enemy_are_no_answer_to_a_side() -> None:
    air = {"german": {"available": 3}, "allied": {"available": 5}}
    found = campaign("air", units=UNITS, air=air).resolve(
        {GERMANS: [DeskSheet("AIR superiority 1 cas 2\nREMOVE cas")], ALLIES: [DeskSheet("AIR superiority 5")]}
    )
    assert read(found[GERMANS].lines) == [
        (1, "done", ["German air units: 1 for air superiority, 2 for close air support"]),
        (2, "accepted", []),
    ]


@pytest.mark.parametrize(("text", "effect"), [("MOVE 26 VG D8\nTHEN 26 VG D9", "done"), ("THEN 26 VG D9", "ignored")])
def test_saved_movement_is_not_the_units_move(text: str, effect: str) -> None:
    *_, last = of_german(campaign(units=UNITS), text)
    assert last.effect.value == effect


# --- a ruleset of another kind ---------------------------------------------------------------------------------------


NORTHERN, SOUTHERN = audience_of(NORTH), audience_of(SOUTH)


@pytest.mark.parametrize(
    ("text", "effects", "said"),
    [
        ("PASS\nREADY", [Effect.DONE, Effect.ACCEPTED], "North passes"),
        ("ATTACK 1st marsh", [Effect.DONE], "1st attacks Blue at marsh"),
        ("HOLD 1st\nPASS", [Effect.IGNORED, Effect.DONE], "North passes"),
    ],
)
def test_the_toy_answers_its_own_orders(text: str, effects: list[Effect], said: str) -> None:
    lines = estuary().resolve({NORTHERN: [DeskSheet(text)]})[NORTHERN].lines
    assert [each.effect for each in lines] == effects
    assert said in [each.text for line in lines for each in line.because]


def test_an_answer_that_was_impossible_in_truth_is_not_as_written() -> None:
    forces = {"north": {"1st": {"at": "mill"}, "2nd": {"at": "salt"}}, "south": {"Blue": {"at": "marsh"}}}
    sheets = estuary(forces=forces)
    sheets.resolve({NORTHERN: [DeskSheet("ATTACK 1st marsh")]})
    state = sheets.resolution.state
    sheets.state = replace(state, own={**state.own, SOUTH: replace(state.own[SOUTH], seen=())})
    sheets.dice = ScriptedDice({f"combat/marsh/{side}": (1,) for side in (NORTH, SOUTH)})
    (line,) = sheets.resolve({SOUTHERN: [DeskSheet("FALL BACK salt")]})[SOUTHERN].lines
    assert line.effect is Effect.SHORT
    assert [said.text for said in line.because] == ["The attacked force stands"]


def test_a_force_of_the_toy_that_meets_an_unseen_enemy_is_stopped() -> None:
    forces = {"north": {"1st": {"at": "light"}}, "south": {"Blue": {"at": "mill"}}}
    sheets = estuary(forces=forces)
    lines = sheets.resolve({NORTHERN: [DeskSheet("MOVE 1st dunes-mill\nPASS")]})[NORTHERN].lines
    assert [each.effect for each in lines] == [Effect.SHORT, Effect.IGNORED]
    assert "meets the enemy" in lines[0].because[0].text


def test_standing_orders_are_answered_too() -> None:
    lines = estuary().resolve({NORTHERN: [DeskSheet("WHEN ATTACKED evade\nPASS")]})[NORTHERN].lines
    assert read(lines)[0] == (1, "done", ["Standing orders: every force will evade when attacked"])


def test_a_ruleset_that_traces_nothing_says_which_lines_counted() -> None:
    scenario = toy_position()
    rules = replace_consequences(toy.RULESET)
    sheets = Sheets(rules, scenario.game_data, scenario.start, {})
    lines = sheets.resolve({NORTHERN: [DeskSheet("PASS\nPASS")]})[NORTHERN].lines
    assert [each.effect for each in lines] == [Effect.ACCEPTED, Effect.IGNORED]


def replace_consequences(rules: Ruleset[Any, Any]) -> Ruleset[Any, Any]:
    return dataclasses.replace(rules, consequences=None)
