"""A newcomer's way from the invitation to an accepted movement sheet, with nothing read but what is on the way."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.core.cache import cache
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.core import clock
from campaign.game.loading import find_scenario
from campaign.models import Campaign, OutboxMessage, Phase, Role
from campaign.people.accounts import new_person
from campaign.people.memberships import invitation_link, invite
from campaign.services import create_campaign
from campaign.viewers import gm_viewer
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.browser.conftest import DESK, Site
from tests.browser.test_pages import width
from tests.gm.campaigns import UNREVIEWED, live, miss
from tests.mails import plain_text_of

pytestmark = pytest.mark.django_db(transaction=True)

MOST_WORDS = 300
PHONE = {"width": 375, "height": 667}

READ = """
(button) => {
  const main = document.querySelector("main"), range = document.createRange();
  range.setStart(main, 0);
  range.setEndAfter(button);
  const words = [], walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const shown = node.parentElement.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
    if (shown && range.intersectsNode(node) && node.parentElement.tagName !== "TEXTAREA") words.push(node.data);
  }
  return words.join(" ");
}
"""
"""What a page shows from its top down to a button, with the button; the names of fields too."""


@dataclass
class Newcomer:
    """Somebody who does what the pages say, and what they have read."""

    page: Page
    read: list[str] = field(default_factory=list)

    def press(self, name: str, *, role: str = "button") -> None:
        """Read a page down to a button or link, and press it."""
        button = self.page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
        self._reads(button)
        button.click()
        self.page.wait_for_load_state()

    def sees(self, text: str) -> None:
        """Read a page down to these words."""
        found = self.page.get_by_text(text).first
        expect(found).to_be_visible()
        self._reads(found)

    def _reads(self, until: Locator) -> None:
        assert width(self.page) <= (self.page.viewport_size or DESK)["width"], self.page.url
        self.read.append(until.evaluate(READ))

    @property
    def words(self) -> int:
        """How many: what a reader would count, so no # and no dash."""
        return sum(len(re.findall(r"\w[\w’'./-]*", text)) for text in self.read)


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


def submits(newcomer: Newcomer) -> None:
    """Submit the sheet of the open page unchanged; every line of it is accepted."""
    expect(newcomer.page.locator("#answer")).to_contain_text("every line accepted")
    newcomer.press("Submit as READY")
    newcomer.sees("Received as version 1.")
    sheet = Sheet.objects.get(author__username="Newcomer")
    assert sheet.ready
    assert "MOVE" in sheet.text


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
