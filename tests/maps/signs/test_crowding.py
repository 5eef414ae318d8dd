"""The front of 16 December, where the sides are closest: nothing that is said on the map lies under anything else,
neither as it was nor with more happening there than ever does.

Words are looked for in the pictures themselves, pixel by pixel; where they are is the scene's to say.
"""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import combinations, cycle
from math import inf

import pytest
from PIL import Image

from campaign.engine.display.signs import Layer
from campaign.engine.display.views import Arrow, BaseMap, Flight, Trace, View
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.maps import draw
from campaign.maps.base.layout import Layout
from campaign.maps.base.painting import name_stamp, number_stamp
from campaign.maps.drawing.geometry import bounds, gap, grown, holds, nearest, overlap, touching
from campaign.maps.drawing.ink import Printed, Stamp, cap_height, lettering
from campaign.maps.painter import sheet_of
from campaign.maps.place_descriptions import neighbours
from campaign.maps.scene import Scene, names_on, scene, words_on
from campaign.maps.signs.counters import PLANS, Size, words_stamp
from campaign.maps.signs.markers import Badge, marker_emblem
from campaign.maps.stacks import Piece, placed_box
from campaign.maps.style.schemes import DEFAULT, Colour
from campaign.rulesets.forum_campaign.model import signs
from gm.demo import SCENARIO
from tests.demonstration import PlayedPhase, play

WIDTHS = (480, 1600, 2400)
AUDIENCES = (Audience("german"), Audience("allied"), GM, PUBLIC)

HAIR = 0.02
"""Of a name: the ends of letters that reach far down may be lost under the rim of a counter."""

BUSY = "busy"
DAYS = ("16 December", BUSY)

everywhere = pytest.mark.parametrize("width", WIDTHS)
everybody = pytest.mark.parametrize("audience", AUDIENCES)
always = pytest.mark.parametrize("day", DAYS)


@pytest.fixture(autouse=True)
def nothing_was_drawn_before() -> None:
    """Sheets of this map come from the files of the run. How they are drawn is tested elsewhere."""


@cache
def base() -> BaseMap:
    loaded = load_scenario(find_scenario(SCENARIO))
    found: BaseMap = loaded.rules.base_map(loaded.scenario.game_data)
    return found


@cache
def demo_phases() -> tuple[PlayedPhase, ...]:
    return tuple(play(pictures=False))


@cache
def views() -> dict[Audience, View]:
    """After the German sheet of the first day."""
    phase = next(phase for phase in demo_phases() if phase.key == "german_sheet")
    return {package.audience: package.view for package in phase.packages}


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
    over = zip(
        places,
        cycle(sign.key for sign in base().signs.flights),
        cycle(sign.key for sign in base().signs.sorties),
        strict=False,
    )
    flights = (Flight(place, kind, blue, 2, sortie) for place, kind, sortie in over)
    return replace(
        view,
        markers=tuple(markers),
        flights=tuple(flights),
        traces=tuple(Trace(each.side, each.label, way, way[1:2]) for each, way in ways),
        arrows=(*view.arrows, *(Arrow(signs.STOPPED.key, each.side, way[::-1]) for each, way in ways)),
    )


@cache
def laid_out(audience: Audience, width: int, day: str = DAYS[0]) -> tuple[Scene, Layout]:
    layout = sheet_of(base(), width).layout
    return scene(view_of(audience, day), layout), layout


@cache
def drawn(audience: Audience, width: int, day: str) -> Image.Image:
    """With a palette, as in true colour all these pictures would take 200 MB."""
    return opened(draw(base(), view_of(audience, day), width=width))


def opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def in_sight(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Counters, but of those that lie on each other only the uppermost, which comes last."""
    for n, piece in enumerate(pieces):
        if piece.size is not Size.BLOCK or piece.place not in {other.place for other in pieces[n + 1 :]}:
            yield piece


def covered(picture: Image.Image, stamp: Stamp, at: tuple[float, float], ink: Colour) -> float:
    """The part of the pixels which the stamp has in full ink that are of another colour in the picture."""
    left, top = round(at[0]) - stamp.anchor[0], round(at[1]) - stamp.anchor[1]
    mask, (width, height) = stamp.mask, stamp.picture.size
    assert mask is not None
    assert left >= 0
    assert top >= 0
    assert left + width <= picture.width
    assert top + height <= picture.height
    there = picture.crop((left, top, left + width, top + height)).convert("RGB")
    pixels = zip(*(each.get_flattened_data() for each in (stamp.picture, mask, there)), strict=True)
    wrong = whole = 0
    for printed, cover, found in pixels:
        if printed == ink and cover == 255:
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

    stamps = {piece: words_stamp(piece.style, piece.size, scale, DEFAULT) for piece in in_sight(shown.pieces)}
    hidden = {piece.style.label: covered(picture, stamp, piece.at, DEFAULT.ink) for piece, stamp in stamps.items()}
    assert {label: part for label, part in hidden.items() if part} == {}


@everywhere
@everybody
@always
def test_every_name_on_the_map_can_be_read(audience: Audience, width: int, day: str) -> None:
    shown, layout = laid_out(audience, width, day)
    picture, scale = drawn(audience, width, day), layout.print_on.scale

    hidden = {
        name.text: covered(picture, name_stamp(name, scale, DEFAULT), name.at, DEFAULT.names[name.importance])
        for name in names_on(shown, layout)
    }
    assert {text: round(part, 3) for text, part in hidden.items() if part > HAIR} == {}


@pytest.mark.parametrize("width", WIDTHS[1:])
@everybody
def test_the_id_of_every_place_with_counters_can_be_read(audience: Audience, width: int) -> None:
    shown, layout = laid_out(audience, width)
    picture, scale = drawn(audience, width, DAYS[0]), layout.projection.scale

    ids = {piece.place: layout.id_of[piece.place] for piece in shown.pieces}
    hidden = {
        place: covered(picture, number_stamp(number.text, scale, DEFAULT, haloed=number in shown.ids), number.at, ink)
        for place, number in ids.items()
        for ink in [DEFAULT.ink if number in shown.ids else DEFAULT.number]
    }
    assert {place: round(part, 3) for place, part in hidden.items() if part > HAIR} == {}
    assert audience == PUBLIC or len(hidden) > 10


@pytest.mark.parametrize("width", WIDTHS[1:])
@everybody
@always
def test_crosses_of_supply_and_air_boxes_do_not_lie_on_each_other(audience: Audience, width: int, day: str) -> None:
    shown, layout = laid_out(audience, width, day)
    reach = 5 * layout.projection.scale

    spots = [*shown.crosses, *(sign.at for sign in shown.signs if sign.layer is Layer.AIR)]
    assert not [(a, b) for a, b in combinations(spots, 2) if gap(a, b) < reach]


@everywhere
@everybody
def test_no_counter_reaches_into_the_words_of_another(audience: Audience, width: int) -> None:
    shown, layout = laid_out(audience, width)
    pieces = list(in_sight(shown.pieces))

    assert [
        (a.style.label, b.style.label)
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


@pytest.mark.parametrize("width", WIDTHS[1:])
@everybody
@always
def test_every_name_is_in_its_own_place_or_tied_to_it(audience: Audience, width: int, day: str) -> None:
    """A leader runs from a name in another place to its town; from a town under counters to one of these."""
    shown, layout = laid_out(audience, width, day)
    scale, ends = layout.projection.scale, {leader.start: leader.stop for leader in shown.leaders}
    bodies = {
        piece.place: bounds(
            p for each in shown.pieces if each.place == piece.place for p in (each.box[:2], each.box[2:])
        )
        for piece in shown.pieces
    }

    loose = []
    for name in names_on(shown, layout):
        at, body = layout.places.at(name.place), bodies.get(name.place)
        if body is None and layout.at_home(name):
            continue
        near = [stop for start, stop in ends.items() if gap(start, nearest(name.words, start)) < 1.5 * scale]
        tied = [gap(stop, nearest(body, stop)) if body else gap(stop, at) - 6 * scale for stop in near]
        if min(tied, default=inf) > 1:
            loose.append(name.text)
    assert loose == []


def test_nobody_is_missing_on_the_map_in_full() -> None:
    shown, layout = laid_out(GM, 2400)

    assert len(shown.gone) - sum(name not in layout.print_on.names for name in shown.names) <= 3


# --- at every phase of the demonstration ------------------------------------------------------------------------------


@cache
def all_views() -> tuple[tuple[str, View], ...]:
    return tuple(
        (f"{phase.date} {phase.key} {package.audience}", package.view)
        for phase in demo_phases()
        for package in phase.packages
    )


@cache
def scenes(width: int) -> tuple[tuple[str, Scene], ...]:
    layout = sheet_of(base(), width).layout
    return tuple((what, scene(view, layout)) for what, view in all_views())


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_no_name_of_an_objective_or_a_large_town_is_lost(width: int) -> None:
    layout = sheet_of(base(), width).layout
    great = {each.id for each in base().grounds if each.name and (each.victory_points or each.importance >= 2)}

    assert len(great) > 30
    for what, shown in scenes(width):
        named = {name.place for name in names_on(shown, layout)}
        assert sorted(great - named) == [], what


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_hardly_an_id_of_a_place_with_counters_lies_under_a_name(width: int) -> None:
    layout = sheet_of(base(), width).layout

    manned = hidden = 0
    for _, shown in scenes(width):
        words = [name.words for name in names_on(shown, layout)]
        ids = {layout.id_of[piece.place] for piece in shown.pieces}
        manned += len(ids)
        hidden += sum(any(overlap(box, number.box) > 1 for box in touching(words, number.box)) for number in ids)
    assert manned > 1000
    assert hidden < manned / 100


@everywhere
def test_every_marker_and_air_box_is_nearest_to_its_own_place(width: int) -> None:
    layout = sheet_of(base(), width).layout
    middles = {ground.id: layout.places.at(ground.id) for ground in base().grounds}

    for what, shown in scenes(width):
        astray = [
            (sign.name, sign.place)
            for sign in shown.signs
            if min(middles, key=lambda place: gap(middles[place], sign.at)) != sign.place
        ]
        assert astray == [], what
    assert sum(len(shown.signs) for _, shown in scenes(width)) > 1000


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_markers_are_on_corners_of_counters_and_not_over_them(width: int) -> None:
    layout = sheet_of(base(), width).layout

    for what, shown in scenes(width):
        manned = {piece.place for piece in shown.pieces}
        on_counters = [sign for sign in shown.signs if sign.place in manned]
        middles = [(sign.at, layout.places.at(sign.place)) for sign in on_counters]
        assert [at for at, middle in middles if gap(at, middle) < 20 * layout.projection.scale] == [], what


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_hardly_a_marker_hides_the_symbol_of_a_counter_in_its_place(width: int) -> None:
    layout = sheet_of(base(), width).layout
    scale, hidden, seen = layout.projection.scale, 0, 0

    for _, shown in scenes(width):
        for piece in (each for each in shown.pieces if each.style.arm):
            symbol = placed_box(PLANS[piece.size].symbol, piece.at, scale)
            over = [grown((*sign.at, *sign.at), 7 * scale) for sign in shown.signs if sign.place == piece.place]
            hidden += any(overlap(box, symbol) > overlap(symbol, symbol) / 3 for box in over)
            seen += 1
    assert seen > 1000
    assert hidden < seen / 100, hidden


@everywhere
@everybody
def test_every_marker_is_in_its_own_place_however_much_happens(audience: Audience, width: int) -> None:
    shown, layout = laid_out(audience, width, BUSY)

    assert [sign for sign in shown.signs if not holds(layout.places.outline(sign.place), sign.at)] == []


@pytest.mark.parametrize("width", WIDTHS[1:])
@everybody
@pytest.mark.parametrize("phase", ["1944-12-16 german_battles", "1944-12-17 allied_battles"])
def test_every_number_of_a_marker_can_be_read(audience: Audience, width: int, phase: str) -> None:
    view = dict(all_views())[f"{phase} {audience}"]
    layout = sheet_of(base(), width).layout
    shown, scale = scene(view, layout), layout.projection.scale
    picture = opened(draw(base(), view, width=width))

    numbers = [(sign, words) for sign in shown.signs for words in _numbers(sign.badge)]
    hidden = {(sign.place, sign.name, words.text): lost(picture, words, sign.at, scale) for sign, words in numbers}
    assert len(numbers) > 20
    assert {number: part for number, part in hidden.items() if part} == {}


def lost(picture: Image.Image, words: Printed, at: tuple[float, float], scale: float) -> float:
    """The part of a marker's print that is not in the picture; halves of pixels may be rounded either way."""
    stamp = lettering(words.text, words.style, scale, ink=words.ink)
    x, y = (round(middle) + offset * scale for middle, offset in zip(at, words.at, strict=True))
    foot = y + cap_height(words.style, scale) / 2
    return min(covered(picture, stamp, (x + a, foot + b), words.ink) for a in (0, -0.1, 0.1) for b in (0, -0.1, 0.1))


def _numbers(badge: Badge) -> list[Printed]:
    return [layer for layer in marker_emblem(badge, DEFAULT).layers if isinstance(layer, Printed) and layer.text]


def test_a_battle_that_was_fought_says_who_won_it() -> None:
    """R12.1 To everyone: the release table discloses it to everyone."""
    for audience in AUDIENCES:
        view = dict(all_views())[f"1944-12-16 german_battles {audience}"]
        shown = scene(view, sheet_of(base(), 1600).layout)
        stars = [sign.badge for sign in shown.signs if sign.badge.symbol == signs.BATTLE.symbol]
        assert len(stars) == 8
        assert {star.text for star in stars} == {"A", "G"}
        assert all(star.decided for star in stars)
