"""Arrows of moves and attacks: their courses between the counters, and their stamps.

An arrow is a chain of legs, one for each place it goes through. A leg is defined relative to the middle of its place,
so that a few stamps make all arrows of a map.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from math import pi

from campaign.engine.display.signs import ArrowSign
from campaign.engine.display.views import Arrow, BaseMap
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import (
    Box,
    Path,
    Point,
    along,
    bounds,
    dashes,
    grown,
    heading,
    length,
    middle,
    moved,
    part,
    shifted,
)
from campaign.maps.drawing.ink import Disc, Fill, Shape, Stamp, Stroke, stamped
from campaign.maps.drawing.inlay import Cut, Pixel, bend, fine, inlay, pinned, prolonged
from campaign.maps.land.features import Places
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import Colour, Scheme, SideColours

Half = tuple[float, float]
"""Half the width and height of the counters in the middle of a place; zero without counters."""
_NONE: Half = (0.0, 0.0)


class Course(Value, frozen=True):
    """A leg relative to the middle of its place, in pixels. Without `come` it starts there, without `go` it ends.

    A leg with neither is a whole arrow: it runs from the middle of its place to `goal`.
    """

    come: Point | None = None
    go: Point | None = None
    goal: Point | None = None
    lane: int = 0
    """Its shift to the right, in lanes."""
    leaves: Half = _NONE
    meets: Half = _NONE
    """The counters where it starts or ends, which it leaves clear."""

    @property
    def starts(self) -> bool:
        return self.come is None

    @property
    def ends(self) -> bool:
        return self.go is None


class Leg(Value, frozen=True):
    """A course and the middle of its place: the pixel, and the offset within the pixel."""

    course: Course
    pixel: Pixel
    part: Point


class Track(Value, frozen=True):
    sign: ArrowSign
    side_colours: SideColours
    legs: tuple[Leg, ...]
    scale: float

    @property
    def path(self) -> Path:
        """The visible course, without the parts under counters at its start and end."""
        return tuple(
            (x + leg.pixel[0] + leg.part[0], y + leg.pixel[1] + leg.part[1])
            for leg in self.legs
            for x, y in visible(leg.course, self.scale)
        )

    @property
    def over_counters(self) -> bool:
        return ARROWS[self.sign.symbol].over_counters

    @property
    def head_again(self) -> bool:
        return ARROWS[self.sign.symbol].head_again

    def boxes(self) -> Iterator[Box]:
        """The boxes that its legs cover."""
        for leg in self.legs:
            left, top, right, bottom = covered(leg.course, self.scale)
            x, y = leg.pixel
            yield x + left, y + top, x + right, y + bottom

    def stamp(self, leg: Leg, halo: Colour) -> tuple[Stamp, Pixel]:
        return leg_stamp(self.sign.symbol, self.side_colours, leg.course, leg.part, self.scale, halo=halo), leg.pixel

    def head(self) -> tuple[Shape, ...]:
        """The shapes of its head, in pixels of the picture."""
        return tuple(ARROWS[self.sign.symbol].head(self.path[-2:], self.scale))

    def head_box(self) -> Box:
        """The box that its head covers."""
        return grown((*self.path[-1], *self.path[-1]), (_BAR + RIM) * self.scale)

    def head_stamp(self, halo: Colour) -> tuple[Stamp, Pixel]:
        back, tip = self.path[-2:]
        pixel, part = pinned(tip)
        return _head_stamp(
            self.sign.symbol, self.side_colours, round(heading(back, tip), 2), part, self.scale, halo=halo
        ), pixel


Step = tuple[PlaceId, PlaceId]

_LANE = 5.0
"""Points between parallel arrows."""
_CLEAR = 3.0
"""Points from an arrow's tip to a counter."""
_SHORTEST = 11.0


def tracks(
    base: BaseMap, arrows: Iterable[Arrow], places: Places, piles: Mapping[PlaceId, Half], colours: Scheme
) -> Iterator[Track]:
    """The courses of arrows, side by side where they share a way; `piles`: the sizes of stacks by place."""
    known, used = declared(base.signs).arrows, defaultdict[Step, int](int)
    for arrow in arrows:
        what = f"{arrow.kind} arrow"
        stops = [place for place, _ in groupby(arrow.path)]
        if not stops:
            raise ValueError(f"{what}: it has no places")
        points = [places.at(place, what) for place in stops]
        ends = (piles.get(stops[0], _NONE), piles.get(stops[-1], _NONE))
        legs: tuple[Leg, ...]
        if len(stops) == 1:
            legs = (_arrival(places, stops[0], what, ends[1]),)
        else:
            steps = list(pairwise(stops))
            lane = _aside(steps, used)
            for step in steps:
                used[min(step, step[::-1])] += 1
            legs = tuple(_legs(points, lane, *ends))
        yield Track(known[arrow.kind], colours.side_colours(base.sides, arrow.side), legs, places.scale)


def _aside(steps: Sequence[Step], used: Mapping[Step, int]) -> int:
    """An arrow's shift to the right in lanes: 0, 1, -1, 2 ...; opposite directions share the same lanes."""
    lane, step = max((used.get(min(step, step[::-1]), 0), step) for step in steps)
    number = (lane + 1) // 2 * (1 if lane % 2 else -1)
    return number if step[0] < step[1] else -number


def _arrival(places: Places, place: PlaceId, what: str, meets: Half) -> Leg:
    """The leg of an arrow with only one place, which is reached from the edge of the map or from the air."""
    centre, edge = places.way_out(place, what)
    if not places.off_the_edge(place, what):
        edge = moved(centre, -pi / 2, 0.9 * places.unit)
    return _leg(edge, goal=centre, meets=meets)


def _legs(points: Sequence[Point], lane: int, leaves: Half, meets: Half) -> Iterator[Leg]:
    """The legs of an arrow through these points, the middles of its places."""
    if len(points) == 2:
        yield _leg(points[0], goal=points[1], lane=lane, leaves=leaves, meets=meets)
        return
    gates = [middle(a, b) for a, b in pairwise(points)]
    yield _leg(points[0], go=gates[0], lane=lane, leaves=leaves)
    for come, point, go in zip(gates, points[1:], gates[1:], strict=False):
        yield _leg(point, come=come, go=go, lane=lane)
    yield _leg(points[-1], come=gates[-1], lane=lane, meets=meets)


def _leg(
    at: Point,
    *,
    come: Point | None = None,
    go: Point | None = None,
    goal: Point | None = None,
    lane: int = 0,
    leaves: Half = _NONE,
    meets: Half = _NONE,
) -> Leg:
    """The leg through a place; all points are in pixels of the picture."""
    pixel, rest = pinned(at)
    come, go, goal = (point and fine((point[0] - at[0], point[1] - at[1])) for point in (come, go, goal))
    return Leg(Course(come, go, goal, lane, leaves, meets), pixel, rest)


# --- courses ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def visible(course: Course, scale: float) -> Path:
    """The part of a leg between counters, relative to the middle of its place."""
    path = _whole(course)
    if course.lane:
        path = shifted(path, course.lane * _LANE * scale)
    if course.starts or course.ends:
        return trimmed(path, course, scale=scale)
    return path


@lru_cache(maxsize=4096)
def covered(course: Course, scale: float) -> Box:
    """The box of a leg with its shaft and head, relative to the middle of its place."""
    return grown(bounds(visible(course, scale)), 7 * scale)


def _whole(course: Course) -> Path:
    here = (0.0, 0.0)
    if course.come is None:
        return here, course.go or course.goal or here
    if course.go is None:
        return course.come, here
    if course.come == course.go:  # it turns back
        return course.come, here, course.go
    return bend(course.come, here, course.go)


def trimmed(path: Path, course: Course, *, scale: float) -> Path:
    """The part of a path outside the counters at its start and end; at least a stub of a whole arrow."""
    total, step, clear = length(path), 0.5, _CLEAR * scale / 2
    start, stop = 0.0, total
    while start < total and _covers(course.leaves, (0, 0), along(path, start)[0], clear):
        start += step
    goal = course.goal or (0.0, 0.0)
    while stop > 0 and _covers(course.meets, goal, along(path, stop)[0], clear):
        stop -= step
    if course.starts and course.ends and stop - start < _SHORTEST * scale:
        centre = min(max((start + stop) / 2, total * 0.2), total * 0.8)
        start, stop = max(0.0, centre - _SHORTEST * scale / 2), min(total, centre + _SHORTEST * scale / 2)
    elif stop <= start:  # counters fill the place: a tip shows at its edge
        start, stop = (0.0, min(total, 1.0)) if course.ends else (max(0.0, total - 1.0), total)
    return part(path, start, stop)


def _covers(half: Half, centre: Point, point: Point, margin: float) -> bool:
    if half == _NONE:
        return False
    return abs(point[0] - centre[0]) < half[0] + margin and abs(point[1] - centre[1]) < half[1] + margin


# --- stamps -----------------------------------------------------------------------------------------------------------

RIM = 2.4
"""The width of the light rim round an arrow, in points."""
_PERIOD = 11.5
"""The distance between dashes, in points."""
_DASH = 7.0
_TAIL = 3.4
_BAR = 7.0
"""Half the length of the bar across a stopped move."""


@dataclass(frozen=True)
class ArrowDrawing:
    """How an arrow is drawn. Lengths are in points."""

    head: Callable[[Path, float], Iterator[Shape]]
    """Its shapes on the last piece of a path, at a scale."""
    length: float
    """The length of the head."""
    width: float = 3.4
    """The width of the shaft."""
    tail: bool = True
    """Whether it begins with a dot."""
    dashed: bool = False
    to_the_tip: bool = False
    """Whether the shaft goes on under the head."""
    over_counters: bool = False
    """Whether it is drawn over counters; otherwise under them."""
    head_again: bool = False
    """Whether its head is drawn again over counters."""


@stamped
def leg_stamp(
    symbol: str, side_colours: SideColours, course: Course, at: Point, scale: float, *, halo: Colour
) -> Stamp:
    """A leg as a stamp, anchored at the pixel of its middle; `at`: the offset within the pixel."""
    path = tuple((x + at[0], y + at[1]) for x, y in visible(course, scale))
    cuts: list[Cut] = []
    if not course.starts:
        short = max(0.0, (ARROWS[symbol].length + 2) * scale - length(path)) if course.ends else 0.0
        back = heading(path[1], path[0])
        cuts.append((moved(path[0], back, short), back))
        path = prolonged(path, start=short)
    if not course.ends:
        cuts.append((path[-1], heading(path[-2], path[-1])))
    shapes = list(_shapes(ARROWS[symbol], path, course, scale))
    return inlay([(shapes, side_colours.strong)], RIM * scale, halo, cuts=cuts)


@stamped
def _head_stamp(symbol: str, side_colours: SideColours, way: float, at: Point, scale: float, *, halo: Colour) -> Stamp:
    drawing = ARROWS[symbol]
    path = (moved(at, way, -drawing.length * scale), at)
    return inlay([(list(drawing.head(path, scale)), side_colours.strong)], RIM * scale, halo)


def track_shapes(track: Track) -> tuple[Shape, ...]:
    """The shapes of a whole arrow, in pixels of the picture."""
    return tuple(_shapes(ARROWS[track.sign.symbol], track.path, Course(), track.scale))


def track_stamp(symbol: str, side_colours: SideColours, reach: float, scale: float, *, halo: Colour) -> Stamp:
    """A short arrow from left to right for the legend; `reach`: half its length in points."""
    path = ((-reach * scale, 1.5 * scale), (reach * scale, -scale))
    return inlay([(list(_shapes(ARROWS[symbol], path, Course(), scale)), side_colours.strong)], RIM * scale, halo)


def _shapes(drawing: ArrowDrawing, path: Path, course: Course, scale: float) -> Iterator[Shape]:
    """The shapes of a leg: its tail if it starts, its shaft, its head if it ends."""
    shaft = path
    if course.ends:
        yield from drawing.head(path, scale)
        if not drawing.to_the_tip:
            shaft = _split(path, (drawing.length - 1) * scale)[0]
    if course.starts and drawing.tail:
        yield Disc(path[0], _TAIL * scale)
    if length(shaft) > 1:
        yield from _shaft(drawing, shaft, course, scale)


def _shaft(drawing: ArrowDrawing, path: Path, course: Course, scale: float) -> Iterator[Stroke]:
    """The strokes of a shaft. It extends a little past ends where the arrow continues, so that joints do not show."""
    beyond = 3 * scale
    ends = {"start": 0.0 if course.starts else beyond, "stop": 0.0 if course.ends else beyond}
    for piece in _dashed(path, scale) if drawing.dashed else [prolonged(path, **ends)]:
        yield Stroke(piece, drawing.width * scale)


def _dashed(path: Path, scale: float) -> Iterator[Path]:
    """Dashes that begin and end with half a dash, so that those of neighbouring legs join."""
    total = length(path)
    period = total / max(1, round(total / (_PERIOD * scale)))
    dash = period * _DASH / _PERIOD
    half, first = dash / 2, period - dash / 2
    yield prolonged(part(path, 0.0, half), start=2.0)
    if total - first > first:
        yield from dashes(part(path, first, total - first), dash, period - dash)
    yield prolonged(part(path, total - half, total), stop=2.0)


def _split(path: Path, last: float) -> tuple[Path, Path]:
    """A path without its last piece, and that piece."""
    total = length(path)
    cut = max(0.0, total - last)
    return part(path, 0.0, cut), part(path, cut, total)


def _wedge(path: Path, half: float) -> Fill:
    """A solid wedge from the start of a short path to its end."""
    foot, tip = path[0], path[-1]
    way = heading(foot, tip)
    return Fill((tip, moved(foot, way + pi / 2, half), moved(foot, way - pi / 2, half)))


# --- heads ------------------------------------------------------------------------------------------------------------


def _point(path: Path, scale: float) -> Iterator[Shape]:
    yield _wedge(_split(path, 10 * scale)[1], 6.5 * scale)


def _broad_point(path: Path, scale: float) -> Iterator[Shape]:
    yield _wedge(_split(path, 11 * scale)[1], 8 * scale)


def _two_points(path: Path, scale: float) -> Iterator[Shape]:
    back, head = _split(path, 9 * scale)
    yield _wedge(head, 6.5 * scale)
    if length(back) > 0:
        yield _wedge(_split(back, 7 * scale)[1], 6.5 * scale)


def _bar(path: Path, scale: float) -> Iterator[Shape]:
    tip, way = path[-1], heading(path[-2], path[-1])
    yield Stroke((moved(tip, way + pi / 2, _BAR * scale), moved(tip, way - pi / 2, _BAR * scale)), 3.6 * scale)


def _barbs(path: Path, scale: float) -> Iterator[Shape]:
    tip, way = path[-1], heading(path[-2], path[-1])
    left, right = (moved(tip, way + pi + turn, 9.5 * scale) for turn in (0.6, -0.6))
    yield Stroke((left, tip, right), 2.8 * scale)


ARROWS: Mapping[str, ArrowDrawing] = {
    "move": ArrowDrawing(_point, 10.0),
    "stopped": ArrowDrawing(_bar, 3.0, to_the_tip=True, head_again=True),
    "attack": ArrowDrawing(_broad_point, 11.0, width=6.0, tail=False, over_counters=True),
    "advance": ArrowDrawing(_two_points, 16.0),
    "retreat": ArrowDrawing(_barbs, 9.0, dashed=True, to_the_tip=True),
}
"""The library of arrows, by symbol."""
