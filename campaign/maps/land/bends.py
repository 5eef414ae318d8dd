"""Lines along the sides of places, as pieces from the middle of one side round a corner to the middle of the next."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import Edge, Knot, Path, Point, heading, middle, turn
from campaign.maps.drawing.inlay import Pixel, bend, fine, pinned


class Bend(Value, frozen=True):
    """A piece of a line round one of its corners.

    Its points are relative to the corner; if one is missing, the line ends there.
    """

    come: Point | None
    go: Point | None
    pixel: Pixel
    part: Point
    """The offset of the corner within its pixel."""

    @property
    def path(self) -> Path:
        """Its smooth curve on the picture."""
        corner = (self.pixel[0] + self.part[0], self.pixel[1] + self.part[1])
        come, go = ((corner[0] + x, corner[1] + y) for x, y in (self.come or (0, 0), self.go or (0, 0)))
        return bend(come, corner, go)


def bends(edges: Iterable[tuple[Edge, tuple[Knot, Knot]]]) -> Iterator[Bend]:
    """The pieces of lines over directed edges, each given with the knots at its ends; the same edge counts once."""
    corners: dict[Knot, Point] = {}
    coming: dict[Knot, list[Edge]] = defaultdict(list)
    going: dict[Knot, list[Edge]] = defaultdict(list)
    for (start, stop), (first, last) in dict(edges).items():
        corners[first], corners[last] = start, stop
        going[first].append((start, stop))
        coming[last].append((start, stop))
    for key, corner in corners.items():
        yield from (_bend(corner, come, go) for come, go in _joined(coming[key], going[key]))


def _joined(coming: list[Edge], going: list[Edge]) -> Iterable[tuple[Edge | None, Edge | None]]:
    """The edges that join at a corner, the straightest first; None where the line ends."""
    if len(coming) == len(going) == 1:
        return [(coming[0], going[0])]
    pairs = sorted((turn(heading(*a), heading(*b)), n, m) for n, a in enumerate(coming) for m, b in enumerate(going))
    found: list[tuple[Edge | None, Edge | None]] = []
    for _, n, m in pairs:
        if not any(coming[n] is a or going[m] is b for a, b in found):
            found.append((coming[n], going[m]))
    found += [(edge, None) for edge in coming if not any(edge is a for a, _ in found)]
    return found + [(None, edge) for edge in going if not any(edge is b for _, b in found)]


@lru_cache(maxsize=8192)
def _bend(corner: Point, come: Edge | None, go: Edge | None) -> Bend:
    pixel, rest = pinned(corner)
    ends = [edge and fine(_seen(middle(*edge), corner)) for edge in (come, go)]
    return Bend(ends[0], ends[1], pixel, rest)


def _seen(point: Point, corner: Point) -> Point:
    return point[0] - corner[0], point[1] - corner[1]
