"""The base map of a scenario, the same for everyone."""

from collections.abc import Iterator

from campaign.engine.ids import PlaceId
from campaign.engine.views import BaseMap, Border, BorderKind, Entry, Ground, Line, MarginLabel
from campaign.rulesets.forum_campaign.model.game_data import SIDES, RiverClass, RoadClass, Theatre
from campaign.rulesets.forum_campaign.model.signs import MAIN_ROAD, SECONDARY_ROAD, SIGNS

_LINES = {RoadClass.PRIMARY: MAIN_ROAD.key, RoadClass.SECONDARY: SECONDARY_ROAD.key}
_RIVERS = {RiverClass.MEUSE: BorderKind.GREAT_RIVER, RiverClass.RIVER: BorderKind.RIVER}


def base_map(theatre: Theatre) -> BaseMap:
    """R6 Terrain, rivers, roads and towns: all that a player needs to read movement costs from the map."""
    return BaseMap(
        title=theatre.title,
        credit=theatre.credit,
        scale=theatre.scale,
        grounds=tuple(_ground(theatre, place) for place in theatre.hexes),
        lines=tuple(
            Line(a, b, _LINES[kind], bridge=(a, b) in theatre.bridges)
            for (a, b), kind in theatre.roads.items()
            if a < b
        ),
        borders=tuple(_borders(theatre)),
        entries=tuple(Entry(entry.hex, entry.name, entry.side) for entry in theatre.entries),
        margin=tuple(_margin(theatre)),
        sides=SIDES,
        backdrop=theatre.backdrop,
        signs=SIGNS,
    )


def _ground(theatre: Theatre, place: PlaceId) -> Ground:
    hex_ = theatre.hexes[place]
    return Ground(
        id=place,
        at=theatre.grid.middles[place],
        outline=theatre.grid.outline(place),
        terrain=hex_.terrain.value,
        name=hex_.town,
        importance=hex_.importance,
        victory_points=hex_.victory_points,
        fortified=hex_.fortified,
        country=hex_.country,
    )


def _borders(theatre: Theatre) -> Iterator[Border]:
    for (a, b), river in theatre.rivers.items():
        if a < b:
            yield Border(a, b, _RIVERS[river.kind], river.names)
    for kind, edges in ((BorderKind.FRONTIER, theatre.frontiers), (BorderKind.CLOSED, theatre.closed)):
        for a, b in sorted(edges):
            if (b, a) not in edges or a < b:
                yield Border(a, b, kind)


def _margin(theatre: Theatre) -> Iterator[MarginLabel]:
    """Row names at both ends of each row, column names above the top row and below the bottom row."""
    numbering, middles = theatre.grid.numbering, theatre.grid.middles
    rows: dict[float, list[PlaceId]] = {}
    for place in sorted(theatre.hexes, key=lambda place: middles[place]):
        rows.setdefault(middles[place][1], []).append(place)
    for _, across in sorted(rows.items(), reverse=True):
        for place, shift in ((across[0], -1.4), (across[-1], 1.4)):
            x, y = middles[place]
            yield MarginLabel(numbering.row_of(place), (x + shift, y))
    for y, shift in ((max(rows), 1.5), (min(rows), -1.5)):
        for place in rows[y]:
            yield MarginLabel(numbering.column_of(place), (middles[place][0], y + shift))
