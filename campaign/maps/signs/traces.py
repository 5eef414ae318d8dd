"""Barred supply routes: dots from place to place, and a cross in each place that bars them.

Each step is drawn once, even if several units share it.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from campaign.engine.display.views import Trace
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import Box, Point, between, bounds, gap, grown
from campaign.maps.drawing.ink import Disc, Stamp, Stroke, stamped
from campaign.maps.drawing.inlay import Pixel, fine, inlay, pinned
from campaign.maps.land.features import Places
from campaign.maps.style.schemes import Scheme

Pair = tuple[PlaceId, PlaceId]


class Step(Value, frozen=True):
    """A step from the middle of a place: the pixel, and the offset within the pixel."""

    pixel: Pixel
    part: Point
    to: Point
    """The middle of the next place, relative to there."""
    until: float
    """The part of it that has dots."""

    def box(self, scale: float) -> Box:
        """The box that its dots cover, in pixels of the picture."""
        left, top, right, bottom = grown(bounds(((0.0, 0.0), self.to)), (_RADIUS + RIM) * scale)
        x, y = self.pixel
        return x + left, y + top, x + right, y + bottom

    def dots(self, scale: float) -> tuple[Disc, ...]:
        """Its dots in pixels of the picture."""
        start = (self.pixel[0] + self.part[0], self.pixel[1] + self.part[1])
        return tuple(_dots(start, self.to, self.until, scale))

    def stamp(self, scale: float, colours: Scheme) -> tuple[Stamp, Pixel]:
        return _step_stamp(self.part, self.to, self.until, scale, colours), self.pixel


RIM = 1.6
"""The width of the light rim round dots and crosses, in points."""
CROSS = 4.4
"""Points from the middle of a cross to its ends, across and down."""
_RADIUS = 1.7
_PERIOD = 7.2
"""The distance between dots, in points."""
_PEN = 2.6
_INTO = 0.7
"""The part of the step into a barred place that has dots, if the way ends there."""


def steps(traces: Iterable[Trace], places: Places) -> Iterator[Step]:
    """The steps of all traces, each once in either direction; raises ValueError for a place that is not on the map."""
    drawn: set[tuple[Pair, float]] = set()
    for trace in traces:
        pairs = list(pairwise(trace.path))
        if not pairs:
            raise ValueError("supply trace: it leads from no place to another")
        for a, b in pairs:
            until = _INTO if b == trace.path[-1] and b in trace.barred else 1.0
            key = ((a, b) if until < 1 else (min(a, b), max(a, b)), until)
            if key not in drawn:
                drawn.add(key)
                start, stop = places.at(a, "supply trace"), places.at(b, "supply trace")
                pixel, part = pinned(start)
                yield Step(pixel, part, fine((stop[0] - start[0], stop[1] - start[1])), until)


def bars(traces: Iterable[Trace]) -> tuple[Pair, ...]:
    """Pairs of places between which routes are barred (from, into), each once."""
    return tuple(dict.fromkeys(pair for trace in traces for pair in pairwise(trace.path) if pair[1] in trace.barred))


def _dots(start: Point, to: Point, until: float, scale: float) -> Iterator[Disc]:
    """Dots at equal distances from both ends of the step, so that they continue evenly on the next."""
    count = max(1, round(gap((0, 0), to) / (_PERIOD * scale)))
    for n in range(count):
        along = (n + 0.5) / count
        if along < until:
            x, y = between((0.0, 0.0), to, along)
            yield Disc((start[0] + x, start[1] + y), _RADIUS * scale)


# --- stamps -----------------------------------------------------------------------------------------------------------


@stamped
def _step_stamp(part: Point, to: Point, until: float, scale: float, colours: Scheme) -> Stamp:
    return inlay([(list(_dots(part, to, until, scale)), colours.alarm)], RIM * scale, colours.halo)


@stamped
def cross_stamp(scale: float, colours: Scheme) -> Stamp:
    """The cross where a route is barred."""
    return inlay([(cross((0.0, 0.0), scale), colours.alarm)], RIM * scale, colours.halo)


def trace_stamp(reach: float, scale: float, colours: Scheme) -> Stamp:
    """A short route barred at its right end, for the legend; `reach`: half its length in points."""
    end = (reach - CROSS) * scale
    dots = _dots((-reach * scale, 0.0), (reach * scale + end, 0.0), 0.8, scale)
    return inlay([([*dots, *cross((end, 0.0), scale)], colours.alarm)], RIM * scale, colours.halo)


def cross(at: Point, scale: float) -> tuple[Stroke, ...]:
    """A cross in pixels."""
    arm, (x, y) = CROSS * scale, at
    return tuple(Stroke(((x - arm, y + down * arm), (x + arm, y - down * arm)), _PEN * scale) for down in (1, -1))
