"""R5.2, R6 What it costs to enter a hex, and why: the ground, and the enemy on it."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from campaign.engine.board.paths import Costs, Steps
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.modifiers import Modifier
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.game_data import GameData, Weather
from campaign.rulesets.forum_campaign.model.options import Options, ZoneCost
from campaign.rulesets.forum_campaign.model.terrain_costs import Part, ground, parts

_NONE: frozenset[PlaceId] = frozenset()


class Terms(Value, frozen=True, kw_only=True, dict=True):
    """What the cost of a step depends on: the ground and the enemy, not the side's own units."""

    game_data: GameData
    weather: Weather
    options: Options
    enemy: frozenset[PlaceId]
    """Where its ground units are."""
    zone: frozenset[PlaceId]
    """R5.1 The enemy's zones of control."""
    costly_zone: frozenset[PlaceId]
    """R5.3 Those that cost extra."""
    commandos: frozenset[PlaceId]
    """R6.3 Where enemy commandos are."""

    @cached_property
    def costs(self) -> "MovementCosts":
        """What steps cost, worked out once for all units of a sheet."""
        return MovementCosts(self)


def entry_cost(terms: Terms, start: PlaceId | None, place: PlaceId) -> tuple[Modifier, ...]:
    """R6 What it costs to enter a hex from the one before, or from off the map (start None), and why."""
    return tuple(Modifier(amount, f"{words} {of}", rule) for amount, words, of, rule in _parts(terms, start, place))


def way_cost(terms: Terms, start: PlaceId | None, way: Iterable[PlaceId]) -> tuple[Modifier, ...]:
    """R6 What a whole way costs, hex by hex."""
    hexes = (start, *way)
    return tuple(part for at, place in pairwise(hexes) if place for part in entry_cost(terms, at, place))


class MovementCosts:
    """R5.2, R6 As `entry_cost`, but quick and in numbers only. It does not depend on the side's own units."""

    def __init__(self, terms: Terms) -> None:
        movement, chosen = terms.game_data.charts.movement, terms.options.zone_cost
        self._ground = ground(terms.game_data, terms.weather)
        self._board = terms.game_data.open_board
        self._enemy, self.zone = terms.enemy, terms.zone
        self.stops = chosen is ZoneCost.STOP
        self._left = terms.costly_zone if chosen is ZoneCost.BOTH else _NONE
        self._leave = movement.leave_zoc
        entered = terms.costly_zone if chosen in (ZoneCost.BOTH, ZoneCost.ENTER) else _NONE
        self._enter = dict.fromkeys(entered, movement.enter_zoc)
        for place in terms.commandos:
            self._enter[place] = self._enter.get(place, 0) + movement.commando
        guarded = terms.zone or terms.enemy
        self._special = guarded | terms.commandos if terms.commandos else guarded
        """Hexes that cost more than their terrain. A way to an enemy leads through its zone, or begins there."""

    def cost(self, start: PlaceId | None, place: PlaceId) -> int:
        """The cost of a step between hexes that are open to each other, or onto the map."""
        roads = self._ground.across if place in self.zone else self._ground.by_road
        points = roads[start][place] + self._enter.get(place, 0)
        return points + self._leave if start in self._left else points

    def path_cost(self, start: PlaceId, way: tuple[PlaceId, ...]) -> tuple[int, bool] | None:
        """The cost of a whole way, and whether it meets an enemy zone; None if it cannot be followed to its end.

        Then a gap, a closed hexside or an enemy is in it, or it goes on from a zone that ends it (2.10).
        """
        points = 0
        try:
            met = start in self.zone
            if not self._special.isdisjoint(way) or (met and start in self._left):
                return self._path_cost_past_enemies(start, way)
            if met and not self._enemy.isdisjoint(way):
                return None
            onward = self._ground.onward[start]
            for place in way:
                cost, onward = onward[place]
                points += cost
        except KeyError:
            return None
        return points, met

    def _path_cost_past_enemies(self, start: PlaceId, way: tuple[PlaceId, ...]) -> tuple[int, bool] | None:
        if not self._enemy.isdisjoint(way):
            return None
        special, left, rates = self._special, self._left, self._ground.by_road
        points, entered, met = 0, 0, start in self.zone
        for place in way:
            if place in special or start in left:
                points += self.cost(start, place)
                entered += place in self.zone
            else:
                points += rates[start][place]
            start = place
        if self.stops and entered and (entered > 1 or start not in self.zone):
            return None
        return points, met or entered > 0

    @cached_property
    def clear(self) -> Costs:
        """For searches that end in the enemy's zones, if zones stop units."""
        return self.through if self.stops else self.through.ending(self.zone)

    @cached_property
    def through(self) -> Costs:
        """For searches through enemy zones: the terrain's costs, except for steps out of and into these zones."""
        dearer = self._board.bits(self._enter)
        left = self._board.bits(self._left)
        changed = self._board.places_of(self._board.around(dearer) | left) if self._enter else ()
        rows, ends = self._ground.without_roads_into(self.zone), self.zone if self.stops else _NONE
        return self._ground.costs.altered(self._steps(), at=changed, rows=rows, closed=self._enemy, ends=ends)

    def _steps(self) -> Steps:
        """The steps on from a place. They hold no reference to this object, which holds them: both can be freed."""
        ground, zone, enter, left, leave = self._ground, self.zone, self._enter, self._left, self._leave

        def steps(at: PlaceId) -> list[tuple[PlaceId, int]]:
            across, more = ground.across[at], leave if at in left else 0
            return [
                (near, (across[near] if near in zone else cost) + enter.get(near, 0) + more)
                for near, cost in ground.by_road[at].items()
            ]

        return steps


def _parts(terms: Terms, start: PlaceId | None, place: PlaceId) -> Iterator[Part]:
    """R5.4 Into an enemy zone no road counts."""
    off_road = place in terms.zone
    yield from parts(terms.game_data, terms.weather, (start, place), off_road=off_road)
    if place in terms.commandos:
        yield terms.game_data.charts.movement.commando, "a commando at", place, "R6.3"
    yield from _zones(terms, start, place)


def _zones(terms: Terms, start: PlaceId | None, place: PlaceId) -> Iterator[Part]:
    """R5.2 Extra to leave and to enter an enemy zone of control, if any of its units is supplied (R5.3)."""
    costs, chosen = terms.game_data.charts.movement, terms.options.zone_cost
    if chosen is ZoneCost.BOTH and start in terms.costly_zone and costs.leave_zoc:
        yield costs.leave_zoc, "leaving a zone of control at", start or "", "R5.2"
    if chosen in (ZoneCost.BOTH, ZoneCost.ENTER) and place in terms.costly_zone and costs.enter_zoc:
        yield costs.enter_zoc, "entering a zone of control at", place, "R5.2"
