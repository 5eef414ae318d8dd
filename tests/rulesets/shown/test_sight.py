"""What maps, panels and briefs show of positions, commandos, enemies out of sight and missing supply."""

from typing import Any

import pytest

from campaign.engine.display.views import Arrow, Marker, Panel, View
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PlaceId
from campaign.rulesets.forum_campaign.disclosure.briefs import brief
from campaign.rulesets.forum_campaign.model import signs
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Branch
from tests.rulesets.game import ALLIES, GERMANS, NIGHT, US, VG, Game


def states(view: View) -> dict[str, tuple[str, ...]]:
    return {counter.label: counter.states for counter in view.counters}


def field_of(game: Game, who: Audience) -> dict[str, str]:
    """What a brief says of the field of the battle of D4."""
    rows = brief(game.game_data, state_known_to(game.state, who), who, "D4").sections[0].rows
    return {row[0]: row[1] for row in rows}


# --- positions -------------------------------------------------------------------------------------------------------


def test_counters_show_how_deep_their_own_side_is_dug_in() -> None:
    game = Game(units={"german": VG, "allied": US}, positions={"german": {"D7": 1}, "allied": {"D4": 2}})

    assert states(game.view(GERMANS)) == {"26 VG": (signs.DUG_IN.key,)}
    assert states(game.view(ALLIES)) == {"28 Inf": (signs.ENTRENCHED.key,)}
    assert states(game.view(GM)) == {"26 VG": (signs.DUG_IN.key,), "28 Inf": (signs.ENTRENCHED.key,)}
    assert game.panel(GERMANS, "positions-german") == (("D7", "Dug-in"),)
    assert game.panel(GERMANS, "positions-allied") == ()


def test_an_enemy_position_is_marked_for_units_next_to_it() -> None:
    units = {"german": {"26 VG": {"at": "D5"}}, "allied": US}
    game = Game(units=units, positions={"allied": {"D4": 2}}).play(GERMAN)
    mark = Marker(PlaceId("D4"), signs.POSITION.key, ALLIED, 2)

    assert mark in game.view(GERMANS).markers
    panel = Panel("seen-positions-german", "Enemy positions in sight", ("Hex", "Level"), (("D4", "Entrenched"),))
    assert panel in game.view(GERMANS).panels
    assert all(mark not in game.view(who).markers for who in (ALLIES, GM, PUBLIC))


def test_an_enemy_position_two_hexes_away_is_not_marked() -> None:
    units = {"german": {"26 VG": {"at": "D6"}}, "allied": US}
    game = Game(units=units, positions={"allied": {"D4": 2}}).play(GERMAN)

    assert signs.POSITION.key not in {marker.kind for marker in game.view(GERMANS).markers}


@pytest.mark.parametrize("who", [GERMANS, ALLIES, GM])
def test_the_brief_of_a_battle_says_what_the_position_brings(who: Audience) -> None:
    units = {"german": {"26 VG": {"at": "D5"}}, "allied": US}
    game = Game(units=units, positions={"allied": {"D4": 2}}).play(GERMAN, "ATTACK 26 VG D4")

    assert field_of(game, who)["Entrenched"].startswith("20 foxholes, 4 trenches")


def test_the_brief_of_a_battle_for_open_ground_speaks_of_no_works() -> None:
    game = Game(units={"german": {"26 VG": {"at": "D5"}}, "allied": US}).play(GERMAN, "ATTACK 26 VG D4")

    assert not {"Dug-in", "Entrenched", "Fortified"} & field_of(game, ALLIES).keys()


def test_a_destroyed_depot_stays_on_the_map_as_one() -> None:
    town = {"hex": "D6", "name": "Spa", "depot": 4, "destroyed": True}
    game = Game(map={"size": "A1-G12", "towns": [town]})

    assert Marker(PlaceId("D6"), signs.DESTROYED_DEPOT.key) in game.view(PUBLIC).markers


# --- battles ---------------------------------------------------------------------------------------------------------


def test_a_battle_and_the_victors_advance_are_drawn_for_the_side_whose_they_are() -> None:
    game = Game(units={"german": {"26 VG": {"at": "D5"}}, "allied": US}).play(GERMAN, "ATTACK 26 VG D4")

    assert Marker(PlaceId("D4"), signs.BATTLE.key, GERMAN) in game.view(PUBLIC).markers

    game.play(GM, "RESULT D4 attackers advance 26 VG")

    fought = Marker(PlaceId("D4"), signs.BATTLE.key, GERMAN, won_by=GERMAN)
    for who in (GERMANS, ALLIES, GM, PUBLIC):
        assert [each for each in game.view(who).markers if each.kind == signs.BATTLE.key] == [fought]
    assert Arrow(signs.ADVANCE.key, GERMAN, (PlaceId("D5"), PlaceId("D4"))) in game.view(GERMANS).arrows


def test_a_battle_that_the_defenders_held_is_theirs_and_is_shown_in_its_phase_alone() -> None:
    game = Game(units={"german": {"26 VG": {"at": "D5"}}, "allied": US}).play(GERMAN, "ATTACK 26 VG D4")
    game.play(GM, "RESULT D4 defenders")

    assert Marker(PlaceId("D4"), signs.BATTLE.key, GERMAN, won_by=ALLIED) in game.view(PUBLIC).markers

    game.play_all({ALLIES: ""}, NIGHT)

    assert [each for each in game.view(PUBLIC).markers if each.kind == signs.BATTLE.key] == []


# --- commandos -------------------------------------------------------------------------------------------------------


def test_commandos_are_on_their_own_map_and_order_of_battle_alone() -> None:
    units = {"german": {"CDO1": {"at": "D6", "class": "commando", "size": "small"}}, "allied": US}
    game = Game(units=units).play(GERMAN)

    assert [counter.branch for counter in game.view(GERMANS).counters] == [Branch.COMMANDO.value]
    assert game.panel(GERMANS, "forces-german")[0][:2] == ("CDO1", "D6")
    assert game.view(ALLIES).sightings == ()
    assert "CDO1" not in repr(game.view(ALLIES)) + repr(game.view(PUBLIC))


def test_next_to_an_allied_unit_a_commando_is_seen_as_one() -> None:
    units = {"german": {"CDO1": {"at": "D5", "class": "commando", "size": "small"}}, "allied": US}
    (seen,) = Game(units=units).play(GERMAN).view(ALLIES).sightings

    assert (seen.at, seen.branch, seen.age) == ("D5", Branch.COMMANDO.value, None)


def test_commandos_do_not_move_the_front_for_anybody() -> None:
    game = Game(map={"size": "A1-G12", "german": "D9 D10 D11 D12"}, units={"german": {}, "allied": US})
    before = game.view(GM).front
    commando = {"CDO1": {"at": "D8", "class": "commando", "size": "small"}}
    after = Game(map={"size": "A1-G12", "german": "D9 D10 D11 D12"}, units={"german": commando, "allied": US}).play(
        GERMAN, "MOVE CDO1 D7-D6-D5"
    )

    assert before
    assert [after.view(who).front for who in (GM, GERMANS, ALLIES, PUBLIC)] == [before] * 4


# --- out of sight ----------------------------------------------------------------------------------------------------


def kept(**more: Any) -> Game:
    """The German has left the American, seen at D4, behind."""
    units = {"german": VG, "allied": US}
    return Game(units=units, options={"last_known": "kept"}, **more).play(GERMAN, "MOVE 26 VG D8-D9")


def test_an_enemy_out_of_sight_stays_on_the_map_with_the_age_of_the_sighting() -> None:
    game = kept()
    (today,) = game.view(GERMANS).sightings
    (yesterday,) = game.play(ALLIED, "", **NIGHT).view(GERMANS).sightings

    assert (today.at, today.branch, today.age) == ("D4", Branch.INFANTRY.value, 0)
    assert (yesterday.at, yesterday.age) == ("D4", 1)
    assert game.panel(GERMANS, "last-seen-german") == (("D4", "infantry", "16 December"),)


def test_tables_of_enemies_say_what_their_columns_are() -> None:
    heads = {panel.key: panel.head for panel in kept().view(GERMANS).panels}

    assert heads["seen-german"] == ("Hex", "What is known")
    assert heads["last-seen-german"] == ("Hex", "What is known", "Last seen")


def test_an_enemy_that_was_adjacent_is_remembered_by_name() -> None:
    """Of the two who are left behind the other was too far off for that."""
    units = {"german": {"26 VG": {"at": "D5"}}, "allied": {**US, "30 Inf": {"at": "D3"}}}
    game = Game(units=units, options={"last_known": "kept"}).play(GERMAN, "MOVE 26 VG D6-D7-D8")

    sightings = game.view(GERMANS).sightings
    assert {(seen.at, seen.label, seen.age) for seen in sightings} == {("D4", "28 Inf", 0), ("D3", "", 0)}


def test_nobody_else_is_shown_what_a_side_remembers() -> None:
    game = kept()

    assert all(game.view(who).sightings == () for who in (ALLIES, GM, PUBLIC))
    assert all(game.panel(who, "last-seen-german") == () for who in (ALLIES, GM, PUBLIC))


def test_where_the_campaign_keeps_nobody_nobody_is_shown() -> None:
    game = Game(units={"german": VG, "allied": US}).play(GERMAN, "MOVE 26 VG D8-D9")

    assert game.view(GERMANS).sightings == ()


def test_a_contact_at_the_edge_of_sight_is_a_question_mark() -> None:
    game = Game(units={"german": VG, "allied": US}, options={"third_band": "contact"}).play(GERMAN)

    assert [(seen.at, seen.branch, seen.label) for seen in game.view(GERMANS).sightings] == [("D4", None, "")]


# --- phases and ledgers ----------------------------------------------------------------------------------------------


def test_before_anything_is_resolved_only_the_open_phase_is_named() -> None:
    view = Game(units={"german": VG, "allied": US}).view(PUBLIC)

    assert (view.stop, view.next_stop) == ("", "German movement and attacks")


def test_a_ledger_names_its_unit_and_what_each_line_is() -> None:
    jeeps = {"at": "D7", "ledger": [{"kind": "extra", "text": "2 jeeps"}]}
    view = Game(units={"german": {"26 VG": jeeps}, "allied": US}).view(GERMANS)

    (panel,) = (panel for panel in view.panels if panel.key == "ledgers-german")
    assert (panel.head, len(panel.rows)) == (("Unit", "Line", "It says"), 1)


# --- supply ----------------------------------------------------------------------------------------------------------


def test_the_panel_of_the_unsupplied_says_why_as_far_as_its_reader_knows() -> None:
    units = {"german": {"26 VG": {"at": "A4"}}, "allied": {"28 Inf": {"at": "A9"}}}
    game = Game(map={"size": "A1-A12"}, units=units).play(GERMAN)

    (panel,) = (panel for panel in game.view(ALLIES).panels if panel.key == "supply-allied")
    assert (panel.title, panel.head) == ("Allied units out of supply", ("Unit", "Hex", "Why"))
    ((unit, place, why),) = panel.rows
    assert (unit, place) == ("28 Inf", "A9")
    assert why.endswith("no enemy that you see blocks it")
    assert "26 VG at A4" in game.panel(GM, "supply-allied")[0][2]
    assert game.panel(GERMANS, "supply-allied") == ()


def test_a_ruling_that_nothing_explains_is_not_blamed_on_the_enemy() -> None:
    units = {"german": VG, "allied": {"28 Inf": {"at": "D4", "supplied": False}}}
    game = Game(units=units)

    assert game.panel(GM, "supply-allied")[0][2].endswith("nothing blocks it now")
