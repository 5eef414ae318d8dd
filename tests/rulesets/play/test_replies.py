"""Reports of battles and what the other player adds to them: who pursues and who withdrew, and who may read it."""

from collections.abc import Sequence
from functools import cache

import pytest

from campaign.engine.adjudication import adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.orders.notation import format_order, parse
from campaign.engine.orders.order import Checked, Placed, Problem, Severity
from campaign.engine.ruleset import Scenario
from campaign.engine.state import state_known_to, with_open
from campaign.engine.values.ids import GM, Audience, PhaseKey, audience_of
from campaign.game.loading import find_scenario, load_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.battle.results import completed, settled, shown
from campaign.rulesets.forum_campaign.disclosure.briefs import names_in
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.orders import BATTLE_ORDERS
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.scenario.case import read_case

GERMANS, ALLIES = audience_of(GERMAN), audience_of(ALLIED)
UNITS = {
    "german": {"2 Pz": {"at": "D7", "class": "armor"}, "26 VG": {"at": "E6"}},
    "allied": {"28 Inf": {"at": "D6"}},
}


@cache
def field() -> tuple[GameData, State]:
    """Armour and infantry have attacked D6, and the battle waits for its result."""
    files = scenario_files(find_scenario("forum_campaign/ardennes-1944"))
    case: Scenario[GameData, State] = read_case({"map": {"size": "A1-G12"}, "units": UNITS}, files)
    known = state_known_to(case.start, GERMANS)
    text = "ATTACK 2 Pz D6\nATTACK 26 VG D6"
    sheet = parse(text, RULESET.phase(RULESET.now(case.start)).orders, RULESET.names(case.game_data, known))
    dice = ScriptedDice({})
    return case.game_data, adjudicate(RULESET, case.game_data, case.start, {GERMANS: sheet.orders}, dice=dice).state


def lines(text: str, *, numbered: bool = True) -> tuple[Placed, ...]:
    game_data, state = field()
    sheet = parse(text, BATTLE_ORDERS, names_in(game_data, state_known_to(state, GM), "D6"))
    assert sheet.problems == ()
    return sheet.orders if numbered else tuple(Placed(each.order, 0) for each in sheet.orders)


def written(orders: Sequence[Placed]) -> list[str]:
    game_data, state = field()
    return [format_order(each.order, names_in(game_data, state_known_to(state, GM), "D6")) for each in orders]


def answered(who: Audience, report: str, added: str) -> tuple[list[str], Checked]:
    game_data, state = field()
    both = (*lines(report, numbered=False), *lines(added))
    orders, checked = completed(game_data, state_known_to(state, who), who, "D6", both)
    return written(orders), checked


def test_an_attacker_who_confirms_may_say_who_pursues() -> None:
    report = "RESULT D6 attackers\nLOSSES 28 Inf 10\nRETREAT 28 Inf to D5"
    whole, checked = answered(GERMANS, report, "RESULT D6 attackers advance 26 VG\nPURSUE 2 Pz to E5")
    assert checked.problems == ()
    assert whole == [
        "RESULT D6 attackers advance 26 VG",
        "LOSSES 28 Inf 10",
        "RETREAT 28 Inf to D5",
        "PURSUE 2 Pz to E5",
    ]


@pytest.mark.parametrize(
    ("who", "added", "code"),
    [
        (GERMANS, "PURSUE 26 VG to E5", "not-mechanized"),
        (GERMANS, "PURSUE 2 Pz to F5", "too-far"),
        (ALLIES, "PURSUE 2 Pz to E5", "not-yours"),
    ],
)
def test_a_pursuit_that_cannot_be_is_faulted_in_a_reply_too(who: Audience, added: str, code: str) -> None:
    _, checked = answered(who, "RESULT D6 attackers", added)
    assert [problem.code for problem in checked.problems if problem.line] == [code]


def test_after_a_withdrawal_the_attacker_may_say_who_moves_in() -> None:
    report = "WITHDRAWAL D6 minute 22\nRETREAT 28 Inf to D5"
    whole, checked = answered(GERMANS, report, "RESULT D6 attackers advance 26 VG")
    assert checked.problems == ()
    assert whole == ["WITHDRAWAL D6 minute 22", "RETREAT 28 Inf to D5", "RESULT D6 attackers advance 26 VG"]


@pytest.mark.parametrize(
    ("report", "added"),
    [
        ("WITHDRAWAL D6 minute 22", "RESULT D6 defenders"),
        ("WITHDRAWAL D6 minute 22", "RESULT D6 attackers"),
        ("WITHDRAWAL D6 minute 22\nRESULT D6 attackers advance 2 Pz", "RESULT D6 attackers advance 26 VG"),
    ],
)
def test_a_reply_changes_nothing_else_of_a_withdrawal(report: str, added: str) -> None:
    whole, checked = answered(GERMANS, report, added)
    message = "the result is already reported; you may only add which of your units advances, if none is named"
    assert checked.problems == (Problem("not-yours", Severity.ERROR, 1, 1, message, rule="R12.2"),)
    assert whole == report.splitlines()


def test_a_player_who_adds_to_a_report_reads_what_all_of_it_comes_to() -> None:
    _, checked = answered(ALLIES, "RESULT D6 attackers\nTANKS 2 Pz medium 1 heavy 0\nLOSSES 28 Inf 10", "")
    assert [each.text for each in checked.understood] == [
        "D6: the attackers won",
        "28 Inf loses 10 %, has 90 % left",
        "2 Pz loses 1 medium tank",
    ]


def test_a_defeated_side_that_names_no_hex_is_told_of_its_choice() -> None:
    _, checked = answered(ALLIES, "RESULT D6 attackers", "")
    assert [(each.line, each.code, each.severity) for each in checked.problems] == [(0, "unchosen", Severity.NOTICE)]


REPORT = """
WITHDRAWAL D6 minute 22
RESULT D6 attackers advance 26 VG
TANKS 2 Pz medium 1 heavy 0
LOSSES 28 Inf 10
RETREAT 28 Inf to D5
PURSUE 2 Pz to E5
"""
BARE = ["WITHDRAWAL D6 minute 22", "RESULT D6 attackers"]


def read_by(who: Audience, *, decided: bool) -> list[str]:
    return written(shown(state_known_to(field()[1], who), who, "D6", lines(REPORT), decided))


def test_a_pursuit_is_read_by_its_own_side_alone() -> None:
    tanks = [line for line in read_by(GM, decided=False) if line.startswith("TANKS")]
    assert len(tanks) == 1
    assert read_by(ALLIES, decided=False) == [*BARE, *tanks, "LOSSES 28 Inf 10", "RETREAT 28 Inf to D5"]
    assert read_by(GERMANS, decided=False) == [
        BARE[0],
        "RESULT D6 attackers advance 26 VG",
        *tanks,
        "LOSSES 28 Inf 10",
        "PURSUE 2 Pz to E5",
    ]


def test_a_decision_of_the_gm_shows_each_side_its_own_tanks() -> None:
    assert read_by(ALLIES, decided=True) == [*BARE, "LOSSES 28 Inf 10", "RETREAT 28 Inf to D5"]
    assert not any(line.startswith("LOSSES") for line in read_by(GERMANS, decided=True))


@pytest.mark.parametrize("who", [GERMANS, ALLIES])
@pytest.mark.parametrize("other", ["D5", "E5", "C5"])
def test_the_enemys_moves_change_nothing_of_what_a_side_reads(who: Audience, other: str) -> None:
    """Whatever the enemy has chosen, a report and the answer to a confirmation of it are the same."""
    game_data, state = field()
    known = state_known_to(state, who)
    theirs = {GERMANS: "RETREAT 28 Inf to {}", ALLIES: "PURSUE 2 Pz to {}"}[who]

    def answer(place: str) -> object:
        report = lines(f"RESULT D6 attackers\n{theirs.format(place)}", numbered=False)
        told = shown(known, who, "D6", report, decided=False)
        return told, completed(game_data, known, who, "D6", report)[1]

    assert answer(other) == answer("D5")


def test_a_withdrawal_settles_its_battle() -> None:
    assert settled(lines("WITHDRAWAL D6 minute 22")) == frozenset({"D6"})
    assert settled(lines("LOSSES 28 Inf 10")) == frozenset()


def test_a_unit_that_fights_nowhere_is_refused_by_its_name() -> None:
    scenario = load_scenario(find_scenario("forum_campaign/ardennes-1944")).scenario
    state = with_open(scenario.start, phase=PhaseKey("german_battles"))
    known = state_known_to(state, GM)
    sheet = parse("LOSSES 12 VG 10", BATTLE_ORDERS, RULESET.names(scenario.game_data, known))
    (problem,) = RULESET.check(scenario.game_data, known, GM, sheet.orders).problems
    assert (problem.code, problem.message) == ("no-battle", "12 VG is in no battle")
