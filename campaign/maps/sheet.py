"""The paper under every map of a campaign: land, water, roads, names, legend. Drawn once and kept."""

from math import pi

from PIL import Image, ImageDraw

from campaign.engine.views import BaseMap, Entry, Ground
from campaign.maps import lines, theme
from campaign.maps.features import Features, Places
from campaign.maps.geometry import Point, grown, heading, moved
from campaign.maps.ink import Disc, Fill, Stamp, Stroke, cap_height, curved, faint, lay, lettering
from campaign.maps.labels import Labels, Name
from campaign.maps.landmarks import bridge, star
from campaign.maps.legend import paint_legend
from campaign.maps.projection import Projection
from campaign.maps.terrain import paint_terrain


def paint_sheet(base: BaseMap, features: Features, print_on: Labels, projection: Projection) -> Image.Image:
    """All that does not depend on a view, in true colour."""
    paper = Image.new("RGB", (projection.width, projection.height), theme.PAPER)
    _neatline(paper, projection)
    paint_terrain(paper, base, projection)
    _lines(paper, features, projection.scale)
    _towns(paper, base, projection)
    _margin(paper, base, projection)
    _small_print(paper, print_on, projection.scale)
    paint_legend(paper, base, projection)
    for name in print_on.names:
        name_stamp(name, print_on.scale).press(paper, name.at)
    return paper


def name_stamp(name: Name, scale: float) -> Stamp:
    """The name of a place. It stands on the sheet and again on arrows and fronts, which may not hide it."""
    return lettering(name.text, name.style, scale, halo=theme.NAME_HALO)


def _neatline(paper: Image.Image, projection: Projection) -> None:
    pen = ImageDraw.Draw(paper)
    box = tuple(round(edge) for edge in projection.frame)
    pen.rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill=theme.BORDER, outline=theme.INK)
    gap = max(2, round(3 * projection.page))
    pen.rectangle((box[0] - gap, box[1] - gap, box[2] - 1 + gap, box[3] - 1 + gap), outline=theme.INK)


def _lines(paper: Image.Image, features: Features, scale: float) -> None:
    """Everything that runs over the land, the lowest layer first."""
    grid = [Stroke((*outline, outline[0]), scale) for outline in features.grid]
    lay(paper, grid, theme.GRID, levels=faint(theme.GRID_STRENGTH))
    lay(paper, lines.strokes(features.rim, 1.3 * scale), theme.GRID)
    lines.rivers(paper, [river.path for river in features.rivers if not river.great], scale)
    lines.great_rivers(paper, [river.path for river in features.rivers if river.great], scale)
    lines.frontiers(paper, features.frontiers, scale)
    lines.forts(paper, features.forts, scale)
    lines.closed_sides(paper, features.closed, scale)
    lines.tracks(paper, features.tracks, scale)
    lines.main_roads(paper, features.main_roads, scale)
    rails = [rail for b in features.bridges for rail in bridge(b.at, b.way, scale * (1.4 if b.great else 1.0))]
    lay(paper, rails, theme.INK)


# --- places -----------------------------------------------------------------------------------------------------------


def _towns(paper: Image.Image, base: BaseMap, projection: Projection) -> None:
    places = Places(base, projection)
    named = [(places.at(g.id), _radius(g) * projection.scale) for g in base.grounds if g.name]
    rim = projection.scale * 1.2
    lay(paper, [Disc(at, r + rim / 2) for at, r in named], theme.INK)
    lay(paper, [Disc(at, r - rim / 2) for at, r in named], theme.WHITE)
    large = [(at, r) for at, r in named if r > 3 * projection.scale]
    lay(paper, [Disc(at, r * 0.45) for at, r in large], theme.INK)


def _radius(ground: Ground) -> float:
    return theme.TOWN_SIZES[max(0, min(ground.importance, len(theme.TOWN_SIZES) - 1))]


def _small_print(paper: Image.Image, print_on: Labels, scale: float) -> None:
    for number in print_on.numbers:
        lettering(number.text, theme.NUMBERS, scale).press(paper, number.at)
    for river in print_on.rivers:
        curved(river.text, river.style, river.path, scale=scale, spacing=river.spacing, halo=1.8).press(paper, (0, 0))
    flags = [name.flag for name in print_on.names if name.flag is not None]
    lay(paper, [star(at, 7.0 * scale) for at in flags], theme.STAR)
    lay(paper, [star(at, 4.6 * scale) for at in flags], theme.HALO)


# --- margin -----------------------------------------------------------------------------------------------------------


def _margin(paper: Image.Image, base: BaseMap, projection: Projection) -> None:
    drop = cap_height(theme.MARGIN_PRINT, projection.scale) / 2
    for label in () if projection.coarse else base.margin:
        x, y = projection.at(label.at)
        lettering(label.text, theme.MARGIN_PRINT, projection.scale).press(paper, (x, y + drop))
    places = Places(base, projection)
    for entry in base.entries:
        centre, edge = places.way_out(entry.at, f"entry {entry.name}")
        way = heading(edge, centre)
        lay(paper, [_arrowhead(edge, way, projection.scale)], theme.livery(base.sides, entry.side).strong)
        if not projection.coarse:
            _entry_name(paper, entry, edge, way, projection)


def _arrowhead(edge: Point, way: float, scale: float) -> Fill:
    """A small wedge on the edge of the map that points inwards."""
    tip, back = moved(edge, way, 2 * scale), moved(edge, way + pi, 7 * scale)
    return Fill((tip, moved(back, way + pi / 2, 5 * scale), moved(back, way - pi / 2, 5 * scale)))


def _entry_name(paper: Image.Image, entry: Entry, edge: Point, way: float, projection: Projection) -> None:
    """The name along the neatline, outside the row letters; it reads upwards at the sides."""
    scale = projection.scale
    left, top, right, bottom = grown(projection.frame, -5 * scale)
    cap = cap_height(theme.ENTRY_PRINT, scale)
    stamp = lettering(entry.name, theme.ENTRY_PRINT, scale)
    if abs(way - pi / 2) < 0.1:
        stamp.press(paper, (edge[0], top + cap))
    elif abs(way + pi / 2) < 0.1:
        stamp.press(paper, (edge[0], bottom))
    else:
        stamp.turned().press(paper, (left + cap if edge[0] < (left + right) / 2 else right, edge[1]))
