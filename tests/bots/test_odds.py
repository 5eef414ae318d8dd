"""Battles as bots foresee them: at the lines of the resolver's table they say what the table says."""

import pytest

from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.bots.assessment.odds import Outlooks
from campaign.rulesets.forum_campaign.model.game_data import OddsLine

RULES = load_scenario(find_scenario("forum_campaign/ardennes-1944")).scenario.game_data.charts.resolver
OUTLOOKS = Outlooks(RULES)
DIE = (RULES.loss_die + 1) / 200


@pytest.mark.parametrize("line", RULES.odds, ids=lambda line: f"{line.at} percent")
def test_at_a_line_of_the_table_the_outlook_is_its_average(line: OddsLine) -> None:
    look, chance = OUTLOOKS.at(float(line.at), 100.0), line.chance / 100
    assert look.chance == pytest.approx(chance)
    assert look.paid == pytest.approx((chance * line.won.attackers + (1 - chance) * line.held.attackers) / 100 + DIE)
    assert look.lost == pytest.approx((chance * line.won.defenders + (1 - chance) * line.held.defenders) / 100 + DIE)


def test_between_lines_it_grows_and_beyond_them_it_stays() -> None:
    chances = [OUTLOOKS.at(float(percent), 100.0).chance for percent in range(0, 2000, 5)]
    assert chances == sorted(chances)
    assert chances[-1] == RULES.odds[-1].chance / 100


def test_an_attack_is_worth_its_prize_and_the_losses_it_brings() -> None:
    look = OUTLOOKS.at(200, 100)
    nothing = look.points(prize=0, kill=0, attackers=0, defenders=0)
    assert nothing == 0
    assert look.points(prize=3, kill=0, attackers=0, defenders=0) == pytest.approx(3 * look.chance)
    assert look.points(prize=0, kill=0, attackers=1, defenders=0) == pytest.approx(-look.paid)
    assert look.points(prize=0, kill=1, attackers=0, defenders=1) == pytest.approx(look.lost + look.beaten)
