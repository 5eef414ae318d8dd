"""Searches against networkx, on random boards: areas that adjoin at random, and hex maps with holes."""

from collections.abc import Collection
from itertools import pairwise

import networkx
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.board.board import Board
from campaign.engine.board.hexes import Grid
from campaign.engine.board.paths import Costs, Steps, reach, shortest_path
from campaign.engine.values.ids import PlaceId

Edge = tuple[PlaceId, PlaceId]
Terrain = tuple[Board, dict[Edge, int]]
"""A board, and what its steps cost; a step without a cost cannot be taken."""

AREAS = [PlaceId(name) for name in "abcdefghijkl"]
HEXES = [PlaceId(f"{row}{column}") for row in "ABCDEF" for column in range(1, 8)]


@st.composite
def areas(draw: st.DrawFn) -> Board:
    names = draw(st.lists(st.sampled_from(AREAS), min_size=1, unique=True))
    pairs = draw(st.sets(st.tuples(st.sampled_from(names), st.sampled_from(names))))
    linked = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
    return Board({at: [near for near in names if {at, near} in linked] for at in names})


hex_maps = st.lists(st.sampled_from(HEXES), min_size=1, unique=True).map(lambda places: Grid.of(places).board())


@st.composite
def terrains(draw: st.DrawFn) -> Terrain:
    """Steps cost 1 to 5, one way something else than the other; some are closed."""
    board = draw(st.one_of(areas(), hex_maps))
    steps = [(at, near) for at in board.places for near in board.neighbours(at)]
    drawn = draw(st.lists(st.integers(0, 5), min_size=len(steps), max_size=len(steps)))
    return board, {step: cost for step, cost in zip(steps, drawn, strict=True) if cost}


def _steps(terrain: Terrain) -> Steps:
    board, prices = terrain
    return lambda at: [(near, prices[at, near]) for near in board.neighbours(at) if (at, near) in prices]


def _costs(terrain: Terrain, closed: Collection[PlaceId] = ()) -> Costs:
    return Costs(terrain[0], _steps(terrain), closed=closed)


def _graph(terrain: Terrain) -> networkx.DiGraph:
    graph = networkx.DiGraph()
    graph.add_nodes_from(terrain[0].places)
    graph.add_weighted_edges_from((a, b, cost) for (a, b), cost in terrain[1].items())
    return graph


def _set_of(data: st.DataObject, board: Board) -> set[PlaceId]:
    return data.draw(st.sets(st.sampled_from(board.places)))


@given(terrains(), st.integers(0, 14), st.data())
def test_reach_is_what_networkx_says(terrain: Terrain, budget: int, data: st.DataObject) -> None:
    start, avoid = data.draw(st.sampled_from(terrain[0].places)), _set_of(data, terrain[0])
    found = reach(_costs(terrain, avoid), start, budget=budget)
    graph = _graph(terrain)
    graph.remove_nodes_from(avoid - {start})
    assert found.costs == networkx.single_source_dijkstra_path_length(graph, start, cutoff=budget)


@given(terrains(), st.integers(0, 14), st.data())
def test_every_way_costs_what_reach_says(terrain: Terrain, budget: int, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(terrain[0].places))
    found = reach(_costs(terrain), start, budget=budget)
    for place, cost in found.costs.items():
        way = (start, *found.way(place))
        assert way[-1] == place
        assert sum(terrain[1][step] for step in pairwise(way)) == cost


@given(terrains(), st.integers(-1, 14), st.data())
def test_a_shortest_path_is_the_way_there(terrain: Terrain, budget: int, data: st.DataObject) -> None:
    board = terrain[0]
    start, goal = data.draw(st.sampled_from(board.places)), data.draw(st.sampled_from(board.places))
    costs = _costs(terrain, _set_of(data, board))
    path = shortest_path(costs, start, goal, budget=budget)
    found = reach(costs, start, budget=budget)
    assert path == (found.way(goal) if goal in found.costs else None)


@given(terrains(), st.integers(0, 12), st.integers(0, 4), st.data())
def test_no_path_leads_on_from_where_paths_end(terrain: Terrain, budget: int, less: int, data: st.DataObject) -> None:
    """Up to there less may be spent than elsewhere."""
    board, prices = terrain
    start, ends = data.draw(st.sampled_from(board.places)), _set_of(data, board)
    costs = Costs(board, _steps(terrain), ends=ends)
    graph = _graph((board, {step: cost for step, cost in prices.items() if step[0] not in ends - {start}}))
    expected = networkx.single_source_dijkstra_path_length(graph, start, cutoff=budget)
    assert reach(costs, start, budget=budget).costs == expected
    found = reach(costs, start, budget=budget, budget_in_ends=budget - less).costs
    assert found == {at: c for at, c in expected.items() if c <= budget - less * (at in ends) or at == start}


@given(terrains(), st.integers(0, 9), st.data())
def test_altered_costs_are_those_of_the_altered_board(terrain: Terrain, budget: int, data: st.DataObject) -> None:
    """Costs made from others, and the others after them, answer as if made from nothing."""
    board, prices = terrain
    dear, start = _set_of(data, board), data.draw(st.sampled_from(board.places))
    altered = board, {(at, near): cost + 2 * (at in dear) for (at, near), cost in prices.items()}
    common = _costs(terrain).worked_out()
    found = reach(common.altered(_steps(altered), at=dear), start, budget=budget)
    assert found.costs == reach(_costs(altered), start, budget=budget).costs
    assert reach(common, start, budget=budget).costs == reach(_costs(terrain), start, budget=budget).costs


@given(terrains(), st.integers(0, 12), st.integers(0, 4), st.data())
def test_beyond_lies_what_a_detour_through_closed_places_adds(
    terrain: Terrain, budget: int, less: int, data: st.DataObject
) -> None:
    """As if both ways were searched from the start, and the one clear of them came first."""
    board = terrain[0]
    closed = _set_of(data, board)
    start = data.draw(st.sampled_from(board.places))
    closed.discard(start)
    clear = reach(_costs(terrain, closed), start, budget=budget).costs
    costs = _costs(terrain)
    through = reach(costs, start, budget=max(budget - less, 0)).costs
    up_to_closed = costs.ending(closed)
    found = reach(up_to_closed, start, budget=budget, budget_in_ends=budget - less)
    assert {**found.costs, **found.beyond(costs, budget=budget - less)} == {**through, **clear}
    assert found.beyond(up_to_closed, budget=budget - less) == {}


@given(terrains(), st.data())
def test_a_flood_is_what_networkx_says(terrain: Terrain, data: st.DataObject) -> None:
    board = terrain[0]
    barred = _set_of(data, board)
    sources = _set_of(data, board) - barred
    graph = networkx.Graph([(at, near) for at in board.places for near in board.neighbours(at)])
    graph.add_nodes_from(board.places)
    graph.remove_nodes_from(barred)
    flooded = board.flood(board.bits(sources), barred=board.bits(barred))
    assert board.places_of(flooded) == sources.union(*(networkx.descendants(graph, at) for at in sources))


@given(st.one_of(areas(), hex_maps), st.data())
def test_bits_are_sets_of_places(board: Board, data: st.DataObject) -> None:
    places = _set_of(data, board)
    bits = board.bits(places)
    assert board.places_of(bits) == places
    assert {place for place in board.places if board.holds(bits, place)} == places
    assert board.places_of(board.around(bits)) == {near for at in places for near in board.neighbours(at)}


@given(st.one_of(areas(), hex_maps), st.data())
def test_edges_can_be_taken_away(board: Board, data: st.DataObject) -> None:
    edges = [(at, near) for at in board.places for near in board.neighbours(at)]
    closed = data.draw(st.sets(st.sampled_from(edges))) if edges else set()
    left = board.without(frozenset(closed))
    assert {(at, near) for at in left.places for near in left.neighbours(at)} == {*edges} - closed
    assert left.numbers == board.numbers
