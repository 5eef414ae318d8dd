"""The base map of a scenario, the same for everyone."""

import datetime
import re
from collections.abc import Iterator
from math import sqrt

from campaign.engine.display.signs import Signs
from campaign.engine.display.views import BaseMap, Border, Entry, Exit, Ground, Line, MarginLabel
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData, RiverClass, RoadClass
from campaign.rulesets.forum_campaign.model.signs import (
    CLOSED,
    FRONTIER,
    GREAT_RIVER,
    MAIN_ROAD,
    PARADROP,
    RIVER,
    SECONDARY_ROAD,
    SIGNS,
)

_LINES = {RoadClass.PRIMARY: MAIN_ROAD.key, RoadClass.SECONDARY: SECONDARY_ROAD.key}
_RIVERS = {RiverClass.MEUSE: GREAT_RIVER.key, RiverClass.RIVER: RIVER.key}


def base_map(game_data: GameData) -> BaseMap:
    """R6 Terrain, rivers, roads and towns: all that a player needs to read movement costs from the map."""
    return BaseMap(
        title=game_data.title,
        credit=game_data.credit,
        scale=game_data.scale,
        grounds=tuple(_ground(game_data, place) for place in game_data.hexes),
        lines=tuple(
            Line(a, b, _LINES[kind], bridge=(a, b) in game_data.bridges)
            for (a, b), kind in game_data.roads.items()
            if a < b
        ),
        borders=tuple(_borders(game_data)),
        entries=tuple(Entry(entry.hex, entry.name, entry.side) for entry in game_data.entries),
        margin=tuple(_margin(game_data)),
        sides=SIDES,
        exits=tuple(_exits(game_data)),
        subtitle=_days(game_data),
        kilometres=_kilometres(game_data.scale),
        turns=tuple(f"{day:%-d %B %Y}" for day in _all_days(game_data)),
        backdrop=game_data.backdrop,
        signs=_signs(game_data),
    )


def _all_days(game_data: GameData) -> Iterator[datetime.date]:
    for day in range((game_data.last_day - game_data.first_day).days + 1):
        yield game_data.first_day + datetime.timedelta(day)


def _days(game_data: GameData) -> str:
    """The first and the last day: 16 to 31 December 1944."""
    first, last = game_data.first_day, game_data.last_day
    if first == last:
        return f"{last:%-d %B %Y}"
    form = "%-d" if (first.year, first.month) == (last.year, last.month) else "%-d %B"
    return f"{first.strftime(form if first.year == last.year else '%-d %B %Y')} to {last:%-d %B %Y}"


def _kilometres(scale: str) -> float:
    """Kilometres per map unit, if the scale says how many a hex has across: 6.5 km a hex."""
    found = re.match(r"(\d{1,4}(?:\.\d{1,3})?) km a hex", scale)
    return float(found[1]) / sqrt(3) if found else 0.0


def _signs(game_data: GameData) -> Signs:
    """R11.8 The signs of the ruleset, without paratroops where the charts have no drop zone for them.

    Only what both sides read may decide this: the legend must not say which units are still to come.
    """
    if game_data.charts.commandos.drop_zone:
        return SIGNS
    return replace(SIGNS, flights=tuple(sign for sign in SIGNS.flights if sign is not PARADROP))


def _ground(game_data: GameData, place: PlaceId) -> Ground:
    hex_ = game_data.hexes[place]
    return Ground(
        id=place,
        at=game_data.grid.middles[place],
        outline=game_data.grid.outline(place),
        terrain=hex_.terrain.value,
        name=hex_.town,
        importance=hex_.importance,
        victory_points=hex_.victory_points,
        fortified=hex_.fortified,
        country=hex_.country,
    )


def _exits(game_data: GameData) -> Iterator[Exit]:
    numbering, middles = game_data.grid.numbering, game_data.grid.middles
    for (place, beyond), kind in game_data.roads_out.items():
        (x, y), (east, north), (far_east, far_north) = (
            middles[place],
            *(numbering.middle(numbering.axial(each)) for each in (place, beyond)),
        )
        yield Exit(place, (x + far_east - east, y - far_north + north), _LINES[kind])


def _borders(game_data: GameData) -> Iterator[Border]:
    for (a, b), river in game_data.rivers.items():
        if a < b:
            yield Border(a, b, _RIVERS[river.kind], river.names)
    for sign, edges in ((FRONTIER, game_data.frontiers), (CLOSED, game_data.closed)):
        for a, b in sorted(edges):
            if (b, a) not in edges or a < b:
                yield Border(a, b, sign.key)


def _margin(game_data: GameData) -> Iterator[MarginLabel]:
    """Row names at both ends of each row, column names above the top row and below the bottom row."""
    numbering, middles = game_data.grid.numbering, game_data.grid.middles
    rows: dict[float, list[PlaceId]] = {}
    for place in sorted(game_data.hexes, key=lambda place: middles[place]):
        rows.setdefault(middles[place][1], []).append(place)
    for _, across in sorted(rows.items(), reverse=True):
        for place, shift in ((across[0], -1.4), (across[-1], 1.4)):
            x, y = middles[place]
            yield MarginLabel(numbering.row_of(place), (x + shift, y))
    for y, shift in ((max(rows), 1.5), (min(rows), -1.5)):
        for place in rows[y]:
            yield MarginLabel(numbering.column_of(place), (middles[place][0], y + shift))
