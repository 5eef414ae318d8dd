"""R12.5 Ruling 56 on the real map: which way is forward, also near the corners where the supply edges meet."""

import pytest

from campaign.engine.values.ids import PlaceId
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.battle.retreat_hexes import is_forward
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN

ARDENNES, ST_VITH = (
    load_scenario(find_scenario(f"forum_campaign/{name}")).scenario.game_data
    for name in ("ardennes-1944", "st-vith-1944")
)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("P20", "P18"),  # from the Schnee Eifel to St. Vith
        ("K16", "I15"),  # from Clervaux towards Martelange
        ("I18", "G17"),  # from Vianden to the south-west
        ("G20", "E19"),  # from Echternach
    ],
)
def test_the_allies_may_retreat_home(start: str, end: str) -> None:
    assert not is_forward(ARDENNES, ALLIED, PlaceId(start), PlaceId(end))


@pytest.mark.parametrize(("start", "end"), [("S18", "R16"), ("S16", "R14"), ("R17", "Q15")])
def test_whoever_leaves_the_own_edge_and_the_enemy_does_not_go_forward(start: str, end: str) -> None:
    assert not is_forward(ST_VITH, ALLIED, PlaceId(start), PlaceId(end))


@pytest.mark.parametrize(("start", "end"), [("P20", "R22"), ("P20", "P22"), ("K16", "K18"), ("G20", "G22")])
def test_the_allies_do_not_retreat_into_germany(start: str, end: str) -> None:
    assert is_forward(ARDENNES, ALLIED, PlaceId(start), PlaceId(end))


@pytest.mark.parametrize(("start", "end"), [("P18", "P16"), ("H18", "H16")])
def test_what_is_forward_for_one_side_is_back_for_the_other(start: str, end: str) -> None:
    for side, forward in ((GERMAN, True), (ALLIED, False)):
        assert is_forward(ARDENNES, side, PlaceId(start), PlaceId(end)) is forward
