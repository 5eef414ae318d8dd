"""The pictures from which a palette is learnt: the sheet, and every kind of sign that a View can put on it."""

from collections.abc import Iterator
from itertools import product

from PIL import Image

from campaign.engine.display.signs import Signs
from campaign.engine.display.views import BaseMap
from campaign.maps.drawing.ink import Stamp, lettering
from campaign.maps.land.holdings import WASH
from campaign.maps.land.lines import front_stamp
from campaign.maps.signs.arrows import track_stamp
from campaign.maps.signs.counters import CounterStyle, Size, counter_stamp
from campaign.maps.signs.markers import MARKERS, Badge, marker_stamp
from campaign.maps.style import theme
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import Colour, Scheme, SideColours


def exact_colours(base: BaseMap, colours: Scheme) -> tuple[Colour, ...]:
    """Colours of large areas and signs that the palette must have exactly."""
    return (
        colours.paper,
        colours.border,
        colours.ink,
        colours.blank,
        colours.reverse,
        colours.halo,
        colours.sighted,
        colours.shade,
        colours.alarm,
        colours.burst,
        colours.faint,
        colours.quiet,
        *(() if base.backdrop else (tint.fill for tint in colours.lands.values())),
        *_washed_lands(base, colours),
        *colours.plates.values(),
        *(
            colour
            for side_colours in _all_side_colours(base, colours)
            for colour in (side_colours.strong, side_colours.pale)
        ),
    )


def sample_sheet(paper: Image.Image, base: BaseMap, scale: float, colours: Scheme) -> Image.Image:
    """The sheet with samples of all counters and markers under it.

    Every second pixel is enough to learn the colours of a backdrop, and much faster.
    """
    every = 2 if base.backdrop is None else max(2, paper.width // _ENOUGH)
    part = paper.resize((paper.width // every, paper.height // every), Image.Resampling.NEAREST)
    stamps = [
        stamp
        for side_colours in _all_side_colours(base, colours)
        for stamp in (
            *_counters(base.signs, side_colours, scale, colours),
            *_markers(base.signs, side_colours, scale, colours),
            *_arrows(base.signs, side_colours, scale, colours),
        )
    ]
    stamps += [
        lettering("Sample 1234567890", theme.STOP_PRINT, scale, ink=colours.ink, on=on)
        for on in (colours.paper, colours.border)
    ]
    washed = [_washed(part.reduce(4), holder) for holder in _holders(base, colours)]
    step = round(_STEP * scale) + 4
    across = max(1, part.width // step)
    foot = part.height + -(-len(stamps) // across) * step
    sheet = Image.new("RGB", (part.width, foot + sum(held.height for held in washed)), colours.paper)
    sheet.paste(part)
    for n, held in enumerate(washed):
        sheet.paste(held, (0, foot + n * held.height))
    lands = [land.fill for land in colours.lands.values()] if base.backdrop is None else [colours.border]
    for n, stamp in enumerate(stamps):
        x, y = n % across * step, part.height + n // across * step
        sheet.paste(lands[n % len(lands)], (x, y, x + step, y + step))
        stamp.press(sheet, (x + 2 + stamp.anchor[0], y + 2 + stamp.anchor[1]))
    return sheet


_STEP = 60
_ENOUGH = 450
"""The width in pixels at which a backdrop still shows all its colours."""


def _all_side_colours(base: BaseMap, colours: Scheme) -> tuple[SideColours, ...]:
    return (*(colours.side_colours(base.sides, side) for side in base.sides), colours.neutral)


def _holders(base: BaseMap, colours: Scheme) -> tuple[Colour, ...]:
    """The colours that are washed over drawn land that sides hold. Among a backdrop's many colours others are near."""
    sides = base.sides if base.signs.control and base.backdrop is None else ()
    return tuple(colours.side_colours(base.sides, side).strong for side in sides)


def _washed(picture: Image.Image, holder: Colour) -> Image.Image:
    return Image.blend(picture, Image.new("RGB", picture.size, holder), WASH)


def _washed_lands(base: BaseMap, colours: Scheme) -> Iterator[Colour]:
    """The even land of each kind that is on the map, in each holder's hand."""
    if holders := _holders(base, colours):
        lands = declared(base.signs).lands
        fills = {colours.lands[lands[ground.terrain].symbol].fill: None for ground in base.grounds}
        for fill, holder in product(fills, holders):
            red, green, blue = (int(a + (b - a) * WASH) for a, b in zip(fill, holder, strict=True))
            yield red, green, blue


def _counters(signs: Signs, side_colours: SideColours, scale: float, colours: Scheme) -> Iterator[Stamp]:
    size = signs.sizes[-1].symbol if signs.sizes else ""
    for arm, states in product(signs.arms, ((), signs.conditions)):
        for sure in (True, False):
            style = CounterStyle(
                side_colours, arm.symbol, size, "12 Sample", sure=sure, left="85", gauge=0.85, right="4", states=states
            )
            yield counter_stamp(style, Size.WHOLE, scale, colours)
            yield counter_stamp(style, Size.HALF, scale, colours)
    for arm in signs.arms:
        faded = CounterStyle(side_colours, arm.symbol, size, "12 Sample", sure=False, age=3)
        yield counter_stamp(faded, Size.WHOLE, scale, colours)


def _arrows(signs: Signs, side_colours: SideColours, scale: float, colours: Scheme) -> Iterator[Stamp]:
    for sign in signs.arrows:
        yield track_stamp(sign.symbol, side_colours, 12, scale, halo=colours.halo)
    ends = ((-15 * scale, -9 * scale), (9 * scale, 15 * scale))
    yield front_stamp((side_colours, colours.neutral), *ends, (0, 0), scale, halo=colours.halo)


def _markers(signs: Signs, side_colours: SideColours, scale: float, colours: Scheme) -> Iterator[Stamp]:
    """Stamps of markers on the ground. Air boxes, new flags and barred supply add no other colours."""
    there = {sign.symbol for sign in signs.markers}
    for symbol, text in product((symbol for symbol in MARKERS if symbol in there), ("3", "8")):
        yield marker_stamp(Badge(symbol, side_colours, text), scale, colours)
