"""Somebody new who does what the pages say, and how many words they read on the way."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from orders.models import Sheet
from tests.browser.conftest import DESK, width

MOST_WORDS = 300
PHONE = {"width": 375, "height": 667}

READ = """
(button) => {
  const main = document.querySelector("main"), range = document.createRange();
  range.setStart(main, 0);
  range.setEndAfter(button);
  const words = [], walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const shown = node.parentElement.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
    if (shown && range.intersectsNode(node) && node.parentElement.tagName !== "TEXTAREA") words.push(node.data);
  }
  return words.join(" ");
}
"""
"""What a page shows from its top down to a button, with the button; the names of fields too."""


@dataclass
class Newcomer:
    """Somebody who does what the pages say, and what they have read."""

    page: Page
    read: list[str] = field(default_factory=list)

    def press(self, name: str, *, role: str = "button") -> None:
        """Read a page down to a button or link, and press it."""
        button = self.page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
        self._reads(button)
        button.click()
        self.page.wait_for_load_state()

    def sees(self, text: str) -> None:
        """Read a page down to these words."""
        found = self.page.get_by_text(text).first
        expect(found).to_be_visible()
        self._reads(found)

    def _reads(self, until: Locator) -> None:
        assert width(self.page) <= (self.page.viewport_size or DESK)["width"], self.page.url
        self.read.append(until.evaluate(READ))

    @property
    def words(self) -> int:
        """How many: what a reader would count, so no # and no dash."""
        return sum(len(re.findall(r"\w[\w’'./-]*", text)) for text in self.read)


def submits(newcomer: Newcomer) -> None:
    """Submit the sheet of the open page unchanged; every line of it is accepted."""
    expect(newcomer.page.locator("#answer")).to_contain_text("every line accepted")
    newcomer.press("Submit as READY")
    newcomer.sees("Received as version 1.")
    sheet = Sheet.objects.get(author__username="Newcomer")
    assert sheet.ready
    assert "MOVE" in sheet.text or "RETREAT" in sheet.text
