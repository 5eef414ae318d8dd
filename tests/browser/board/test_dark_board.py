"""A board in dark mode: its sheet, its counters and what is shaded on it."""

import re

import pytest
from playwright.sync_api import Page, expect

from campaign.maps.drawing.svg import hue
from campaign.maps.style.schemes import DARK, DEFAULT, Colour, Scheme
from tests.browser.conftest import Site

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("device", "colours"), [("light", DEFAULT), ("dark", DARK)], ids=["light", "dark"])
def test_a_board_is_as_dark_as_its_page(site: Site, device: str, colours: Scheme) -> None:
    page = site.visit("Model", scheme=device)
    for rest in ("orders/HQ/", "board/"):
        page.goto(site.here(rest))
        sheets = page.locator("svg foreignObject img")
        expect(sheets.first).to_be_attached()
        found = sheets.evaluate_all("images => images.map(image => new URL(image.currentSrc).search)")
        assert found
        assert all(re.search(rf"colours={colours.name}&", each) for each in found)
        assert set(inks(page)) == {hue(each.pale) for each in colours.colours_of_sides[:1]}


def inks(page: Page) -> list[str]:
    """The colours of the bodies of all counters that belong to the side."""
    found = page.locator("svg.board .counter").evaluate_all(_BODIES)
    return [hue(colour) for colour in map(_read, found) if hue(colour) in _GERMAN]


_BODIES = "counters => counters.flatMap(each => [...each.children]).map(part => getComputedStyle(part).fill)"
_GERMAN = {hue(colours.colours_of_sides[0].pale) for colours in (DEFAULT, DARK)}


def _read(fill: str) -> Colour:
    red, green, blue = (int(level) for level in re.findall(r"\d+", fill)) if fill != "none" else (0, 0, 0)
    return red, green, blue


def test_chosen_colours_stay_on_any_device(site: Site) -> None:
    page = site.visit("Model", scheme="dark")
    page.goto(site.here("board/"))
    page.get_by_role("link", name="Default", exact=True).click()
    expect(page.locator("svg.board image")).to_have_attribute("href", re.compile("colours=default"))
    assert set(inks(page)) == {hue(DEFAULT.colours_of_sides[0].pale)}
    page.get_by_role("link", name="Like your device").click()
    expect(page.locator("svg.board foreignObject")).to_be_attached()
