"""A scenario's own picture of the country, in place of drawn land.

Its levels are compressed to lie between the paper and one other colour of the scheme: however dark or bright it is,
text on it is readable.
"""

from collections.abc import Iterator
from io import BytesIO
from math import ceil, floor, sqrt

from PIL import Image, ImageChops, ImageOps
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from campaign.engine.display.views import Backdrop, BaseMap
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.maps.drawing.geometry import Box, Path
from campaign.maps.drawing.ink import Fill, mask_of
from campaign.maps.drawing.paper import PixelBox
from campaign.maps.land.lines import BORDERS
from campaign.maps.land.projection import Projection
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import Colour, Scheme

MOST_PIXELS = 20_000_000
"""Of a picture; a map 2,400 pixels wide shows no more detail than a quarter of this has."""

_KINDS: tuple[tuple[bytes, type[ImageFile]], ...] = (
    (b"\x89PNG\r\n", PngImageFile),
    (b"\xff\xd8\xff", JpegImageFile),
    (b"RIFF", WebPImageFile),
)
"""The first bytes of each kind of file. `Image.open` would refuse a file without a reason."""


class Unusable(ValueError):
    """A picture that cannot go under a map: the reason, and the cure."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(what)
        self.cure = cure


def look_at(base: BaseMap) -> None:
    """Check that the picture of a base map can be drawn; raises Unusable."""
    if base.backdrop is None:
        return
    width, height = _upright(base.backdrop.picture).size
    for place, (x, y) in _pixels(base, base.backdrop):
        if not (0 <= x <= width and 0 <= y <= height):
            beyond = f"it does not reach {place}, whose middle would lie at [{floor(x)}, {floor(y)}]"
            cure = "Correct background.hexes, or take a picture of the whole map."
            raise Unusable(f"{beyond} of {width:,} × {height:,} pixels", cure)


def paint_backdrop(
    paper: Image.Image, base: BaseMap, backdrop: Backdrop, projection: Projection, colours: Scheme
) -> None:
    """Paint the picture on all ground of the base map. Beyond its edge and where it is transparent, the paper shows."""
    inside = mask_of(map(Fill, _covered(base, projection)), paper.size)
    whole = _upright(backdrop.picture)
    box, part = _fitted(backdrop, whole.size, projection)
    if box[0] >= box[2] or box[1] >= box[3]:
        return
    size = (box[2] - box[0], box[3] - box[1])
    land = whole.resize(size, Image.Resampling.LANCZOS, part, reducing_gap=3.0)
    mask = inside.crop(box)
    if land.mode == "RGBA":
        mask = ImageChops.multiply(mask, land.getchannel("A"))
    paper.paste(land.convert("RGB").point(_tones(colours, backdrop.strength)), box[:2], mask)


def _covered(base: BaseMap, projection: Projection) -> Iterator[Path]:
    """What the picture lies under: all places, and where some are points, whatever is between them."""
    if all(ground.outline for ground in base.grounds):
        return (projection.path(ground.outline) for ground in base.grounds)
    left, top, right, bottom = projection.frame
    return iter([((left, top), (right, top), (right, bottom), (left, bottom))])


def drawn_over(base: BaseMap) -> BaseMap:
    """The base map without the lines that its picture already shows."""
    shown = base.backdrop
    if shown is None:
        return base
    known = declared(base.signs).borders
    water = {sign.key for sign in known.values() if BORDERS[sign.symbol].water}
    return replace(
        base,
        lines=() if shown.roads else base.lines,
        borders=tuple(border for border in base.borders if not (shown.rivers and border.kind in water)),
    )


# --- the file ---------------------------------------------------------------------------------------------------------


def _upright(picture: bytes) -> Image.Image:
    """The picture with the right side up, RGB or RGBA; raises Unusable."""
    file = _opened(picture)
    try:
        file.load()
        ImageOps.exif_transpose(file, in_place=True)
        if file.mode.startswith(("I", "F")):
            raise Unusable("it has more than 8 bits per channel", "Save it with 8 bits per channel.")
        mode = "RGBA" if file.has_transparency_data else "RGB"
        return file if file.mode == mode else file.convert(mode)
    except Unusable:
        raise
    except Exception as error:  # a decoder may raise anything
        raise Unusable("it is damaged or was cut off", "Save or copy it again.") from error


def _opened(picture: bytes) -> ImageFile:
    """The file of a picture that is small enough to decode."""
    kind = next((kind for beginning, kind in _KINDS if picture.startswith(beginning)), None)
    if kind is None:
        raise Unusable("it is not a PNG, JPEG or WebP file", "Save it as one of these.")
    try:
        file = kind(BytesIO(picture))
    except Image.DecompressionBombError as error:
        raise Unusable(
            f"it has far more than {MOST_PIXELS:,} pixels, which is the limit", "Make it smaller."
        ) from error
    except Exception as error:
        raise Unusable("it is damaged or was cut off", "Save or copy it again.") from error
    width, height = file.size
    if width * height > MOST_PIXELS:
        part = sqrt(MOST_PIXELS / (width * height))
        cure = f"Make it smaller: at most {max(1, floor(width * part)):,} × {max(1, floor(height * part)):,} pixels."
        raise Unusable(f"it has {width:,} × {height:,} pixels; the limit is {MOST_PIXELS:,}", cure)
    return file


# --- where it lies ----------------------------------------------------------------------------------------------------


def _pixels(base: BaseMap, backdrop: Backdrop) -> Iterator[tuple[PlaceId, tuple[float, float]]]:
    """The pixel of the picture at the middle of each place."""
    for ground in base.grounds:
        x, y = ((at - start) / step for at, start, step in zip(ground.at, backdrop.corner, backdrop.pixel, strict=True))
        yield ground.id, (x, y)


def _fitted(backdrop: Backdrop, size: tuple[int, int], projection: Projection) -> tuple[PixelBox, Box]:
    """The whole pixels of the sheet that the picture covers within the neatline, and the part of it that is there."""
    left, top = projection.at(backdrop.corner)
    across, down = backdrop.pixel[0] * projection.unit, backdrop.pixel[1] * projection.down
    frame = projection.frame
    box = (
        max(ceil(left), floor(frame[0])),
        max(ceil(top), floor(frame[1])),
        min(floor(left + size[0] * across), ceil(frame[2])),
        min(floor(top + size[1] * down), ceil(frame[3])),
    )
    part = ((box[0] - left) / across, (box[1] - top) / down, (box[2] - left) / across, (box[3] - top) / down)
    return box, (max(part[0], 0.0), max(part[1], 0.0), min(part[2], size[0]), min(part[3], size[1]))


# --- how strong it is -------------------------------------------------------------------------------------------------


def _tones(colours: Scheme, strength: float) -> list[int]:
    """The new value for each level of red, then green, then blue."""
    return [level for channel in zip(*backdrop_ends(colours, strength), strict=True) for level in _ramp(*channel)]


def backdrop_ends(colours: Scheme, strength: float) -> tuple[Colour, Colour]:
    """The colours for black and white of a picture of this strength. One is the paper; all others lie between."""
    red, green, blue = (
        round(near + (far - near) * strength) for near, far in zip(colours.border, colours.backdrop, strict=True)
    )
    ends = colours.border, (red, green, blue)
    return ends if sum(colours.border) < sum(colours.backdrop) else ends[::-1]


def _ramp(black: int, white: int) -> list[int]:
    return [round(black + (white - black) * level / 255) for level in range(256)]
