"""No text is ever lost: sign-in expired, deadline passed, connection lost, submitted twice, back button."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from campaign.models import Phase, PhaseState, User
from campaign.people.entrances import entrance_link
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from orders.models import Draft, Sheet
from tests.browser.conftest import Site

pytestmark = pytest.mark.django_db(transaction=True)

COMMANDER, ANOTHER = "Model", "Krebs"
TEXT = "# kept in this browser\nALL OTHERS HOLD"
BACK_IN_THE_FIELD = "it is back in the field"


def opened(site: Site, who: str = COMMANDER) -> Page:
    page = site.visit(who)
    page.goto(site.here("orders/HQ/"))
    return page


def kept(page: Page) -> int:
    """The number of texts that the browser keeps."""
    count: int = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('fieldpost-unsent')).length")
    return count


def sign_in(site: Site, page: Page, who: str = COMMANDER) -> None:
    page.goto(entrance_link(User.objects.get(username=who)).replace(settings.SITE_URL, site.address))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def expire(page: Page) -> None:
    """The sign-in of a browser ends without its doing."""
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def drafts() -> list[str]:
    return list(Draft.objects.filter(author__username=COMMANDER).values_list("text", flat=True))


def sheets() -> list[str]:
    sent = Sheet.objects.filter(phase__state=PhaseState.OPEN, author__username=COMMANDER)
    return list(sent.order_by("version").values_list("text", flat=True))


def expected(site: Site, words: str) -> None:
    """What the console says of what was brought about here is no complaint."""
    assert any(words in each for each in site.complaints)
    site.complaints[:] = [each for each in site.complaints if words not in each]


def test_text_is_kept_until_the_server_has_it_and_no_longer(site: Site) -> None:
    page = opened(site)
    assert kept(page) == 0
    page.locator("#text").fill(TEXT)
    assert kept(page) == 1
    expect(page.locator("#kept")).to_contain_text("Draft saved at")
    assert (kept(page), drafts()) == (0, [TEXT])


def test_a_sign_in_that_expires_while_one_types_loses_nothing(site: Site) -> None:
    page = opened(site)
    expire(page)
    page.locator("#text").fill(TEXT)
    expect(page.locator("#unsent")).to_contain_text("You are signed out.")
    expect(page.locator("#text")).to_have_value(TEXT)
    expect(page.locator("#answer input")).to_have_count(0)
    expect(page.locator("#kept")).not_to_contain_text("Sign in")
    sign_in(site, page)
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#text")).to_have_value(TEXT)
    expect(page.locator("#unsent")).to_contain_text(BACK_IN_THE_FIELD)
    expect(page.locator("#kept")).to_contain_text("Draft saved at")
    assert (kept(page), drafts()) == (0, [TEXT])


def test_a_sheet_submitted_after_the_sign_in_expired_is_shown_and_offered_again(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill(TEXT)
    expire(page)
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.get_by_label("Your text")).to_have_value(TEXT)
    sign_in(site, page)
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#text")).to_have_value(TEXT)
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_text("Received as version 1.")).to_be_visible()
    assert (kept(page), sheets()) == (0, [TEXT])
    expected(site, "403")


def test_a_deadline_that_passes_while_one_types_loses_nothing(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill(TEXT)
    expect(page.locator("#kept")).to_contain_text("Draft saved at")
    Phase.objects.filter(state=PhaseState.OPEN).update(deadline_at=timezone.now() - timedelta(minutes=1))
    sweep(worker="one")
    assert not Phase.objects.filter(state=PhaseState.OPEN, key="german_sheet").exists()
    page.locator("#text").fill(f"{TEXT}\n# and more")
    expect(page.locator("#kept")).to_contain_text("This phase has closed")
    expect(page.locator("#text")).to_have_value(f"{TEXT}\n# and more")
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_label("Your text")).to_have_value(f"{TEXT}\n# and more")
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#text")).to_have_value(f"{TEXT}\n# and more")
    draft = Phase.objects.get(state=PhaseState.REVIEW)
    assert approve(draft.pk, fence=draft.fence)
    sweep(worker="one")
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#unsent textarea")).to_have_value(f"{TEXT}\n# and more")
    expect(page.get_by_label("Your draft")).to_have_value(TEXT)
    page.get_by_role("button", name="Discard it").click()
    assert kept(page) == 0
    expected(site, "409")


def test_a_lost_connection_loses_nothing_and_saves_when_it_is_back(site: Site) -> None:
    page = opened(site)
    page.context.set_offline(True)
    page.locator("#text").fill(TEXT)
    expect(page.locator("#unsent")).to_contain_text("The server did not answer.")
    assert (kept(page), drafts()) == (1, [])
    page.context.set_offline(False)
    expect(page.locator("#kept")).to_contain_text("Draft saved at")
    expect(page.locator("#unsent")).to_have_text("")
    assert (kept(page), drafts()) == (0, [TEXT])
    expected(site, "ERR_INTERNET_DISCONNECTED")
    expected(site, "htmx:")


def test_a_connection_that_is_lost_while_one_submits_loses_nothing(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill(TEXT)
    page.context.set_offline(True)
    page.get_by_role("button", name="Submit, not final").click()
    page.wait_for_url("chrome-error://**")
    page.context.set_offline(False)
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#text")).to_have_value(TEXT)
    site.complaints.clear()  # of the page without a connection


def test_a_sheet_submitted_twice_is_one_version(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill(TEXT)
    page.get_by_role("button", name="Submit, not final").dblclick()
    expect(page.get_by_text("Received as version 1.")).to_be_visible()
    assert (kept(page), sheets()) == (0, [TEXT])


def test_the_back_button_brings_back_what_was_typed(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill(TEXT)
    page.get_by_role("link", name="Rules").first.click()
    page.wait_for_url(re.compile("/rules/"))
    page.go_back()
    expect(page.locator("#text")).to_have_value(TEXT)
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_text("Received as version 1.")).to_be_visible()
    page.go_back()
    expect(page.locator("#text")).to_have_value(TEXT)
    page.locator("#text").fill(f"{TEXT}\n# again")
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_text("Received as version 2.")).to_be_visible()
    assert sheets() == [TEXT, f"{TEXT}\n# again"]


def test_the_saved_text_can_be_had_instead(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill("HOLD 12 SS")
    expect(page.locator("#kept")).to_contain_text("Draft saved at")
    page.context.set_offline(True)
    page.locator("#text").fill(TEXT)
    page.evaluate("location.href = 'about:blank'")
    page.wait_for_url("about:blank")
    page.context.set_offline(False)
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#text")).to_have_value(TEXT)
    page.get_by_role("button", name="Use the saved text instead").click()
    expect(page.locator("#text")).to_have_value("HOLD 12 SS")
    site.complaints.clear()  # of the page without a connection


def test_text_from_before_a_newer_version_does_not_replace_it_unseen(site: Site) -> None:
    page = opened(site)
    expire(page)
    page.locator("#text").fill(TEXT)
    expect(page.locator("#unsent")).to_contain_text("You are signed out.")
    elsewhere = opened(site)
    elsewhere.locator("#text").fill("HOLD 12 SS")
    elsewhere.get_by_role("button", name="Submit, not final").click()
    expect(elsewhere.get_by_text("Received as version 1.")).to_be_visible()
    sign_in(site, page)
    page.goto(site.here("orders/HQ/"))
    expect(page.locator("#text")).to_have_value(TEXT)
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_role("alert")).to_contain_text("version 1 of this sheet was submitted while you wrote")
    expect(page.locator("#text")).to_have_value(TEXT)
    assert sheets() == ["HOLD 12 SS"]
    expected(site, "409")


def test_signing_out_clears_what_the_browser_kept(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill(TEXT)
    assert kept(page) == 1
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    assert kept(page) == 0


def test_somebody_elses_sign_in_clears_it_too(site: Site) -> None:
    page = opened(site)
    expire(page)
    page.locator("#text").fill(TEXT)
    expect(page.locator("#unsent")).to_contain_text("You are signed out.")
    page.goto(f"{site.address}/account/login/")
    assert kept(page) == 1
    sign_in(site, page, ANOTHER)
    assert kept(page) == 0
    page.goto(site.here("orders/Fifth/"))
    expect(page.locator("#text")).not_to_have_value(TEXT)


def test_ready_with_an_ignored_line_asks_and_keeps_what_is_written(site: Site) -> None:
    page = opened(site)
    page.locator("#text").fill("NONSENSE\nALL OTHERS HOLD")
    page.get_by_role("button", name="Submit as READY", exact=True).click()
    expect(page.get_by_role("heading", name="Submit as READY?")).to_be_visible()
    assert (kept(page), sheets()) == (0, [])
    page.get_by_role("button", name="Keep writing").click()
    expect(page.locator("#text")).to_have_value("NONSENSE\nALL OTHERS HOLD\nREADY\n")
    page.get_by_role("button", name="Submit as READY", exact=True).click()
    page.get_by_role("button", name="Submit as READY anyway").click()
    expect(page.get_by_text("Received as version 1.")).to_be_visible()
    assert sheets() == ["NONSENSE\nALL OTHERS HOLD\nREADY\n"]
