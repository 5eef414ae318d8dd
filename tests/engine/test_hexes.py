"""Hexes: coordinates, distance, neighbours and shape."""

from itertools import pairwise
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import axial, centre, corners, distance, hex_board, is_hex, row_numbers, steps_around
from campaign.engine.ids import PlaceId

places = st.builds(lambda row, column: PlaceId(f"{row}{column}"), st.sampled_from("ABCDEFGHIJ"), st.integers(1, 30))
BOARD = hex_board(PlaceId(f"{row}{column}") for row in "ABCDEFGHIJ" for column in range(1, 31))


def test_every_hex_has_coordinates_of_its_own() -> None:
    assert len({axial(place) for place in BOARD.places}) == len(BOARD)


@given(places, places, places)
def test_distance_is_a_metric(a: PlaceId, b: PlaceId, c: PlaceId) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(places)
def test_neighbours_are_the_hexes_at_distance_one_and_touch_on_paper(place: PlaceId) -> None:
    neighbours = BOARD.neighbours(place)
    assert set(neighbours) == {other for other in BOARD.places if distance(place, other) == 1}
    for near in neighbours:
        assert BOARD.adjoin(near, place)
        shared = {_rounded(corner) for corner in _corners(place)} & {_rounded(corner) for corner in _corners(near)}
        assert len(shared) == 2


def _corners(place: PlaceId) -> tuple[tuple[float, float], ...]:
    return corners(centre(place, top_row="J"))


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 6), round(point[1], 6)


def test_known_neighbours_on_both_kinds_of_row() -> None:
    assert set(BOARD.neighbours(PlaceId("B5"))) == {"B4", "B6", "A4", "A5", "C4", "C5"}
    assert set(BOARD.neighbours(PlaceId("C5"))) == {"C4", "C6", "B5", "B6", "D5", "D6"}


def test_north_is_up_and_shifted_rows_lie_half_a_hex_east() -> None:
    b5, c5 = centre(PlaceId("B5"), top_row="J"), centre(PlaceId("C5"), top_row="J")
    assert c5[1] < b5[1]
    assert c5[0] > b5[0]
    assert dist(b5, c5) == pytest.approx(3**0.5)


@pytest.mark.parametrize(
    ("place", "top_row", "middle"),
    [
        ("A1", "A", (1.5 * 3**0.5, 0.0)),
        ("B1", "B", (3**0.5, 0.0)),
        ("A1", "J", (1.5 * 3**0.5, 13.5)),
        ("H12", "Z", (12 * 3**0.5, 27.0)),
        ("Z30", "Z", (30 * 3**0.5, 0.0)),
    ],
)
def test_columns_begin_in_the_west_and_rows_in_the_north(place: str, top_row: str, middle: tuple[float, float]) -> None:
    assert centre(PlaceId(place), top_row=top_row) == pytest.approx(middle)


def test_corners_go_from_the_top_clockwise_and_lie_one_from_the_middle() -> None:
    middle = (7.0, 4.0)
    around = corners(middle)
    assert [dist(middle, corner) for corner in around] == pytest.approx([1.0] * 6)
    assert [dist(a, b) for a, b in pairwise((*around, around[0]))] == pytest.approx([1.0] * 6)
    assert around[0] == (7.0, 3.0)
    assert around[1][0] > 7.0


@pytest.mark.parametrize("word", ["", "5Q", "Q0", "q19", "QQ1", "Q100", "Q 19"])
def test_what_is_no_hex_is_refused(word: str) -> None:
    assert not is_hex(word)
    said = f"{word!r} is no hex id: a row letter and a column number, such as Q19"
    with pytest.raises(ValueError, match=f"^{said}$"):
        axial(PlaceId(word))


@given(st.sets(places, max_size=5), st.integers(0, 4))
def test_around_some_places_lies_what_is_near_one_of_them(some: set[PlaceId], most: int) -> None:
    around = steps_around(some, most=most)
    for place in BOARD.places:
        steps = min((distance(place, each) for each in some), default=most + 1)
        assert around.get(axial(place)) == (steps if steps <= most else None)
    assert set(around.values()) == (set(range(most + 1)) if some else set())


def test_a_grid_has_six_distances_between_the_numbers_of_neighbours() -> None:
    """So that whole sets of hexes are shifted by few steps."""
    apart = {BOARD.numbers[near] - BOARD.numbers[at] for at in BOARD.places for near in BOARD.neighbours(at)}
    assert len(apart) == 6
    assert sorted(BOARD.numbers.values())[0] == 0
    assert len(set(BOARD.numbers.values())) == len(BOARD)


@given(st.sets(st.tuples(st.integers(-9, 9), st.integers(0, 9))))
def test_scattered_hexes_have_numbers_of_their_own(hexes: set[tuple[int, int]]) -> None:
    numbers = row_numbers(hexes)
    assert numbers.keys() == hexes
    assert len(set(numbers.values())) == len(hexes)
    assert min(numbers.values(), default=0) == 0
