"""Leaders: short lines that tie a name to the counters that hide its town, or to the town if the name is outside its
place.
"""

from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import Box, Point, bounds, grown
from campaign.maps.drawing.ink import Disc, Stamp, Stroke, stamped
from campaign.maps.drawing.inlay import Pixel, fine, inlay, pinned
from campaign.maps.style.schemes import Scheme

RIM = 0.8
"""The width of the light rim of a leader, in points."""
_PEN, _PIN = 1.1, 1.7
"""The width of its line, and the radius of the dot at its end."""


class Leader(Value, frozen=True):
    """A line from a name to what it belongs to, in pixels of the picture."""

    start: Point
    stop: Point
    pinned: bool
    """Whether it ends in a dot on the edge of a counter. Counters and names lie over the line, and under the dot."""

    def box(self, scale: float) -> Box:
        """The box that its line covers."""
        return grown(bounds((self.start, self.stop)), (_PEN / 2 + RIM) * scale)

    def line(self, scale: float) -> Stroke:
        return Stroke((self.start, self.stop), _PEN * scale)

    def pin(self, scale: float) -> Disc:
        return Disc(self.stop, _PIN * scale)

    def line_stamp(self, scale: float, colours: Scheme) -> tuple[Stamp, Pixel]:
        pixel, part = pinned(self.stop)
        return _line_stamp(
            fine((self.start[0] - self.stop[0], self.start[1] - self.stop[1])), part, scale, colours
        ), pixel

    def pin_stamp(self, scale: float, colours: Scheme) -> tuple[Stamp, Pixel]:
        pixel, part = pinned(self.stop)
        return _pin_stamp(part, scale, colours), pixel


@stamped
def _line_stamp(back: Point, part: Point, scale: float, colours: Scheme) -> Stamp:
    """A leader's line anchored in the pixel of its end; `back`: its start relative to its end."""
    start = (back[0] + part[0], back[1] + part[1])
    return inlay([([Leader(start, part, pinned=False).line(scale)], colours.ink)], RIM * scale, colours.halo)


@stamped
def _pin_stamp(part: Point, scale: float, colours: Scheme) -> Stamp:
    return inlay([([Disc(part, _PIN * scale)], colours.ink)], RIM * scale, colours.halo)
