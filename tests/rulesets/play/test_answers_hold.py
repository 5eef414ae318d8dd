"""Where a side sees everything, the answer to a sheet is what happens: over random sheets, and those that were found.

R4.7 aside, which is about enemies that nobody has seen, an answer has no excuse: see `plain_sight`.
"""

import pytest

from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.scenario.case import read_case
from tests.rulesets.plain_sight import FILES, breaches, play, position_of, sees_everything, sheet_of

SHEETS = 300
"""By hand more: see `plain_sight`."""


@pytest.mark.parametrize("tenth", range(10))
def test_the_answer_to_a_sheet_is_what_happens(tenth: int) -> None:
    seeds = range(tenth * SHEETS // 10, (tenth + 1) * SHEETS // 10)
    assert {seed: found for seed in seeds if (found := breaches(seed))} == {}


def test_the_random_sheets_have_lines_of_every_sort_that_count_and_that_do_not() -> None:
    counted: set[str] = set()
    refused: set[str] = set()
    for seed in range(SHEETS):
        side, scenario = position_of(seed)
        played = play(scenario, side, sheet_of(seed, scenario, side))
        accepted = {placed.line for placed in played.accepted}
        for placed in played.read.lines:
            (counted if placed.line in accepted else refused).add(type(placed.order).__name__)
    kinds = {"Move", "Then", "Detach", "Rejoin", "Attack", "Artillery", "Cas", "Follow", "Airdrop", "Hold"}
    assert (counted, refused) == (kinds, kinds)


def test_an_attack_on_contact_that_comes_too_late_promises_no_hex() -> None:
    """It moves past what an attacker may spend, and is next to the enemy then."""
    units = {"german": {"12 VG": {"at": "C8"}}, "allied": {"28 Inf": {"at": "C3"}}}
    scenario = read_case(
        {"map": {"size": "A1-E8"}, "units": units, "charts": {"sight": {"identity": 9, "type": 9}}}, FILES
    )
    assert sees_everything(scenario, GERMAN)
    played = play(scenario, GERMAN, "MOVE 12 VG C7-C6-C5-C4\nATTACK 12 VG contact")
    assert [each.text for each in played.answer.understood if each.line == 2] == [
        "12 VG attacks the first enemy that it meets"
    ]
