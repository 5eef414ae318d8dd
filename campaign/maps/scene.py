"""What a View puts on the map, and where: stacks, markers, arrows, the front. Geometry only, in pixels."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from campaign.engine.display.views import Counter, Sighting, View
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import Box, Edge, Knot, Path, Point, bounds, grown, heading, middle, touching, turn
from campaign.maps.drawing.inlay import Pixel, bend, fine, pinned
from campaign.maps.label_placement import hidden_under, place_labels
from campaign.maps.land.features import Places
from campaign.maps.land.labels import Name, Room
from campaign.maps.land.projection import Projection
from campaign.maps.marker_placement import MarkerPlacement, Sign, signs_of
from campaign.maps.signs.arrows import Half, Track, tracks
from campaign.maps.signs.counters import PLANS, SHADOW, CounterStyle, Size, words_of
from campaign.maps.signs.traces import Step, bars, steps
from campaign.maps.style.declared import Declared, declared
from campaign.maps.style.schemes import Scheme, SideColours


class Piece(Value, frozen=True):
    """A counter on the map: what it shows, its upper left corner, its box and its label's box."""

    style: CounterStyle
    size: Size
    at: Point
    box: Box
    label: Box
    place: PlaceId


class Bend(Value, frozen=True):
    """A piece of the front round one of its corners, with the first side on the right.

    Its points are relative to the corner; if one is missing, the front ends there.
    """

    come: Point | None
    go: Point | None
    pixel: Pixel
    part: Point
    """The offset of the corner within its pixel."""

    @property
    def path(self) -> Path:
        """Its smooth curve on the picture."""
        corner = (self.pixel[0] + self.part[0], self.pixel[1] + self.part[1])
        come, go = ((corner[0] + x, corner[1] + y) for x, y in (self.come or (0, 0), self.go or (0, 0)))
        return bend(come, corner, go)


@dataclass(frozen=True)
class Scene:
    pieces: tuple[Piece, ...]
    signs: tuple[Sign, ...]
    tracks: tuple[Track, ...]
    traces: tuple[Step, ...]
    """The dots of barred supply routes."""
    crosses: tuple[Point, ...]
    """Where they are barred."""
    front: tuple[Bend, ...]
    held: tuple[tuple[Path, SideColours], ...]
    """The outlines of places that show their holder's colour, with the colours."""
    names: tuple[Name, ...]
    """Names of places to print again: over arrows and front, or where they have moved to."""
    gone: tuple[int, ...]
    """The numbers of the names to take off the sheet."""
    words: tuple[Piece, ...]
    """Counters whose words may lie under attacks, stopped moves or markers, and are printed again after these."""
    last: tuple[Name, ...]
    """Names that may lie under them and are printed again too."""
    crowds: tuple[tuple[PlaceId, tuple[str, ...]], ...]
    """Stacks that are too high to show, with the labels of all their counters."""


def scene(view: View, layout: Layout) -> Scene:
    """Lay out a View; raises ValueError for a place that the map lacks, or a side without colours."""
    base, places, colours = layout.base, layout.places, layout.colours
    stacks = _stacks(view, layout)
    projection = layout.projection
    pieces = tuple(piece for place, styles in stacks.items() for piece in _pile(place, styles, layout))
    piles = {place: _half(len(styles), projection) for place, styles in stacks.items()}
    arrows = tuple(tracks(base, view.arrows, places, piles, colours))
    attacks = tuple(arrow for arrow in arrows if arrow.over_counters)
    stops = tuple(arrow.head_box() for arrow in arrows if arrow.head_again)
    room, hidden = _taken(layout, pieces, attacks, stops), hidden_under(layout, _bodies(stacks, piles, projection))
    placement = MarkerPlacement(layout, room, hidden, partial(_printed, _by_place(pieces), layout))
    barred = () if projection.coarse else view.traces
    ways, crosses = tuple(steps(barred, places)), tuple(placement.cross(pair) for pair in bars(barred))
    signs = tuple(signs_of(view, layout, placement))
    names = place_labels(layout, hidden, room, placement.boxes, lambda: _bare(pieces, placement.boxes, layout))
    over = [box for arrow in arrows if not arrow.over_counters for box in arrow.boxes()]
    over += [way.box(projection.scale) for way in ways]
    upper = [*placement.crosses, *stops, *(box for attack in attacks for box in attack.boxes())]
    return Scene(
        pieces=pieces,
        signs=signs,
        tracks=arrows,
        traces=ways,
        crosses=crosses,
        front=_front(view, places),
        held=tuple(
            (places.outline(at, "control"), colours.side_colours(base.sides, side)) for at, side in view.control
        ),
        names=names.again(layout, over, view.front),
        gone=names.gone,
        words=tuple(_overprinted(pieces, [*upper, *placement.boxes], layout)),
        last=names.under(upper, layout),
        crowds=tuple(
            (place, tuple(style.label or "?" for style in styles))
            for place, styles in stacks.items()
            if len(styles) > TALLEST
        ),
    )


def _by_place(pieces: Iterable[Piece]) -> Mapping[PlaceId, list[Piece]]:
    found: dict[PlaceId, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.place, []).append(piece)
    return found


def _printed(pieces: Mapping[PlaceId, Sequence[Piece]], layout: Layout, place: PlaceId) -> list[Box]:
    """The boxes of the words on the counters of a place."""
    return [words for piece in pieces.get(place, ()) for words in words_on(piece, layout)]


def _bare(pieces: Iterable[Piece], markers: Iterable[Box], layout: Layout) -> Iterator[Box]:
    """The boxes of the words and symbols on counters, and of the markers."""
    for piece in pieces:
        yield from words_on(piece, layout)
        yield _placed(PLANS[piece.size].symbol, piece.at, layout.projection.scale)
    yield from markers


def _taken(layout: Layout, pieces: Iterable[Piece], attacks: Iterable[Track], stops: Iterable[Box]) -> Room:
    """The room left by counters (their labels above all), attacks and the ends of stopped moves."""
    room = Room(layout.projection.frame)
    for piece in pieces:
        room.take(piece.box, piece.label)
    for attack in attacks:
        room.take(grown(bounds(attack.path), 6 * layout.projection.scale))
    for box in stops:
        room.take(box)
    return room


def _overprinted(pieces: Iterable[Piece], boxes: Iterable[Box], layout: Layout) -> Iterator[Piece]:
    """The counters whose words one of the boxes covers."""
    over = Room(layout.projection.frame)
    for box in boxes:
        over.take(box)
    for piece in pieces:
        near = over.around(piece.box)
        if near and any(touching(near, words) for words in words_on(piece, layout)):
            yield piece


def names_on(drawn: Scene, layout: Layout) -> list[Name]:
    """The names on the map, each once."""
    stay = [name for number, name in enumerate(layout.print_on.names) if number not in drawn.gone]
    return stay + [name for name in drawn.names if name not in stay]


def words_on(piece: Piece, layout: Layout) -> tuple[Box, ...]:
    """The boxes of the words on a counter."""
    words = words_of(piece.style, piece.size, layout.colours)
    return tuple(_placed(box, piece.at, layout.projection.scale) for box in words)


def _placed(box: Box, at: Point, scale: float) -> Box:
    """A part of a counter in pixels of the map; `box` is in points from its corner."""
    (x, y), (left, top, right, bottom) = at, box
    return x + left * scale, y + top * scale, x + right * scale, y + bottom * scale


# --- stacks -----------------------------------------------------------------------------------------------------------

TALLEST = 4
"""The most counters that a stack shows; a higher one shows the first, and a slip with the number of the others."""
_GAP = 1.0
_HEAP = 3
"""The most counters that a heap on a coarse map shows."""
_ASIDE = 5.0


def _stacks(view: View, layout: Layout) -> dict[PlaceId, list[CounterStyle]]:
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


def _pile(place: PlaceId, styles: Sequence[CounterStyle], layout: Layout) -> Iterator[Piece]:
    """The counters of one place under each other, so that none hides another's label."""
    middle, projection, scale = layout.places.at(place), layout.projection, layout.projection.scale
    if projection.coarse:
        return (_piece(place, style, Size.BLOCK, at, layout) for style, at in _heap(middle, styles, scale))
    shown, sizes = _shown(styles, layout.colours), _sizes(len(styles))
    down = (_GAP - _high(sizes)) / 2
    rows: list[Point] = []
    for size in sizes:
        wide, high = PLANS[size].size
        rows.append((middle[0] - wide / 2 * scale, middle[1] + down * scale))
        down += high + _GAP
    return (_piece(place, style, size, at, layout) for style, size, at in zip(shown, sizes, rows, strict=True))


def _shown(styles: Sequence[CounterStyle], colours: Scheme) -> Sequence[CounterStyle]:
    """The counters of a pile that are shown: all, or the first with a slip that counts the others."""
    return styles if len(styles) <= TALLEST else (styles[0], _rest(len(styles) - 1, colours))


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
    return Piece(style, size, at, box, _placed(PLANS[size].label, at, scale), place)


def _sizes(count: int) -> Sequence[Size]:
    """The size of each counter that a pile shows."""
    if count > TALLEST:
        return (Size.WHOLE, Size.SLIP)
    return (_SIZES[count - 1],) * count


_SIZES = (Size.WHOLE, Size.HALF, Size.STRIP, Size.SLIP)


def _high(sizes: Sequence[Size]) -> float:
    """The height of a pile with a gap under each counter, in points."""
    return sum(PLANS[size].size[1] + _GAP for size in sizes)


def _half(count: int, projection: Projection) -> Half:
    """Half the width and height of a pile of this many counters."""
    sizes = (Size.BLOCK,) if projection.coarse else _sizes(count)
    wide = max(PLANS[size].size[0] for size in sizes)
    return wide / 2 * projection.scale, (_high(sizes) - _GAP) / 2 * projection.scale


def _bodies(
    stacks: Mapping[PlaceId, Sequence[CounterStyle]], piles: Mapping[PlaceId, Half], projection: Projection
) -> Mapping[PlaceId, Half]:
    """Half the width and height of all piles, by place; on coarse maps their counters are shifted sideways."""
    if not projection.coarse:
        return piles
    aside = {place: (min(len(styles), _HEAP) - 1) / 2 * _ASIDE * projection.scale for place, styles in stacks.items()}
    return {place: (half[0] + aside[place], half[1] + aside[place]) for place, half in piles.items()}


def _rest(count: int, colours: Scheme) -> CounterStyle:
    return CounterStyle(colours.neutral, None, "", f"+{count} more", sure=True)


# --- the front --------------------------------------------------------------------------------------------------------


def _front(view: View, places: Places) -> tuple[Bend, ...]:
    """The front as pieces, each from the middle of one shared side to the middle of the next."""
    edges = {edge: ends for ours, theirs in view.front for edge, ends in places.front(ours, theirs)}
    corners: dict[Knot, Point] = {}
    coming: dict[Knot, list[Edge]] = defaultdict(list)
    going: dict[Knot, list[Edge]] = defaultdict(list)
    for (start, stop), (first, last) in edges.items():
        corners[first], corners[last] = start, stop
        going[first].append((start, stop))
        coming[last].append((start, stop))
    return tuple(
        _bend(corner, come, go) for key, corner in corners.items() for come, go in _joined(coming[key], going[key])
    )


def _joined(coming: list[Edge], going: list[Edge]) -> Iterable[tuple[Edge | None, Edge | None]]:
    """The edges that join at a corner, the straightest first; None where the front ends."""
    if len(coming) == len(going) == 1:
        return [(coming[0], going[0])]
    pairs = sorted((turn(heading(*a), heading(*b)), n, m) for n, a in enumerate(coming) for m, b in enumerate(going))
    found: list[tuple[Edge | None, Edge | None]] = []
    for _, n, m in pairs:
        if not any(coming[n] is a or going[m] is b for a, b in found):
            found.append((coming[n], going[m]))
    found += [(edge, None) for edge in coming if not any(edge is a for a, _ in found)]
    return found + [(None, edge) for edge in going if not any(edge is b for _, b in found)]


@lru_cache(maxsize=8192)
def _bend(corner: Point, come: Edge | None, go: Edge | None) -> Bend:
    pixel, rest = pinned(corner)
    ends = [edge and fine(_seen(middle(*edge), corner)) for edge in (come, go)]
    return Bend(ends[0], ends[1], pixel, rest)


def _seen(point: Point, corner: Point) -> Point:
    return point[0] - corner[0], point[1] - corner[1]
