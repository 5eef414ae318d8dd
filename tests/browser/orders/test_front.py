"""A whole front of the large scenario by taps: each unit with two, and found by the button for the next one."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from campaign.core import clock
from campaign.game.loading import find_scenario
from campaign.models import Membership, Role
from campaign.people.accounts import new_person
from campaign.services import create_campaign
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.browser.conftest import Site
from tests.browser.orders import test_day
from tests.browser.orders.test_board import Board
from tests.browser.orders.test_day import orders
from tests.gm.campaigns import UNREVIEWED, live, miss

pytestmark = pytest.mark.django_db(transaction=True)

UNITS, ACTIONS = 24, 72
"""All that may move on the first day, with three actions each: forty units would take 120."""
WHO = "German commander"


@pytest.fixture
def front(live_server: LiveServer, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The first German sheet of the large scenario, for somebody who taps faster than people do."""
    monkeypatch.setattr(settings, "SHEETS_PER_MINUTE", 0)
    cache.clear()
    gm = new_person("Umpire", email="umpire@example.org")
    campaign = create_campaign(
        slug="front",
        title="A front by taps",
        scenario=find_scenario("forum_campaign/ardennes-1944"),
        handling=UNREVIEWED,
        options={"battles": "automatic"},
        founder=gm,
    )
    sweep(worker="one")
    person = new_person(WHO, email="german@example.org")
    Membership.objects.create(campaign=campaign, user=person, role=Role.COMMANDER, side="german", joined_at=clock.now())
    while live(campaign).key != "german_sheet":
        miss(live(campaign))
    site = Site(str(live_server), browser)
    yield site
    for context in site.contexts:
        context.close()
    assert site.complaints == []


def test_all_units_of_a_front_are_ordered_by_taps(front: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_day, "UNITS", UNITS + 1)
    board = Board(front.visit(WHO))
    board.page.goto(f"{front.address}/c/front/orders/HQ/")
    done = orders(board)
    board.press("Submit as READY")
    expect(board.page.get_by_text("Received as version 1.")).to_be_visible()
    print(f"actions {WHO.replace(' ', '-')} orders-for-{done}-units {board.taps}")  # noqa: T201 - a figure that is asked for
    assert done == UNITS
    assert len({line.split(" to ")[0] for line in Sheet.objects.get().text.splitlines() if line != "READY"}) == UNITS
    assert board.taps < ACTIONS
