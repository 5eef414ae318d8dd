"""Ways on the board that a player chooses, lines that are refused, and troubles in plain words."""

import re
from functools import partial
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Site
from tests.browser.orders.test_board import UNIT, Board, opened, told

pytestmark = pytest.mark.django_db(transaction=True)


def middle_of(board: Board, place: str) -> tuple[float, float]:
    box = board.page.locator(f"[id='place-{place}'] use").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_way_is_drawn_with_the_mouse_from_hex_to_hex(site: Site) -> None:
    """It becomes one line that names each place, is undone at once, and does not move the map."""
    board = opened(site)
    board.begin(UNIT)
    mouse, way = board.page.mouse, ("R20", "R21", "Q21")
    start = middle_of(board, board.at(UNIT))
    mouse.move(*start)
    mouse.down()
    for place in way:
        mouse.move(*middle_of(board, place), steps=4)
    expect(board.page.locator(".plan > g.going")).to_be_attached()
    mouse.up()
    board.taps += 1
    expect(board.text).to_have_value(f"MOVE {UNIT} {'-'.join(way)}\n")
    board.accepted(1)
    told("a way that is drawn", board, 3)
    expect(board.page.locator(".plan > g.going")).to_have_count(0)
    assert middle_of(board, board.at(UNIT)) == pytest.approx(start, abs=2)
    board.press("Undo")
    expect(board.text).to_have_value("")


def test_a_second_finger_neither_ends_nor_leads_the_way_of_the_first(site: Site) -> None:
    board = opened(site)
    board.begin(UNIT)
    mouse, going = board.page.mouse, board.page.locator(".plan > g.going")
    mouse.move(*middle_of(board, board.at(UNIT)))
    mouse.down()
    mouse.move(*middle_of(board, "R20"), steps=4)
    expect(going).to_be_attached()
    board.page.evaluate(_OTHER_FINGER, ["pointermove", "pointerup", "pointercancel"])
    expect(going).to_be_attached()
    mouse.up()
    expect(board.text).to_have_value(f"MOVE {UNIT} to R20\n")


@pytest.mark.parametrize("ended", ["pointercancel", "pointerdown"])
def test_a_way_that_is_broken_off_writes_nothing(site: Site, ended: str) -> None:
    """The device takes the pointer away, or a second finger comes, which is for the map."""
    board = opened(site)
    board.begin(UNIT)
    mouse, going = board.page.mouse, board.page.locator(".plan > g.going")
    mouse.move(*middle_of(board, board.at(UNIT)))
    mouse.down()
    mouse.move(*middle_of(board, "R20"), steps=4)
    expect(going).to_be_attached()
    board.page.evaluate(_CANCELLED if ended == "pointercancel" else _OTHER_FINGER, [ended])
    expect(going).to_have_count(0)
    mouse.up()
    expect(board.page.locator("#menu[aria-busy=false]")).to_be_attached()
    expect(board.text).to_have_value("")


_OTHER_FINGER = """
kinds => kinds.forEach(kind => document.querySelector("svg.board .places a use").dispatchEvent(
  new PointerEvent(kind, { pointerId: 77, pointerType: "touch", isPrimary: false, bubbles: true })
))
"""
_CANCELLED = """
kinds => kinds.forEach(kind => document.dispatchEvent(new PointerEvent(kind, { pointerId: 1, pointerType: "mouse" })))
"""


def test_a_line_that_is_removed_leaves_its_comment(site: Site) -> None:
    board = opened(site)
    board.text.fill(f"NOTE We begin.\nHOLD {UNIT}  # until noon\n")
    board.accepted(2)
    board.begin(UNIT)
    board.press("Remove")
    expect(board.text).to_have_value("NOTE We begin.\n# until noon\n")


def test_names_are_written_as_in_addresses(site: Site) -> None:
    """The guide and the board find places by what the server makes of their ids."""
    page = opened(site).page
    keys = page.evaluate(_KEYS, ["A1", "St. Vith (south)!", "Bois d'Été*", "é&/#"])
    assert keys == [quote(each, safe="") for each in ["A1", "St. Vith (south)!", "Bois d'Été*", "é&/#"]]


_KEYS = """
async names => {
  const loaded = performance.getEntriesByType("resource").map(each => each.name);
  const { keyOf } = await import(loaded.find(each => each.includes("place_keys")));
  return names.map(keyOf);
}
"""


def test_a_way_ends_where_the_unit_can_go_no_further(site: Site) -> None:
    board = opened(site)
    board.begin("12 VG")
    mouse = board.page.mouse
    mouse.move(*middle_of(board, board.at("12 VG")))
    mouse.down()
    for place in ("Q18", "Q17", "Q16", "Q15", "Q14"):
        mouse.move(*middle_of(board, place), steps=4)
    mouse.up()
    expect(board.page.locator("#menu .bad")).to_have_text(
        re.compile(r"^12 VG cannot go straight on to Q\d\d, as far as you know\.$")
    )


def test_a_refused_line_says_at_the_map_what_is_wrong_with_it(site: Site) -> None:
    board = opened(site)
    board.text.fill(f"ATTACK {UNIT} A1\n")
    expect(board.page.locator(".plan .warning")).to_have_text("!")
    board.text.press("Control+Home")
    wrong = board.page.locator("#wrong")
    expect(wrong).to_have_text(re.compile(r"^Line 1: .*A1"))
    board.begin(UNIT)
    expect(board.page.locator("#menu .bad")).to_contain_text("A1")
    expect(wrong).to_have_text("", timeout=10_000)  # the text has lost the cursor


TROUBLES = {
    500: "The server has an error (500).",
    429: "Wait a minute.",
    403: "You are signed out",
    404: "This sheet is not open any more.",
}


def test_each_trouble_has_words_of_its_own(site: Site) -> None:
    board = opened(site)
    trouble = board.page.locator("#menu .error")
    for status, words in TROUBLES.items():
        board.page.route("**/api/v1/**", partial(refuse, status))
        board.tap(board.at(UNIT))
        expect(trouble).to_contain_text(words)
        expect(trouble).to_contain_text("Your text is still in the sheet.")
        board.page.unroute("**/api/v1/**")
    board.page.context.set_offline(True)
    board.tap(board.at("12 VG"))
    expect(trouble).to_contain_text("You are offline.")
    board.page.context.set_offline(False)
    site.complaints.clear()  # the browser says which requests failed


def refuse(status: int, route: Route) -> None:
    body = '{"message": "Wait a minute."}' if status == 429 else ""
    route.fulfill(status=status, body=body, content_type="application/json")
