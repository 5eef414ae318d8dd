"""R5.2, R6 What it costs to enter a hex, and why: the ground, and the enemy on it."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from campaign.engine.ids import PlaceId
from campaign.engine.modifiers import Modifier
from campaign.engine.paths import Costs
from campaign.rulesets.forum_campaign.ground import Part, ground, parts
from campaign.rulesets.forum_campaign.options import ZoneCost
from campaign.rulesets.forum_campaign.situation import Situation

_NONE: frozenset[PlaceId] = frozenset()


def entry_cost(situation: Situation, start: PlaceId | None, place: PlaceId) -> tuple[Modifier, ...]:
    """R6 What it costs to enter a hex from the one before, or from off the map (start None), and why."""
    return tuple(Modifier(amount, f"{words} {of}", rule) for amount, words, of, rule in _parts(situation, start, place))


def way_cost(situation: Situation, start: PlaceId | None, way: Iterable[PlaceId]) -> tuple[Modifier, ...]:
    """R6 What a whole way costs, hex by hex."""
    hexes = (start, *way)
    return tuple(part for at, place in pairwise(hexes) if place for part in entry_cost(situation, at, place))


def tariff(situation: Situation) -> "Tariff":
    """What the steps cost in a situation; worked out once for all units of a sheet."""
    if not situation.tariffs:
        situation.tariffs.append(Tariff(situation))
    return situation.tariffs[0]


class Tariff:
    """R5.2, R6 As `entry_cost`, in numbers only, and quick. Nothing in it depends on where a side's own units are."""

    def __init__(self, situation: Situation) -> None:
        movement, chosen = situation.theatre.charts.movement, situation.options.zone_cost
        self._ground = ground(situation.theatre, situation.weather)
        self._board = situation.theatre.open_board
        self._enemy, self._zone = situation.enemy, situation.zone
        self._ends = situation.zone if chosen is ZoneCost.STOP else _NONE
        self._left = situation.costly_zone if chosen is ZoneCost.BOTH else _NONE
        self._leave = movement.leave_zoc
        entered = situation.costly_zone if chosen in (ZoneCost.BOTH, ZoneCost.ENTER) else _NONE
        self._enter = dict.fromkeys(entered, movement.enter_zoc)
        for place in situation.commandos:
            self._enter[place] = self._enter.get(place, 0) + movement.commando
        self._commandos = situation.commandos
        self._special = situation.enemy | situation.zone | situation.commandos

    def cost(self, start: PlaceId | None, place: PlaceId) -> int:
        """Of a step between hexes that are open to each other, or onto the map."""
        roads = self._ground.across if place in self._zone else self._ground.by_road
        points = roads[start, place] + self._enter.get(place, 0)
        return points + self._leave if start in self._left else points

    def along(self, start: PlaceId, way: tuple[PlaceId, ...]) -> int | None:
        """Of a whole way, or None if it cannot be gone: a gap, a closed hexside or an enemy is in it."""
        steps = zip((start, *way), way, strict=False)
        try:
            if start not in self._special and self._special.isdisjoint(way):
                return sum(map(self._ground.by_road.__getitem__, steps))
            return sum([self.cost(at, place) for at, place in steps]) if self._enemy.isdisjoint(way) else None
        except KeyError:
            return None

    @cached_property
    def fringe(self) -> frozenset[PlaceId]:
        """The hexes next to an enemy zone of control."""
        return _NONE.union(*map(self._board.neighbours, self._zone))

    @cached_property
    def clear(self) -> Costs:
        """For searches that keep out of the enemy's zones: the ground's, but for his commandos."""
        changed = _NONE.union(*map(self._board.neighbours, self._commandos))
        return self._ground.costs.altered(self._steps, at=changed, closed=self._enemy | self._zone)

    @cached_property
    def through(self) -> Costs:
        """For searches that need not: the ground's, but for the steps from and into his zones."""
        changed = self._special.union(*map(self._board.neighbours, self._special))
        return self._ground.costs.altered(self._steps, at=changed, closed=self._enemy, ends=self._ends)

    def _steps(self, at: PlaceId) -> list[tuple[PlaceId, int]]:
        roads, across, zone, enter = self._ground.by_road, self._ground.across, self._zone, self._enter
        leave = self._leave if at in self._left else 0
        return [
            (near, (across if near in zone else roads)[at, near] + enter.get(near, 0) + leave)
            for near in self._board.neighbours(at)
        ]


def _parts(situation: Situation, start: PlaceId | None, place: PlaceId) -> Iterator[Part]:
    """R5.4 Into an enemy zone no road counts."""
    off_road = place in situation.zone
    yield from parts(situation.theatre, situation.weather, (start, place), off_road=off_road)
    if place in situation.commandos:
        yield situation.theatre.charts.movement.commando, "a commando at", place, "R6.3"
    yield from _zones(situation, start, place)


def _zones(situation: Situation, start: PlaceId | None, place: PlaceId) -> Iterator[Part]:
    """R5.2 Extra to leave and to enter an enemy zone of control, if any of its units is supplied (R5.3)."""
    costs, chosen = situation.theatre.charts.movement, situation.options.zone_cost
    if chosen is ZoneCost.BOTH and start in situation.costly_zone and costs.leave_zoc:
        yield costs.leave_zoc, "leaving a zone of control at", start or "", "R5.2"
    if chosen in (ZoneCost.BOTH, ZoneCost.ENTER) and place in situation.costly_zone and costs.enter_zoc:
        yield costs.enter_zoc, "entering a zone of control at", place, "R5.2"
