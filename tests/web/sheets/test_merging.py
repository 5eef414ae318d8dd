"""All desks of a side as they will be merged, on HQ's sheet: from the reading that the lock uses, and no other."""

import re
from html import unescape

import pytest

from campaign.engine.values.ids import Audience
from campaign.selectors import open_phase
from campaign.services import scenario_of
from campaign.viewers import viewer_of
from gm.phases import adjudication
from gm.phases.locking import lock
from orders import services
from orders.desks import place
from orders.models import Sheet
from tests.gm.campaigns import live
from tests.web.conftest import Cast
from tests.web.sheets.test_sheet import hand_out, post

GERMANS = Audience("german")
pytestmark = pytest.mark.django_db

COMMANDER, STAFF = "german commander", "german staff"
OF_HQ = "HOLD 12 SS\nMOVE 2 Pz to Nowhere\nCAS 1 SS 1\nREADY"
OF_SIXTH = "# first\nMOVE 12 SS S22\nHOLD 1 SS\nHOLD 5 FJ\nREADY"


def page_of(cast: Cast, who: str = COMMANDER, desk: str = "HQ") -> str:
    return str(cast.browser(who).get(cast.address(f"orders/{desk}/")).content.decode())


def desks(page: str) -> dict[str, list[str]]:
    """What the preview says of each line, by desk."""
    (merged,) = re.findall(r'<div id="merged".*?</div>', page, re.DOTALL)
    merged = unescape(merged)
    found = re.findall(r"<h3>(.*?)</h3>(.*?)(?=<h3>|</div>)", merged, re.DOTALL)
    rows = {name: re.findall(r"<li>(.*?)</li>", part, re.DOTALL) for name, part in found}
    return {name: [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in part] for name, part in rows.items()}


def both(cast: Cast) -> dict[str, list[str]]:
    hand_out(cast)
    post(cast, STAFF, "Sixth", act="anyway", text=OF_SIXTH, key="theirs")
    post(cast, COMMANDER, act="anyway", text=OF_HQ, key="ours")
    return desks(page_of(cast))


def test_the_preview_says_which_line_replaces_which(cast: Cast) -> None:
    found = both(cast)
    assert found["HQ"][0].endswith("This replaces Sixth's MOVE 12 SS S22")
    assert "Replaced by HQ’s HOLD 12 SS" in found["Sixth"][0]
    assert found["Sixth"][1].startswith("Line 3 HOLD 1 SS")
    assert "Replaced" not in found["Sixth"][1], "support leaves the unit's other orders alone"
    assert "Ignored: this desk does not have that unit" in found["Sixth"][2]


def test_headquarters_is_told_at_its_line_what_it_replaces(cast: Cast) -> None:
    hand_out(cast)
    post(cast, STAFF, "Sixth", text="ATTACK 12 SS contact")
    answer = cast.browser(COMMANDER).post(cast.address("orders/HQ/check/"), {"text": "\nHOLD 12 SS"}).content.decode()
    said = unescape(" ".join(re.sub(r"<[^>]+>", " ", answer).split()))
    assert "Line 2 This replaces Sixth's ATTACK 12 SS contact" in said
    assert "Replaced by HQ’s HOLD 12 SS" in said, "the preview follows what is typed"
    assert 'id="merged" hx-swap-oob="true"' in answer


def test_what_the_preview_counts_is_what_the_phase_is_resolved_with(cast: Cast) -> None:
    both(cast)
    viewer, phase = (
        viewer_of(cast.user(COMMANDER), cast.campaign.slug),
        open_phase(viewer_of(cast.user(COMMANDER), cast.campaign.slug)),
    )
    assert phase is not None
    text = Sheet.objects.get(desk="HQ").text
    preview = services.answered(viewer, phase, place(viewer, "HQ"), text).desks
    shown = {
        (desk.name, line.number)
        for desk in preview
        for line in desk.lines
        if not line.replaced_by and not any(each.code in ("desk", "unknown", "verb") for each in line.problems)
    }
    row = live(cast.campaign)
    assert lock(row.pk)
    row.refresh_from_db()
    loaded = scenario_of(cast.campaign)
    sheet = adjudication._frozen_input(loaded, row).sheets[GERMANS]
    assert {(placed.desk, placed.line) for placed in sheet.lines} == shown


def test_a_desk_without_orders_is_listed(cast: Cast) -> None:
    hand_out(cast)
    page = page_of(cast)
    assert desks(page) == {"HQ": [], "Sixth": []}
    assert page.count("No orders yet.") == 2


def test_a_side_with_one_desk_has_no_preview(cast: Cast) -> None:
    assert "as they will be merged" not in page_of(cast)


def test_a_staff_officer_reads_the_preview_on_the_page_of_headquarters(cast: Cast) -> None:
    both(cast)
    assert "/orders/HQ/#merged" in page_of(cast, STAFF, "Sixth")
    assert "Replaced by HQ’s HOLD 12 SS" in desks(page_of(cast, STAFF))["Sixth"][0]


def test_nobody_of_the_other_side_is_shown_any_of_it(cast: Cast) -> None:
    both(cast)
    assert "12 SS" not in page_of(cast, "allied commander")


def test_to_the_gm_who_enters_a_sheet_the_other_desks_are_sealed(cast: Cast) -> None:
    hand_out(cast)
    post(cast, STAFF, "Sixth", act="anyway", text=OF_SIXTH)
    page = cast.browser("gm").get(cast.address("desk/enter/german/HQ/")).content.decode()
    assert "This replaces" not in page
    assert "MOVE 12 SS" not in page
