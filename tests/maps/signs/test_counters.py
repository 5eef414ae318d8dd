from itertools import combinations, product

import pytest
from PIL import Image, ImageChops

from campaign.engine.display.signs import Condition
from campaign.engine.values.value import replace
from campaign.maps.drawing.geometry import Path, bounds, overlap
from campaign.maps.drawing.ink import Printed, Shape, Stamp, Stroke, reach, width_of
from campaign.maps.drawing.symbols import ARMS, SIZES, STATES, placed
from campaign.maps.signs.counters import PLANS, CounterStyle, Size, counter_figure, counter_stamp, fitted, words_of
from campaign.maps.signs.markers import SORTIES, Badge, marker_stamp
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import DEFAULT
from campaign.rulesets.forum_campaign.model import signs
from campaign.rulesets.forum_campaign.model.signs import SIGNS
from tests.maps.examples import counter


def styled(**changes: object) -> CounterStyle:
    fields: dict[str, object] = {
        "side_colours": DEFAULT.colours_of_sides[0],
        "arm": "infantry",
        "echelon": "division",
        "label": "12 VG",
        "sure": True,
        "right": "4",
    }
    return CounterStyle(**(fields | changes))  # type: ignore[arg-type]


def at_strength(percent: int) -> CounterStyle:
    """A counter with this strength."""
    left, gauge, _ = declared(SIGNS).corners(counter("A1", strength=percent))
    return styled(left=left, gauge=gauge)


OF_UNITS = tuple(size for size in Size if size is not Size.SLIP)
"""The sizes of counters of units; a slip only counts them."""
CONDITIONS = SIGNS.conditions
MARKED = tuple(state for state in CONDITIONS if state.symbol in STATES)


def grey(seen: CounterStyle, size: Size = Size.WHOLE) -> bytes:
    """A counter as one sees it who sees no colours."""
    stamp = counter_stamp(seen, size, 1.0, DEFAULT)
    paper = Image.new("RGB", stamp.picture.size, DEFAULT.lands["rough"].fill)
    stamp.press(paper, (0, 0))
    return paper.convert("L").tobytes()


@pytest.mark.parametrize("size", OF_UNITS)
def test_every_arm_looks_different_at_every_size(size: Size) -> None:
    styles = [styled(arm=arm, sure=sure) for arm, sure in product((*ARMS, None), (True, False))]

    assert len({grey(seen, size) for seen in styles}) == len(styles)


@pytest.mark.parametrize("size", [Size.WHOLE, Size.HALF])
def test_every_echelon_looks_different(size: Size) -> None:
    assert len({grey(styled(echelon=symbol), size) for symbol in SIZES}) == len(SIZES)


@pytest.mark.parametrize("state", CONDITIONS, ids=[state.key for state in CONDITIONS])
def test_every_state_shows(state: Condition) -> None:
    assert grey(styled(states=(state,))) != grey(styled())


def test_all_states_show_at_once() -> None:
    for one_of_each in product(_WORKS, _WAYS):
        everything = tuple(state for state in CONDITIONS if state in one_of_each or state not in (*_WORKS, *_WAYS))
        for state in everything:
            rest = tuple(other for other in everything if other is not state)
            assert grey(styled(states=everything)) != grey(styled(states=rest))


_WORKS = (signs.DUG_IN, signs.ENTRENCHED)
"""A place is one or the other."""
_WAYS = (signs.MOVED, signs.OUT_OF_FUEL)
"""A unit has moved or stayed."""


@pytest.mark.parametrize("size", OF_UNITS)
def test_how_deep_a_unit_is_dug_in_shows_at_every_size(size: Size) -> None:
    assert len({grey(styled(states=states), size) for states in ((), *((works,) for works in _WORKS))}) == 3


@pytest.mark.parametrize("size", [Size.WHOLE, Size.HALF, Size.STRIP])
def test_an_enemy_out_of_sight_is_paler_and_shows_for_how_long(size: Size) -> None:
    seen, today, gone = (styled(sure=False, right="", age=age) for age in (None, 0, 2))

    assert len({grey(each, size) for each in (seen, today, gone)}) == 3
    assert sum(grey(gone, size)) > sum(grey(seen, size))


def test_a_counter_without_print_still_shows_that_its_unit_is_out_of_sight() -> None:
    seen, gone = (grey(styled(sure=False, right="", age=age), Size.BLOCK) for age in (None, 2))

    assert sum(gone) > sum(seen)


def marked(badge: Badge) -> bytes:
    """A marker as one sees it who sees no colours."""
    stamp = marker_stamp(badge, 1.0, DEFAULT)
    paper = Image.new("RGB", stamp.picture.size, DEFAULT.lands["rough"].fill)
    stamp.press(paper, stamp.anchor)
    return paper.convert("L").tobytes()


def test_positions_differ_by_depth_and_destroyed_depots_from_captured_ones() -> None:
    side = DEFAULT.colours_of_sides[0]
    badges = [Badge(signs.POSITION.symbol, side, "1"), Badge(signs.POSITION.symbol, side, "2")]
    badges += [Badge(signs.CAPTURED_DEPOT.symbol, side), Badge(signs.DESTROYED_DEPOT.symbol, side)]
    assert len(set(map(marked, badges))) == 4


def test_what_was_just_taken_looks_different_and_shows_of_whom() -> None:
    ours, theirs, others = DEFAULT.colours_of_sides[:3]
    for kind in (signs.OBJECTIVE.symbol, signs.CAPTURED_DEPOT.symbol):
        assert marked(Badge(kind, ours, "2")) != marked(Badge(kind, ours, "2", theirs))
    flags = [Badge(signs.OBJECTIVE.symbol, ours, "2", former) for former in (theirs, others)]
    assert differ([marker_stamp(badge, 1.0, DEFAULT) for badge in flags])


def test_air_boxes_differ_by_what_comes_down_and_by_what_has_become_of_it() -> None:
    side = DEFAULT.colours_of_sides[0]
    cargoes = (signs.INTERDICTION.symbol, signs.SUPPLY_DROP.symbol, signs.PARADROP.symbol)
    badges = [Badge(kind, side, "2", sortie=sortie) for kind in cargoes for sortie in SORTIES]
    assert len(set(map(marked, badges))) == len(badges)
    assert marked(Badge(signs.INTERDICTION.symbol, side, "2")) != marked(Badge(signs.INTERDICTION.symbol, side, "3"))


def test_a_strip_shows_the_gravest_state() -> None:
    both = styled(states=declared(SIGNS).states(("moved", "unsupplied")))

    assert grey(both, Size.STRIP) == grey(styled(states=(signs.UNSUPPLIED,)), Size.STRIP)


def differ(stamps: list[Stamp]) -> bool:
    """Whether no two of them have the same outline."""
    masks = [stamp.mask for stamp in stamps if stamp.mask is not None]
    apart = (ImageChops.difference(a, b).getbbox() is not None for a, b in combinations(masks, 2))
    return len(masks) == len(stamps) and all(apart)


def test_sides_differ_in_the_shape_of_their_frames() -> None:
    assert differ(
        [
            counter_stamp(styled(side_colours=side_colours), Size.WHOLE, 1.0, DEFAULT)
            for side_colours in DEFAULT.colours_of_sides
        ]
    )


def test_flags_differ_in_shape_by_side() -> None:
    assert differ(
        [
            marker_stamp(Badge(signs.OBJECTIVE.symbol, side_colours, "2"), 1.0, DEFAULT)
            for side_colours in DEFAULT.colours_of_sides
        ]
    )


def test_a_captured_depot_looks_different_and_an_empty_one_too() -> None:
    pictures = {
        marker_stamp(Badge(kind, DEFAULT.neutral, text), 1.0, DEFAULT).picture.tobytes()
        for kind, text in (
            (signs.DEPOT.symbol, "3"),
            (signs.DEPOT.symbol, ""),
            (signs.CAPTURED_DEPOT.symbol, "3"),
            (signs.CAPTURED_DEPOT.symbol, ""),
        )
    }

    assert len(pictures) == 4


@pytest.mark.parametrize("size", [Size.WHOLE, Size.HALF, Size.STRIP])
def test_strength_shows_only_where_it_is_not_full(size: Size) -> None:
    assert grey(at_strength(100), size) == grey(styled(), size)
    assert len({grey(at_strength(percent), size) for percent in (100, 99, 75, 50, 25)}) == 5


@pytest.mark.parametrize("states", [(), *((state,) for state in MARKED), MARKED])
@pytest.mark.parametrize("size", [Size.WHOLE, Size.HALF, Size.STRIP])
def test_nothing_on_a_counter_touches_its_words(size: Size, states: tuple[Condition, ...]) -> None:
    words = words_of(
        styled(label="The Long Range Group", left="40", gauge=0.4, right="6", states=states), size, DEFAULT
    )
    shown = states
    marks = [
        bounds(point for shape in STATES[state.symbol] for point in _outline(placed(shape, at)))
        for state, at in zip(shown, PLANS[size].states, strict=False)
        if not state.letter  # its letter is on it
    ]

    assert [pair for pair in combinations(words, 2) if overlap(*pair)] == []
    assert [(mark, word) for mark, word in product(marks, words) if overlap(mark, word)] == []


def _outline(shape: Shape) -> Path:
    left, top, right, bottom = reach(shape)
    return shape.path if isinstance(shape, Stroke) else ((left, top), (right, bottom))


def test_a_short_label_is_printed_as_it_is() -> None:
    text, style, squeeze = fitted("1 SS", 10.0, 43.0)

    assert (text, style.size, squeeze) == ("1 SS", 10.0, 1.0)


def test_a_longer_label_gets_smaller_print_then_narrower_then_fewer_letters() -> None:
    smaller, narrower, shorter = (
        fitted(text, 10.0, 43.0) for text in ("150 Pz Bd", "Führer-Begleit", "Führer-Begleit-Brigade")
    )

    assert (smaller[0], smaller[2]) == ("150 Pz Bd", 1.0)
    assert smaller[1].size < 10
    assert narrower[0] == "Führer-Begleit"
    assert narrower[2] < 1
    assert shorter[0].endswith("…")
    for text, style, squeeze in (smaller, narrower, shorter):
        assert width_of(text, style) * squeeze <= 43.5


def test_a_strip_without_a_gauge_shows_both_figures_on_the_right() -> None:
    def shown(strip: CounterStyle) -> set[str]:
        layers = counter_figure(strip, Size.STRIP, 1.0, DEFAULT)
        return {layer.text for layer in layers if isinstance(layer, Printed)}

    strip = styled(left="5", right="3")
    assert shown(strip) == {"12 VG", "5-3"}
    assert shown(replace(strip, gauge=0.5)) == {"12 VG", "3"}
    assert "5-3" not in shown(replace(strip, states=MARKED[:1]))
