"""A move that leads nowhere: the answer says why, and names the nearest hex that the unit can reach."""

import pytest

from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.scenario.case import read_case
from tests.rulesets.plain_sight import FILES, play


@pytest.mark.parametrize(
    ("units", "line", "message", "hint"),
    [
        (
            {"german": {"12 VG": {"at": "C5"}}, "allied": {"28 Inf": {"at": "C3"}}},
            "MOVE 12 VG to C3",
            "12 VG cannot enter C3; an enemy unit is there, as far as you know",
            "Nearest hex that it can reach: C4. Write: MOVE 12 VG to C4",
        ),
        (
            {"german": {"12 VG": {"at": "C4"}}, "allied": {"28 Inf": {"at": "C3"}}},
            "MOVE 12 VG to C3",
            "12 VG cannot enter C3; an enemy unit is there, as far as you know",
            "It cannot get any nearer today.",
        ),
        (
            {"german": {name: {"at": "C4"} for name in ("1 SS", "2 Pz", "12 VG")} | {"26 VG": {"at": "C5"}}}
            | {"allied": {"28 Inf": {"at": "C3"}}},
            "MOVE 26 VG to C3",
            "26 VG cannot enter C3; an enemy unit is there, as far as you know",
            "Nearest hex that it can reach: B4. Write: MOVE 26 VG to B4",
        ),
    ],
)
def test_a_move_onto_the_enemy_names_the_nearest_hex(
    units: dict[str, dict[str, dict[str, str]]], line: str, message: str, hint: str
) -> None:
    case = {"map": {"size": "A1-E8"}, "units": units, "charts": {"sight": {"identity": 9, "type": 9}}}
    scenario = read_case(case, FILES)
    played = play(scenario, GERMAN, line)
    problem = next(each for each in played.answer.problems if each.line == 1)
    assert (problem.code, problem.message, problem.hint) == ("no-way", message, hint)
    _, written, instead = hint.partition("Write: ")
    assert not written or all(each.line != 1 for each in play(scenario, GERMAN, instead).answer.problems)
