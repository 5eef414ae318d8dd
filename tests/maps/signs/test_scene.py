from itertools import combinations, pairwise, product
from math import cos, sin

import pytest

from campaign.engine.display.views import Marker, View
from campaign.engine.values.value import replace
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import Box, Point, gap, heading, holds, overlap
from campaign.maps.painter import sheet_of
from campaign.maps.scene import Scene, scene
from campaign.maps.signs.arrows import Track
from campaign.maps.signs.counters import PLANS, Size, fitted
from campaign.maps.stacks import SPREAD, TALLEST, Piece, rows_of
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import (
    BASE,
    EMPTY,
    PLACES,
    RED_VIEW,
    WIDTH,
    arrow,
    counter,
    ground,
    place,
    sighting,
    trace,
)


@pytest.fixture(scope="module")
def layout() -> Layout:
    return sheet_of(BASE, WIDTH).layout


def laid_out(view: View) -> Scene:
    return scene(view, sheet_of(BASE, WIDTH).layout)


def stack(count: int, at: str = "B2") -> tuple[Piece, ...]:
    return laid_out(replace(EMPTY, counters=tuple(counter(at, f"Unit {n}") for n in range(count)))).pieces


def inside(point: Point, box: Box) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


# --- counters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, TALLEST + 1))
def test_every_counter_lies_within_the_frame_even_at_the_edges(count: int, layout: Layout) -> None:
    left, top, right, bottom = layout.projection.frame

    for word in PLACES:
        for piece in stack(count, word):
            assert left < piece.box[0] < piece.box[2] < right
            assert top < piece.box[1] < piece.box[3] < bottom


def test_a_lone_counter_is_in_the_middle_of_its_place(layout: Layout) -> None:
    (piece,) = stack(1)

    x, y = layout.projection.at(ground("B2").at)
    assert inside((x, y), piece.box)
    assert piece.size is Size.WHOLE


def test_lone_counters_of_neighbours_do_not_touch() -> None:
    pieces = laid_out(replace(EMPTY, counters=tuple(counter(word) for word in PLACES))).pieces

    assert [(a.place, b.place) for a, b in combinations(pieces, 2) if overlap(a.box, b.box)] == []


@pytest.mark.parametrize("count", range(2, TALLEST + 1))
def test_no_counter_of_a_stack_covers_the_label_of_another(count: int) -> None:
    pieces = stack(count)

    assert [piece.style.label for piece in pieces] == [f"Unit {n}" for n in range(count)]
    for piece in pieces:
        assert piece.box[0] <= piece.label[0] < piece.label[2] <= piece.box[2]
        assert all(overlap(piece.label, other.box) == 0 for other in pieces if other is not piece)


def test_a_stack_too_high_counts_the_rest_and_names_all_of_it_next_to_the_map() -> None:
    labels = tuple(f"Unit {n}" for n in range(40))
    drawn = laid_out(replace(EMPTY, counters=tuple(counter("B2", label) for label in labels)))

    assert [piece.style.label for piece in drawn.pieces] == ["Unit 0", "+39 more"]
    ((where, styles),) = drawn.crowds
    assert (where, tuple(style.label for style in styles)) == (place("B2"), labels)


@pytest.mark.parametrize("count", range(1, 13))
def test_a_stack_up_to_six_shows_all_and_a_higher_one_its_first_with_the_count_of_the_rest(count: int) -> None:
    labels = [f"Unit {n}" for n in range(count)]
    drawn = laid_out(replace(EMPTY, counters=tuple(counter("B2", label) for label in labels)))
    shown = [piece.style.label for piece in drawn.pieces]
    assert shown == (labels if count <= SPREAD else ["Unit 0", f"+{count - 1} more"])
    assert [[style.label for style in styles] for _, styles in drawn.crowds] == ([] if count <= SPREAD else [labels])
    assert all(upper.at[1] < lower.at[1] or upper.at[0] < lower.at[0] for upper, lower in pairwise(drawn.pieces))


def test_counters_of_a_place_with_room_are_larger_and_all_lie_within_it(layout: Layout) -> None:
    outline = layout.places.outline(place("B2"))
    for count in range(3, SPREAD + 1):
        for piece in stack(count):
            wide, high = (side * layout.projection.scale for side in PLANS[piece.size].size)
            (left, top), across = piece.at, (0.0, 1.0)
            assert all(holds(outline, (left + x * wide, top + y * high)) for x, y in product(across, repeat=2))
    assert {piece.size for piece in stack(3)} == {Size.HALF}


def test_in_a_place_without_room_a_stack_of_four_is_counted() -> None:
    """On a map that is ten times as wide."""
    far = replace(BASE.grounds[0], id=place("Z9"), at=(90.0, 0.0), outline=(), name="")
    small = sheet_of(replace(BASE, grounds=(*BASE.grounds, far)), 2400).layout
    assert rows_of(place("B2"), TALLEST, small) == ((Size.STRIP,),) * TALLEST
    assert rows_of(place("B2"), TALLEST + 1, small) == ((Size.WHOLE,), (Size.SLIP,))


@pytest.mark.parametrize("count", range(1, 13))
def test_every_name_on_a_counter_of_a_stack_is_printed_large_enough_to_read(count: int) -> None:
    """In full and at least seven points high; no unit has a counter lower than 15 points."""
    for piece in stack(count):
        left, _, right, _ = PLANS[piece.size].label
        text, style, squeeze = fitted(piece.style.label, PLANS[piece.size].letter, right - left)
        assert (text, squeeze) == (piece.style.label, 1.0)
        assert style.size >= 7
        assert PLANS[piece.size].size[1] >= (15 if piece.style.arm else 10)


@pytest.mark.parametrize("count", range(SPREAD + 1, 13))
def test_the_first_counter_of_a_high_stack_is_as_large_as_a_lone_one_and_nearly_where_it_would_be(count: int) -> None:
    (lone,), (first, rest) = stack(1), stack(count)
    assert first.size is lone.size
    assert gap(first.at, lone.at) < 2 * sheet_of(BASE, WIDTH).layout.projection.scale
    assert rest.box[0] > first.box[0]
    assert rest.box[2] < first.box[2]


def test_own_and_sighted_units_of_one_place_are_one_stack() -> None:
    drawn = laid_out(replace(EMPTY, counters=(counter("B2", "Kdo 7"),), sightings=(sighting("B2", "4 Inf"),)))

    assert [(piece.style.label, piece.style.sure) for piece in drawn.pieces] == [("Kdo 7", True), ("4 Inf", False)]


def test_a_sighting_shows_neither_strength_nor_movement_nor_state() -> None:
    (piece,) = laid_out(replace(EMPTY, sightings=(sighting("B2", "4 Inf"),))).pieces

    assert (piece.style.left, piece.style.gauge, piece.style.right, piece.style.states) == ("", None, "", ())


# --- markers ----------------------------------------------------------------------------------------------------------


def test_the_flag_of_an_objective_is_before_the_name_of_its_place(layout: Layout) -> None:
    view = replace(EMPTY, markers=(Marker(place("C2"), signs.OBJECTIVE.key, BASE.sides[0], 2),))
    (sign,) = laid_out(view).signs
    (name,) = (name for name in layout.print_on.names if name.place == "C2")

    assert sign.at == name.flag
    assert sign.at[0] < name.at[0]
    assert sign.badge.text == "2"


def test_markers_of_one_place_are_next_to_each_other_and_its_counter(layout: Layout) -> None:
    markers = (
        Marker(place("B4"), signs.OBJECTIVE.key, BASE.sides[0], 4),
        Marker(place("B4"), signs.DEPOT.key, None, 3),
        Marker(place("B4"), signs.BATTLE.key),
    )
    drawn = laid_out(replace(EMPTY, counters=(counter("B4"),), markers=markers))

    spots = [sign.at for sign in drawn.signs]
    assert all(gap(a, b) > 12 * layout.projection.scale for a, b in combinations(spots, 2))
    assert not any(inside(spot, drawn.pieces[0].box) for spot in spots)


def test_a_value_of_nothing_is_not_printed() -> None:
    view = replace(EMPTY, markers=(Marker(place("A2"), signs.CAPTURED_DEPOT.key, BASE.sides[0]),))

    assert laid_out(view).signs[0].badge.text == ""


# --- arrows -----------------------------------------------------------------------------------------------------------


def tracks(*paths: tuple[str, ...], at: tuple[str, ...] = ()) -> tuple[Track, ...]:
    arrows = tuple(arrow(signs.MOVE.key, *path) for path in paths)
    return laid_out(replace(EMPTY, counters=tuple(counter(word) for word in at), arrows=arrows)).tracks


def test_an_arrow_runs_from_place_to_place(layout: Layout) -> None:
    (track,) = tracks(("A1", "A2", "A3"))

    assert gap(track.path[0], layout.projection.at(ground("A1").at)) < 1
    assert gap(track.path[-1], layout.projection.at(ground("A3").at)) < 1


def test_an_arrow_ends_at_the_counters_where_it_starts_and_where_it_goes() -> None:
    view = replace(
        EMPTY, counters=(counter("A1"), counter("A4")), arrows=(arrow(signs.MOVE.key, "A1", "A2", "A3", "A4"),)
    )
    drawn = laid_out(view)

    assert not any(
        inside(end, piece.box) for end in (drawn.tracks[0].path[0], drawn.tracks[0].path[-1]) for piece in drawn.pieces
    )


def test_an_arrow_between_counters_of_neighbours_is_still_to_be_seen(layout: Layout) -> None:
    (track,) = tracks(("A1", "A2"), at=("A1", "A2"))

    assert gap(track.path[0], track.path[-1]) > 8 * layout.projection.scale


def test_arrows_over_the_same_ground_run_next_to_each_other(layout: Layout) -> None:
    first, second, back = tracks(("A1", "A2", "A3"), ("A1", "A2", "A3"), ("A3", "A2", "A1"))

    starts = (first.path[0], second.path[0], back.path[-1])
    assert all(gap(a, b) > 3 * layout.projection.scale for a, b in combinations(starts, 2))


@pytest.mark.parametrize("path", [("B2", "B3", "B2"), ("B3", "B2", "B3"), ("B2", "C3", "B2"), ("C2", "B2", "C2")])
def test_a_move_there_and_back_runs_on_one_side_of_its_lane_and_returns_on_the_other(
    layout: Layout, path: tuple[str, ...]
) -> None:
    *_, track = tracks(path[:2], path[:2], path)
    start, turn = (layout.projection.at(ground(word).at) for word in path[:2])
    way = heading(start, turn)
    aside = [((y - turn[1]) * cos(way) - (x - turn[0]) * sin(way)) / track.scale for x, y in track.path]

    assert aside[0] * aside[-1] < 0
    assert {round(abs(points), 1) for points in aside} == {round(abs(aside[0]), 1)}


def test_a_unit_that_comes_onto_the_map_comes_from_its_edge(layout: Layout) -> None:
    (track,) = tracks(("C1",))

    assert track.path[0][0] < layout.projection.at(ground("C1").at)[0] - layout.projection.unit / 2


def test_a_unit_that_appears_in_the_midst_of_the_map_comes_from_above(layout: Layout) -> None:
    (track,) = tracks(("C3",))

    x, y = layout.projection.at(ground("C3").at)
    assert track.path[0][0] == pytest.approx(x)
    assert track.path[0][1] < y


# --- supply -----------------------------------------------------------------------------------------------------------


def test_a_way_that_many_units_wait_on_is_drawn_once() -> None:
    """Whichever way they go along it; a place that bars them has a cross for each way into it."""
    ways = (trace("A1", "A2", "A3", "A4"), trace("A2", "A3", "A4"), trace("A5", "A4"), trace("A3", "A2", "A1", "B1"))
    drawn = laid_out(replace(EMPTY, traces=ways))

    assert len(drawn.traces) == 5
    assert len(drawn.crosses) == 3


def test_every_place_that_bars_a_path_has_a_cross_and_the_path_continues() -> None:
    drawn = laid_out(replace(EMPTY, traces=(trace("A1", "A2", "A3", "A4", barred=("A2", "A3")),)))

    assert len(drawn.crosses) == 2
    assert [step.until for step in drawn.traces] == [1, 1, 1]


def test_dots_run_from_middle_to_middle_and_into_the_place_that_is_barred(layout: Layout) -> None:
    drawn = laid_out(replace(EMPTY, traces=(trace("A1", "A2", "A3"),)))
    start, between, phase = (layout.projection.at(ground(word).at) for word in ("A1", "A2", "A3"))
    (first, second), (cross,) = drawn.traces, drawn.crosses
    dots = [dot.at for step in drawn.traces for dot in step.dots(layout.projection.scale)]

    assert gap(dots[0], start) < 5 * layout.projection.scale
    assert first.until == 1
    assert any(gap(dot, between) < 5 * layout.projection.scale for dot in dots)
    assert all(gap(dot, phase) > 0.25 * gap(between, phase) for dot in dots)
    assert gap(cross, phase) < gap(cross, between)
    assert second.until < 1


def test_a_cross_is_clear_of_the_counter_that_bars_the_path() -> None:
    drawn = laid_out(replace(EMPTY, sightings=(sighting("A3", "4 Inf"),), traces=(trace("A1", "A2", "A3"),)))

    assert not inside(drawn.crosses[0], drawn.pieces[0].box)


def test_supply_and_air_boxes_are_left_out_where_they_could_not_be_read() -> None:
    small = sheet_of(BASE, 200).layout
    assert small.projection.coarse
    view = replace(EMPTY, traces=RED_VIEW.traces, flights=RED_VIEW.flights)
    drawn = scene(view, small)

    assert (drawn.traces, drawn.crosses, drawn.signs) == ((), (), ())
    assert len(laid_out(view).signs) == len(RED_VIEW.flights)
