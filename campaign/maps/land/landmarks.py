"""Small signs printed on the land: trees, hills, reeds, blocks, towns, bridges. Shapes in points round their middle."""

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from campaign.maps.drawing.geometry import Path, Point
from campaign.maps.drawing.ink import Disc, Fill, Shape, Stamp, Stroke, mask_of
from campaign.maps.drawing.symbols import placed
from campaign.maps.style.schemes import Colour
from campaign.maps.style.theme import Mark

_MARKS: dict[Mark, tuple[Shape, ...]] = {
    Mark.NONE: (),
    Mark.TREES: (Disc((0, -1), 2.2), Stroke(((0, 1), (0, 3.6)), 1.0)),
    Mark.COPSES: (Disc((0, -1), 2.2), Stroke(((0, 1), (0, 3.6)), 1.0)),
    Mark.HILLS: (
        Stroke(((-4.5, 1.5), (-2, -1.2), (0, -2), (2, -1.2), (4.5, 1.5)), 0.9),
        Stroke(((-2.2, 1.2), (-3.0, 3.2)), 0.8),
        Stroke(((0, 0.6), (0, 3.2)), 0.8),
        Stroke(((2.2, 1.2), (3.0, 3.2)), 0.8),
    ),
    Mark.REEDS: (
        Stroke(((-5, 2), (5, 2)), 1.0),
        Stroke(((-2.5, 2), (-3.5, -2)), 0.9),
        Stroke(((0, 2), (0, -3)), 0.9),
        Stroke(((2.5, 2), (3.5, -2)), 0.9),
    ),
    Mark.BLOCKS: (
        Fill(((-4.5, -3.5), (-0.7, -3.5), (-0.7, 0), (-4.5, 0))),
        Fill(((0.7, -2.5), (4.5, -2.5), (4.5, 3.5), (0.7, 3.5))),
        Fill(((-3.5, 1.4), (-0.7, 1.4), (-0.7, 4), (-3.5, 4))),
    ),
}

MARK_PITCH: dict[Mark, tuple[float, float]] = {
    Mark.TREES: (13, 10),
    Mark.COPSES: (26, 18),
    Mark.HILLS: (22, 13),
    Mark.REEDS: (16, 10),
    Mark.BLOCKS: (12, 11),
}
"""Points from one mark to the next, across and down."""


@lru_cache(maxsize=64)
def mark_stamp(mark: Mark, ink: Colour, scale: float) -> Stamp:
    """The mark of a kind of land, always at the same fraction of a pixel, so that pictures compress."""
    half = max(3, round(7 * scale))
    shapes = tuple(placed(shape, (half, half), (scale, scale), pen=scale) for shape in _MARKS[mark])
    size = (2 * half, 2 * half)
    return Stamp(Image.new("RGB", size, ink), mask_of(shapes, size), (half, half))


def bridge(at: Point, angle: float, scale: float) -> tuple[Stroke, ...]:
    """Two railings along a road at this angle, bent outwards at their ends."""
    return tuple(
        Stroke(_turned(((-6, 5 * s), (-4, 3.2 * s), (4, 3.2 * s), (6, 5 * s)), angle, scale, at), 1.2 * scale)
        for s in (-1, 1)
    )


def _turned(path: Path, angle: float, scale: float, origin: Point) -> Path:
    c, s = cos(angle) * scale, sin(angle) * scale
    return tuple((origin[0] + x * c - y * s, origin[1] + x * s + y * c) for x, y in path)


def star(at: Point, radius: float) -> Fill:
    """A five-pointed star standing on two points."""
    rays = (radius if n % 2 == 0 else radius * 0.42 for n in range(10))
    return Fill(tuple((at[0] + r * sin(n * pi / 5), at[1] - r * cos(n * pi / 5)) for n, r in enumerate(rays)))
