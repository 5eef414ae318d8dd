"""Destinations as they are used: a game master adds one, tests it and decides about a post; a player sets a webhook."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from campaign.core import clock
from campaign.models import Phase, PhaseState
from posting.models import DispatchState, ThreadPost
from posting.writing import write_posts
from tests.browser.conftest import DESK, PHONE, Site
from tests.posting.forums import DiscordServer, DiscourseServer

pytestmark = pytest.mark.django_db(transaction=True)

PLAYER, GM = "Model", "Umpire"


@pytest.fixture
def discourse(settings: Any) -> Iterator[DiscourseServer]:
    server = DiscourseServer()
    settings.POSTING_HOSTS = [*settings.POSTING_HOSTS, server.host]
    yield server
    server.close()


@pytest.fixture
def discord(settings: Any) -> Iterator[DiscordServer]:
    server = DiscordServer()
    settings.POSTING_HOSTS = [*settings.POSTING_HOSTS, server.host]
    yield server
    server.close()


def faults_of(page: Page) -> list[Any]:
    """What is wrong with a page for those who cannot see it well, and whether it is too wide."""
    found = Axe().run(page, context="main")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [
        *((each["id"], each["nodes"][0]["html"][:100]) for each in found.response["violations"]),
        *([wide] * (wide > 0)),
    ]


def adds(page: Page, forum: DiscourseServer) -> None:
    page.get_by_label("For", exact=True).select_option("german")
    page.get_by_label("Address").fill(forum.address)
    page.get_by_label("Number of the thread").fill(forum.thread)
    page.get_by_label("Posts as").fill(forum.acts_as)
    page.get_by_label("API key").fill(forum.secret)
    page.get_by_role("button", name="Add destination").click()


def posts_in_every_state(site: Site) -> None:
    """The newest published phase posts, and something different became of each part."""
    now = clock.now()
    for phase in Phase.objects.filter(campaign__slug=site.slug, state=PhaseState.PUBLISHED).order_by("no")[:6]:
        write_posts(phase, now=now)
    for post, state in zip(ThreadPost.objects.order_by("pk"), DispatchState.values, strict=False):
        trouble = "" if state == "sent" else "Refused: 403 Not permitted. Check what the key may do."
        ThreadPost.objects.filter(pk=post.pk).update(
            state=state, sent_at=now, next_at=None, remote_id="7", trouble=trouble
        )


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_game_master_adds_and_tests_a_destination(
    site: Site, discourse: DiscourseServer, scheme: str, viewport: dict[str, int]
) -> None:
    gm = site.visit(GM, viewport=viewport, scheme=scheme)
    gm.goto(site.here("desk/"))
    gm.get_by_role("link", name="Forum destinations").click()
    faults = {"empty": faults_of(gm)}
    adds(gm, discourse)
    expect(gm.get_by_text("Destination 1 is added.")).to_be_visible()
    gm.get_by_role("button", name="Test destination 1").click()
    expect(gm.get_by_text("Test of destination 1: Deleted.")).to_be_visible()
    faults["tested"] = faults_of(gm)
    posts_in_every_state(site)
    gm.reload()
    faults["posts"] = faults_of(gm)
    gm.get_by_role("button", name="It is there").first.click()
    expect(gm.get_by_text("Noted: the post is on the forum.")).to_be_visible()
    assert {where: found for where, found in faults.items() if found} == {}


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_player_sets_a_webhook(site: Site, discord: DiscordServer, scheme: str, viewport: dict[str, int]) -> None:
    page = site.visit(PLAYER, viewport=viewport, scheme=scheme)
    page.goto(f"{site.address}/profile/")
    page.get_by_role("link", name="Your turn on Discord").click()
    faults = {"empty": faults_of(page)}
    page.get_by_label("Address of the webhook").fill(f"{discord.address}/{discord.secret}")
    page.get_by_role("button", name="Test and save").click()
    expect(page.get_by_text("Saved. A test is in your channel.")).to_be_visible()
    faults["set"] = faults_of(page)
    page.get_by_role("button", name="Remove the webhook").click()
    expect(page.get_by_text("Removed.")).to_be_visible()
    assert {where: found for where, found in faults.items() if found} == {}
