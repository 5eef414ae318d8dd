"""A browser for everybody of the demonstration, and what it complains of."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from campaign.models import User
from campaign.people.memberships import entrance_link
from deploy.settings import SQLITE
from gm.demo import CAMPAIGN, stand
from tests.browser import CHROMIUM
from tests.gm.campaigns import live, miss
from tests.kept import kept

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
    complaints: list[str] = field(default_factory=list)
    """What browsers wrote into their consoles."""
    contexts: list[BrowserContext] = field(default_factory=list)

    def visit(self, name: str, *, viewport: dict[str, int] = DESK, scheme: str = "light") -> Page:
        """A new browser that this person signed in by a one-time link."""
        context = self.browser.new_context(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        link = entrance_link(User.objects.get(username=name))
        page.goto(link.replace(settings.SITE_URL, self.address))
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_load_state()
        return page

    def here(self, rest: str = "") -> str:
        return f"{self.address}/c/{CAMPAIGN}/{rest}"

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)


@pytest.fixture
def site(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """The German sheet of the demonstration's third day; whatever a console complains of fails the test."""
    kept("third day", lambda: miss(live(stand(lambda _line: None).campaign)), timeless=True)
    opened = Site(str(live_server), browser)
    yield opened
    for context in opened.contexts:
        context.close()
    assert opened.complaints == []
