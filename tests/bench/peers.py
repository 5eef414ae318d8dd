"""The same scene drawn in a naive way and by others: Pillow without stamps, matplotlib, diplomacy with resvg."""

import random
import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from io import BytesIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure as Plot
from PIL import Image, ImageDraw
from resvg_py import svg_to_bytes

from campaign.engine.display.views import BaseMap, Border, Counter, Sighting, View
from campaign.engine.values.ids import PlaceId
from campaign.maps.drawing.geometry import Point, shared
from campaign.maps.drawing.ink import font
from campaign.maps.land.projection import fit
from campaign.maps.style.schemes import DEFAULT, Colour
from campaign.maps.style.theme import Face

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it was written for older versions of its dependencies
    from diplomacy import Game


class Drawing:
    """A scene as plain shapes in pixels, which any library can draw."""

    def __init__(self, base: BaseMap, view: View, width: int) -> None:
        projection = fit(base, width)
        self.size = (projection.width, projection.height)
        self.scale = projection.scale
        grounds = {ground.id: ground for ground in base.grounds}
        at = {place: projection.at(ground.at) for place, ground in grounds.items()}
        outlines = {place: projection.path(ground.outline) for place, ground in grounds.items()}
        self.hexes = [(outlines[place], DEFAULT.lands[ground.terrain].fill) for place, ground in grounds.items()]
        self.ids = [(at[place], str(place)) for place in grounds]
        self.names = [(at[place], ground.name) for place, ground in grounds.items() if ground.name]
        self.roads = [(at[line.a], at[line.b]) for line in base.lines]
        self.rivers = [edge for border in base.borders for edge in _side(border, outlines)]
        self.front = [edge for a, b in view.front for edge in shared(outlines[a], outlines[b])]
        self.arrows = [tuple(at[place] for place in arrow.path) for arrow in view.arrows if len(arrow.path) > 1]
        units: tuple[Counter | Sighting, ...] = (*view.counters, *view.sightings)
        self.units = [(at[unit.at], unit.label or "?", DEFAULT.side_colours(base.sides, unit.side)) for unit in units]
        self.tables = [cell for panel in view.panels[:4] for row in panel.rows for cell in row]


def _side(border: Border, outlines: dict[PlaceId, tuple[Point, ...]]) -> Iterable[tuple[Point, Point]]:
    return shared(outlines[border.a], outlines[border.b])


def pillow(scene: Drawing) -> bytes:
    """Draw everything at twice the size, scale it down, and save it with Pillow."""
    paper = Image.new("RGB", (2 * scene.size[0], 2 * scene.size[1]), DEFAULT.paper)
    pen, s = ImageDraw.Draw(paper), 2 * scene.scale
    for outline, colour in scene.hexes:
        pen.polygon(_twice(outline), fill=colour, outline=DEFAULT.faint)
    for lines, colour, width in (
        (scene.rivers, DEFAULT.water, 3),
        (scene.roads, DEFAULT.track, 3),
        (scene.front, DEFAULT.alarm, 6),
        (scene.arrows, DEFAULT.alarm, 4),
    ):
        for line in lines:
            pen.line(_twice(line), fill=colour, width=round(width * s), joint="curve")
    small, large = font(Face.PLAIN, 7.5 * s), font(Face.BOLD, 11 * s)
    rimmed = partial(pen.text, stroke_width=3, stroke_fill=DEFAULT.halo)
    for (x, y), text in scene.ids:
        pen.text((2 * x, 2 * y - 26 * s), text, fill=DEFAULT.number, font=small, anchor="ms")
    for (x, y), text in scene.names:
        rimmed((2 * x, 2 * y + 26 * s), text, DEFAULT.ink, large, anchor="ms")
    for (x, y), label, side_colours in scene.units:
        box = (2 * x - 24 * s, 2 * y - 19 * s, 2 * x + 24 * s, 2 * y + 19 * s)
        pen.rectangle(box, fill=side_colours.pale, outline=side_colours.strong, width=round(2 * s))
        pen.rectangle((2 * x - 11 * s, 2 * y - 9 * s, 2 * x + 11 * s, 2 * y + 5 * s), fill=side_colours.strong)
        pen.text((2 * x, 2 * y + 15 * s), label, fill=DEFAULT.ink, font=large, anchor="ms")
    for n, text in enumerate(scene.tables):
        pen.text((600 + n % 9 * 300, 40 + n // 9 * 50), text, fill=DEFAULT.ink, font=large)
    file = BytesIO()
    paper.reduce(2).save(file, "PNG")
    return file.getvalue()


def _twice(path: Sequence[Point]) -> list[Point]:
    return [(2 * x, 2 * y) for x, y in path]


def matplotlib(scene: Drawing) -> bytes:
    """The scene as collections of shapes and texts on a figure without a frame."""
    plot = Plot(figsize=(scene.size[0] / 100, scene.size[1] / 100), dpi=100)
    FigureCanvasAgg(plot)
    axes = plot.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, scene.size[0])
    axes.set_ylim(scene.size[1], 0)
    fills = [_part(colour) for _, colour in scene.hexes]
    axes.add_collection(PolyCollection([path for path, _ in scene.hexes], facecolors=fills, edgecolors="0.7"))
    for lines, colour in (
        (scene.rivers, DEFAULT.water),
        (scene.roads, DEFAULT.track),
        (scene.front, DEFAULT.alarm),
        (scene.arrows, DEFAULT.alarm),
    ):
        axes.add_collection(LineCollection(lines, colors=[_part(colour)], linewidths=3 * scene.scale))
    boxes = [[(x - 36, y - 28), (x + 36, y - 28), (x + 36, y + 28), (x - 36, y + 28)] for (x, y), _, _ in scene.units]
    strong = [_part(side_colours.strong) for _, _, side_colours in scene.units]
    pale = [_part(side_colours.pale) for _, _, side_colours in scene.units]
    axes.add_collection(PolyCollection(boxes, facecolors=pale, edgecolors=strong))
    texts = [(scene.ids, 7, -26), (scene.names, 11, 26), ([(at, label) for at, label, _ in scene.units], 10, 20)]
    for some, size, down in texts:
        for (x, y), text in some:
            axes.text(x, y + down, text, fontsize=size, ha="center")
    file = BytesIO()
    plot.savefig(file, format="png")
    return file.getvalue()


def _part(colour: Colour) -> tuple[float, ...]:
    return tuple(level / 255 for level in colour)


def diplomacy() -> bytes:
    """A new game, an order for each of its 22 units, the orders processed, and a picture of the result.

    The size is 1835 x 1360 pixels, at which its map can be posted: twice the size of its SVG.
    """
    game, choice = Game(), random.Random(1)
    possible = game.get_all_possible_orders()
    for power in game.powers:
        orders = [choice.choice(possible[at]) for at in game.get_orderable_locations(power) if possible[at]]
        game.set_orders(power, orders)
    game.process()
    return bytes(svg_to_bytes(svg_string=game.render(), zoom=2))
