"""An archive as it is used: asked for on its page, unpacked, and opened from disk in a browser without a connection."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from archive.models import Archive
from campaign.engine.values.ids import GM
from campaign.models import User
from campaign.viewers import viewer_of
from gm.demo import CAMPAIGN, stand
from gm.desk.closing import concede
from gm.machine.sweeper import sweep
from tests.archive.private import COMMANDERS, canaries, canary, play_with_secrets
from tests.browser.conftest import DESK, PHONE, Site, opened_site, width
from tests.kept import kept

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = {".html", ".txt", ".md", ".csv", ".json", ".jsonl", ".py", ".css"}
_NOTHING_LOADED = {"resultTypes": ["violations"], "preload": False}
"""A page from disk may not read its style sheet, as axe would."""
ALL_LOADED = "() => [...document.images].every(each => each.complete && each.naturalWidth > 0)"


@pytest.fixture
def played(live_server: LiveServer, browser: Browser, settings: Settings, tmp_path: Path) -> Iterator[Site]:
    """The demonstration, played on until each side has sent a sheet of its third day."""
    settings.ARCHIVES = tmp_path / "archives"
    kept("a third day with secrets", _played, timeless=True)
    yield from opened_site(live_server, browser)


def _played() -> None:
    play_with_secrets(stand(lambda _line: None).campaign)


@dataclass
class Opened:
    """An unpacked archive in a browser that has no connection."""

    folder: Path
    page: Page
    requests: set[str] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    """The pages, by their address in the archive."""
    faults: dict[tuple[str, str], object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.page.context.set_offline(True)
        self.page.on("request", lambda request: self.requests.add(request.url))

    def reads_everything(self) -> None:
        """Open the first page, and follow every link to a page; other links lead to files that are there."""
        waiting = [self.folder / "index.html"]
        while waiting:
            path = waiting.pop()
            here = path.relative_to(self.folder).as_posix()
            if here in self.visited:
                continue
            self.visited.add(here)
            self.page.goto(path.as_uri())
            self._looks_at_pictures(here)
            waiting += [each for each in self._linked() if each.suffix == ".html"]

    def _linked(self) -> Iterator[Path]:
        """The files that a page links to."""
        links = self.page.eval_on_selector_all("a[href]", "all => all.map(each => each.href.split('#')[0])")
        for link in set(links):
            if link.startswith("file:"):
                path = Path(link.removeprefix("file://"))
                assert path.is_file(), (self.page.url, link)
                assert path.is_relative_to(self.folder), (self.page.url, link)
                yield path

    def _looks_at_pictures(self, here: str) -> None:
        self.page.evaluate("document.querySelectorAll('img').forEach(each => { each.loading = 'eager' })")
        self.page.wait_for_function(ALL_LOADED)
        assert self.page.locator("h1").first.is_visible(), here

    def is_fit(self, here: str, viewport: dict[str, int]) -> None:
        """A page, for those who cannot see it well and for this width, in light and in the dark."""
        self.page.set_viewport_size(viewport)  # type: ignore[arg-type]
        self.page.emulate_media(reduced_motion="reduce")  # colours that fade into each other have no contrast
        self.page.goto((self.folder / here).as_uri())
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            violations = Axe().run(self.page, options=_NOTHING_LOADED).response["violations"]
            if violations:
                self.faults[here, scheme] = [(each["id"], each["nodes"][0]["html"][:120]) for each in violations]
        if width(self.page) > viewport["width"]:
            self.faults[here, "width"] = width(self.page)

    def texts(self) -> str:
        """All words in it."""
        files = (path for path in sorted(self.folder.rglob("*")) if path.suffix in TEXTS)
        return "\n".join(path.read_text(encoding="utf-8") for path in files)

    def files(self, name: str) -> set[str]:
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob(name)}


def asked_for(site: Site, name: str, heading: str, folder: Path) -> Opened:
    """Somebody asks for an archive on its page, downloads and unpacks it."""
    page = site.visit(name)
    page.goto(site.here("archive/"))
    section = page.get_by_role("region", name=heading)
    section.get_by_role("button", name="Make the archive").click()
    expect(section.get_by_text("It begins in a moment.")).to_be_visible()
    while Archive.objects.filter(ready_at=None, failed_at=None).exists():
        sweep(worker="one")
    with page.expect_download() as download:
        section.get_by_role("button", name="Download").click()
    with ZipFile(download.value.path()) as packed:
        packed.extractall(folder)
    (top,) = folder.iterdir()
    return Opened(top, site.stranger())


def moves(picture: Locator) -> bool:
    """Whether a picture on a page is another one within its first frames."""
    picture.scroll_into_view_if_needed()
    first = picture.screenshot()
    for _ in range(40):
        picture.page.wait_for_timeout(250)
        if picture.screenshot() != first:
            return True
    return False


def found(words: Collection[str], text: str) -> list[str]:
    return [word for word in words if word in text]


def test_a_sides_archive_is_read_from_disk_and_has_no_word_of_the_other(played: Site, tmp_path: Path) -> None:
    opened = asked_for(played, "Model", "As the Germans received it", tmp_path / "unpacked")
    opened.reads_everything()
    assert opened.visited == opened.files("*.html")
    assert opened.requests
    assert [url for url in opened.requests if not url.startswith(opened.folder.as_uri() + "/")] == []
    text = opened.texts()
    own = canaries("german", kinds=("note", "remark", "preface"))
    assert found(own, text) == own, "what they wrote and received themselves is there"
    assert found([*canaries("allied"), canary(GM, "preface"), "@demo.invalid"], text) == []
    opened.page.goto((opened.folder / "index.html").as_uri())
    assert moves(opened.page.locator("img[src='replay.webp']"))
    opened.page.get_by_role("link", name="German movement and attacks", exact=True).first.click()
    opened.page.get_by_role("link", name="Animation of this phase").click()
    assert moves(opened.page.locator("img"))


def test_the_whole_is_read_from_disk_after_the_end_and_has_no_word_that_stays_shut(
    played: Site, tmp_path: Path
) -> None:
    concede(viewer_of(User.objects.get(username="Model"), CAMPAIGN))
    opened = asked_for(played, "Hodges", "The whole campaign, as all received it", tmp_path / "unpacked")
    opened.reads_everything()
    assert opened.visited == opened.files("*.html")
    assert [url for url in opened.requests if not url.startswith(opened.folder.as_uri() + "/")] == []
    text = opened.texts()
    orders = canaries(*COMMANDERS, kinds=("remark",))
    assert found(orders, text) == orders
    shut = canaries(*COMMANDERS, kinds=("note", "preface", "draft", "comment", "question"))
    assert found([*shut, canary(GM, "preface"), "@demo.invalid"], text) == []
    for side in COMMANDERS:
        opened.page.goto((opened.folder / side / "index.html").as_uri())
        assert moves(opened.page.locator("img[src='replay.webp']"))
    phase = sorted(opened.files("index.html"))[-2]
    for here in ("index.html", "german/index.html", phase, "rules.html", "dice/index.html", "statistics.html"):
        opened.is_fit(here, PHONE)
        opened.is_fit(here, DESK)
    assert opened.faults == {}
