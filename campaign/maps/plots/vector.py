"""A plot as an `svg` element. A style sheet gives its tones their colours, for light and for dark pages."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from campaign.engine.display.plots import Plot
from campaign.maps.drawing.ink import Disc, Fill, Shape, Stroke, cap_height, one_line, width_of
from campaign.maps.drawing.svg import course, element, text_of
from campaign.maps.plots.layout import HIGH, WIDE, lay_out
from campaign.maps.plots.parts import Anchor, Drawn, Lettered, Part
from campaign.maps.style.theme import Face
from campaign.maps.vector import FONTS


def svg_plot(plot: Plot) -> str:
    """The plot without its title. Equal plots give equal bytes."""
    return element(
        "svg",
        *map(_written, lay_out(plot)),
        xmlns="http://www.w3.org/2000/svg",
        class_="plot",
        viewBox=f"0 0 {WIDE:.0f} {HIGH:.0f}",
        role="img",
        aria_label=one_line(f"{plot.title}: a plot of the figures in the table under it"),
        font_family=FONTS,
    )


def _written(part: Part) -> str:
    return element("g", *_shapes(part.shapes), class_=part.tone) if isinstance(part, Drawn) else _text(part)


def _shapes(shapes: Iterable[Shape]) -> Iterator[str]:
    """Strokes of one width as one element, and so are even shapes."""
    for width, some in groupby(shapes, key=lambda shape: shape.width if isinstance(shape, Stroke) else None):
        run = list(some)
        yield from (
            element("circle", cx=shape.at[0], cy=shape.at[1], r=shape.radius, fill="currentColor")
            for shape in run
            if isinstance(shape, Disc)
        )
        strokes = "".join(course(shape.path) for shape in run if isinstance(shape, Stroke))
        if strokes:
            yield element("path", d=strokes, fill="none", stroke="currentColor", stroke_width=width)
        fills = "".join(course(shape.outline, closed=True) for shape in run if isinstance(shape, Fill))
        if fills:
            yield element("path", d=fills, fill="currentColor")


def _text(part: Lettered) -> str:
    """Print as wide as in the project's fonts, whatever fonts its reader has."""
    return element(
        "text",
        text_of(part.text),
        x=part.at[0],
        y=part.at[1] + cap_height(part.style) / 2,
        class_=part.tone,
        fill="currentColor",
        font_size=part.style.size,
        font_weight="bold" if part.style.face is Face.BOLD else None,
        text_anchor=None if part.anchor is Anchor.START else part.anchor.value,
        textLength=width_of(part.text, part.style),
        lengthAdjust="spacingAndGlyphs",
    )
