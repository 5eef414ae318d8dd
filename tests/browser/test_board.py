"""The board as it is used: with the keyboard alone, with a mouse, with fingers, with no script at all."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Site
from tests.browser.test_pages import width

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def board(site: Site) -> Page:
    page = site.visit("Model")
    page.goto(site.here("board/"))
    return page


def hex_of(page: Page, place: str) -> Locator:
    return page.locator(f"#place-{place}")


def seen(page: Page) -> list[float]:
    """The part of the map that is shown: left, top, width, height."""
    box = page.locator("svg.board").get_attribute("viewBox") or ""
    return [float(number) for number in box.split()]


def test_one_walks_from_hex_to_hex_and_looks_into_one(board: Page) -> None:
    board.get_by_label("Counters").focus()
    for _ in range(4):  # three buttons, then the board
        board.keyboard.press("Tab")
    start = board.locator("svg.board a:focus")
    expect(start).to_have_count(1)
    hex_of(board, "R18").focus()
    for keys, place in (
        ("Right", "R19"),
        ("Left", "R18"),
        ("Up Up", "T18"),
        ("Down Down Down Down", "P18"),
        ("Up Up", "R18"),
    ):
        for key in keys.split():
            board.keyboard.press(f"Arrow{key}")
        expect(hex_of(board, place)).to_be_focused()
    expect(board.locator('svg.board a[tabindex="0"]')).to_have_count(1)
    board.keyboard.press("Enter")
    here = board.get_by_label("What is in the hex")
    expect(here.get_by_role("heading")).to_have_text("R18")
    expect(here).to_contain_text("German 150 Pz Bde")
    assert board.url.endswith("#at-R18")
    board.keyboard.press("Tab")
    expect(board.locator("svg.board a:focus")).to_have_count(0)


def test_at_the_edge_of_the_map_one_stays(board: Page) -> None:
    hex_of(board, "A1").focus()
    for key in ("ArrowLeft", "ArrowDown"):
        board.keyboard.press(key)
        expect(hex_of(board, "A1")).to_be_focused()


def test_hexes_have_names_for_who_does_not_see_them(board: Page) -> None:
    expect(board.get_by_role("application", name="Map for German side")).to_be_visible()
    expect(board.get_by_role("link", name="P19, Schönberg")).to_have_count(1)


def test_layers_are_switched_off_and_on(board: Page) -> None:
    for name in ("Counters", "Markers", "Front"):
        layer = board.locator(f"svg.board .{name.lower()}").first
        expect(layer).to_be_visible()
        board.get_by_label(name).uncheck()
        expect(layer).to_be_hidden()
        board.get_by_label(name).check()
        expect(layer).to_be_visible()


def test_the_map_is_made_larger_by_buttons_keys_and_wheel(board: Page) -> None:
    whole = seen(board)
    board.get_by_role("button", name="Larger").click()
    assert seen(board)[2] == pytest.approx(whole[2] / 1.5, abs=1)
    board.get_by_role("button", name="Whole").click()
    assert seen(board) == whole
    hex_of(board, "R18").focus()
    board.keyboard.press("+")
    board.keyboard.press("+")
    assert seen(board)[2] == pytest.approx(whole[2] / 2.25, abs=1)
    board.keyboard.press("0")
    assert seen(board) == whole
    board.locator("svg.board").hover()
    board.mouse.wheel(0, -200)
    expect(board.locator("svg.board.near")).to_have_count(1)
    assert seen(board)[2] < whole[2]


def test_the_wheel_moves_the_page_until_somebody_is_at_the_map(board: Page) -> None:
    whole = seen(board)
    board.locator("svg.board").hover()
    board.mouse.wheel(0, 120)
    board.wait_for_function("scrollY > 0")
    assert seen(board) == whole


def test_the_map_is_dragged_and_a_drag_is_no_choice(board: Page) -> None:
    for _ in range(3):
        board.get_by_role("button", name="Larger").click()
    before = seen(board)
    box = board.locator("svg.board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 300
    board.mouse.move(x, y)
    board.mouse.down()
    board.mouse.move(x - 60, y - 40, steps=4)
    board.mouse.up()
    after = seen(board)
    assert after[0] > before[0]
    assert after[1] > before[1]
    expect(board.locator('svg.board a[aria-current="true"]')).to_have_count(0)
    board.mouse.click(x, y)
    expect(board.locator('svg.board a[aria-current="true"]')).to_have_count(1)


@pytest.mark.parametrize("where", ["on the map", "beside it"])
def test_a_click_without_a_pointer_is_a_choice_also_after_a_drag(board: Page, where: str) -> None:
    """As programs that read the screen aloud make it."""
    board.get_by_role("button", name="Larger").click()
    box = board.locator("svg.board").bounding_box()
    assert box is not None
    x, y = box["x"] + 300, box["y"] + 200
    board.mouse.move(x, y)
    board.mouse.down()
    board.mouse.move(x - 60, y, steps=4)
    if where == "beside it":
        board.mouse.move(box["x"] - 40, y, steps=4)
    board.mouse.up()
    hex_of(board, "R18").evaluate("hex => hex.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    expect(board.get_by_label("What is in the hex").get_by_role("heading")).to_have_text("R18")


def help_with_keys(page: Page) -> str:
    """What the board is described by."""
    return str(
        page.locator("svg.board").evaluate(
            "b => document.getElementById(b.getAttribute('aria-describedby'))?.innerText"
        )
    )


def test_the_help_with_the_keys_stays_whichever_place_is_chosen(site: Site) -> None:
    page = site.visit("Model")
    page.goto(site.here("board/#at-P19"))
    expect(page.get_by_label("What is in the hex").get_by_role("heading")).to_have_text("P19, Schönberg")
    assert "arrow keys" in help_with_keys(page)
    hex_of(page, "R18").focus()
    page.keyboard.press("Enter")
    assert "arrow keys" in help_with_keys(page)
    expect(page.get_by_text("move with the arrow keys")).to_be_visible()


def test_two_fingers_make_the_map_larger(site: Site) -> None:
    page = site.visit("Model", viewport=PHONE)
    page.goto(site.here("board/"))
    whole = seen(page)
    page.locator("svg.board").scroll_into_view_if_needed()
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 30), ("touchMove", 50), ("touchMove", 90)):
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("svg.board.near")).to_have_count(1)
    assert seen(page)[2] == pytest.approx(whole[2] / 3, rel=0.15)


def test_an_address_names_a_hex(site: Site) -> None:
    page = site.visit("Model")
    page.goto(site.here("board/#at-P19"))
    expect(page.get_by_label("What is in the hex").get_by_role("heading")).to_have_text("P19, Schönberg")


def test_without_any_script_hexes_lead_to_the_list(site: Site) -> None:
    page = site.visit("Model")
    page.context.route("**/*.js", lambda route: route.fulfill(body=""))
    page.goto(site.here("board/"))
    expect(page.get_by_role("button", name="Larger")).to_be_hidden()
    expect(page.get_by_text("move with the arrow keys")).to_be_hidden()
    hex_of(page, "A1").click()
    assert page.url.endswith("#at-A1")
    expect(page.locator("#at-A1")).to_be_in_viewport()
    page.get_by_label("Counters").uncheck()
    expect(page.locator("svg.board .counters:visible")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_is_fit_for_everybody_and_every_screen(site: Site, scheme: str) -> None:
    page = site.visit("Hodges", viewport=PHONE, scheme=scheme)
    page.goto(site.here("board/"))
    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
    assert width(page) <= PHONE["width"]
    violations = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:120]) for each in violations] == []
