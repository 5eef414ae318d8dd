"""The library of symbols: arms, sizes, conditions, what markers are made of. Shapes only, for whatever draws them.

Symbols of arms lie in a box that is 1 wide and 1 high; size and state marks are in points round their middle. Line
widths are in points.
"""

from collections.abc import Container
from math import cos, pi, sin

from campaign.maps.drawing.geometry import Box, Path, Point, moved
from campaign.maps.drawing.ink import Disc, Fill, Shape, Stroke
from campaign.maps.style.theme import Frame


def _oval(left: float, top: float, right: float, bottom: float) -> Path:
    """A stretched circle, closed."""
    x, y, a, b = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
    return tuple((x + a * cos(n * pi / 16), y + b * sin(n * pi / 16)) for n in range(33))


def _arch(left: float, right: float, foot: float, high: float) -> Path:
    """A half circle on a base line."""
    middle, half = (left + right) / 2, (right - left) / 2
    return tuple((middle - half * cos(n * pi / 8), foot - high * sin(n * pi / 8)) for n in range(9))


_LINE = 1.25
_CROSS = (Stroke(((0, 0), (1, 1)), _LINE), Stroke(((0, 1), (1, 0)), _LINE))
_TRACKS = Stroke(_oval(0.16, 0.22, 0.84, 0.78), _LINE)

ARMS: dict[str, tuple[Shape, ...]] = {
    "infantry": _CROSS,
    "airborne": (
        *_CROSS,
        Stroke(_arch(0.30, 0.50, 0.97, 0.24), _LINE),
        Stroke(_arch(0.50, 0.70, 0.97, 0.24), _LINE),
    ),
    "armour": (_TRACKS,),
    "mechanized": tuple(Stroke(line.path, 1.0) for line in (*_CROSS, _TRACKS)),
    "dagger": (
        Fill(((0.43, 0.36), (0.57, 0.36), (0.57, 0.70), (0.50, 0.95), (0.43, 0.70))),
        Stroke(((0.30, 0.34), (0.70, 0.34)), 1.6),
        Stroke(((0.50, 0.10), (0.50, 0.34)), 1.6),
    ),
    "anchor": (
        Stroke(_oval(0.44, 0.08, 0.56, 0.26), 1.1),
        Stroke(((0.50, 0.26), (0.50, 0.90)), 1.5),
        Stroke(((0.36, 0.38), (0.64, 0.38)), 1.5),
        Stroke(((0.24, 0.62), (0.30, 0.80), (0.50, 0.92), (0.70, 0.80), (0.76, 0.62)), 1.5),
    ),
}
"""The symbols of arms. But for the dagger and the anchor they are the signs of NATO's APP-6."""

SIZE_STEP = 5.4
"""Points from one cross of a size mark to the next."""
_NARROW_STEP = 3.6
"""The same of strokes and dots."""
_STROKE: tuple[Shape, ...] = (Stroke(((0, -2.5), (0, 2.5)), 1.3),)
_X: tuple[Shape, ...] = (Stroke(((-1.9, -2.3), (1.9, 2.3)), 1.2), Stroke(((-1.9, 2.3), (1.9, -2.3)), 1.2))
_TEAM: tuple[Shape, ...] = (Stroke(_oval(-2.1, -2.1, 2.1, 2.1), 1.1), Stroke(((-2.6, 2.6), (2.6, -2.6)), 1.1))

_DOT: tuple[Shape, ...] = (Disc((0, 0), 1.5),)

SIZES: dict[str, tuple[tuple[Shape, ...], ...]] = {
    "": (),
    "team": (_TEAM,),
    "squad": (_DOT,),
    "section": (_DOT,) * 2,
    "platoon": (_DOT,) * 3,
    "company": (_STROKE,),
    "battalion": (_STROKE,) * 2,
    "regiment": (_STROKE,) * 3,
    "brigade": (_X,),
    "division": (_X,) * 2,
    "corps": (_X,) * 3,
    "army": (_X,) * 4,
    "army_group": (_X,) * 5,
}
"""The marks of a size, from left to right, as NATO's APP-6 has them; none for an unknown size."""
SAMPLE_SIZE = "division"
"""The size on which the legend shows the bracket of a condition."""


def size_mark(symbol: str) -> tuple[Shape, ...]:
    """All marks of a size, in points around their common middle."""
    marks = SIZES[symbol]
    step = SIZE_STEP if marks[:1] in ((_X,), (_TEAM,)) else _NARROW_STEP
    return tuple(
        placed(shape, ((n - (len(marks) - 1) / 2) * step, 0)) for n, mark in enumerate(marks) for shape in mark
    )


def task_force(symbol: str) -> tuple[Shape, ...]:
    """The bracket over a size mark that shows that the unit is only a part of itself."""
    marks = SIZES[symbol]
    half = 2.8 + 2.7 * max(len(marks), 1) * (0.7 if marks[:1] in ((_STROKE,), (_DOT,)) else 1)
    return (Stroke(((-half, 1.6), (-half, -3.4), (half, -3.4), (half, 1.6)), 1.1),)


def _burst(rays: int, outer: float, inner: float) -> Path:
    return tuple(
        (r * sin(n * pi / rays), -r * cos(n * pi / rays))
        for n, r in enumerate(outer if n % 2 == 0 else inner for n in range(2 * rays))
    )


EARTHWORK = Stroke(((-8.5, 6.5), (-8.5, -1.5), (-4.0, -6.0), (4.0, -6.0), (8.5, -1.5), (8.5, 6.5)), 2.6)
"""A prepared position as a marker; a level 2 position has the second line too."""
SECOND_LINE = Stroke(((-3.8, 6.5), (-3.8, 0.5), (3.8, 0.5), (3.8, 6.5)), 2.2)


def earthwork(size: Point, cut: float, symbols: Container[str]) -> tuple[Shape, ...]:
    """The earthwork along the edge of a counter whose corners are cut by `cut`: below, and all round for level 2."""
    (wide, high), inset = size, 1.1
    foot = Stroke(((cut, high - inset), (wide - cut, high - inset)), 2.2)
    flanks = (Stroke(((x, high * 0.4), (x, high - cut)), 2.2) for x in (inset, wide - inset))
    if "deep_earthwork" in symbols:
        return (foot, *flanks)
    return (foot,) if "earthwork" in symbols else ()


STATES: dict[str, tuple[Shape, ...]] = {
    "disc": (Disc((0, 0), 3.7),),
    "block": (Fill(((-3.3, -3.4), (3.3, -3.4), (3.3, 3.4), (-3.3, 3.4))),),
    "spark": (Fill(_burst(8, 3.9, 1.7)),),
    "wedge": (Fill(((-2.4, -3.0), (3.2, 0), (-2.4, 3.0))),),
    "plus": (Stroke(((-3.1, 0), (3.1, 0)), 1.9), Stroke(((0, -3.1), (0, 3.1)), 1.9)),
}
"""The marks of conditions. Others are the `bracket` over the size mark, and the `earthwork` or `deep_earthwork` along a
counter's edge."""

BATTLE_RADIUS = 9.5
BATTLE = Fill(_burst(10, BATTLE_RADIUS, 6.0))


_WING: Path = (
    (0.0, -5.2), (0.9, -4.0), (0.9, -1.9), (5.0, 0.9), (5.0, 2.3), (0.9, 1.1), (0.6, 3.6), (2.2, 4.7), (2.2, 5.6),
    (0.0, 5.0),
)  # fmt: skip
AIRCRAFT: tuple[Shape, ...] = (Fill((*_WING, *((-x, y) for x, y in reversed(_WING)))),)
"""Seen from below, flying up the page, in points around its middle."""
_CANOPY: tuple[Shape, ...] = (
    Fill(_arch(-5.0, 5.0, -1.4, 4.4)),
    *(Stroke(((x, -1.6), (x * 0.3, 2.2)), 0.8) for x in (-4.6, 4.6)),
)
CRATE: tuple[Shape, ...] = (*_CANOPY, Fill(((-2.4, 2.0), (2.4, 2.0), (2.4, 5.8), (-2.4, 5.8))))
JUMPER: tuple[Shape, ...] = (
    *_CANOPY,
    Disc((0, 1.6), 1.2),
    Stroke(((0, 2.4), (0, 4.2)), 1.8),
    Stroke(((-1.4, 6.2), (0, 3.8), (1.4, 6.2)), 1.0),
)
"""What comes down by parachute: supply, and men."""


def frame(kind: Frame, box: Box, cut: float) -> Path:
    """The outline of a counter, its corners cut by `cut`; without its closing point."""
    left, top, right, bottom = box
    corners = ((left, top, 1, 1), (right, top, -1, 1), (right, bottom, -1, -1), (left, bottom, 1, -1))
    return tuple(point for n, corner in enumerate(corners) for point in _corner(kind, corner, n, cut))


def _corner(kind: Frame, corner: tuple[float, float, int, int], n: int, cut: float) -> Path:
    """The points of one corner, clockwise; the corner comes with the directions into the box."""
    x, y, right, down = corner
    cut = cut * _DEPTH[kind]
    inner = (x + right * cut, y + down * cut)
    ends = ((x, inner[1]), (inner[0], y)) if n % 2 == 0 else ((inner[0], y), (x, inner[1]))
    if kind is Frame.ROUND:
        start = pi + n * pi / 2
        return tuple(moved(inner, start + step * pi / 8, cut) for step in range(5))
    return {Frame.SQUARE: ((x, y),), Frame.CUT: ends, Frame.NOTCHED: (ends[0], inner, ends[1])}[kind]


_DEPTH = {Frame.SQUARE: 0.0, Frame.ROUND: 1.0, Frame.CUT: 1.0, Frame.NOTCHED: 0.55}


def placed(shape: Shape, at: Point, size: Point = (1.0, 1.0), *, pen: float = 1.0) -> Shape:
    """A shape scaled to a size and moved; lines become `pen` times as wide."""
    if isinstance(shape, Disc):
        return Disc(_put(shape.at, at, size), shape.radius * size[0])
    if isinstance(shape, Fill):
        return Fill(tuple(_put(p, at, size) for p in shape.outline))
    return Stroke(tuple(_put(p, at, size) for p in shape.path), shape.width * pen)


def _put(point: Point, at: Point, size: Point) -> Point:
    return at[0] + point[0] * size[0], at[1] + point[1] * size[1]
