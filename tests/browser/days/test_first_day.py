"""A newcomer's way from the invitation to an accepted movement sheet, with nothing read but what is on the way."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from campaign.core import clock
from campaign.game.loading import find_scenario
from campaign.models import Campaign, OutboxMessage, Phase, Role
from campaign.people.accounts import new_person
from campaign.people.invitations import invitation_link, invite
from campaign.services import create_campaign
from campaign.viewers import gm_viewer
from gm.machine.sweeper import sweep
from tests.browser.conftest import DESK, Site
from tests.browser.days.newcomers import MOST_WORDS, PHONE, Newcomer, submits
from tests.gm.campaigns import UNREVIEWED, live, miss
from tests.mails import plain_text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lesson(live_server: LiveServer, browser: Browser) -> Iterator[tuple[Site, Campaign]]:
    """A campaign of the small scenario whose GM has invited both commanders; nobody has asked for codes yet."""
    cache.clear()
    gm = new_person("Umpire", email="umpire@example.org")
    campaign = create_campaign(
        slug="lesson",
        title="A first campaign",
        scenario=find_scenario("forum_campaign/st-vith-1944"),
        handling=UNREVIEWED,
        options={"battles": "automatic"},
        founder=gm,
    )
    sweep(worker="one")
    site = Site(str(live_server), browser)
    yield site, campaign
    for context in site.contexts:
        context.close()
    assert site.complaints == []


def arrives(site: Site, campaign: Campaign, side: str, viewport: dict[str, int], scheme: str) -> Newcomer:
    """Somebody new opens an invitation, signs up, joins, and is at the briefing."""
    gm = gm_viewer(campaign.memberships.get(role=Role.GM).user, campaign.slug)
    link = invitation_link(invite(gm, role=Role.COMMANDER, side=side, meant_for="", now=clock.now()))
    context = site.browser.new_context(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
    site.contexts.append(context)
    newcomer = Newcomer(context.new_page())
    newcomer.page.on("pageerror", lambda error: site.complaints.append(str(error)))
    newcomer.page.goto(link.replace(settings.SITE_URL, site.address))
    newcomer.press("I am new here")
    newcomer.page.get_by_label("Forum name").fill("Newcomer")
    newcomer.page.get_by_label("E-mail address").fill("newcomer@example.org")
    newcomer.press("Send code")
    expect(newcomer.page.get_by_label("Code")).to_be_visible()
    mail = OutboxMessage.objects.filter(user__username="Newcomer").latest("pk")
    (code,) = re.findall(r"^\s*(\S{5,})\s*$", plain_text_of(bytes(mail.message)), re.MULTILINE)[:1]
    newcomer.page.get_by_label("Code").fill(code)
    newcomer.press("Confirm")
    newcomer.press("Join as Newcomer")
    expect(newcomer.page).to_have_url(f"{site.address}/c/lesson/briefing/")
    return newcomer


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_german_newcomer_submits_a_movement_sheet(
    lesson: tuple[Site, Campaign], viewport: dict[str, int], scheme: str
) -> None:
    newcomer = arrives(*lesson, "german", viewport, scheme)
    newcomer.press("Open this sheet")
    submits(newcomer)
    assert newcomer.words <= MOST_WORDS, newcomer.read
    sweep(worker="one")
    assert Phase.objects.filter(key="german_sheet", state="PUBLISHED").exists(), "one player was enough to go on"


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_an_allied_newcomer_submits_one_when_the_germans_have_moved(
    lesson: tuple[Site, Campaign], viewport: dict[str, int]
) -> None:
    site, campaign = lesson
    newcomer = arrives(site, campaign, "allied", viewport, "light")
    newcomer.sees("You get a mail when you have orders to give.")
    while live(campaign).key != "allied_sheet":
        miss(live(campaign))
    newcomer.page.goto(f"{site.address}/c/lesson/briefing/")
    newcomer.press("Open this sheet")
    submits(newcomer)
    assert newcomer.words <= MOST_WORDS, newcomer.read
