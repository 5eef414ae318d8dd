"""The resolver's chart: what it promises of battles between the units of the scenarios."""

from itertools import pairwise

import pytest

from campaign.engine.views import Branch
from campaign.loading import Loaded, load_scenario, supplied_scenarios
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.resolver import odds_line
from campaign.rulesets.forum_campaign.theatre import ResolverRules

LOADED = [loaded for folder in supplied_scenarios() if (loaded := load_scenario(folder)).rules is RULESET]
each_scenario = pytest.mark.parametrize("loaded", LOADED, ids=lambda loaded: loaded.scenario.title)


def rules_of(loaded: Loaded) -> ResolverRules:
    resolver: ResolverRules = loaded.scenario.theatre.charts.resolver
    return resolver


@each_scenario
def test_three_to_one_wins_three_times_in_four_and_one_to_one_every_third_time(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    assert 75 <= odds_line(rules, 300, 100).chance <= 80
    assert 30 <= odds_line(rules, 100, 100).chance <= 40


@each_scenario
def test_an_entrenched_division_usually_holds_an_equal_attacker(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    worth = rules.arms[Branch.INFANTRY]
    assert odds_line(rules, worth, worth * (100 + rules.entrenched) // 100).chance <= 20


@each_scenario
def test_an_even_fight_costs_each_side_between_a_tenth_and_a_third(loaded: Loaded) -> None:
    rules = rules_of(loaded)
    line = odds_line(rules, 100, 100)
    for toll in (line.won, line.held):
        for base in (toll.attackers, toll.defenders):
            assert base + 1 >= 10
            assert base + rules.loss_die <= 35


@each_scenario
def test_better_odds_never_hurt_whoever_has_them(loaded: Loaded) -> None:
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
    """Whoever knows his own losses cannot tell one line from the next by them."""
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
