"""Archives that members ask for on a page."""

from datetime import timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.test import Client
from pytest_django import Settings

from archive import editions, jobs
from archive.models import Archive
from campaign.models import Membership
from gm.machine.sweeper import sweep
from tests.gm.campaigns import Clock, live, miss
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

HERE = "archive/"


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(editions, "animate", lambda *_: b"moving")
    settings.ARCHIVES = tmp_path / "archives"
    return tmp_path / "archives"


def ask(cast: Cast, who: str, audience: str) -> int:
    return int(cast.browser(who).post(cast.address(HERE), {"audience": audience}).status_code)


def fetch(browser: Client, cast: Cast, audience: str) -> tuple[int, bytes]:
    response = browser.get(cast.address(f"archive/{audience}.zip"))
    return response.status_code, b"".join(response.streaming_content) if response.streaming else b""  # type: ignore[attr-defined]


def make() -> None:
    while Archive.objects.filter(ready_at=None, failed_at=None).exists():
        sweep(worker="one")


def test_a_member_asks_for_it_and_downloads_it(cast: Cast, tmp_path: Path) -> None:
    assert ask(cast, "german staff", "german") == 302
    page = cast.browser("german staff").get(cast.address(HERE)).content.decode()
    assert "It begins in a moment." in page
    make()
    browser = cast.browser("german staff")
    assert "Download" in browser.get(cast.address(HERE)).content.decode()
    status, content = fetch(browser, cast, "german")
    assert status == 200
    (tmp_path / "got.zip").write_bytes(content)
    with ZipFile(tmp_path / "got.zip") as got:
        assert got.testzip() is None
        assert "bulge-german/index.html" in got.namelist()
        assert all(name.startswith("bulge-german/") for name in got.namelist())


@pytest.mark.parametrize(
    ("who", "audience", "status"),
    [
        ("german commander", "allied", 404),
        ("german commander", "gm", 404),
        ("german commander", "nobody", 404),
        ("spectator", "german", 404),
        ("spectator", "public", 302),
        ("gm", "allied", 302),
        (OUTSIDER, "public", 404),
        (ANONYMOUS, "public", 302),
    ],
)
def test_nobody_has_more_archived_than_they_may_read(cast: Cast, who: str, audience: str, status: int) -> None:
    assert ask(cast, who, audience) == status
    allowed = status == 302 and who != ANONYMOUS
    assert Archive.objects.exists() == allowed


def test_one_that_is_not_there_looks_like_one_that_is_not_theirs(cast: Cast) -> None:
    ask(cast, "german commander", "german")
    make()
    browsers = [cast.browser(who) for who in ("german staff", "allied commander")]
    answers = [browser.get(cast.address("archive/german.zip")) for browser in browsers]
    assert [answer.status_code for answer in answers] == [404, 404]
    absent = browsers[1].get(cast.address("archive/nobody.zip"))
    assert (absent.status_code, absent.content) == (404, answers[1].content)


def test_who_has_left_or_changed_sides_has_it_no_longer(cast: Cast) -> None:
    ask(cast, "german commander", "german")
    make()
    browser = cast.browser("german commander")
    assert fetch(browser, cast, "german")[0] == 200
    Membership.objects.filter(user__username="german commander").update(side="allied")
    assert fetch(browser, cast, "german")[0] == 404
    assert "Download" not in browser.get(cast.address(HERE)).content.decode()


def test_it_is_made_in_pieces_and_other_work_goes_on(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PIECE", -1.0)
    ask(cast, "gm", "public")
    sweep(worker="one")
    begun = Archive.objects.get()
    assert (begun.done, begun.ready_at) == (0, None)
    assert begun.total > 10
    assert f"0 of {begun.total} files are made." in cast.browser("gm").get(cast.address(HERE)).content.decode()
    monkeypatch.setattr(jobs, "PIECE", 60.0)
    make()
    assert Archive.objects.get().ready_at is not None


def test_a_publication_meanwhile_is_in_it(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    ask(cast, "gm", "public")
    monkeypatch.setattr(jobs, "PIECE", -1.0)
    sweep(worker="one")
    before = Archive.objects.get().holds
    miss(live(cast.campaign))
    monkeypatch.setattr(jobs, "PIECE", 60.0)
    make()
    archive = Archive.objects.get()
    assert archive.holds != before
    with ZipFile(Path(str(jobs._zip(archive)))) as got:
        made = [name for name in got.namelist() if name.endswith("german-sheet/index.html")]
    assert len(made) == 1


def test_what_goes_wrong_is_told_and_can_be_tried_again(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(cast, "gm", "public")
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "zip_folder", lambda *_, **__: 1 / 0)
        make()
    assert "could not be made" in cast.browser("gm").get(cast.address(HERE)).content.decode()
    assert ask(cast, "gm", "public") == 302
    make()
    assert fetch(cast.browser("gm"), cast, "public")[0] == 200


def test_it_is_kept_for_a_week(cast: Cast, time: Clock, folder: Path) -> None:
    ask(cast, "gm", "public")
    make()
    assert list(folder.iterdir())
    (folder / "of-nobody.zip").write_bytes(b"")
    time.forward(days=6)
    sweep(worker="one")
    assert [path.suffix for path in folder.iterdir()] == [".zip"]
    assert fetch(cast.browser("gm"), cast, "public")[0] == 200
    time.forward(days=1, hours=1)
    sweep(worker="one")
    assert list(folder.iterdir()) == []
    assert fetch(cast.browser("gm"), cast, "public")[0] == 404
    assert "Make the archive" in cast.browser("gm").get(cast.address(HERE)).content.decode()


def test_only_so_many_an_hour(cast: Cast) -> None:
    browser = cast.browser("gm")
    statuses = [browser.post(cast.address(HERE), {"audience": "public"}).status_code for _ in range(13)]
    assert statuses == [302] * 12 + [429]


def test_two_workers_do_not_make_the_same_one(cast: Cast, time: Clock) -> None:
    ask(cast, "gm", "public")
    Archive.objects.update(claimed_until=time.now + timedelta(minutes=1))
    assert jobs.make_due(time.now) == 0
    time.forward(minutes=2)
    assert jobs.make_due(time.now) == 1
