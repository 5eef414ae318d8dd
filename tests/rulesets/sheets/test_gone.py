"""Sheets that name units which are not there any more, as after a ruling: each line says so, none is fatal."""

import pytest

from campaign.engine.orders.order import Hold, Order, Placed
from campaign.engine.state import known_state
from campaign.engine.values.ids import PlaceId, SideId, UnitId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.orders import (
    Airdrop,
    Artillery,
    Attack,
    Buy,
    Cas,
    Detach,
    Follow,
    Move,
    Paradrop,
    Rejoin,
    Retreat,
    Then,
)
from campaign.rulesets.forum_campaign.scenario.case import read_case

_NOBODY, _HEX = UnitId("KG 9 Pz"), PlaceId("B6")


@pytest.mark.parametrize(
    ("phase", "side", "orders"),
    [
        ("air", "german", (Buy(_NOBODY, Goods.MEN), Paradrop(_NOBODY, _HEX), Artillery(_NOBODY))),
        (
            "german_sheet",
            "german",
            (
                *(Move(_NOBODY, to=_HEX), Attack(_NOBODY, at=_HEX), Then(_NOBODY, to=_HEX), Detach(_NOBODY)),
                *(Rejoin(_NOBODY), Hold(_NOBODY), Cas(_NOBODY, 1), Follow(_NOBODY, _NOBODY), Artillery(_NOBODY)),
            ),
        ),
        ("allied_sheet", "allied", (Airdrop(_NOBODY), Move(_NOBODY, path=(_HEX,)), Attack(_NOBODY, contact=True))),
        ("german_attacks", "german", (Attack(_NOBODY, at=_HEX), Cas(_NOBODY, 1), Artillery(_NOBODY))),
        ("allied_attacks", "allied", (Attack(_NOBODY, contact=True),)),
        ("german_retreats", "allied", (Retreat(_NOBODY, _HEX),)),
    ],
)
def test_a_line_for_a_unit_that_is_gone_says_so(phase: str, side: str, orders: tuple[Order, ...]) -> None:
    files = scenario_files(find_scenario("forum_campaign/ardennes-1944"))
    options = {"separate_attacks": "yes" if phase.endswith("_attacks") else "no"}
    units = {"german": {"2 Pz": {"at": "B7"}}, "allied": {"28 Inf": {"at": "B2"}}}
    case = read_case({"map": {"size": "A1-C8"}, "units": units, "phase": phase, "options": options}, files)
    sheet = [Placed(order, line) for line, order in enumerate(orders, 1)]
    known = known_state(case.start, (SideId(side),))
    problems = RULESET.check(case.game_data, known, audience_of(SideId(side)), sheet).problems
    found = [(each.line, each.code, each.message) for each in problems if each.line]
    assert found == [(placed.line, "gone", "KG 9 Pz no longer exists") for placed in sheet]
