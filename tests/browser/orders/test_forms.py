"""Forms next to the sheet and to the report of a battle: filled in, they write the lines; typed lines fill them."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from orders.models import Sheet
from tests.browser.conftest import DESK, PHONE, Site, width

pytestmark = pytest.mark.django_db(transaction=True)


def sheet_of(site: Site, name: str, *, viewport: dict[str, int] = DESK, scheme: str = "light") -> Page:
    page = site.visit(name, viewport=viewport, scheme=scheme)
    page.goto(site.here("orders/HQ/"))
    return page


@pytest.mark.parametrize(("viewport", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["laptop", "phone"])
def test_an_air_sheet_is_written_by_its_form_alone(morning: Site, viewport: dict[str, int], scheme: str) -> None:
    page = sheet_of(morning, "Hodges", viewport=viewport, scheme=scheme)
    if viewport is PHONE:
        page.get_by_role("button", name="Sheet", exact=True).click()
    page.get_by_label("close air support").fill("2")
    page.get_by_label("air superiority").fill("2")
    expect(page.locator("#text")).to_have_value("AIR superiority 2 cas 2\n")
    expect(page.locator("#left-air")).to_contain_text("1 left")
    page.get_by_text("Removals of enemy air units").click()
    page.locator("#form-remove select").first.select_option(label="close air support")
    expect(page.locator("#text")).to_have_value("AIR superiority 2 cas 2\nREMOVE cas\n")
    expect(page.locator("#answer .tag.bad")).to_have_count(0)
    expect(page.locator("#answer")).to_contain_text("Air units: air superiority 2, close air support 2")
    assert width(page) <= viewport["width"]
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Submit as READY", exact=True).click()
    page.wait_for_load_state()
    assert Sheet.objects.get().text == "AIR superiority 2 cas 2\nREMOVE cas\nREADY\n"


def test_typed_lines_fill_the_form_and_undo_takes_back_what_was_filled_in(morning: Site) -> None:
    page = sheet_of(morning, "Hodges")
    page.locator("#text").fill("air cas 3  # mine\n")
    expect(page.get_by_label("close air support")).to_have_value("3")
    page.get_by_label("close air support").fill("1")
    expect(page.locator("#text")).to_have_value("AIR cas 1  # mine\n")
    page.get_by_label("close air support").blur()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_label("close air support")).to_have_value("3")


def test_a_sheet_that_is_submitted_at_once_has_what_was_filled_in(morning: Site) -> None:
    page = sheet_of(morning, "Hodges")

    def slowly(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/forms/", slowly)
    page.get_by_label("close air support").fill("3")
    page.get_by_role("button", name="Submit, not final").click()
    page.wait_for_url("**/orders/HQ/*/1/")
    assert Sheet.objects.get().text == "AIR cas 3\n"


def test_enter_in_a_field_writes_its_line_and_presses_no_button(morning: Site) -> None:
    page = sheet_of(morning, "Hodges")
    page.get_by_label("close air support").fill("2")
    page.get_by_label("close air support").press("Enter")
    expect(page.locator("#text")).to_have_value("AIR cas 2\n")
    assert not Sheet.objects.exists()


def test_a_server_that_does_not_answer_costs_nothing(morning: Site) -> None:
    page = sheet_of(morning, "Hodges")
    page.route("**/forms/", lambda route: route.abort())
    page.get_by_label("close air support").fill("1")
    expect(page.locator("#order-forms .error")).to_contain_text("did not answer")
    expect(page.get_by_label("close air support")).to_have_value("1")
    morning.complaints.clear()  # the browser says that the request failed
    page.unroute("**/forms/")
    page.get_by_role("button", name="Put into the sheet").first.click()
    expect(page.locator("#text")).to_have_value(re.compile("AIR cas 1"))


@pytest.mark.parametrize(("viewport", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["laptop", "phone"])
def test_a_battle_is_reported_and_confirmed_by_forms_alone(
    battlefield: Site, viewport: dict[str, int], scheme: str
) -> None:
    page = battlefield.visit("german commander", viewport=viewport, scheme=scheme)
    page.goto(battlefield.here("battles/K16/"))
    page.get_by_label("The Germans win; nobody advances").check()
    expect(page.locator("#text")).to_have_value(re.compile(r"^RESULT K16 attackers$", re.M))
    page.locator("#order-forms .cutout label").first.click()
    expect(page.locator("#text")).to_have_value(re.compile(r"^PURSUE 2 Pz to \w+$", re.M))
    expect(page.locator("#order-forms .cutout .chosen")).to_have_count(1)
    sheet = page.locator("#order-forms .cutout img").first.evaluate(
        "image => image.decode().then(() => image.currentSrc)"
    )
    assert f"colours={'dark' if scheme == 'dark' else 'default'}&" in sheet
    page.locator("[name^='losses:LOSSES']").last.fill("38")
    expect(page.locator("#text")).to_have_value(re.compile(r"^LOSSES 110/28 38$", re.M))
    expect(page.locator("#read .tag.good")).to_be_visible()
    looked_at(page, viewport)
    page.get_by_role("button", name="Submit the report").click()
    page.wait_for_load_state()
    other = battlefield.visit("allied commander", viewport=viewport, scheme=scheme)
    other.goto(battlefield.here("battles/K16/"))
    other.get_by_label("K15", exact=True).check()
    expect(other.locator("#reply")).to_have_value(re.compile(r"^RETREAT 110/28 to K15$", re.M))
    looked_at(other, viewport)
    other.get_by_role("button", name="Confirm the report").click()
    other.wait_for_load_state()
    expect(other.locator("[aria-label='Report'] pre")).to_contain_text("RETREAT 110/28 to K15")


def looked_at(page: Page, viewport: dict[str, int]) -> None:
    """It fits, and nothing of it bars anybody."""
    assert width(page) <= viewport["width"]
    assert Axe().run(page).response["violations"] == []
