"""One fixed palette for all pictures of a base map, and indexed PNG files with only four kinds of chunks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from struct import pack

from isal import isal_zlib
from PIL import Image

from campaign.maps.style.schemes import Colour

COLOURS = 160
"""Fewer pack better, more show finer edges."""
COLOURS_OF_PICTURES = 255
"""For a map with a picture under it, which has no even areas. Moving pictures need one more, for what does not move."""
_CELL = 4
"""Pillow finds the nearest colour once for each cell of this many levels per channel, from its dark corner."""
_EFFORT = 2
"""The level of isal, which packs no better with more and is no faster with less."""
FILTER = b"\0"
"""The first byte of every row: none of PNG's filters is used."""


@dataclass(frozen=True)
class Palette:
    colours: tuple[Colour, ...]
    finder: Image.Image
    """Holds the colours moved to the corners of their cells, so that Pillow finds each of them exactly."""

    @classmethod
    def of(cls, colours: Iterable[Colour]) -> "Palette":
        """The palette of these colours, at most one per cell."""
        every = tuple(colours)
        finder = Image.new("P", (1, 1))
        finder.putpalette([level for colour in every for level in _corner(colour)])
        return cls(every, finder)

    @cached_property
    def index(self) -> Mapping[Colour, int]:
        return {colour: n for n, colour in enumerate(self.colours)}


def palette_for(samples: Image.Image, exact: Iterable[Colour], most: int = COLOURS) -> Palette:
    """The exact colours first, the others trained on samples; none so near another that Pillow confuses them."""
    entries: dict[Colour, Colour] = {}
    for colour in exact:
        entries.setdefault(_corner(colour), colour)
    for colour in _trained(samples, most):
        if len(entries) < most:
            entries.setdefault(_corner(colour), colour)
    return Palette.of(entries.values())


def _corner(colour: Colour) -> Colour:
    red, green, blue = (level - level % _CELL for level in colour)
    return red, green, blue


def _trained(samples: Image.Image, count: int) -> list[Colour]:
    """Colours that represent a picture, the most frequent first."""
    trained = samples.quantize(count, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    flat = trained.getpalette() or []
    counted = sorted((-many, index) for many, index in trained.getcolors() or [] if isinstance(index, int))
    return [(flat[3 * index], flat[3 * index + 1], flat[3 * index + 2]) for _, index in counted]


def indexed(picture: Image.Image, palette: Palette) -> Image.Image:
    """The picture in the colours of the palette, each pixel the nearest."""
    found = nearest(picture, palette)
    found.putpalette([level for colour in palette.colours for level in colour])
    return found


def nearest(picture: Image.Image, palette: Palette) -> Image.Image:
    """The same with the finder's palette."""
    return picture.quantize(palette=palette.finder, dither=Image.Dither.NONE)


def encode(rows: bytes | bytearray, width: int, palette: Palette) -> bytes:
    """Rows of indexes, each after its filter byte, as PNG: IHDR, PLTE, IDAT, IEND.

    Nothing in it says when or with what it was made.
    """
    height = len(rows) // (len(FILTER) + width)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(level for colour in palette.colours for level in colour)),
            _chunk(b"IDAT", isal_zlib.compress(rows, _EFFORT)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join((pack(">I", len(data)), kind, data, pack(">I", check)))
