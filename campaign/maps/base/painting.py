"""The sheet under every map of a campaign: land, water, roads, names, legend. Drawn once and kept."""

from collections.abc import Iterable
from math import ceil, floor, pi

from PIL import Image, ImageDraw

from campaign.engine.display.views import Entry, Ground
from campaign.maps.base.cartouche import paint_cartouche
from campaign.maps.base.layout import Layout
from campaign.maps.base.legend import paint_legend
from campaign.maps.drawing.geometry import Box, Path, Point, grown, heading, moved
from campaign.maps.drawing.ink import Disc, Fill, Stamp, Stroke, cap_height, curved, faint, lay, lettering
from campaign.maps.land import lines
from campaign.maps.land.backdrop import paint_backdrop
from campaign.maps.land.features import Way
from campaign.maps.land.labels import Name
from campaign.maps.land.landmarks import bridge, star
from campaign.maps.land.projection import Projection
from campaign.maps.land.terrain import paint_terrain
from campaign.maps.style import theme
from campaign.maps.style.schemes import Scheme


def paint_sheet(layout: Layout) -> Image.Image:
    """The sheet in true colour, without the names of places."""
    base, projection, colours = layout.base, layout.projection, layout.colours
    paper = Image.new("RGB", (projection.width, projection.height), colours.paper)
    _neatline(paper, projection, colours)
    if base.backdrop is None:
        paint_terrain(paper, base, projection, colours)
    else:
        paint_backdrop(paper, base, base.backdrop, projection, colours)
    _lines(paper, layout, projection.scale)
    _towns(paper, layout)
    _margin(paper, layout)
    _small_print(paper, layout, projection.scale)
    paint_cartouche(paper, base, projection, colours)
    paint_legend(paper, base, projection, colours)
    return paper


def paint_names(paper: Image.Image, layout: Layout) -> tuple[Stamp, ...]:
    """Print the names of places; returns for each the pixels before it, so that it can be taken off again."""
    around = _AROUND * layout.print_on.scale
    boxes = [_pixels(grown(name.box, around), paper.size) for name in layout.print_on.names]
    patches = tuple(Stamp(paper.crop(box), None, (-box[0], -box[1])) for box in boxes)
    scale, colours = layout.projection.scale, layout.colours
    flags = [name.flag for name in layout.print_on.names if name.flag is not None]
    lay(paper, [star(at, 7.0 * scale) for at in flags], colours.star)
    lay(paper, [star(at, 4.6 * scale) for at in flags], colours.halo)
    for name in layout.print_on.names:
        name_stamp(name, layout.print_on.scale, colours).press(paper, name.at)
    return patches


_AROUND = 6.0
"""Points round the capitals of a name that its print and its star may cover."""


def _pixels(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The pixels of a picture that a box touches."""
    return max(floor(box[0]), 0), max(floor(box[1]), 0), min(ceil(box[2]), size[0]), min(ceil(box[3]), size[1])


def name_stamp(name: Name, scale: float, colours: Scheme) -> Stamp:
    """The name of a place as a stamp, for the sheet and again over arrows and fronts, which must not hide it."""
    halo = (theme.NAME_HALO, colours.halo)
    return lettering(name.text, name.style, scale, ink=colours.names[name.importance], halo=halo)


def number_stamp(text: str, scale: float, colours: Scheme, *, haloed: bool) -> Stamp:
    """The id of a place as a stamp. On pictures and counters it is as dark as possible and has a rim."""
    if haloed:
        return lettering(text, theme.NUMBERS, scale, ink=colours.ink, halo=(theme.NUMBER_HALO, colours.halo))
    return lettering(text, theme.NUMBERS, scale, ink=colours.number)


def _neatline(paper: Image.Image, projection: Projection, colours: Scheme) -> None:
    pen = ImageDraw.Draw(paper)
    box = tuple(round(edge) for edge in projection.frame)
    pen.rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill=colours.border, outline=colours.ink)
    gap = max(2, round(3 * projection.page))
    pen.rectangle((box[0] - gap, box[1] - gap, box[2] - 1 + gap, box[3] - 1 + gap), outline=colours.ink)


def _lines(paper: Image.Image, layout: Layout, scale: float) -> None:
    """Draw rivers, roads and other lines over the land, the lowest layer first."""
    features, colours = layout.lines, layout.colours
    grid = [Stroke((*outline, outline[0]), scale) for outline in features.grid]
    strength = theme.GRID_STRENGTH if layout.base.backdrop is None else theme.GRID_ON_PICTURES
    lay(paper, grid, colours.grid, levels=faint(strength))
    lay(paper, lines.strokes(features.rim, 1.3 * scale), colours.grid)
    borders = [*features.borders, *(Way(river.symbol, (river.path,)) for river in features.rivers)]
    for over_front in (False, True):
        for symbol, drawing in lines.BORDERS.items():
            if drawing.over_front is over_front:
                drawing.paint(paper, _paths(borders, symbol), scale, colours)
        if not over_front:
            lines.forts(paper, features.forts, scale, colours)
    for symbol, paint in lines.LINES.items():
        paint(paper, _paths(features.ways, symbol), scale, colours)
    rails = [rail for b in features.bridges for rail in bridge(b.at, b.way, scale * (1.4 if b.great else 1.0))]
    lay(paper, rails, colours.ink)


def _paths(ways: Iterable[Way], symbol: str) -> list[Path]:
    return [path for way in ways if way.symbol == symbol for path in way.paths]


# --- places -----------------------------------------------------------------------------------------------------------


def _towns(paper: Image.Image, layout: Layout) -> None:
    base, places, projection, colours = layout.base, layout.places, layout.projection, layout.colours
    named = [(places.at(g.id), _radius(g) * projection.scale) for g in base.grounds if g.name]
    rim = projection.scale * 1.2
    lay(paper, [Disc(at, r + rim / 2) for at, r in named], colours.ink)
    lay(paper, [Disc(at, r - rim / 2) for at, r in named], colours.blank)
    large = [(at, r) for at, r in named if r > 3 * projection.scale]
    lay(paper, [Disc(at, r * 0.45) for at, r in large], colours.ink)


def _radius(ground: Ground) -> float:
    return theme.TOWN_SIZES[max(0, min(ground.importance, len(theme.TOWN_SIZES) - 1))]


def _small_print(paper: Image.Image, layout: Layout, scale: float) -> None:
    colours = layout.colours
    for number in layout.print_on.numbers:
        number_stamp(number.text, scale, colours, haloed=layout.base.backdrop is not None).press(paper, number.at)
    for river in layout.print_on.rivers:
        ink = colours.great_water_name if river.great else colours.water_name
        stamp = curved(
            river.text, river.style, river.path, scale=scale, spacing=river.spacing, ink=ink, halo=(1.8, colours.halo)
        )
        stamp.press(paper, (0, 0))


# --- margin -----------------------------------------------------------------------------------------------------------


def _margin(paper: Image.Image, layout: Layout) -> None:
    base, places, projection, colours = layout.base, layout.places, layout.projection, layout.colours
    drop = cap_height(theme.MARGIN_PRINT, projection.scale) / 2
    for label in () if projection.coarse else base.margin:
        x, y = projection.at(label.at)
        lettering(label.text, theme.MARGIN_PRINT, projection.scale, ink=colours.quiet).press(paper, (x, y + drop))
    for entry in base.entries:
        centre, edge = places.way_out(entry.at, f"entry {entry.name}")
        way = heading(edge, centre)
        lay(paper, [_arrowhead(edge, way, projection.scale)], colours.side_colours(base.sides, entry.side).strong)
        if not projection.coarse:
            _entry_name(paper, entry, edge, way, layout)


def _arrowhead(edge: Point, way: float, scale: float) -> Fill:
    """A small wedge on the edge of the map, pointing inwards."""
    tip, back = moved(edge, way, 2 * scale), moved(edge, way + pi, 7 * scale)
    return Fill((tip, moved(back, way + pi / 2, 5 * scale), moved(back, way - pi / 2, 5 * scale)))


def _entry_name(paper: Image.Image, entry: Entry, edge: Point, way: float, layout: Layout) -> None:
    """Print the name along the neatline, outside the row letters; at the sides it reads upwards."""
    scale = layout.projection.scale
    left, top, right, bottom = grown(layout.projection.frame, -5 * scale)
    cap = cap_height(theme.ENTRY_PRINT, scale)
    stamp = lettering(entry.name, theme.ENTRY_PRINT, scale, ink=layout.colours.ink)
    if abs(way - pi / 2) < 0.1:
        stamp.press(paper, (edge[0], top + cap))
    elif abs(way + pi / 2) < 0.1:
        stamp.press(paper, (edge[0], bottom))
    else:
        stamp.turned().press(paper, (left + cap if edge[0] < (left + right) / 2 else right, edge[1]))
