"""What a View puts on the map, and where: stacks, markers, arrows, the front. Geometry only, in pixels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from campaign.engine.display.views import View
from campaign.engine.values.ids import PlaceId
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import (
    Box,
    Point,
    bounds,
    clear_of,
    grown,
    touching,
)
from campaign.maps.label_placement import LabelPlacement, Obstacles, hidden_under, leaders, place_labels
from campaign.maps.land.bends import Bend, bends
from campaign.maps.land.features import Places
from campaign.maps.land.holdings import BAND_REACH, Holding, holdings
from campaign.maps.land.labels import Name, Number
from campaign.maps.land.room import Room
from campaign.maps.marker_placement import MarkerPlacement, Sign, signs_of
from campaign.maps.signs.arrows import Track, tracks
from campaign.maps.signs.counters import PLANS, CounterStyle, words_of
from campaign.maps.signs.leaders import Leader
from campaign.maps.signs.traces import Step, bars, steps
from campaign.maps.stacks import Piece, bodies, half_of, is_crowd, pile, placed_box, rows_of, stacks_of


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
    holdings: tuple[Holding, ...]
    ids: tuple[Number, ...]
    """Ids to print again: those that counters or the front would cover."""
    names: tuple[Name, ...]
    """Names of places to print again: over arrows and front, or where they have moved to."""
    leaders: tuple[Leader, ...]
    """Lines that tie names to their places."""
    gone: tuple[int, ...]
    """The numbers of the names to take off the sheet."""
    words: tuple[Piece, ...]
    """Counters whose words may lie under attacks, stopped moves or markers, and are printed again after these."""
    last: tuple[Name, ...]
    """Names that may lie under them and are printed again too."""
    crowds: tuple[tuple[PlaceId, tuple[CounterStyle, ...]], ...]
    """Stacks that are too high to show in their places, with all their counters."""


def scene(view: View, layout: Layout) -> Scene:
    """Lay out a View; raises ValueError for a place that the map lacks, or a side without colours."""
    base, places, colours = layout.base, layout.places, layout.colours
    stacks = stacks_of(view, layout)
    projection = layout.projection
    rows = {place: rows_of(place, len(styles), layout) for place, styles in stacks.items()}
    pieces = tuple(piece for place, styles in stacks.items() for piece in pile(place, styles, rows[place], layout))
    piles = {place: half_of(here, projection) for place, here in rows.items()}
    arrows = tuple(tracks(base, view.arrows, places, piles, colours))
    attacks = tuple(arrow for arrow in arrows if arrow.over_counters)
    stops = tuple(arrow.head_box() for arrow in arrows if arrow.head_again)
    room, hidden = _taken(layout, pieces, attacks, stops), hidden_under(layout, bodies(stacks, piles, projection))
    placement = MarkerPlacement(layout, room, hidden, partial(_printed, _by_place(pieces), layout))
    barred = () if projection.coarse else view.traces
    ways, crosses = tuple(steps(barred, places)), tuple(placement.cross(pair) for pair in bars(barred))
    signs = tuple(signs_of(view, layout, placement))
    obstacles = Obstacles(room, lambda: _bare(pieces, placement.boxes, layout), stacks.keys())
    names = place_labels(layout, hidden, obstacles, placement.boxes)
    tied = () if projection.coarse else tuple(leaders(layout, names, _boxes_of(pieces, projection.scale)))
    over = [leader.box(projection.scale) for leader in tied]
    over += [box for arrow in arrows if not arrow.over_counters for box in arrow.boxes()]
    over += [way.box(projection.scale) for way in ways]
    held = holdings(view.control, base.sides, places, colours)
    over += [grown(bounds(bend.path), BAND_REACH * projection.scale) for each in held for bend in each.border]
    upper = [*placement.crosses, *stops, *(box for attack in attacks for box in attack.boxes())]
    return Scene(
        pieces=pieces,
        signs=signs,
        tracks=arrows,
        traces=ways,
        crosses=crosses,
        front=_front(view, places),
        holdings=held,
        ids=tuple(_ids(layout, names, pieces, view.front)),
        names=names.again(layout, over, view.front),
        leaders=tied,
        gone=names.gone,
        words=tuple(_overprinted(pieces, [*upper, *placement.boxes], layout)),
        last=names.under(upper, layout),
        crowds=tuple((place, tuple(styles)) for place, styles in stacks.items() if is_crowd(rows[place])),
    )


def _by_place(pieces: Iterable[Piece]) -> Mapping[PlaceId, list[Piece]]:
    found: dict[PlaceId, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.place, []).append(piece)
    return found


def _printed(pieces: Mapping[PlaceId, Sequence[Piece]], layout: Layout, place: PlaceId) -> list[Box]:
    """The boxes of the words and symbols on the counters of a place, and of its id over them."""
    here, scale = pieces.get(place, ()), layout.projection.scale
    words = [box for piece in here for box in words_on(piece, layout)]
    words += [placed_box(PLANS[piece.size].symbol, piece.at, scale) for piece in here]
    number = layout.id_of.get(place) if words else None
    return words if number is None else [*words, number.box]


def _bare(pieces: Iterable[Piece], markers: Iterable[Box], layout: Layout) -> Iterator[Box]:
    """The boxes of the words and symbols on counters, and of the markers."""
    for piece in pieces:
        yield from words_on(piece, layout)
        yield placed_box(PLANS[piece.size].symbol, piece.at, layout.projection.scale)
    yield from markers


def _taken(layout: Layout, pieces: Iterable[Piece], attacks: Iterable[Track], stops: Iterable[Box]) -> Room:
    """The room left by counters (their labels above all), attacks and the ends of stopped moves."""
    room = Room(layout.projection.frame)
    for piece in pieces:
        room.take(piece.box, piece.label)
    for place in {piece.place: None for piece in pieces}:
        if place in layout.id_of:
            room.take(layout.id_of[place].box)
    for attack in attacks:
        room.take(grown(bounds(attack.path), 6 * layout.projection.scale))
    for box in stops:
        room.take(box)
    return room


def _boxes_of(pieces: Iterable[Piece], scale: float) -> Mapping[PlaceId, Box]:
    """A box round the counters of each place, without their shadows."""
    found: dict[PlaceId, Box] = {}
    for piece in pieces:
        wide, high = PLANS[piece.size].size
        here = (*piece.at, piece.at[0] + wide * scale, piece.at[1] + high * scale)
        left, top, right, bottom = found.get(piece.place, here)
        found[piece.place] = (min(left, here[0]), min(top, here[1]), max(right, here[2]), max(bottom, here[3]))
    return found


def _ids(
    layout: Layout, names: LabelPlacement, pieces: Iterable[Piece], front: Iterable[tuple[PlaceId, PlaceId]]
) -> Iterator[Number]:
    """The ids that a counter or the front touches, and no name."""
    met = {number for piece in pieces for number in layout.ids_at(piece.box)}
    met |= {number for pair in front for number in layout.ids_at_front(*pair)}
    moved = [name.letters for name in names.moved.values() if name is not None]
    for number in (layout.print_on.numbers[n] for n in sorted(met)):
        if clear_of(moved, number.box) and all(n in names.gone for n in layout.names_at(number.box)):
            yield number


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
    return tuple(placed_box(box, piece.at, layout.projection.scale) for box in words)


# --- the front --------------------------------------------------------------------------------------------------------


def _front(view: View, places: Places) -> tuple[Bend, ...]:
    """The front as pieces, with the first side on the right."""
    return tuple(bends(edge for ours, theirs in view.front for edge in places.front(ours, theirs)))
