"""Orders on the board next to the sheet: by taps, by keys, and by text, which all lead to the same sheet."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from campaign.models import PhaseState
from orders.models import Draft, Sheet
from tests.browser.board.test_board import drawn
from tests.browser.conftest import DESK, PHONE, Site

pytestmark = pytest.mark.django_db(transaction=True)

COMMANDER = "Model"
UNIT = "12 SS"


_IN_SIGHT = """
shaded => [...document.querySelectorAll(shaded)].filter(shape => {
  const box = shape.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return there?.closest(".places a")?.id === `place-${shape.dataset.place}`;
}).sort((one, two) => (one.dataset.cost ?? 0) - (two.dataset.cost ?? 0))
  .map(shape => shape.dataset.place)
"""


class Board:
    """The page of orders, and the number of taps on it."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    @property
    def text(self) -> Locator:
        return self.page.locator("#text")

    def shaded(self, kind: str = ":not([class])", *, last: bool = False) -> str:
        """The nearest shaded place that is in sight, or the last: with a cost, unless another kind is asked for."""
        expect(self.page.locator(f".reach use{kind}").first).to_be_attached()
        found: list[str] = self.page.evaluate(_IN_SIGHT, f".reach use{kind}")
        return found[-1 if last else 0]

    @property
    def arrows(self) -> Locator:
        return self.page.locator(".plan > g")

    def at(self, unit: str) -> str:
        """The place of one of the side's units."""
        return self.page.locator(f"#units [data-label='{unit}']").get_attribute("data-at") or ""

    def tap(self, place: str) -> None:
        self.taps += 1
        box = self.page.locator(f"[id='place-{place}'] use").bounding_box()
        assert box
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def press(self, name: str) -> None:
        self.taps += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def begin(self, unit: str) -> None:
        """Tap the unit, and wait until its reach is shaded."""
        self.tap(self.at(unit))
        expect(self.page.locator("#menu h2")).to_have_text(unit)

    def accepted(self, lines: int) -> None:
        """Wait until the server has read the sheet and accepts this many lines."""
        expect(self.page.locator("#answer data[data-ignored=false]")).to_have_count(lines)
        expect(self.page.locator("#answer .tag.bad")).to_have_count(0)


def opened(site: Site, *, viewport: dict[str, int] = DESK, scheme: str = "light") -> Board:
    page = site.visit(COMMANDER, viewport=viewport, scheme=scheme)
    page.goto(site.here("orders/HQ/"))
    return Board(page)


def submitted() -> list[str]:
    """The versions of the commander's sheet in the open phase."""
    sheets = Sheet.objects.filter(phase__state=PhaseState.OPEN, author__username=COMMANDER)
    return list(sheets.order_by("version").values_list("text", flat=True))


def told(what: str, board: Board, most: int) -> None:
    print(f"actions {COMMANDER} {what} {board.taps}")  # noqa: T201 - a figure that is asked for
    assert board.taps <= most


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["laptop", "phone"])
def test_a_move_takes_two_taps_and_a_chosen_way_three(site: Site, viewport: dict[str, int]) -> None:
    board = opened(site, viewport=viewport)
    board.begin(UNIT)
    first = board.shaded()
    board.tap(first)
    board.accepted(1)
    told("a move into reach", board, 2)
    expect(board.text).to_have_value(f"MOVE {UNIT} to {first}\n")
    expect(board.arrows).to_have_count(1)
    expect(board.page.locator(".reach use.instead").first).to_be_attached()
    further = board.shaded(last=True)
    board.tap(further)
    board.accepted(1)
    told("a move by a chosen way", board, 3)
    expect(board.text).to_have_value(re.compile(rf"^MOVE {UNIT} \w+(-\w+)*-{further}\n$"))


def test_an_attack_takes_three_taps_at_most(site: Site) -> None:
    board = opened(site)
    board.begin(UNIT)
    target = board.shaded(".target")
    board.tap(target)
    board.accepted(1)
    told("an attack", board, 3)
    expect(board.text).to_have_value(f"ATTACK {UNIT} {target}\n")
    expect(board.page.locator(".plan > g.attack")).to_have_count(1)


def test_quick_taps_and_typing_lose_nothing(site: Site) -> None:
    """A second tap waits for what the first one does, and a typed line moves none of them to another line."""
    board = opened(site)
    board.begin(UNIT)
    first = board.shaded()
    for _ in range(2):
        board.tap(first)
    board.accepted(1)
    board.text.press("Control+Home")
    board.page.keyboard.type("NOTE We begin.\n")
    expect(board.page.locator("#menu[aria-busy=false]")).to_be_attached()
    board.page.get_by_role("button", name="Remove", exact=True).click()
    expect(board.text).to_have_value("NOTE We begin.\n")
    board.press("Undo")
    expect(board.text).to_have_value(f"NOTE We begin.\nMOVE {UNIT} to {first}\n")
    board.press("Undo")
    expect(board.text).to_have_value(f"MOVE {UNIT} to {first}\n")


def test_a_server_that_does_not_answer_costs_no_text(site: Site) -> None:
    board = opened(site)
    board.page.route("**/api/v1/**", lambda route: route.abort())
    board.text.fill("NOTE We wait.")
    board.tap(board.at(UNIT))
    expect(board.page.locator("#menu .error")).to_contain_text("did not answer")
    expect(board.text).to_have_value("NOTE We wait.")
    site.complaints.clear()  # the browser says that the request failed
    board.page.unroute("**/api/v1/**")
    board.begin(UNIT)


def test_what_is_tapped_can_be_undone_and_done_again(site: Site) -> None:
    board = opened(site)
    board.begin(UNIT)
    board.tap(board.shaded())
    board.accepted(1)
    written = board.text.input_value()
    board.press("Undo")
    expect(board.text).to_have_value("")
    expect(board.arrows).to_have_count(0)
    board.press("Redo")
    expect(board.text).to_have_value(written)
    expect(board.arrows).to_have_count(1)
    board.press("Remove")
    expect(board.arrows).to_have_count(0)


def test_a_unit_that_is_not_on_the_map_enters_it_in_two_taps(site: Site) -> None:
    board = opened(site)
    away = board.page.get_by_label("Not on the map")
    expect(away.get_by_role("button")).to_have_text(["246 VG", "2 SS", "9 SS"])
    away.get_by_role("button", name="2 SS").click()
    expect(board.page.locator("#menu h2")).to_have_text("2 SS")
    entry = board.shaded()
    board.tap(entry)
    board.accepted(1)
    expect(board.text).to_have_value(f"MOVE 2 SS to {entry}\n")
    expect(away.get_by_role("button")).to_have_text(["246 VG", "2 SS", "9 SS"])
    for more in ("", "ALL OTHERS HOLD\n"):
        board.text.fill(f"DETACH 12 SS tanks 1\n{more}")
        expect(away.get_by_role("button")).to_have_text(["KG 12 SS", "246 VG", "2 SS", "9 SS"])
        away.get_by_role("button", name="KG 12 SS").click()
        expect(board.page.locator("#menu h2")).to_have_text("KG 12 SS")
        expect(board.page.locator(".reach use:not([class])").first).to_be_attached()
        board.page.get_by_role("button", name="Done", exact=True).click()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["laptop", "phone"])
def test_the_whole_map_is_seen_and_the_menu_leaves_the_unit_in_sight(site: Site, viewport: dict[str, int]) -> None:
    board = opened(site, viewport=viewport)
    for unit in ("212 VG", "272 VG"):  # at the foot of the map, and at its head
        board.press("Whole map")
        map_drawn = drawn(board.page)
        assert map_drawn.width == pytest.approx(map_drawn.frame, abs=1)
        board.begin(unit)
        assert board.page.evaluate(_SEEN, f"place-{board.at(unit)}")
        expect(board.page.locator("#menu")).to_be_in_viewport()


_SEEN = """
id => {
  const box = document.getElementById(id).getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".places a")?.id === id;
}
"""


def test_a_phone_shows_first_what_there_is_to_read(site: Site) -> None:
    """The map while the sheet is empty; a draft as soon as there is one."""
    board = opened(site, viewport=PHONE)
    expect(board.page.locator("svg.board")).to_be_visible()
    expect(board.text).to_be_hidden()
    board.press("Sheet")
    board.text.fill("HOLD 12 SS")
    board.press("Save draft")
    expect(board.page.get_by_role("status").filter(has_text="Draft saved. Not submitted yet.")).to_be_visible()
    expect(board.text).to_be_visible()
    expect(board.page.get_by_role("button", name="Submit as READY", exact=True)).to_be_visible()
    board.press("Map")
    expect(board.text).to_be_hidden()
    expect(board.page.locator("svg.board")).to_be_in_viewport()


def test_a_sheet_by_keys_alone(site: Site) -> None:
    """The button for the next unit, the list of its menu, and the form's own button."""
    page = opened(site).page
    page.get_by_role("button", name="Next unit without orders").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#menu h2")).to_be_visible()
    where = page.get_by_label("Where to")
    third = where.locator("option").nth(2).inner_text().partition(":")[0]
    where.focus()
    for key in ("ArrowDown", "ArrowDown", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#text")).to_have_value(re.compile(f"^MOVE .+ to {third}\n$"))
    expect(page.locator("#menu h2")).to_be_focused()
    board = page.locator('.places a[tabindex="0"]')
    board.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.locator("#menu h2")).to_have_count(0)
    page.get_by_role("button", name="Submit, not final").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/orders/HQ/[0-9.]+/1/"))
    assert submitted()[-1].startswith("MOVE ")


def test_a_text_written_by_hand_is_drawn_while_it_is_typed(site: Site) -> None:
    board = opened(site)
    board.begin(UNIT)
    somewhere = board.shaded()
    board.text.fill(f"MOVE {UNIT} to {somewhere}\nATTACK {UNIT} A1\n")
    expect(board.arrows).to_have_count(2)
    expect(board.page.locator(".plan > g.ignored")).to_have_count(1)
    board.text.press("Control+Home")
    expect(board.page.locator(".plan > g.current.move")).to_have_count(1)
    board.text.press("ArrowDown")
    expect(board.page.locator(".plan > g.current.ignored")).to_have_count(1)


def test_taps_and_text_make_the_same_sheet(site: Site) -> None:
    board = opened(site)
    board.begin(UNIT)
    board.tap(board.shaded())
    board.accepted(1)
    tapped = board.text.input_value()
    expect(board.page.locator("#kept")).to_have_text(re.compile("Draft saved"))
    assert Draft.objects.get().text == tapped
    board.press("Submit, not final")
    expect(board.page).to_have_url(re.compile("/1/$"))
    board.page.goto(site.here("orders/HQ/"))
    board.text.fill(tapped)
    board.press("Submit, not final")
    expect(board.page).to_have_url(re.compile("/2/$"))
    first, second = submitted()
    assert first == second


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["laptop", "phone"])
def test_without_scripts_the_sheet_works_and_the_map_is_there(site: Site, viewport: dict[str, int]) -> None:
    signed_in = site.visit(COMMANDER).context.storage_state()
    context = site.browser.new_context(java_script_enabled=False, storage_state=signed_in, viewport=viewport)  # type: ignore[arg-type]
    plain = context.new_page()
    site.contexts.append(plain.context)
    plain.goto(site.here("orders/HQ/"))
    expect(plain.locator("svg.board")).to_be_visible()
    assert not plain.get_by_role("button", name="Undo").is_visible()
    plain.locator("#text").fill("ALL OTHERS HOLD")
    plain.get_by_role("button", name="Submit as READY", exact=True).click()
    assert submitted() == ["ALL OTHERS HOLD\nREADY\n"]


@pytest.mark.parametrize(("viewport", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["laptop", "phone"])
def test_everybody_can_use_it(site: Site, viewport: dict[str, int], scheme: str) -> None:
    board = opened(site, viewport=viewport, scheme=scheme)
    board.begin(UNIT)
    found = Axe().run(board.page)
    assert found.violations_count == 0, found.generate_report()
    if viewport is PHONE:
        board.press("Sheet")
        expect(board.text).to_be_visible()
        expect(board.page.locator("svg.board")).to_be_hidden()
        found = Axe().run(board.page)
        assert found.violations_count == 0, found.generate_report()
    wide = board.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, "nothing sticks out"
