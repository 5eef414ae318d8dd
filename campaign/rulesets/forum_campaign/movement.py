"""R4, R6 Movement: allowances, what each hex costs, and how far an ordered path leads."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from campaign.engine.ids import PlaceId
from campaign.engine.modifiers import Modifier, total
from campaign.engine.paths import shortest_path
from campaign.engine.values import Value
from campaign.rulesets.forum_campaign.facts import Halt
from campaign.rulesets.forum_campaign.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.situation import Situation
from campaign.rulesets.forum_campaign.state import Unit
from campaign.rulesets.forum_campaign.theatre import RiverClass, RoadClass, Theatre, Weather

_FURTHEST = 99
"""No unit can spend more in a day; bounds the search for a path."""


class Walk(Value, frozen=True):
    """How far a path leads."""

    entered: tuple[PlaceId, ...]
    spent: int
    """Movement points used in this portion, earlier moves included."""
    allowance: int
    """What it might have spent, by the worst contact met."""
    halt: Halt | None = None
    before: PlaceId | None = None
    """The hex that it did not enter."""
    reasons: tuple[Modifier, ...] = ()
    met: PlaceId | None = None
    """R4.7 The hex of the enemy that it ran into."""
    possible: tuple[PlaceId, ...] = ()
    """As far as it would have led, where the move was not begun for being impossible."""


@dataclass(frozen=True)
class _Ground:
    """R6.1 What a hex costs by its ground."""

    cost: int
    name: str
    by_road: bool = False


# --- allowance -------------------------------------------------------------------------------------------------------


def allowance(unit: Unit, *, contact: bool) -> tuple[Modifier, ...]:
    """R4.1-R4.3 What a unit may spend without attacking, by whether it meets an enemy zone of control.

    An attacker may have spent no more than its printed movement: see `attack_allowance`.
    """
    if not unit.supplied:
        return ()
    printed = Modifier(unit.movement, "printed movement", "R4.1")
    if contact:
        extra = unit.movement if unit.mechanized else 1
        return (printed, Modifier(extra, "no attack, in contact", "R4.2"))
    factor = 2 if unit.mechanized else 1
    return (printed, Modifier(factor * unit.movement, "no attack, no contact", "R4.3"))


def attack_allowance(unit: Unit) -> int:
    """R4.1, R4.4 The most that an attacker may have spent."""
    return unit.movement


# --- the cost of a hex -----------------------------------------------------------------------------------------------


def entry_cost(situation: Situation, start: PlaceId | None, place: PlaceId) -> tuple[Modifier, ...]:
    """R6 What it costs to enter a hex from the one before, or from off the map (start None)."""
    ground = _ground(situation, start, place)
    reasons = [Modifier(ground.cost, f"{place} {ground.name}", "R6.1")]
    if start is not None:
        reasons += _river(situation.theatre, start, place, ground)
    return (*reasons, *_zones(situation, start, place))


def _ground(situation: Situation, start: PlaceId | None, place: PlaceId) -> _Ground:
    """The road where it helps (never dearer than the ground beside it), else the terrain or town."""
    off_road = _off_road(situation.theatre, place, situation.weather)
    road = None if start is None else _road(situation, start, place)
    if road is None:
        return off_road
    return road if road.cost <= off_road.cost else _Ground(off_road.cost, road.name, by_road=True)


def _off_road(theatre: Theatre, place: PlaceId, weather: Weather) -> _Ground:
    costs = theatre.charts.movement
    if theatre.is_town(place):
        line, name = costs.town, "town"
    else:
        terrain = theatre.hexes[place].terrain
        line, name = costs.terrain[terrain], terrain.value
    cost = line.in_weather(weather)
    assert cost is not None, "the loader refuses charts in which open ground cannot be entered"
    return _Ground(cost, name)


def _road(situation: Situation, start: PlaceId, place: PlaceId) -> _Ground | None:
    """R5.4, R6.1 (ii) A road counts only if it is followed, in usable weather, and into a hex free of enemy zones."""
    kind = situation.theatre.roads.get((start, place))
    if kind is None or place in situation.zone:
        return None
    costs = situation.theatre.charts.movement
    main = kind is RoadClass.PRIMARY
    cost = (costs.primary_road if main else costs.secondary_road).in_weather(situation.weather)
    return None if cost is None else _Ground(cost, "main road" if main else "secondary road", by_road=True)


def _river(theatre: Theatre, start: PlaceId, place: PlaceId, ground: _Ground) -> Iterator[Modifier]:
    """R6.2 A river costs extra, but not on a road."""
    river = theatre.rivers.get((start, place))
    if river is None or ground.by_road:
        return
    costs = theatre.charts.movement
    name = " and ".join(river.names) or "river"
    yield Modifier(costs.meuse if river.kind is RiverClass.MEUSE else costs.river, f"crossing the {name}", "R6.2")


def _zones(situation: Situation, start: PlaceId | None, place: PlaceId) -> Iterator[Modifier]:
    """R5.2 Extra to leave and to enter an enemy zone of control, if any of its units is supplied (R5.3)."""
    costs = situation.theatre.charts.movement
    if start in situation.costly_zone and costs.leave_zoc:
        yield Modifier(costs.leave_zoc, f"leaving a zone of control at {start}", "R5.2")
    if place in situation.costly_zone and costs.enter_zoc:
        yield Modifier(costs.enter_zoc, f"entering a zone of control at {place}", "R5.2")


# --- walking ---------------------------------------------------------------------------------------------------------


def walk(situation: Situation, unit: Unit, path: tuple[PlaceId, ...]) -> Walk:
    """R4 Follow a path until it ends or something stops the unit.

    A zone of control lowers the allowance from its hex on. One that the side sees must be affordable on the lower
    allowance. One that it does not see is entered on the allowance the unit had, and stops a unit that has then spent
    more than the lower one (R4.7).
    """
    at, spent = unit.at, unit.spent
    in_contact = _limit(unit, contact=True)
    limit = in_contact if at in situation.zone else _limit(unit, contact=False)
    entered: list[PlaceId] = []
    reasons: list[Modifier] = []

    def stop(halt: Halt | None, before: PlaceId | None = None) -> Walk:
        met = before if halt is Halt.ENEMY else None
        return Walk(tuple(entered), spent, limit, halt, before, tuple(reasons), met)

    for place in path:
        barrier = _barrier(situation, unit, at, place)
        if barrier is not None:
            return stop(barrier, place)
        if spent > limit:
            return stop(Halt.ZONE, place)
        cost = entry_cost(situation, at, place)
        lower = in_contact if place in situation.zone else limit
        limit = lower if place in situation.seen_zone else limit
        if spent + total(cost) > limit:
            return stop(Halt.ALLOWANCE, place)
        at, spent, limit = place, spent + total(cost), lower
        entered.append(place)
        reasons += cost
    return stop(None)


def _limit(unit: Unit, *, contact: bool) -> int:
    return total(allowance(unit, contact=contact))


def _barrier(situation: Situation, unit: Unit, at: PlaceId | None, place: PlaceId) -> Halt | None:
    """What keeps a unit out of a hex whatever it could spend."""
    if not unit.supplied:
        return Halt.UNSUPPLIED
    if at is None:
        return None if place in entry_hexes(situation, unit) else Halt.ENTRY
    if not situation.theatre.board.adjoin(at, place):
        return Halt.GAP
    if (at, place) in situation.theatre.closed:
        return Halt.CLOSED
    return Halt.ENEMY if place in situation.enemy else None


def cheapest_path(situation: Situation, unit: Unit, goal: PlaceId) -> tuple[PlaceId, ...] | None:
    """The cheapest way to a place that the unit can pay: clear of the enemy's zones, else through them.

    If it can pay none, the cheapest all the same: whoever checks it says by how much it is too dear.
    """
    free, in_contact = (_limit(unit, contact=contact) - unit.spent for contact in (False, True))
    if unit.at not in situation.zone and goal not in situation.zone:
        clear = _search(situation, unit, goal, budget=free, avoid=situation.zone)
        if clear is not None:
            return clear
    for budget in (in_contact, _FURTHEST):
        through = _search(situation, unit, goal, budget=max(budget, 0), avoid=frozenset())
        if through is not None:
            return through
    return None


def _search(
    situation: Situation, unit: Unit, goal: PlaceId, *, budget: int, avoid: frozenset[PlaceId]
) -> tuple[PlaceId, ...] | None:
    """The cheapest way within a budget; for a unit off the map by whichever of its entries is best."""
    if unit.at is not None:
        return _way(situation, unit.at, goal, budget=budget, avoid=avoid)
    found: list[tuple[int, tuple[PlaceId, ...]]] = []
    for entry in entry_hexes(situation, unit):
        price = total(entry_cost(situation, None, entry))
        way = _way(situation, entry, goal, budget=budget - price, avoid=avoid) if price <= budget else None
        if way is not None:
            found.append((price + _price(situation, entry, way), (entry, *way)))
    return min(found)[1] if found else None


def _way(
    situation: Situation, start: PlaceId, goal: PlaceId, *, budget: int, avoid: frozenset[PlaceId]
) -> tuple[PlaceId, ...] | None:
    def steps(at: PlaceId) -> Iterator[tuple[PlaceId, int]]:
        for place, cost in _ways_on(situation, at):
            if place not in avoid:
                yield place, cost

    return shortest_path(start, goal, budget=budget, steps=steps)


def _ways_on(situation: Situation, at: PlaceId) -> tuple[tuple[PlaceId, int], ...]:
    """The hexes that can be entered from one, each with its cost; worked out once for all units of a sheet."""
    ways = situation.ways.get(at)
    if ways is None:
        near = [place for place in situation.theatre.open_neighbours(at) if place not in situation.enemy]
        ways = tuple((place, total(entry_cost(situation, at, place))) for place in near)
        situation.ways[at] = ways
    return ways


def _price(situation: Situation, start: PlaceId, way: tuple[PlaceId, ...]) -> int:
    return sum(total(entry_cost(situation, a, b)) for a, b in pairwise((start, *way)))
