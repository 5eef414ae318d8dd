"""The staff room as it is used: a comment next to the sheet, one next to the board, read by another of the staff."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from campaign.models import Membership, Role
from campaign.people.accounts import new_person
from gm.demo import CAMPAIGN
from tests.browser.conftest import DESK, PHONE, Site
from tests.gm.campaigns import START, live, send

pytestmark = pytest.mark.django_db(transaction=True)

COMMANDER, OFFICER = "Model", "Blumentritt"
PLAN = "Why not over Malmedy? Two roads meet there, and nobody has seen an enemy."


@pytest.fixture
def staffed(site: Site) -> Site:
    """The German commander has submitted a sheet, and there is a staff officer to talk to."""
    commander = Membership.objects.select_related("campaign", "user").get(
        campaign__slug=CAMPAIGN, user__username=COMMANDER
    )
    Membership.objects.create(
        campaign=commander.campaign, user=new_person(OFFICER), role=Role.STAFF, side="german", joined_at=START
    )
    send(live(commander.campaign), commander.user, "MOVE 2 SS Q26\nALL OTHERS HOLD")
    return site


def comments(page: Page) -> str:
    return page.locator("ol.comments").first.inner_text()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_staff_talks_about_a_line_and_a_hex(staffed: Site, scripts: bool) -> None:  # noqa: FBT001 - pytest gives it
    page = staffed.visit(OFFICER, viewport=PHONE)
    if not scripts:
        page.context.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(staffed.here("orders/HQ/"))
    page.get_by_text("Comment on a line").click()
    page.get_by_label("Line of version 1").select_option("1: MOVE 2 SS Q26")
    page.get_by_label("Comment", exact=True).fill(PLAN)
    page.get_by_role("button", name="Write the comment").click()
    expect(page.get_by_text("Comment written.")).to_be_visible()
    assert page.url.endswith("/orders/HQ/#comments")
    assert "MOVE 2 SS Q26" in comments(page)
    page.goto(staffed.here("board/"))
    page.get_by_text("Comment on a hex").click()
    page.get_by_label("Hex, by its id").fill("q24")
    page.get_by_label("Comment", exact=True).fill("Look here.")
    page.get_by_role("button", name="Write the comment").click()
    expect(page.get_by_role("link", name="Q24", exact=True)).to_have_attribute("href", f"/c/{CAMPAIGN}/board/#at-Q24")
    other = staffed.visit(COMMANDER)
    other.goto(staffed.here())
    other.get_by_role("link", name="2 new comments in the staff room").click()
    assert PLAN in other.locator("main").inner_text()
    other.get_by_role("button", name="Mark all as read").click()
    expect(other.get_by_role("button", name="Mark all as read")).to_have_count(0)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_room(staffed: Site, scheme: str, viewport: dict[str, int]) -> None:
    page = staffed.visit(OFFICER, viewport=viewport, scheme=scheme)
    page.goto(staffed.here("staff/"))
    page.get_by_label("Comment", exact=True).fill(f"{PLAN}\n\n{'Unbreakable' * 20}")
    page.get_by_role("button", name="Write the comment").click()
    reader = staffed.visit(COMMANDER, viewport=viewport, scheme=scheme)
    faults = dict[str, object]()
    for rest in ("staff/", "orders/HQ/", "board/"):
        reader.goto(staffed.here(rest))
        for fold in reader.locator("#comments details").all():
            fold.evaluate("fold => { fold.open = true }")
        found = Axe().run(reader, context="main")
        faults[rest] = [(each["id"], each["nodes"][0]["html"][:100]) for each in found.response["violations"]]
        wide = reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, rest
    assert {rest: found for rest, found in faults.items() if found} == {}
