"""Stamps on indexed rows, and the grid of whole pixels under them."""

from itertools import pairwise
from weakref import ref

import pytest
from PIL import Image

from campaign.engine.values.ids import SideId
from campaign.engine.values.value import replace
from campaign.maps.drawing.geometry import Point
from campaign.maps.drawing.ink import Stamp, lettering, one_line
from campaign.maps.drawing.paper import IndexedPaper, PalettePrinter, TruePaper
from campaign.maps.land.projection import fit
from campaign.maps.painter import sheet_of
from campaign.maps.style import theme
from campaign.maps.style.schemes import DEFAULT, Colour
from tests.maps.examples import BASE, PLACES, WIDTH, middle

RED = DEFAULT.side_colours(BASE.sides, SideId("red")).strong
SIZE = (30, 20)


def press_of_examples() -> PalettePrinter:
    return sheet_of(BASE, WIDTH).printer


def paper() -> IndexedPaper:
    """Ink all over."""
    press = press_of_examples()
    row = b"\0" + bytes((press.index(DEFAULT.ink),)) * SIZE[0]
    return IndexedPaper(bytearray(row * SIZE[1]), SIZE[0], press)


def seen(printed: IndexedPaper) -> Image.Image:
    """The picture in true colour, without its filter bytes."""
    rows = Image.frombytes("P", (SIZE[0] + 1, SIZE[1]), bytes(printed.finished()))
    rows.putpalette([level for colour in press_of_examples().palette.colours for level in colour])
    return rows.crop((1, 0, SIZE[0] + 1, SIZE[1])).convert("RGB")


def square(level: int, colour: Colour = RED) -> Stamp:
    return Stamp(Image.new("RGB", (8, 8), colour), Image.new("L", (8, 8), level), (4, 4))


@pytest.mark.parametrize("at", [(15, 10), (0, 0), (29, 19), (-3, 5), (33, 10), (15, -3.4), (15.6, 22)])
def test_a_stamp_lies_where_it_lies_in_true_colour_also_over_the_edges(at: Point) -> None:
    true = TruePaper(Image.new("RGB", SIZE, DEFAULT.ink))
    printed = paper()
    for sheet in (true, printed):
        sheet.press(square(255), at)

    assert seen(printed).tobytes() == true.image.tobytes()


@pytest.mark.parametrize("at", [(0, 10), (-4, 10), (-20, 10), (40, 10)])
def test_a_stamp_over_the_edge_leaves_the_filter_bytes_alone(at: Point) -> None:
    printed = paper()
    printed.press(square(255), at)

    assert set(printed.finished()[:: SIZE[0] + 1]) == {0}


@pytest.mark.parametrize(("level", "covers"), [(0, False), (100, False), (160, True), (255, True)])
def test_a_stamp_without_a_rim_covers_a_pixel_or_does_not(level: int, covers: bool) -> None:  # noqa: FBT001
    printed = paper()
    printed.press(square(level), (15, 10))

    assert (seen(printed).getpixel((15, 10)) == RED) is covers


def test_a_half_covered_rim_is_mixed_with_what_lies_under_it() -> None:
    printed = paper()
    printed.press(square(128, DEFAULT.halo), (15, 10))

    found = seen(printed).getpixel((15, 10))
    assert isinstance(found, tuple)
    for level, dark, light in zip(found, DEFAULT.ink, DEFAULT.halo, strict=True):
        assert abs(level - (dark + light) / 2) < 24


def test_print_on_an_even_ground_is_that_ground_around_its_letters() -> None:
    stamp = lettering("M", theme.LEGEND_HEAD, 1.0, ink=DEFAULT.ink, on=RED)

    assert stamp.mask is None
    assert stamp.picture.getpixel((0, 0)) == RED


def test_fills_have_exactly_their_colour() -> None:
    printed = paper()
    printed.fill(DEFAULT.border, (3, 4, 6, 8))

    assert seen(printed).getcolors() == sorted([(12, DEFAULT.border), (588, DEFAULT.ink)])


def test_accents_are_joined_and_what_nobody_sees_is_not_printed() -> None:
    assert one_line("e\u0301\u202e\tx\n") == "é x"


# --- what is kept of stamps -------------------------------------------------------------------------------------------


def test_a_press_gives_up_what_it_has_not_cut_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PalettePrinter, "MOST", 100_000)
    press = PalettePrinter(press_of_examples().palette, DEFAULT.halo)
    steady = square(255)
    first = press.cut(steady)

    def passing() -> "ref[Stamp]":
        stamp = square(255)
        press.cut(stamp)
        assert press.cut(steady) is first
        return ref(stamp)

    passed = [passing() for _ in range(300)]
    assert press.weight <= 100_000
    assert sum(stamp() is None for stamp in passed) > 200
    assert passed[-1]() is not None


# --- the grid ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [200, 480, 1600, 2400])
def test_hexes_are_equally_far_apart_on_whole_pixels_or_simple_parts_of_them(width: int) -> None:
    projection = fit(BASE, width)
    spots = [projection.at(middle(word)) for word in PLACES]

    for n in (0, 1):
        known = sorted({round(spot[n], 6) for spot in spots})
        gaps = {round(b - a, 6) for a, b in pairwise(known)}
        assert len(gaps) == 1
        assert all(value * 16 == round(value * 16) for value in (*gaps, *known))


@pytest.mark.parametrize("width", [200, 480, 1600, 2400])
def test_the_grid_hardly_changes_the_proportions_of_the_map(width: int) -> None:
    projection = fit(BASE, width)

    assert projection.down == pytest.approx(projection.unit, rel=0.03)
    assert projection.frame[0] <= projection.at((min(middle(word)[0] for word in PLACES) - 1, 0))[0]


def test_places_on_no_grid_fill_the_sheet() -> None:
    odd = replace(BASE.grounds[0], at=(0.123, 0.456))
    projection = fit(replace(BASE, grounds=(odd, *BASE.grounds[1:])), 1600)

    assert projection.down == projection.unit
