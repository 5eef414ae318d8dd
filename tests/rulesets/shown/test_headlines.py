"""The headlines of reports: the most important news of each kind, from what the audience is told."""

from typing import Any

import pytest

from campaign.engine.facts import Disclosure, Fact, disclose
from campaign.engine.phases import Ruling
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, PlaceId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.disclosure.headlines import HEADLINES
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker
from campaign.rulesets.forum_campaign.model.facts.battle import BattleFought, Cause, Destroyed
from campaign.rulesets.forum_campaign.model.facts.day import Controlled, DepotCaptured
from campaign.rulesets.forum_campaign.model.facts.movement import Moved, StopReason
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.model.state import Winner
from tests.rulesets.game import ALLIES, GERMANS, NIGHT, US, VG, Game

EVERYBODY = (GERMANS, ALLIES, GM, PUBLIC)
BASTOGNE = {"size": "A1-G12", "towns": [{"hex": "D6", "name": "Bastogne", "vp": 6, "depot": 2}]}
ATTACK = {"german": {"26 VG": {"at": "D5"}}, "allied": US}


def said(*facts: Fact) -> list[str]:
    """The headlines about facts of one kind."""
    game = Game(map=BASTOGNE, units={"german": VG, "allied": US})
    text = HEADLINES[type(facts[0])](Speaker(game.game_data, state_known_to(game.state, GM)), facts)
    return [text] if text else []


def places(*words: str) -> list[PlaceId]:
    return list(map(PlaceId, words))


@pytest.mark.parametrize("who", EVERYBODY)
def test_what_was_taken_comes_before_the_fuel_in_it_and_the_moves(who: Audience) -> None:
    game = Game(map=BASTOGNE, units={"german": VG, "allied": {}}).play(GERMAN, "MOVE 26 VG D6")
    moved = ("1 unit moved",) if who in (GERMANS, GM) else ()

    assert game.view(who).headlines == (
        "Germans take Bastogne (D6); victory points: Germans 6, Allies 0",
        "Germans capture fuel at Bastogne (D6): 2 points",
        *moved,
    )


@pytest.mark.parametrize("who", EVERYBODY)
def test_an_attack_and_its_result_are_news_for_all(who: Audience) -> None:
    game = Game(units=ATTACK).play(GERMAN, "ATTACK 26 VG D4")
    assert game.view(who).headlines[0] == "Germans attack D4"

    game.play(GM, "RESULT D4 defenders\nLOSSES 26 VG 10")
    assert game.view(who).headlines[0] == "Allies hold D4"


def test_a_side_reads_only_of_its_own_moves() -> None:
    units = {"german": {"26 VG": {"at": "D7"}, "2 Pz": {"at": "A9"}}, "allied": {"28 Inf": {"at": "F2"}}}
    game = Game(units=units).play(GERMAN, "MOVE 26 VG D6\nMOVE 2 Pz A8")

    assert game.view(GERMANS).headlines == ("2 units moved",)
    assert game.view(ALLIES).headlines == game.view(PUBLIC).headlines == ()


def test_a_new_day_begins_with_its_weather() -> None:
    game = Game(units={"german": VG, "allied": US}, phase="allied_sheet").play(ALLIED, "", **NIGHT)

    assert game.view(PUBLIC).headlines == ("Weather: Gloomy", "Air units today: Germans 0, Allies 0")


def test_a_ruling_of_the_gm_is_no_headline() -> None:
    ruling = Ruling(PhaseKey("german_end"), Controlled(PlaceId("D6"), GERMAN), "a typing error")
    game = Game(map=BASTOGNE, units={"german": VG, "allied": {}}).play_all({GERMANS: ""}, rulings=[ruling])

    assert any("GM ruling" in line.text for line in game.view(PUBLIC).log)
    assert game.view(PUBLIC).headlines == ()


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_headline_is_about_lines_of_the_same_report(who: Audience) -> None:
    game = Game(map=BASTOGNE, units={"german": VG, "allied": {}}).play(GERMAN, "MOVE 26 VG D6")
    told: list[Disclosure[Any]] = [line for line in disclose(game.events, who) if type(line.fact) in HEADLINES]
    rules = {line.rule for line in game.view(who).log}

    assert {line.rule for line in told} <= rules
    assert len(game.view(who).headlines) == len({type(line.fact) for line in told})


# --- many at once ----------------------------------------------------------------------------------------------------


def test_battles_are_listed_by_who_won_and_the_dearest_place_comes_first() -> None:
    won = [BattleFought(at, GERMAN, Winner.ATTACKERS) for at in places("A1", "A2", "D6")]
    held = [BattleFought(at, GERMAN, Winner.DEFENDERS) for at in places("B1")]

    assert said(*won, *held) == ["Germans win at Bastogne (D6), A1 and A2; Allies hold B1"]


def test_only_the_last_result_of_a_hex_counts() -> None:
    (at,) = places("A1")
    first, last = BattleFought(at, GERMAN, Winner.ATTACKERS), BattleFought(at, ALLIED, Winner.DEFENDERS)

    assert said(first, last) == ["Germans hold A1"]


def test_a_long_list_counts_the_rest() -> None:
    won = [BattleFought(at, ALLIED, Winner.ATTACKERS) for at in places("A1", "A2", "A3", "A4", "A5", "A6")]

    assert said(*won) == ["Allies win at A1, A2, A3, A4 and 2 more"]
    assert said(*won[:5]) == ["Allies win at A1, A2, A3, A4 and A5"]


def test_the_destroyed_are_named_with_their_side() -> None:
    (at,) = places("A1")
    lost = [
        Destroyed(side, UnitId(label), label, at, Cause.LOSSES)
        for side, label in ((ALLIED, "14 Cav"), (GERMAN, "3 FJ"))
    ]

    assert said(*lost) == ["Destroyed: 3 FJ (Germans); 14 Cav (Allies)"]


def test_moves_that_ended_early_are_named() -> None:
    start, next_, goal = places("D7", "D6", "D5")
    moved = Moved(GERMAN, UnitId("26 VG"), start, (next_,), 1)

    assert said(moved) == ["1 unit moved"]
    assert said(replace(moved, stop_reason=StopReason.ENEMY, before=goal)) == [
        "1 unit moved; did not get as far as ordered: 26 VG"
    ]
    assert said(replace(moved, path=(), stop_reason=StopReason.FUEL, before=next_)) == [
        "Did not get as far as ordered: 26 VG"
    ]


def test_of_many_units_that_stopped_early_the_first_are_named_and_the_rest_counted() -> None:
    at, next_ = places("D7", "D6")
    labels = [f"{number} VG" for number in range(1, 8)]
    game = Game(units={"german": {label: {} for label in labels}, "allied": {}})
    stopped = [Moved(GERMAN, UnitId(label), at, (), 0, stop_reason=StopReason.FUEL, before=next_) for label in labels]

    text = HEADLINES[Moved](Speaker(game.game_data, state_known_to(game.state, GM)), stopped)
    assert text == "Did not get as far as ordered: 1 VG, 2 VG, 3 VG, 4 VG and 3 more"


def test_a_number_agrees_with_its_noun() -> None:
    (at,) = places("D6")

    assert said(DepotCaptured(at, 1)) == ["Germans capture fuel at Bastogne (D6): 1 point"]
