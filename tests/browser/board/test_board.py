"""The board as it is used: with the keyboard alone, with a mouse, with fingers, with no script at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Site, width

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def board(site: Site) -> Page:
    page = site.visit("Model")
    page.goto(site.here("board/"))
    return page


def hex_of(page: Page, place: str) -> Locator:
    return page.locator(f"#place-{place}")


@dataclass(frozen=True)
class Drawn:
    """Where the map is drawn, in pixels from the upper left corner of its frame."""

    left: float
    top: float
    width: float
    frame: float
    """The width of the frame."""

    def part_at(self, x: float, y: float) -> tuple[float, float]:
        """The point of the map that is seen at a point of the frame, as parts of the map's width."""
        return ((x - self.left) / self.width, (y - self.top) / self.width)


def drawn(page: Page) -> Drawn:
    """Where the map is drawn in the next frame: what was asked for just now included."""
    return Drawn(*page.locator("svg.board").evaluate(_DRAWN))


_DRAWN = """
board => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
  const [map, frame] = [board, board.parentElement].map(each => each.getBoundingClientRect());
  const { clientLeft, clientTop, clientWidth } = board.parentElement;
  done([map.left - frame.left - clientLeft, map.top - frame.top - clientTop, map.width, clientWidth]);
})))
"""


def corner(page: Page) -> tuple[float, float]:
    """The upper left corner of the map's frame in the window."""
    box = page.locator(".sheet-frame").bounding_box()
    assert box is not None
    return box["x"] + 1, box["y"] + 1  # its border has one pixel


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
    whole = drawn(board)
    assert (whole.left, whole.top, whole.width) == pytest.approx((0, 0, whole.frame), abs=1)
    board.get_by_role("button", name="Larger").click()
    larger = drawn(board)
    assert larger.width == pytest.approx(whole.width * 1.5, abs=1)
    middle = whole.frame / 2
    assert larger.part_at(middle, 0)[0] == pytest.approx(whole.part_at(middle, 0)[0], abs=0.01)
    board.get_by_role("button", name="Smaller").click()
    assert drawn(board) == whole
    board.get_by_role("button", name="Larger").click()
    board.get_by_role("button", name="Whole").click()
    assert drawn(board) == whole
    hex_of(board, "R18").focus()
    board.keyboard.press("+")
    board.keyboard.press("+")
    assert drawn(board).width == pytest.approx(whole.width * 2.25, abs=1)
    expect(hex_of(board, "R18")).to_be_in_viewport()
    board.keyboard.press("0")
    assert drawn(board) == whole


def test_the_wheel_makes_larger_what_is_under_the_pointer(board: Page) -> None:
    hex_of(board, "R18").focus()
    board.locator("svg.board").hover(position={"x": 300, "y": 200})
    whole = drawn(board)
    for _ in range(3):
        board.mouse.wheel(0, -100)
        drawn(board)
    larger = drawn(board)
    assert larger.width > 1.2 * whole.width
    assert larger.part_at(300, 200) == pytest.approx(whole.part_at(300, 200), abs=0.01)
    for _ in range(4):
        board.mouse.wheel(0, 100)
        drawn(board)
    assert drawn(board) == whole


def test_the_wheel_moves_the_page_until_somebody_is_at_the_map(board: Page) -> None:
    whole = drawn(board)
    board.locator("svg.board").hover()
    board.mouse.wheel(0, 120)
    board.wait_for_function("scrollY > 0")
    assert drawn(board) == whole


def drag(page: Page, right: int, down: int) -> None:
    """Drag the map by this many pixels, from a point inside its frame."""
    x, y = corner(page)
    page.mouse.move(x + 400, y + 300)
    page.mouse.down()
    page.mouse.move(x + 400 + right, y + 300 + down, steps=4)
    page.mouse.up()


def test_the_map_is_dragged_and_a_drag_is_no_choice(board: Page) -> None:
    for _ in range(3):
        board.get_by_role("button", name="Larger").click()
    before = drawn(board)
    drag(board, -60, -40)
    after = drawn(board)
    assert (after.left - before.left, after.top - before.top) == pytest.approx((-60, -40), abs=1)
    assert after.width == before.width
    expect(board.locator('svg.board a[aria-current="true"]')).to_have_count(0)
    x, y = corner(board)
    board.mouse.click(x + 400, y + 300)
    expect(board.locator('svg.board a[aria-current="true"]')).to_have_count(1)


def test_the_map_always_fills_its_frame(board: Page) -> None:
    whole = drawn(board)
    drag(board, 100, 50)
    assert drawn(board) == whole
    board.get_by_role("button", name="Larger").click()
    for _ in range(3):
        drag(board, 350, 250)
    left_edge = drawn(board)
    assert (left_edge.left, left_edge.top) == pytest.approx((0, 0), abs=1)
    for _ in range(4):
        drag(board, -350, -250)
    right_edge = drawn(board)
    assert right_edge.left + right_edge.width == pytest.approx(right_edge.frame, abs=1)


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


def test_two_fingers_zoom_the_map(site: Site) -> None:
    """It grows as they part, around the point between them, and shrinks as they approach each other."""
    page = site.visit("Model", viewport=PHONE)
    page.goto(site.here("board/"))
    whole = drawn(page)
    page.locator("svg.board").scroll_into_view_if_needed()
    pinch(page, 130, 160, range(30, 91, 4))
    larger = drawn(page)
    assert larger.width == pytest.approx(3 * whole.width, rel=0.02)
    assert larger.part_at(130, 160) == pytest.approx(whole.part_at(130, 160), abs=0.02)
    pinch(page, 130, 160, range(90, 44, -5))
    assert drawn(page).width == pytest.approx(1.5 * whole.width, rel=0.02)


def pinch(page: Page, x: float, y: float, apart: Sequence[int]) -> None:
    """Two fingers at these distances from a point of the map's frame, one after the other."""
    left, top = corner(page)
    fingers = page.context.new_cdp_session(page)
    for kind, far in zip(("touchStart", *("touchMove" for _ in apart[1:])), apart, strict=True):
        points = [{"x": left + x + way * far, "y": top + y, "id": way + 2} for way in (-1, 1)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        drawn(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    drawn(page)


def test_an_address_names_a_hex(site: Site) -> None:
    page = site.visit("Model")
    page.goto(site.here("board/#at-P19"))
    expect(page.get_by_label("What is in the hex").get_by_role("heading")).to_have_text("P19, Schönberg")


def test_without_any_script_hexes_lead_to_the_list(site: Site) -> None:
    page = site.visit("Model")
    page.context.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
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
