"""The counters of each place: which of them its stack shows, at which size, and where."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from campaign.engine.display.views import Counter, Sighting, View
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import Box, Path, Point, holds
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
"""The most counters that a stack shows in a place with little room, each with its name in print that can be read. A
higher one shows the first, and a slip with the number of the others; all of them are shown next to the map.
"""
SPREAD = 6
"""The most that a stack shows in a place where they have room."""
_GAP = 1.0
_CROWD_TOP = -20.0
"""The upper edge of the first counter of a high stack, in points from the middle of its place: as a lone counter's."""
_HEAP = 3
"""The most counters that a heap on a coarse map shows."""
_ASIDE = 5.0


Rows = tuple[tuple[Size, ...], ...]
"""The sizes of the counters that a pile shows, row by row; those of a row are alike."""


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


def pile(place: PlaceId, styles: Sequence[CounterStyle], rows: Rows, layout: Layout) -> Iterator[Piece]:
    """The counters of one place in these rows, so that none hides another's label."""
    middle, projection, scale = layout.places.at(place), layout.projection, layout.projection.scale
    if projection.coarse:
        return (_piece(place, style, Size.BLOCK, at, layout) for style, at in _heap(middle, styles, scale))
    shown = _shown(styles, rows, layout.colours)
    spots = ((size, (middle[0] + right * scale, middle[1] + down * scale)) for size, (right, down) in _spots(rows))
    return (_piece(place, style, size, at, layout) for style, (size, at) in zip(shown, spots, strict=True))


def _spots(rows: Rows) -> Iterator[tuple[Size, Point]]:
    """The size and upper left corner of each counter, in points from the middle of the place."""
    down = _top(rows)
    for row in rows:
        right = -_wide(row) / 2
        for size in row:
            yield size, (right, down)
            right += PLANS[size].size[0] + _GAP
        down += PLANS[row[0]].size[1] + _GAP


def _shown(styles: Sequence[CounterStyle], rows: Rows, colours: Scheme) -> Sequence[CounterStyle]:
    """The counters of a pile that are shown: all, or the first with a slip that counts the others."""
    return (styles[0], _rest(len(styles) - 1, colours)) if is_crowd(rows) else styles


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


# --- rows -------------------------------------------------------------------------------------------------------------

_CROWD: Rows = ((Size.WHOLE,), (Size.SLIP,))


def rows_of(place: PlaceId, count: int, layout: Layout) -> Rows:
    """How a pile of this many counters stands: the larger way of those for which its place has room."""
    *larger, last = _ways(count)
    if layout.projection.coarse or not larger:
        return last
    outline, middle = layout.places.outline(place), layout.places.at(place)
    return next((rows for rows in larger if _fits(rows, outline, middle, layout.projection.scale)), last)


def is_crowd(rows: Rows) -> bool:
    """Whether a pile shows only the first counter, and the number of the others."""
    return rows == _CROWD


@cache
def _ways(count: int) -> tuple[Rows, ...]:
    """The larger ways first; the last one is for places without room."""
    if count <= len(_LONE):
        return (_LONE[count - 1],)
    if count <= TALLEST:
        return (_in_columns(Size.HALF, count, 1), _in_columns(Size.STRIP, count, 1))
    if count <= SPREAD:
        ways = (_in_columns(Size.HALF, count, 2), _in_columns(Size.STRIP, count, 1), _in_columns(Size.STRIP, count, 2))
        return (*ways, _CROWD)
    return (_CROWD,)


_LONE: tuple[Rows, ...] = (((Size.WHOLE,),), ((Size.HALF,), (Size.HALF,)))


def _in_columns(size: Size, count: int, columns: int) -> Rows:
    return tuple((size,) * min(columns, count - done) for done in range(0, count, columns))


def _fits(rows: Rows, outline: Path, middle: Point, scale: float) -> bool:
    """Whether the box of a pile lies within the outline of its place."""
    (x, y), (wide, high) = middle, _half(rows)
    left, top, right, bottom = x - wide * scale, y - high * scale, x + wide * scale, y + high * scale
    within = all(holds(outline, corner) for corner in product((left, right), (top, bottom)))
    return within and not any(left < across < right and top < down < bottom for across, down in outline)


def _top(rows: Rows) -> float:
    """The upper edge of a pile, in points from the middle of its place."""
    return _CROWD_TOP if is_crowd(rows) else -_high(rows) / 2


def _high(rows: Rows) -> float:
    """The height of a pile in points."""
    return sum(PLANS[row[0]].size[1] + _GAP for row in rows) - _GAP


def _wide(row: Sequence[Size]) -> float:
    """The width of a row in points."""
    return sum(PLANS[size].size[0] + _GAP for size in row) - _GAP


def half_of(rows: Rows, projection: Projection) -> Half:
    """Half the width and height of a box round the middle of a place that holds a pile in these rows."""
    right, down = _half(_BLOCK if projection.coarse else rows)
    return right * projection.scale, down * projection.scale


_BLOCK: Rows = ((Size.BLOCK,),)


@cache
def _half(rows: Rows) -> Half:
    """The same in points."""
    wide, top = max(map(_wide, rows)), _top(rows)
    return wide / 2, max(-top, top + _high(rows))


def bodies(
    stacks: Mapping[PlaceId, Sequence[CounterStyle]], piles: Mapping[PlaceId, Half], projection: Projection
) -> Mapping[PlaceId, Half]:
    """Half the width and height of all piles, by place; on coarse maps their counters are shifted sideways."""
    if not projection.coarse:
        return piles
    aside = {place: (min(len(styles), _HEAP) - 1) / 2 * _ASIDE * projection.scale for place, styles in stacks.items()}
    return {place: (half[0] + aside[place], half[1] + aside[place]) for place, half in piles.items()}
