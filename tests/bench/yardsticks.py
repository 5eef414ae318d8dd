"""The searches of a side by networkx and rustworkx."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx
import rustworkx

from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.options import ZoneCost
from campaign.rulesets.forum_campaign.model.situation import as_true
from campaign.rulesets.forum_campaign.model.state import State, on_map
from campaign.rulesets.forum_campaign.movement.walking import points

Costs = Mapping[PlaceId, int]
Search = Callable[[PlaceId, int], Costs]
"""A hex, and the points to spend from it."""
_Step = tuple[PlaceId, PlaceId, int]


@dataclass(frozen=True)
class Answer:
    """The results of a side's searches: the reach of each unit, and the hexes on and next to its supply lines."""

    reach: Sequence[Costs]
    supplied: frozenset[PlaceId]


class Task:
    """A side's searches, with the data for a graph."""

    def __init__(self, game_data: GameData, state: State, side: SideId) -> None:
        situation, cost = as_true(game_data, state, side), as_true(game_data, state, side).terms.costs.cost
        starts = {place for _, place in on_map(state.own[side]) if place in situation.zone}
        self.places = (*game_data.board.places, *map(_leaving, sorted(starts)))
        edges = [(at, near) for at in game_data.board.places for near in game_data.open_neighbours(at)]
        steps: list[_Step] = [(at, near, cost(at, near)) for at, near in edges if near not in situation.enemy]
        self.clear = [step for step in steps if step[1] not in situation.zone]
        ends_there = situation.options.zone_cost is ZoneCost.STOP
        self.through = [step for step in steps if not (ends_there and step[0] in situation.zone)]
        self.through += [(_leaving(at), near, cost) for at, near, cost in steps if at in starts]
        barred = situation.enemy | situation.zone
        self.free = [(at, near) for at, near in edges if at not in barred and near not in barred]
        self.sources = game_data.supply_edge[side] - barred
        self.near = game_data.open_neighbours
        self.zone = situation.zone
        self.fringe = frozenset(near for place in situation.zone for near in game_data.open_neighbours(place))
        self.units = [
            (place, points(unit, contact=False), points(unit, contact=True)) for unit, place in on_map(state.own[side])
        ]

    def answer(self, clear: Search, through: Search, lines: Iterable[PlaceId]) -> Answer:
        """R4.2, R4.3, R7.2 The searches, with either library."""
        lines = frozenset(lines)
        along = lines.union(*map(self.near, lines))
        return Answer([self._range(*unit, clear, through) for unit in self.units], along)

    def _range(self, at: PlaceId, free: int, in_contact: int, clear: Search, through: Search) -> Costs:
        if at in self.zone:
            found = through(_leaving(at), in_contact)
            return {place: cost for place, cost in found.items() if place != _leaving(at)} | {at: 0}
        found = clear(at, free)
        return found if self.fringe.isdisjoint(found) else {**through(at, in_contact), **found}


def _leaving(start: PlaceId) -> PlaceId:
    """The start as a separate node: a zone of control that ends every way (2.10) does not end one that begins there."""
    return PlaceId(f"out of {start}")


def with_networkx(task: Task) -> Answer:
    lines = networkx.Graph(task.free)
    lines.add_nodes_from(task.sources)
    joined: set[PlaceId] = set()
    for source in task.sources:
        if source not in joined:
            joined |= networkx.node_connected_component(lines, source)
    return task.answer(_networkx(task, task.clear), _networkx(task, task.through), joined)


def _networkx(task: Task, steps: list[_Step]) -> Search:
    graph = networkx.DiGraph()
    graph.add_nodes_from(task.places)
    graph.add_weighted_edges_from(steps)
    return lambda start, budget: networkx.single_source_dijkstra_path_length(graph, start, cutoff=budget)


def with_rustworkx(task: Task) -> Answer:
    number = {place: n for n, place in enumerate(task.places)}
    graph: rustworkx.PyGraph[PlaceId, None] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(task.places)
    graph.add_edges_from_no_data([(number[a], number[b]) for a, b in task.free])
    joined: set[int] = set()
    for source in task.sources:
        if number[source] not in joined:
            joined |= rustworkx.node_connected_component(graph, number[source])
    lines = (task.places[n] for n in joined)
    return task.answer(_rustworkx(task, task.clear, number), _rustworkx(task, task.through, number), lines)


def _rustworkx(task: Task, steps: list[_Step], number: Mapping[PlaceId, int]) -> Search:
    graph: rustworkx.PyDiGraph[PlaceId, int] = rustworkx.PyDiGraph()
    graph.add_nodes_from(task.places)
    graph.add_edges_from([(number[a], number[b], cost) for a, b, cost in steps])

    def search(start: PlaceId, budget: int) -> Costs:
        found = rustworkx.digraph_dijkstra_shortest_path_lengths(graph, number[start], float)
        return {start: 0} | {task.places[n]: int(cost) for n, cost in found.items() if cost <= budget}

    return search
