"""Questions as they are used: a player asks from a rule, the game master publishes an answer, everybody can read it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Site

pytestmark = pytest.mark.django_db(transaction=True)

PLAYER, GM, ENEMY = "Model", "Umpire", "Hodges"


def asks(page: Page, site: Site) -> None:
    page.goto(site.here("rules/#R4.2"))
    page.get_by_role("link", name="Ask about R4.2").click()
    expect(page.get_by_label("Rule, by its number, if it is about one")).to_have_value("R4.2")
    page.get_by_label("Your question", exact=True).fill(f"May 12 SS cross at Q19? {'Unbreakable' * 20}")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_text("Not answered yet")).to_be_visible()


def faults_of(page: Page) -> list[str]:
    """What is wrong with a page for those who cannot see it well, and whether it is too wide."""
    found = Axe().run(page, context="main")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [
        *((each["id"], each["nodes"][0]["html"][:100]) for each in found.response["violations"]),
        *([wide] * (wide > 0)),
    ]


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_question_is_answered_for_everyone(site: Site, scheme: str, viewport: dict[str, int]) -> None:
    asks(site.visit(PLAYER, viewport=viewport, scheme=scheme), site)
    gm = site.visit(GM, viewport=viewport, scheme=scheme)
    gm.goto(site.here("desk/"))
    gm.get_by_role("link", name="Answer", exact=True).click()
    faults = {"list": faults_of(gm)}
    gm.get_by_role("button", name=f"Answer the question of {PLAYER}").click()
    faults["question"] = faults_of(gm)
    gm.get_by_label("Answer", exact=True).fill("It may.")
    gm.get_by_label("Everyone who can read the campaign").check()
    gm.get_by_role("button", name="Continue").click()
    gm.get_by_label("The question, in words for everyone").fill("May a unit cross a river?")
    gm.get_by_role("button", name="Publish to everyone").click()
    expect(gm.get_by_text("Not published yet")).to_be_visible()
    site.complaints.clear()  # the browser says that the first try was refused
    faults["preview"] = faults_of(gm)
    gm.get_by_role("button", name="Publish to everyone").click()
    expect(gm.get_by_text("Everyone can read it with the rules")).to_be_visible()
    enemy = site.visit(ENEMY, viewport=viewport, scheme=scheme)
    for rest in ("questions/", "rules/"):
        enemy.goto(site.here(rest))
        expect(enemy.get_by_text("May a unit cross a river?")).to_be_visible()
        assert "Q19?" not in enemy.locator("main").inner_text()
    enemy.goto(site.here("questions/"))
    faults["enemy"] = faults_of(enemy)
    assert {where: found for where, found in faults.items() if found} == {}
