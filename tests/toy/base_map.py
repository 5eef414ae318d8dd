"""The base map: areas as squares, links as roads, and water between squares without a link."""

import datetime
from collections.abc import Iterator, Mapping
from itertools import combinations

from campaign.engine.display.views import BaseMap, Border, Ground, Line, Panel, Point
from campaign.engine.orders.lexicon import grouped
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.moments import day_moment
from tests.toy.model.game_data import SIDE_NAMES, SIDES, Area, GameData
from tests.toy.model.signs import CAUSEWAY, SIGNS, WATER
from tests.toy.model.state import State

_WIDTH = 2.0
"""The side of an area, in map units."""


def base_map(game_data: GameData) -> BaseMap:
    areas = tuple(game_data.areas.values())
    return BaseMap(
        title=game_data.title,
        credit="",
        scale="",
        grounds=tuple(_ground(area) for area in areas),
        lines=tuple(Line(a, b, CAUSEWAY.key) for a, b in _links(game_data)),
        borders=tuple(_waters(game_data)),
        sides=SIDES,
        signs=SIGNS,
        turns=tuple(day_moment(day).label for day in _days(game_data)),
    )


def _days(game_data: GameData) -> Iterator[datetime.date]:
    """R1.1 The days of the game, which are its turns for readers of maps."""
    for day in range((game_data.last_day - game_data.first_day).days + 1):
        yield game_data.first_day + datetime.timedelta(day)


def _ground(area: Area) -> Ground:
    x, y = area.at[0] * _WIDTH, area.at[1] * _WIDTH
    importance = 2 if area.points else 1
    return Ground(
        id=area.id,
        at=(x, y),
        outline=_square((x, y)),
        terrain=area.terrain,
        name=area.name,
        importance=importance,
        victory_points=area.points,
    )


def _square(middle: Point) -> tuple[Point, ...]:
    (x, y), half = middle, _WIDTH / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def _links(game_data: GameData) -> Iterator[tuple[PlaceId, PlaceId]]:
    return ((a, b) for a, b in combinations(game_data.areas, 2) if game_data.board.adjoin(a, b))


def _waters(game_data: GameData) -> Iterator[Border]:
    for a, b in combinations(game_data.areas.values(), 2):
        touching = abs(a.at[0] - b.at[0]) + abs(a.at[1] - b.at[1]) == 1
        if touching and not game_data.board.adjoin(a.id, b.id):
            yield Border(a.id, b.id, WATER.key)


def charts(game_data: GameData) -> tuple[Panel, ...]:
    """R2.1, R4.3, R7.2 The tables of the rules."""
    links = tuple((area.name, ", ".join(game_data.board.neighbours(id_))) for id_, area in game_data.areas.items())
    cards = tuple((card.value, c.use.value, f"{c.bonus:+d}", str(c.count)) for card, c in game_data.cards.items())
    points = tuple((area.name, str(area.points)) for area in game_data.areas.values() if area.points)
    return (
        Panel("links", "Areas and their links", ("Area", "Links"), links),
        Panel("cards", "Cards", ("Card", "Played in", "Bonus", "In the deck"), cards),
        Panel("objectives", "Objectives", ("Area", "Points"), points),
    )


def figure(game_data: GameData, _side: SideId, name: str) -> str:
    """What a briefing may name: the points of all objectives."""
    return {"points": str(sum(area.points for area in game_data.areas.values()))}[name]


def formations(_game_data: GameData, known: State) -> Mapping[str, frozenset[UnitId]]:
    """The brigades that a player's state knows. Forces without one belong to the whole side."""
    forces = ((side, force) for side, own in known.own.items() for force in own.forces.values() if force.brigade)
    return grouped((f"{SIDE_NAMES[side]}, {force.brigade}", force.id) for side, force in forces)
