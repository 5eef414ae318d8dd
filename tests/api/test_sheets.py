"""Order sheets through the API: read, checked, kept, submitted, withdrawn, with the answers of the pages."""

from html import unescape
from typing import Any

import pytest

from campaign.core import clock
from campaign.models import Desk, Membership, Phase
from campaign.selectors import mark_of, open_phase
from campaign.viewers import viewer_of
from gm.phases.locking import lock
from orders.intake import sheet_digest
from orders.models import Channel, Draft, Sheet
from tests.api.asking import ask
from tests.gm.campaigns import live
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

GERMAN, ALLIED = "german commander", "allied commander"


def mark(cast: Cast) -> str:
    phase = open_phase(viewer_of(cast.user("gm"), cast.campaign.slug))
    assert phase is not None
    return mark_of(phase)


def sheet(cast: Cast, text: str, *, version: int = 0, **more: Any) -> dict[str, Any]:
    return {"phase": mark(cast), "text": text, "version": version, **more}


# --- how a sheet is read ---------------------------------------------------------------------------------------------


def test_a_sheet_is_read_line_by_line_as_on_the_page(cast: Cast) -> None:
    text = "MOVE 12 SS to S22 # east\nATTACK 277 VG S19\nMOVE 1 SS to Brussels\nREADY"
    said = ask(cast, GERMAN, "check", {"text": text}).json()
    moved, attacks, ready = said["lines"]
    assert (moved["line"], moved["verb"], moved["units"], moved["arrow"]) == (1, "MOVE", ["G-12SS"], "move")
    assert (moved["path"][0], moved["path"][-1], moved["ignored"]) == ("T22", "S22", False)
    assert (attacks["verb"], attacks["path"][-1], attacks["arrow"]) == ("ATTACK", "S19", "attack")
    assert (ready["verb"], ready["path"], said["ready"]) == ("READY", [], True)
    page = unescape(cast.browser(GERMAN).post(cast.address("orders/HQ/check/"), {"text": text}).content.decode())
    for problem in said["problems"]:
        assert problem["message"][1:] in page
    assert [(each["line"], each["severity"]) for each in said["problems"] if each["line"]] == [(3, "error")]
    assert said["gauges"] == [{"name": "Fuel", "used": 1, "of": 23}]


def test_an_ignored_line_still_says_where_it_would_lead(cast: Cast) -> None:
    (line,) = ask(cast, GERMAN, "check", {"text": "MOVE 12 SS S22-D4"}).json()["lines"]
    assert (line["ignored"], line["text"], line["path"], line["arrow"]) == (True, "", ["S22", "D4"], "")


def test_a_notice_names_the_units_without_orders(cast: Cast) -> None:
    problems = ask(cast, GERMAN, "check", {"text": "HOLD 12 SS"}).json()["problems"]
    (idle,) = (each for each in problems if each["code"] == "no-orders")
    assert "G-1SS" in idle["units"]
    assert "G-12SS" not in idle["units"]
    assert not any(each["units"] for each in ask(cast, GERMAN, "check", {"text": "ALL OTHERS HOLD"}).json()["problems"])


# --- what may be added -----------------------------------------------------------------------------------------------


def test_every_way_that_is_offered_is_accepted_and_costs_what_it_says(cast: Cast) -> None:
    ways = ask(cast, GERMAN, "choices", {"text": "", "unit": "G-12SS"}).json()["ways"]
    assert len(ways) > 20
    for way in ways[::9]:
        (line,) = ask(cast, GERMAN, "check", {"text": way["line"]}).json()["lines"]
        assert not line["ignored"]
        assert line["path"][1:] == way["path"]
        assert f"{way['cost']} of {way['allowance']} points" in line["text"]


def test_a_unit_that_moves_goes_on_from_the_end_of_its_path(cast: Cast) -> None:
    text = "MOVE 12 SS S22\nREADY"
    onward = ask(cast, GERMAN, "choices", {"text": text, "unit": "G-12SS"}).json()["ways"]
    assert onward
    for way in onward[::9]:
        (line,) = ask(cast, GERMAN, "check", {"text": way["line"]}).json()["lines"]
        assert not line["ignored"]
        assert line["path"][:2] == ["T22", "S22"]
        assert line["path"][2:] == way["path"]
    instead = ask(cast, GERMAN, "choices", {"text": text, "unit": "G-12SS", "instead": True}).json()
    assert instead == ask(cast, GERMAN, "choices", {"text": "READY", "unit": "G-12SS"}).json()


def test_every_line_that_is_offered_is_accepted(cast: Cast) -> None:
    offered = ask(cast, GERMAN, "choices", {"text": "", "unit": "G-277VG"}).json()["lines"]
    assert {"ATTACK", "HOLD"} <= {each["verb"] for each in offered}
    for each in offered:
        (line,) = ask(cast, GERMAN, "check", {"text": each["line"]}).json()["lines"]
        assert not line["ignored"], each
        if each["place"]:
            assert line["path"][-1] == each["place"]


def test_lines_that_name_no_unit_are_offered_without_one(cast: Cast) -> None:
    offered = ask(cast, GERMAN, "choices", {"text": ""}).json()
    assert offered == {"ways": [], "lines": []}, "a German movement sheet has none that are not free text"


def test_nothing_is_offered_for_what_a_desk_does_not_have(cast: Cast) -> None:
    holder = Membership.objects.get(user__username="german staff")
    Desk.objects.create(campaign=cast.campaign, side="german", name="Sixth", holder=holder, formations=["7th Army"])
    for unit in ("G-12SS", "A-106", "no such unit"):
        answer = ask(cast, "german staff", "choices", {"text": "", "unit": unit}, desk="Sixth")
        assert answer.json() == {"ways": [], "lines": []}
    own = ask(cast, "german staff", "choices", {"text": "", "unit": "G-352VG"}, desk="Sixth").json()
    assert own["ways"]


def test_a_unit_with_further_orders_does_not_go_on(cast: Cast) -> None:
    """They count on where it ends. Afresh it may go anywhere."""
    text = "MOVE 277 VG S21\nATTACK 277 VG R20\n"
    assert not ask(cast, GERMAN, "choices", {"text": text, "unit": "G-277VG"}).json()["ways"]
    assert ask(cast, GERMAN, "choices", {"text": text, "unit": "G-277VG", "instead": True}).json()["ways"]


def test_a_game_master_is_offered_nothing(cast: Cast) -> None:
    said = ask(cast, "gm", "choices", {"text": "", "unit": "G-12SS"})
    assert (said.status_code, said.json()) == (200, {"ways": [], "lines": []})


def test_a_side_that_does_not_act_is_offered_nothing(cast: Cast) -> None:
    said = ask(cast, ALLIED, "choices", {"text": "", "unit": "A-106"})
    assert (said.status_code, said.json()) == (200, {"ways": [], "lines": []})


# --- what is stored --------------------------------------------------------------------------------------------------


def test_a_program_leaves_the_draft_of_its_owner_alone(cast: Cast) -> None:
    """Unless it submits the same text."""
    page = {"stop": 2, "rev": 0, "version": 0, "text": "HOLD 12 SS", "act": "draft"}
    cast.browser(GERMAN).post(cast.address("orders/HQ/"), page)
    ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 1 SS"))
    assert Draft.objects.get().text == "HOLD 12 SS"
    cast.browser(GERMAN).post(cast.address("orders/HQ/"), page | {"text": "HOLD 12 SS # still at it"})
    assert Draft.objects.get().text == "HOLD 12 SS # still at it", "its owner goes on with it"
    cast.browser(GERMAN).post(cast.address("orders/HQ/"), page)
    ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 12 SS", version=1), key="another")
    assert not Draft.objects.exists()


def test_a_submission_is_a_version_with_a_receipt(cast: Cast) -> None:
    answer = ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 1 SS", ready=True))
    assert answer.status_code == 201, answer.json()
    stored, receipt = Sheet.objects.get(), answer.json()
    assert (stored.text, stored.ready, stored.channel) == ("HOLD 1 SS\nREADY\n", True, Channel.API)
    assert receipt == {
        "phase": mark(cast),
        "desk": "HQ",
        "version": 1,
        "received_at": receipt["received_at"],
        "digest": sheet_digest(stored.text, stored.nonce),
        "ready": True,
        "ready_at": "2026-03-01T12:00:00Z",
        "for_side": False,
    }


def test_a_repeated_submission_is_stored_once(cast: Cast) -> None:
    first, again = (ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 1 SS")) for _ in range(2))
    assert first.json() == again.json()
    assert Sheet.objects.count() == 1
    other = ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 12 SS", version=1))
    assert (other.status_code, other.json()["error"]) == (409, "key-reused")
    without = ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 12 SS", version=1), key="")
    assert (without.status_code, without.json()["error"]) == (400, "malformed")
    assert Sheet.objects.count() == 1


def test_a_newer_version_is_never_overwritten_unseen(cast: Cast) -> None:
    ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 1 SS"))
    late = ask(cast, "german deputy", "sheets", sheet(cast, "HOLD 12 SS"), key="another")
    assert (late.status_code, late.json()["error"], late.json()["newest"]) == (409, "outdated", 1)
    assert Sheet.objects.count() == 1


def test_a_withdrawal_is_an_empty_version(cast: Cast) -> None:
    ask(cast, GERMAN, "sheets", sheet(cast, "HOLD 1 SS"))
    answer = ask(cast, GERMAN, "withdrawals", {"phase": mark(cast), "version": 1}, key="another")
    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    versions = Sheet.objects.order_by("version").values_list("text", "channel")
    assert list(versions) == [("HOLD 1 SS", Channel.API), ("", Channel.API)]


def test_a_sheet_for_a_phase_that_has_closed_is_refused(cast: Cast) -> None:
    written = sheet(cast, "HOLD 1 SS")
    Phase.objects.filter(pk=live(cast.campaign).pk).update(deadline_at=clock.now())
    assert lock(live(cast.campaign).pk)
    answer = ask(cast, GERMAN, "sheets", written)
    assert (answer.status_code, answer.json()["error"]) == (409, "closed")
    assert not Sheet.objects.filter(text="HOLD 1 SS").exists()


def test_a_text_that_is_too_long_is_refused(cast: Cast) -> None:
    answer = ask(cast, GERMAN, "sheets", sheet(cast, "#" * 70_000))
    assert (answer.status_code, answer.json()["error"]) == (422, "too-long")
    assert not Sheet.objects.exists()


# --- who may ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["spectator", "outsider", "german tactical", "allied staff"])
def test_what_is_not_for_somebody_looks_like_what_is_not_there(cast: Cast, who: str) -> None:
    holder = Membership.objects.get(user__username="german staff")
    Desk.objects.create(campaign=cast.campaign, side="german", name="Sixth", holder=holder, formations=["7th Army"])
    for rest, body in (
        ("check", {"text": ""}),
        ("choices", {"text": ""}),
        ("sheets", sheet(cast, "")),
        ("withdrawals", {"phase": mark(cast), "version": 0}),
    ):
        found = [ask(cast, who, rest, body, desk=desk) for desk in ("Sixth", "Nobody")]
        assert [answer.status_code for answer in found] == [404, 404], rest
        assert found[0].content == found[1].content
        assert dict(found[0].headers) == dict(found[1].headers)
    assert not Sheet.objects.exists()
    assert not Draft.objects.exists()


def test_those_who_only_read_a_desk_store_nothing_for_it(cast: Cast) -> None:
    assert ask(cast, "german staff", "check", {"text": ""}).status_code == 200
    assert ask(cast, "german staff", "sheets", sheet(cast, "")).status_code == 404
