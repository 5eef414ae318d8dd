"""R6.1, R6.2 What it costs to enter a hex by the map, the charts and the weather alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from campaign.engine.board.paths import Costs, Row
from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.model.game_data import GameData, RiverClass, RoadClass, Weather

Part = tuple[int, str, str, str]
"""Points, for what, where, and by which rule."""
Step = tuple[PlaceId | None, PlaceId]
"""From a hex, or from off the map, into the next."""
Rates = Mapping[PlaceId | None, Mapping[PlaceId, int]]
"""What the steps on from a hex cost, or those from off the map."""


Onward = Mapping[PlaceId, Mapping[PlaceId, "tuple[int, Any]"]]
"""What each step on from a hex costs, with the steps on from where it leads."""


@dataclass(frozen=True)
class Ground:
    """R6 The cost of every step without enemies, computed once for each game data and weather."""

    by_road: Rates
    """Costs of steps on which a road counts, if there is one. Closed hexsides are no steps."""
    across: Rates
    """R5.4 Costs of steps on which no road counts, as into an enemy zone."""
    onward: "Onward"
    """The same by road, from hex to hex along a way."""
    roads: Sequence["_Roads"]
    """From each hex with roads that make a step cheaper."""
    costs: Costs
    """The steps by road, for searches."""

    def without_roads_into(self, zone: frozenset[PlaceId]) -> Iterator[tuple[int, Row]]:
        """R5.4 The steps on from each hex, by number, from which a road leads into such a zone and does not count."""
        for number, ends, row, dearer in self.roads:
            if not zone.isdisjoint(ends):
                altered = list(row)
                for position, place, step in dearer:
                    if place in zone:
                        altered[position] = step
                yield number, altered


class _Roads(NamedTuple):
    """The steps on from a hex where roads count, and those that are dearer where they do not."""

    number: int
    ends: frozenset[PlaceId]
    row: Row
    dearer: Sequence[tuple[int, PlaceId, tuple[int, int]]]
    """Where in the row, into which hex, and the step to put there."""


def ground(game_data: GameData, weather: Weather) -> Ground:
    """The costs of the ground in this weather."""
    grounds = _GROUNDS.setdefault(game_data, {})
    found = grounds.get(weather)
    if found is None:
        found = grounds[weather] = _worked_out(game_data, weather)
    return found


_GROUNDS: WeakKeyDictionary[GameData, dict[Weather, Ground]] = WeakKeyDictionary()
"""The grounds of each game data in use. They hold no reference to it, so that both can be freed."""


def parts(game_data: GameData, weather: Weather, step: Step, *, off_road: bool) -> Iterator[Part]:
    """R6.1, R6.2 What a step costs by the ground, and why."""
    start, place = step
    taken = _ground(game_data, weather, step, off_road=off_road)
    yield taken.cost, place, taken.name, "R6.1"
    if start is not None and not taken.by_road:
        yield from _river(game_data, start, place)


def _worked_out(game_data: GameData, weather: Weather) -> Ground:
    by_road, across = (_rates(game_data, weather, off_road=off_road) for off_road in (False, True))
    costs = Costs(game_data.open_board, lambda at: by_road[at].items()).worked_out()
    return Ground(by_road, across, _onward(game_data, by_road), list(_roads(costs, by_road, across)), costs)


def _onward(game_data: GameData, rates: Rates) -> Onward:
    steps: dict[PlaceId, dict[PlaceId, tuple[int, Any]]] = {at: {} for at in game_data.board.places}
    once: dict[tuple[PlaceId, int], tuple[int, Any]] = {}
    for at, onward in steps.items():
        for near, cost in rates[at].items():
            onward[near] = once.setdefault((near, cost), (cost, steps[near]))
    return steps


def _roads(costs: Costs, by_road: Rates, across: Rates) -> Iterator[_Roads]:
    numbers = costs.board.numbers
    for at, number in numbers.items():
        dearer = [
            (position, near, (numbers[near], across[at][near]))
            for position, (near, cost) in enumerate(by_road[at].items())
            if cost != across[at][near]
        ]
        if dearer:
            yield _Roads(number, frozenset([near for _, near, _ in dearer]), costs.begun(number), dearer)


def _rates(game_data: GameData, weather: Weather, *, off_road: bool) -> Rates:
    def rate(start: PlaceId | None, place: PlaceId) -> int:
        return sum(part[0] for part in parts(game_data, weather, (start, place), off_road=off_road))

    onto_the_map = {place: rate(None, place) for place in game_data.board.places}
    return {None: onto_the_map} | {
        at: {near: rate(at, near) for near in game_data.open_neighbours(at)} for at in game_data.board.places
    }


@dataclass(frozen=True)
class _Taken:
    """R6.1 What a hex costs by its ground."""

    cost: int
    name: str
    by_road: bool = False


def _ground(game_data: GameData, weather: Weather, step: Step, *, off_road: bool) -> _Taken:
    """The road if it helps (never dearer than the ground next to it), else the terrain or town."""
    beside = _off_road(game_data, weather, step[1])
    road = None if off_road else _road(game_data, weather, step)
    if road is None:
        return beside
    return road if road.cost <= beside.cost else _Taken(beside.cost, road.name, by_road=True)


def _off_road(game_data: GameData, weather: Weather, place: PlaceId) -> _Taken:
    costs = game_data.charts.movement
    if game_data.is_town(place):
        line, name = costs.town, "town"
    else:
        terrain = game_data.hexes[place].terrain
        line, name = costs.terrain[terrain], terrain.value
    cost = line.in_weather(weather)
    assert cost is not None, "the loader refuses charts in which open ground cannot be entered"
    return _Taken(cost, name)


def _road(game_data: GameData, weather: Weather, step: Step) -> _Taken | None:
    """R6.1 (ii) A road counts only if it is followed, in usable weather."""
    start, place = step
    kind = None if start is None else game_data.roads.get((start, place))
    if kind is None:
        return None
    costs = game_data.charts.movement
    main = kind is RoadClass.PRIMARY
    cost = (costs.primary_road if main else costs.secondary_road).in_weather(weather)
    return None if cost is None else _Taken(cost, "main road" if main else "secondary road", by_road=True)


def _river(game_data: GameData, start: PlaceId, place: PlaceId) -> Iterator[Part]:
    """R6.2 A river costs extra, but not on a road."""
    river = game_data.rivers.get((start, place))
    if river is not None:
        costs = game_data.charts.movement
        name = " and ".join(river.names) or "river"
        yield costs.meuse if river.kind is RiverClass.MEUSE else costs.river, "crossing the", name, "R6.2"
