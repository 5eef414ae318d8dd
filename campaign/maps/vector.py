"""The board for the web: the base sheet as one picture, and over it a View in SVG, drawn as on the picture.

On a board that is light or dark as its reader's device is, a browser loads one of two sheets.

Every place is a link to its description, with its summary as title. Each layer is a group with a class, which a style
sheet can switch off.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

from campaign.engine.display.signs import Layer
from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.maps.base.cartouche import turn_now
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.canvas import rectangle
from campaign.maps.drawing.geometry import Box, Point, bounds, grown
from campaign.maps.drawing.ink import Fill, Inked, Printed, Shape, Stroke, one_line
from campaign.maps.drawing.inlay import rimmed
from campaign.maps.drawing.svg import course, element, inked, lettered, number, printed, text_of
from campaign.maps.land.holdings import RIM as HELD_RIM
from campaign.maps.land.holdings import WASH, Holding, band
from campaign.maps.land.labels import Name, Number
from campaign.maps.land.lines import closed_shapes, front_layers, front_rim
from campaign.maps.land.projection import Projection
from campaign.maps.marker_placement import Sign
from campaign.maps.place_descriptions import PlaceDescription, key_of, neighbours
from campaign.maps.scene import Scene, names_on, scene
from campaign.maps.signs.arrows import RIM as ARROW_RIM
from campaign.maps.signs.arrows import Track, track_shapes
from campaign.maps.signs.counters import RIM, SHADOW, CounterStyle, Size, closed, counter_figure, counter_outline
from campaign.maps.signs.leaders import RIM as LEADER_RIM
from campaign.maps.signs.markers import marker_emblem, marker_rims
from campaign.maps.signs.traces import RIM as TRACE_RIM
from campaign.maps.signs.traces import cross
from campaign.maps.stacks import Piece
from campaign.maps.style import theme
from campaign.maps.style.schemes import Scheme

Mark = TypeVar("Mark", Track, Sign)

MOST_PLACES = 5_000
"""More would make a page of over 1.5 MB, which takes a server a third of a second and a phone much longer."""
_UNDER_NEATLINE = 5.0
"""Points from the frame of the map to the part of the sheet that only the legend shows."""
FONTS = "'DejaVu Sans Condensed', 'Arial Narrow', Arial, sans-serif"


def has_board(base: BaseMap) -> bool:
    """Whether a base map has few enough places for a board."""
    return len(base.grounds) <= MOST_PLACES


def board(
    view: View,
    layout: Layout,
    descriptions: Iterable[PlaceDescription],
    *,
    sheet: str,
    dark_sheet: str | None = None,
    page: str = "",
) -> str:
    """The board of a View as an `svg` element, with a link for each of these descriptions of places.

    `sheet` is the address of the base sheet at the layout's width; `dark_sheet` that of another for a page in dark
    mode; `page` that of the page with the descriptions, if it is another page. Equal arguments give equal bytes.
    Raises ValueError for a place or side that the base map lacks.
    """
    drawn, projection = scene(view, layout), layout.projection
    (left, top, right, _), bottom = projection.frame, projection.cartouche[3]
    parts = (_sheet(projection, sheet, dark_sheet), *_drawn(drawn, layout), _turn(view, layout))
    return element(
        "svg",
        element("g", *parts, aria_hidden="true"),
        _places(layout, view, descriptions, page),
        xmlns="http://www.w3.org/2000/svg",
        class_="board",
        viewBox=" ".join(map(number, (left, top, right - left, bottom - top))),
        role="group",
        aria_label=one_line(f"Map for {view.audience_title}, {view.date}"),
        font_family=FONTS,
        text_anchor="middle",
    )


@dataclass(frozen=True)
class Target:
    """A place on a part of the map that may be chosen."""

    place: PlaceId
    control: str
    """The id of the field that chooses it."""
    chosen: bool


def cutout(
    view: View,
    layout: Layout,
    places: Sequence[PlaceId],
    targets: Sequence[Target],
    *,
    sheet: str,
    dark_sheet: str | None = None,
) -> str:
    """The part of the board around these places, as an `svg` element. A tap on a target is one on its field.

    It shows what is there, not what happened. The fields themselves are next to it, so it is hidden from readers of
    screens. Raises ValueError for a place that the base map lacks.
    """
    left, top, right, bottom = grown(bounds([p for place in places for p in layout.places.outline(place)]), 1)
    grounds = (ground.id for ground in layout.base.grounds)
    shown = {id_ for id_ in grounds if _is_inside(layout.places.at(id_), (left, top, right, bottom))}
    drawn = scene(_still(view, shown), layout)
    return element(
        "svg",
        _sheet(layout.projection, sheet, dark_sheet),
        *_drawn(drawn, layout),
        *(_target(each, layout) for each in targets),
        class_="cutout",
        viewBox=" ".join(map(number, (left, top, right - left, bottom - top))),
        aria_hidden="true",
        font_family=FONTS,
        text_anchor="middle",
    )


def marked(view: View, layout: Layout, places: Collection[PlaceId], *, sheet: str) -> str:
    """The part of the board around these places, which are marked, as an `svg` element.

    It is hidden from readers of screens, who have the places in words next to it. Raises ValueError for a place that
    the base map lacks.
    """
    left, top, right, bottom = grown(bounds([p for place in places for p in layout.places.outline(place)]), _AROUND)
    outlines = (course(layout.places.outline(place), closed=True) for place in sorted(places))
    return element(
        "svg",
        _sheet(layout.projection, sheet, None),
        *_drawn(scene(view, layout), layout),
        *(element("path", d=outline, class_="marked") for outline in outlines),
        class_="cutout",
        viewBox=" ".join(map(number, (left, top, right - left, bottom - top))),
        aria_hidden="true",
        font_family=FONTS,
        text_anchor="middle",
    )


_AROUND = 120
"""What is shown around marked places: somewhat more than a hex."""


def _is_inside(point: Point, box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _still(view: View, places: Container[PlaceId]) -> View:
    """The units and markers of a View in some places."""
    return replace(
        view,
        counters=tuple(each for each in view.counters if each.at in places),
        sightings=tuple(each for each in view.sightings if each.at in places),
        markers=tuple(each for each in view.markers if each.at in places),
        arrows=(),
        traces=(),
        flights=(),
        front=(),
        control=(),
    )


def _target(target: Target, layout: Layout) -> str:
    outline = layout.places.outline(target.place)
    left, top, right, bottom = bounds(outline)
    label = element(
        "label", " ", for_=target.control, xmlns="http://www.w3.org/1999/xhtml"
    )  # in HTML it must be closed
    tapped = element("foreignObject", label, x=left, y=top, width=right - left, height=bottom - top)
    name = "target chosen" if target.chosen else "target"
    return element("g", element("path", d=course(outline, closed=True)), tapped, class_=name)


def legend(projection: Projection, *, sheet: str, dark_sheet: str | None = None) -> str:
    """The legend as an `svg` element: its part of the same sheet."""
    left, neatline, right, bottom = projection.legend
    top = neatline + _UNDER_NEATLINE * projection.page
    return element(
        "svg",
        _sheet(projection, sheet, dark_sheet),
        xmlns="http://www.w3.org/2000/svg",
        class_="legend",
        viewBox=" ".join(map(number, (left, top, right - left, bottom - top))),
        role="img",
        aria_label="What the signs of the map mean",
    )


def _turn(view: View, layout: Layout) -> str:
    """The View's turn on the track, over the box that the sheet has there."""
    projection, colours = layout.projection, layout.colours
    now = turn_now(layout.base, view, projection, colours)
    if now is None:
        return ""
    box, words = now
    parts = (inked(Inked((rectangle(box),), colours.ink)), printed(words))
    return element("g", *parts, class_="turn", transform=_at(projection.cartouche[:2], projection.page))


def _sheet(projection: Projection, address: str, dark_address: str | None) -> str:
    size = {"width": projection.width, "height": projection.height}
    if dark_address is None:
        return element("image", href=address, **size)
    dark = element("source", media="(prefers-color-scheme: dark)", srcset=dark_address)
    light = element("img", src=address, alt="", **size)
    picture = element("picture", dark, light, xmlns="http://www.w3.org/1999/xhtml")
    return element("foreignObject", picture, **size)


# --- what the View shows ----------------------------------------------------------------------------------------------


def _drawn(drawn: Scene, layout: Layout) -> Iterator[str]:
    """The layers from bottom to top, as the painter has them; each arrow is an element of its own.

    Words of counters and names that something covers are repeated at the end, as on the picture.
    """
    attacks = [track for track in drawn.tracks if track.over_counters]
    others = [track for track in drawn.tracks if not track.over_counters]
    stopped = [track for track in drawn.tracks if track.head_again]
    scale, colours = layout.projection.scale, layout.colours
    yield _group(Layer.CONTROL.value, (_wash(held) for held in drawn.holdings))
    yield _group(Layer.CONTROL.value, (_bands(held, scale, colours) for held in drawn.holdings))
    yield _group(Layer.FRONT.value, _front(drawn, layout))
    yield from _layered(others, partial(_track, colours=colours), _layer_of_track)
    yield _group(Layer.SUPPLY.value, _traces(drawn, scale, colours))
    yield _group("leaders", (_leader(leader.line(scale), scale, colours) for leader in drawn.leaders))
    yield _group("names", _names(drawn, layout))
    yield _group(Layer.COUNTERS.value, (_counter(piece, scale, colours) for piece in drawn.pieces))
    pins = (leader.pin(scale) for leader in drawn.leaders if leader.pinned)
    yield _group("leaders", (_leader(pin, scale, colours) for pin in pins))
    yield _group("ids", (_id(number, scale, colours) for number in drawn.ids))
    yield from _layered(attacks, partial(_track, colours=colours), _layer_of_track)
    yield from _layered(stopped, partial(_stop, colours=colours), _layer_of_track)
    yield _group(Layer.SUPPLY.value, (_cross(at, scale, colours) for at in drawn.crosses))
    yield from _layered(drawn.signs, partial(_sign, scale=scale, colours=colours), lambda sign: sign.layer)
    yield _group(Layer.COUNTERS.value, (_words(piece, scale, colours) for piece in drawn.words))
    yield _group("names", _lettered_names(drawn.last, layout))


def _layered(
    marks: Sequence[Mark], drawing: Callable[[Mark], str], layer_of_mark: Callable[[Mark], Layer]
) -> Iterator[str]:
    """Marks in groups by their layer, in the order of layers."""
    by_layer = {layer: [mark for mark in marks if layer_of_mark(mark) is layer] for layer in Layer}
    yield from (_group(layer.value, map(drawing, some)) for layer, some in by_layer.items())


def _layer_of_track(track: Track) -> Layer:
    return track.sign.layer


def _wash(held: Holding) -> str:
    lands = Inked(tuple(map(Fill, held.lands)), held.side_colours.strong)
    return element("g", inked(lands), class_="held", opacity=WASH)


def _bands(held: Holding, scale: float, colours: Scheme) -> str:
    lines = tuple(band(bend.path, scale) for bend in held.border)
    return _rounded(_rims(lines, HELD_RIM * scale, colours), Inked(lines, held.side_colours.strong))


def _group(name: str, parts: Iterable[str]) -> str:
    content = "".join(parts)
    return element("g", content, class_=name) if content else ""


def _front(drawn: Scene, layout: Layout) -> Iterator[str]:
    """Both lines of the front with their rim, and over them the closed sides, which they would hide."""
    if not drawn.front:
        return
    scale, colours = layout.projection.scale, layout.colours
    both = colours.two_sides(layout.base.sides)
    pieces = [front_layers(both, bend.path, bend.come, bend.go, scale) for bend in drawn.front]
    lines = [Inked(tuple(shape for piece in pieces for shape in piece[n][0]), pieces[0][n][1]) for n in (0, 1)]
    closed_sides = Inked(tuple(closed_shapes(layout.lines.closed, scale)), colours.closed)
    shapes = [shape for line in lines for shape in line.shapes]
    yield _rounded(_rims(shapes, front_rim(scale), colours), *lines, closed_sides)


def _track(track: Track, colours: Scheme) -> str:
    shapes = track_shapes(track)
    layers = (_rims(shapes, ARROW_RIM * track.scale, colours), Inked(shapes, track.side_colours.strong))
    return _rounded(*layers, class_=f"arrow {track.sign.key}")


def _stop(track: Track, colours: Scheme) -> str:
    """The bar of a stopped move again, over the counters that cover it."""
    head = track.head()
    return _rounded(_rims(head, ARROW_RIM * track.scale, colours), Inked(head, track.side_colours.strong), class_="bar")


def _traces(drawn: Scene, scale: float, colours: Scheme) -> Iterator[str]:
    for step in drawn.traces:
        dots = step.dots(scale)
        yield _rounded(_rims(dots, TRACE_RIM * scale, colours), Inked(dots, colours.alarm), class_="trace")


def _cross(at: Point, scale: float, colours: Scheme) -> str:
    strokes = cross(at, scale)
    return _rounded(_rims(strokes, TRACE_RIM * scale, colours), Inked(strokes, colours.alarm), class_="barred")


def _names(drawn: Scene, layout: Layout) -> Iterator[str]:
    """All names but those that are repeated last, so that each is in the picture once."""
    return _lettered_names((name for name in names_on(drawn, layout) if name not in drawn.last), layout)


def _lettered_names(names: Iterable[Name], layout: Layout) -> Iterator[str]:
    scale, colours = layout.print_on.scale, layout.colours
    for name in names:
        ink = colours.names[name.importance]
        yield lettered(Printed(name.text, name.style, ink, name.at), scale=scale, halo=colours.halo)


def _leader(shape: Shape, scale: float, colours: Scheme) -> str:
    """The line of a leader, or its pin."""
    return _rounded(_rims((shape,), LEADER_RIM * scale, colours), Inked((shape,), colours.ink))


def _id(number_: Number, scale: float, colours: Scheme) -> str:
    words = Printed(number_.text, theme.NUMBERS, colours.ink, number_.at)
    return lettered(words, scale=scale, halo=colours.halo, wide=theme.NUMBER_HALO)


def _counter(piece: Piece, scale: float, colours: Scheme) -> str:
    kind = "sighting" if not piece.style.sure else "counter" if piece.style.arm else "crowd"
    figure = _figure(piece.style, piece.size, scale, colours)
    return element("g", figure, class_=kind, transform=_at(piece.at, scale))


@lru_cache(maxsize=1024)
def _figure(style: CounterStyle, size: Size, scale: float, colours: Scheme) -> str:
    """The drawing of a counter, without its position."""
    body, shade = (counter_outline(style, size, shift=by) for by in (0.0, SHADOW))
    rim = Inked((Stroke(closed(body), 2 * RIM), Fill(shade)), colours.halo)
    layers = (rim, Inked((Fill(shade),), colours.shade), *counter_figure(style, size, scale, colours))
    return "".join(map(_layer_of_figure, layers))


def _words(piece: Piece, scale: float, colours: Scheme) -> str:
    """The words of a counter, with a little of the counter round them, over what covers the counter."""
    figure = counter_figure(piece.style, piece.size, scale, colours)
    ground = piece.style.side_colours.pale if piece.style.sure else colours.sighted
    words = (layer for layer in figure if isinstance(layer, Printed))
    parts = (printed(layer, halo=None if layer.ink == colours.reverse else ground) for layer in words)
    return element("g", *parts, class_="words", transform=_at(piece.at, scale))


def _sign(sign: Sign, scale: float, colours: Scheme) -> str:
    emblem = marker_emblem(sign.badge, colours)
    layers = (Inked(marker_rims(emblem), colours.halo), *emblem.layers)
    return element("g", *map(_layer_of_figure, layers), class_=sign.name, transform=_at(sign.at, scale))


def _layer_of_figure(layer: Inked | Printed) -> str:
    return printed(layer) if isinstance(layer, Printed) else inked(layer)


def _rims(shapes: Iterable[Shape], rim: float, colours: Scheme) -> Inked:
    return Inked(tuple(rimmed(shape, rim) for shape in shapes), colours.halo)


def _rounded(*layers: Inked, class_: str | None = None) -> str:
    return element("g", *map(inked, layers), class_=class_, stroke_linecap="round", stroke_linejoin="round")


def _at(point: Point, scale: float) -> str:
    return f"translate({number(point[0])} {number(point[1])}) scale({number(scale)})"


# --- the places -------------------------------------------------------------------------------------------------------


def _places(layout: Layout, view: View, descriptions: Iterable[PlaceDescription], page: str) -> str:
    """A link for each place, over everything drawn. One of them is the board's tab stop and lists its neighbours."""
    around = neighbours(layout.base)
    first = view.counters[0].at if view.counters else layout.base.grounds[0].id
    outlines: dict[str, str] = {}
    links = [
        element(
            "a",
            element("title", text_of(description.summary)),
            _outline(layout, description.place, outlines),
            id=f"place-{description.key}",
            href=f"{page}#{description.anchor}",
            tabindex="0" if description.place == first else "-1",
            data_next=" ".join(map(key_of, around[description.place])),
        )
        for description in descriptions
    ]
    shapes = (element("path", id=name, d=d) for d, name in outlines.items())
    return element("g", element("defs", *shapes), *links, class_="places", fill="none", pointer_events="all")


def _outline(layout: Layout, place: PlaceId, known: dict[str, str]) -> str:
    """The outline of a place: one element for all places of the same shape."""
    x, y = layout.places.at(place)
    d = course(tuple((p - x, q - y) for p, q in layout.places.outline(place)), closed=True)
    return element("use", href=f"#{known.setdefault(d, f'outline-{len(known)}')}", x=x, y=y)
