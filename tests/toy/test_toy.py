"""The purpose of the toy: the engine has no special case for it."""

import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.dice import ScriptedDice
from campaign.engine.errors import EngineError, ScenarioError
from campaign.engine.facts import Fact, Noted, Rolled, disclose
from campaign.engine.orders.notation import format_order, parse
from campaign.engine.ruleset import Scenario
from campaign.engine.state import known_state, state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PlaceId, UnitId, audience_of
from campaign.engine.values.value import encode, replace
from campaign.game.casebook import Found, find_cases, run_case
from campaign.game.loading import load_scenario, scenario_files
from campaign.game.turn_package import audiences, turn_packages, view_of
from campaign.reports import report, to_text
from campaign.rulesets import RULESETS
from tests import toy
from tests.laws.games import RULES, placed, play
from tests.toy.model.facts import Drawn, Ended, Fought, Shuffled
from tests.toy.model.game_data import NORTH, SIDES, SOUTH, Card, GameData, enemy_of
from tests.toy.model.orders import ANSWER_ORDERS, CORRECTIONS, TURN_ORDERS, Attack, Move, Pass, Stand
from tests.toy.model.state import Hidden, State, deck_of
from tests.toy.rules.cards import all_cards
from tests.toy.rules.sighting import picture, sees_place
from tests.toy.sequence import ANSWER, TURN
from tests.toy.show.release import RELEASE

ESTUARY = load_scenario(toy.SCENARIO, rulesets=RULES)
NORTHERN, SOUTHERN = audience_of(NORTH), audience_of(SOUTH)
CASES = list(find_cases([toy.FOLDER / "cases"], rulesets=[toy.RULESET]))
FACE_TO_FACE = {"north": {"1st": {"at": "mill"}}, "south": {"Blue": {"at": "marsh"}}}

games = st.integers(0, 10_000)
few = settings(max_examples=15)


def position(**more: Any) -> Scenario[GameData, State]:
    return toy.RULESET.read_case({"forces": FACE_TO_FACE, **more}, scenario_files(toy.SCENARIO))


def resolve(scenario: Scenario[GameData, State], state: State, **sheets: str) -> Resolution[State]:
    """One phase with these sheets; every die shows a 1."""
    orders = {}
    for who, text in sheets.items():
        names = toy.RULESET.names(scenario.game_data, state_known_to(state, Audience(who)))
        orders[Audience(who)] = parse(text, (*TURN_ORDERS, *ANSWER_ORDERS), names).orders
    return adjudicate(toy.RULESET, scenario.game_data, state, orders, dice=Ones({}))


class Ones(ScriptedDice):
    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        return (1,) * count


def acting(state: State) -> frozenset[Audience]:
    return asked(toy.RULESET, state)


# --- the sequence ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("found", CASES, ids=[found.case.id for found in CASES])
def test_case_holds(found: Found) -> None:
    assert run_case(found) == []


def test_an_attack_asks_the_attacked_side_and_then_it_is_its_turn() -> None:
    """A resolution ends in the middle of a turn only if there is an attack to answer."""
    scenario = position()
    declared = resolve(scenario, scenario.start, north="ATTACK 1st marsh").state
    assert (declared.open.phase, declared.open.turn, acting(declared)) == (ANSWER, NORTH, frozenset({SOUTHERN}))
    answered = resolve(scenario, declared, south="STAND").state
    assert (answered.open.phase, answered.open.turn, acting(answered)) == (TURN, SOUTH, frozenset({SOUTHERN}))
    moved = resolve(scenario, scenario.start, north="MOVE 1st quay").state
    assert (moved.open.phase, acting(moved)) == (TURN, frozenset({SOUTHERN}))


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({SOUTHERN: placed([Pass()])}, "south cannot give orders in Turn"),
        ({GM: placed([Pass()])}, "gm cannot give orders in Turn"),
        ({NORTHERN: placed([Stand()])}, "Stand is not an order of Turn"),
    ],
)
def test_orders_out_of_turn_are_refused(sheet: Mapping[Audience, Any], said: str) -> None:
    scenario = position()
    with pytest.raises(EngineError, match=said):
        adjudicate(toy.RULESET, scenario.game_data, scenario.start, sheet, dice=Ones({}))


@few
@given(game=games)
def test_every_game_ends_with_its_last_day_or_with_a_side_wiped_out(game: int) -> None:
    *_, last = play(ESTUARY, game, 200)
    state: State = last.resolution.state
    assert isinstance(last.resolution.events[-1].fact, Ended)
    assert state.open.date == ESTUARY.scenario.game_data.last_day or not all(own.forces for own in state.own.values())
    with pytest.raises(EngineError, match="has ended"):
        adjudicate(toy.RULESET, ESTUARY.scenario.game_data, state, {}, dice=last.dice)


def test_the_track_of_turns_has_the_days_of_the_game() -> None:
    """R1.1 Before the first day the map marks none."""
    turns = ESTUARY.base_map.turns
    assert turns == tuple(f"{day} August 1809" for day in range(3, 7))
    states = (phase.resolution.state for phase in play(ESTUARY, 1, 200))
    dates = {view_of(toy.RULESET, ESTUARY.scenario.game_data, state, (), GM).date for state in states}
    assert len(dates) > 1
    assert dates <= {*turns, "Before the first day"}


@few
@given(game=games)
def test_no_force_shares_an_area_and_no_card_is_lost(game: int) -> None:
    whole = Counter(all_cards(ESTUARY.scenario.game_data))
    for phase in play(ESTUARY, game, 200):
        state: State = phase.resolution.state
        places = [force.at for own in state.own.values() for force in own.forces.values()]
        assert len(places) == len(set(places))
        hands = [card for own in state.own.values() for card in own.hand]
        assert Counter([*deck_of(state), *hands, *state.open.played]) == whole
        assert state.open.hand_sizes == {side: len(state.own[side].hand) for side in SIDES}


# --- secrecy ---------------------------------------------------------------------------------------------------------


def all_that_is_seen(resolution: Resolution[State], game_data: GameData, audience: Audience) -> str:
    """Player's state, View, report and disclosures: everything of a phase that reaches an audience, as one text."""
    view = view_of(toy.RULESET, game_data, resolution.state, resolution.events, audience)
    disclosed = encode(disclose(resolution.events, audience))
    return "\n".join(
        [
            encode(state_known_to(resolution.state, audience)).decode(),
            encode(view).decode(),
            to_text(report(view)),
            str(disclosed),
        ]
    )


@pytest.mark.parametrize("audience", [SOUTHERN, PUBLIC])
def test_a_hand_is_nowhere_in_what_others_see(audience: Audience) -> None:
    """Drawn at dawn and kept through a turn: its owner can read it everywhere, all others nowhere."""
    scenario = position(phase="dawn", hands={"north": ["flankers"]}, deck=["ambush", "barrage"])
    dawn = resolve(scenario, scenario.start)
    turn = resolve(scenario, dawn.state, north="ATTACK 1st marsh")
    assert dawn.state.own[NORTH].hand == (Card.FLANKERS, Card.AMBUSH, Card.BARRAGE)
    for resolution in (dawn, turn):
        seen = all_that_is_seen(resolution, scenario.game_data, audience)
        assert not re.search("flankers|ambush|barrage", seen)
        assert "flankers" in all_that_is_seen(resolution, scenario.game_data, NORTHERN)
    assert dawn.state.open.hand_sizes == {NORTH: 3, SOUTH: 0}


@pytest.mark.parametrize("text", ["ATTACK 1st marsh with ambush", "STAND with ambush"])
def test_no_answer_to_a_sheet_reveals_the_enemys_hand(text: str) -> None:
    answers = set()
    for hand in ([], ["ambush"]):
        scenario = position(hands={"south": hand})
        known = known_state(scenario.start, (NORTH,))
        hidden_size = replace(known, open=replace(known.open, hand_sizes={}))
        sheet = parse(text, (*TURN_ORDERS, *ANSWER_ORDERS), toy.RULESET.names(scenario.game_data, known))
        answers.add(encode((hidden_size, toy.RULESET.check(scenario.game_data, known, NORTHERN, sheet.orders))))
    assert len(answers) == 1


def test_a_side_learns_its_own_sum_only() -> None:
    """Strengths are secret, and could be inferred from the enemy's sum."""
    scenario = position()
    declared = resolve(scenario, scenario.start, north="ATTACK 1st marsh").state
    fought = resolve(scenario, declared, south="STAND")
    sums = {
        audience: [set(line.fact.sums) for line in disclose(fought.events, audience) if isinstance(line.fact, Fought)]
        for audience in audiences(toy.RULESET)
    }
    assert sums == {NORTHERN: [{NORTH}], SOUTHERN: [{SOUTH}], GM: [{NORTH, SOUTH}], PUBLIC: [set()]}


@pytest.mark.parametrize("audience", audiences(toy.RULESET))
def test_nobody_sees_the_deck_and_no_side_the_dice_that_shuffled_it(audience: Audience) -> None:
    opening = next(iter(play(ESTUARY, 7, 1))).resolution
    other = replace(opening.state, hidden=Hidden(tuple(reversed(deck_of(opening.state)))))
    assert state_known_to(opening.state, audience) == state_known_to(other, audience)
    disclosed = [line.fact for line in disclose(opening.events, audience)]
    secret = [
        f for f in disclosed if isinstance(f, Shuffled) or (isinstance(f, Rolled) and f.label.startswith("deck/"))
    ]
    assert bool(secret) == (audience == GM)
    drawn = {fact.side for fact in disclosed if isinstance(fact, Drawn) and fact.card is not None}
    assert drawn == (set(SIDES) if audience == GM else {audience} - {PUBLIC})


def test_an_unseen_enemy_leaves_no_trace_in_the_check_of_a_move_that_meets_it() -> None:
    south = {"here": "mill", "elsewhere": "kilns"}
    answers = {}
    for name, at in south.items():
        scenario = position(forces={"north": {"1st": {"at": "light"}}, "south": {"Blue": {"at": at}}})
        known = known_state(scenario.start, (NORTH,))
        orders = parse("MOVE 1st dunes-mill", TURN_ORDERS, toy.RULESET.names(scenario.game_data, known)).orders
        answers[name] = toy.RULESET.check(scenario.game_data, known, NORTHERN, orders)
    assert answers["here"] == answers["elsewhere"]
    assert [line.text for line in answers["here"].understood] == ["1st goes to mill"]


# --- the record ------------------------------------------------------------------------------------------------------


def test_the_toy_is_nobodys_choice() -> None:
    assert toy.RULESET not in RULESETS
    with pytest.raises(ScenarioError, match="there is no ruleset 'toy'"):
        load_scenario(toy.SCENARIO)
    with pytest.raises(ScenarioError, match="there is no ruleset 'toy'"):
        list(find_cases([toy.FOLDER / "cases"]))


def test_everybody_gets_a_package_with_a_map_of_areas() -> None:
    game_data = ESTUARY.scenario.game_data
    (phase,) = play(ESTUARY, 3, 1)
    packages = turn_packages(toy.RULESET, game_data, toy.RULESET.base_map(game_data), phase.resolution)
    assert [package.audience for package in packages] == [NORTHERN, SOUTHERN, GM, PUBLIC]
    assert len({package.pictures for package in packages}) == 4, "each its own knowledge"
    counters = {package.audience: {c.side for c in package.view.counters} for package in packages}
    assert counters == {NORTHERN: {NORTH}, SOUTHERN: {SOUTH}, GM: {NORTH, SOUTH}, PUBLIC: set()}


def test_a_correction_in_the_gms_words_becomes_a_fact_that_may_be_ruled() -> None:
    game_data, state = ESTUARY.scenario.game_data, ESTUARY.scenario.start
    known = state_known_to(state, GM)
    lines = ("PLACE Sea Rangers at Lighthouse", "STRENGTH 2nd Fencibles 3", "DEAL ambush to south")
    read = parse("\n".join(lines), CORRECTIONS, toy.RULESET.correction_names(game_data, known))
    facts, problems = toy.RULESET.correct(game_data, known, read.orders)
    assert (read.problems, problems) == ((), ())
    assert [type(fact).__name__ for _, fact in facts] == ["ForcePlaced", "StrengthSet", "Drawn"]
    assert [toy.RULESET.why_no_ruling(game_data, state, fact) for _, fact in facts] == ["", "", ""]


def test_brigades_are_what_a_side_hands_out() -> None:
    known = known_state(ESTUARY.scenario.start, (NORTH,))
    assert toy.RULESET.formations(ESTUARY.scenario.game_data, known) == {"North, Coast Brigade": {"N1", "N2", "N4"}}


def test_areas_are_written_by_their_ids_or_names() -> None:
    names = toy.RULESET.names(ESTUARY.scenario.game_data, known_state(ESTUARY.scenario.start, (NORTH,)))
    read = parse(
        "MOVE Harbour mill-marsh\nATTACK Sea Tide Mill\nMOVE Sea Tide Mill-lighthouse\nMOVE Sea mill-tide",
        TURN_ORDERS,
        names,
    )
    (move, attack, named), (problem,) = read.orders, read.problems
    assert named.order == Move(UnitId("N4"), (PlaceId("mill"), PlaceId("light")))
    assert move.order == Move(UnitId("N3"), (PlaceId("mill"), PlaceId("marsh")))
    assert attack.order == Attack(UnitId("N4"), PlaceId("mill"))
    assert format_order(move.order, names) == "MOVE Harbour Watch mill-marsh"
    assert (problem.message, problem.hint) == ("'tide' is not an area of this map", "")


def test_every_kind_of_fact_is_in_the_release_table() -> None:
    facts = {kind for kind in Fact.__subclasses__() if kind.__module__.startswith("tests.toy.")}
    assert facts | {Rolled, Noted} == set(RELEASE)


def test_every_rule_that_the_code_names_is_written_down() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in toy.FOLDER.rglob("*.py") if path != Path(__file__))
    named = set(re.findall(r"\bR\d+(?:\.\d+)?\b", code))
    written = set(re.findall(r"\bR\d+(?:\.\d+)?\b", (toy.FOLDER / "RULES.md").read_text(encoding="utf-8")))
    assert "R5.2" in named
    assert named <= written


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("areas.toml", 'links = ["dunes"]', 'links = ["duns"]', "areas.toml, line 6: light is linked to duns"),
        ("areas.toml", 'id = "dunes"', 'id = "light"', "areas.toml, line .*: .* is linked to dunes"),
        ("areas.toml", 'holder = "north"\n', "", "areas.toml, line .*: priory appears twice, or is an objective"),
        ("forces.csv", "N2,2nd Fencibles", "N1,2nd Fencibles", "forces.csv, line 3: N1 appears twice"),
        ("forces.csv", ",warren,2", ",priory,2", "forces.csv, line 3: N2 cannot be in priory"),
        ("forces.csv", ",warren,2", ",warren,9", "forces.csv, line 3: column strength"),
        ("cards.toml", "[card.ambush]", "[card.bluff]", "cards.toml"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_line(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(toy.SCENARIO, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ScenarioError, match=said):
        load_scenario(folder, rulesets=RULES)


def test_the_gm_reads_which_forces_see_an_area() -> None:
    """R6.1"""
    scenario = position()
    for side in SIDES:
        seen = {each.at for each in picture(scenario.game_data, scenario.start, side)}
        for force in scenario.start.own[enemy_of(side)].forces.values():
            assert sees_place(scenario.game_data, scenario.start, side, force.at).seen == (force.at in seen)
        for own in scenario.start.own[side].forces.values():
            assert f"{own.name} at {own.at}" in sees_place(scenario.game_data, scenario.start, side, own.at).by
