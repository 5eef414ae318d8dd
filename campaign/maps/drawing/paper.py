"""What a map is printed on: true colour, or the indexed rows that go into the file unchanged."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from PIL import Image, ImageDraw

from campaign.core.memory import MB, Halves
from campaign.maps.drawing.geometry import Path, Point
from campaign.maps.drawing.ink import Stamp, weight_of
from campaign.maps.drawing.png import FILTER, Palette, nearest
from campaign.maps.style.schemes import Colour

PixelBox = tuple[int, int, int, int]


class Paper(Protocol):
    """Takes stamps and even fills, at pixels of the picture."""

    def press(self, stamp: Stamp, at: Point) -> None: ...

    def fill(self, colour: Colour, box: PixelBox) -> None: ...

    def wash(self, colour: Colour, strength: float, outlines: Iterable[Path]) -> None:
        """Mix a colour into all that is on the paper within any of these outlines; `strength` is from 0 to 1."""


@dataclass(frozen=True)
class TruePaper:
    """Every edge antialiased against what is under it. Used for sheets and proofs."""

    image: Image.Image
    """RGB."""

    def press(self, stamp: Stamp, at: Point) -> None:
        stamp.press(self.image, at)

    def fill(self, colour: Colour, box: PixelBox) -> None:
        self.image.paste(colour, box)

    def wash(self, colour: Colour, strength: float, outlines: Iterable[Path]) -> None:
        even = Image.new("RGB", self.image.size, colour)
        self.image.paste(Image.blend(self.image, even, strength), None, _within(outlines, self.image.size))


def _within(outlines: Iterable[Path], size: tuple[int, int], left: int = 0) -> Image.Image:
    """A mask of what is in any of the outlines, moved to the right."""
    mask = Image.new("1", size)
    pen = ImageDraw.Draw(mask)
    for outline in outlines:
        pen.polygon([(x + left - 0.5, y - 0.5) for x, y in outline], fill=1)
    return mask


Core = Any
"""A picture without the methods that Pillow puts round it, which check and convert their arguments: for pictures as
small as stamps that takes several times as long as the work itself.
"""


@dataclass(frozen=True)
class Cut:
    """A stamp as palette indexes, cut out along its edge."""

    picture: Core
    mask: Core | None
    soft: Core | None
    """Half covered pixels of its rim: what is there is mixed with the rim's colour."""
    left: int
    top: int
    width: int
    height: int

    @property
    def weight(self) -> int:
        """The bytes it takes in memory: one for each pixel of its pictures, of whatever kind."""
        return self.width * self.height * (1 + (self.mask is not None) + (self.soft is not None)) + _OBJECTS


_OBJECTS = 500
_MARGIN = len(FILTER)
_PARTLY = [255 if 64 <= level < 192 else 0 for level in range(256)]
_FEW = 8
"""Half covered pixels too few to be worth the work."""
_SEEN = [255 if level >= 64 else 0 for level in range(256)]
_MOST = [255 if level >= 128 else 0 for level in range(256)]


class PalettePrinter:
    """Cuts stamps for one palette, each once while it is in use."""

    MOST = 48 * MB
    """Bytes of the stamps that are kept, as they were made and as they are cut. A map of 720 counters at 2,400 pixels
    takes 20 million, which the newer half must hold, or each stamp would be cut again for each map.
    """

    def __init__(self, palette: Palette, halo: Colour) -> None:
        self.palette = palette
        self._cuts: Halves[Stamp, Cut] = Halves(self.MOST, lambda stamp, cut: weight_of(stamp) + cut.weight)
        self.mixed = self.mix(halo, 0.5)
        """For each index, the index of its colour mixed half and half with the rim's."""
        self._rims = [255 if index == self.index(halo) else 0 for index in range(256)]

    @property
    def weight(self) -> int:
        """The bytes of all cached stamps."""
        return self._cuts.weight

    def cut(self, stamp: Stamp) -> Cut:
        return self._cuts.get(stamp, partial(self._cut, stamp))

    def _cut(self, stamp: Stamp) -> Cut:
        picture: Core = _indexes(stamp.picture, self.palette).im
        left, top = _MARGIN - stamp.anchor[0], -stamp.anchor[1]
        if stamp.mask is None:
            return Cut(picture, None, None, left, top, *picture.size)
        mask: Core = stamp.mask.im
        seen = mask.point(_SEEN, None).getbbox() or (0, 0, 1, 1)
        picture, mask = picture.crop(seen), mask.crop(seen)
        half = mask.point(_PARTLY, None).chop_multiply(picture.point(self._rims, None))
        most = mask.point(_MOST, None)
        soft = half.histogram()[255] > _FEW
        if soft:
            most = most.chop_subtract(half, 1.0, 0)
        masks = (most.convert("1", Image.Dither.NONE), half.convert("1", Image.Dither.NONE) if soft else None)
        return Cut(picture, *masks, left + seen[0], top + seen[1], *picture.size)

    def index(self, colour: Colour) -> int:
        return self.palette.index[colour]

    def mix(self, colour: Colour, strength: float) -> list[int]:
        """For each index, the index of its colour with another mixed into it; `strength` is from 0 to 1."""
        colours = Image.new("RGB", (len(self.palette.colours), 1))
        colours.putdata(self.palette.colours)
        mixed = Image.blend(colours, Image.new("RGB", colours.size, colour), strength)
        return list(_indexes(mixed, self.palette).tobytes().ljust(256, b"\0"))


def _indexes(picture: Image.Image, palette: Palette) -> Image.Image:
    """A picture's indexes as levels of grey, which Pillow handles without their palette."""
    found = nearest(picture, palette)
    return Image.frombytes("L", found.size, found.tobytes())


class IndexedPaper:
    """Rows of palette indexes, each after its filter byte. `rows` is printed on and then packed."""

    def __init__(self, rows: bytearray, width: int, printer: PalettePrinter) -> None:
        self.width, self.height = width, len(rows) // (_MARGIN + width)
        self.rows = rows
        self._printer = printer
        self._core: Core = Image.frombuffer("L", (_MARGIN + width, self.height), rows, "raw", "L", 0, 1).im

    def press(self, stamp: Stamp, at: Point) -> None:
        cut, core = self._printer.cut(stamp), self._core
        left, top = round(at[0]) + cut.left, round(at[1]) + cut.top
        box = (left, top, left + cut.width, top + cut.height)
        if cut.soft is not None:
            core.paste(core.crop(box).point(self._printer.mixed, None), box, cut.soft)
        if cut.mask is None:
            core.paste(cut.picture, box)
        else:
            core.paste(cut.picture, box, cut.mask)

    def fill(self, colour: Colour, box: PixelBox) -> None:
        left, top, right, bottom = box
        self._core.paste(self._printer.index(colour), (left + _MARGIN, top, right + _MARGIN, bottom))

    def wash(self, colour: Colour, strength: float, outlines: Iterable[Path]) -> None:
        core, size = self._core, (_MARGIN + self.width, self.height)
        core.paste(
            core.point(self._printer.mix(colour, strength), None), (0, 0, *size), _within(outlines, size, _MARGIN).im
        )

    def finished(self) -> bytearray:
        """The rows, with filter bytes restored where a stamp crossed the left edge."""
        self._core.paste(0, (0, 0, _MARGIN, self.height))
        return self.rows
