"""The way from the practice button to an accepted movement sheet, with nothing read but what is on the way."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from campaign.models import Phase, PhaseState
from campaign.people.accounts import new_person
from gm.machine.sweeper import sweep
from tests.browser.conftest import DESK, Site
from tests.browser.newcomers import MOST_WORDS, PHONE, Newcomer, submits

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def empty(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """A site on which somebody has just signed up, and nothing is played yet."""
    cache.clear()
    new_person("Newcomer", email="newcomer@example.org")
    site = Site(str(live_server), browser)
    yield site
    for context in site.contexts:
        context.close()
    assert site.complaints == []


@pytest.mark.parametrize(
    ("side", "viewport", "scheme"),
    [("German", DESK, "light"), ("German", PHONE, "dark"), ("Allied", PHONE, "light")],
    ids=["German desk", "German phone", "Allied phone"],
)
def test_from_the_practice_button_to_an_accepted_movement_sheet(
    empty: Site, viewport: dict[str, int], side: str, scheme: str
) -> None:
    newcomer = Newcomer(empty.visit("Newcomer", viewport=viewport, scheme=scheme))
    newcomer.press("Start a practice campaign")
    newcomer.page.get_by_label(f"St. Vith, December 1944: {side}").check()
    newcomer.press("Start")
    expect(newcomer.page.get_by_role("status")).to_be_visible(timeout=30_000)
    for _ in range(2 if side == "Allied" else 1):
        sweep(worker="one")
    newcomer.press("Open this sheet")
    submits(newcomer)
    assert newcomer.words <= MOST_WORDS, newcomer.read
    for _ in range(3):
        sweep(worker="one")
    expect(newcomer.page.get_by_role("status").filter(has_text="is resolving")).to_have_count(0, timeout=30_000)
    assert Phase.objects.filter(key=f"{side.lower()}_sheet", state=PhaseState.PUBLISHED).exists()
