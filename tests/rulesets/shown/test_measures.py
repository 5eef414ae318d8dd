"""What is measured of a campaign."""

from campaign.engine.adjudication import adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.orders.order import Placed
from campaign.engine.values.ids import PlaceId, UnitId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.measures import measures
from campaign.rulesets.forum_campaign.model.facts.battle import Cause, Destroyed
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.orders import Rejoin
from campaign.rulesets.forum_campaign.scenario.case import read_case
from tests.rulesets.game import VG, Game


def test_depots_are_counted_by_what_has_become_of_them() -> None:
    towns = [{"hex": "D6", "name": "Spa", "depot": 4}, {"hex": "D9", "name": "Theux", "depot": 1}]
    game = Game(map={"size": "A1-G12", "towns": towns}, units={"german": VG, "allied": {}})
    before = measures(game.game_data, game.state)
    after = measures(game.game_data, game.play(GERMAN, "MOVE 26 VG D6").state)
    assert (before["depots_captured"], before["depots_destroyed"]) == (0, 0)
    assert (after["depots_captured"], after["depots_destroyed"]) == (1, 0)


def test_a_task_force_that_rejoins_is_no_loss_and_one_that_is_destroyed_is() -> None:
    units = {
        "german": {
            "2 Pz": {"at": "B7", "class": "armor", "strength": 60, "lent": 30},
            "KG 2 Pz": {"at": "B7", "class": "armor", "size": "small", "parent": "2 Pz", "strength": 30, "raised": 30},
        },
        "allied": {"28 Inf": {"at": "A1"}},
    }
    case = read_case(
        {"map": {"size": "A1-C8"}, "units": units}, scenario_files(find_scenario("forum_campaign/ardennes-1944"))
    )
    force = UnitId("KG 2 Pz")
    orders = {audience_of(GERMAN): [Placed(Rejoin(force), 1)]}
    whole = adjudicate(RULESET, case.game_data, case.start, orders, dice=ScriptedDice({})).state
    gone = evolve(case.start, Destroyed(GERMAN, force, "KG 2 Pz", PlaceId("B7"), Cause.LOSSES))
    assert (measures(case.game_data, whole)["lost_german"], measures(case.game_data, gone)["lost_german"]) == (0, 1)
