"""The schemes of colours: whole maps in each, alike in all but colour."""

from io import BytesIO

import pytest
from PIL import Image

from campaign.maps import draw
from campaign.maps.base.layout import Layout
from campaign.maps.painter import SHEETS
from campaign.maps.scene import scene
from campaign.maps.style.schemes import DEFAULT, SCHEMES, Scheme
from campaign.maps.style.theme import LANDS
from tests.maps.examples import BASE, EMPTY, RED_VIEW, WIDTH

schemes = pytest.mark.parametrize("colours", SCHEMES.values(), ids=list(SCHEMES))


@schemes
def test_a_scheme_has_a_colour_for_every_land(colours: Scheme) -> None:
    assert list(colours.lands) == list(LANDS)


def test_maps_are_drawn_in_the_default_scheme_unless_another_is_named() -> None:
    named = [draw(BASE, RED_VIEW, width=WIDTH, colours=colours) for colours in SCHEMES.values()]

    assert draw(BASE, RED_VIEW, width=WIDTH) == named[0]
    assert len(set(named)) == len(SCHEMES)


@schemes
def test_a_scheme_has_one_palette_for_all_views_of_a_map(colours: Scheme) -> None:
    sheets = [Image.open(BytesIO(draw(BASE, view, width=WIDTH, colours=colours))) for view in (RED_VIEW, EMPTY)]

    assert sheets[0].mode == "P"
    assert "transparency" not in sheets[0].info
    assert sheets[0].getpalette() == sheets[1].getpalette()


def test_a_map_drawn_before_in_another_scheme_has_none_of_its_colours() -> None:
    alone = []
    for colours in SCHEMES.values():
        SHEETS.clear()
        alone.append(draw(BASE, RED_VIEW, width=WIDTH, colours=colours))
    SHEETS.clear()
    for _ in ("each after those before it", "each after all"):
        assert [draw(BASE, RED_VIEW, width=WIDTH, colours=colours) for colours in SCHEMES.values()] == alone


@schemes
def test_everything_is_at_the_same_place_in_every_scheme(colours: Scheme) -> None:
    ours, theirs = (Layout.of(BASE, WIDTH, each) for each in (DEFAULT, colours))

    assert ours.print_on == theirs.print_on
    assert [piece.box for piece in scene(RED_VIEW, ours).pieces] == [
        piece.box for piece in scene(RED_VIEW, theirs).pieces
    ]
    assert [sign.at for sign in scene(RED_VIEW, ours).signs] == [sign.at for sign in scene(RED_VIEW, theirs).signs]
