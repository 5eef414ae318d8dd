"""The board: each audience its own view of a phase, hex by hex, over a base map that is the same for all."""

import re
from collections.abc import Mapping
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image

from campaign.engine.display.signs import Layer
from campaign.engine.display.views import View
from campaign.engine.values.value import decode
from campaign.maps import vector
from campaign.maps.style.adaptive import ADAPTIVE
from campaign.maps.style.schemes import DARK, SCHEMES
from campaign.models import Artefact, Campaign, PhaseState
from campaign.people.throttles import BOARDS
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from tests.gm.campaigns import live, review_drafts, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

READERS: Mapping[str, str] = {
    "german commander": "german",
    "allied commander": "allied",
    "gm": "gm",
    "spectator": "public",
}
CAMPAIGN_BOARDS = ("board/", "stops/0/board/")
PUBLIC_BOARDS = ("public/board/", "public/stops/0/board/")


def page(cast: Cast, who: str, rest: str = "board/") -> str:
    answer = cast.browser(who).get(cast.address(rest))
    assert answer.status_code == 200, (who, rest)
    return answer.content.decode()


def view_of(audience: str) -> View:
    content = Artefact.objects.get(phase__no=0, audience=audience, kind="view").content
    shown: View = decode(bytes(content), View)
    return shown


def names_in(text: str) -> set[str]:
    """The full names of all units of the campaign that are in a page."""
    return {each.name for each in view_of("gm").counters if f"({each.name})" in text}


@pytest.mark.parametrize("rest", CAMPAIGN_BOARDS)
def test_the_board_shows_the_units_that_its_readers_audience_knows_and_no_other(cast: Cast, rest: str) -> None:
    for who, audience in READERS.items():
        known = {each.name for each in view_of(audience).counters if each.name != each.label}
        assert names_in(page(cast, who, rest)) == known, who
    assert names_in(page(cast, "gm", rest)) > names_in(page(cast, "german commander", rest)) > set()


@pytest.mark.parametrize("rest", PUBLIC_BOARDS)
def test_strangers_see_what_the_public_knows(cast: Cast, rest: str) -> None:
    stranger = page(cast, ANONYMOUS, rest)
    assert names_in(stranger) == set()
    assert len(re.findall(r'<a id="place-', stranger)) == len(re.findall(r'<article id="at-', stranger)) > 90


def test_no_board_depends_on_what_another_audience_received(cast: Cast) -> None:
    before = {who: drawn(page(cast, who)) for who in READERS}
    for who, audience in READERS.items():
        others = Artefact.objects.exclude(audience=audience)
        kept = {each.pk: each.content for each in others}
        others.update(content=b"nothing that could be read")
        assert drawn(page(cast, who)) == before[who]
        for pk, content in kept.items():
            Artefact.objects.filter(pk=pk).update(content=content)


def drawn(text: str) -> str:
    """A page but for its tokens, and for what the staff of its reader says."""
    board = text[text.index('<div class="table">') :]
    return re.sub(r'<section id="comments".*?</section>', "", board)


def test_a_board_reads_later_as_it_was_received_and_no_draft_has_one(cast: Cast) -> None:
    review_drafts()
    before = drawn(page(cast, "german commander", "stops/0/board/"))
    draft = live(cast.campaign)
    send(draft, cast.user("german commander"), "MOVE 12 SS S22\nREADY", ready=True)
    sweep(worker="one")
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW
    for who in (*READERS, "co-gm"):
        assert cast.browser(who).get(cast.address(f"stops/{draft.no}/board/")).status_code == 404
    assert drawn(page(cast, "german commander")) == before
    approve(draft.pk, fence=draft.fence)
    assert drawn(page(cast, "german commander", "stops/0/board/")) == before
    assert drawn(page(cast, "german commander")) == drawn(page(cast, "german commander", f"stops/{draft.no}/board/"))


def test_before_the_first_phase_there_is_no_board(cast: Cast) -> None:
    cast.campaign.phases.filter(state=PhaseState.PUBLISHED).update(state=PhaseState.WITHDRAWN)
    assert cast.browser("german commander").get(cast.address("board/")).status_code == 404
    assert cast.browser(ANONYMOUS).get(cast.address("public/board/")).status_code == 404


@pytest.mark.parametrize("rest", [*CAMPAIGN_BOARDS, "board/sheet.png", *PUBLIC_BOARDS, "public/board/sheet.png"])
def test_of_a_campaign_that_is_not_theirs_people_find_nothing(cast: Cast, rest: str) -> None:
    Campaign.objects.update(public=False)
    browser = cast.browser(OUTSIDER)
    here, nowhere = browser.get(cast.address(rest)), browser.get(f"/c/no-such-campaign/{rest}")
    assert (here.status_code, here.content) == (404, nowhere.content)


# --- the sheet --------------------------------------------------------------------------------------------------------


def sheet_in(text: str) -> str:
    """The address of the light sheet under the board and its legend."""
    (address,) = set(re.findall(r'<(?:img src|image href)="([^"]+)"', text))
    return unescape(address)


def test_a_page_in_dark_mode_has_a_dark_sheet_under_its_board(cast: Cast) -> None:
    (address,) = set(re.findall(r'<source media="[^"]+dark[^"]+" srcset="([^"]+)"', page(cast, "german commander")))
    answer = cast.browser("german commander").get(unescape(address))
    assert Image.open(BytesIO(answer.content)).convert("RGB").getpixel((0, 0)) == DARK.paper
    assert answer.headers["Cache-Control"] == "private, max-age=86400"


def test_the_sheet_is_the_same_for_everybody(cast: Cast) -> None:
    addresses = {who: sheet_in(page(cast, who)) for who in READERS} | {
        ANONYMOUS: sheet_in(page(cast, ANONYMOUS, "public/board/"))
    }
    answers = [cast.browser(who).get(address) for who, address in addresses.items()]
    assert len({answer.content for answer in answers}) == 1
    assert {answer.headers["Content-Type"] for answer in answers} == {"image/png"}
    assert {answer.headers["Cache-Control"] for answer in answers} == {"private, max-age=86400"}


@pytest.mark.parametrize("query", ["", "?", "?0000000000000000", "?v=1", "?colours=dark"])
def test_only_under_the_address_of_its_base_map_may_a_sheet_be_kept(cast: Cast, query: str) -> None:
    answer = cast.browser("german commander").get(cast.address(f"board/sheet.png{query}"))
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_after_an_upgrade_a_board_asks_for_another_sheet(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, before = cast.browser("german commander"), sheet_in(page(cast, "german commander"))
    monkeypatch.setattr("campaign.maps.drawing.edition.edition", lambda: "another")
    after = sheet_in(page(cast, "german commander"))
    assert before != after
    kept = [browser.get(address).headers["Cache-Control"] for address in (before, after)]
    assert kept == ["private, no-store", "private, max-age=86400"]


def test_what_is_the_same_for_all_boards_is_found_out_once(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn(page(cast, "german commander"))
    for found_out in ("base.layout.features", "base.layout.labels", "place_descriptions.knot"):
        monkeypatch.setattr(f"campaign.maps.{found_out}", lambda *_: 1 / 0)
    assert drawn(page(cast, "german commander")) == before


def test_every_layer_can_be_switched_off() -> None:
    styles = Path(finders.find("css/fieldpost.css") or "").read_text()
    for layer in Layer:
        assert f".table:has(#show-{layer.value}:not(:checked)) .{layer.value}" in styles


def test_the_board_lies_on_its_sheet(cast: Cast) -> None:
    text = page(cast, "german commander")
    sheet = Image.open(BytesIO(cast.browser("german commander").get(sheet_in(text)).content))
    found = re.search(r'<img src="[^"]+" alt="" width="(\d+)" height="(\d+)"/>', text)
    assert found is not None
    assert sheet.size == (int(found[1]), int(found[2]))


def test_a_board_and_its_sheet_have_the_requested_colours(cast: Cast) -> None:
    browser, usual = cast.browser("german commander"), drawn(page(cast, "german commander"))
    for name, scheme in SCHEMES.items():
        text = page(cast, "german commander", f"board/?colours={name}")
        sheet = Image.open(BytesIO(browser.get(sheet_in(text)).content)).convert("RGB")
        assert sheet.getpixel((0, 0)) == scheme.paper
        inked = "#" + "".join(f"{level:02x}" for level in scheme.colours_of_sides[0].strong)
        assert f'fill="{inked}"' in text
        assert drawn(text) != usual
    assert drawn(page(cast, "german commander", f"board/?colours={ADAPTIVE.name}")) == usual


@pytest.mark.parametrize("rest", ["board/", "stops/0/board/", "board/sheet.png", "public/board/"])
def test_colours_that_there_are_not_lead_nowhere(cast: Cast, rest: str) -> None:
    assert cast.browser("german commander").get(cast.address(f"{rest}?colours=mauve")).status_code == 404


# --- the page ---------------------------------------------------------------------------------------------------------


def test_nothing_on_the_page_is_forbidden_by_its_own_policy(cast: Cast) -> None:
    text = page(cast, "german commander")
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=|hx-on", text)
    (script,) = re.findall(r'src="/static/(js/board[^"]*)"', text)
    assert (settings.BASE_DIR / "static" / script).is_file()


def test_every_hex_leads_to_its_words(cast: Cast) -> None:
    text = page(cast, "german commander")
    leads = re.findall(r'<a id="place-[^"]+" href="#([^"]+)"', text)
    assert sorted(leads) == sorted(re.findall(r'<article id="([^"]+)"', text))
    assert len(re.findall(r'<a id="place-[^>]* tabindex="0"', text)) == 1


def test_reports_and_history_lead_to_the_board(cast: Cast) -> None:
    newest = live(cast.campaign).no - 1
    for who, before in (("german commander", ""), (ANONYMOUS, "public/")):
        for rest, no in (("", newest), ("stops/", 0), ("stops/", newest), ("stops/0/", 0)):
            board = cast.address(f"{before}stops/{no}/board/")
            assert f'href="{board}"' in page(cast, who, f"{before}{rest}"), (who, rest)


# --- maps of too many hexes -------------------------------------------------------------------------------------------


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaign.maps.vector.MOST_PLACES", 675)
    monkeypatch.setattr("campaign.views.maps.board.PLACES_A_PAGE", 250)


@pytest.mark.usefixtures("too_large")
def test_of_a_map_of_too_many_hexes_there_is_the_list_and_it_says_why(cast: Cast) -> None:
    text = page(cast, "german commander")
    assert "This map has 676 hexes. The board can show at most 675" in text
    assert "<svg" not in text
    assert "board.js" not in text
    known = {each.name for each in view_of("german").counters if each.name != each.label}
    assert names_in(text) == known
    assert cast.browser("german commander").get(cast.address("board/sheet.png")).status_code == 404


@pytest.mark.usefixtures("too_large")
@pytest.mark.parametrize("who", ["german commander", "gm", "spectator"])
def test_every_hex_of_it_is_on_one_of_the_pages(cast: Cast, who: str) -> None:
    text, described, others = page(cast, who), set[str](), list[str]()
    for number in range(1, 5):
        before, after = page(cast, who, f"board/?page={number}").split('<details id="others"')
        described |= set(re.findall(r'<article id="at-([^"]+)"', before))
        others += re.findall(r'<article id="at-([^"]+)"', after)
        following = f'href="?page={number + 1}#others"'
        if following not in after:
            break
    assert len(others) == len(set(others)) == 676 - len(described)
    assert f"Other hexes, 1 to 250 of {len(others)}" in text
    assert cast.browser(who).get(cast.address(f"board/?page={number + 1}")).status_code == 404


@pytest.mark.parametrize("page_number", ["0", "-1", "x", "9" * 40])
@pytest.mark.usefixtures("too_large")
def test_pages_that_there_are_not_lead_nowhere(cast: Cast, page_number: str) -> None:
    assert cast.browser("gm").get(cast.address(f"board/?page={page_number}")).status_code == 404


# --- how much and how often -------------------------------------------------------------------------------------------


def test_the_number_of_queries_is_small(cast: Cast) -> None:
    browser = cast.browser("german commander")
    browser.get(cast.address("board/"))
    with CaptureQueriesContext(connection) as asked:
        browser.get(cast.address("board/"))
    assert len(asked) <= 16


def test_a_visitor_who_requests_boards_without_end_must_wait(cast: Cast) -> None:
    browser = cast.browser("german commander")
    assert codes(browser, cast.address("board/sheet.png"), BOARDS.number) == {200}
    assert codes(browser, cast.address("board/sheet.png"), 1) == {429}
    assert codes(browser, cast.address("board/"), 1) == {429}
    assert codes(cast.browser("allied commander"), cast.address("board/"), 1) == {200}


def test_strangers_have_fewer_boards_among_them_and_take_none_from_members(cast: Cast) -> None:
    assert BOARDS.strangers is not None
    assert BOARDS.strangers < BOARDS.number
    stranger, address = cast.browser(ANONYMOUS), cast.address("public/board/sheet.png")
    assert codes(stranger, address, BOARDS.strangers) == {200}
    assert codes(cast.browser(ANONYMOUS), address, 1) == {429}
    assert codes(cast.browser("german commander"), address, 1) == {200}


def codes(browser: Client, address: str, times: int) -> set[int]:
    return {browser.get(address).status_code for _ in range(times)}


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The audiences for whom boards are drawn."""
    audiences, board = list[str](), vector.board

    def noted(view: View, *args: Any, **named: Any) -> str:
        audiences.append(view.audience)
        return board(view, *args, **named)

    monkeypatch.setattr(vector, "board", noted)
    return audiences


def test_everyone_on_a_side_opens_the_same_board_which_is_drawn_once(cast: Cast, boards: list[str]) -> None:
    first, second = (page(cast, who) for who in ("german commander", "german staff"))
    page(cast, "allied commander")
    assert svg_of(first) == svg_of(second)
    assert boards == ["german", "allied"]


def test_a_board_is_drawn_for_the_public_each_time(cast: Cast, boards: list[str]) -> None:
    """A fast answer would show one side that somebody had asked before, perhaps of the other."""
    for _ in range(2):
        page(cast, "spectator")
    assert boards == ["public", "public"]


def svg_of(text: str) -> str:
    found = re.search(r"<svg.*?</svg>", text, re.DOTALL)
    assert found
    return found[0]
