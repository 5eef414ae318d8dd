from io import BytesIO

import pytest
from PIL import Image

from campaign.engine.display.views import Marker, View
from campaign.engine.values.value import replace
from campaign.maps.drawing.png import COLOURS_OF_PICTURES, palette_for
from campaign.maps.painter import SHEETS
from campaign.maps.replay import MOST_FRAMES, Frame, Motion, animate, of_campaign, of_phase
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import (
    BASE,
    BLUE,
    EMPTY,
    PLACES,
    RED,
    RED_VIEW,
    WIDTH,
    arrow,
    counter,
    flight,
    place,
    table,
    trace,
)
from tests.maps.pictures import filed, noise, upon

BEFORE = replace(RED_VIEW, arrows=(), traces=(), flights=(), counters=(counter("A1"),), sightings=(), markers=())
MOVED = replace(EMPTY, counters=(counter("B2"),), arrows=(arrow(signs.MOVE.key, "A1", "B2"),))


def opened(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file))


def seen(file: bytes) -> list[bytes]:
    """The pixels of each frame."""
    moving = opened(file)
    found = []
    for number in range(getattr(moving, "n_frames", 1)):
        moving.seek(number)
        found.append(moving.convert("RGB").tobytes())
    return found


def animated(*views: View, motion: Motion = Motion.WEBP) -> bytes:
    return animate(BASE, [Frame(view, 500) for view in views], motion, width=WIDTH)


def test_a_phase_is_shown_in_steps_from_what_was_to_what_is() -> None:
    fought = replace(MOVED, arrows=(*MOVED.arrows, arrow(signs.ATTACK.key, "B2", "B3")))
    was, marches, fights, is_ = (frame.view for frame in of_phase(BASE.signs, BEFORE, fought))

    assert (was.counters, was.arrows) == (BEFORE.counters, ())
    assert (marches.counters, marches.arrows) == (BEFORE.counters, MOVED.arrows)
    assert (fights.counters, [each.kind for each in fights.arrows]) == (fought.counters, [signs.ATTACK.key])
    assert (is_.counters, is_.arrows) == (fought.counters, ())
    assert {view.stop for view in (was, marches, fights, is_)} == {fought.stop}


def test_steps_without_news_are_left_out() -> None:
    assert [frame.view.counters for frame in of_phase(BASE.signs, EMPTY, EMPTY)] == [(), ()]
    assert [frame.view for frame in of_phase(BASE.signs, None, EMPTY)] == [EMPTY]
    assert len(of_phase(BASE.signs, BEFORE, MOVED)) == 3


def test_a_battle_that_nobody_marched_to_is_shown() -> None:
    battles = tuple(each for each in RED_VIEW.markers if each.kind == signs.BATTLE.key)
    assert battles
    assert len(of_phase(BASE.signs, None, replace(EMPTY, markers=battles))) == 2


def test_flights_are_shown_before_the_marches_and_close_support_with_the_fights() -> None:
    raid, support = flight("B3"), flight("B2", signs.CLOSE_SUPPORT.key)
    frames = of_phase(BASE.signs, BEFORE, replace(MOVED, flights=(raid, support)))

    assert [frame.view.flights for frame in frames] == [(), (raid,), (), (support,), ()]
    assert [bool(frame.view.arrows) for frame in frames] == [False, False, True, False, False]
    assert frames[1].view.counters == BEFORE.counters


def test_what_changed_hands_shows_it_when_it_has() -> None:
    flag = Marker(place("C2"), signs.OBJECTIVE.key, RED, 2, taken_from=BLUE)
    was, *_, is_ = of_phase(BASE.signs, replace(BEFORE, markers=(flag,)), replace(MOVED, markers=(flag,)))

    assert [each.view.markers[0].taken_from for each in (was, is_)] == [None, BLUE]


def test_battles_decided_before_are_no_part_of_what_was() -> None:
    fought = Marker(place("C2"), signs.BATTLE.key, RED, won_by=BLUE)
    was, *_, is_ = of_phase(BASE.signs, replace(BEFORE, markers=(fought,)), replace(MOVED, markers=(fought,)))

    assert (was.view.markers, is_.view.markers) == ((), (fought,))


def test_supply_that_did_not_come_before_is_part_of_what_was() -> None:
    was, *_, is_ = of_phase(BASE.signs, replace(BEFORE, traces=(trace("A1", "B2"),)), MOVED)

    assert (was.view.traces, is_.view.traces) == ((trace("A1", "B2"),), ())


def test_what_is_known_only_in_the_end_is_in_no_step_before() -> None:
    first, *_ = of_phase(BASE.signs, EMPTY, replace(RED_VIEW, arrows=()))
    assert (first.view.sightings, first.view.front) == ((), EMPTY.front)


def test_a_campaign_is_shown_phase_by_phase_and_its_newest_phase_longest() -> None:
    frames = of_campaign([EMPTY, BEFORE, MOVED])
    assert [frame.view for frame in frames] == [EMPTY, BEFORE, MOVED]
    assert frames[-1].milliseconds > frames[0].milliseconds == frames[1].milliseconds


@pytest.mark.parametrize("motion", Motion)
def test_every_frame_is_in_the_file(motion: Motion) -> None:
    file = animated(EMPTY, BEFORE, MOVED, motion=motion)
    assert len(seen(file)) == 3
    assert len(set(seen(file))) == 3
    assert opened(file).info["loop"] == 0


def test_both_kinds_show_the_same_pixels() -> None:
    assert seen(animated(EMPTY, MOVED, motion=Motion.GIF)) == seen(animated(EMPTY, MOVED, motion=Motion.WEBP))


@pytest.mark.parametrize("motion", Motion)
def test_equal_views_give_equal_bytes(motion: Motion) -> None:
    first = animated(BEFORE, MOVED, motion=motion)
    SHEETS.clear()
    assert animated(BEFORE, MOVED, motion=motion) == first


def test_maps_of_different_length_get_paper_at_their_foot() -> None:
    rows = tuple((f"{number} division", "a long cell that takes much room") for number in range(30))
    long = replace(EMPTY, panels=(table("status", *rows),))
    small, large = (opened(animated(view)).height for view in (EMPTY, long))
    assert small < large
    assert opened(animated(EMPTY, long)).height == large


def test_nothing_is_no_moving_picture() -> None:
    with pytest.raises(ValueError, match="needs a frame"):
        animate(BASE, [], Motion.GIF)


@pytest.mark.parametrize("motion", Motion)
def test_what_does_not_change_from_frame_to_frame_takes_hardly_any_room(motion: Motion) -> None:
    views = [replace(EMPTY, counters=(counter(word),), date=f"{day} December") for day, word in enumerate(PLACES, 1)]
    one, many = (len(animated(*some, motion=motion)) for some in (views[:1], views))
    assert many < one * 2.5


def test_that_holds_on_a_picture_of_all_colours_as_well() -> None:
    pictured = upon(BASE, filed(noise()))
    frames = [Frame(replace(EMPTY, counters=(counter(word),)), 500) for word in PLACES[:3]]
    one, three = (len(animate(pictured, some, Motion.GIF, width=WIDTH)) for some in (frames[:1], frames))
    assert three < one * 1.2
    assert len(palette_for(noise((300, 200)), (), COLOURS_OF_PICTURES).colours) < 256


def test_of_a_long_campaign_the_newest_phases_are_shown() -> None:
    views = [replace(EMPTY, date=str(number)) for number in range(MOST_FRAMES + 20)]
    frames = of_campaign(views)
    assert [frame.view for frame in frames] == views[20:]
