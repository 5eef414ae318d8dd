"""The counters of each place: which of them its stack shows, at which size, and where."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.display.views import Counter, Sighting, View
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import Box, Point
from campaign.maps.land.projection import Projection
from campaign.maps.signs.arrows import Half
from campaign.maps.signs.counters import PLANS, SHADOW, CounterStyle, Size
from campaign.maps.style.declared import Declared, declared
from campaign.maps.style.schemes import Scheme


class Piece(Value, frozen=True):
    """A counter on the map: what it shows, its upper left corner, its box and its label's box."""

    style: CounterStyle
    size: Size
    at: Point
    box: Box
    label: Box
    place: PlaceId


TALLEST = 3
"""The most counters that a stack shows, each with its name in print that can be read. A higher one shows the first, and
a slip with the number of the others; all of them are shown next to the map.
"""
_GAP = 1.0
_CROWD_TOP = -20.0
"""The upper edge of the first counter of a high stack, in points from the middle of its place: as a lone counter's."""
_HEAP = 3
"""The most counters that a heap on a coarse map shows."""
_ASIDE = 5.0


def stacks_of(view: View, layout: Layout) -> dict[PlaceId, list[CounterStyle]]:
    """The counters of each place, then its sightings, in the order of the View."""
    known, stacks = declared(layout.base.signs), dict[PlaceId, list[CounterStyle]]()
    for counter in view.counters:
        layout.places.ground(counter.at, f"counter {counter.label}")
        stacks.setdefault(counter.at, []).append(_known(layout, known, counter))
    for sighting in view.sightings:
        layout.places.ground(sighting.at, f"sighting {sighting.label or '?'}")
        stacks.setdefault(sighting.at, []).append(_sighted(layout, known, sighting))
    return stacks


def _known(layout: Layout, known: Declared, counter: Counter) -> CounterStyle:
    left, gauge, right = known.corners(counter)
    return CounterStyle(
        side_colours=layout.colours.side_colours(layout.base.sides, counter.side),
        arm=known.arms[counter.branch].symbol,
        echelon=known.size(counter.echelon),
        label=counter.label,
        sure=True,
        left=left,
        gauge=gauge,
        right=right,
        states=known.states(counter.states),
    )


def _sighted(layout: Layout, known: Declared, sighting: Sighting) -> CounterStyle:
    return CounterStyle(
        side_colours=layout.colours.side_colours(layout.base.sides, sighting.side),
        arm=None if sighting.branch is None else known.arms[sighting.branch].symbol,
        echelon=known.size(sighting.echelon),
        label=sighting.label if sighting.count is None else f"{sighting.count} × {sighting.label or '?'}",
        sure=False,
        age=sighting.age,
    )


def pile(place: PlaceId, styles: Sequence[CounterStyle], layout: Layout) -> Iterator[Piece]:
    """The counters of one place under each other, so that none hides another's label."""
    middle, projection, scale = layout.places.at(place), layout.projection, layout.projection.scale
    if projection.coarse:
        return (_piece(place, style, Size.BLOCK, at, layout) for style, at in _heap(middle, styles, scale))
    shown, sizes = _shown(styles, layout.colours), _sizes(len(styles))
    down = _top(sizes)
    rows: list[Point] = []
    for size in sizes:
        wide, high = PLANS[size].size
        rows.append((middle[0] - wide / 2 * scale, middle[1] + down * scale))
        down += high + _GAP
    return (_piece(place, style, size, at, layout) for style, size, at in zip(shown, sizes, rows, strict=True))


def _shown(styles: Sequence[CounterStyle], colours: Scheme) -> Sequence[CounterStyle]:
    """The counters of a pile that are shown: all, or the first with a slip that counts the others."""
    return styles if len(styles) <= TALLEST else (styles[0], _rest(len(styles) - 1, colours))


def _rest(count: int, colours: Scheme) -> CounterStyle:
    return CounterStyle(colours.neutral, None, "", f"+{count} more", sure=True)


def _heap(middle: Point, styles: Sequence[CounterStyle], scale: float) -> Iterator[tuple[CounterStyle, Point]]:
    """Counters without print on top of each other, each a little to the side of the next, the first on top."""
    wide, high = PLANS[Size.BLOCK].size
    shown = styles[:_HEAP]
    for n in reversed(range(len(shown))):
        aside = (n - (len(shown) - 1) / 2) * _ASIDE
        yield shown[n], (middle[0] + (aside - wide / 2) * scale, middle[1] - (aside + high / 2) * scale)


def _piece(place: PlaceId, style: CounterStyle, size: Size, at: Point, layout: Layout) -> Piece:
    (wide, high), scale = PLANS[size].size, layout.projection.scale
    box = (*at, at[0] + (wide + SHADOW) * scale, at[1] + (high + SHADOW) * scale)
    return Piece(style, size, at, box, placed_box(PLANS[size].label, at, scale), place)


def placed_box(box: Box, at: Point, scale: float) -> Box:
    """A part of a counter in pixels of the map; `box` is in points from its corner."""
    (x, y), (left, top, right, bottom) = at, box
    return x + left * scale, y + top * scale, x + right * scale, y + bottom * scale


# --- sizes ------------------------------------------------------------------------------------------------------------

_SIZES = (Size.WHOLE, Size.HALF, Size.STRIP)


def _sizes(count: int) -> Sequence[Size]:
    """The size of each counter that a pile shows."""
    if count > TALLEST:
        return (Size.WHOLE, Size.SLIP)
    return (_SIZES[count - 1],) * count


def _top(sizes: Sequence[Size]) -> float:
    """The upper edge of a pile, in points from the middle of its place."""
    return _CROWD_TOP if Size.SLIP in sizes else -_high(sizes) / 2


def _high(sizes: Sequence[Size]) -> float:
    """The height of a pile in points."""
    return sum(PLANS[size].size[1] + _GAP for size in sizes) - _GAP


def half_of(count: int, projection: Projection) -> Half:
    """Half the width and height of a box round the middle of a place that holds a pile of this many counters."""
    right, down = _BLOCK if projection.coarse else _HALVES[min(count, TALLEST + 1) - 1]
    return right * projection.scale, down * projection.scale


def _half(sizes: Sequence[Size]) -> Half:
    """The same in points."""
    wide, top = max(PLANS[size].size[0] for size in sizes), _top(sizes)
    return wide / 2, max(-top, top + _high(sizes))


_BLOCK = _half((Size.BLOCK,))
_HALVES = tuple(_half(_sizes(count)) for count in range(1, TALLEST + 2))


def bodies(
    stacks: Mapping[PlaceId, Sequence[CounterStyle]], piles: Mapping[PlaceId, Half], projection: Projection
) -> Mapping[PlaceId, Half]:
    """Half the width and height of all piles, by place; on coarse maps their counters are shifted sideways."""
    if not projection.coarse:
        return piles
    aside = {place: (min(len(styles), _HEAP) - 1) / 2 * _ASIDE * projection.scale for place, styles in stacks.items()}
    return {place: (half[0] + aside[place], half[1] + aside[place]) for place, half in piles.items()}
