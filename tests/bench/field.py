"""The field of the goals: 30 by 26 hexes drawn from a seed, with 60 units a side.

It has six terrains and towns, five rivers and six roads from edge to edge; the charts are those of the real campaign,
in sunshine. Every unit has eight movement points clear of the enemy, and stops in the first zone of control.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product
from random import Random
from string import ascii_uppercase

from campaign.engine.board.board import Board
from campaign.engine.board.hexes import Grid
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace as with_fields
from campaign.rulesets.forum_campaign.day.sighting import sightings
from campaign.rulesets.forum_campaign.model.game_data import (
    ALLIED,
    GERMAN,
    SIDES,
    Branch,
    Echelon,
    Edge,
    GameData,
    Hex,
    River,
    RiverClass,
    RoadClass,
    Terrain,
    Weather,
)
from campaign.rulesets.forum_campaign.model.options import Options, ZoneCost
from campaign.rulesets.forum_campaign.model.state import Open, Own, State, Unit, WeatherToday

_SEED = 1
_COLUMNS, _ROWS = 30, ascii_uppercase
_RIVERS, _ROADS = 5, 6
_SOURCES = 4
"""Hexes of each side's supply edge."""
_TOWNS = 40
_LIKE_A_NEIGHBOUR = 0.6
"""The probability that a hex has the terrain of a neighbour."""
_SHARES = {
    Terrain.CLEAR: 27,
    Terrain.ROUGH: 15,
    Terrain.FOREST: 33,
    Terrain.VALLEY: 15,
    Terrain.MARSH: 5,
    Terrain.CITY: 5,
}
"""Enough woods that the units reach about 4,900 hexes in all, as on the map on which the limits were found."""
_PRINTED = 4
"""R4.3 Movement points of infantry, which are doubled clear of the enemy."""


def field(model: GameData, units: int) -> tuple[GameData, State]:
    """Game data with the charts of a real campaign, and a state with this many units a side."""
    random = Random(_SEED)
    grid = Grid.of(_hex(row, column) for row in _ROWS for column in range(1, _COLUMNS + 1))
    board = grid.board()
    game_data = replace(
        model,
        hexes=dict(_hexes(random, board)),
        grid=grid,
        board=board,
        roads=dict(_roads(random, grid, board)),
        bridges=frozenset(),
        rivers=dict(_rivers(random, board)),
        closed=frozenset(),
        frontiers=frozenset(),
        entries=(),
        supply_edge={ALLIED: _sources(random, 1), GERMAN: _sources(random, _COLUMNS)},
    )
    return game_data, _state(random, game_data, units)


def _hex(row: str, column: int) -> PlaceId:
    return PlaceId(f"{row}{column}")


def _column(place: PlaceId) -> int:
    return int(place[1:])


# --- the map ---------------------------------------------------------------------------------------------------------


def _hexes(random: Random, board: Board) -> Iterator[tuple[PlaceId, Hex]]:
    terrain: dict[PlaceId, Terrain] = {}
    towns = set(random.sample(board.places, _TOWNS))
    for place in board.places:
        beside = [terrain[near] for near in board.neighbours(place) if near in terrain]
        anew = random.choices(list(_SHARES), list(_SHARES.values()))[0]
        terrain[place] = random.choice(beside) if beside and random.random() < _LIKE_A_NEIGHBOUR else anew
        control = ALLIED if _column(place) <= _COLUMNS // 2 else GERMAN
        yield place, Hex(place, terrain[place], control, importance=3 if place in towns else 0)


def _rivers(random: Random, board: Board) -> Iterator[tuple[Edge, River]]:
    """Rivers from north to south, along the hexsides between a western and an eastern part."""
    for number in range(_RIVERS):
        column, banks = (number + 1) * _COLUMNS // (_RIVERS + 1), {}
        for row in _ROWS:
            banks[row] = column
            column += random.choice((-1, 0, 1))
        for place, near in product(board.places, repeat=2):
            west, east = _column(place) <= banks[place[0]], _column(near) > banks[near[0]]
            if west and east and board.adjoin(place, near):
                river = River(RiverClass.RIVER, (f"River {number + 1}",))
                yield (place, near), river
                yield (near, place), river


def _roads(random: Random, grid: Grid, board: Board) -> Iterator[tuple[Edge, RoadClass]]:
    """Roads, alternately from west to east and from south to north, main and secondary."""
    for number in range(_ROADS):
        across = number % 2 == 0
        row, column = random.choice(_ROWS), random.randint(1, _COLUMNS)
        start = _hex(row, 1) if across else _hex(_ROWS[0], column)
        goal = _hex(random.choice(_ROWS), _COLUMNS) if across else _hex(_ROWS[-1], random.randint(1, _COLUMNS))
        for at, near in pairwise(_way(random, grid, board, (start, goal))):
            kind = RoadClass.PRIMARY if number < _ROADS // 2 else RoadClass.SECONDARY
            yield (at, near), kind
            yield (near, at), kind


def _way(random: Random, grid: Grid, board: Board, ends: tuple[PlaceId, PlaceId]) -> Iterator[PlaceId]:
    start, goal = ends
    yield start
    while start != goal:
        left = grid.distance(start, goal)
        start = random.choice([near for near in board.neighbours(start) if grid.distance(near, goal) < left])
        yield start


def _sources(random: Random, column: int) -> frozenset[PlaceId]:
    return frozenset(_hex(row, column) for row in random.sample(_ROWS, _SOURCES))


# --- the units -------------------------------------------------------------------------------------------------------


def _state(random: Random, game_data: GameData, units: int) -> State:
    """Units of both sides anywhere, each in its own hex."""
    taken = random.sample(game_data.board.places, units * len(SIDES))
    own = {side: Own(_units(side, taken[number :: len(SIDES)])) for number, side in enumerate(SIDES)}
    today = WeatherToday(Weather.SUNNY, 0, 0)
    opened = Open(
        game_data.first_day,
        PhaseKey("sheet"),
        fuel=units,
        depots={},
        control={},
        weather=today,
        options=Options(zone_cost=ZoneCost.STOP),
    )
    state = State(opened, own)
    return with_fields(
        state, own={side: with_fields(own[side], sightings=sightings(game_data, state, side)) for side in SIDES}
    )


def _units(side: SideId, places: Iterable[PlaceId]) -> Mapping[UnitId, Unit]:
    units = (
        Unit(
            UnitId(f"{side}-{number}"),
            f"{number}",
            f"{number}. {side}",
            Branch.INFANTRY,
            Echelon.DIVISION,
            small=False,
            small_from_start=False,
            movement=_PRINTED,
            at=place,
        )
        for number, place in enumerate(places)
    )
    return {unit.id: unit for unit in units}
