"""Text that could not be submitted: shown, kept as a draft, and offered again."""

import re

import pytest

from campaign.models import Phase
from gm.machine.sweeper import sweep
from orders.models import Draft, Sheet
from orders.selectors import DRAFTS_SHOWN
from tests.gm.campaigns import Clock, live
from tests.web.conftest import ANONYMOUS, Cast
from tests.web.sheets.test_sheet import fields, post

pytestmark = pytest.mark.django_db

COMMANDER = "german commander"


def test_a_text_that_is_submitted_after_the_sign_in_expired_is_shown(cast: Cast) -> None:
    response = post(cast, ANONYMOUS, text="HOLD 1 SS\n<b>")
    page = response.content.decode()
    assert response.status_code == 403
    assert "HOLD 1 SS\n&lt;b&gt;</textarea>" in page
    assert f"/account/login/?next={cast.address('orders/HQ/')}" in page
    assert not Sheet.objects.exists()
    assert not Draft.objects.exists()


def test_that_page_says_nothing_about_what_exists(cast: Cast) -> None:
    there = post(cast, ANONYMOUS, text="HOLD 1 SS").content.decode()
    form = fields(cast, text="HOLD 1 SS")
    absent = cast.browser(ANONYMOUS).post("/c/nowhere/orders/Nothing/", form).content.decode()
    here, nowhere = re.escape(cast.address("orders/HQ/")), "/c/nowhere/orders/Nothing/"
    csrf = r'"X-CSRFToken": "\w+"'
    assert re.sub(f"{csrf}|{nowhere}", "", absent) == re.sub(f"{csrf}|{here}", "", there)


def test_without_a_text_the_way_leads_to_the_sign_in(cast: Cast) -> None:
    response = post(cast, ANONYMOUS)
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/account/login/?next=")


def test_a_draft_of_a_phase_that_closed_is_shown_to_its_writer_for_some_days(cast: Cast, time: Clock) -> None:
    cast.browser(COMMANDER).post(cast.address("orders/HQ/draft/"), fields(cast, text="HOLD 1 SS"))
    post(cast, "german deputy", text="READY", key="theirs")
    sweep(worker="one")
    assert Phase.objects.exclude(pk=live(cast.campaign).pk).filter(key="german_sheet").exists()
    shown = "HOLD 1 SS</textarea>"
    page = cast.browser(COMMANDER).get(cast.address("orders/HQ/")).content.decode()
    assert "was not submitted before that phase closed" in page
    assert shown in page
    for other in ("german deputy", "german staff", "allied commander", "gm"):
        assert shown not in cast.browser(other).get(cast.address("orders/HQ/")).content.decode(), other
    time.now += DRAFTS_SHOWN
    time.forward(minutes=1)
    assert shown not in cast.browser(COMMANDER).get(cast.address("orders/HQ/")).content.decode()


def test_the_page_says_whether_the_server_has_its_text(cast: Cast) -> None:
    """The script that keeps text in the browser goes by it."""
    browser = cast.browser(COMMANDER)
    assert "data-posted" not in browser.get(cast.address("orders/HQ/")).content.decode()
    checked = post(cast, COMMANDER, act="check", text="HOLD 1 SS").content.decode()
    assert "data-posted" in checked
    assert "data-saved" not in checked
    post(cast, "german deputy", text="HOLD 2 Pz", key="theirs")
    outdated = post(cast, COMMANDER, text="HOLD 1 SS").content.decode()
    assert "data-posted" in outdated
    assert "data-saved" in outdated, "as a draft"


def test_every_page_names_its_reader_to_the_script_that_clears_the_text_of_others(cast: Cast) -> None:
    assert 'data-person="german commander"' in cast.browser(COMMANDER).get("/").content.decode()
    assert "data-person" not in cast.browser(ANONYMOUS).get("/").content.decode()


def test_signing_out_clears_what_the_browser_keeps(cast: Cast) -> None:
    assert cast.browser(COMMANDER).post("/account/logout/").headers["Clear-Site-Data"] == '"cache", "storage"'
