"""A sheet as drawn and kept: palette indexes, their colours, and the pixels under the names of places."""

from PIL import Image

from campaign.engine.display.views import BaseMap
from campaign.engine.values.value import Value
from campaign.maps.base.layout import Layout
from campaign.maps.base.painting import paint_names, paint_sheet
from campaign.maps.base.samples import exact_colours, sample_sheet
from campaign.maps.drawing.edition import digest_of
from campaign.maps.drawing.ink import Stamp
from campaign.maps.drawing.png import COLOURS, COLOURS_OF_PICTURES, FILTER, indexed, palette_for
from campaign.maps.style.schemes import SCHEMES, Colour, Scheme


class RestorePatch(Value, frozen=True):
    """A rectangle of the sheet without the name printed there."""

    size: tuple[int, int]
    anchor: tuple[int, int]
    pixels: bytes
    """Red, green, blue."""

    @classmethod
    def of(cls, stamp: Stamp) -> "RestorePatch":
        return cls(stamp.picture.size, stamp.anchor, stamp.picture.tobytes())

    def stamp(self) -> Stamp:
        return Stamp(Image.frombytes("RGB", self.size, self.pixels), None, self.anchor)


class RenderedBase(Value, frozen=True):
    """A base map at one width and in one scheme."""

    rows: bytes
    """Palette indexes, each row after its filter byte."""
    colours: tuple[Colour, ...]
    """The palette."""
    patches: tuple[RestorePatch, ...]
    """For each name, the sheet without it."""


def render_base(layout: Layout) -> RenderedBase:
    """Draw a sheet, which takes seconds."""
    base, width, colours = layout.base, layout.projection.width, layout.colours
    bare = paint_sheet(layout)
    patches = paint_names(bare, layout)
    samples = sample_sheet(bare, base, layout.projection.scale, colours)
    most = COLOURS if base.backdrop is None else COLOURS_OF_PICTURES
    palette = palette_for(samples, exact_colours(base, colours), most)
    pixels = indexed(bare, palette).tobytes()
    rows = b"".join(FILTER + pixels[start : start + width] for start in range(0, len(pixels), width))
    return RenderedBase(rows, palette.colours, tuple(map(RestorePatch.of, patches)))


def base_name(base: BaseMap, width: int, colours: Scheme) -> str:
    """The name under which a rendered base is kept; empty for a caller's own scheme, which may have any name."""
    ours = SCHEMES.get(colours.name) is colours
    return f"{digest_of(base)}-{width}-{colours.name}" if ours else ""
