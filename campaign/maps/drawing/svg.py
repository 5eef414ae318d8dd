"""Writing SVG: elements with escaped text, shapes and print as elements. Equal input gives equal bytes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from itertools import groupby
from math import floor

from campaign.maps.drawing.geometry import Path
from campaign.maps.drawing.ink import Disc, Fill, Inked, Printed, Shape, Stroke, cap_height, one_line, width_of
from campaign.maps.style.adaptive import Twin
from campaign.maps.style.schemes import Colour
from campaign.maps.style.theme import NAME_HALO, Face, Print

Attribute = str | float | None
"""None: the element does not have it."""


def element(tag: str, *inside: str, **attributes: Attribute) -> str:
    """An element around others already written. `_` in a name is a hyphen, and nothing at its end.

    Text from people must be one line before it becomes an attribute.
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    content = "".join(inside)
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def text_of(words: str) -> str:
    """Text as the content of an element."""
    return escape(one_line(words), quote=False)


def number(value: float) -> str:
    """A number with at most two decimals, without needless digits."""
    whole = floor(value * 100 + 0.5)
    return f"{whole / 100:.2f}".rstrip("0").rstrip(".") if whole else "0"


def hue(colour: Colour) -> str:
    """A colour as CSS. Of two in one the page's colour scheme chooses."""
    if isinstance(colour, Twin):
        return f"light-dark({_hex(colour)},{_hex(colour.dark)})"
    return _hex(colour)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def course(path: Path, *, closed: bool = False) -> str:
    """A path as the commands of a `d` attribute."""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in path)
    return f"M{points}{'z' if closed else ''}"


def inked(layer: Inked) -> str:
    """The shapes of a layer: strokes of one width are one element, so that they do not add up."""
    return "".join(_shapes(layer.shapes, layer.colour))


def _shapes(shapes: Iterable[Shape], colour: Colour) -> Iterator[str]:
    for width, run in groupby(shapes, key=lambda shape: shape.width if isinstance(shape, Stroke) else None):
        if width is None:
            yield from (_filled(shape, colour) for shape in run if not isinstance(shape, Stroke))
        else:
            d = "".join(course(shape.path) for shape in run if isinstance(shape, Stroke))
            yield element("path", d=d, fill="none", stroke=hue(colour), stroke_width=width)


def _filled(shape: Fill | Disc, colour: Colour) -> str:
    if isinstance(shape, Disc):
        return element("circle", cx=shape.at[0], cy=shape.at[1], r=shape.radius, fill=hue(colour))
    return element("path", d=course(shape.outline, closed=True), fill=hue(colour))


def printed(words: Printed, *, halo: Colour | None = None) -> str:
    """Print with its middle on its point."""
    x, y = words.at
    return lettered(replace(words, at=(x, y + _height(words.style) / 2)), scale=1.0, halo=halo)


def lettered(words: Printed, *, scale: float = 1.0, halo: Colour | None = None, wide: float = NAME_HALO) -> str:
    """Print with the middle of its base line on its point, with a halo that separates it from what is under it.

    `wide`: the width of the halo in points.

    It is as wide as in the project's fonts, whatever fonts its reader has.
    """
    text = text_of(words.text)
    if not text:
        return ""
    rim: dict[str, Attribute] = {}
    if halo is not None:
        rim = {"stroke": hue(halo), "stroke_width": 2 * wide * scale}
        rim |= {"stroke_linejoin": "round", "paint_order": "stroke"}
    return element(
        "text",
        text,
        x=words.at[0],
        y=words.at[1],
        font_size=words.style.size * scale,
        font_weight="bold" if words.style.face is Face.BOLD else None,
        fill=hue(words.ink),
        textLength=_run(words.text, words.style) * scale * words.squeeze,
        lengthAdjust="spacingAndGlyphs",
        **rim,
    )


_FINE = 16.0
"""Print is measured this many times larger: letters of a few pixels have whole-number widths."""


def _height(style: Print) -> float:
    return cap_height(style, _FINE) / _FINE


def _run(words: str, style: Print) -> float:
    return width_of(words, style, _FINE) / _FINE


def _value(value: str | float) -> str:
    return number(value) if isinstance(value, float | int) else escape(value)
