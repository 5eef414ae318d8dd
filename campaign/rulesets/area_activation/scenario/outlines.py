"""The outlines of spaces, put together from the borders that neighbours share.

As each border is written once, neighbours can neither gap nor overlap.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist

from campaign.engine.display.views import Point
from campaign.engine.values.ids import PlaceId
from campaign.rulesets.area_activation.model.game_data import Outline

WIDTH = 1600
"""Of the map in pixels at which borders must be long enough."""
SHORTEST = 12
"""Pixels: a shorter border cannot be made out."""
_MARGIN = 1.0
"""Of the paper around the spaces, in map units, on both sides together."""


class Broken(ValueError):
    """The lines round a space do not close."""


def outline_of(lines: Iterable[Outline]) -> Outline:
    """The lines round a space, joined end to end: a ring without its first point again; raises Broken."""
    left = list(lines)
    if not left:
        raise Broken("it has no borders")
    ring = list(left.pop(0))
    while left:
        following = next((line for line in left if ring[-1] in (line[0], line[-1])), None)
        if following is None:
            raise Broken(f"its outline ends at {ring[-1][0]:g}, {ring[-1][1]:g}")
        left.remove(following)
        ring += following[1:] if following[0] == ring[-1] else following[-2::-1]
    if ring[0] != ring[-1]:
        raise Broken(f"its outline ends at {ring[-1][0]:g}, {ring[-1][1]:g}")
    return tuple(ring[:-1])


def lines_round(borders: Iterable[Outline], shore: Iterable[Outline]) -> list[Outline]:
    """The borders of a space with the piece of shore that joins two of them, if it is at the edge of the map."""
    own = list(borders)
    ends = [point for line in own for point in (line[0], line[-1])]
    loose = {point for point in ends if ends.count(point) == 1}
    return own + [line for line in shore if {line[0], line[-1]} == loose]


def length(line: Outline) -> float:
    """The length of a line in map units."""
    return sum(dist(a, b) for a, b in pairwise(line))


def pixels_per_unit(lines: Iterable[Outline]) -> float:
    """How many pixels a map unit has on a map of the usual width."""
    across = [x for line in lines for x, _ in line]
    return WIDTH / (max(across) - min(across) + _MARGIN)


def shared(lines: Sequence[tuple[PlaceId, PlaceId, Outline]]) -> Iterator[tuple[PlaceId, PlaceId, PlaceId, PlaceId]]:
    """Pairs of borders that run along the same piece of line, so that spaces touch that do not adjoin."""
    found: dict[frozenset[Point], tuple[PlaceId, PlaceId]] = {}
    for a, b, line in lines:
        for piece in pairwise(line):
            other = found.setdefault(frozenset(piece), (a, b))
            if other != (a, b):
                yield (*other, a, b)
