"""A day of the whole campaign without pictures: all its resolutions, without the bots' time."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from statistics import median
from time import perf_counter

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.dice import KeyedDice, mix
from campaign.engine.orders.order import Placed
from campaign.engine.phases import Orders
from campaign.engine.values.ids import GM, PUBLIC, Audience, audience_of
from campaign.game.simulation import PlayedPhase
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.orders import Move
from campaign.rulesets.forum_campaign.model.situation import as_true
from campaign.rulesets.forum_campaign.model.state import State, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes
from campaign.rulesets.forum_campaign.movement.reach import reachable
from tests.bench.measure import Figure, ratio
from tests.bench.scene import UNITS, crowded, game, loaded


def figures() -> Iterator[Figure]:
    times: dict[object, float] = defaultdict(float)
    for phase in game():
        times[loaded().rules.moment(phase.before)] += _resolved_again(phase)
    yield Figure("day-adjudicated", median(times.values()), "ms", 150)
    yield Figure("day-adjudicated-slowest", max(times.values()), "ms", 300)
    less, more = (partial(_resolve, state, _marches(state)) for state in (crowded(UNITS), crowded(2 * UNITS)))
    yield Figure("adjudication-per-unit-at-twice-the-units", ratio(more, less) / 2, "x", 1.3)


def _resolved_again(phase: PlayedPhase) -> float:
    """Milliseconds to resolve a phase of the game again with its sheets."""
    sheets = {sheet.who: sheet.orders for sheet in phase.sheets}
    start = perf_counter()
    _resolve(phase.before, sheets)
    return (perf_counter() - start) * 1000


def _resolve(state: State, sheets: Orders) -> Resolution[State]:
    seeds = dict.fromkeys((GM, PUBLIC, *map(audience_of, loaded().rules.sides)), b"bench")
    dice = KeyedDice(campaign="bench", lock=1, mix=mix({}), seeds=seeds)
    return adjudicate(loaded().rules, loaded().scenario.game_data, state, sheets, dice=dice)


def _marches(state: State) -> Orders:
    """A sheet that moves every German unit to the furthest hex in reach that is free of others."""
    situation = as_true(loaded().scenario.game_data, state, GERMAN)
    taken = set(occupied_hexes(state.own[GERMAN]))
    placed: list[Placed] = []
    for unit, place in on_map(state.own[GERMAN]):
        found = reachable(situation, unit)
        goal = max(found.costs.keys() - taken, key=lambda at: (found.costs[at], at), default=place)
        if goal != place:
            taken.add(goal)
            placed.append(Placed(Move(unit.id, path=found.way(goal)), len(placed) + 1))
    return {Audience(GERMAN): tuple(placed)}
