"""What became of each line of a sheet of the area game, as its side may read it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate, asked
from campaign.engine.display.outcomes import LineOutcome
from campaign.engine.facts import Disclosure, Event, disclose
from campaign.engine.orders.order import Checked
from campaign.engine.outcomes import outcomes_of
from campaign.engine.phases import Ruling
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, PhaseKey, PlaceId, SideId, UnitId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.game.turn_package import view_of
from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN
from campaign.rulesets.area_activation.model.orders import Arrive, Lose
from campaign.rulesets.area_activation.scenario.case import read_case
from campaign.rulesets.area_activation.show.consequences import CONSEQUENCES
from tests.areas.board import Loaded

FILES = scenario_files(find_scenario("area_activation/ardennes-1944"))
PZ = UnitId("9SSPz")
GERMANS, ALLIES = audience_of(GERMAN), audience_of(ALLIED)
Sheets = Mapping[Audience, str]


class Game:
    """A position on the map of the scenario, its sheets, and what comes of their lines."""

    def __init__(self, units: Mapping[str, Any], **position: Any) -> None:
        scenario = read_case({"date": "1944-12-19", "units": units, **position}, FILES)
        self.game_data, self.state = scenario.game_data, scenario.start

    def play(
        self, sheets: Sheets, dice: Loaded | None = None, rulings: Sequence[Ruling] = ()
    ) -> dict[Audience, list[LineOutcome]]:
        """Resolve the open phase, with a sheet for each who must act, and the GM's rulings."""
        before, who_acts = self.state, asked(RULESET, self.state)
        read = {who: self.read(who, sheets.get(who, "")) for who in who_acts}
        orders = {who: sheet.lines for who, sheet in read.items()}
        resolution = adjudicate(RULESET, self.game_data, before, orders, dice=dice or Loaded(), rulings=rulings)
        self.state = resolution.state
        found = {}
        for who, sheet in read.items():
            states = {"before": state_known_to(before, who), "after": state_known_to(self.state, who)}
            told = disclose(resolution.events, who)
            found[who] = list(outcomes_of(RULESET, self.game_data, sheet, told=told, **states).lines)
            report = {line.text for line in view_of(RULESET, self.game_data, self.state, resolution.events, who).log}
            counted = [line for line in found[who] if line.effect.value != "ignored"]
            assert {said.text for line in counted for said in line.because} <= report
        return found

    def events(self, sheets: Sheets) -> Sequence[Event[Any]]:
        """What happens in the open phase with these sheets, each fact with who is told what of it."""
        orders = {who: self.read(who, sheets.get(who, "")).lines for who in asked(RULESET, self.state)}
        return adjudicate(RULESET, self.game_data, self.state, orders, dice=Loaded()).events

    def check(self, who: Audience, text: str) -> Checked:
        """The answer to a sheet of the open phase."""
        return check_side(RULESET, self.game_data, state_known_to(self.state, who), self.read(who, text))

    def read(self, who: Audience, text: str) -> Any:
        """A sheet as an audience writes it for the open phase."""
        known = state_known_to(self.state, who)
        return read_side(RULESET, self.game_data, known, who, [DeskSheet(text)], phase=RULESET.now(self.state))


def said(lines: Sequence[LineOutcome]) -> list[str]:
    """Each line's effect, with the first sentence about it."""
    return [": ".join([line.effect.value, *(because.text for because in line.because[:1])]) for line in lines]


def effects(lines: Sequence[LineOutcome]) -> list[str]:
    return [line.effect.value for line in lines]


def told(*happened: Any, rule: str = "") -> list[Disclosure[Any]]:
    """Facts as a side is told them."""
    return [Disclosure(PhaseKey("turn"), rule, fact) for fact in happened]


# --- mornings --------------------------------------------------------------------------------------------------------


def morning(units: Mapping[str, Any], **position: Any) -> Game:
    return Game(units, phase="morning", **position)


def test_r38_a_unit_that_arrives_where_its_line_says() -> None:
    game = morning({"38Cav": {"at": "Eupen"}}, due={"9SSPz": False})
    assert said(game.play({GERMANS: "ARRIVE 9 SS Pz at Gemund"})[GERMANS]) == ["done: 9 SS Pz arrives in Gemund"]


@pytest.mark.parametrize(
    "fact", [facts.Arrived(GERMAN, PZ, PlaceId("Stadtkyll"), 5, seen=False), facts.Delayed(GERMAN, PZ)]
)
def test_r38_a_unit_that_arrives_elsewhere_or_waits(fact: Any) -> None:
    order = Arrive(PZ, PlaceId("Gemund"))
    assert CONSEQUENCES.fell_short(order, fact)
    assert [each.fact for each in CONSEQUENCES.of[Arrive](GERMANS, order, told(fact))] == [fact]


MARKED = {name: {"at": at} for name, at in {"1SSPz": "Losheim", "2Pz": "Dasburg", "12SSPz": "Baasem"}.items()}
MARKS = "MARK 1 SS Pz\nMARK 2 Pz\nMARK 12 SS Pz"


def test_r37_a_unit_that_ran_dry_was_not_freed_as_its_line_says() -> None:
    game = morning({**MARKED, "116Pz": {"at": "Trier"}}, date="1944-12-22")
    found = game.play({ALLIES: MARKS, GERMANS: "REFUEL 1 SS Pz\nREFUEL 2 Pz\nREFUEL 12 SS Pz\nREFUEL 116 Pz"})
    marked = "The Allies mark as short of fuel: 1 SS Pz, 2 Pz and 12 SS Pz"
    assert said(found[ALLIES]) == [f"done: {marked}"] * 3
    assert said(found[GERMANS]) == [f"done: {marked}", f"done: {marked}", f"short: {marked}", "unmet"]
    assert found[GERMANS][2].because[1].text == "Short of fuel today: 12 SS Pz"


def test_r37_a_mark_on_a_unit_that_is_out_of_supply_is_lost_and_nobody_frees_it() -> None:
    units = {**MARKED, "12SSPz": {"at": "Baasem", "unsupplied": True}}
    found = morning(units, date="1944-12-22").play({ALLIES: MARKS, GERMANS: "REFUEL 12 SS Pz\nREFUEL 2 Pz"})
    assert effects(found[GERMANS]) == ["unmet", "done"]


def test_r40_a_unit_that_ran_dry_receives_no_point() -> None:
    units = {**MARKED, "12SSPz": {"at": "Baasem", "strength": 2}}
    found = morning(units, date="1944-12-23").play({ALLIES: MARKS, GERMANS: "REPLACE 12 SS Pz"})
    assert said(found[GERMANS]) == ["short: Short of fuel today: 12 SS Pz"]
    assert said(morning(units, date="1944-12-23").play({GERMANS: "REPLACE 12 SS Pz\nREFUEL 12 SS Pz"})[GERMANS]) == [
        "done: 12 SS Pz receives a replacement point",
        "done: The Allies mark as short of fuel: 1 SS Pz, 2 Pz and 12 SS Pz",
    ]


def test_r41_a_commando_operation_that_finds_its_unit_and_one_that_does_not() -> None:
    for units, effect in (({"7Arm": {"at": "Aachen"}}, "done"), ({"9Inf": {"at": "Aachen"}}, "short")):
        found = morning(units, date="1944-12-17").play({GERMANS: "COMMANDO 7 Arm"})
        assert effects(found[GERMANS]) == [effect]


# --- turns -----------------------------------------------------------------------------------------------------------

FAR = {"R-9Arm": {"at": "Bastogne", "strength": 1}}


def test_r49_1_a_space_that_acts_by_its_line_and_one_that_acts_by_default_before_it() -> None:
    game = Game({"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR})
    sheet = "ACTIVATE Gemund\nACTIVATE Prum when Liege is ours\nMOVE 18 VG Bleialf\nACTIVATE Gemund"
    assert said(game.play({GERMANS: sheet})[GERMANS]) == [
        "done: The Germans activate Gemund: 272 VG",
        "unmet",
        "done: 18 VG moves from Prum to Bleialf",
        "accepted",
    ]


def test_r49_1_a_condition_that_came_true_and_one_that_did_not() -> None:
    game = Game({"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR})
    sheet = [
        "ACTIVATE Gemund when Bleialf is ours",
        "ACTIVATE Prum",
        "MOVE 18 VG Bleialf",
        "ACTIVATE Prum when Bleialf is ours",
        "ACTIVATE Gemund when Bleialf is contested",
        "ACTIVATE Gemund after 1900",
    ]
    found = game.play({GERMANS: "\n".join(sheet)})
    assert effects(found[GERMANS]) == ["done", "done", "done", "accepted", "unmet", "unmet"]


def test_r49_1_what_a_condition_becomes_is_not_said_while_the_day_is_played() -> None:
    game = Game({"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR})
    found = game.play({GERMANS: "ASK ME activations\nACTIVATE Prum when Liege is ours"})
    assert effects(found[GERMANS]) == ["done", "accepted"]
    assert effects(game.play({GERMANS: "ACTIVATE Prum after 1900\nACTIVATE Gemund"})[GERMANS]) == ["unmet", "done"]


def liege_for(side: SideId, *, at: str) -> Ruling:
    return Ruling(PhaseKey(at), facts.ControlSet(PlaceId("Liege"), side, 5 if side == GERMAN else -5), "as agreed")


@pytest.mark.parametrize("at", ["day", "turn", "turn/3"])
def test_r50_a_ruling_in_the_middle_of_the_day_makes_a_condition_true(at: str) -> None:
    game = Game({"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR})
    sheet = {GERMANS: "ACTIVATE Gemund when Liege is ours\nACTIVATE Prum"}
    assert effects(game.play(sheet, rulings=[liege_for(GERMAN, at=at)])[GERMANS]) == ["done", "done"]


@pytest.mark.parametrize(("at", "expected"), [("day", "unmet"), ("turn", "unmet"), ("turn/3", "done")])
def test_r50_a_ruling_in_the_middle_of_the_day_makes_a_condition_false(at: str, expected: str) -> None:
    units = {"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR}
    game = Game(units, control={"Liege": "german"})
    sheet = {GERMANS: "ACTIVATE Gemund when Liege is ours\nACTIVATE Prum"}
    assert effects(game.play(sheet, rulings=[liege_for(ALLIED, at=at)])[GERMANS]) == [expected, "done"]


def test_lines_that_say_the_same_share_what_uses_them_up_and_the_first_has_the_rest() -> None:
    game = Game(ATTACK)
    found = game.play({ALLIES: "RETREAT Ouffet to Modave\nRETREAT Ouffet to Modave"}, Loaded({"26VG": 2}))
    assert effects(found[ALLIES]) == ["done", "accepted"]
    assert [said.text for said in found[ALLIES][0].because][1:] == [
        "The Allies retreat from Ouffet, and take a hit less",
        "28 Inf retreats from Ouffet to Modave",
    ]


def test_r49_1_a_pass_of_its_line_and_one_that_comes_without_it() -> None:
    units = {"272VG": "Gemund", "277VG": "Stadtkyll", "28Inf": "Bastogne", "30Inf": "Malmedy"}
    allied = "ACTIVATE Bastogne\nACTIVATE Malmedy"

    def passes(*lines: str) -> list[str]:
        game = Game({unit: {"at": at} for unit, at in units.items()}, date="1944-12-23")
        return effects(game.play({ALLIES: allied, GERMANS: "\n".join(lines)})[GERMANS])

    assert passes("PASS", "ACTIVATE Gemund", "PASS") == ["done", "done", "done"]
    assert passes("ACTIVATE Gemund", "PASS") == ["done", "done"]
    assert passes("PASS after 0530", "ACTIVATE Gemund", "PASS after 0530") == ["done", "accepted", "accepted"]
    assert passes("ACTIVATE Gemund", "PASS after 0830") == ["done", "done"]
    assert passes("ACTIVATE Gemund", "PASS after 1900") == ["done", "unmet"]


def test_r49_2_of_a_units_lines_that_one_is_done_whose_way_it_has_gone() -> None:
    game = Game({"116Pz": {"at": "Prum"}, "424-106": {"at": "Bleialf"}})
    sheet = "MOVE 116 Pz Bleialf-StVith\nMOVE 116 Pz Schonberg\nMOVE 116 Pz Baasem"
    moved = "116 Pz moves from Prum to Schonberg"
    assert said(game.play({GERMANS: sheet})[GERMANS]) == [f"short: {moved}", f"done: {moved}", f"short: {moved}"]


def test_r15_another_way_to_the_same_space_is_not_as_written() -> None:
    game = Game({"116Pz": {"at": "Prum"}, **FAR})
    found = game.play({GERMANS: "MOVE 116 Pz Bleialf-Schonberg\nMOVE 116 Pz Schonberg"})
    assert effects(found[GERMANS]) == ["done", "short"]


def test_r22_a_unit_that_an_enemy_stops_whom_it_has_not_seen() -> None:
    units = {"116Pz": {"at": "Bitburg"}, "109-28": {"at": "Vianden", "unsupplied": True}}
    game = Game(units, control={"Krutchen": "allied", "Dasburg": "allied"}, options={"fog": "on"})
    (line,) = game.play({GERMANS: "MOVE 116 Pz Krutchen-Vianden"})[GERMANS]
    assert said([line]) == ["short: 116 Pz moves from Bitburg to Krutchen"]
    assert line.because[1].text.startswith("116 Pz cannot go on: Vianden: the enemy alone is there")


def test_r24_a_unit_that_leaves_the_map_and_one_that_moves_instead() -> None:
    game = Game({"116Pz": {"at": "Namur"}, **FAR})
    found = game.play({GERMANS: "EXIT 116 Pz\nMOVE 116 Pz Huy"})
    assert effects(found[GERMANS]) == ["done", "short"]


# --- combat ----------------------------------------------------------------------------------------------------------

ATTACK = {"26VG": {"at": "Ouffet"}, "1SSPz": {"at": "Ouffet"}, "28Inf": {"at": "Ouffet"}}


def test_r32_units_that_stand_as_their_line_says() -> None:
    found = Game(ATTACK).play({ALLIES: "STAND Ouffet\nRETREAT Ouffet"}, Loaded({"26VG": 2}))
    assert effects(found[ALLIES]) == ["done", "short"]
    assert found[ALLIES][0].because[0].text.startswith("Combat in Ouffet")


def test_r32_units_that_retreat_though_a_line_further_down_lets_them_stand() -> None:
    found = Game(ATTACK).play({ALLIES: "RETREAT Ouffet hits 1\nSTAND Ouffet"}, Loaded({"26VG": 2}))
    assert effects(found[ALLIES]) == ["done", "short"]


def test_r49_5_a_retreat_to_another_space_and_one_with_too_few_hits() -> None:
    sheet = "RETREAT Ouffet to Hotton hits 4\nRETREAT Ouffet to Modave hits 1\nRETREAT Ouffet to Hotton"
    found = Game(ATTACK).play({ALLIES: sheet}, Loaded({"26VG": 2}))
    assert effects(found[ALLIES]) == ["unmet", "done", "short"]
    assert found[ALLIES][2].because[-1].text == "28 Inf retreats from Ouffet to Modave"


def test_r31_a_unit_that_takes_a_hit_and_one_that_does_not() -> None:
    found = Game(ATTACK).play({GERMANS: "LOSE 26 VG\nLOSE 1 SS Pz"}, Loaded({"28Inf": 1}))
    assert said(found[GERMANS]) == ["done: 26 VG loses 1 point of strength", "accepted"]


def test_r36_what_a_unit_loses_for_want_of_supply_is_no_hit_of_a_combat() -> None:
    eliminated = facts.Eliminated(ALLIED, UnitId("28Inf"), PlaceId("Ouffet"), 1, 1)
    order = Lose(UnitId("28Inf"))
    assert list(CONSEQUENCES.of[Lose](ALLIES, order, told(eliminated, rule="R36"))) == []
    assert len(list(CONSEQUENCES.of[Lose](ALLIES, order, told(eliminated, rule="R31")))) == 1


WEAK = {**ATTACK, "28Inf": {"at": "Ouffet", "strength": 1}}


@pytest.mark.parametrize(
    ("hits", "lines", "expected"),
    [
        (4, "BREAK THROUGH 1 SS Pz to Modave", ["done"]),
        (4, "BREAK THROUGH 1 SS Pz to Modave\nBREAK THROUGH 1 SS Pz to Hotton", ["done", "short"]),
        (4, "BREAK THROUGH 1 SS Pz to Modave\nHALT 1 SS Pz", ["done", "short"]),
        (4, "HALT 1 SS Pz\nBREAK THROUGH 1 SS Pz to Modave", ["accepted", "short"]),
        (0, "BREAK THROUGH 1 SS Pz to Modave", ["short"]),
    ],
)
def test_r33_a_breakthrough_as_written_elsewhere_or_not_at_all(hits: int, lines: str, expected: list[str]) -> None:
    found = Game(WEAK).play({GERMANS: lines, ALLIES: "STAND Ouffet"}, Loaded({"1SSPz": hits}))
    assert effects(found[GERMANS]) == expected
    assert all(line.because for line in found[GERMANS] if line.effect.value == "short")


def test_r33_a_unit_without_a_combat_is_not_said_to_have_stayed() -> None:
    found = Game({**WEAK, "2Pz": {"at": "Trier"}}).play({GERMANS: "BREAK THROUGH 2 Pz to Bitburg"})
    assert effects(found[GERMANS]) == ["accepted"]


# --- questions -------------------------------------------------------------------------------------------------------


def test_r48_a_sheet_ends_where_its_side_is_asked_and_the_answer_has_its_own_outcome() -> None:
    game = Game(ATTACK)
    first = game.play({ALLIES: "ASK ME retreats\nSTAND Ouffet"}, Loaded({"26VG": 2}))
    assert effects(first[ALLIES]) == ["done", "accepted"]
    assert effects(game.play({ALLIES: "RETREAT Ouffet to Modave"})[ALLIES]) == ["done"]


def test_r48_an_answer_counts_in_its_turn_alone() -> None:
    units = {"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR}
    game = Game(units)
    game.play({GERMANS: "MOVE 18 VG Baasem\nASK ME activations"})
    found = game.play({GERMANS: "ACTIVATE Gemund\nMOVE 18 VG Bleialf\nACTIVATE Prum"})
    assert effects(found[GERMANS]) == ["done", "accepted", "accepted"]


def test_r48_a_side_that_goes_on_and_one_that_passes() -> None:
    units = {"272VG": {"at": "Gemund"}, "28Inf": {"at": "Bastogne"}, "30Inf": {"at": "Malmedy"}}
    for answer, expected in (("GO ON", ["done"]), ("PASS", ["done"])):
        game = Game(units, date="1944-12-23")
        game.play({ALLIES: "ACTIVATE Bastogne", GERMANS: "ACTIVATE Gemund\nASK ME passes"})
        assert effects(game.play({GERMANS: answer})[GERMANS]) == expected


def asked_about_retreats(hits: int) -> Game:
    game = Game(ATTACK)
    game.play({ALLIES: "ASK ME retreats"}, Loaded({"26VG": hits}))
    return game


def test_r32_an_answer_that_is_not_followed_says_what_was_done_instead() -> None:
    found = asked_about_retreats(2).play({ALLIES: "STAND Ouffet\nRETREAT Ouffet to Modave"})
    assert said(found[ALLIES]) == ["done: The Allies stand in Ouffet", "short: The Allies stand in Ouffet"]


def test_r49_5_an_answer_for_more_hits_than_there_are() -> None:
    found = asked_about_retreats(2).play({ALLIES: "RETREAT Ouffet to Modave hits 4"})
    assert effects(found[ALLIES]) == ["unmet"]


def test_r16_a_move_is_as_written_though_the_units_breakthrough_is_barred_later() -> None:
    game = Game({**WEAK, "2Pz": {"at": "Modave"}})
    lines = "MOVE 2 Pz Ouffet\nBREAK THROUGH 1 SS Pz to Herve\nBREAK THROUGH 2 Pz to Herve\nHALT 26 VG"
    found = game.play({GERMANS: lines, ALLIES: "STAND Ouffet"}, Loaded({"1SSPz": 6, "2Pz": 4}))
    assert effects(found[GERMANS])[:3] == ["done", "done", "short"]


def test_r4_a_condition_of_a_side_that_took_no_turn_was_never_tried() -> None:
    units = {"26VG": {"at": "Prum"}, "28Inf": {"at": "Bastogne"}}
    game = Game(units, phase="surprise", surprise=1)
    found = game.play({GERMANS: "ACTIVATE Prum", ALLIES: "ACTIVATE Bastogne when Bastogne is ours\nPASS after 0530"})
    assert effects(found[ALLIES]) == ["accepted", "accepted"]


def test_r33_an_answer_about_a_breakthrough_that_another_unit_bars() -> None:
    game = Game({**WEAK, "2Pz": {"at": "Ouffet"}})
    game.play({GERMANS: "ASK ME breakthroughs", ALLIES: "STAND Ouffet"}, Loaded({"1SSPz": 6, "2Pz": 4}))
    found = game.play({GERMANS: "BREAK THROUGH 1 SS Pz to Herve\nBREAK THROUGH 2 Pz to Herve\nHALT 26 VG"})
    assert said(found[GERMANS]) == [
        "done: 1 SS Pz breaks through from Ouffet to Herve",
        "short: 2 Pz cannot go on: Herve: a unit has already crossed that river border",
        "accepted",
    ]


def test_r33_an_answer_below_a_halt_has_no_part_in_what_follows() -> None:
    game = Game(WEAK)
    game.play({GERMANS: "ASK ME breakthroughs", ALLIES: "STAND Ouffet"}, Loaded({"1SSPz": 6}))
    found = game.play({GERMANS: "HALT 1 SS Pz\nBREAK THROUGH 1 SS Pz to Modave"})
    assert effects(found[GERMANS]) == ["accepted", "accepted"]
