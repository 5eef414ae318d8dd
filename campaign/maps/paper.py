"""What a map is printed on: true colour, or the indexed rows that are packed into the file as they stand."""

from dataclasses import dataclass
from typing import Protocol

from PIL import Image, ImageChops

from campaign.maps.geometry import Point
from campaign.maps.ink import Stamp
from campaign.maps.png import FILTER, Palette, indexed
from campaign.maps.theme import HALO, Colour

PixelBox = tuple[int, int, int, int]


class Paper(Protocol):
    """Takes stamps and even fills, at pixels of the picture."""

    def press(self, stamp: Stamp, at: Point) -> None: ...

    def fill(self, colour: Colour, box: PixelBox) -> None: ...


@dataclass(frozen=True)
class TruePaper:
    """Every edge antialiased against what lies under it. Sheets are drawn on it, and proofs."""

    image: Image.Image
    """RGB."""

    def press(self, stamp: Stamp, at: Point) -> None:
        stamp.press(self.image, at)

    def fill(self, colour: Colour, box: PixelBox) -> None:
        self.image.paste(colour, box)


@dataclass(frozen=True)
class Cut:
    """A stamp as palette indexes, cut out along its edge."""

    picture: Image.Image
    mask: Image.Image | None
    soft: Image.Image | None
    """Pixels of its rim that are half covered: what lies there is mixed with the colour of rims."""
    left: int
    top: int
    width: int
    height: int


_MARGIN = len(FILTER)
_PARTLY = [255 if 64 <= level < 192 else 0 for level in range(256)]
_MOST = [255 if level >= 128 else 0 for level in range(256)]


class Press:
    """Cuts stamps for one palette, each once while it is in use."""

    _MOST_CUTS = 8192

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._cuts: dict[Stamp, Cut] = {}
        colours = Image.new("RGB", (len(palette.colours), 1))
        colours.putdata(palette.colours)
        mixed = Image.blend(colours, Image.new("RGB", colours.size, HALO), 0.5)
        self.mixed = list(_indexes(mixed, palette).tobytes().ljust(256, b"\0"))
        """For each index that of the colour half way to that of rims."""

    def cut(self, stamp: Stamp) -> Cut:
        found = self._cuts.get(stamp)
        if found is None:
            if len(self._cuts) >= self._MOST_CUTS:
                self._cuts.clear()
            found = self._cuts[stamp] = self._cut(stamp)
        return found

    def _cut(self, stamp: Stamp) -> Cut:
        picture = _indexes(stamp.picture, self.palette)
        mask, soft = stamp.mask, None
        if mask is not None:
            rim = picture.point([255 if index == self.index(HALO) else 0 for index in range(256)])
            half = ImageChops.multiply(mask.point(_PARTLY), rim)
            mask = ImageChops.subtract(mask.point(_MOST), half).convert("1")
            soft = half.convert("1") if half.getbbox() else None
        return Cut(picture, mask, soft, _MARGIN - stamp.anchor[0], -stamp.anchor[1], *picture.size)

    def index(self, colour: Colour) -> int:
        return self.palette.index[colour]


def _indexes(picture: Image.Image, palette: Palette) -> Image.Image:
    """A picture's indexes as levels of grey, which Pillow handles without asking for their palette."""
    found = indexed(picture, palette)
    return Image.frombytes("L", found.size, found.tobytes())


class IndexedPaper:
    """Rows of palette indexes, each after its filter byte. `rows` is what is printed on and what is packed.

    Stamps go through Pillow's core (`Image.im`): for such small pictures the methods round it, which check and convert
    their arguments, would take several times as long as the work itself.
    """

    def __init__(self, rows: bytearray, width: int, press: Press) -> None:
        self.width, self.height = width, len(rows) // (_MARGIN + width)
        self.rows = rows
        self._press = press
        self._image = Image.frombuffer("L", (_MARGIN + width, self.height), rows, "raw", "L", 0, 1)

    def press(self, stamp: Stamp, at: Point) -> None:
        cut, core = self._press.cut(stamp), self._image.im
        left, top = round(at[0]) + cut.left, round(at[1]) + cut.top
        box = (left, top, left + cut.width, top + cut.height)
        if cut.soft is not None:
            core.paste(core.crop(box).point(self._press.mixed, None), box, cut.soft.im)
        if cut.mask is None:
            core.paste(cut.picture.im, box)
        else:
            core.paste(cut.picture.im, box, cut.mask.im)

    def fill(self, colour: Colour, box: PixelBox) -> None:
        left, top, right, bottom = box
        self._image.im.paste(self._press.index(colour), (left + _MARGIN, top, right + _MARGIN, bottom))

    def finished(self) -> bytearray:
        """The rows, their filter bytes put right where a stamp hung over the left edge."""
        self._image.im.paste(0, (0, 0, _MARGIN, self.height))
        return self.rows
