"""The guide through the first day: a newcomer follows it against the bot, leaves it and takes it up again."""

import re
from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from campaign.models import Membership, Phase, PhaseState
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.browser.conftest import DESK, PHONE, Site, width
from tests.browser.days.test_practice import empty

__all__ = ["empty"]
pytestmark = pytest.mark.django_db(transaction=True)

SEEN = """
() => {
  const [what, box] = [document.querySelector(".pointed"), document.querySelector("#guide")];
  if (!what || !box) return false;
  const [a, b] = [what.getBoundingClientRect(), box.getBoundingClientRect()];
  const apart = a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom;
  return apart && a.bottom > 0 && a.top < innerHeight;
}
"""
"""What the guide points at is on the screen, and nothing of it is behind the guide's box."""
BEGUN = """
() => {
  const [what, box] = [document.querySelector(".pointed"), document.querySelector("#guide")];
  if (!what || !box) return false;
  const [a, b] = [what.getBoundingClientRect(), box.getBoundingClientRect()];
  return a.top >= 0 && (a.top < b.top || a.left >= b.right || a.right <= b.left);
}
"""
"""Of something larger than the screen: its beginning is."""


@dataclass
class Guided:
    """Somebody who does what the guide says."""

    page: Page

    @property
    def box(self) -> Locator:
        return self.page.locator("#guide")

    def reads(self, step: str, *, large: bool = False) -> None:
        """The guide shows a step, and what it points at, which only a large thing may not be in full."""
        expect(self.box).to_have_attribute("data-step", step, timeout=20_000)
        expect(self.page.locator(".pointed")).to_have_count(1)
        self.page.wait_for_function(BEGUN if large else SEEN)
        assert width(self.page) <= (self.page.viewport_size or DESK)["width"]

    def goes_on(self, step: str, *, large: bool = False) -> None:
        """Press Next, and read the step that follows."""
        self.box.get_by_role("button", name=re.compile("Next|Finish")).click()
        self.reads(step, large=large)

    def writes(self, line: str) -> None:
        self.page.locator("#text").press("Control+End")
        self.page.locator("#text").press_sequentially(f"\n{line}")

    def meets_everybodys_needs(self) -> None:
        assert [each["id"] for each in Axe().run(self.page).response["violations"]] == []


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_a_newcomer_follows_the_guide_through_the_first_day(empty: Site, viewport: dict[str, int], scheme: str) -> None:
    guided = Guided(empty.visit("Newcomer", viewport=viewport, scheme=scheme))
    begins(guided)
    taps(guided)
    leaves_and_comes_back(guided)
    submits(guided)
    reads_the_result(guided)
    member = Membership.objects.get()
    assert (member.guided, member.guide_step) == (False, "finished")


def begins(guided: Guided) -> None:
    page = guided.page
    page.get_by_role("button", name="Start a practice campaign").click()
    page.get_by_label("St. Vith, December 1944: German").check()
    page.get_by_role("button", name="Start", exact=True).click()
    guided.reads("aim")
    expect(guided.box).to_be_focused()
    guided.meets_everybodys_needs()
    sweep(worker="one")
    guided.goes_on("map", large=True)
    guided.goes_on("phase")
    expect(guided.box).to_be_focused()
    guided.goes_on("tap-unit")


def taps(guided: Guided) -> None:
    """The unit and its target; the guide follows by itself."""
    guided.meets_everybodys_needs()
    guided.page.locator("#place-Q20").click()
    guided.reads("attack")
    guided.page.locator("#place-Q19").click()
    guided.reads("answer", large=True)
    expect(guided.page.locator("#text")).to_have_value(re.compile("ATTACK 3 FJ Q19"))
    guided.goes_on("move", large=True)


def leaves_and_comes_back(guided: Guided) -> None:
    expect(guided.page.locator("#menu h2")).to_have_text("3 FJ")
    guided.box.press("Escape")
    expect(guided.box).to_have_count(0)
    expect(guided.page.locator("#menu h2")).to_have_text("3 FJ")
    expect(guided.page.get_by_role("button", name="Continue the guide")).to_be_focused()
    expect(guided.page.locator("#text")).to_have_value(re.compile("ATTACK 3 FJ Q19"))
    expect(guided.page.locator("#kept")).to_contain_text("Draft saved", timeout=8000)
    guided.page.reload()
    expect(guided.box).to_have_count(0)
    guided.page.get_by_role("button", name="Continue the guide").click()
    guided.reads("move", large=True)


def submits(guided: Guided) -> None:
    guided.writes("MOVE KG Peiper to Büllingen")
    guided.reads("hold", large=True)
    guided.writes("ALL OTHERS HOLD")
    guided.reads("ready")
    guided.page.get_by_role("button", name="Submit as READY", exact=True).click()
    expect(guided.box).to_contain_text("The guide continues when the result of your orders is published.")
    assert Sheet.objects.get(author__username="Newcomer").ready
    for _ in range(6):
        sweep(worker="one")
    assert Phase.objects.filter(key="german_sheet", state=PhaseState.PUBLISHED).exists()


def reads_the_result(guided: Guided) -> None:
    guided.box.get_by_role("button", name="Go to the report").click()
    guided.reads("report", large=True)
    guided.goes_on("report-map", large=True)
    guided.goes_on("again", large=True)
    guided.goes_on("end")
    guided.meets_everybodys_needs()
    guided.box.get_by_role("button", name="Finish").click()
    expect(guided.box).to_have_count(0)


def test_nothing_moves_for_who_wants_nothing_to_move(empty: Site) -> None:
    page = empty.visit("Newcomer")
    page.emulate_media(reduced_motion="reduce")
    guided = Guided(page)
    begins(guided)
    assert page.locator("#place-Q20 use").first.evaluate("each => getComputedStyle(each).animationName") == "none"
