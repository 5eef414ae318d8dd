"""Pictures to lie under maps, made for tests."""

import random
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

from campaign.engine.display.views import Backdrop, BaseMap, Point
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.maps.style.schemes import Colour

ODD = (1777, 1233)
"""A size that is a multiple of nothing."""
_AROUND = 1.3
"""Map units from the middles of the outermost places to the edges of a picture."""


def upon(base: BaseMap, picture: bytes, size: tuple[int, int] = ODD, **changes: Any) -> BaseMap:
    """The base map on a picture of this size, which reaches a little beyond all places."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*(g.at for g in base.grounds), strict=True))
    corner = (left - _AROUND, top - _AROUND)
    pixel = ((right - left + 2 * _AROUND) / size[0], (bottom - top + 2 * _AROUND) / size[1])
    lain = Backdrop(corner, pixel, strength=1.0, roads=False, rivers=False, picture=picture)
    return replace(base, backdrop=replace(lain, **changes))


def pixel_of(base: BaseMap, at: Point) -> Point:
    """Where a point of the paper lies in the picture of a base map."""
    assert base.backdrop is not None
    corner, pixel = base.backdrop.corner, base.backdrop.pixel
    return (at[0] - corner[0]) / pixel[0], (at[1] - corner[1]) / pixel[1]


def spotted(base: BaseMap, radius: float = 0.45) -> tuple[Image.Image, Mapping[PlaceId, Colour]]:
    """A white picture with a disc of another colour in each place of a base map that lies on it, and these colours.

    The radius is in map units.
    """
    assert base.backdrop is not None
    chance = random.Random("spots")
    picture, colours = Image.new("RGB", ODD, "white"), {}
    pen = ImageDraw.Draw(picture)
    for ground in base.grounds:
        colours[ground.id] = (chance.randrange(256), chance.randrange(256), chance.randrange(256))
        (x, y), (wide, high) = pixel_of(base, ground.at), (radius / step for step in base.backdrop.pixel)
        pen.ellipse((x - wide, y - high, x + wide, y + high), fill=colours[ground.id])
    return picture, colours


def noise(size: tuple[int, int] = ODD) -> Image.Image:
    """Every pixel of another colour, from one end of each channel to the other."""
    return Image.frombytes("RGB", size, random.Random("noise").randbytes(3 * size[0] * size[1]))


def filed(picture: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """The picture as a file."""
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
