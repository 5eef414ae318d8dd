"""A plot as a PNG picture, for forums: with its campaign, its title, and for whom it is."""

from collections.abc import Iterable
from itertools import chain

from PIL import Image

from campaign.engine.display.plots import Plot
from campaign.maps.drawing.canvas import Canvas
from campaign.maps.drawing.ink import shrunk, width_of
from campaign.maps.drawing.paper import TruePaper
from campaign.maps.drawing.png import FILTER, encode, nearest, palette_for
from campaign.maps.plots.layout import HIGH, WIDE, lay_out
from campaign.maps.plots.parts import Anchor, Drawn, Part, colours_of_tones
from campaign.maps.style.schemes import DEFAULT, Colour, Scheme
from campaign.maps.style.theme import Face, Print

_SCALE = 2
"""Pixels to the point."""
WIDTH = round(WIDE * _SCALE)
_HEADING = 54.0
_TITLE = Print(Face.BOLD, 19)
_CAMPAIGN = Print(Face.PLAIN, 13)
_AUDIENCE = Print(Face.BOLD, 13)
_SHADES = 9
"""Shades between the paper and each colour on it."""
_ANCHORS = {Anchor.START: "ls", Anchor.MIDDLE: "ms", Anchor.END: "rs"}


def draw_plot(plot: Plot, *, campaign: str, audience: str, colours: Scheme = DEFAULT) -> bytes:
    """The bytes of a PNG file, `WIDTH` pixels wide. Equal arguments give equal bytes."""
    tones = colours_of_tones(colours, plot.sides)
    image = Image.new("RGB", (WIDTH, round((_HEADING + HIGH) * _SCALE)), colours.paper)
    _paint_heading(Canvas(TruePaper(image), (0, 0), _SCALE, colours), plot, campaign, audience)
    ground = Canvas(TruePaper(image), (0, _HEADING * _SCALE), _SCALE, colours)
    for part in lay_out(plot):
        _paint(ground, part, tones[part.tone])
    return _packed(image, tones.values(), colours)


def _paint_heading(canvas: Canvas, plot: Plot, campaign: str, audience: str) -> None:
    """Print the title, the campaign with the last day, and at the right for whom the plot is."""
    right = WIDE - 8
    room = right - width_of(audience.upper(), _AUDIENCE) - 20
    title, style = shrunk(plot.title, _TITLE, room - 8, smallest=12)
    canvas.write(title, (8, 18), style)
    canvas.write(audience.upper(), (right, 18), _AUDIENCE, "rs")
    under, style = shrunk(f"{campaign}, {plot.labels[-1]}", _CAMPAIGN, right - 8, smallest=9)
    canvas.write(under, (8, 40), style, ink=canvas.colours.quiet)


def _paint(canvas: Canvas, part: Part, colour: Colour) -> None:
    if isinstance(part, Drawn):
        canvas.lay(part.shapes, colour)
    else:
        canvas.write(part.text, part.at, part.style, _ANCHORS[part.anchor], ink=colour)


def _packed(image: Image.Image, inks: Iterable[Colour], colours: Scheme) -> bytes:
    """The picture in these colours and their shades on the paper."""
    inks = list(inks)
    shades = (_shade(ink, colours.paper, step / _SHADES) for step in range(_SHADES + 1) for ink in inks)
    palette = palette_for(Image.new("RGB", (1, 1), colours.paper), chain((colours.paper, *inks), shades))
    pixels = nearest(image, palette).tobytes()
    rows = b"".join(FILTER + pixels[start : start + image.width] for start in range(0, len(pixels), image.width))
    return encode(rows, image.width, palette)


def _shade(ink: Colour, paper: Colour, part: float) -> Colour:
    red, green, blue = (round(there + (here - there) * part) for here, there in zip(ink, paper, strict=True))
    return red, green, blue
