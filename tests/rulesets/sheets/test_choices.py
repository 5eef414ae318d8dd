"""What is offered is all that the checker lets pass: every order that could be written is tried on a small map."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Hold, Order, Placed, Severity
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, PlaceId, UnitId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model import orders as o
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Box, GameData, Goods
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import State, Unit, Winner
from campaign.rulesets.forum_campaign.movement.walking import cheapest_path
from campaign.rulesets.forum_campaign.scenario.case import read_case

FILES = scenario_files(find_scenario("forum_campaign/ardennes-1944"))
PLAIN = {"size": "A1-C6", "towns": [{"hex": "B2", "name": "Spa", "depot": 4}], "roads": {"primary": ["B1-B2-B3-B4-B5"]}}
GERMANS = {
    "2 Pz": {"at": "B5", "class": "armor", "tanks": 3, "heavy_tanks": 1},
    "12 VG": {"at": "B4"},
    "12 VG TF": {"at": "B4", "size": "small", "parent": "12 VG"},
    "Stielau": {"at": "B4", "class": "commando"},
}
ALLIES = {"28 Inf": {"at": "B3", "tanks": 1}, "7 Arm": {"at": "A1", "class": "armor", "supplied": False}}


AIR = {
    "german": {"available": 3, "boxes": {"cas": 2}},
    "allied": {"available": 3, "boxes": {"interdiction": 2, "drop": 2}},
}


def position(**more: object) -> tuple[GameData, State]:
    raw = {"map": PLAIN, "units": {"german": GERMANS, "allied": ALLIES}, **more}
    scenario = read_case(raw, FILES)
    return scenario.game_data, scenario.start


def after(game_data: GameData, state: State, who: Audience, text: str) -> State:
    """The next phase in which someone acts."""
    sheet = parse(text, RULESET.phase(RULESET.now(state)).orders, RULESET.names(game_data, state_known_to(state, who)))
    return adjudicate(RULESET, game_data, state, {who: sheet.orders}, dice=ScriptedDice({})).state


def every_order(game_data: GameData, state: State, unit: UnitId | None) -> Iterator[Order]:
    """All that can be said in the open phase of a unit, or of none, with free text and paths left out."""
    units = sorted(unit for own in state.own.values() for unit in own.units)
    places = sorted(game_data.hexes)
    counts = range(5)
    fields: Mapping[type[Order], Iterable[Mapping[str, Any]]] = {
        o.Move: by(to=places),
        o.Then: by(to=places),
        Hold: by(),
        o.Attack: [*by(at=places), {"contact": True}],
        o.Detach: by(tanks=counts),
        o.Rejoin: by(),
        o.Cas: by(air_units=range(1, 5)),
        o.Artillery: by(),
        o.Follow: by(leader=units),
        o.Demolish: by(at=places),
        o.Air: by(superiority=counts, cas=counts, interdiction=counts, drop=counts),
        o.Remove: by(box=Box),
        o.Interdict: by(at=places, air_units=range(1, 5)),
        o.Airdrop: by(),
        o.Paradrop: by(at=places),
        o.Buy: by(goods=Goods),
        o.Retreat: by(to=places),
        o.Result: by(at=places, winner=Winner, advance=[None, *units]),
        o.Losses: by(percent=range(1, 102)),
        o.Tanks: by(medium=counts, heavy=counts),
        o.Pursue: by(to=places),
        o.Withdrawal: by(at=places, minute=range(62)),
        o.Decide: by(at=places),
    }
    for kind in RULESET.phase(RULESET.now(state)).orders:
        if ("unit" in kind.__struct_fields__) == (unit is not None):
            for values in fields.get(kind, ()):
                yield kind(**values, **({} if unit is None else {"unit": unit}))


def by(**values: Iterable[Any]) -> list[Mapping[str, Any]]:
    """Every combination of what the fields may be."""
    return [dict(zip(values, each, strict=True)) for each in product(*values.values())]


def passing(game_data: GameData, state: State, who: Audience, unit: UnitId | None, sheet: list[Placed]) -> list[Order]:
    known, line = state_known_to(state, who), len(sheet) + 1
    found = []
    for order in every_order(game_data, state, unit):
        problems = RULESET.check(game_data, known, who, [*sheet, Placed(order, line)]).problems
        if not any(each.line == line and each.severity is Severity.ERROR for each in problems):
            found.append(order)
    return found


def offered(game_data: GameData, state: State, who: Audience, unit: UnitId | None, sheet: list[Placed]) -> list[Order]:
    found = RULESET.choices(game_data, state_known_to(state, who), who, unit, sheet)
    assert len(set(found)) == len(found)
    return list(found)


def assert_all_is_offered(game_data: GameData, state: State, who: Audience, text: str = "") -> None:
    """Whatever passes is offered, if it does anything.

    Marches that the battles must first make way for are not, and of the ways to send out air units only some.
    """
    known = state_known_to(state, who)
    sheet = list(parse(text, RULESET.phase(RULESET.now(state)).orders, RULESET.names(game_data, known)).orders)
    for unit in (None, *sorted(unit for own in known.own.values() for unit in own.units)):
        found, possible = offered(game_data, state, who, unit, sheet), passing(game_data, state, who, unit, sheet)
        plots = {order for order in possible if isinstance(order, o.Then)}
        assert {order for order in found if isinstance(order, o.Then)} <= plots
        rest = plots | {order for order in possible if isinstance(order, o.Air)}
        assert {*found} <= {*possible}
        assert {*found} | rest == {*possible} | rest


@pytest.mark.parametrize("sheet", ["", "MOVE 2 Pz B5-B6", "DETACH 2 Pz tanks 1", "HOLD 12 VG\nATTACK 2 Pz B4"])
def test_a_german_sheet(sheet: str) -> None:
    assert_all_is_offered(*position(air=AIR), audience_of(GERMAN), sheet)


def test_a_german_sheet_without_fuel() -> None:
    assert_all_is_offered(*position(fuel=0), audience_of(GERMAN))


def test_an_allied_sheet() -> None:
    assert_all_is_offered(*position(air=AIR, phase="allied_sheet"), audience_of(ALLIED))


@pytest.mark.parametrize("who", [audience_of(GERMAN), audience_of(ALLIED)])
def test_choices_of_the_air_phase(who: Audience) -> None:
    assert_all_is_offered(*position(air=AIR, phase="air"), who)


@pytest.mark.parametrize("available", [0, 1, 2, 10])
def test_air_units_are_offered_in_one_box_or_shared_between_two(available: int) -> None:
    """However many there are: ten Allied ones could be sent out in a thousand ways."""
    game_data, state = position(air={"allied": {"available": available}}, phase="air")
    sent = [order for order in offered(game_data, state, audience_of(ALLIED), None, []) if isinstance(order, o.Air)]
    boxes = [[units for units in (each.superiority, each.cas, each.interdiction, each.drop) if units] for each in sent]
    assert all(sum(units) == available and 1 <= len(units) <= 2 for units in boxes)
    alone = sum(len(units) == 1 for units in boxes)
    assert alone == (3 if available else 0), "this weather bars drops"
    assert len(sent) == alone + 3 * max(available - 1, 0)
    further = offered(game_data, state, audience_of(ALLIED), None, [Placed(o.Air(1), 1)])
    assert not any(isinstance(order, o.Air) for order in further)


def test_moves_to_a_place_are_not_searched_for_again_with_every_check(monkeypatch: pytest.MonkeyPatch) -> None:
    game_data, state = position()
    mover, searched = UnitId("12 VG"), list[UnitId]()
    march = next(each for each in offered(game_data, state, audience_of(GERMAN), mover, []) if isinstance(each, o.Move))

    def search(situation: Situation, unit: Unit, goal: PlaceId) -> tuple[PlaceId, ...] | None:
        searched.append(unit.id)
        return cheapest_path(situation, unit, goal)

    monkeypatch.setattr("campaign.rulesets.forum_campaign.sheets.reading.cheapest_path", search)
    assert len(offered(game_data, state, audience_of(GERMAN), UnitId("Stielau"), [Placed(march, 1)])) > 3
    assert searched.count(mover) == 1


def test_a_plot_leads_wherever_saved_movement_lasts_if_the_battles_change_nothing() -> None:
    """R4.5 As far as a march, and into B4, which may have room by then."""
    game_data, state = position()
    found = offered(game_data, state, audience_of(GERMAN), UnitId("2 Pz"), [])
    moves = {order.to for order in found if isinstance(order, o.Move)}
    assert {order.to for order in found if isinstance(order, o.Then)} == moves | {PlaceId("B4")}


def results() -> tuple[GameData, State]:
    game_data, state = position()
    text = "ATTACK 12 VG B3\nATTACK 12 VG TF B3"
    state = after(game_data, state, audience_of(GERMAN), text)
    assert RULESET.now(state) == "german_battles"
    return game_data, state


def test_the_winner_and_the_minute_of_a_withdrawal() -> None:
    """All that passes, but no minute after the battle's last."""
    game_data, state = results()
    late = o.Withdrawal(PlaceId("B3"), 61)
    assert set(offered(game_data, state, GM, None, [])) == set(passing(game_data, state, GM, None, [])) - {late}


def test_what_the_units_of_a_battle_lose_and_where_they_go() -> None:
    """Tanks are those that a unit has, and a retreat leads where it may at present."""
    game_data, state = results()
    won = [Placed(o.Result(PlaceId("B3"), Winner.ATTACKERS), 1)]
    of_28, of_12 = (set(offered(game_data, state, GM, UnitId(unit), won)) for unit in ("28 Inf", "12 VG"))
    assert {order for order in of_28 if isinstance(order, o.Tanks)} == {o.Tanks(UnitId("28 Inf"), 1)}
    assert {order.percent for order in of_28 if isinstance(order, o.Losses)} == set(range(1, 101))
    assert {order.to for order in of_28 if isinstance(order, o.Retreat)} == {"A2", "B2", "C2"}
    assert {type(order) for order in of_12} == {o.Losses}
    assert offered(game_data, state, GM, UnitId("7 Arm"), won) == []


def test_only_the_side_that_acts_has_a_choice() -> None:
    game_data, state = position()
    assert offered(game_data, state, audience_of(ALLIED), UnitId("28 Inf"), []) == []
    assert offered(game_data, state, GM, UnitId("2 Pz"), []) == []
