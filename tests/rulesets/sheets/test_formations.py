"""What a side can assign to its desks."""

from campaign.engine.state import known_state, with_open
from campaign.engine.values.ids import PhaseKey, SideId
from campaign.game.loading import find_scenario, load_scenario

ARDENNES = load_scenario(find_scenario("forum_campaign/ardennes-1944"))


def formations(*sides: str) -> dict[str, frozenset[str]]:
    known = known_state(ARDENNES.scenario.start, {SideId(side) for side in sides})
    return dict(ARDENNES.rules.formations(ARDENNES.scenario.game_data, known))


def test_armies_and_their_corps_are_a_sides_formations() -> None:
    german = formations("german")
    assert german["7th Army, LXXX"] == {"G-276VG", "G-212VG"}
    assert german["7th Army, LXXX"] < german["7th Army"]
    assert "G-PEIPER" in german["6th Panzer Army, I SS Pz"]


def test_the_parts_of_a_corps_that_serves_two_armies_differ_in_name() -> None:
    assert formations("german")["5th Panzer Army, I SS Pz"] == {"G-340VG"}


def test_a_task_force_that_a_sheet_may_create_is_its_units_formations_while_the_sheet_is_open() -> None:
    sheet = with_open(ARDENNES.scenario.start, phase=PhaseKey("german_sheet"))
    german, allied = (
        ARDENNES.rules.formations(ARDENNES.scenario.game_data, known_state(sheet, {SideId(side)}))
        for side in ("german", "allied")
    )
    assert german["7th Army, LXXX"] == {"G-276VG", "KG 276 VG", "G-212VG", "KG 212 VG"}
    assert "KG KG Peiper" not in german["6th Panzer Army, I SS Pz"], "small from the start"
    assert allied == formations("allied")


def test_a_side_knows_its_own_formations_only() -> None:
    german, allied = formations("german"), formations("allied")
    assert not set(german) & set(allied)
    assert all(unit.startswith("G-") for units in german.values() for unit in units)
    assert formations() == {}
