"""Paths, reach and supply of 120 units: on the field of the goals, and on the real map.

The yardsticks: touching every hex edge once, which is the least that Python can do on a map, and the same searches by
networkx and rustworkx, which must give the same results. These get the costs of all steps free.

The real map on a crowded day needs more than the goals: mechanized units of up to 15 points, and zones of control that
can be crossed at a price. Its times are printed, and have no limit.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from campaign.engine.board.board import Board
from campaign.engine.board.hexes import row_numbers
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.day.supply import along_lines
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.situation import as_true
from campaign.rulesets.forum_campaign.model.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes
from campaign.rulesets.forum_campaign.movement.reach import Range, reachable
from campaign.rulesets.forum_campaign.movement.walking import walk
from tests.bench import yardsticks
from tests.bench.field import field
from tests.bench.measure import NO_LIMIT, Figure, Work, milliseconds, ratio
from tests.bench.scene import UNITS, crowded, loaded

_Library = Callable[[yardsticks.Task], yardsticks.Answer]
_LARGE = 200
"""Hexes along the edge of the large map."""


def figures() -> Iterator[Figure]:
    game_data = loaded().scenario.game_data
    yield from _goals(*field(game_data, UNITS))
    yield from _real_map(game_data, crowded(UNITS))
    yield from _growth(game_data)


def _goals(game_data: GameData, state: State) -> Iterator[Figure]:
    """Goals 4 to 6."""
    check, search, floor = _paths(game_data, state), partial(_searched, game_data, state), _edge_floor(game_data.board)
    yield Figure("paths-of-120-units", milliseconds(check), "ms", NO_LIMIT)
    yield Figure("paths-of-120-units-to-edge-floor", ratio(check, floor), "x", 1.5)
    yield Figure("pairs-of-unit-and-hex", search(), "pairs", NO_LIMIT)
    yield Figure("reach-and-supply-of-120-units", milliseconds(search), "ms", NO_LIMIT)
    yield Figure("reach-and-supply-of-120-units-to-edge-floor", ratio(search, floor), "x", 22)
    for library, limit in ((yardsticks.with_networkx, 1 / 8), (yardsticks.with_rustworkx, 1 / 5)):
        value = _to_library(game_data, state, library)
        yield Figure(f"reach-and-supply-of-120-units-to-{_name(library)}", value, "x", limit)
    for ground, held, most in ((game_data, _held(state), 0.6), (*_large(game_data), 0.5)):
        value = ratio(partial(_supply, ground, held), _edge_floor(ground.board))
        yield Figure(f"supply-to-edge-floor-{len(ground.board)}-hexes", value, "x", most)


def _real_map(game_data: GameData, state: State) -> Iterator[Figure]:
    check, search, floor = _paths(game_data, state), partial(_searched, game_data, state), _edge_floor(game_data.board)
    yield Figure("real-map-paths-to-edge-floor", ratio(check, floor), "x", NO_LIMIT)
    yield Figure("real-map-pairs-of-unit-and-hex", search(), "pairs", NO_LIMIT)
    yield Figure("real-map-reach-and-supply", milliseconds(search), "ms", NO_LIMIT)
    yield Figure("real-map-reach-and-supply-to-edge-floor", ratio(search, floor), "x", NO_LIMIT)
    for library in (yardsticks.with_networkx, yardsticks.with_rustworkx):
        value = _to_library(game_data, state, library)
        yield Figure(f"real-map-reach-and-supply-to-{_name(library)}", value, "x", NO_LIMIT)
    yield Figure(
        "real-map-supply-to-edge-floor", ratio(partial(_supply, game_data, _held(state)), floor), "x", NO_LIMIT
    )


def _paths(game_data: GameData, state: State) -> Work:
    """The reach of every unit, with the computation of the enemy's zones."""
    marches = {side: list(_marches(game_data, state, side)) for side in SIDES}

    def check() -> None:
        for side in SIDES:
            situation = as_true(game_data, state, side)
            for unit, way in marches[side]:
                if walk(situation, unit, way).stop_reason is not None:
                    raise AssertionError(f"{unit.label} does not get along {way}")

    return check


def _marches(game_data: GameData, state: State, side: SideId) -> Iterator[tuple[Unit, tuple[PlaceId, ...]]]:
    situation = as_true(game_data, state, side)
    for unit, place in on_map(state.own[side]):
        found = reachable(situation, unit)
        yield unit, found.way(max(found.costs, key=lambda at: (found.costs[at], at), default=place))


def _to_library(game_data: GameData, state: State, library: _Library) -> float:
    """The ratio of our searches' time to a library's, which must find the same."""
    tasks = [yardsticks.Task(game_data, state, side) for side in SIDES]
    if [library(task) for task in tasks] != [_answer(game_data, state, side) for side in SIDES]:
        raise AssertionError(f"{library.__name__} answers otherwise")
    return ratio(partial(_searched, game_data, state), partial(_each, library, tasks))


def _name(library: _Library) -> str:
    return library.__name__.removeprefix("with_")


def _each(library: _Library, tasks: list[yardsticks.Task]) -> None:
    for task in tasks:
        library(task)


def _searched(game_data: GameData, state: State) -> int:
    """Reach and supply of both sides from the state only; returns the number of pairs of unit and hex."""
    pairs = 0
    for side in SIDES:
        pairs += sum(len(found.costs) for found in _ranges(game_data, state, side))
        along_lines(game_data, side, occupied_hexes(state.own[enemy_of(side)]))
    return pairs


def _ranges(game_data: GameData, state: State, side: SideId) -> Iterator[Range]:
    situation = as_true(game_data, state, side)
    return (reachable(situation, unit) for unit, _ in on_map(state.own[side]))


def _answer(game_data: GameData, state: State, side: SideId) -> yardsticks.Answer:
    supplied = along_lines(game_data, side, occupied_hexes(state.own[enemy_of(side)]))
    reach = [dict(found.costs) for found in _ranges(game_data, state, side)]
    return yardsticks.Answer(reach, game_data.open_board.places_of(supplied))


def _supply(game_data: GameData, held: Mapping[SideId, frozenset[PlaceId]]) -> None:
    for side in SIDES:
        along_lines(game_data, side, held[enemy_of(side)])


def _held(state: State) -> dict[SideId, frozenset[PlaceId]]:
    return {side: occupied_hexes(state.own[side]) for side in SIDES}


def _large(game_data: GameData) -> tuple[GameData, dict[SideId, frozenset[PlaceId]]]:
    """A square of clear hexes: each side has the column along one edge, and its units near the middle."""
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
    return replace(game_data, board=board, closed=frozenset(), supply_edge=edges), held


def _column(column: int, every: int) -> frozenset[PlaceId]:
    return frozenset(PlaceId(f"{column} {row}") for row in range(0, _LARGE, every))


def _growth(game_data: GameData) -> Iterator[Figure]:
    """Time per pair of unit and hex, with twice the units and with twice their allowances."""
    base = crowded(UNITS)
    for name, state in (("units", crowded(2 * UNITS)), ("allowances", crowded(UNITS, allowance=2))):
        less, more = partial(_searched, game_data, base), partial(_searched, game_data, state)
        yield Figure(f"reach-per-pair-at-twice-the-{name}", ratio(more, less) * less() / more(), "x", 1.3)


def _edge_floor(board: Board) -> Work:
    """Touch every hex edge once, in both directions."""
    adjoining = [[board.numbers[near] for near in board.neighbours(place)] for place in board.places]

    def touch() -> int:
        touched = 0
        for numbers in adjoining:
            for number in numbers:
                touched += number
        return touched

    return touch
