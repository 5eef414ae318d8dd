"""Desks through the API: drafts, versions with receipts, who reads them."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest

from campaign.core import clock
from campaign.models import Desk, Phase
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from orders.models import Draft, Sheet
from tests.api.asking import read, where, write
from tests.api.test_sheets import sheet
from tests.gm.campaigns import Clock, live
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

GERMAN = "german commander"


def draft(text: str, **more: Any) -> dict[str, Any]:
    return {"phase": "2.0", "text": text, "version": 0, **more}


def save(cast: Cast, body: dict[str, Any], who: str = GERMAN, desk: str = "HQ") -> Any:
    return write(cast, who, f"desks/{desk}/draft/", body, method="put")


def test_a_desk_has_its_newest_version_and_the_callers_own_draft(cast: Cast) -> None:
    assert read(cast, GERMAN, "desks/HQ/") == {
        "desk": {
            "desk": "HQ",
            "writes": True,
            "formations": None,
            "version": 0,
            "ready": False,
            "ready_at": None,
            "for_side": False,
            "waited_for": True,
        },
        "phase": "2.0",
        "text": "",
        "draft": None,
        "standing": [],
    }
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, "HOLD 1 SS", ready=True))
    kept = save(cast, draft("HOLD 12 SS", version=1)).json()
    said = read(cast, GERMAN, "desks/HQ/")
    assert (said["desk"]["version"], said["desk"]["ready"], said["text"]) == (1, True, "HOLD 1 SS\nREADY\n")
    assert said["draft"] == kept
    assert read(cast, "german deputy", "desks/HQ/")["draft"] is None, "drafts are their writer's alone"
    assert read(cast, "german staff", "desks/")[0] == {**said["desk"], "writes": False}


def test_desks_say_what_they_may_order(cast: Cast) -> None:
    holder = cast.member("german staff")
    Desk.objects.create(campaign=cast.campaign, side="german", name="Sixth", holder=holder, formations=["7th Army"])
    found = {each["desk"]: each for each in read(cast, "german staff", "desks/")}
    assert found["Sixth"] == {**found["Sixth"], "writes": True, "formations": ["7th Army"]}
    assert [each["desk"] for each in read(cast, "allied staff", "desks/")] == ["HQ"]


def test_a_draft_replaces_only_the_one_that_was_read(cast: Cast, time: Clock) -> None:
    first = save(cast, draft("one"))
    assert first.status_code == 200, first.content
    again = save(cast, draft("two"))
    assert (again.status_code, again.json()["error"]) == (409, "other-draft")
    time.now += timedelta(seconds=5)
    second = save(cast, draft("two", replaces=first.json()["saved_at"]))
    assert (second.status_code, second.json()["text"]) == (200, "two")
    stale = save(cast, draft("three", replaces=first.json()["saved_at"]))
    assert stale.status_code == 409
    assert Draft.objects.get().text == "two"
    assert save(cast, draft("mine"), who="german deputy").status_code == 200, "each writer has a draft of their own"


def test_a_draft_that_no_longer_fits_is_refused(cast: Cast) -> None:
    page = {"stop": 2, "rev": 0, "version": 0, "text": "HOLD 12 SS", "act": "send", "key": "x"}
    cast.browser(GERMAN).post(cast.address("orders/HQ/"), page)
    late = save(cast, draft("old"))
    assert (late.status_code, late.json()["error"], late.json()["newest"]) == (409, "outdated", 1)
    assert save(cast, draft("#" * 70_000, version=1)).status_code == 422
    assert save(cast, draft("x"), who="german staff").status_code == 404
    Phase.objects.filter(pk=live(cast.campaign).pk).update(deadline_at=clock.now())
    assert lock(live(cast.campaign).pk)
    closed = save(cast, draft("x", version=1))
    assert (closed.status_code, closed.json()["error"]) == (409, "closed")
    assert not Draft.objects.exists()


def test_every_version_has_its_receipt_and_says_whether_it_counted(cast: Cast) -> None:
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, "HOLD 1 SS\r\nHOLD 12 SS"))
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, "HOLD 12 SS", version=1), key="another")
    lines = read(cast, GERMAN, "desks/HQ/sheets/2.0/")
    assert [(each["version"], each["author"]) for each in lines] == [(2, GERMAN), (1, GERMAN)]
    Phase.objects.filter(pk=live(cast.campaign).pk).update(deadline_at=clock.now())
    assert lock(live(cast.campaign).pk)
    for nth, counted in ((1, False), (2, True)):
        said = read(cast, "german staff", f"desks/HQ/sheets/2.0/{nth}/")
        assert (said["version"], said["counted"], said["channel"]) == (nth, counted, "api")
        digest = hashlib.sha256(f"{said['text']}\n{said['nonce']}".encode()).hexdigest()
        assert digest == said["digest"] == Sheet.objects.get(version=nth).digest
    assert read(cast, GERMAN, "desks/HQ/sheets/2.0/1/")["text"] == "HOLD 1 SS\nHOLD 12 SS"


def test_a_version_that_counted_says_what_became_of_its_lines_once_they_are_published(cast: Cast) -> None:
    text = "# dawn\nMOVE 12 SS S22\nMOVE 12 SS S21\nHOLD 2 Pz\nREADY"
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, "HOLD 1 SS"))
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, text, version=1), key="another")
    assert read(cast, GERMAN, "desks/HQ/sheets/2.0/2/")["outcomes"] == []
    sweep(worker="one")
    assert Phase.objects.get(campaign=cast.campaign, no=2).state == "PUBLISHED"
    said = read(cast, "german staff", "desks/HQ/sheets/2.0/2/")["outcomes"]
    assert [(each["line"], each["text"], each["effect"]) for each in said] == [
        (2, "MOVE 12 SS S22", "done"),
        (3, "MOVE 12 SS S21", "ignored"),
        (4, "HOLD 2 Pz", "accepted"),
        (5, "READY", "accepted"),
    ]
    assert "12 SS moves T22-S22" in said[0]["because"][0]["text"]
    assert read(cast, GERMAN, "desks/HQ/sheets/2.0/1/")["outcomes"] == []
    assert cast.browser("allied commander").get(where(cast, "desks/HQ/sheets/2.0/2/")).status_code == 404


@pytest.mark.parametrize("who", ["allied commander", "spectator", "german tactical", "gm", "outsider"])
def test_versions_are_their_sides_alone(cast: Cast, who: str) -> None:
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, "HOLD 1 SS"))
    browser, here = cast.browser(who), f"/api/v1/campaigns/{cast.campaign.slug}/desks/HQ/sheets/2.0/"
    theirs, nobodys = browser.get(f"{here}1/"), browser.get(f"{here}2/")
    assert (theirs.status_code, theirs.content) == (404, nobodys.content)
    listed = browser.get(here)
    assert listed.status_code == 404 or listed.json() == []


def test_nothing_is_withdrawn_where_nothing_is_submitted(cast: Cast) -> None:
    def withdraw(version: int, key: str) -> Any:
        return write(cast, GERMAN, "desks/HQ/withdrawals/", {"phase": "2.0", "version": version}, key=key)

    refused = withdraw(0, "one")
    assert (refused.status_code, refused.json()["error"]) == (409, "nothing-submitted")
    page = cast.browser(GERMAN).post(
        cast.address("orders/HQ/"), {"stop": 2, "rev": 0, "newest": 0, "act": "withdraw", "text": "my text", "key": "k"}
    )
    assert page.status_code == 409
    assert b"Nothing is submitted" in page.content
    assert b"my text" in page.content
    assert not Sheet.objects.exists()
    write(cast, GERMAN, "desks/HQ/sheets/", sheet(cast, "HOLD 1 SS"), key="two")
    outdated = withdraw(0, "three")
    assert (outdated.status_code, outdated.json()["error"]) == (409, "outdated")
    first, again = (withdraw(1, "four") for _ in range(2))
    assert (first.status_code, first.json()) == (200, again.json()), "a repeated request is the same one"
    assert withdraw(2, "five").status_code == 409
    assert Sheet.objects.count() == 2
