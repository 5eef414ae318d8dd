"""The front line: on which side each colour is, how it joins, how wide it is, and what it leaves to be seen."""

from collections import Counter
from io import BytesIO
from xml.etree.ElementTree import fromstring

import pytest
from PIL import Image

from campaign.engine.display.views import View
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.maps import draw
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import Point, gap, knot
from campaign.maps.drawing.ink import Stroke
from campaign.maps.drawing.inlay import rimmed
from campaign.maps.land.lines import front_layers, front_rim
from campaign.maps.painter import sheet_of
from campaign.maps.scene import Scene, scene
from campaign.maps.style.schemes import DEFAULT
from campaign.maps.vector import board
from tests.maps.examples import BASE, EMPTY, GRID, PLACES, RED_VIEW, WIDTH, counter, ground, place


@pytest.fixture(scope="module")
def layout() -> Layout:
    return sheet_of(BASE, WIDTH).layout


def laid_out(view: View) -> Scene:
    return scene(view, sheet_of(BASE, WIDTH).layout)


def sides_of(drawn: Scene) -> tuple[Point, Point]:
    """Points to the right and to the left of a front of one side."""
    start, phase = drawn.front
    (ax, ay), (bx, by) = start.path[0], phase.path[-1]
    x, y, dx, dy = (ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay
    return (x - dy * 5, y + dx * 5), (x + dy * 5, y - dx * 5)


@pytest.mark.parametrize(("ours", "theirs"), [("C2", "C3"), ("C3", "C2"), ("B2", "C2"), ("C2", "B2")])
def test_the_first_side_is_on_the_right_of_the_front(ours: str, theirs: str, layout: Layout) -> None:
    right, left = sides_of(laid_out(replace(EMPTY, front=((place(ours), place(theirs)),))))

    here, there = (layout.projection.at(ground(word).at) for word in (ours, theirs))
    assert gap(right, here) < gap(right, there)
    assert gap(left, there) < gap(left, here)


def test_sides_that_join_make_one_line() -> None:
    front = laid_out(RED_VIEW).front

    ends = Counter(knot(end) for bend in front for end in (bend.path[0], bend.path[-1]))
    assert len(front) == len(RED_VIEW.front) + 1
    assert sorted(ends.values()) == [1, 1, 2, 2, 2]


def test_a_pocket_is_a_closed_line_round_its_place() -> None:
    around = [word for word in PLACES if _adjoins(place(word), place("C3"))]
    front = laid_out(replace(EMPTY, front=tuple((place("C3"), place(word)) for word in around))).front

    assert len(around) == len(front) == 6
    assert {knot(bend.path[0]) for bend in front} == {knot(bend.path[-1]) for bend in front}


def _adjoins(a: PlaceId, b: PlaceId) -> bool:
    return GRID.distance(a, b) == 1


# --- its width --------------------------------------------------------------------------------------------------------

WIDEST = 5.75
"""Points across both lines and their rim: as much as one of the lines with its rim once took."""


def across(scale: float) -> float:
    """Pixels across a straight piece of a front."""
    path, ends = ((0.0, 0.0), (40.0, 0.0)), ((-20.0, 0.0), (20.0, 0.0))
    layers = front_layers(DEFAULT.two_sides(BASE.sides), path, *ends, scale)
    lines = [rimmed(shape, front_rim(scale)) for shapes, _ in layers for shape in shapes]
    edges = [
        y + by * line.width / 2 for line in lines if isinstance(line, Stroke) for _, y in line.path for by in (1, -1)
    ]
    return max(edges) - min(edges)


@pytest.mark.parametrize("scale", [0.87, 1.0, 1.6])
def test_a_front_is_no_wider_than_one_of_its_lines_was(scale: float) -> None:
    assert 4 * scale < across(scale) <= WIDEST * scale + 1e-9


def test_a_front_does_not_vanish_on_a_thumbnail() -> None:
    assert across(0.42) > 3


def test_a_front_covers_nothing_of_a_counter() -> None:
    """A salient: the front runs round a counter on all sides."""
    around = [word for word in PLACES if _adjoins(place(word), place("C3"))]
    held = replace(EMPTY, counters=tuple(counter("C3", f"Unit {n}") for n in range(3)))
    fronted = replace(held, front=tuple((place("C3"), place(word)) for word in around))
    with_front, without = (Image.open(BytesIO(draw(BASE, view, width=WIDTH))) for view in (fronted, held))

    for piece in laid_out(held).pieces:
        box = (round(piece.box[0]) + 1, round(piece.box[1]) + 1, round(piece.box[2]) - 3, round(piece.box[3]) - 3)
        assert with_front.crop(box).tobytes() == without.crop(box).tobytes(), piece.style.label


def test_the_board_has_the_front_under_its_counters(layout: Layout) -> None:
    written = fromstring(board(RED_VIEW, layout, (), sheet=""))  # noqa: S314 # we wrote it
    order = [each.get("class", "") for each in written[0]]
    assert order.index("front") < order.index("counters")
