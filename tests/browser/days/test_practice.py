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
from tests.browser.days.newcomers import MOST_WORDS, PHONE, Newcomer, submits

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


ST_VITH, RACE = "St. Vith, December 1944", "Race to the Meuse"


@pytest.mark.parametrize(
    ("scenario", "side", "phase", "viewport", "scheme"),
    [
        (ST_VITH, "German", "german_sheet", DESK, "light"),
        (ST_VITH, "German", "german_sheet", PHONE, "dark"),
        (ST_VITH, "Allied", "allied_sheet", PHONE, "light"),
        (RACE, "German", "surprise", DESK, "dark"),
        (RACE, "Allied", "surprise", PHONE, "light"),
    ],
    ids=["German desk", "German phone", "Allied phone", "race German desk", "race Allied phone"],
)
def test_from_the_practice_button_to_an_accepted_movement_sheet(
    empty: Site, scenario: str, side: str, phase: str, viewport: dict[str, int], scheme: str
) -> None:
    newcomer = Newcomer(empty.visit("Newcomer", viewport=viewport, scheme=scheme))
    newcomer.press("Start a practice campaign")
    newcomer.page.get_by_label(f"{scenario}: {side}").check()
    newcomer.press("Start")
    expect(newcomer.page.get_by_role("status")).to_be_visible(timeout=30_000)
    for _ in range(2 if phase == "allied_sheet" else 1):
        sweep(worker="one")
    newcomer.press("Open this sheet")
    submits(newcomer)
    assert newcomer.words <= MOST_WORDS, newcomer.read
    for _ in range(3):
        sweep(worker="one")
    expect(newcomer.page.get_by_role("status").filter(has_text="is resolving")).to_have_count(0, timeout=30_000)
    assert Phase.objects.filter(key=phase, state=PhaseState.PUBLISHED).exists()
