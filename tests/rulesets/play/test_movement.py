"""What is quick about movement says the same as what gives reasons: over random enemies on the real map."""

from datetime import date
from itertools import pairwise

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.modifiers import total
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Branch, Echelon, GameData, Weather
from campaign.rulesets.forum_campaign.model.movement_costs import Terms, entry_cost, way_cost
from campaign.rulesets.forum_campaign.model.options import Options, ZoneCost
from campaign.rulesets.forum_campaign.model.situation import Basis, Situation
from campaign.rulesets.forum_campaign.model.state import Sighting, Unit, UnitType
from campaign.rulesets.forum_campaign.model.zoc import zone
from campaign.rulesets.forum_campaign.movement import walking
from campaign.rulesets.forum_campaign.movement.reach import Range, reachable
from campaign.rulesets.forum_campaign.movement.walking import allowance, attack_allowance, points, walk

THEATRE: GameData = load_scenario(find_scenario("forum_campaign/ardennes-1944")).scenario.game_data
PLACES = THEATRE.board.places
ROADS = sorted({place for edge in THEATRE.roads for place in edge})

hexes = st.sampled_from(PLACES)
starts = st.one_of(hexes, st.sampled_from(ROADS))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    enemy = draw(st.frozensets(hexes, max_size=25))
    supplied = draw(st.frozensets(st.sampled_from(sorted(enemy)))) if enemy else frozenset()
    seen = draw(st.frozensets(st.sampled_from(sorted(enemy)))) if enemy else frozenset()
    return Situation(
        basis=Basis.TRUTH,
        side=GERMAN,
        date=date(1944, 12, 20),
        terms=Terms(
            game_data=THEATRE,
            weather=draw(st.sampled_from(Weather)),
            options=Options(zone_cost=draw(st.sampled_from(ZoneCost))),
            enemy=enemy,
            zone=zone(THEATRE, enemy),
            costly_zone=zone(THEATRE, supplied),
            commandos=draw(st.frozensets(hexes, max_size=5)),
        ),
        fuel=0,
        units={},
        sightings=tuple(Sighting(at, UnitType.INFANTRY) for at in seen),
        depots={},
        retired=frozenset(),
    )


def test_a_hexside_with_two_rivers_names_both_to_who_crosses() -> None:
    terms = Terms(
        game_data=THEATRE,
        weather=Weather.GLOOMY,
        options=Options(),
        enemy=frozenset(),
        zone=frozenset(),
        costly_zone=frozenset(),
        commandos=frozenset(),
    )
    reasons = [part.reason for part in entry_cost(terms, PlaceId("T12"), PlaceId("T13"))]
    assert "crossing the Ourthe and Amblève" in reasons


@st.composite
def units(draw: st.DrawFn) -> Unit:
    walking = draw(st.integers(0, 5))
    return Unit(
        UnitId("g-1"),
        "1",
        "1st Division",
        draw(st.sampled_from([Branch.ARMOR, Branch.INFANTRY, Branch.MECHANIZED, Branch.AIRBORNE])),
        Echelon.DIVISION,
        small=False,
        small_from_start=False,
        movement=walking,
        at=draw(starts),
        supplied=draw(st.sampled_from([True, True, True, False])),
        spent=draw(st.integers(0, 2)),
        split=draw(st.booleans()),
        debt=draw(st.sampled_from([0, 0, 1, 3])),
        scattered=draw(st.sampled_from([False, False, False, True])),
    )


@given(unit=units(), contact=st.booleans())
def test_points_are_the_sum_of_their_reasons(unit: Unit, *, contact: bool) -> None:
    assert points(unit, contact=contact) == total(allowance(unit, contact=contact))
    assert 0 <= attack_allowance(unit) <= points(unit, contact=contact)


@settings(max_examples=30)
@given(situations(), st.data())
def test_a_movement_cost_is_the_sum_of_its_reasons(situation: Situation, data: st.DataObject) -> None:
    for at in data.draw(st.lists(starts, min_size=20)):
        steps = [(at, near) for near in THEATRE.open_neighbours(at)] + [(None, at)]
        for start, place in steps:
            assert situation.terms.costs.cost(start, place) == total(entry_cost(situation.terms, start, place))


@given(situations(), units(), st.data())
def test_a_path_at_a_glance_is_the_path_step_by_step(situation: Situation, unit: Unit, data: st.DataObject) -> None:
    assert unit.at is not None
    path = _stroll(data, unit.at)
    contact, most = data.draw(st.booleans()), data.draw(st.one_of(st.none(), st.integers(0, 9)))
    found = walk(situation, unit, path, contact=contact, most=most)
    assert found == walking._step_by_step(situation, unit, path, contact=contact, most=most)
    assert found.spent == unit.spent + total(way_cost(situation.terms, unit.at, found.entered))


@given(situations(), units(), st.data())
def test_no_path_leads_into_an_enemy(situation: Situation, unit: Unit, data: st.DataObject) -> None:
    enemy = data.draw(st.sampled_from(sorted(situation.enemy) or PLACES))
    next_to = data.draw(st.sampled_from(THEATRE.open_neighbours(enemy)))
    for way in ((enemy,), (enemy, next_to)):
        found = walk(situation, replace(unit, at=next_to), way)
        assert situation.enemy.isdisjoint(found.entered)


def _stroll(data: st.DataObject, at: PlaceId) -> tuple[PlaceId, ...]:
    """A way from hex to hex; now and then it leaps."""
    path: list[PlaceId] = []
    for _ in range(data.draw(st.integers(0, 6))):
        nexts = THEATRE.board.neighbours(at)
        at = data.draw(st.one_of(st.sampled_from(nexts), st.sampled_from(nexts), hexes))
        path.append(at)
    return tuple(path)


@settings(max_examples=50)
@given(situations(), units())
def test_a_range_is_what_networkx_says(situation: Situation, unit: Unit) -> None:
    """R4.2, R4.3 Clear of the zones on the one allowance, else through them on the other; each way costs as said."""
    found = reachable(situation, unit)
    expected = _through(situation, unit)
    if unit.at not in situation.zone:
        expected |= _clear(situation, unit)
    assert found.costs == expected
    _assert_ways_lead(situation, unit, found)


def _through(situation: Situation, unit: Unit) -> dict[PlaceId, int]:
    """2.10 If a zone of control ends a move, then in its first hex, but for the one in which it begins."""
    graph = _graph(situation)
    if situation.options.zone_cost is ZoneCost.STOP:
        graph.remove_edges_from([(a, b) for a, b in graph.edges if a in situation.zone and a != unit.at])
    return _within(graph, unit, points(unit, contact=True) - unit.spent)


def _clear(situation: Situation, unit: Unit) -> dict[PlaceId, int]:
    graph = _graph(situation)
    graph.remove_nodes_from(situation.zone)
    return _within(graph, unit, points(unit, contact=False) - unit.spent)


def _graph(situation: Situation) -> networkx.DiGraph:
    steps = ((at, near) for at in PLACES for near in THEATRE.open_neighbours(at) if near not in situation.enemy)
    graph = networkx.DiGraph()
    graph.add_nodes_from(PLACES)
    graph.add_weighted_edges_from((a, b, total(entry_cost(situation.terms, a, b))) for a, b in steps)
    return graph


def _within(graph: networkx.DiGraph, unit: Unit, budget: int) -> dict[PlaceId, int]:
    if budget <= 0:
        return {}
    found: dict[PlaceId, int] = networkx.single_source_dijkstra_path_length(graph, unit.at, cutoff=budget)
    return found


def _assert_ways_lead(situation: Situation, unit: Unit, found: Range) -> None:
    for place, way in found.ways():
        walked = walk(situation, unit, way)
        assert walked.entered == way
        assert (way or (unit.at,))[-1] == place
        assert walked.spent == unit.spent + found.costs[place]
        assert all(near in THEATRE.open_neighbours(at) for at, near in pairwise((unit.at, *way)) if at is not None)
