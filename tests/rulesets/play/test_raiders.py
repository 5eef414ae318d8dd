"""R7.2 Where raiders fade: whose zones are named in the reason why a unit is without supply."""

from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience
from campaign.rulesets.forum_campaign.day.supply import why_unsupplied
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from tests.rulesets.game import GERMANS, Game

UNITS = {
    "german": {"26 VG": {"at": "B6", "supplied": False}},
    "allied": {"1 Cav": {"at": "B7", "size": "small", "supplied": False}, "28 Inf": {"at": "B11"}},
}
MAP = {"size": "A1-C12", "towns": [{"hex": "B11", "name": "Bonn", "depot": 1}]}
"""The Allied depot supplies 28 Inf, which cuts off both others."""


def barred(who: Audience, fade: str) -> set[str]:
    """The hexes that are named, of all that are in zones of control."""
    game = Game(map=MAP, units=UNITS, options={"raiders_fade": fade}, sees={"german": "B7 B11"})
    known = state_known_to(game.state, who)
    (unit,) = game.state.own[GERMAN].units.values()
    return {bar.place for bar in why_unsupplied(game.game_data, known, GERMAN, unit).bars}


def test_the_gm_reads_only_of_zones_that_bar_the_way() -> None:
    by_raider, by_other = {"A6", "A7", "C6", "C7", "B8"}, {"A10", "A11", "C10", "C11"}
    assert barred(GM, "no") & by_raider
    assert barred(GM, "yes") <= by_other
    assert barred(GM, "yes")


def test_for_a_side_every_enemy_in_sight_counts_as_supplied() -> None:
    """Ruling 46: otherwise the reason would tell whether an enemy is supplied."""
    assert barred(GERMANS, "yes") == barred(GERMANS, "no") == barred(GM, "no")
