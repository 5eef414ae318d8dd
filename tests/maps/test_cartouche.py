"""The cartouche: north, title and subtitle, a scale that is true, and the turn that the View shows."""

from io import BytesIO
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from PIL import Image, ImageChops

from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.ids import GM, PUBLIC
from campaign.engine.values.value import replace
from campaign.game.loading import load_scenario, supplied_scenarios
from campaign.maps import draw, vector
from campaign.maps.base import cartouche
from campaign.maps.base.cartouche import scale_bar, track, turn_now
from campaign.maps.drawing.canvas import Canvas
from campaign.maps.drawing.geometry import Box, Point, gap
from campaign.maps.drawing.ink import width_of
from campaign.maps.land.projection import fit
from campaign.maps.painter import named_sheet, proof, sheet_of
from campaign.maps.style import theme
from campaign.maps.style.schemes import DEFAULT, SCHEMES, Scheme
from tests.maps.examples import BASE, EMPTY, RED_VIEW

WIDTHS = (800, 1600, 2400)
LONG = "Operation Herbstnebel: the whole offensive between Monschau and Echternach, as the published rules have it"


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def under_the_map(view: View, base: BaseMap = BASE, width: int = 1600, colours: Scheme = DEFAULT) -> Image.Image:
    left, top, right, bottom = fit(base, width).cartouche
    return opened(draw(base, view, width=width, colours=colours)).crop(
        (round(left), round(top), round(right), round(bottom))
    )


def of_turn(date: str) -> View:
    return replace(EMPTY, date=date)


def pixels(box: Box, base: BaseMap = BASE, width: int = 1600) -> tuple[int, int, int, int]:
    """A box of the cartouche in its pixels, less its rule."""
    page = fit(base, width).page
    left, top, right, bottom = (round(edge * page) for edge in box)
    return left + 2, top + 2, right - 2, bottom - 2


MEASURED = [folder for folder in supplied_scenarios() if load_scenario(folder).base_map.kilometres]
"""Maps of areas have no scale."""

# --- scale ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "folder",
    [folder for folder in supplied_scenarios() if load_scenario(folder).base_map.kilometres],
    ids=lambda folder: folder.name,
)
def test_the_scale_bar_is_as_long_as_its_kilometres_are_on_the_map(folder: Path, width: int) -> None:
    base = load_scenario(folder).base_map
    projection = fit(base, width)
    at = {ground.id: projection.at(ground.at) for ground in base.grounds}
    neighbours = next((line.a, line.b) for line in base.lines if at[line.a][1] == at[line.b][1])
    length, points = scale_bar(base, projection)

    assert length >= 4
    assert points * projection.page == pytest.approx(
        length / 6.5 * gap(*(at[place] for place in neighbours)), rel=0.001
    )


def test_a_map_whose_scale_is_not_known_has_no_scale_bar() -> None:
    unknown = replace(BASE, kilometres=0.0)

    assert scale_bar(unknown, fit(unknown, 1600)) == (0, 0.0)
    assert under_the_map(EMPTY).tobytes() != under_the_map(EMPTY, unknown).tobytes()


@pytest.mark.parametrize("kilometres", [0.001, 0.1, 3.75, 60.0, 100_000.0])
def test_no_scale_bar_is_too_long(kilometres: float) -> None:
    odd = replace(BASE, kilometres=kilometres)

    assert scale_bar(odd, fit(odd, 1600))[1] <= 240
    assert draw(odd, EMPTY).startswith(b"\x89PNG")


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Point, float]]:
    """What the cartouche of a map says, with the place and the end of each text, as it is drawn."""
    found: list[tuple[str, Point, float]] = []

    class Noting(Canvas):
        def write(self, text, at, style=theme.LEGEND_PRINT, anchor="ls", **more):  # type: ignore[no-untyped-def]
            wide = width_of(text, style)
            left = at[0] - {"ls": 0, "ms": wide / 2, "rs": wide}[anchor]
            found.append((text, (left, at[1]), left + wide))
            super().write(text, at, style, anchor, **more)

    monkeypatch.setattr(cartouche, "Canvas", Noting)
    return found


def test_it_says_which_scenario_this_is_and_where_north_is(written: list[tuple[str, Point, float]]) -> None:
    named_sheet(replace(BASE, title="Nowhere"), width=1600)
    said = [text for text, _, _ in written]

    assert said[:3] == ["N", "Nowhere", "16 to 20 December 1944  ·  1 km a hex"]
    assert {"0", "km", "Turn", "1", "5"} <= set(said)


def test_long_words_and_many_turns_do_not_run_into_each_other(written: list[tuple[str, Point, float]]) -> None:
    turns = tuple(f"Day {n}" for n in range(32))
    named_sheet(replace(BASE, title=LONG, subtitle=LONG, turns=turns), width=1600)

    for row in {round(at[1]) for _, at, _ in written}:
        line = sorted((at[0], end) for _, at, end in written if round(at[1]) == row)
        assert all(one[1] <= other[0] for one, other in pairwise(line)), written
    assert max(end for _, _, end in written) <= theme.WIDTH - theme.RIM
    (turn,) = (at[0] for text, at, _ in written if text == "Turn")
    assert max(end for text, _, end in written if text == "km") < turn


# --- turns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [1, 4, 16, 32])
def test_every_turn_has_a_box_on_the_paper(count: int, width: int) -> None:
    long = replace(BASE, turns=tuple(f"Day {n}" for n in range(count)))
    boxes = track(long, fit(long, width))

    assert len(boxes) == count
    assert all(left[2] < right[0] for left, right in pairwise(boxes))
    assert theme.WIDTH / 2 < boxes[0][0] < boxes[-1][2] <= theme.WIDTH - theme.RIM
    assert all(0 < top < bottom < theme.CARTOUCHE_HEIGHT for _, top, _, bottom in boxes)


def test_a_ruleset_without_turns_or_with_too_many_has_no_track() -> None:
    for turns in ((), tuple(f"Day {n}" for n in range(200))):
        without = replace(BASE, turns=turns)
        assert track(without, fit(without, 1600)) == ()
        assert turn_now(without, of_turn("Day 3"), fit(without, 1600), DEFAULT) is None


@pytest.mark.parametrize("colours", SCHEMES.values(), ids=SCHEMES)
def test_the_box_of_the_views_turn_is_filled_and_no_other(colours: Scheme) -> None:
    boxes = track(BASE, fit(BASE, 1600))
    for now, date in enumerate(BASE.turns):
        shown = under_the_map(of_turn(date), colours=colours)
        grounds = [shown.crop(pixels(box)).getpixel((0, 0)) for box in boxes]
        assert [ground == colours.ink for ground in grounds] == [n == now for n in range(len(boxes))], date


def test_another_date_fills_no_box() -> None:
    assert under_the_map(of_turn("Before the first day")).tobytes() == under_the_map(EMPTY).tobytes()


def test_the_cartouche_says_the_same_to_every_audience() -> None:
    assert (
        len({under_the_map(replace(RED_VIEW, audience=who)).tobytes() for who in (RED_VIEW.audience, GM, PUBLIC)}) == 1
    )


def test_nothing_of_a_view_but_its_date_is_in_the_cartouche() -> None:
    assert under_the_map(RED_VIEW).tobytes() == under_the_map(of_turn(RED_VIEW.date)).tobytes()


# --- board and thumbnail ----------------------------------------------------------------------------------------------


def test_the_board_reaches_down_to_the_legend_and_has_the_turn_where_the_picture_has_it() -> None:
    layout = sheet_of(BASE, 1600).layout
    root = fromstring(vector.board(of_turn(BASE.turns[1]), layout, (), sheet=""))  # noqa: S314 # we wrote it
    _, top, _, height = (float(number) for number in root.get("viewBox", "").split())
    assert top + height == layout.projection.cartouche[3] == layout.projection.legend[1]

    (turn,) = (each for each in root.iter() if each.get("class") == "turn")
    (box,) = (each for each in turn if each.get("d"))
    left, upper, right, lower = track(BASE, layout.projection)[1]
    found = [tuple(map(float, point.split(","))) for point in box.get("d", "").strip("Mz").split()]
    assert found == [
        pytest.approx(corner, abs=0.01) for corner in ((left, upper), (right, upper), (right, lower), (left, lower))
    ]
    assert [each.text for each in turn if each.text] == ["2"]


def test_a_thumbnail_has_no_cartouche() -> None:
    small = fit(BASE, 480)

    assert small.cartouche[1] == small.cartouche[3] == small.legend[1]
    assert track(BASE, small) == ()


def test_the_cartouche_leaves_the_map_as_it_is() -> None:
    plain = replace(BASE, title="", subtitle="", scale="", kilometres=0.0, turns=())
    one, other = (proof(base, RED_VIEW, width=800) for base in (BASE, plain))
    left, top, right, bottom = (round(edge) for edge in fit(BASE, 800).frame)

    assert ImageChops.difference(*(each.crop((left, top, right, bottom)) for each in (one, other))).getbbox() is None
