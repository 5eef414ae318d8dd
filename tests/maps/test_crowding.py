"""The front of 16 December, where the sides stand closest: nothing that is said on the map lies under anything else,
neither as it was nor with more happening there than ever does.

Words are looked for in the pictures themselves, pixel by pixel; where they stand is the scene's to say.
"""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import combinations, cycle

import pytest
from PIL import Image

from campaign.engine.ids import GM, PUBLIC, Audience
from campaign.engine.values import replace
from campaign.engine.views import Arrow, ArrowKind, BaseMap, Flight, FlightKind, Sortie, Trace, View
from campaign.loading import find_scenario, load_scenario
from campaign.maps import draw
from campaign.maps.counters import Size, words_stamp
from campaign.maps.gazetteer import neighbours
from campaign.maps.geometry import Box, gap, overlap, touching
from campaign.maps.ink import Stamp
from campaign.maps.layout import Layout
from campaign.maps.painter import sheet_of
from campaign.maps.scene import Piece, Scene, names_on, scene, words_on
from campaign.maps.schemes import DEFAULT, Colour
from campaign.maps.sheet import name_stamp
from gm.demo import SCENARIO
from tests.demonstration import play

WIDTHS = (480, 1600, 2400)
AUDIENCES = (Audience("german"), Audience("allied"), GM, PUBLIC)

HAIR = 0.02
"""Of a name: the ends of letters that reach far down may be lost under the rim of a counter."""

BUSY = "busy"
DAYS = ("16 December", BUSY)

everywhere = pytest.mark.parametrize("width", WIDTHS)
everybody = pytest.mark.parametrize("audience", AUDIENCES)
always = pytest.mark.parametrize("day", DAYS)


@cache
def base() -> BaseMap:
    loaded = load_scenario(find_scenario(SCENARIO))
    found: BaseMap = loaded.rules.base_map(loaded.scenario.theatre)
    return found


@cache
def views() -> dict[Audience, View]:
    """After the German sheet of the first day."""
    stop = next(stop for stop in play() if stop.key == "german_sheet")
    return {package.audience: package.view for package in stop.packages}


@cache
def view_of(audience: Audience, day: str) -> View:
    view = views()[audience]
    return busy(view) if day == BUSY else view


def busy(view: View) -> View:
    """Every objective was just taken, every other stack is cut off and stopped, and air units are over all of them."""
    red, blue = base().sides
    foe = {red: blue, blue: red}
    around = neighbours(base())
    ways = [(each, (each.at, around[each.at][0], around[around[each.at][0]][0])) for each in view.counters[::2]]
    markers = (replace(each, taken_from=each.side and foe[each.side]) for each in view.markers)
    places = [*(each.at for each in view.counters), *(each.at for each in view.sightings)]
    over = zip(places, cycle(FlightKind), cycle(Sortie), strict=False)
    flights = (Flight(place, kind, blue, 2, sortie) for place, kind, sortie in over)
    return replace(
        view,
        markers=tuple(markers),
        flights=tuple(flights),
        traces=tuple(Trace(each.side, each.label, way, way[1:2]) for each, way in ways),
        arrows=(*view.arrows, *(Arrow(ArrowKind.STOPPED, each.side, way[::-1]) for each, way in ways)),
    )


@cache
def laid_out(audience: Audience, width: int, day: str = DAYS[0]) -> tuple[Scene, Layout]:
    layout = sheet_of(base(), width).layout
    return scene(view_of(audience, day), layout), layout


@cache
def drawn(audience: Audience, width: int, day: str) -> Image.Image:
    return Image.open(BytesIO(draw(base(), view_of(audience, day), width=width))).convert("RGB")


def in_sight(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Counters, but of those that lie on each other only the uppermost, which comes last."""
    for n, piece in enumerate(pieces):
        if piece.size is not Size.BLOCK or piece.place not in {other.place for other in pieces[n + 1 :]}:
            yield piece


def covered(picture: Image.Image, stamp: Stamp, at: tuple[float, float], ink: Colour) -> float:
    """The part of the pixels which the stamp has in full ink that are of another colour in the picture."""
    left, top = round(at[0]) - stamp.anchor[0], round(at[1]) - stamp.anchor[1]
    mask = stamp.mask
    assert mask is not None
    wrong = whole = 0
    for y in range(stamp.picture.height):
        for x in range(stamp.picture.width):
            if stamp.picture.getpixel((x, y)) == ink and mask.getpixel((x, y)) == 255:
                found = picture.getpixel((left + x, top + y))
                assert isinstance(found, tuple)
                whole += 1
                wrong += max(abs(a - b) for a, b in zip(found, ink, strict=True)) > 24
    return wrong / max(whole, 1)


@everywhere
@everybody
@always
def test_all_that_counters_say_is_in_the_picture(audience: Audience, width: int, day: str) -> None:
    shown, layout = laid_out(audience, width, day)
    picture, scale = drawn(audience, width, day), layout.projection.scale

    stamps = {piece: words_stamp(piece.look, piece.size, scale, DEFAULT) for piece in in_sight(shown.pieces)}
    hidden = {piece.look.label: covered(picture, stamp, piece.at, DEFAULT.ink) for piece, stamp in stamps.items()}
    assert {label: part for label, part in hidden.items() if part} == {}


@everywhere
@everybody
@always
def test_every_name_that_stands_on_the_map_can_be_read(audience: Audience, width: int, day: str) -> None:
    shown, layout = laid_out(audience, width, day)
    picture, scale = drawn(audience, width, day), layout.print_on.scale

    hidden = {
        name.text: covered(picture, name_stamp(name, scale, DEFAULT), name.at, DEFAULT.names[name.importance])
        for name in names_on(shown, layout)
    }
    assert {text: round(part, 3) for text, part in hidden.items() if part > HAIR} == {}


@pytest.mark.parametrize("width", WIDTHS[1:])
@everybody
@always
def test_crosses_of_supply_and_air_boxes_do_not_lie_on_each_other(audience: Audience, width: int, day: str) -> None:
    shown, layout = laid_out(audience, width, day)
    reach = 5 * layout.projection.scale

    spots = [*shown.crosses, *(sign.at for sign in shown.signs if isinstance(sign.kind, FlightKind))]
    assert not [(a, b) for a, b in combinations(spots, 2) if gap(a, b) < reach]


@everywhere
@everybody
def test_no_counter_reaches_into_the_words_of_another(audience: Audience, width: int) -> None:
    shown, layout = laid_out(audience, width)
    pieces = list(in_sight(shown.pieces))

    assert [
        (a.look.label, b.look.label)
        for a, b in combinations(pieces, 2)
        if any(touching(words_on(a, layout), b.box)) or any(touching(words_on(b, layout), a.box))
    ] == []


@everywhere
@everybody
def test_names_neither_touch_each_other_nor_stray_from_their_places(audience: Audience, width: int) -> None:
    shown, layout = laid_out(audience, width)
    names = names_on(shown, layout)

    assert [(a.text, b.text) for a, b in combinations(names, 2) if overlap(a.box, b.box)] == []
    for name in names:
        at = layout.places.at(name.place)
        assert gap(at, nearest(name.box, at)) < 1.5 * layout.projection.unit, name.text


def nearest(box: Box, at: tuple[float, float]) -> tuple[float, float]:
    """The point of a box that is nearest to another."""
    return min(max(at[0], box[0]), box[2]), min(max(at[1], box[1]), box[3])


def test_nobody_is_missing_on_the_map_in_full() -> None:
    shown, layout = laid_out(GM, 2400)

    assert len(shown.gone) - sum(name not in layout.print_on.names for name in shown.names) <= 3
