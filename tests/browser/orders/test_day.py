"""A day of St. Vith by taps alone: both commanders and a staff officer, on a laptop and on a phone."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, TimeoutError, expect
from pytest_django.live_server_helper import LiveServer

from campaign.core import clock
from campaign.game.loading import find_scenario
from campaign.models import Campaign, Membership, Phase, Role, User
from campaign.people.accounts import new_person
from campaign.people.desks import set_desk
from campaign.services import create_campaign
from campaign.viewers import gm_viewer
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.browser.conftest import DESK, PHONE, Site
from tests.browser.orders.test_board import Board
from tests.gm.campaigns import UNREVIEWED, live

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = {
    "German staff officer": (Role.STAFF, "german"),
    "German commander": (Role.COMMANDER, "german"),
    "Allied commander": (Role.COMMANDER, "allied"),
}
DESK_OF = {"German staff officer": ("Fifth", "5th Panzer Army")}
UNITS = 4
"""How many units each of them moves in a phase: the others hold."""


@pytest.fixture
def lesson(live_server: LiveServer, browser: Browser) -> Iterator[tuple[Site, Campaign]]:
    """The small scenario with both commanders and a desk, before its first phase."""
    cache.clear()
    gm = new_person("Umpire", email="umpire@example.org")
    campaign = create_campaign(
        slug="lesson",
        title="A day by taps",
        scenario=find_scenario("forum_campaign/st-vith-1944"),
        handling=UNREVIEWED,
        options={"battles": "automatic"},
        founder=gm,
    )
    sweep(worker="one")
    for name, (role, side) in PEOPLE.items():
        person = new_person(name, email=f"{name.replace(' ', '.')}@example.org")
        member = Membership.objects.create(campaign=campaign, user=person, role=role, side=side, joined_at=clock.now())
        if name in DESK_OF:
            desk, formation = DESK_OF[name]
            set_desk(gm_viewer(gm, campaign.slug), name=desk, formations=[formation], holder=member, now=clock.now())
    site = Site(str(live_server), browser)
    yield site, campaign
    for context in site.contexts:
        context.close()
    assert site.complaints == []


def orders(board: Board) -> int:
    """Give a march or else a hold to some units, each found by the button for the next one; how many got orders."""
    page, done = board.page, 0
    gaps = page.get_by_role("button", name="Next unit without orders")
    while done < UNITS and gaps.get_attribute("aria-disabled") == "false":
        before = board.text.input_value()
        try:
            gaps.click(timeout=3_000)
        except TimeoutError:  # the answer to the last line came meanwhile: no unit is left
            expect(gaps).to_have_attribute("aria-disabled", "true")
            break
        board.taps += 1
        expect(page.locator("#menu[aria-busy=false] h2")).to_be_visible()
        if page.locator(".reach use:not([class])").count():
            board.tap(board.shaded())
        else:
            board.press("HOLD")
        expect(board.text).not_to_have_value(before)
        board.accepted(done + 1)
        done += 1
    return done


def gives_orders(board: Board, who: str, address: str) -> str:
    """Open a sheet, order units by taps, submit it as READY; the sheet's text."""
    board.page.goto(address)
    board.taps = 0
    is_phone = board.page.viewport_size == PHONE
    if is_phone and board.page.locator("svg.board").is_hidden():  # a briefing's first sheet is there to read
        board.press("Map")
    told = orders(board)
    if is_phone:
        board.press("Sheet")
    board.press("Submit as READY")
    expect(board.page.get_by_text("Received as version 1.")).to_be_visible()
    sheet = Sheet.objects.latest("pk")
    print(f"actions {who.replace(' ', '-')} {sheet.phase.key}-of-{told}-units {board.taps}")  # noqa: T201 - a figure
    assert sheet.author == User.objects.get(username=who)
    assert sheet.ready
    assert board.taps <= 3 * told + 2, "forty units in fewer than 120 taps"
    return sheet.text


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["laptop", "phone"])
def test_a_whole_day_by_taps_alone(lesson: tuple[Site, Campaign], viewport: dict[str, int]) -> None:
    site, campaign = lesson
    boards = {who: Board(site.visit(who, viewport=viewport)) for who in PEOPLE}
    address, first = f"{site.address}/c/lesson/orders/", live(campaign).moment
    texts: dict[str, list[str]] = {who: [] for who in PEOPLE}
    while live(campaign).moment == first:
        phase = live(campaign)
        for who, (role, side) in PEOPLE.items():
            if side in phase.acts and (role is Role.COMMANDER or "sheet" in phase.key):
                texts[who].append(gives_orders(boards[who], who, address))
        sweep(worker="one")
        assert live(campaign).pk != phase.pk, "everybody was READY, so the phase is over"
    for who, written in texts.items():
        assert "MOVE" in "".join(written), who
    assert Phase.objects.filter(key="allied_sheet", state="PUBLISHED").exists()
