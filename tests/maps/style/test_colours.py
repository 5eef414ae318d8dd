"""Print that can be read, and colours of sides and states that differ, also to colour-blind eyes."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from campaign.maps.style.schemes import COLOUR_BLIND, SCHEMES, Colour, Scheme, SideColours
from tests.maps.eyes import EYES, Triple, apart, ciede2000, contrast

schemes = pytest.mark.parametrize("colours", SCHEMES.values(), ids=list(SCHEMES))
eyes = pytest.mark.parametrize("seen", EYES)

READABLE = 4.5
"""Of print to its ground: WCAG 2.2, success criterion 1.4.3."""
PLAIN = 10.0
"""Of signs that are compared across the map. A difference of 1 is just seen between patches that touch; ten times as
much is seen between small signs far apart, whatever lies between them."""
SEEN = 3.0
"""Of areas that touch, by which alone nothing is decided."""


def everybody(colours: Scheme) -> tuple[SideColours, ...]:
    return (*colours.colours_of_sides, colours.neutral)


def printed(colours: Scheme) -> Iterator[tuple[str, Colour, Colour]]:
    """All print of a map: what it is, its ink, and the ground under it; a halo where it has one."""
    for ground in ("paper", "border"):
        yield f"print on {ground}", colours.ink, getattr(colours, ground)
        yield f"small print on {ground}", colours.quiet, getattr(colours, ground)
    for land, tint in colours.lands.items():
        yield f"id on {land}", colours.number, tint.fill
    yield "id on a picture where it is most", colours.ink, colours.backdrop
    yield "id within its rim on a picture", colours.ink, colours.halo
    for importance, ink in enumerate(colours.names):
        yield f"name of importance {importance}", ink, colours.halo
    yield "river", colours.water_name, colours.halo
    yield "great river", colours.great_water_name, colours.halo
    for n, side_colours in enumerate(everybody(colours)):
        yield f"counter of side {n}", colours.ink, side_colours.pale
        yield f"number on a sign of side {n}", colours.reverse, side_colours.strong
        yield f"number on a captured depot of side {n}", side_colours.strong, colours.halo
        yield f"number of air units of side {n} that have not flown", side_colours.strong, colours.halo
        yield f"unknown arm of side {n}", side_colours.strong, colours.sighted
    yield "sighted counter", colours.ink, colours.sighted
    yield "unsupplied", colours.reverse, colours.alarm
    yield "battle", colours.on_burst, colours.burst
    for audience, plate in colours.plates.items():
        yield f"title of the {audience}", colours.reverse, plate


@schemes
def test_all_print_stands_out_from_its_ground(colours: Scheme) -> None:
    found = {what: contrast(ink, ground) for what, ink, ground in printed(colours)}

    assert {what: round(ratio, 2) for what, ratio in found.items() if ratio < READABLE} == {}


def closer(pairs: Iterator[tuple[str, Colour, Colour]], seen: str, least: float) -> dict[str, float]:
    """The pairs that look nearer to each other than this."""
    found = {what: apart(one, other, EYES[seen]) for what, one, other in pairs}
    return {what: round(distance, 1) for what, distance in found.items() if distance < least}


@eyes
@schemes
def test_sides_differ_in_colour(colours: Scheme, seen: str) -> None:
    pairs = combinations(enumerate(everybody(colours)), 2)

    assert closer(((f"{n} and {m}", a.strong, b.strong) for (n, a), (m, b) in pairs), seen, PLAIN) == {}


@eyes
@schemes
def test_arrows_and_fronts_stand_out_from_what_they_run_over(colours: Scheme, seen: str) -> None:
    def pairs() -> Iterator[tuple[str, Colour, Colour]]:
        for n, side_colours in enumerate(colours.colours_of_sides[:2]):
            for land, tint in colours.lands.items():
                yield f"{n} on {land}", side_colours.strong, tint.fill
            for line in ("road_fill", "track", "water", "great_water", "backdrop"):
                yield f"{n} on {line}", side_colours.strong, getattr(colours, line)
        for land, tint in colours.lands.items():
            yield f"supply that is barred on {land}", colours.alarm, tint.fill
        yield "supply that is barred on a picture", colours.alarm, colours.backdrop

    assert closer(pairs(), seen, PLAIN) == {}


@eyes
@schemes
def test_states_show_on_every_counter_and_differ(colours: Scheme, seen: str) -> None:
    def pairs() -> Iterator[tuple[str, Colour, Colour]]:
        yield "unsupplied and other states", colours.alarm, colours.ink
        yield "a battle within its rim", colours.burst, colours.alarm
        for n, side_colours in enumerate(everybody(colours)):
            for body in (side_colours.pale, colours.sighted):
                yield f"unsupplied on side {n}", colours.alarm, body
                yield f"frame of side {n}", side_colours.strong, body

    assert closer(pairs(), seen, PLAIN) == {}


@eyes
@schemes
def test_lands_without_marks_differ(colours: Scheme, seen: str) -> None:
    clear, valley = colours.lands["clear"].fill, colours.lands["valley"].fill

    assert apart(clear, valley, EYES[seen]) > SEEN


@eyes
def test_colour_blind_eyes_distinguish_all_lands_in_their_scheme(seen: str) -> None:
    lands = combinations(COLOUR_BLIND.lands.items(), 2)

    assert closer(((f"{a} and {b}", one.fill, other.fill) for (a, one), (b, other) in lands), seen, SEEN) == {}


@eyes
@schemes
def test_titles_of_those_who_see_everything_differ_from_all_others(colours: Scheme, seen: str) -> None:
    def pairs() -> Iterator[tuple[str, Colour, Colour]]:
        gm, public = colours.plates.values()
        yield "GM and public", gm, public
        for n, side_colours in enumerate(colours.colours_of_sides[:2]):
            yield f"GM and side {n}", gm, side_colours.strong
            yield f"public and side {n}", public, side_colours.strong

    assert closer(pairs(), seen, PLAIN) == {}


# --- the measures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [((0, 0, 0), (255, 255, 255), 21.0), ((118, 118, 118), (255, 255, 255), 4.54), ((9, 9, 9), (9, 9, 9), 1.0)],
)
def test_contrast_is_that_of_wcag(one: Colour, other: Colour, ratio: float) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_of_the_authors_test_data(one: Triple, other: Triple, distance: float) -> None:
    assert ciede2000(one, other) == pytest.approx(distance, abs=0.0001)


@pytest.mark.parametrize("seen", EYES)
def test_all_eyes_see_greys_as_they_are(seen: str) -> None:
    assert EYES[seen]((128, 128, 128)) == pytest.approx(EYES["all colours"]((128, 128, 128)), abs=0.001)


def test_eyes_without_cones_for_long_waves_confuse_red_and_green() -> None:
    red, green = (200, 60, 50), (110, 105, 40)

    assert apart(red, green) > 3 * apart(red, green, EYES["protanopia"])
