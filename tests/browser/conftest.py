"""A browser for everybody of the demonstration, and what it complains of."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from campaign.core import clock
from campaign.models import Membership, Role, User
from campaign.people.accounts import new_person
from campaign.people.entrances import entrance_link
from deploy.settings import SQLITE
from gm.demo import CAMPAIGN, stand
from gm.machine.sweeper import sweep
from tests.browser import CHROMIUM
from tests.gm.campaigns import live, miss, new_campaign, opened, send_demo_sheets, sunny_campaign
from tests.kept import kept
from tests.web.conftest import gathered

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in the tests' thread

_QUIET = ["--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update"]
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The database is a file, as on a real site: one in memory refuses threads that write and read at once."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] == SQLITE:
        database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "fieldpost.sqlite3")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=_QUIET)
        yield chromium
        chromium.close()


@dataclass
class Site:
    """The demonstration on a server of its own."""

    address: str
    browser: Browser
    slug: str = CAMPAIGN
    complaints: list[str] = field(default_factory=list)
    """What browsers wrote into their consoles."""
    contexts: list[BrowserContext] = field(default_factory=list)

    def visit(self, name: str, *, viewport: dict[str, int] = DESK, scheme: str = "light") -> Page:
        """A new browser that this person signed in by a one-time link."""
        page = self.stranger(viewport=viewport, scheme=scheme)
        link = entrance_link(User.objects.get(username=name))
        page.goto(link.replace(settings.SITE_URL, self.address))
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_load_state()
        return page

    def stranger(self, *, viewport: dict[str, int] = DESK, scheme: str = "light") -> Page:
        """A new browser in which nobody is signed in."""
        context = self.browser.new_context(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def here(self, rest: str = "") -> str:
        return f"{self.address}/c/{self.slug}/{rest}"

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)


@pytest.fixture
def site(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """The German sheet of the demonstration's third day; whatever a console complains of fails the test."""
    kept("third day", lambda: miss(live(stand(lambda _line: None).campaign)), timeless=True)
    yield from opened_site(live_server, browser)


@pytest.fixture
def morning(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """The air sheets of a sunny day, with a commander on each side."""
    kept("sunny morning of two", _sunny, timeless=True)
    yield from opened_site(live_server, browser, slug="c14")


def _sunny() -> None:
    campaign = sunny_campaign()
    for name, side in (("Model", "german"), ("Hodges", "allied")):
        user = new_person(name, email=f"{name.lower()}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side=side, joined_at=clock.now())


@pytest.fixture
def battlefield(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """The first German battles, before their results, with everybody who plays."""
    kept("battlefield", _fought_over, timeless=True)
    yield from opened_site(live_server, browser, slug="bulge")


def _fought_over() -> None:
    campaign = new_campaign()
    opened(campaign)
    gathered(campaign, clock.now())
    send_demo_sheets(live(campaign), User.objects.get(username="german commander"))
    sweep(worker="one")


def opened_site(live_server: LiveServer, browser: Browser, slug: str = CAMPAIGN) -> Iterator[Site]:
    site = Site(str(live_server), browser, slug)
    yield site
    for context in site.contexts:
        context.cookies()  # what pages have complained of arrives before this answer
    complaints = list(site.complaints)
    for context in site.contexts:
        context.close()  # it cuts off requests, of which pages complain
    assert complaints == []


def width(page: Page) -> int:
    """The width of the whole page, in CSS pixels, however narrow the window is."""
    return int(page.evaluate("document.documentElement.scrollWidth"))
