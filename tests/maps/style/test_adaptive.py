"""A board that is light or dark as its reader's device is: the light board and the dark one in one."""

import re
from xml.etree.ElementTree import fromstring

import pytest

from campaign.maps.base.layout import Layout
from campaign.maps.drawing.svg import hue
from campaign.maps.place_descriptions import describe_places
from campaign.maps.style.adaptive import ADAPTIVE, Twin
from campaign.maps.style.schemes import DARK, DEFAULT, Scheme
from campaign.maps.vector import board, legend
from tests.maps.examples import BASE, RED_VIEW, WIDTH

_PAIR = re.compile(r"light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)")


def drawn(colours: Scheme, **sheets: str) -> str:
    return board(RED_VIEW, Layout.of(BASE, WIDTH, colours), describe_places(BASE, RED_VIEW), sheet="/light", **sheets)


@pytest.mark.parametrize(("which", "colours"), [(r"\1", DEFAULT), (r"\2", DARK)], ids=["light", "dark"])
def test_each_device_sees_the_board_of_its_own_scheme(which: str, colours: Scheme) -> None:
    assert _PAIR.sub(which, drawn(ADAPTIVE)) == drawn(colours)


def test_no_colour_of_it_is_only_for_light_pages() -> None:
    assert not re.search(r"#[0-9a-f]{6}\b", _PAIR.sub("", drawn(ADAPTIVE)))


def test_a_browser_loads_one_of_two_sheets() -> None:
    projection = Layout.of(BASE, WIDTH, ADAPTIVE).projection
    for written in (drawn(ADAPTIVE, dark_sheet="/dark"), legend(projection, sheet="/light", dark_sheet="/dark")):
        root = fromstring(written)  # noqa: S314 # we wrote it
        (picture,) = root.iter("{http://www.w3.org/1999/xhtml}picture")
        source, image = picture
        assert (source.get("media"), source.get("srcset")) == ("(prefers-color-scheme: dark)", "/dark")
        assert (image.get("src"), image.get("width")) == ("/light", str(projection.width))
        assert not [*root.iter("{http://www.w3.org/2000/svg}image")]


def test_twins_differ_if_either_colour_does() -> None:
    one = Twin((1, 2, 3), (4, 5, 6))
    assert one == Twin((1, 2, 3), (4, 5, 6))
    assert one not in (Twin((1, 2, 3), (4, 5, 7)), (1, 2, 3))
    assert hue(one) == "light-dark(#010203,#040506)"
