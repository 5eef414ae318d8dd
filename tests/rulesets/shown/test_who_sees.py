"""Who can see a hex, as the GM reads it, agrees with what the sides make out."""

from typing import Any

import pytest

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.day.sighting import seen_positions, sightings
from campaign.rulesets.forum_campaign.disclosure.sight import sees_place
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, enemy_of
from campaign.rulesets.forum_campaign.model.state import Sighting, on_map
from tests.rulesets.game import Game

UNITS: dict[str, Any] = {
    "german": {"26 VG": {"at": "D7"}, "2 Pz": {"at": "D2"}},
    "allied": {"110/28": {"at": "D5"}, "112/28": {"at": "D10"}, "109/28": {"at": "A12"}},
}


def game(**more: Any) -> Game:
    return Game(units=UNITS, **more)


@pytest.mark.parametrize("side", SIDES)
def test_a_side_makes_out_the_enemies_in_the_hexes_that_it_sees_and_no_others(side: Any) -> None:
    played = game()
    seen: dict[PlaceId, Sighting] = {each.at: each for each in sightings(played.game_data, played.state, side)}
    for unit, at in on_map(played.state.own[enemy_of(side)]):
        sight = sees_place(played.game_data, played.state, side, at)
        assert sight.seen == (at in seen), unit.label
        assert sight.what.startswith("It sees units by name") == (at in seen and seen[at].unit == unit.id)


def test_it_names_the_units_that_see_it_the_nearest_first() -> None:
    played = game()
    sight = sees_place(played.game_data, played.state, GERMAN, PlaceId("D5"))
    assert [each.partition(" at ")[0] for each in sight.by] == ["26 VG", "2 Pz"]
    assert sight.by[0].endswith("2 hexes away")
    assert sight.rule == "R15.2"


def test_a_hex_out_of_sight_says_how_far_units_see() -> None:
    played = game()
    sight = sees_place(played.game_data, played.state, GERMAN, PlaceId("A12"))
    assert (sight.seen, sight.by) == (False, ())
    assert sight.what == f"No unit of it is within {played.game_data.charts.sight.type} hexes."


def test_a_hex_with_an_own_unit_is_seen_from_within() -> None:
    played = game()
    sight = sees_place(played.game_data, played.state, ALLIED, PlaceId("D5"))
    assert sight.by[0].endswith("in the hex itself")
    assert sight.what == "It sees units by name, prepared positions, and commandos."
    assert seen_positions(played.game_data, played.state, ALLIED) == {}


def test_a_commando_makes_out_units_by_name_but_no_other_commandos() -> None:
    raider = {
        "german": {"CDO1": {"at": "D6", "class": "commando", "size": "small"}},
        "allied": {"110/28": {"at": "D5"}},
    }
    played = Game(units=raider)
    sight = sees_place(played.game_data, played.state, GERMAN, PlaceId("D5"))
    assert sight.what == "It sees units by name, prepared positions, but no commandos."


def test_at_the_edge_of_sight_a_campaign_may_show_contacts_alone() -> None:
    played = game(options={"third_band": "contact"})
    edge = played.game_data.charts.sight.type
    place = next(
        at
        for at, here in played.game_data.grid.coordinates.items()
        if played.game_data.grid.steps_around([PlaceId("D7"), PlaceId("D2")], most=edge).get(here) == edge
    )
    sight = sees_place(played.game_data, played.state, GERMAN, place)
    assert sight.what == "It sees only that something is there, and no commandos."
