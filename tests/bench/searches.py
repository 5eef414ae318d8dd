"""Paths, reach and supply of 120 units on the real map.

The yardsticks: touching every hex edge once, which is the least that Python can do on a map, and the same searches by
networkx and rustworkx, which must answer the same. These get the costs of all steps for nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from campaign.engine.board import Board
from campaign.engine.hexes import row_numbers
from campaign.engine.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.movement import walk
from campaign.rulesets.forum_campaign.reach import Range, reachable
from campaign.rulesets.forum_campaign.situation import as_true
from campaign.rulesets.forum_campaign.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.supply import along_lines
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN, SIDES, Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes
from tests.bench import yardsticks
from tests.bench.measure import NO_LIMIT, Figure, Work, milliseconds, ratio
from tests.bench.scene import UNITS, crowded, loaded

_LARGE = 200
"""Hexes along the edge of the large map."""


def figures() -> Iterator[Figure]:
    theatre = loaded().scenario.theatre
    yield from _paths(theatre, crowded(UNITS))
    yield from _reach(theatre, crowded(UNITS))
    yield from _floods(theatre, crowded(UNITS))
    yield from _growth(theatre)


def _paths(theatre: Theatre, state: State) -> Iterator[Figure]:
    """Every unit goes as far as it can. The enemy's zones are worked out with it."""
    marches = {side: list(_marches(theatre, state, side)) for side in SIDES}

    def check() -> None:
        for side in SIDES:
            situation = as_true(theatre, state, side)
            for unit, way in marches[side]:
                if walk(situation, unit, way).halt is not None:
                    raise AssertionError(f"{unit.label} does not get along {way}")

    yield Figure("paths-of-120-units", milliseconds(check), "ms", NO_LIMIT)
    yield Figure("paths-of-120-units-to-edge-floor", ratio(check, _edge_floor(theatre.board)), "x", 1.5)


def _marches(theatre: Theatre, state: State, side: SideId) -> Iterator[tuple[Unit, tuple[PlaceId, ...]]]:
    situation = as_true(theatre, state, side)
    for unit, place in on_map(state.own[side]):
        found = reachable(situation, unit)
        yield unit, found.way(max(found.costs, key=lambda at: (found.costs[at], at), default=place))


def _reach(theatre: Theatre, state: State) -> Iterator[Figure]:
    tasks = [yardsticks.Task(theatre, state, side) for side in SIDES]
    work = partial(_searched, theatre, state)
    ours = [_answer(theatre, state, side) for side in SIDES]
    yield Figure("reach-and-supply-of-120-units", milliseconds(work), "ms", NO_LIMIT)
    yield Figure("reach-and-supply-of-120-units-to-edge-floor", ratio(work, _edge_floor(theatre.board)), "x", 22)
    for library, limit in ((yardsticks.with_networkx, 1 / 8), (yardsticks.with_rustworkx, 1 / 5)):
        if [library(task) for task in tasks] != ours:
            raise AssertionError(f"{library.__name__} answers otherwise")
        value = ratio(work, partial(_each, library, tasks))
        yield Figure(f"reach-and-supply-of-120-units-{library.__name__.replace('_', '-')}", value, "x", limit)


def _each(library: Callable[[yardsticks.Task], object], tasks: list[yardsticks.Task]) -> None:
    for task in tasks:
        library(task)


def _searched(theatre: Theatre, state: State) -> int:
    """Reach and supply of both sides from nothing but the state: how many pairs of unit and hex it comes to."""
    pairs = 0
    for side in SIDES:
        pairs += sum(len(found.costs) for found in _ranges(theatre, state, side))
        along_lines(theatre, side, occupied_hexes(state.own[enemy_of(side)]))
    return pairs


def _ranges(theatre: Theatre, state: State, side: SideId) -> Iterator[Range]:
    situation = as_true(theatre, state, side)
    return (reachable(situation, unit) for unit, _ in on_map(state.own[side]))


def _answer(theatre: Theatre, state: State, side: SideId) -> yardsticks.Answer:
    supplied = along_lines(theatre, side, occupied_hexes(state.own[enemy_of(side)]))
    reach = [dict(found.costs) for found in _ranges(theatre, state, side)]
    return yardsticks.Answer(reach, theatre.open_board.places_of(supplied))


def _floods(theatre: Theatre, state: State) -> Iterator[Figure]:
    """Supply of both sides: zones, lines and the hexes along them."""
    for ground, held in ((theatre, _held(state)), _large(theatre)):
        work = partial(_supply, ground, held)
        name = f"supply-to-edge-floor-{len(ground.board)}-hexes"
        yield Figure(name, ratio(work, _edge_floor(ground.board)), "x", 0.6 if ground is theatre else 0.5)


def _supply(theatre: Theatre, held: Mapping[SideId, frozenset[PlaceId]]) -> None:
    for side in SIDES:
        along_lines(theatre, side, held[enemy_of(side)])


def _held(state: State) -> dict[SideId, frozenset[PlaceId]]:
    return {side: occupied_hexes(state.own[side]) for side in SIDES}


def _large(theatre: Theatre) -> tuple[Theatre, dict[SideId, frozenset[PlaceId]]]:
    """A square of hexes without any terrain: each side has the column along one edge, and stands before the middle."""
    side_by_side = range(_LARGE)
    ids = {
        (column - (row + 1) // 2, row): PlaceId(f"{column} {row}") for row in side_by_side for column in side_by_side
    }
    around = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    neighbours = {
        place: [ids[q + dq, r + dr] for dq, dr in around if (q + dq, r + dr) in ids] for (q, r), place in ids.items()
    }
    board = Board(neighbours, {ids[at]: number for at, number in row_numbers(ids).items()})
    edges = {GERMAN: _column(_LARGE - 1, 1), ALLIED: _column(0, 1)}
    held = {GERMAN: _column(_LARGE // 2 + 2, 3), ALLIED: _column(_LARGE // 2 - 2, 3)}
    return replace(theatre, board=board, closed=frozenset(), supply_edge=edges), held


def _column(column: int, every: int) -> frozenset[PlaceId]:
    return frozenset(PlaceId(f"{column} {row}") for row in range(0, _LARGE, every))


def _growth(theatre: Theatre) -> Iterator[Figure]:
    """Time for each pair of unit and hex, with twice as many units and with twice their allowances."""
    base = crowded(UNITS)
    for name, state in (("units", crowded(2 * UNITS)), ("allowances", crowded(UNITS, allowance=2))):
        less, more = partial(_searched, theatre, base), partial(_searched, theatre, state)
        yield Figure(f"reach-per-pair-at-twice-the-{name}", ratio(more, less) * less() / more(), "x", 1.3)


def _edge_floor(board: Board) -> Work:
    """Touching every hex edge once, both ways."""
    adjoining = [[board.numbers[near] for near in board.neighbours(place)] for place in board.places]

    def touch() -> int:
        touched = 0
        for numbers in adjoining:
            for number in numbers:
                touched += number
        return touched

    return touch
