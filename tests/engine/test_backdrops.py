"""How a picture lies under a map, by the places found in it; and what no upright picture fits."""

import random

import pytest

from campaign.engine.board.hexes import Grid
from campaign.engine.display.backdrops import Background, laid
from campaign.engine.display.views import Backdrop
from campaign.engine.errors import ScenarioError
from campaign.engine.files import Source, decode_toml
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value

PLACES = tuple(PlaceId(f"{row}{column}") for row in "ABCDEFGH" for column in range(1, 13))
MIDDLES = Grid.of(PLACES).middles


class Head(Value, frozen=True):
    background: Background


def written(*pins: str, more: str = "") -> Source:
    lines = ["[background]", 'file = "map.png"', more, "[background.hexes]", *pins]
    return Source("scenario.toml", "\n".join(line for line in lines if line))


def lying(*pins: str, more: str = "") -> Backdrop:
    file = written(*pins, more=more)
    return laid(file, decode_toml(file, Head).background, MIDDLES)


def pinned(*places: str, across: float = 41.5, down: float = 39.25, left: int = 17, top: int = -30) -> list[str]:
    """Where the middles of places lie in a picture of this many pixels to the map unit."""
    found = ((place, MIDDLES[PlaceId(place)]) for place in places)
    return [f"{place} = [{left + x * across - 0.5}, {top + y * down - 0.5}]" for place, (x, y) in found]


@pytest.mark.parametrize("places", [("A1", "H12"), ("A12", "H1"), ("A1", "C7", "H12"), ("B3", "B4", "F4", "G12", "H1")])
def test_pixels_of_places_give_shift_and_a_scale_each_way(places: tuple[str, ...]) -> None:
    backdrop = lying(*pinned(*places))

    assert backdrop.pixel == pytest.approx((1 / 41.5, 1 / 39.25))
    assert backdrop.corner == pytest.approx((-17 / 41.5, 30 / 39.25))


def test_small_errors_of_many_places_are_evened_out() -> None:
    chance = random.Random("errors")
    pins = [
        f"{place} = [{round(x * 40 + chance.uniform(-4, 4))}, {round(y * 40 + chance.uniform(-4, 4))}]"
        for place, (x, y) in MIDDLES.items()
    ]
    backdrop = lying(*pins)

    assert backdrop.pixel == pytest.approx((1 / 40, 1 / 40), rel=0.005)
    assert backdrop.corner == pytest.approx((0, 0), abs=0.05)


def test_what_is_not_said_is_as_usual() -> None:
    plain, given = lying(*pinned("A1", "H12")), lying(*pinned("A1", "H12"), more='strength = 0.5\nshows = ["rivers"]')

    assert (plain.strength, plain.roads, plain.rivers, plain.picture) == (0.8, False, False, b"")
    assert (given.strength, given.roads, given.rivers) == (0.5, False, True)


def refusal(*pins: str, more: str = "") -> tuple[int, str, str]:
    with pytest.raises(ScenarioError) as refused:
        lying(*pins, more=more)
    return refused.value.line, refused.value.message, refused.value.cure


HEADING = 3
"""The line of [background.hexes]."""


@pytest.mark.parametrize(
    ("pins", "line", "said", "cure"),
    [
        ((), HEADING, "background.hexes names fewer than two hexes", "Name three, far apart."),
        (("A1 = [5, 5]",), HEADING, "background.hexes names fewer than two hexes", "Name three, far apart."),
        (
            ("A1 = [5, 300]", "Q19 = [300, 5]"),
            HEADING + 2,
            "background.hexes: Q19 is not on this map",
            "Name a hex of this map.",
        ),
        (
            ("A1 = [5, 300]", "H9 = [nan, 5]"),
            HEADING + 2,
            "background.hexes: H9 has no usable pixel",
            "Write it as [212, 1130].",
        ),
        (
            ("A1 = [5, 300]", "H9 = [5, -inf]"),
            HEADING + 2,
            "background.hexes: H9 has no usable pixel",
            "Write it as [212, 1130].",
        ),
        (
            ("A1 = [5, 300]", "H9 = [5, 1e308]"),
            HEADING + 2,
            "background.hexes: H9 has no usable pixel",
            "Write it as [212, 1130].",
        ),
        (
            ("A1 = [5, 300]", "A9 = [300, 300]", "A5 = [150, 300]"),
            HEADING,
            "all hexes of the background are in one row",
            "Add one further north or south.",
        ),
        (
            ("A1 = [5, 300]", "C1 = [5, 200]"),
            HEADING,
            "all hexes of the background are in one column",
            "Add one further east or west.",
        ),
        (
            ("A1 = [300, 300]", "H9 = [20, 5]"),
            HEADING,
            "A1 is not left of H9 in the background, but on the map it is further west",
            "Correct the pixels, or turn the picture: north is at its top, unmirrored.",
        ),
        (
            ("A1 = [5, 5]", "H9 = [300, 300]"),
            HEADING,
            "H9 is not above A1 in the background, but on the map it is further north",
            "Correct the pixels, or turn the picture: north is at its top, unmirrored.",
        ),
        (
            ("A1 = [5, 5]", "H9 = [5, 5]"),
            HEADING,
            "A1 is not left of H9 in the background, but on the map it is further west",
            "Correct the pixels, or turn the picture: north is at its top, unmirrored.",
        ),
    ],
)
def test_pixels_that_fit_no_upright_picture_are_refused(pins: tuple[str, ...], line: int, said: str, cure: str) -> None:
    assert refusal(*pins) == (line, said, cure)


def test_a_picture_stretched_beyond_measure_is_refused() -> None:
    line, said, cure = refusal(*pinned("A1", "H12", across=90, down=40))

    assert line == HEADING
    assert said == "the background's pixels would be 0.44 times as wide as high"
    assert cure.startswith("Correct the pixels: the first number counts from the left")


def test_places_that_do_not_fit_each_other_are_refused() -> None:
    pins = pinned("A1", "A12", "H1", "H12")
    line, said, cure = refusal(*pins[:3], "H12 = [700, 40]")

    assert said == (
        "the hexes of the background do not fit each other: "
        "A12 would be at [826, 382], not [915, 382]; H1 would be at [88, 5], not [88, -30]; "
        "H12 would be at [794, 5], not [700, 40]"
    )
    assert line == HEADING
    assert cure == "Correct the pixels of one of them; turn a picture that is not upright first."


def test_a_turned_picture_is_refused() -> None:
    turned = [f"{place} = [{50 + 40 * (x + 0.2 * y)}, {50 + 40 * (y - 0.2 * x)}]" for place, (x, y) in MIDDLES.items()]

    assert "do not fit each other" in refusal(*turned)[1]


@pytest.mark.parametrize("strength", ["0", "1.1", "-1", "nan", "inf", '"strong"'])
def test_a_strength_that_is_none_is_refused(strength: str) -> None:
    line, said, _ = refusal(*pinned("A1", "H12"), more=f"strength = {strength}")

    assert line == HEADING
    assert "background.strength" in said
