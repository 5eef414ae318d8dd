"""Hexes: numbering, coordinates, distance, neighbours and shape."""

from itertools import pairwise
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.board.hexes import Grid, Numbering, Shift, corners, row_numbers
from campaign.engine.values.ids import PlaceId

TOKENS = Numbering(pattern="c{column:02}r{row:02}", first_row="north", shifted=Shift.ODD_ROWS)
"""Rows from the north, the first of them number 0; odd rows are half a hex further east."""
IN_COLUMNS = [Numbering("{column:02}{row:02}", "north", shifted) for shifted in (Shift.ODD_COLUMNS, Shift.EVEN_COLUMNS)]
NUMBERINGS = (
    Numbering(),
    TOKENS,
    *IN_COLUMNS,
    Numbering("{row:03}.{column}".replace(".", "x"), "south", Shift.ODD_ROWS),
)


def grid_of(numbering: Numbering) -> Grid:
    return Grid.of((numbering.written(row, column) for row in range(10) for column in range(1, 31)), numbering)


GRIDS = [grid_of(numbering) for numbering in NUMBERINGS]
GRID, IN_TOKENS, *_ = GRIDS
BOARD = GRID.board()
grids = st.sampled_from(GRIDS)
spots = st.tuples(st.integers(0, 9), st.integers(1, 30))


@pytest.mark.parametrize("grid", GRIDS)
def test_every_hex_has_coordinates_of_its_own(grid: Grid) -> None:
    assert len(set(grid.coordinates.values())) == len(grid.coordinates) == 300


@given(grids, spots, spots, spots)
def test_distance_is_a_metric(
    grid: Grid, first: tuple[int, int], second: tuple[int, int], third: tuple[int, int]
) -> None:
    a, b, c = (grid.numbering.written(*spot) for spot in (first, second, third))
    assert grid.distance(a, b) == grid.distance(b, a)
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grids, spots)
def test_neighbours_are_the_hexes_at_distance_one_and_touch_on_paper(grid: Grid, spot: tuple[int, int]) -> None:
    place, board = grid.numbering.written(*spot), BOARDS[grid]
    neighbours = board.neighbours(place)
    assert set(neighbours) == {other for other in board.places if grid.distance(place, other) == 1}
    for near in neighbours:
        assert board.adjoin(near, place)
        assert len(_corners(grid, place) & _corners(grid, near)) == 2


BOARDS = {grid: grid.board() for grid in GRIDS}


def _corners(grid: Grid, place: PlaceId) -> set[tuple[float, float]]:
    return {(round(x, 6), round(y, 6)) for x, y in grid.outline(place)}


def test_known_neighbours_on_both_kinds_of_row() -> None:
    assert set(BOARD.neighbours(PlaceId("B5"))) == {"B4", "B6", "A4", "A5", "C4", "C5"}
    assert set(BOARD.neighbours(PlaceId("C5"))) == {"C4", "C6", "B5", "B6", "D5", "D6"}


def test_known_neighbours_in_rows_from_the_north_with_odd_rows_shifted() -> None:
    board = BOARDS[IN_TOKENS]
    assert set(board.neighbours(PlaceId("c05r01"))) == {"c04r01", "c06r01", "c05r00", "c06r00", "c05r02", "c06r02"}
    assert set(board.neighbours(PlaceId("c05r02"))) == {"c04r02", "c06r02", "c04r01", "c05r01", "c04r03", "c05r03"}


def test_known_neighbours_in_columns_with_odd_columns_shifted_southwards() -> None:
    board = BOARDS[GRIDS[2]]
    assert set(board.neighbours(PlaceId("0505"))) == {"0504", "0506", "0405", "0406", "0605", "0606"}
    assert set(board.neighbours(PlaceId("0605"))) == {"0604", "0606", "0504", "0505", "0704", "0705"}


def test_north_is_up_and_shifted_rows_lie_half_a_hex_east() -> None:
    b5, c5 = GRID.middles[PlaceId("B5")], GRID.middles[PlaceId("C5")]
    assert c5[1] < b5[1]
    assert c5[0] > b5[0]
    assert dist(b5, c5) == pytest.approx(3**0.5)


def test_rows_from_the_north_go_down_the_paper() -> None:
    first, second = (IN_TOKENS.middles[PlaceId(word)] for word in ("c05r00", "c05r01"))
    assert first[1] == 0.0 < second[1] == 1.5
    assert second[0] - first[0] == pytest.approx(3**0.5 / 2)


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
    middles = Grid.of((PlaceId(place), PlaceId(f"{top_row}1"))).middles
    assert middles[PlaceId(place)] == pytest.approx(middle)


def test_corners_go_from_the_top_clockwise_and_lie_one_from_the_middle() -> None:
    middle = (7.0, 4.0)
    around = corners(middle)
    assert [dist(middle, corner) for corner in around] == pytest.approx([1.0] * 6)
    assert [dist(a, b) for a, b in pairwise((*around, around[0]))] == pytest.approx([1.0] * 6)
    assert around[0] == (7.0, 3.0)
    assert around[1][0] > 7.0


@pytest.mark.parametrize("word", ["", "5Q", "Q0", "q19", "QQ1", "Q100", "Q 19"])
def test_what_is_no_hex_is_refused(word: str) -> None:
    assert not Numbering().reads(word)
    said = f"{word!r} is not a hex id; ids of this map look like Q19"
    with pytest.raises(ValueError, match=f"^{said}$"):
        Grid.of([PlaceId(word)])


@pytest.mark.parametrize("word", ["c5r01", "c05r1", "r01c05", "C05R01", "Q19"])
def test_each_numbering_reads_its_own_ids_only(word: str) -> None:
    assert TOKENS.reads("c05r01")
    assert not TOKENS.reads(word)


@given(st.sampled_from(NUMBERINGS), st.integers(1, 25), st.integers(1, 99))
def test_an_id_leads_back_to_its_row_and_column(numbering: Numbering, row: int, column: int) -> None:
    place = numbering.written(row, column)
    assert numbering.reads(place)
    assert place == numbering.pattern.replace("{row:A}", numbering.row_of(place)).replace(
        "{column}", numbering.column_of(place)
    ).replace("{row:02}", numbering.row_of(place)).replace("{row:03}", numbering.row_of(place)).replace(
        "{column:02}", numbering.column_of(place)
    )


@pytest.mark.parametrize("pattern", ["", "{row}", "{row}{row}{column}", "{row}-{column}", "{row:4}{column}"])
def test_a_pattern_without_row_and_column_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"must have \{row\} and \{column\} once each"):
        Numbering(pattern)


def test_a_pattern_that_does_not_separate_them_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be told apart"):
        Numbering("{column}{row}")


@given(grids, st.sets(spots, max_size=5), st.integers(0, 4))
def test_around_some_places_lies_what_is_near_one_of_them(grid: Grid, some: set[tuple[int, int]], most: int) -> None:
    near = [grid.numbering.written(*spot) for spot in some]
    around = grid.steps_around(near, most=most)
    for place, at in grid.coordinates.items():
        steps = min((grid.distance(place, each) for each in near), default=most + 1)
        assert around.get(at) == (steps if steps <= most else None)
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
