"""The paper map of a theatre, as everybody sees it."""

from collections.abc import Iterator

from campaign.engine.hexes import axial, centre, corners
from campaign.engine.ids import PlaceId
from campaign.engine.views import BaseMap, Border, BorderKind, Entry, Ground, Line, LineKind, MarginLabel
from campaign.rulesets.forum_campaign.model.game_data import SIDES, RiverClass, RoadClass, Theatre

_LINES = {RoadClass.PRIMARY: LineKind.MAIN_ROAD, RoadClass.SECONDARY: LineKind.SECONDARY_ROAD}
_RIVERS = {RiverClass.MEUSE: BorderKind.GREAT_RIVER, RiverClass.RIVER: BorderKind.RIVER}


def base_map(theatre: Theatre) -> BaseMap:
    """R6 Terrain, rivers, roads and towns, with everything a player needs to read the costs off it."""
    top = max(place[0] for place in theatre.hexes)
    return BaseMap(
        title=theatre.title,
        credit=theatre.credit,
        scale=theatre.scale,
        grounds=tuple(_ground(theatre, place, top) for place in theatre.hexes),
        lines=tuple(
            Line(a, b, _LINES[kind], bridge=(a, b) in theatre.bridges)
            for (a, b), kind in theatre.roads.items()
            if a < b
        ),
        borders=tuple(_borders(theatre)),
        entries=tuple(Entry(entry.hex, entry.name, entry.side) for entry in theatre.entries),
        margin=tuple(_margin(theatre, top)),
        sides=SIDES,
        backdrop=theatre.backdrop,
    )


def _ground(theatre: Theatre, place: PlaceId, top: str) -> Ground:
    hex_ = theatre.hexes[place]
    middle = centre(place, top_row=top)
    return Ground(
        id=place,
        at=middle,
        outline=corners(middle),
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


def _margin(theatre: Theatre, top: str) -> Iterator[MarginLabel]:
    """Row letters at both ends of each row, column numbers below and above the end rows."""
    rows: dict[int, list[PlaceId]] = {}
    for place in theatre.hexes:
        rows.setdefault(axial(place)[1], []).append(place)
    for _, places in sorted(rows.items()):
        across = sorted(places, key=lambda place: axial(place)[0])
        for place, shift in ((across[0], -1.4), (across[-1], 1.4)):
            x, y = centre(place, top_row=top)
            yield MarginLabel(place[0], (x + shift, y))
    for row, shift in ((min(rows), 1.5), (max(rows), -1.5)):
        for place in sorted(rows[row], key=lambda place: axial(place)[0]):
            x, y = centre(place, top_row=top)
            yield MarginLabel(place[1:], (x, y + shift))
