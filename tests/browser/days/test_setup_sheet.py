"""The brief of a battle on paper: one page of A4, black on white, with nothing else of the battle's page."""

import re

import pytest
from playwright.sync_api import Page

from campaign.models import Phase, PhaseState
from tests.browser.conftest import PHONE, Site

pytestmark = pytest.mark.django_db(transaction=True)


def pages_of(page: Page) -> int:
    """The number of sheets of paper that a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def fought_again(no: int) -> None:
    """Let the campaign stand in an earlier phase, with its battles."""
    Phase.objects.filter(no__gt=no).update(state=PhaseState.WITHDRAWN)
    Phase.objects.filter(no=no).update(state=PhaseState.OPEN)


def test_the_largest_battles_of_the_demonstration_are_printed_on_one_page_each(site: Site) -> None:
    """Three attackers in one, positions and all kinds of support in the other. The GM's has the units of both sides."""
    readers = {name: site.visit(name) for name in ("Umpire", "Model", "Hodges")}
    for no, key in ((10, "S18"), (8, "P20")):
        fought_again(no)
        for name, page in readers.items():
            page.goto(site.here(f"battles/{key}/"))
            assert page.get_by_role("heading", name="Setting it up").is_visible()
            assert pages_of(page) == 1, (key, name)


@pytest.mark.parametrize("viewport", [None, PHONE])
def test_the_printed_brief_is_alone_and_black_on_white_also_from_a_dark_screen(
    battlefield: Site, viewport: dict[str, int] | None
) -> None:
    page = battlefield.visit("german commander", scheme="dark", **({"viewport": viewport} if viewport else {}))
    page.goto(battlefield.here("battles/K16/"))
    assert page.get_by_role("button", name="Submit the report").is_visible()
    page.emulate_media(media="print")
    for shown in ("Battle of Clervaux (K16)", "The field", "Setting it up", "Your 2 Pz", "Reporting the result"):
        assert page.get_by_role("heading", name=shown).is_visible(), shown
    assert page.get_by_role("heading", name="Report the result", exact=True).count() == 0
    assert page.get_by_role("link", name="All battles of this phase").count() == 0
    colours = page.evaluate(_COLOURS)
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


_COLOURS = """() => [
  getComputedStyle(document.querySelector(".setup td")).color,
  getComputedStyle(document.body).backgroundColor,
]"""
