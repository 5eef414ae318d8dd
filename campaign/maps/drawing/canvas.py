"""Drawing on the parts of the sheet around the map, in points of the page."""

from collections.abc import Iterable

from campaign.maps.drawing.geometry import Box, Path, Point
from campaign.maps.drawing.ink import Fill, Shape, Stamp, cap_height, lay, lettering
from campaign.maps.drawing.paper import Paper, TruePaper
from campaign.maps.drawing.symbols import placed
from campaign.maps.style.schemes import Colour, Scheme
from campaign.maps.style.theme import LEGEND_PRINT, Print


class Board:
    """A part of the sheet with its upper left corner at a pixel."""

    def __init__(self, paper: Paper, corner: Point, scale: float, colours: Scheme) -> None:
        self.paper, self.corner, self.scale, self.colours = paper, corner, scale, colours

    def pixels(self, at: Point) -> Point:
        return self.corner[0] + at[0] * self.scale, self.corner[1] + at[1] * self.scale

    def fill(self, box: Box, colour: Colour, *, inset: int = 0) -> None:
        """Fill a box in whole pixels, less an inset at each edge, so that its edges are sharp."""
        left, top, right, bottom = (round(edge) for edge in (*self.pixels(box[:2]), *self.pixels(box[2:])))
        area = (left + inset, top + inset, max(right - inset, left + inset), max(bottom - inset, top + inset))
        self.paper.fill(colour, area)

    def frame(self, box: Box, colour: Colour, inside: Colour) -> None:
        """A filled box within a thin rule."""
        self.fill(box, colour)
        self.fill(box, inside, inset=max(1, round(self.scale)))

    def write(
        self,
        text: str,
        at: Point,
        style: Print = LEGEND_PRINT,
        anchor: str = "ls",
        *,
        ink: Colour | None = None,
        on: Colour | None = None,
    ) -> None:
        """Print on an even ground, by default the paper; the point is at half the height of the capitals."""
        x, y = self.pixels(at)
        drop = cap_height(style, self.scale) / 2
        stamp = lettering(
            text, style, self.scale, ink=ink or self.colours.ink, anchor=anchor, on=on or self.colours.paper
        )
        self.paper.press(stamp, (x, y + drop))

    def press(self, stamp: Stamp, at: Point) -> None:
        self.paper.press(stamp, self.pixels(at))


class Canvas(Board):
    """A board in true colour, on which shapes can be drawn too."""

    def __init__(self, paper: TruePaper, corner: Point, scale: float, colours: Scheme) -> None:
        super().__init__(paper, corner, scale, colours)
        self.image = paper.image

    def path(self, points: Iterable[Point]) -> Path:
        return tuple(self.pixels(point) for point in points)

    def lay(self, shapes: Iterable[Shape], colour: Colour, at: Point = (0, 0)) -> None:
        """Draw shapes, given in points around a point."""
        where, size = self.pixels(at), (self.scale, self.scale)
        lay(self.image, [placed(shape, where, size, pen=self.scale) for shape in shapes], colour)


def rectangle(box: Box) -> Fill:
    left, top, right, bottom = box
    return Fill(((left, top), (right, top), (right, bottom), (left, bottom)))
