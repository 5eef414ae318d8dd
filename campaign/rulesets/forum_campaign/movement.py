"""R4, R6 Movement: allowances, what each hex costs, and how far an ordered path leads."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from campaign.engine.ids import PlaceId
from campaign.engine.modifiers import Modifier, total
from campaign.engine.paths import shortest_path
from campaign.engine.values import Value
from campaign.rulesets.forum_campaign.facts import Halt
from campaign.rulesets.forum_campaign.options import ZoneCost
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
    contact: bool = False
    """R4.2 Whether it has met an enemy zone of control."""
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
    """R4.1-R4.3, R4.6 What a unit may spend without attacking, by whether it meets an enemy zone of control.

    An attacker may have spent no more than its printed movement: see `attack_allowance`.
    """
    printed = _printed(unit)
    points = total(printed)
    if contact:
        extra = points if unit.mechanized else min(points, 1)
        return _less_debt(unit, (*printed, Modifier(extra, "no attack, in contact", "R4.2")))
    factor = 2 if unit.mechanized else 1
    return _less_debt(unit, (*printed, Modifier(factor * points, "no attack, no contact", "R4.3")))


def attack_allowance(unit: Unit) -> int:
    """R4.1, R4.4 The most that an attacker may have spent."""
    return total(_less_debt(unit, _printed(unit)))


def _printed(unit: Unit) -> tuple[Modifier, ...]:
    """R4.6, R8.2 The points on its counter, one less if it has to do with a task force; none if it cannot move."""
    if not unit.supplied or unit.scattered:
        return ()
    printed = Modifier(unit.movement, "printed movement", "R4.1")
    if unit.split and unit.movement:
        return (printed, Modifier(-1, "a task force created or taken back", "R8.2"))
    return (printed,)


def _less_debt(unit: Unit, points: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """R12.10 What absorbing costs comes off in the end, and leaves no less than nothing."""
    debt = min(unit.debt, total(points))
    return (*points, Modifier(-debt, "remains absorbed", "R12.10")) if debt else points


# --- the cost of a hex -----------------------------------------------------------------------------------------------


def entry_cost(situation: Situation, start: PlaceId | None, place: PlaceId) -> tuple[Modifier, ...]:
    """R6 What it costs to enter a hex from the one before, or from off the map (start None), and why."""
    return tuple(Modifier(amount, f"{words} {of}", rule) for amount, words, of, rule in _parts(situation, start, place))


def way_cost(situation: Situation, start: PlaceId | None, way: Iterable[PlaceId]) -> tuple[Modifier, ...]:
    """R6 What a whole way costs, hex by hex."""
    hexes = (start, *way)
    return tuple(part for at, place in pairwise(hexes) if place for part in entry_cost(situation, at, place))


def _cost(situation: Situation, start: PlaceId | None, place: PlaceId) -> int:
    return sum(part[0] for part in _parts(situation, start, place))


_Part = tuple[int, str, str, str]
"""Points, for what, where, and by which rule."""


def _parts(situation: Situation, start: PlaceId | None, place: PlaceId) -> Iterator[_Part]:
    ground = _ground(situation, start, place)
    yield ground.cost, place, ground.name, "R6.1"
    if start is not None:
        yield from _river(situation.theatre, start, place, ground)
    if place in situation.commandos:
        yield situation.theatre.charts.movement.commando, "a commando at", place, "R6.3"
    yield from _zones(situation, start, place)


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


def _river(theatre: Theatre, start: PlaceId, place: PlaceId, ground: _Ground) -> Iterator[_Part]:
    """R6.2 A river costs extra, but not on a road."""
    river = theatre.rivers.get((start, place))
    if river is None or ground.by_road:
        return
    costs = theatre.charts.movement
    name = " and ".join(river.names) or "river"
    yield costs.meuse if river.kind is RiverClass.MEUSE else costs.river, "crossing the", name, "R6.2"


def _zones(situation: Situation, start: PlaceId | None, place: PlaceId) -> Iterator[_Part]:
    """R5.2 Extra to leave and to enter an enemy zone of control, if any of its units is supplied (R5.3)."""
    costs, chosen = situation.theatre.charts.movement, situation.options.zone_cost
    if chosen is ZoneCost.BOTH and start in situation.costly_zone and costs.leave_zoc:
        yield costs.leave_zoc, "leaving a zone of control at", start or "", "R5.2"
    if chosen in (ZoneCost.BOTH, ZoneCost.ENTER) and place in situation.costly_zone and costs.enter_zoc:
        yield costs.enter_zoc, "entering a zone of control at", place, "R5.2"


# --- walking ---------------------------------------------------------------------------------------------------------


def walk(
    situation: Situation, unit: Unit, path: tuple[PlaceId, ...], *, contact: bool = False, most: int | None = None
) -> Walk:
    """R4 Follow a path until it ends or something stops the unit.

    A zone of control lowers the allowance from its hex on. One that the side sees must be affordable on the lower
    allowance. One that it does not see is entered on the allowance the unit had, and stops a unit that has then spent
    more than the lower one (R4.7). `contact`: it has met a zone before; `most`: it may spend no more in any case.
    """
    at, spent = unit.at, unit.spent
    contact = contact or at in situation.zone
    in_contact = _limit(unit, contact=True, most=most)
    limit = in_contact if contact else _limit(unit, contact=False, most=most)
    entered: list[PlaceId] = []
    halt, before = None, None
    for place in path:
        before = place
        halt = _barrier(situation, unit, at, place)
        if halt is None:
            halt = _held(situation, entered, is_spent=spent > limit)
        if halt is not None:
            break
        cost = _cost(situation, at, place)
        lower = in_contact if place in situation.zone else limit
        limit = lower if place in situation.seen_zone else limit
        if spent + cost > limit:
            halt = Halt.ALLOWANCE
            break
        at, spent, limit = place, spent + cost, lower
        contact = contact or place in situation.zone
        entered.append(place)
    met = before if halt is Halt.ENEMY else None
    return Walk(tuple(entered), spent, limit, halt, before if halt else None, contact, met)


def _held(situation: Situation, entered: Sequence[PlaceId], *, is_spent: bool) -> Halt | None:
    """R4.7, 2.10 What keeps a unit in a zone of control that it has just entered."""
    stops = situation.options.zone_cost is ZoneCost.STOP
    if stops and entered and entered[-1] in situation.zone:
        return Halt.STOPPED
    return Halt.ZONE if is_spent else None


def _limit(unit: Unit, *, contact: bool, most: int | None = None) -> int:
    points = total(allowance(unit, contact=contact))
    return points if most is None else min(points, most)


def _barrier(situation: Situation, unit: Unit, at: PlaceId | None, place: PlaceId) -> Halt | None:
    """What keeps a unit out of a hex whatever it could spend."""
    if unit.scattered:
        return Halt.SCATTERED
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
        price = _cost(situation, None, entry)
        way = _way(situation, entry, goal, budget=budget - price, avoid=avoid) if price <= budget else None
        if way is not None:
            found.append((price + _price(situation, entry, way), (entry, *way)))
    return min(found)[1] if found else None


def _way(
    situation: Situation, start: PlaceId, goal: PlaceId, *, budget: int, avoid: frozenset[PlaceId]
) -> tuple[PlaceId, ...] | None:
    ends = situation.zone if situation.options.zone_cost is ZoneCost.STOP else frozenset()

    def steps(at: PlaceId) -> Iterator[tuple[PlaceId, int]]:
        for place, cost in () if at in ends and at != start else _ways_on(situation, at):
            if place not in avoid:
                yield place, cost

    return shortest_path(start, goal, budget=budget, steps=steps)


def _ways_on(situation: Situation, at: PlaceId) -> tuple[tuple[PlaceId, int], ...]:
    """The hexes that can be entered from one, each with its cost; worked out once for all units of a sheet."""
    ways = situation.ways.get(at)
    if ways is None:
        near = [place for place in situation.theatre.open_neighbours(at) if place not in situation.enemy]
        ways = tuple((place, _cost(situation, at, place)) for place in near)
        situation.ways[at] = ways
    return ways


def _price(situation: Situation, start: PlaceId, way: tuple[PlaceId, ...]) -> int:
    return sum(_cost(situation, a, b) for a, b in pairwise((start, *way)))
