"""Painting lines: water, roads, borders, the front. The map and its legend draw them with the same strokes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import pi

from PIL import Image

from campaign.engine.views import BorderKind
from campaign.maps import theme
from campaign.maps.geometry import Path, dashes, moved, shifted, spots
from campaign.maps.ink import Disc, Fill, Shape, Stroke, lay
from campaign.maps.theme import Livery

Painter = Callable[[Image.Image, Sequence[Path], float], None]
"""Paints paths at a scale."""


def rivers(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    lay(paper, strokes(paths, 2.9 * scale), theme.WATER)


def great_rivers(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    lay(paper, strokes(paths, 8.5 * scale), theme.GREAT_BANK)
    lay(paper, strokes(paths, 6.1 * scale), theme.GREAT_WATER)


def tracks(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    lay(paper, strokes(paths, 1.7 * scale), theme.TRACK)


def main_roads(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    lay(paper, strokes(paths, 4.2 * scale), theme.ROAD_EDGE)
    lay(paper, strokes(paths, 2.4 * scale), theme.ROAD_FILL)


def frontiers(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    pattern = (9 * scale, 3.5 * scale, 2 * scale, 3.5 * scale)
    lay(paper, strokes(paths, 7 * scale), theme.FRONTIER_BAND, strength=0.22)
    lay(paper, strokes([dash for path in paths for dash in dashes(path, *pattern)], 1.7 * scale), theme.FRONTIER)


def closed_sides(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    crosses = [cross for path in paths for cross in _crosses(path, scale)]
    lay(paper, [*strokes(paths, 3.0 * scale), *crosses], theme.CLOSED)


def forts(paper: Image.Image, paths: Sequence[Path], scale: float) -> None:
    """A line with teeth on its right, a little to the right of its path."""
    beside = [shifted(path, 2.6 * scale) for path in paths]
    teeth = [tooth for path in beside for tooth in _teeth(path, scale)]
    lay(paper, [*strokes(beside, 1.0 * scale), *teeth], theme.FORT)


def front(paper: Image.Image, paths: Sequence[Path], liveries: tuple[Livery, Livery], scale: float) -> None:
    """Two lines beside each other, so that rivers and frontiers show between; the first side's on the right."""
    first, second = ([shifted(path, by * scale) for path in paths] for by in (3.3, -3.3))
    lay(paper, strokes([*first, *second], 5.2 * scale), theme.HALO, strength=0.55)
    lay(paper, strokes(second, 3.3 * scale), liveries[1].strong)
    lay(paper, strokes(first, 3.3 * scale), liveries[0].strong)


BORDERS: dict[BorderKind, tuple[Painter, str]] = {
    BorderKind.RIVER: (rivers, "River"),
    BorderKind.GREAT_RIVER: (great_rivers, "Great river"),
    BorderKind.FRONTIER: (frontiers, "Frontier"),
    BorderKind.CLOSED: (closed_sides, "Closed side"),
}
"""How borders are painted and what the legend calls them, in the order in which they are laid."""


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
