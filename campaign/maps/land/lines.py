"""Lines: water, roads and borders, painted on the sheet; the front line, made of stamps. The legend shows the same."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import pi

from PIL import Image

from campaign.maps.drawing.geometry import Path, Point, dashes, moved, shifted, spots
from campaign.maps.drawing.ink import Disc, Fill, Shape, Stamp, Stroke, faint, lay, stamped
from campaign.maps.drawing.inlay import Layer, inlay, piece
from campaign.maps.style.schemes import Colour, Scheme, SideColours

Painter = Callable[[Image.Image, Sequence[Path], float, Scheme], None]
"""Paints paths at a scale."""


def rivers(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    lay(paper, strokes(paths, 2.9 * scale), colours.water)


def great_rivers(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    lay(paper, strokes(paths, 8.5 * scale), colours.great_bank)
    lay(paper, strokes(paths, 6.1 * scale), colours.great_water)


def streams(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    lay(paper, strokes(paths, 1.5 * scale), colours.water)


def canals(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    """Water between two straight banks."""
    lay(paper, strokes(paths, 4.6 * scale), colours.great_bank)
    lay(paper, strokes(paths, 2.6 * scale), colours.great_water)


def trails(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    """A broken line."""
    dashed = [dash for path in paths for dash in dashes(path, 5.5 * scale, 3.5 * scale)]
    lay(paper, [Stroke(dash, 1.5 * scale) for dash in dashed], colours.track)


def railways(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    """A thin line with sleepers across it."""
    sleepers = [
        Stroke((moved(at, way + pi / 2, 2.8 * scale), moved(at, way - pi / 2, 2.8 * scale)), 1.2 * scale)
        for path in paths
        for at, way in spots(path, 6.5 * scale)
    ]
    lay(paper, [*strokes(paths, 1.2 * scale), *sleepers], colours.ink)


def tracks(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    lay(paper, strokes(paths, 1.7 * scale), colours.track)


def main_roads(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    lay(paper, strokes(paths, 4.2 * scale), colours.road_edge)
    lay(paper, strokes(paths, 2.4 * scale), colours.road_fill)


def frontiers(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    pattern = (9 * scale, 3.5 * scale, 2 * scale, 3.5 * scale)
    lay(paper, strokes(paths, 7 * scale), colours.frontier_band, levels=faint(0.22))
    lay(paper, strokes([dash for path in paths for dash in dashes(path, *pattern)], 1.7 * scale), colours.frontier)


def ridges(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    """A line with short strokes on both sides."""
    strokes_across = [
        Stroke((moved(at, way + pi / 2, 3.4 * scale), moved(at, way - pi / 2, 3.4 * scale)), 1.6 * scale)
        for path in paths
        for at, way in spots(path, 4.2 * scale)
    ]
    lay(paper, [*strokes(paths, 1.4 * scale), *strokes_across], colours.fort)


def closed_sides(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    lay(paper, closed_shapes(paths, scale), colours.closed)


def closed_shapes(paths: Sequence[Path], scale: float) -> list[Shape]:
    """Lines with crosses on them."""
    crosses = [cross for path in paths for cross in _crosses(path, scale)]
    return [*strokes(paths, 3.0 * scale), *crosses]


def forts(paper: Image.Image, paths: Sequence[Path], scale: float, colours: Scheme) -> None:
    """A line with teeth on its right, slightly to the right of its path."""
    shifted_paths = [shifted(path, 2.6 * scale) for path in paths]
    teeth = [tooth for path in shifted_paths for tooth in _teeth(path, scale)]
    lay(paper, [*strokes(shifted_paths, 1.0 * scale), *teeth], colours.fort)


_APART, _THICK, _FRONT_RIM = 1.45, 1.9, 0.95
"""Of the two lines of a front line, in points: distance from its middle, width, light rim."""
_FINEST = 0.65
"""The least scale of a front line: on coarse maps a thinner one would be lost among the roads."""


def front_rim(scale: float) -> float:
    """The width in pixels of the light rim of a front line."""
    return _FRONT_RIM * max(scale, _FINEST)


@stamped
def front_stamp(
    both: tuple[SideColours, SideColours],
    come: Point | None,
    go: Point | None,
    at: Point,
    scale: float,
    *,
    halo: Colour,
) -> Stamp:
    """A piece of a front line around a corner, the first side's line on the right; anchored in the corner's pixel.

    It runs from point to point, given relative to the corner, and ends in the corner if one is missing; `at` is the
    corner within its pixel. Rivers and frontiers show between the lines.
    """
    return piece(partial(front_layers, both, come=come, go=go, scale=scale), (come, go), at, front_rim(scale), halo)


def front_layers(
    both: tuple[SideColours, SideColours], path: Path, come: Point | None, go: Point | None, scale: float
) -> list[Layer]:
    """The two lines of a piece of a front line along this path, that of the second side first."""
    scale = max(scale, _FINEST)
    return [
        (_front_line(shifted(path, by * scale), come, go, scale), side_colours.strong)
        for side_colours, by in zip(both[::-1], (-_APART, _APART), strict=True)
    ]


def _front_line(path: Path, come: Point | None, go: Point | None, scale: float) -> list[Shape]:
    """One of the two lines, with a round end."""
    ends = [path[n] for n, more in ((0, come), (-1, go)) if more is None]
    return [Stroke(path, _THICK * scale), *(Disc(end, _THICK * scale / 2) for end in ends)]


@stamped
def closed_stamp(path: Path, scale: float, colours: Scheme) -> Stamp:
    """A closed hexside to draw over a front line, anchored in the origin of its path."""
    return inlay([(closed_shapes([path], scale), colours.closed)], 0.0, colours.halo)


LINES: dict[str, Painter] = {
    "stream": streams,
    "river": rivers,
    "canal": canals,
    "trail": trails,
    "track": tracks,
    "railway": railways,
    "road": main_roads,
}
"""How lines from place to place are painted, by symbol, in the order in which they are laid."""


@dataclass(frozen=True)
class BorderDrawing:
    """How the borders of one symbol are painted."""

    paint: Painter
    water: bool = False
    """Whether it is a river: it is joined along its course, and bears its name."""
    great: bool = False
    """Whether its name and its bridges are large."""
    over_front: bool = False
    """Whether it is painted again over the front."""


BORDERS: dict[str, BorderDrawing] = {
    "stream": BorderDrawing(streams, water=True),
    "river": BorderDrawing(rivers, water=True),
    "great_river": BorderDrawing(great_rivers, water=True, great=True),
    "ridge": BorderDrawing(ridges),
    "frontier": BorderDrawing(frontiers),
    "closed": BorderDrawing(closed_sides, over_front=True),
}
"""The library of borders by symbol, in the order in which they are painted."""


def strokes(paths: Iterable[Path], width: float) -> list[Shape]:
    """Lines with round ends."""
    shapes: list[Shape] = []
    for path in paths:
        shapes += [Stroke(path, width), Disc(path[0], width / 2), Disc(path[-1], width / 2)]
    return shapes


def _teeth(path: Path, scale: float) -> Iterator[Fill]:
    for at, way in spots(path, 8 * scale):
        foot, tip = (
            (moved(at, way, 2.3 * scale), moved(at, way + pi, 2.3 * scale)),
            moved(at, way + pi / 2, 4.6 * scale),
        )
        yield Fill((*foot, tip))


def _crosses(path: Path, scale: float) -> Iterator[Stroke]:
    for at, way in spots(path, 11 * scale):
        for turn in (pi / 4, -pi / 4):
            yield Stroke((moved(at, way + turn, 4.6 * scale), moved(at, way + turn + pi, 4.6 * scale)), 1.5 * scale)
