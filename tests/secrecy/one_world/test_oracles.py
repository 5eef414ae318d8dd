"""Checking a sheet is no oracle: every question whose true answer would reveal a hidden enemy.

Each is asked in every hex in two positions that its side cannot distinguish. Resolving the same sheet shows that the
positions do differ.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.dice import KeyedDice
from campaign.engine.display.views import View
from campaign.engine.orders.notation import parse
from campaign.engine.ruleset import Scenario
from campaign.engine.state import known_state
from campaign.engine.values.ids import Audience, SideId
from campaign.engine.values.value import encode, replace
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.day.sighting import sightings
from campaign.rulesets.forum_campaign.model.game_data import SIDES
from tests.laws.games import dice_of

PLAIN = {"size": "A1-G12"}
ROAD = {"size": "A1-G12", "roads": {"primary": ["D12-D11-D10-D9-D8-D7-D6-D5-D4-D3-D2-D1"]}}
DEPOT = {"size": "A1-G12", "towns": [{"hex": "D6", "name": "Spa", "depot": 4}]}
DROP = {"size": "O1-U12"}
ARMOUR = {"at": "D9", "class": "armor"}
INFANTRY = {"at": "D9"}
NOBODY: dict[str, Any] = {}


@dataclass(frozen=True)
class Oracle:
    """A question, the side that asks it, and two sets of hidden enemies."""

    name: str
    side: str
    own: Mapping[str, Any]
    one: Mapping[str, Any]
    two: Mapping[str, Any]
    asks: str
    """A line of a sheet, for every hex."""
    orders: str
    """Orders whose true result depends on the enemy."""
    position: Mapping[str, Any] = field(default_factory=dict)
    positions: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})
    """The enemy's prepared positions."""
    sees: str = ""


_ALLIED = {"phase": "allied_sheet"}
_AIR = {"phase": "air", "date": "1944-12-17", "air": {"german": {"available": 2}, "allied": {"available": 2}}}

ORACLES = (
    Oracle("the allowance without contact", "german", {"2 Pz": ARMOUR}, {"28 Inf": {"at": "C5"}}, NOBODY,
           "MOVE 2 Pz to {hex}", "MOVE 2 Pz D8-D7-D6-D5-D4-D3", {"map": ROAD}),
    Oracle("road rates in an enemy zone", "german", {"26 VG": INFANTRY}, {"28 Inf": {"at": "E6"}}, NOBODY,
           "THEN 26 VG to {hex}", "MOVE 26 VG D8-D7-D6-D5-D4", {"map": ROAD}),
    Oracle("entry into an enemy hex", "german", {"2 Pz": ARMOUR}, {"28 Inf": {"at": "D7"}}, NOBODY,
           "MOVE 2 Pz to {hex}", "MOVE 2 Pz D8-D7-D6"),
    Oracle("an attack on a hex that may be empty", "german", {"26 VG": INFANTRY}, {"28 Inf": {"at": "D8"}}, NOBODY,
           "ATTACK 26 VG {hex}", "ATTACK 26 VG D8"),
    Oracle("the hex of the drop", "german", {"KG Heydte": {"class": "airborne", "arrives": "1944-12-17"}},
           {"28 Inf": {"at": "S5"}}, NOBODY, "PARADROP KG Heydte {hex}", "PARADROP KG Heydte S6",
           {**_AIR, "map": DROP, "options": {"whole_drop_zone": "yes"}}),
    Oracle("depots that may be demolished", "allied", {"28 Inf": {"at": "D3"}}, {"26 VG": {"at": "D8"}}, NOBODY,
           "DEMOLISH {hex}", "", {**_ALLIED, "map": DEPOT}),
    Oracle("a commando's hex", "allied", {"28 Inf": {"at": "D3"}},
           {"CDO1": {"at": "D5", "class": "commando", "size": "small"}}, NOBODY,
           "MOVE 28 Inf to {hex}", "MOVE 28 Inf D4-D5-D6", _ALLIED),
    Oracle("purchases out of enemy zones", "allied", {"28 Inf": {"at": "D3", "strength": 50}}, {"26 VG": {"at": "D4"}},
           NOBODY, "BUY 28 Inf men", "", {**_AIR, "map": PLAIN}),
    Oracle("supply lines", "allied", {"28 Inf": {"at": "D6", "supplied": False}}, {"26 VG": {"at": "D4"}}, NOBODY,
           "MOVE 28 Inf to {hex}", "", _ALLIED),
    Oracle("targets of interdiction", "allied", {"28 Inf": {"at": "B4"}}, {"12 VG": {"at": "B7"}},
           {"12 VG": {"at": "B9"}}, "INTERDICT {hex} 1", "", {**_AIR, "map": PLAIN}),
    Oracle("stacking with detachments that nobody sees", "german", {"26 VG": INFANTRY, "2 Pz": {**ARMOUR, "at": "D10"}},
           {"TF": {"at": "D7", "size": "small"}, "28 Inf": {"at": "C4"}}, {"28 Inf": {"at": "C4"}},
           "MOVE 26 VG to {hex}", "MOVE 26 VG D8-D7"),
    Oracle("prepared positions", "german", {"26 VG": INFANTRY}, {"28 Inf": {"at": "D8"}}, {"28 Inf": {"at": "D8"}},
           "ATTACK 26 VG {hex}", "ATTACK 26 VG D8", positions=({"D8": 2}, {}), sees="D8"),
    Oracle("what the enemy's fuel is spent on", "allied", {"28 Inf": {"at": "D3"}},
           {"2 Pz": {**ARMOUR, "moved": True, "spent": 4}}, {"26 VG": {**INFANTRY, "moved": True, "spent": 3}},
           "MOVE 28 Inf to {hex}", "", _ALLIED),
)  # fmt: skip


@cache
def charts() -> dict[str, str]:
    return scenario_files(find_scenario("forum_campaign/ardennes-1944"))


def positions(oracle: Oracle) -> list[Scenario[Any, Any]]:
    enemy = next(side for side in SIDES if side != oracle.side)
    return [
        RULESET.read_case(
            {
                "map": PLAIN,
                **oracle.position,
                "units": {oracle.side: dict(oracle.own), enemy: dict(hidden)},
                "sees": {oracle.side: oracle.sees},
                "positions": {enemy: dict(dug)},
            },
            charts(),
        )
        for hidden, dug in zip((oracle.one, oracle.two), oracle.positions, strict=True)
    ]


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)
def test_the_answer_is_the_same_in_every_hex(oracle: Oracle) -> None:
    one, two = positions(oracle)
    side = SideId(oracle.side)
    assert encode(one.start) != encode(two.start)
    assert encode(known_state(one.start, (side,))) == encode(known_state(two.start, (side,)))
    answers = 0
    for place in one.game_data.board.places:
        text = oracle.asks.format(hex=place)
        assert answered(one, side, text) == answered(two, side, text), text
        answers += 1
    assert answers > 80


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)
def test_what_maps_show_is_the_same(oracle: Oracle) -> None:
    """Above all, routes of missing supply: a unit that its side does not see may really bar them."""
    one, two = (_shown(scenario, SideId(oracle.side)) for scenario in positions(oracle))
    assert encode(one) == encode(two)


def test_supply_is_barred_on_the_map_by_those_who_are_seen_and_nobody_else() -> None:
    (oracle,) = (oracle for oracle in ORACLES if oracle.name == "supply lines")
    narrow = dataclasses.replace(oracle, position={**oracle.position, "map": {"size": "C1-E12"}})
    (unseen, _), (seen, _) = positions(narrow), positions(dataclasses.replace(narrow, sees="D4"))
    assert _shown(unseen, SideId("allied")).traces == ()
    assert len(_shown(seen, SideId("allied")).traces) == 1


@pytest.mark.parametrize("oracle", [each for each in ORACLES if each.orders], ids=lambda oracle: oracle.name)
def test_a_sheet_that_is_legal_as_far_as_is_known_has_another_result_in_truth(oracle: Oracle) -> None:
    one, two = positions(oracle)
    side = SideId(oracle.side)
    checked = answered(one, side, oracle.orders)
    assert not [each for each in checked.problems if each.severity.value == "error"]
    assert carried_out(one, side, oracle.orders).state.own != carried_out(two, side, oracle.orders).state.own


@pytest.mark.parametrize("steps", [2, 3])
@pytest.mark.parametrize(("a", "b"), [("infantry", "airborne"), ("mechanized", "mechanized")])
def test_all_units_of_a_type_look_alike_from_afar(steps: int, a: str, b: str) -> None:
    """Names, strength and size differ; what is seen at 2 and 3 hexes does not."""
    pictures = []
    for name, kind, strength, size in (("28 Inf", a, 100, "full"), ("101 Abn", b, 55, "small")):
        enemy = {name: {"at": f"D{9 - steps}", "class": kind, "strength": strength, "size": size}}
        scenario = RULESET.read_case({"map": PLAIN, "units": {"german": {"2 Pz": ARMOUR}, "allied": enemy}}, charts())
        pictures.append(sightings(scenario.game_data, scenario.start, SideId("german")))
    assert pictures[0] == pictures[1]
    assert len(pictures[0]) == 1


def test_the_retreats_of_the_defeated_are_listed_as_far_as_is_known() -> None:
    """The brief of a battle lists hexes for its defenders; an unseen German unit bars none of them there."""
    briefs = []
    for hidden in (NOBODY, {"9 Pz": {"at": "E5", "class": "armor"}}):
        units = {"german": {"26 VG": INFANTRY, **hidden}, "allied": {"28 Inf": {"at": "D8"}}}
        scenario = RULESET.read_case({"map": PLAIN, "units": units, "sees": {"german": "D8", "allied": "D9"}}, charts())
        state = carried_out(scenario, SideId("german"), "ATTACK 26 VG D8").state
        allied = known_state(state, (SideId("allied"),))
        assert RULESET.outside is not None
        briefs.append(RULESET.outside.brief(scenario.game_data, allied, Audience("allied"), "D8", {}))
    assert briefs[0] == briefs[1]
    assert "retreats" in {section.key for section in briefs[0].sections}


def _shown(scenario: Scenario[Any, Any], side: SideId) -> View:
    view: View = RULESET.show(scenario.game_data, known_state(scenario.start, (side,)), Audience(side), ())
    return view


def answered(scenario: Scenario[Any, Any], side: SideId, text: str) -> Any:
    """The answer to a side's sheet, from its player's state."""
    known = known_state(scenario.start, (side,))
    kinds = RULESET.phase(RULESET.now(known)).orders
    sheet = parse(text, kinds, RULESET.names(scenario.game_data, known))
    checked = RULESET.check(scenario.game_data, known, Audience(side), sheet.orders)
    return replace(checked, problems=(*sheet.problems, *checked.problems))


def carried_out(scenario: Scenario[Any, Any], side: SideId, text: str) -> Resolution[Any]:
    """The true resolution of a sheet."""
    known = known_state(scenario.start, (side,))
    phase = RULESET.phase(RULESET.now(known))
    orders = parse(text, phase.orders, RULESET.names(scenario.game_data, known)).orders
    dice: KeyedDice = dice_of(RULESET, 1, 1)
    return adjudicate(RULESET, scenario.game_data, scenario.start, {Audience(side): orders}, dice=dice)
