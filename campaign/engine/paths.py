"""Searches over a board that every ruleset uses: reach, shortest path, flood. Costs are positive whole numbers."""

from collections.abc import Callable, Iterable

from campaign.engine.ids import PlaceId

Steps = Callable[[PlaceId], Iterable[tuple[PlaceId, int]]]
"""From a place: each neighbour that can be entered and what entering it costs."""


def reach(start: PlaceId, *, budget: int, steps: Steps) -> dict[PlaceId, int]:
    """Every place that `budget` points lead to, with the least cost; the start itself at 0.

    Dial's algorithm: one bucket a point of cost, so time grows with the places reached and not with the board.
    """
    return _settle(start, budget=budget, steps=steps)[0]


def ways(start: PlaceId, *, budget: int, steps: Steps) -> dict[PlaceId, tuple[PlaceId, ...]]:
    """A cheapest way, as the places entered, to every place that `budget` points lead to; none to the start itself."""
    costs, came_from = _settle(start, budget=budget, steps=steps)
    found: dict[PlaceId, tuple[PlaceId, ...]] = {start: ()}
    for place in sorted(costs, key=costs.__getitem__):
        if place != start:
            found[place] = (*found[came_from[place]], place)
    return found


def shortest_path(start: PlaceId, goal: PlaceId, *, budget: int, steps: Steps) -> tuple[PlaceId, ...] | None:
    """The cheapest way as the places entered, or None if `budget` points do not lead there."""
    costs, came_from = _settle(start, budget=budget, steps=steps, goal=goal)
    if goal not in costs:
        return None
    path: list[PlaceId] = []
    place = goal
    while place != start:
        path.append(place)
        place = came_from[place]
    return tuple(reversed(path))


def flood(sources: Iterable[PlaceId], *, neighbours: Callable[[PlaceId], Iterable[PlaceId]]) -> frozenset[PlaceId]:
    """All that can be reached from the sources, however far."""
    reached = set(sources)
    front = list(reached)
    while front:
        for place in neighbours(front.pop()):
            if place not in reached:
                reached.add(place)
                front.append(place)
    return frozenset(reached)


def _settle(
    start: PlaceId, *, budget: int, steps: Steps, goal: PlaceId | None = None
) -> tuple[dict[PlaceId, int], dict[PlaceId, PlaceId]]:
    costs: dict[PlaceId, int] = {start: 0}
    came_from: dict[PlaceId, PlaceId] = {}
    buckets: list[list[PlaceId]] = [[] for _ in range(budget + 1)]
    buckets[0].append(start)
    for spent, bucket in enumerate(buckets):
        for place in bucket:
            if costs[place] != spent:
                continue
            if place == goal:
                return costs, came_from
            for neighbour, cost in steps(place):
                arrival = spent + cost
                if arrival <= budget and arrival < costs.get(neighbour, budget + 1):
                    costs[neighbour], came_from[neighbour] = arrival, place
                    buckets[arrival].append(neighbour)
    return costs, came_from
