"""The sheet page: checked, kept, sent, withdrawn; each act also by the wrong person and at the wrong time."""

import re
from typing import Any

import pytest
from django.test import Client

from campaign.core import clock
from campaign.models import Desk, Membership, OutboxMessage, PhaseStart
from campaign.people import memberships
from campaign.rulesets.forum_campaign.movement.walking import cheapest_path
from campaign.selectors import addressed_phase
from campaign.viewers import viewer_of
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from orders import services
from orders.desks import place
from orders.intake import NotYours
from orders.models import Draft, Sheet
from tests.gm.campaigns import Clock, live, send
from tests.web.conftest import Cast, rows

pytestmark = pytest.mark.django_db


def fields(cast: Cast, **more: Any) -> dict[str, Any]:
    phase = live(cast.campaign)
    return {"stop": phase.no, "rev": phase.rev, "version": 0, "key": "a key", "act": "send", "text": "", **more}


def post(cast: Cast, who: str, desk: str = "HQ", **more: Any) -> Any:
    return cast.browser(who).post(cast.address(f"orders/{desk}/"), fields(cast, **more))


def hand_out(cast: Cast, formation: str = "6th Panzer Army", name: str = "Sixth") -> Desk:
    holder = Membership.objects.get(user__username="german staff")
    return Desk.objects.create(campaign=cast.campaign, side="german", name=name, holder=holder, formations=[formation])


def test_a_sheet_is_received_and_its_receipt_says_version_time_and_digest(cast: Cast) -> None:
    browser = cast.browser("german commander")
    response = browser.post(cast.address("orders/HQ/"), fields(cast, text="HOLD 1 SS\r\nREADY\r\n"), follow=True)
    (sheet,) = Sheet.objects.all()
    assert (sheet.text, sheet.ready, sheet.author) == ("HOLD 1 SS\nREADY\n", True, cast.user("german commander"))
    page = response.content.decode()
    assert response.redirect_chain[0][0] == cast.address("orders/HQ/2.0/1/")
    assert sheet.digest in page
    assert sheet.nonce in page


def test_on_a_full_disk_a_sheet_is_refused_and_no_receipt_is_given(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = cast.browser("german commander")
    browser.raise_request_exception = False
    monkeypatch.setenv("FAILPOINTS", "submit.before_commit=enospc")
    response = browser.post(cast.address("orders/HQ/"), fields(cast, text="HOLD 1 SS"))
    assert response.status_code == 500
    assert not Sheet.objects.exists()
    assert not OutboxMessage.objects.filter(kind="receipt").exists()
    assert not cast.campaign.audit.filter(act="submit").exists()
    monkeypatch.delenv("FAILPOINTS")
    browser.post(cast.address("orders/HQ/"), fields(cast, text="HOLD 1 SS"))
    assert Sheet.objects.get().version == 1


def test_a_receipt_is_on_the_page_and_not_in_a_mail(cast: Cast) -> None:
    post(cast, "german commander", text="HOLD 1 SS")
    assert not OutboxMessage.objects.filter(kind="receipt").exists()


def test_a_receipt_goes_by_mail_to_its_author_alone_if_they_asked_for_it(cast: Cast) -> None:
    Membership.objects.filter(role="commander").update(mail_choices={"receipts": "now"})
    post(cast, "german commander", text="HOLD 1 SS")
    (mail,) = OutboxMessage.objects.filter(kind="receipt")
    assert mail.to_addr == "german.commander@example.org"
    assert Sheet.objects.get().digest.encode() in bytes(mail.message)


def test_the_button_ready_adds_the_word(cast: Cast) -> None:
    post(cast, "german commander", text="ALL OTHERS HOLD", act="ready")
    assert Sheet.objects.get().text == "ALL OTHERS HOLD\nREADY\n"
    assert Sheet.objects.get().ready


def test_a_faulty_line_stays_and_is_marked(cast: Cast) -> None:
    page = cast.browser("german commander").post(
        cast.address("orders/HQ/check/"), {"text": "MOVE 1 SS to Nowhere\nHOLD 2 Pz"}
    )
    assert "Line 1" in page.content.decode()
    assert "1 line will be ignored" in page.content.decode()
    post(cast, "german commander", text="MOVE 1 SS to Nowhere\nHOLD 2 Pz")
    assert Sheet.objects.get().text == "MOVE 1 SS to Nowhere\nHOLD 2 Pz"


def test_a_way_is_searched_once_for_a_unit_however_often_a_sheet_asks(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def counting(*args: Any) -> Any:
        searched.append(args[1].label)
        return cheapest_path(*args)

    monkeypatch.setattr("campaign.rulesets.forum_campaign.sheets.reading.cheapest_path", counting)
    text = "MOVE 12 SS to A1\nMOVE 12 SS to A2\n" * 200 + "MOVE 12 VG to A1"
    page = cast.browser("german commander").post(cast.address("orders/HQ/check/"), {"text": text}).content.decode()
    assert searched == ["12 SS", "12 VG"]
    assert page.count("A line above already moves") == 399


def test_checking_keeps_nothing(cast: Cast) -> None:
    browser = cast.browser("german commander")
    before = rows()
    browser.post(cast.address("orders/HQ/check/"), {"text": "HOLD 1 SS"})
    browser.post(cast.address("orders/HQ/"), fields(cast, act="check", text="HOLD 1 SS"))
    assert rows() == before


def test_a_draft_is_its_writers_until_it_is_sent(cast: Cast) -> None:
    browser = cast.browser("german commander")
    browser.post(cast.address("orders/HQ/draft/"), fields(cast, text="HOLD 1 SS"))
    assert Draft.objects.get().text == "HOLD 1 SS"
    assert "HOLD 1 SS</textarea>" in browser.get(cast.address("orders/")).content.decode()
    assert "HOLD 1 SS</textarea>" not in cast.browser("german deputy").get(cast.address("orders/")).content.decode()
    browser.post(cast.address("orders/HQ/"), fields(cast, text="HOLD 1 SS"))
    assert not Draft.objects.exists()


def test_withdrawn_is_an_empty_version_and_the_old_one_stays(cast: Cast) -> None:
    post(cast, "german commander", text="HOLD 1 SS\nREADY")
    post(cast, "german commander", act="withdraw", newest=1, key="another")
    assert [(sheet.version, sheet.text, sheet.ready) for sheet in Sheet.objects.order_by("version")] == [
        (1, "HOLD 1 SS\nREADY", True),
        (2, "", False),
    ]
    assert not lock(live(cast.campaign).pk)


def test_the_same_form_sent_twice_is_one_version(cast: Cast) -> None:
    first = post(cast, "german commander", text="HOLD 1 SS")
    again = post(cast, "german commander", text="HOLD 1 SS")
    assert first.url == again.url
    assert Sheet.objects.count() == 1


def test_the_same_form_with_another_text_is_not_received_and_not_lost(cast: Cast) -> None:
    post(cast, "german commander", text="HOLD 1 SS")
    response = post(cast, "german commander", text="HOLD 2 Pz")
    assert response.status_code == 409
    assert "HOLD 2 Pz" in response.content.decode()
    assert Draft.objects.get().text == "HOLD 2 Pz"
    assert Sheet.objects.get().text == "HOLD 1 SS"


def test_two_writers_at_once_lose_nothing(cast: Cast) -> None:
    post(cast, "german commander", text="HOLD 1 SS", key="one")
    response = post(cast, "german deputy", text="HOLD 2 Pz", key="two")
    page = response.content.decode()
    assert response.status_code == 409
    assert "HOLD 2 Pz</textarea>" in page
    assert "HOLD 1 SS</pre>" in page
    assert Draft.objects.get(author__username="german deputy").text == "HOLD 2 Pz"
    assert Sheet.objects.count() == 1


def test_after_the_deadline_nothing_is_received_and_nothing_lost(cast: Cast, time: Clock) -> None:
    time.now = live(cast.campaign).deadline_at
    response = post(cast, "german commander", text="HOLD 1 SS")
    assert response.status_code == 409
    assert "HOLD 1 SS</textarea>" in response.content.decode()
    assert not Sheet.objects.exists()
    assert Draft.objects.get().text == "HOLD 1 SS"


def test_a_form_of_a_phase_that_has_closed_does_not_reach_the_next(cast: Cast) -> None:
    written_for = fields(cast, text="HOLD 1 SS", key="late")
    post(cast, "german commander", text="READY", key="first")
    sweep(worker="one")
    assert live(cast.campaign).key == "allied_sheet"
    response = cast.browser("german commander").post(cast.address("orders/HQ/"), written_for)
    assert response.status_code == 409
    assert "HOLD 1 SS</textarea>" in response.content.decode()
    assert [sheet.text for sheet in Sheet.objects.all()] == ["READY"]


def test_a_sheet_for_a_closed_phase_is_not_checked_by_the_enemys_phase(cast: Cast) -> None:
    browser, check = cast.browser("german commander"), cast.address("orders/HQ/check/")
    form = fields(cast, text="DEMOLISH Stavelot\nHOLD 1 SS", key="late")
    post(cast, "german commander", text="READY", key="first")
    sweep(worker="one")
    assert live(cast.campaign).key == "allied_sheet"
    answer = browser.post(check, {"text": form["text"]})
    assert answer.status_code == 200
    assert "Your side has no orders to give in the open phase" in answer.content.decode()
    sent = browser.post(cast.address("orders/HQ/"), form)
    assert sent.status_code == 409
    assert "DEMOLISH Stavelot" in sent.content.decode()


def test_a_phase_that_never_was_is_not_found(cast: Cast) -> None:
    assert post(cast, "german commander", text="HOLD 1 SS", stop=77).status_code == 404


def test_a_side_that_does_not_act_now_is_told_so_and_sends_nothing(cast: Cast) -> None:
    page = cast.browser("allied commander").get(cast.address("orders/")).content.decode()
    assert "Your side has nothing to do in this phase" in page
    response = post(cast, "allied commander", text="HOLD 4 Inf")
    assert response.status_code == 409
    assert "HOLD 4 Inf" in response.content.decode()
    assert not Sheet.objects.exists()


@pytest.mark.parametrize("who", ["german staff", "spectator", "outsider"])
def test_hq_is_not_everybodys_to_write(cast: Cast, who: str) -> None:
    assert post(cast, who, text="HOLD 1 SS").status_code == 404
    assert not Sheet.objects.exists()
    assert not Draft.objects.exists()


def test_a_staff_officer_writes_for_their_own_formations(cast: Cast) -> None:
    hand_out(cast)
    browser = cast.browser("german staff")
    page = browser.get(cast.address("orders/")).content.decode()
    assert "<h1>Orders: Sixth</h1>" in page
    answer = browser.post(cast.address("orders/Sixth/check/"), {"text": "HOLD 12 SS\nHOLD 5 FJ"}).content.decode()
    assert "Line 2" in answer
    assert "This desk does not have that unit" in answer
    assert "1 line will be ignored" in answer
    assert post(cast, "german staff", "Sixth", text="HOLD 12 SS\nREADY").status_code == 302
    assert Sheet.objects.get().desk == "Sixth"


def test_a_commander_reads_a_desks_sheet_and_does_not_write_it(cast: Cast) -> None:
    hand_out(cast)
    post(cast, "german staff", "Sixth", text="HOLD 12 SS")
    assert "HOLD 12 SS" in cast.browser("german commander").get(cast.address("orders/Sixth/")).content.decode()
    assert post(cast, "german commander", "Sixth", text="HOLD 1 SS", version=1).status_code == 404


def test_a_desk_of_the_other_side_is_not_there(cast: Cast) -> None:
    hand_out(cast)
    absent = cast.browser("allied commander").get(cast.address("orders/Nothing/"))
    foreign = cast.browser("allied commander").get(cast.address("orders/Sixth/"))
    assert (foreign.status_code, foreign.content) == (404, absent.content)


def test_which_version_counted_is_answered_from_the_receipt(cast: Cast) -> None:
    post(cast, "german commander", text="HOLD 1 SS", key="one")
    post(cast, "german commander", text="READY", key="two", version=1)
    sweep(worker="one")
    browser: Client = cast.browser("german commander")
    assert "This version counted" in browser.get(cast.address("orders/HQ/2.0/2/")).content.decode()
    assert "Another version counted" in browser.get(cast.address("orders/HQ/2.0/1/")).content.decode()


def test_the_answer_is_the_same_whatever_the_enemy_has(cast: Cast) -> None:
    """The page reads what the side knows: a truth that differs changes not one byte of the answer."""
    browser = cast.browser("german commander")
    text = "MOVE 12 SS to Malmedy\nMOVE 2 Pz K16-K15-K14\nATTACK 12 VG contact"
    before = browser.post(cast.address("orders/HQ/check/"), {"text": text}).content
    PhaseStart.objects.filter(phase=live(cast.campaign)).update(state_before=b"nothing that could be read")
    assert browser.post(cast.address("orders/HQ/check/"), {"text": text}).content == before


def test_a_staff_officer_is_answered_with_what_the_other_desks_have_sent(cast: Cast) -> None:
    hand_out(cast)
    post(cast, "german commander", text="# HQ\n\nMOVE 2 Pz K15\nHOLD 12 SS\nNOTE for the GM")
    browser = cast.browser("german staff")
    text = "HOLD 1 SS\nHOLD 12 SS\nNONSENSE"
    answer = browser.post(cast.address("orders/Sixth/check/"), {"text": text}).content.decode()
    assert "HQ gives this unit orders itself" in answer
    assert "2 lines will be ignored" in answer
    assert set(re.findall(r"[Ll]ine (\d+)", answer)) == {"2", "3"}, "not the lines of other desks"
    assert "all desks counted" in answer
    assert "2 Pz" not in answer
    assert "116 Pz" not in answer


def test_headquarters_sends_air_support_without_taking_the_unit_from_its_desk(cast: Cast) -> None:
    hand_out(cast)
    staff = cast.browser("german staff")
    post(cast, "german commander", text="CAS 12 SS 1\nARTILLERY 1 SS")
    both = "MOVE 12 SS S22\nHOLD 1 SS"
    assert (
        "HQ gives this unit orders"
        not in staff.post(cast.address("orders/Sixth/check/"), {"text": both}).content.decode()
    )
    again = staff.post(cast.address("orders/Sixth/check/"), {"text": "CAS 12 SS 1\nARTILLERY 12 SS"}).content.decode()
    assert again.count("HQ gives this unit orders itself") == 1


def test_headquarters_is_not_warned_of_gaps_in_the_sheet_of_a_desk(cast: Cast) -> None:
    hand_out(cast)
    answer = cast.browser("german commander").post(cast.address("orders/HQ/check/"), {"text": "HOLD 2 Pz"})
    page = answer.content.decode()
    assert "116 Pz" in page
    assert "12 SS" not in page


def test_the_fuel_of_all_desks_is_one_reserve(cast: Cast) -> None:
    hand_out(cast)
    alone = cast.browser("german commander").post(cast.address("orders/HQ/check/"), {"text": ""}).content.decode()
    assert "cost 0 of" in alone
    assert post(cast, "german staff", "Sixth", text="MOVE 12 SS S22").status_code == 302
    both = cast.browser("german commander").post(cast.address("orders/HQ/check/"), {"text": ""}).content.decode()
    assert "cost 1 of" in both


def test_nothing_written_is_not_praised_and_ready_alone_is_noticed(cast: Cast) -> None:
    browser = cast.browser("german commander")
    empty = browser.post(cast.address("orders/HQ/check/"), {"text": "# later\n"}).content.decode()
    assert "Nothing written yet" in empty
    assert "every line accepted" not in empty
    only_ready = browser.post(cast.address("orders/HQ/check/"), {"text": "READY"}).content.decode()
    assert "is READY but gives no orders" in only_ready
    assert "To confirm this, write ALL OTHERS HOLD." in only_ready


def test_the_hint_to_hold_is_missing_where_nobody_can_hold(cast: Cast) -> None:
    """M3: at the air phase ALL OTHERS HOLD is no order; a player who wrote it was refused."""
    go_to_the_air_phase(cast)
    browser = cast.browser("german commander")
    only_ready = browser.post(cast.address("orders/HQ/check/"), {"text": "READY"}).content.decode()
    assert "is READY but gives no orders" in only_ready
    assert "HOLD" not in only_ready.split("READY", 1)[1]


def test_an_order_of_another_phase_is_answered_with_the_phase_it_belongs_to(cast: Cast) -> None:
    go_to_the_air_phase(cast)
    browser = cast.browser("german commander")
    text = "MOVE 12 SS S22\nALL OTHERS HOLD\nRESULT Q19 attackers\nXYZZY"
    answer = browser.post(cast.address("orders/HQ/check/"), {"text": text}).content.decode()
    assert "MOVE is an order of “German movement and attacks”, not of this phase" in answer
    assert "ALL OTHERS HOLD is an order of “German movement and attacks”, not of this phase" in answer
    assert "RESULT is an order of “German battles” and “Allied battles”, not of this phase" in answer
    assert answer.count("Write it when that phase is open.") == 2, "results are the GM's"
    assert "&#x27;XYZZY&#x27; is not an order of this phase" in answer
    assert "Orders of this phase: AIR, AIRDROP, ARTILLERY" in answer


def go_to_the_air_phase(cast: Cast) -> None:
    """Both sides' first sheets of movement are empty; the next morning both write air sheets."""
    for side in ("german", "allied"):
        send(live(cast.campaign), cast.user(f"{side} commander"), "READY", side=side, ready=True)
        sweep(worker="one")
    assert live(cast.campaign).key == "air"


def test_an_older_draft_is_not_sent_over_a_newer_version_unawares(cast: Cast) -> None:
    deputy = cast.browser("german deputy")
    deputy.post(cast.address("orders/HQ/draft/"), fields(cast, text="HOLD 2 Pz"))
    post(cast, "german commander", text="HOLD 1 SS")
    page = deputy.get(cast.address("orders/HQ/")).content.decode()
    assert "HOLD 2 Pz</textarea>" in page
    assert "HOLD 1 SS</pre>" in page
    assert 'name="version" value="0"' in page
    assert "Submit and replace version 1" in page
    assert post(cast, "german deputy", text="HOLD 2 Pz", key="blind").status_code == 409
    assert post(cast, "german deputy", act="replace", newest=1, text="HOLD 2 Pz", key="seen").status_code == 302
    assert Sheet.objects.get(version=2).text == "HOLD 2 Pz"


def test_a_draft_that_arrives_late_does_not_put_the_older_text_back(cast: Cast) -> None:
    post(cast, "german commander", text="NOTE final")
    late = cast.browser("german commander").post(
        cast.address("orders/HQ/draft/"), fields(cast, text="NOTE fin"), headers={"HX-Request": "true"}
    )
    assert "you submitted version 1 after" in late.content.decode()
    assert not Draft.objects.exists()


def test_withdrawing_leaves_what_is_being_written(cast: Cast) -> None:
    post(cast, "german commander", text="HOLD 1 SS", key="one")
    cast.browser("german commander").post(cast.address("orders/HQ/draft/"), fields(cast, version=1, text="HOLD 2 Pz"))
    post(cast, "german commander", act="withdraw", newest=0, text="HOLD 2", key="refused")
    post(cast, "german commander", act="withdraw", newest=1, text="HOLD 2", key="another")
    assert Sheet.objects.filter(version=2, text="").exists()
    assert Draft.objects.get().text == "HOLD 2 Pz"


def test_no_draft_is_saved_for_a_phase_that_is_closed(cast: Cast) -> None:
    form = fields(cast, text="HOLD 1 SS")
    post(cast, "german commander", text="READY", key="first")
    sweep(worker="one")
    browser = cast.browser("german commander")
    answer = browser.post(cast.address("orders/HQ/draft/"), form)
    assert (answer.status_code, Draft.objects.count()) == (409, 0)
    assert "This phase has closed" in answer.content.decode()
    assert browser.post(cast.address("orders/HQ/draft/"), form, headers={"HX-Request": "true"}).status_code == 200
    page = browser.post(cast.address("orders/HQ/"), {**form, "act": "draft"})
    assert page.status_code == 409
    assert "HOLD 1 SS</textarea>" in page.content.decode()
    assert not Draft.objects.exists()


def test_a_text_that_is_too_long_is_not_kept_and_not_lost(cast: Cast) -> None:
    text = "# much\n" * 10_000
    response = post(cast, "german commander", text=text)
    assert response.status_code == 409
    assert "at most 65,536 characters" in response.content.decode()
    assert response.content.decode().count("# much") == 10_000
    stored = cast.browser("german commander").post(cast.address("orders/HQ/draft/"), fields(cast, text=text))
    assert stored.status_code == 409
    assert not Draft.objects.exists()


@pytest.mark.parametrize("field", ["stop", "rev", "version", "newest"])
def test_a_number_of_any_length_breaks_nothing(cast: Cast, field: str) -> None:
    for digits in ("9" * 30, "9" * 5000):
        assert post(cast, "german commander", **{field: digits}, text="HOLD 1 SS").status_code < 500


def test_a_member_who_is_removed_while_they_submit_has_sent_nothing(cast: Cast) -> None:
    hand_out(cast)
    viewer = viewer_of(cast.user("german staff"), cast.campaign.slug)
    here, phase = place(viewer, "Sixth"), addressed_phase(viewer, 2, 0)
    memberships.remove(viewer_of(cast.user("gm"), cast.campaign.slug), cast.member("german staff"), now=clock.now())
    with pytest.raises(NotYours):
        services.send(viewer, phase, here, text="HOLD 12 SS", expected_version=0, idem_key="late")
    assert not Sheet.objects.exists()


def test_a_desk_that_was_closed_while_its_sheet_was_sent_has_sent_nothing(cast: Cast) -> None:
    hand_out(cast)
    viewer = viewer_of(cast.user("german staff"), cast.campaign.slug)
    here, phase = place(viewer, "Sixth"), addressed_phase(viewer, 2, 0)
    Desk.objects.all().delete()
    with pytest.raises(NotYours):
        services.send(viewer, phase, here, text="HOLD 12 SS", expected_version=0, idem_key="late")
    assert not Sheet.objects.exists()


def test_the_receipt_of_a_desk_that_was_closed_is_still_read(cast: Cast) -> None:
    desk = hand_out(cast)
    browser = cast.browser("german staff")
    receipt = post(cast, "german staff", "Sixth", text="HOLD 12 SS").url
    desk.delete()
    assert "HOLD 12 SS" in browser.get(receipt).content.decode()
    assert cast.browser("allied commander").get(receipt).status_code == 404


def test_a_reopened_phase_hides_no_receipt_of_its_first_time(cast: Cast) -> None:
    first = post(cast, "german commander", text="HOLD 1 SS\nREADY").url
    sweep(worker="one")
    reopen(viewer_of(cast.user("gm"), cast.campaign.slug), reason="a mistake")
    second = post(cast, "german commander", text="HOLD 2 Pz", key="anew").url
    browser = cast.browser("german commander")
    assert "HOLD 1 SS" in browser.get(first).content.decode()
    assert "HOLD 2 Pz" in browser.get(second).content.decode()


def test_the_sheets_page_lists_the_sides_own_units_and_no_others(cast: Cast) -> None:
    page = cast.browser("german commander").get(cast.address("orders/")).content.decode()
    units = page.split("Your units")[1].split("</details>")[0]
    assert '<th scope="row">12 SS</th>' in units
    assert "28 Inf" not in units


def test_the_live_answer_brings_its_summary_along(cast: Cast) -> None:
    browser = cast.browser("german commander")
    live_answer = browser.post(cast.address("orders/HQ/check/"), {"text": "NONSENSE"}).content.decode()
    assert 'id="summary" class="narrow-only" hx-swap-oob="true"' in live_answer
    page = browser.get(cast.address("orders/")).content.decode()
    assert page.count('id="summary"') == 1
