"""Stamps of coloured shapes with a light rim, and pieces of lines that join seamlessly."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import ceil, floor, pi

from PIL import Image, ImageDraw

from campaign.maps.drawing.geometry import Path, Point, bounds, heading, moved
from campaign.maps.drawing.ink import Disc, Shape, Stamp, Stroke, lay, mask_of, reach
from campaign.maps.drawing.symbols import placed
from campaign.maps.style.schemes import Colour

Layer = tuple[Sequence[Shape], Colour]
Cut = tuple[Point, float]
"""Where a piece of a line ends, and the direction in which the line continues."""

_OVERLAP = 1.0
"""Pixels by which pieces of a line overlap: both look the same there."""


def inlay(layers: Sequence[Layer], rim: float, halo: Colour, *, cuts: Iterable[Cut] = ()) -> Stamp:
    """Shapes in pixels around a point, in layers within a rim, as a stamp anchored in that point."""
    shapes = [shape for part, _ in layers for shape in part]
    rims = [*shapes, *(rimmed(shape, rim) for shape in shapes)] if rim else shapes
    boxes = [reach(shape) for shape in rims]
    left, top, right, bottom = bounds(corner for box in boxes for corner in (box[:2], box[2:]))
    anchor = (1 - floor(left), 1 - floor(top))
    size = (anchor[0] + ceil(right) + 1, anchor[1] + ceil(bottom) + 1)
    picture = Image.new("RGB", size, halo)
    for part, colour in layers:
        lay(picture, [placed(shape, anchor) for shape in part], colour)
    mask = mask_of([placed(shape, anchor) for shape in rims], size)
    for cut in cuts:
        _cut_off(mask, cut, anchor)
    return Stamp(picture, mask, anchor)


def rimmed(shape: Shape, rim: float) -> Shape:
    """The shape enlarged on all sides."""
    if isinstance(shape, Disc):
        return Disc(shape.at, shape.radius + rim / 2)
    if isinstance(shape, Stroke):
        return Stroke(shape.path, shape.width + rim)
    return Stroke((*shape.outline, *shape.outline[:2]), rim)


def _cut_off(mask: Image.Image, cut: Cut, anchor: tuple[int, int]) -> None:
    """Remove what is beyond a cut."""
    at, way = cut
    edge, far = moved(at, way, _OVERLAP), sum(mask.size)
    ends = [moved(edge, way + side * pi / 2, far) for side in (1, -1)]
    beyond = [*ends, *(moved(end, way, far) for end in reversed(ends))]
    ImageDraw.Draw(mask).polygon([(x + anchor[0] - 0.5, y + anchor[1] - 0.5) for x, y in beyond], fill=0)


# --- bends ------------------------------------------------------------------------------------------------------------

_STEPS = 8


@lru_cache(maxsize=4096)
def bend(start: Point, corner: Point, stop: Point) -> Path:
    """The smooth line from point to point that leaves towards the corner and arrives from it."""
    if abs(heading(start, corner) - heading(corner, stop)) < 1e-9:
        return start, stop
    return tuple(_bowed(start, corner, stop, n / _STEPS) for n in range(_STEPS + 1))


def _bowed(start: Point, corner: Point, stop: Point, t: float) -> Point:
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
    return a * start[0] + b * corner[0] + c * stop[0], a * start[1] + b * corner[1] + c * stop[1]


def prolonged(path: Path, *, start: float = 0.0, stop: float = 0.0) -> Path:
    """The path continued straight at its ends."""
    first = (moved(path[0], heading(path[1], path[0]), start),) if start else ()
    last = (moved(path[-1], heading(path[-2], path[-1]), stop),) if stop else ()
    return (*first, *path, *last)


def piece(
    layers: Callable[[Path], Sequence[Layer]],
    ends: tuple[Point | None, Point | None],
    at: Point,
    rim: float,
    halo: Colour,
) -> Stamp:
    """A line round a corner as a stamp that the next pieces continue seamlessly, anchored in the corner's pixel.

    It runs from point to point, given relative to the corner, and ends in the corner if one is missing; `at` is the
    corner within its pixel. `layers` are the shapes along its curve.
    """
    corner, (come, go) = (0.0, 0.0), ends
    path = tuple((x + at[0], y + at[1]) for x, y in bend(come or corner, corner, go or corner))
    cuts = []
    if come is not None:
        cuts.append((path[0], heading(path[1], path[0])))
    if go is not None:
        cuts.append((path[-1], heading(path[-2], path[-1])))
    long = prolonged(path, start=3.0 if come else 0.0, stop=3.0 if go else 0.0)
    return inlay(layers(long), rim, halo, cuts=cuts)


# --- whole pixels -----------------------------------------------------------------------------------------------------

_FINE = 8
"""Fractions of a pixel at which stamps are placed."""

Pixel = tuple[int, int]


def pinned(at: Point) -> tuple[Pixel, Point]:
    """The pixel that contains a point, and the remainder."""
    x, y = round(at[0] * _FINE), round(at[1] * _FINE)
    return (x // _FINE, y // _FINE), (x % _FINE / _FINE, y % _FINE / _FINE)


def fine(vector: Point) -> Point:
    """A vector as a key, in fractions of a pixel."""
    return round(vector[0] * _FINE) / _FINE, round(vector[1] * _FINE) / _FINE
