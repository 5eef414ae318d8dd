"""One fixed palette for all pictures of a base map, and indexed PNG files of four kinds of chunks only."""

from collections.abc import Iterable
from dataclasses import dataclass
from struct import pack
from zlib import compress, crc32

from PIL import Image

from campaign.maps.theme import Colour

COLOURS = 256
_CELL = 4
"""Pillow finds the nearest colour once for each cell of this many levels a channel, measured from its dark corner."""


@dataclass(frozen=True)
class Palette:
    colours: tuple[Colour, ...]
    finder: Image.Image
    """Carries the colours moved to the corners of their cells, so that Pillow finds each of them exactly."""


def palette_for(samples: Image.Image, exact: Iterable[Colour]) -> Palette:
    """The exact colours first, the others trained on samples; none so near another that Pillow confuses them."""
    entries: dict[Colour, Colour] = {}
    for colour in (*exact, *_trained(samples)):
        entries.setdefault(_corner(colour), colour)
    chosen = dict(list(entries.items())[:COLOURS])
    finder = Image.new("P", (1, 1))
    finder.putpalette([level for corner in chosen for level in corner])
    return Palette(tuple(chosen.values()), finder)


def _corner(colour: Colour) -> Colour:
    red, green, blue = (level - level % _CELL for level in colour)
    return red, green, blue


def _trained(samples: Image.Image) -> list[Colour]:
    """Colours that stand for a picture, the most frequent first."""
    trained = samples.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = trained.getpalette() or []
    counted = sorted((-count, index) for count, index in trained.getcolors(COLOURS) or [] if isinstance(index, int))
    return [(flat[3 * index], flat[3 * index + 1], flat[3 * index + 2]) for _, index in counted]


def indexed(picture: Image.Image, palette: Palette) -> Image.Image:
    """The picture in the colours of the palette, each pixel the nearest."""
    found = picture.quantize(palette=palette.finder, dither=Image.Dither.NONE)
    found.putpalette([level for colour in palette.colours for level in colour])
    return found


def encode(picture: Image.Image) -> bytes:
    """An indexed picture as PNG: IHDR, PLTE, IDAT, IEND, and nothing that says when or by what it was made."""
    width, height = picture.size
    raw = picture.tobytes()
    rows = b"".join(b"\0" + raw[start : start + width] for start in range(0, len(raw), width))
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(picture.getpalette() or ())),
            _chunk(b"IDAT", compress(rows, 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))
