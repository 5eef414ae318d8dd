"""Pages as they are used: live answers, drafts, the GM's draft, laptops, screen readers."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from campaign.models import Phase, PhaseState
from gm.machine.sweeper import sweep
from orders.models import Draft, Sheet
from tests.browser.conftest import Site

pytestmark = pytest.mark.django_db(transaction=True)

WIDE = {
    "Model": ("", "orders/", "orders/HQ/7.0/1/", "board/", "battles/", "people/"),
    "Umpire": ("desk/", "desk/draft/"),
}
"""By reader: pages with another layout on a laptop. On a phone every page is opened in `test_every_page.py`."""


def test_a_sheet_is_answered_while_it_is_typed_kept_and_sent(site: Site) -> None:
    page = site.visit("Model")
    page.goto(site.here("orders/"))
    sheet = page.get_by_label("One order per line")
    sheet.press_sequentially("MOVE 2 SS Q26\nMOVE 12 SS to Nowhere", delay=5)
    answer = page.locator("#answer")
    expect(answer).to_contain_text("2 SS moves Q26")
    expect(answer).to_contain_text("1 line will be ignored")
    expect(page.locator("#kept")).to_contain_text("Draft saved", timeout=8000)
    assert Draft.objects.get().text.startswith("MOVE 2 SS Q26")
    sheet.fill("MOVE 2 SS Q26\nALL OTHERS HOLD")
    page.get_by_role("button", name="Submit as READY", exact=True).click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    assert Sheet.objects.get(author__username="Model", phase__no=12).ready


def test_a_sheet_is_sent_without_any_script(site: Site) -> None:
    page = site.visit("Model")
    page.context.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(site.here("orders/"))
    page.get_by_label("One order per line").fill("HOLD 2 Pz")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#answer")).to_contain_text("every line accepted")
    page.get_by_role("button", name="Submit, not final").click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()


def test_the_gm_rules_and_publishes(site: Site) -> None:
    for name in ("Krebs", "Model"):
        page = site.visit(name)
        page.goto(site.here("orders/"))
        page.get_by_label("One order per line").fill("ALL OTHERS HOLD")
        page.get_by_role("button", name="Submit as READY", exact=True).click()
        page.wait_for_load_state()
    sweep(worker="one")
    desk = site.visit("Umpire")
    desk.goto(site.here("desk/"))
    desk.get_by_role("button", name="Review the draft").click()
    desk.get_by_label("Rulings, one per line").fill("STRENGTH 2 Pz 80")
    desk.get_by_label("Reason, shown to the players it affects").fill("a fire at the depot")
    desk.get_by_role("button", name="Apply rulings and re-run").click()
    sweep(worker="one")
    expect(desk.get_by_text("2 Pz has a strength of 80 %").first).to_be_visible(timeout=8000)
    desk.get_by_role("button", name="Publish to everyone").first.click()
    expect(desk.get_by_text("Published to everyone")).to_be_visible()
    assert Phase.objects.get(no=12).state == PhaseState.PUBLISHED


def test_pages_are_fit_for_everybody_on_a_laptop(site: Site) -> None:
    found = {}
    for name, rests in WIDE.items():
        page = site.visit(name)
        for address in map(site.here, rests):
            page.goto(address)
            page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
            page.wait_for_load_state("networkidle")
            violations = Axe().run(page).response["violations"]
            found[name, address] = [(each["id"], each["nodes"][0]["html"][:120]) for each in violations]
    assert {where: what for where, what in found.items() if what} == {}


def test_after_signing_out_there_is_nothing_to_go_back_to(site: Site) -> None:
    page = site.visit("Hodges")
    page.goto(site.here())
    assert "Allied side" in page.content()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    page.go_back()
    page.wait_for_load_state()
    assert "Allied side" not in page.content()
