"""What maps show of what happened besides moves and fights: supply that does not come, places taken, air boxes."""

from collections.abc import Mapping
from typing import Any

import pytest

from campaign.engine.display.views import Flight, Marker, Trace
from campaign.engine.phases import Ruling
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, PlaceId
from campaign.engine.values.value import encode
from campaign.rulesets.forum_campaign.model import signs
from campaign.rulesets.forum_campaign.model.facts.day import Controlled, DepotSet
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.model.state import DepotStatus
from tests.rulesets.game import ALLIES, GERMANS, NIGHT, US, VG, Game

EVERYBODY = (GERMANS, ALLIES, GM, PUBLIC)
STRIP = {"size": "A1-C12"}
"""A single unit in row B bars its whole width."""


def way(*words: str) -> tuple[PlaceId, ...]:
    return tuple(map(PlaceId, words))


# --- supply ----------------------------------------------------------------------------------------------------------


def cut_off(at: str = "B8", **more: Any) -> Game:
    """A German at B5 bars the Americans behind it from their edge in the west."""
    units = {"german": {"26 VG": {"at": "B5"}}, "allied": {"28 Inf": {"at": at, "supplied": False}}}
    return Game(**({"map": STRIP, "units": units} | more))


def test_a_unit_without_supply_has_a_trace_to_the_first_hex_behind_all_that_bar_it() -> None:
    (trace,) = cut_off().view(ALLIES).traces

    assert trace == Trace(ALLIED, "28 Inf", way("B8", "A7", "A6", "A5", "A4", "A3"), way("A5", "A4"))


def test_the_trace_ends_where_the_report_says_that_the_way_is_barred() -> None:
    game = cut_off()
    (trace,) = game.view(ALLIES).traces
    ((_, _, why),) = game.panel(ALLIES, "supply-allied")

    assert f"best known supply route: {'-'.join(trace.path[1:])}-" in why
    assert [place for place in trace.path if f"; {place} is in the zone of control of" in why] == list(trace.barred)


def test_a_hex_that_is_held_bars_as_a_zone_does() -> None:
    game = cut_off("B6", map={**STRIP, "closed": "B6|A5 B6|A6 B6|B7 B6|C5 B6|C6"})

    assert game.view(ALLIES).traces == (Trace(ALLIED, "28 Inf", way("B6", "B5", "A4", "A3"), way("B5", "A4")),)


def test_a_trace_ends_at_the_edge_where_that_is_barred() -> None:
    units = {"german": {"26 VG": {"at": "B1"}}, "allied": {"28 Inf": {"at": "B3", "supplied": False}}}
    (trace,) = cut_off(units=units).view(ALLIES).traces

    assert trace.path[-1] == trace.barred[-1]
    assert trace.path[-1] in way("A1", "B1", "C1")


def test_traces_are_for_the_own_side_and_the_gm() -> None:
    game = cut_off()

    assert game.view(GM).traces == game.view(ALLIES).traces
    assert game.view(GERMANS).traces == game.view(PUBLIC).traces == ()


def test_a_supplied_unit_has_no_trace_whatever_is_in_its_way() -> None:
    units = {"german": {"26 VG": {"at": "B5"}}, "allied": {"28 Inf": {"at": "B8"}}}

    assert cut_off(units=units).view(GM).traces == ()


def test_where_the_side_knows_of_nothing_that_bars_it_there_is_no_trace() -> None:
    """The report says so; the GM sees what it is."""
    game = cut_off(sees={"allied": ""})

    assert game.view(ALLIES).traces == ()
    assert len(game.view(GM).traces) == 1


def test_a_commando_in_sight_bars_nothing() -> None:
    units = {
        "german": {"CDO1": {"at": "B7", "class": "commando", "size": "small"}},
        "allied": {"28 Inf": {"at": "B8", "supplied": False}},
    }

    assert cut_off(units=units).view(ALLIES).traces == ()


HIDDEN: tuple[dict[str, Any], ...] = (
    {},
    {"26 VG": {"at": "B5"}},
    {"26 VG": {"at": "B7"}},
    {"26 VG": {"at": "B2"}, "2 Pz": {"at": "A7"}},
)


@pytest.mark.parametrize("known", ["", "B3"])
def test_enemies_that_a_side_does_not_see_change_none_of_its_traces(known: str) -> None:
    """Two worlds: the same known state, whatever else bars the way in truth."""
    worlds = []
    for hidden in HIDDEN:
        units = {"german": {**hidden, "12 VG": {"at": "B3"}}, "allied": {"28 Inf": {"at": "B9", "supplied": False}}}
        worlds.append(cut_off(units=units, sees={"allied": known, "german": ""}))

    assert len({encode(state_known_to(game.state, ALLIES)) for game in worlds}) == 1
    assert len({encode(game.view(ALLIES)) for game in worlds}) == 1
    assert len({game.view(GM).traces for game in worlds}) > 2
    assert [len(game.view(ALLIES).traces) for game in worlds] == [len(known.split())] * len(worlds)


# --- taken places ----------------------------------------------------------------------------------------------------

BASTOGNE = {"size": "A1-G12", "towns": [{"hex": "D6", "name": "Bastogne", "vp": 6, "depot": 2}]}


def markers_at(game: Game, who: Audience, place: str = "D6") -> dict[str, Marker]:
    return {marker.kind: marker for marker in game.view(who).markers if marker.at == place}


def taken() -> Game:
    return Game(map=BASTOGNE, units={"german": VG, "allied": {}}).play(GERMAN, "MOVE 26 VG D6")


@pytest.mark.parametrize("who", EVERYBODY)
def test_an_objective_and_a_depot_that_were_taken_show_it_to_all(who: Audience) -> None:
    markers = markers_at(taken(), who)

    assert markers[signs.OBJECTIVE.key] == Marker(PlaceId("D6"), signs.OBJECTIVE.key, GERMAN, 6, taken_from=ALLIED)
    depot = Marker(PlaceId("D6"), signs.CAPTURED_DEPOT.key, GERMAN, taken_from=ALLIED)
    assert markers[signs.CAPTURED_DEPOT.key] == depot


@pytest.mark.parametrize("who", EVERYBODY)
def test_they_show_it_in_that_phase_alone(who: Audience) -> None:
    markers = markers_at(taken().play(ALLIED, "", **NIGHT), who)

    assert {marker.taken_from for marker in markers.values()} == {None}
    assert {marker.side for marker in markers.values()} == {GERMAN}


def test_what_stays_in_its_hands_was_not_taken() -> None:
    game = Game(map=BASTOGNE, units={"german": {}, "allied": {"28 Inf": {"at": "D6"}}}).play(GERMAN)

    assert {marker.taken_from for marker in markers_at(game, GM).values()} == {None}


def test_what_the_gm_rules_is_nobodys_capture() -> None:
    facts = (Controlled(PlaceId("D6"), GERMAN), DepotSet(PlaceId("D6"), DepotStatus.CAPTURED))
    rulings = [Ruling(PhaseKey("german_sheet"), fact, "a slip of mine") for fact in facts]
    game = Game(map=BASTOGNE, units={"german": VG, "allied": {}}).play_all({}, rulings=rulings)
    markers = markers_at(game, PUBLIC)

    assert markers[signs.OBJECTIVE.key].side == GERMAN
    assert {marker.taken_from for marker in markers.values()} == {None}


def test_a_place_lost_and_won_back_in_one_phase_has_not_changed_hands() -> None:
    lost = taken()
    won = Game(map=BASTOGNE, units={"german": {}, "allied": US}, control={"german": "D6"}, phase="allied_sheet")
    won.play(ALLIED, "MOVE 28 Inf D5-D6", **NIGHT)
    assert markers_at(won, PUBLIC)[signs.OBJECTIVE.key].taken_from == GERMAN

    won.events = (*lost.events, *won.events)
    assert markers_at(won, PUBLIC)[signs.OBJECTIVE.key].taken_from is None


# --- in the air ------------------------------------------------------------------------------------------------------

MORNING: dict[str, Any] = {"phase": "air", "weather": "Sunny", "date": "1944-12-17"}
HIT = {"interdiction/D7/allied": 4, "interdiction/D7/german": 3}
MISS = {"interdiction/D7/allied": 1, "interdiction/D7/german": 10}


def raid(rolls: Mapping[str, int], sheet: str = "INTERDICT D7 1", **more: Any) -> Game:
    """The Allies have one air unit and see a German at D7."""
    position = {"units": {"german": VG, "allied": US}, "air": {"allied": {"available": 1}}, **MORNING, **more}
    return Game(**position).play_all({ALLIES: f"AIR interdiction 1\n{sheet}"}, rolls)


def over_d7(sortie: str) -> tuple[Flight, ...]:
    return (Flight(PlaceId("D7"), signs.INTERDICTION.key, ALLIED, 1, sortie),)


def test_interdiction_that_succeeds_is_shown_to_those_who_flew_and_to_its_victim() -> None:
    game = raid(HIT)

    assert {who: game.view(who).flights for who in EVERYBODY} == {
        GERMANS: over_d7(signs.FLOWN.key),
        ALLIES: over_d7(signs.FLOWN.key),
        GM: over_d7(signs.FLOWN.key),
        PUBLIC: (),
    }


def test_interdiction_that_fails_is_shown_to_those_who_flew_alone() -> None:
    game = raid(MISS)

    assert {who: game.view(who).flights for who in EVERYBODY} == {
        GERMANS: (),
        ALLIES: over_d7(signs.FAILED.key),
        GM: over_d7(signs.FAILED.key),
        PUBLIC: (),
    }


def test_a_raid_on_an_empty_hex_looks_like_one_that_failed() -> None:
    there = raid(MISS)
    gone = raid({}, units={"german": {}, "allied": US}, sees={"allied": "D7"})

    assert there.view(ALLIES).flights == gone.view(ALLIES).flights


def test_a_raid_that_fails_shows_the_germans_nothing() -> None:
    """Two worlds: the boxes are open to all, their targets are not."""
    worlds = [raid(MISS), raid({}, "")]

    assert len({encode(game.view(GERMANS)) for game in worlds}) == 1
    assert len({encode(game.view(ALLIES)) for game in worlds}) == 2


def test_missions_wait_on_the_own_map_while_removals_may_thwart_them() -> None:
    units = {
        "german": {**VG, "KG Heydte": {"class": "airborne", "arrives": "1944-12-17"}},
        "allied": {**US, "4 Inf": {"at": "R2", "supplied": False}},
    }
    game = Game(
        map={"size": "A1-T12"},
        units=units,
        air={"german": {"available": 4}, "allied": {"available": 3}},
        options={"separate_removals": "yes", "whole_drop_zone": "yes"},
        **MORNING,
    ).play_all(
        {
            GERMANS: "AIR superiority 4\nPARADROP KG Heydte Q6",
            ALLIES: "AIR interdiction 1 drop 2\nINTERDICT D7 1\nAIRDROP 4 Inf",
        }
    )
    raids = (
        Flight(PlaceId("D7"), signs.INTERDICTION.key, ALLIED, 1, signs.PLANNED.key),
        Flight(PlaceId("R2"), signs.SUPPLY_DROP.key, ALLIED, 2, signs.PLANNED.key),
    )
    jump = (Flight(PlaceId("Q6"), signs.PARADROP.key, GERMAN, 0, signs.PLANNED.key),)

    assert game.state.open.phase == "removals"
    assert {who: game.view(who).flights for who in EVERYBODY} == {
        GERMANS: jump,
        ALLIES: raids,
        GM: raids + jump,
        PUBLIC: (),
    }


def dropped(sheet: str = "AIRDROP 28 Inf") -> Game:
    units = {"german": VG, "allied": {"28 Inf": {"at": "D4", "supplied": False}}}
    game = Game(units=units, air={"allied": {"available": 2, "boxes": {"drop": 2}}}, phase="allied_sheet")
    return game.play(ALLIED, sheet, **NIGHT)


def test_supply_from_the_air_is_shown_where_its_unit_was_when_it_arrived() -> None:
    game = dropped("AIRDROP 28 Inf\nMOVE 28 Inf D3")
    (line,) = (line for line in game.view(ALLIES).log if "supplied by air drop" in line.text)

    assert game.view(ALLIES).flights == game.view(GM).flights
    assert game.view(ALLIES).flights == (Flight(PlaceId("D4"), signs.SUPPLY_DROP.key, ALLIED, 2, signs.FLOWN.key),)
    assert line.at == way("D4")


def test_all_that_is_dropped_over_a_hex_is_one_box() -> None:
    units = {"28 Inf": {"at": "D4", "supplied": False}, "TF": {"at": "D4", "size": "small", "supplied": False}}
    air = {"allied": {"available": 4, "boxes": {"drop": 4}}}
    game = Game(units={"german": VG, "allied": units}, air=air, phase="allied_sheet")
    game.play(ALLIED, "AIRDROP 28 Inf\nAIRDROP TF", **NIGHT)

    assert game.view(ALLIES).flights == (Flight(PlaceId("D4"), signs.SUPPLY_DROP.key, ALLIED, 4, signs.FLOWN.key),)


def test_supply_from_the_air_shows_the_germans_nothing() -> None:
    """Two worlds."""
    worlds = [dropped(), dropped("")]

    assert len({encode(game.view(GERMANS)) for game in worlds}) == 1
    assert len({encode(game.view(PUBLIC)) for game in worlds}) == 1


def jumped(landing: int) -> Game:
    units = {
        "german": {"KG Heydte": {"class": "airborne", "arrives": "1944-12-17"}},
        "allied": {"28 Inf": {"at": "O1"}},
    }
    game = Game(map={"size": "O1-U12"}, units=units, options={"whole_drop_zone": "yes"}, **MORNING)
    return game.play_all({GERMANS: "PARADROP KG Heydte S8"}, {"paratroops/landing": landing})


@pytest.mark.parametrize(("landing", "sortie"), [(3, signs.FLOWN.key), (7, signs.FLOWN.key), (8, signs.FAILED.key)])
def test_a_jump_is_shown_to_the_side_that_jumps(landing: int, sortie: str) -> None:
    game = jumped(landing)
    flight = (Flight(PlaceId("S8"), signs.PARADROP.key, GERMAN, 0, sortie),)

    assert [game.view(who).flights for who in EVERYBODY] == [flight, (), flight, ()]


def test_a_jump_out_of_sight_shows_the_allies_nothing() -> None:
    """Two worlds."""
    worlds = [jumped(landing) for landing in (3, 7, 8)]

    assert len({encode(game.view(ALLIES)) for game in worlds}) == 1


def test_paratroops_who_have_landed_are_new_on_the_map() -> None:
    assert [counter.states for counter in jumped(3).view(GERMANS).counters] == [(signs.NEW.key,)]


def attacked(sheet: str = "CAS 28 Inf 2") -> Game:
    units = {"german": {"26 VG": {"at": "D5"}}, "allied": US}
    air = {"allied": {"available": 3, "boxes": {"cas": 3}}}
    game = Game(units=units, phase="allied_sheet", air=air)
    return game.play(ALLIED, f"ATTACK 28 Inf D5\n{sheet}")


def test_close_support_is_shown_at_the_battle_until_it_is_fought() -> None:
    game = attacked()
    box = (Flight(PlaceId("D5"), signs.CLOSE_SUPPORT.key, ALLIED, 2, signs.FLOWN.key),)

    assert [game.view(who).flights for who in EVERYBODY] == [(), box, box, ()]

    game.play(GM, "RESULT D5 defenders", **NIGHT)

    assert [game.view(who).flights for who in EVERYBODY] == [(), (), (), ()]


def test_close_support_in_a_battle_that_the_rules_decide_at_once_is_shown_as_well() -> None:
    units = {"german": {"26 VG": {"at": "D5"}}, "allied": US}
    air = {"allied": {"available": 3, "boxes": {"cas": 3}}}
    game = Game(units=units, phase="allied_sheet", air=air, options={"battles": "automatic"})
    rolls = {"battle/D5/winner": 100, "battle/D5/losses/attackers": 1, "battle/D5/losses/defenders": 1}
    game.play(ALLIED, "ATTACK 28 Inf D5\nCAS 28 Inf 2", **NIGHT, **rolls)

    assert game.view(ALLIES).flights == (Flight(PlaceId("D5"), signs.CLOSE_SUPPORT.key, ALLIED, 2, signs.FLOWN.key),)


def test_close_support_shows_the_defenders_nothing() -> None:
    """Two worlds."""
    worlds = [attacked(), attacked("")]

    assert len({encode(game.view(GERMANS)) for game in worlds}) == 1
    assert len({encode(game.view(PUBLIC)) for game in worlds}) == 1


# --- fuel ------------------------------------------------------------------------------------------------------------


DEPOT = {"size": "A1-G12", "towns": [{"hex": "C8", "name": "Stavelot", "depot": 2}]}


def counted_on_a_depot(enemy: str = "C9") -> Game:
    """Fuel that one unit is expected to capture is spent by the lines after it; an unseen unit may be in its way."""
    germans = {"1 VG": {"at": "C10"}, "2 Pz": {"at": "G10", "class": "armor"}}
    units = {"german": germans, "allied": {"28 Inf": {"at": enemy}}}
    options = {"captured_counts_now": "yes"}
    game = Game(map=DEPOT, units=units, fuel=1, sees={"german": ""}, options=options, phase="german_sheet")
    return game.play(GERMAN, "MOVE 1 VG D10-C9-C8\nMOVE 2 Pz G9")


def states(game: Game, who: Audience) -> Mapping[str, tuple[str, ...]]:
    return {counter.unit: counter.states for counter in game.view(who).counters}


def test_a_unit_that_could_not_move_for_want_of_fuel_is_marked_on_the_map() -> None:
    """R10.7"""
    game = counted_on_a_depot()

    assert states(game, GERMANS)["2 Pz"] == states(game, GM)["2 Pz"] == (signs.OUT_OF_FUEL.key,)
    assert signs.OUT_OF_FUEL.key not in states(game, GERMANS)["1 VG"]


def test_a_unit_that_had_its_fuel_does_not() -> None:
    assert signs.OUT_OF_FUEL.key not in states(counted_on_a_depot("A1"), GERMANS)["2 Pz"]


def test_nobody_else_sees_it() -> None:
    for who in (ALLIES, PUBLIC):
        seen = states(counted_on_a_depot(), who).values()
        assert signs.OUT_OF_FUEL.key not in {state for each in seen for state in each}
