"""The resolver: what its charts promise of battles, and what it discloses of them."""

import re
from itertools import pairwise
from random import Random

import pytest

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.facts import Rolled, disclose
from campaign.engine.orders.order import Placed
from campaign.engine.ruleset import Scenario
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, PlaceId, UnitId, audience_of
from campaign.game.loading import Loaded, find_scenario, load_scenario, scenario_files, supplied_scenarios
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.battle.outside import fought_outside
from campaign.rulesets.forum_campaign.battle.resolver import odds_line
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Branch, GameData, ResolverRules
from campaign.rulesets.forum_campaign.model.orders import Attack
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.scenario.case import read_case
from tests.rulesets.game import GERMANS, Game

LOADED = [loaded for folder in supplied_scenarios() if (loaded := load_scenario(folder)).rules is RULESET]
each_scenario = pytest.mark.parametrize("loaded", LOADED, ids=lambda loaded: loaded.scenario.title)


def rules_of(loaded: Loaded) -> ResolverRules:
    resolver: ResolverRules = loaded.scenario.game_data.charts.resolver
    return resolver


@each_scenario
def test_three_to_one_wins_about_three_times_in_four_and_one_to_one_about_every_third_time(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    assert 75 <= odds_line(rules, 300, 100).chance <= 80
    assert 25 <= odds_line(rules, 100, 100).chance <= 40


@each_scenario
def test_an_entrenched_division_usually_holds_an_equal_attacker(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    worth = rules.arms[Branch.INFANTRY]
    assert odds_line(rules, worth, worth * (100 + rules.entrenched) // 100).chance <= 20


@each_scenario
def test_an_even_fight_costs_each_side_between_a_twentieth_and_a_third(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    line = odds_line(rules, 100, 100)
    for toll in (line.won, line.held):
        for base in (toll.attackers, toll.defenders):
            assert base + 1 >= 5
            assert base + rules.loss_die <= 35


@each_scenario
def test_better_odds_never_hurt_the_side_that_has_them(loaded: Loaded) -> None:
    for worse, better in pairwise(rules_of(loaded).odds):
        assert worse.chance < better.chance
        for before, after in ((worse.won, better.won), (worse.held, better.held)):
            assert before.attackers >= after.attackers
            assert before.defenders <= after.defenders


@each_scenario
def test_losing_a_battle_never_costs_less_than_winning_it(loaded: Loaded) -> None:
    for line in rules_of(loaded).odds:
        assert line.held.attackers > line.won.attackers
        assert line.won.defenders > line.held.defenders


@each_scenario
def test_the_losses_of_a_line_leave_room_for_doubt_about_the_odds(loaded: Loaded) -> None:
    """A player who knows their own losses cannot tell one line from the next by them."""
    rules = rules_of(loaded)
    for worse, better in pairwise(rules.odds):
        for before, after in ((worse.won, better.won), (worse.held, better.held)):
            assert abs(before.attackers - after.attackers) < rules.loss_die
            assert abs(before.defenders - after.defenders) < rules.loss_die


@each_scenario
def test_odds_are_cut_off_never_rounded_up(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    assert odds_line(rules, 299, 100).at < 300 == odds_line(rules, 300, 100).at
    assert odds_line(rules, 1, 1000) is rules.odds[0]
    assert odds_line(rules, 100_000, 1) is rules.odds[-1]


# --- what it discloses ------------------------------------------------------------------------------------------------


def resolved(allied: dict[str, object]) -> tuple[Scenario[GameData, State], Resolution[State]]:
    """A German attack on one Allied unit, decided by the rules and lost, with the same dice."""
    position = {
        "map": {"size": "A1-G12"},
        "options": {"battles": "automatic"},
        "units": {"german": {"2 Pz": {"at": "D7", "class": "armor"}}, "allied": {"28 Inf": {"at": "D6", **allied}}},
        "artillery": {"allied": ["28 Inf"] if allied.get("bought") else []},
    }
    case = read_case(position, scenario_files(find_scenario("forum_campaign/ardennes-1944")))
    orders = {audience_of(GERMAN): [Placed(Attack(UnitId("2 Pz"), at=PlaceId("D6")), 1)]}
    labels = ("winner", "losses/attackers", "losses/defenders")
    dice = ScriptedDice({f"battle/D6/{label}": (60,) if label == "winner" else (5,) for label in labels})
    return case, adjudicate(RULESET, case.game_data, case.start, orders, dice=dice)


def test_the_attackers_learn_the_same_whatever_the_defenders_were_made_of() -> None:
    """As long as the odds lie in one line, so that the attackers' own losses are the same."""
    defences: list[dict[str, object]] = [
        {"strength": 100},
        {"strength": 98, "lent": 2},
        {"strength": 80, "bought": {"at": 1}},
    ]
    disclosed = {str(disclose(resolved(defence)[1].events, audience_of(GERMAN))) for defence in defences}
    assert len(disclosed) == 1
    gm = {str(disclose(resolved(defence)[1].events, GM)) for defence in defences}
    assert len(gm) == len(defences)


def test_a_known_state_changes_by_what_is_disclosed_of_a_resolved_battle() -> None:
    case, resolution = resolved({"bought": {"heavy-aa": 3}})
    truth = case.start
    for event in resolution.events:
        after = RULESET.evolve(truth, event.fact)
        for audience in (audience_of(GERMAN), audience_of(ALLIED), PUBLIC):
            known = state_known_to(truth, audience)
            fact = event.disclosures.get(audience)
            assert state_known_to(after, audience) == (known if fact is None else RULESET.evolve(known, fact))
        truth = after
    assert truth == resolution.state


def test_the_dice_of_a_battle_are_for_the_gm_alone() -> None:
    _, resolution = resolved({})
    rolls = [event for event in resolution.events if isinstance(event.fact, Rolled)]
    assert {event.fact.label for event in rolls} == {
        "battle/D6/winner",
        "battle/D6/losses/attackers",
        "battle/D6/losses/defenders",
    }
    assert all(set(event.disclosures) == {GM} for event in rolls)


# --- which battles it decides -----------------------------------------------------------------------------------------


def attacked(ranking: str) -> Game:
    """Three German attacks, of which two are fought outside."""
    game = Game(
        map={"size": "A1-F12"},
        options={"battles": "by_choice", "outside_german": "2"},
        units={
            "german": {"1 VG": {"at": "A7"}, "2 VG": {"at": "C7"}, "3 VG": {"at": "E7"}},
            "allied": {"1 Inf": {"at": "A6"}, "2 Inf": {"at": "C6"}, "3 Inf": {"at": "E6"}},
        },
    )
    return game.play(GERMAN, f"ATTACK 1 VG A6\nATTACK 2 VG C6\nATTACK 3 VG E6\n{ranking}")


def test_nobody_learns_in_which_order_the_battles_outside_were_ranked() -> None:
    """R12.11 Ruling 69: not even the Germans are told by their report, and the GM reads it on their sheet."""
    one, two = attacked("OUTSIDE 3 VG\nOUTSIDE 1 VG"), attacked("OUTSIDE 1 VG\nOUTSIDE 3 VG")
    assert one.events == two.events
    assert one.state == two.state
    assert [battle.at for battle in fought_outside(one.state.open)] == ["A6", "E6"]
    assert [battle.at for battle in fought_outside(attacked("").state.open)] == ["A6", "C6"]


ROWS = "ACEGI"
"""In each a German unit faces an American one."""


@pytest.mark.parametrize("seed", range(20))
def test_the_answer_to_a_sheet_says_which_battles_are_fought_outside(seed: int) -> None:
    """R12.11 Attacks in any order, of which any are ranked in any order, with any number outside."""
    chance = Random(seed)
    most = chance.randint(1, len(ROWS))
    game = Game(
        map={"size": "A1-J12"},
        options={"battles": "by_choice", "outside_german": str(most)},
        units={
            "german": {f"{row} VG": {"at": f"{row}7"} for row in ROWS},
            "allied": {f"{row} Inf": {"at": f"{row}6"} for row in ROWS},
        },
    )
    attacks = [f"ATTACK {row} VG {row}6" for row in chance.sample(ROWS, k=len(ROWS))]
    ranking = [f"OUTSIDE {row} VG" for row in chance.sample(ROWS, k=chance.randint(0, len(ROWS)))]
    sheet = "\n".join([*ranking, *attacks] if chance.random() < 0.5 else [*attacks, *ranking])
    known = state_known_to(game.state, GERMANS)
    read = read_side(RULESET, game.game_data, known, GERMANS, [DeskSheet(sheet)], phase=known.open.phase)
    (said,) = [text for each in check_side(RULESET, game.game_data, known, read).understood
               if (text := each.text).startswith("Battles:")]  # fmt: skip
    outside, _, inside = said.partition("; the resolver decides ")
    fought = fought_outside(game.play(GERMAN, sheet).state.open)
    assert {battle.at for battle in fought} == set(re.findall(r"[A-I]6", outside))
    assert {battle.at for battle in game.state.open.battles if battle not in fought} == set(
        re.findall("[A-I]6", inside)
    )
    assert len(fought) == most
