from math import hypot, pi

import pytest

from campaign.maps.drawing.geometry import (
    Path,
    along,
    chains,
    crossing,
    dashes,
    eased,
    knot,
    length,
    moved,
    overlap,
    part,
    rounded,
    shared,
    shifted,
    spots,
    through,
)

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BEND = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0))


def flat(path: Path) -> list[float]:
    return [number for point in path for number in point]


def test_outlines_share_the_sides_they_have_in_common() -> None:
    right = ((1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0))

    assert shared(SQUARE, right) == (((1.0, 0.0), (1.0, 1.0)),)
    assert shared(SQUARE, tuple((x + 5, y) for x, y in right)) == ()


def test_edges_in_any_order_and_direction_make_one_path() -> None:
    (path,) = chains([((2.0, 0.0), (1.0, 0.0)), ((0.0, 0.0), (1.0, 0.0)), ((2.0, 0.0), (3.0, 1.0))])

    assert path in (
        ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 1.0)),
        ((3.0, 1.0), (2.0, 0.0), (1.0, 0.0), (0.0, 0.0)),
    )


def test_a_ring_of_edges_makes_a_closed_path() -> None:
    (path,) = chains(list(zip(SQUARE, (*SQUARE[1:], SQUARE[0]), strict=True)))

    assert path[0] == path[-1]
    assert set(path) == set(SQUARE)


def test_a_path_goes_straight_on_at_a_fork_and_runs_over_every_edge_once() -> None:
    paths = chains([((0.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (1.0, 1.0)), ((1.0, 0.0), (2.0, 0.1))])

    assert sorted(len(path) for path in paths) == [2, 3]
    assert ((1.0, 0.0), (1.0, 1.0)) in paths


def test_a_path_does_not_turn_back_sharper_than_allowed() -> None:
    hairpin = [((0.0, 0.0), (4.0, 0.0)), ((4.0, 0.0), (0.0, 1.0))]

    assert len(chains(hairpin)) == 1
    assert len(chains(hairpin, sharpest=pi / 2)) == 2


def test_rounding_keeps_the_ends_and_the_middle_of_each_edge() -> None:
    smooth = rounded(BEND, times=4)

    assert (smooth[0], smooth[-1]) == (BEND[0], BEND[-1])
    assert min(hypot(x - 4, y) for x, y in smooth) > 0.3


def test_rounding_a_ring_leaves_it_closed() -> None:
    smooth = rounded((*SQUARE, SQUARE[0]))

    assert knot(smooth[0]) == knot(smooth[-1])
    assert (0.0, 0.0) not in smooth


def test_a_line_through_points_meets_them_all() -> None:
    curve = through(BEND, steps=5)

    assert all(min(hypot(x - px, y - py) for x, y in curve) < 1e-9 for px, py in BEND)


def test_easing_moves_only_what_need_not_be_kept() -> None:
    path = ((0.0, 0.0), (1.0, 2.0), (2.0, 0.0), (3.0, 2.0))

    assert eased(path) == ((0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 2.0))
    assert eased(path, keep=[(1.0, 2.0)])[1] == (1.0, 2.0)


def test_shifting_moves_to_the_right_hand_as_seen_on_paper() -> None:
    assert flat(shifted(((0.0, 0.0), (2.0, 0.0)), 1.0)) == pytest.approx([0, 1, 2, 1])


@pytest.mark.parametrize("way", [0.0, 0.5, pi / 2, 2.0, pi, -1.0])
@pytest.mark.parametrize("by", [1.0, -1.0])
def test_shifting_what_turns_back_comes_back_on_the_other_side(way: float, by: float) -> None:
    start, turn = moved((7.0, 5.0), way, -4.0), (7.0, 5.0)
    aside = pi / 2 * by

    there, before, after, back = shifted((start, turn, start), by)
    assert flat((there, before)) == pytest.approx(flat((moved(start, way + aside, 1), moved(turn, way + aside, 1))))
    assert flat((after, back)) == pytest.approx(flat((moved(turn, way - aside, 1), moved(start, way - aside, 1))))


def test_shifting_there_and_back_over_a_bend_is_no_ring() -> None:
    moved_path = shifted((*BEND, *BEND[-2::-1]), 1.0)
    assert flat(moved_path[:1]) == pytest.approx([0, 1])
    assert flat(moved_path[-1:]) == pytest.approx([0, -1])


def test_shifting_a_ring_keeps_it_closed() -> None:
    ring = shifted((*SQUARE, SQUARE[0]), -0.5)
    assert ring[0] == pytest.approx(ring[-1])
    assert length(ring) > length((*SQUARE, SQUARE[0]))


def test_walking_along_a_path() -> None:
    assert flat(along(BEND, 5.0)[:1]) == pytest.approx([4, 1])
    assert along(BEND, 5.0)[1] == pytest.approx(pi / 2)
    assert along(BEND, 99.0)[0] == (4.0, 4.0)
    assert flat(part(BEND, 3.0, 5.0)) == pytest.approx([3, 0, 4, 0, 4, 1])


def test_dashes_fill_a_path_with_their_pattern() -> None:
    pieces = dashes(BEND, 3.0, 1.0)

    assert [length(piece) for piece in pieces] == pytest.approx([3.0, 3.0])
    assert pieces[1][0] == pytest.approx((4.0, 0.0))


def test_spots_lie_evenly_with_room_at_both_ends() -> None:
    assert flat(tuple(at for at, _ in spots(((0.0, 0.0), (10.0, 0.0)), 4.0))) == pytest.approx([3, 0, 7, 0])
    assert spots(((0.0, 0.0), (1.0, 0.0)), 4.0) == []


def test_where_a_way_leaves_an_outline() -> None:
    assert crossing(SQUARE, (0.5, 0.5), (9.0, 0.5)) == pytest.approx((1.0, 0.5))
    assert crossing(SQUARE, (0.5, 0.5), (0.6, 0.5)) == (0.6, 0.5)


def test_boxes_that_only_touch_do_not_overlap() -> None:
    assert overlap((0, 0, 2, 2), (2, 0, 4, 2)) == 0
    assert overlap((0, 0, 2, 2), (1, 1, 4, 4)) == 1
