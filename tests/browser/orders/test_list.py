"""The list of units next to the board: filters, the same menu as on the map, keys alone, and text without scripts."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.conftest import DESK, PHONE, Site
from tests.browser.orders.test_board import COMMANDER, UNIT, Board, opened, submitted

pytestmark = pytest.mark.django_db(transaction=True)


def unfolded(board: Board) -> Locator:
    """The list of all units, open."""
    board.page.get_by_text("All units in a list").click()
    return board.page.locator("#units")


def shown(units: Locator) -> set[str]:
    return set(units.get_by_role("button").all_inner_texts())


def test_units_are_filtered_in_the_list_and_on_the_map(site: Site) -> None:
    """By formation, by desk, to those without orders, and to those that can move."""
    board = opened(site)
    page, units = board.page, unfolded(board)
    dimmed = page.locator("svg.board .dimmed use")
    formation, desk = (page.locator(f".filters select[name={name}]") for name in ("formation", "desk"))
    everyone = shown(units)
    assert {UNIT, "5 FJ", "2 SS"} < everyone
    expect(dimmed).to_have_count(0)
    formation.select_option("7th Army")
    assert "5 FJ" in shown(units) < everyone - {UNIT}
    expect(page.locator("#shown-units")).to_have_text(f"{len(shown(units))} of {len(everyone)} units shown")
    assert dimmed.count() > 5
    formation.select_option("All")
    desk.select_option("Fifth")
    assert "2 Pz" in shown(units) < everyone - {UNIT, "5 FJ"}
    desk.select_option("All")
    board.text.fill(f"HOLD {UNIT}\n")
    board.accepted(1)
    page.get_by_role("checkbox", name="Without orders").check()
    assert "12 VG" in shown(units) < everyone - {UNIT}
    page.get_by_role("checkbox", name="Without orders").uncheck()
    page.get_by_role("checkbox", name="Can move").check()
    expect(units.get_by_role("button", name=UNIT, exact=True)).to_be_hidden()
    assert shown(units), "others can"
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def enter(button: Locator) -> None:
    """Press a button by its key."""
    button.focus()
    button.press("Enter")


def test_a_sheet_from_the_list_by_keys_alone(site: Site) -> None:
    """A march by way of a place, a hold, one line removed, all from the list; and it is submitted."""
    page = opened(site, viewport=PHONE).page
    units, head, text = page.locator("#units"), page.locator("#menu h2"), page.locator("#text")
    enter(page.locator(".unit-list summary"))
    enter(named(units, UNIT))
    expect(head).to_be_focused()
    for place, line in (("R20", f"MOVE {UNIT} to R20\n"), ("R21", f"MOVE {UNIT} R20-R21\n")):
        page.get_by_label("Where to").focus()
        page.keyboard.type(place)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(text).to_have_value(line)
        expect(head).to_be_focused()
    expect(page.locator(f"#units [data-label='{UNIT}']")).to_contain_text(f"MOVE {UNIT} R20-R21")
    enter(page.get_by_role("button", name="Done", exact=True))
    expect(named(units, UNIT)).to_be_focused()
    enter(named(units, "12 VG"))
    enter(page.get_by_role("button", name="HOLD", exact=True))
    expect(text).to_have_value(re.compile("\nHOLD 12 VG\n$"))
    enter(page.get_by_role("button", name="Remove", exact=True))
    expect(text).not_to_have_value(re.compile("HOLD"))
    enter(page.get_by_role("button", name="Sheet", exact=True))
    enter(page.get_by_role("button", name="Submit, not final"))
    expect(page).to_have_url(re.compile("/orders/HQ/[0-9.]+/1/"))
    assert submitted() == [f"MOVE {UNIT} R20-R21\n"]


def named(units: Locator, label: str) -> Locator:
    return units.get_by_role("button", name=label, exact=True)


def test_without_scripts_the_list_is_text_and_places_lead_to_their_words(site: Site) -> None:
    signed_in = site.visit(COMMANDER).context.storage_state()
    context = site.browser.new_context(java_script_enabled=False, storage_state=signed_in, viewport=DESK)  # type: ignore[arg-type]
    site.contexts.append(context)
    plain = context.new_page()
    plain.goto(site.here("orders/HQ/"))
    plain.get_by_text("All units in a list").click()
    expect(plain.locator("#units")).to_contain_text(f"{UNIT}, ")
    expect(plain.get_by_role("checkbox", name="Can move")).to_be_hidden()
    place = plain.locator(f"#units [data-label='{UNIT}']").get_attribute("data-at")
    leads = plain.locator(f"#place-{place}").get_attribute("href") or ""
    plain.goto(f"{site.address}{leads}")
    expect(plain.locator(f"#at-{place}")).to_contain_text(UNIT)
