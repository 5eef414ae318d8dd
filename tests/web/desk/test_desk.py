"""The GM desk: who is late, the draft, rulings, rolls, prefaces, publication, the clock, a sheet for somebody else."""

import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest

from campaign.engine.phases import Weight
from campaign.handling import Handling, handling_of
from campaign.models import Campaign, Desk, Mailing, Membership, OutboxMessage, Phase, PhaseState
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_prefaces
from orders.models import Channel, Sheet
from tests.gm.campaigns import Clock, live, review_drafts, send
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db


def mark(phase: Phase) -> str:
    """What the page's forms say of the draft they were made for."""
    return f"{phase.no}.{phase.rev}.{phase.fence}"


def act(cast: Cast, phase: Phase, name: str, *, who: str = "gm", **more: Any) -> Any:
    return cast.browser(who).post(cast.address("desk/draft/"), {"seen": mark(phase), "act": name, **more})


def clock_mark(cast: Cast) -> str:
    phase = live(cast.campaign)
    return f"{phase.no}.{phase.rev}"


def page(cast: Cast, rest: str = "desk/") -> str:
    return cast.browser("gm").get(cast.address(rest)).content.decode()


def test_the_desk_says_who_is_late_and_keeps_sheets_sealed(cast: Cast) -> None:
    assert "no sheet yet" in page(cast)
    send(live(cast.campaign), cast.user("german commander"), "NOTE a secret plan")
    assert "version 1, not READY" in page(cast)
    assert "a secret plan" not in page(cast)


def test_the_desk_names_the_rolls_to_come_that_no_sheet_decides(cast: Cast) -> None:
    assert "none; the orders may add more" in page(cast)
    send(live(cast.campaign), cast.user("german commander"), "READY", ready=True)
    sweep(worker="one")
    send(live(cast.campaign), cast.user("allied commander"), "DEMOLISH Stavelot", side="allied")
    assert "weather of 17 December (1d10, for " in page(cast)
    assert "German air units (the modifier depends on rolls before it) (1d10, for " in page(cast)
    assert "air units (-" not in page(cast)
    assert "demolition" not in page(cast)


def test_from_the_second_day_on_the_desk_says_when_the_campaign_is_done_at_this_pace(cast: Cast, time: Clock) -> None:
    assert "At this pace" not in page(cast)
    while live(cast.campaign).moment == "16 December 1944":
        time.forward(hours=48)
        sweep(worker="one")
    took = live(cast.campaign).opens_at - cast.campaign.phases.get(no=1).opens_at
    done = live(cast.campaign).opens_at + 15 * took
    said = f"1 day of the game took {took.days} days, and 15 are left"
    assert f"At this pace the campaign is done on {done:%-d %B %Y}: {said}." in page(cast)
    time.forward(days=took.days + 3)
    assert f"is done on {done + timedelta(days=3):%-d %B %Y}: {said}." in page(cast)
    cast.campaign.phases.update(opens_at=live(cast.campaign).opens_at)
    assert "At this pace" not in page(cast), "days that took seconds say nothing"


@pytest.mark.usefixtures("draft")
def test_the_draft_shows_what_happened_with_its_rule_and_its_why(cast: Cast) -> None:
    shown = page(cast, "desk/draft/")
    assert "12 SS moves" in shown
    assert "/rules/#R4" in shown
    assert "S22" in shown.split("<summary>Why</summary>")[1], "the cost of each hex"
    assert "MOVE 12 SS S22" in shown, "the sheets are open once they count"


def test_approved_is_published_to_all_at_once(cast: Cast, draft: Phase) -> None:
    assert act(cast, draft, "approve").status_code == 302
    draft.refresh_from_db()
    assert draft.state == PhaseState.PUBLISHED
    for who in ("german commander", "allied commander", "spectator"):
        assert cast.browser(who).get(cast.address(f"stops/{draft.no}/")).status_code == 200


def test_a_draft_that_has_changed_since_it_was_seen_is_not_published(cast: Cast, draft: Phase) -> None:
    response = cast.browser("gm").post(
        cast.address("desk/draft/"), {"seen": f"{draft.no}.0.{draft.fence - 1}", "act": "approve"}, follow=True
    )
    assert "changed after you opened the page" in response.content.decode()
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW


def test_an_old_page_publishes_nothing_of_the_next_phase(cast: Cast, draft: Phase) -> None:
    seen = mark(draft)
    act(cast, draft, "approve")
    phase = live(cast.campaign)
    send(phase, cast.user("allied commander"), "READY", side="allied", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert (phase.state, phase.fence) == (PhaseState.REVIEW, draft.fence)
    cast.browser("gm").post(cast.address("desk/draft/"), {"seen": seen, "act": "approve"})
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW


def test_what_was_written_for_a_draft_that_has_changed_is_given_back(cast: Cast, draft: Phase) -> None:
    old = {"seen": f"{draft.no}.0.{draft.fence - 1}", "act": "approve"}
    written = {"preface-german": "Well <done>.", "text": "FUEL 7", "reason": "a dump burnt"}
    response = cast.browser("gm").post(cast.address("desk/draft/"), {**old, **written})
    shown = response.content.decode()
    assert response.status_code == 409
    assert all(text in shown for text in ("Well &lt;done&gt;.", "FUEL 7", "a dump burnt"))
    assert not draft.prefaces.exists()


def test_reopening_pressed_twice_undoes_one_publication(cast: Cast, draft: Phase) -> None:
    act(cast, draft, "approve")
    form = {"seen": clock_mark(cast), "act": "reopen", "reason": "a wrong map"}
    for _ in range(2):
        cast.browser("gm").post(cast.address("desk/clock/"), form)
    assert live(cast.campaign).no == draft.no


def test_what_is_typed_as_a_preface_is_published_with_the_phase(cast: Cast, draft: Phase) -> None:
    act(cast, draft, "approve", **{"preface-allied": "Hold on."})
    assert "Hold on." in cast.browser("allied staff").get(cast.address(f"stops/{draft.no}/")).content.decode()


@pytest.mark.parametrize("name", ["approve", "preface"])
def test_a_message_that_another_gm_has_saved_meanwhile_is_neither_overwritten_nor_published(
    cast: Cast, draft: Phase, name: str
) -> None:
    shown = cast.browser("gm").get(cast.address("desk/draft/")).content.decode()
    words = re.search(r'name="words"\s+value="([^"]*)"', shown)
    assert words is not None
    act(cast, draft, "preface", who="co-gm", **{"preface-german": "Mind the bridge."})
    answered = act(cast, draft, name, words=words[1], **{"preface-german": "", "preface-allied": "Hold on."})
    assert answered.status_code == 409
    assert "Hold on." in answered.content.decode()
    assert draft.prefaces.get().text == "Mind the bridge."
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW


def test_a_preface_for_a_draft_that_another_gm_has_published_is_given_back(
    cast: Cast, draft: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slower(phase_id: int, texts: Mapping[str, str], *, fence: int, words: str | None) -> bool:
        assert approve(phase_id, fence=draft.fence)
        return save_prefaces(phase_id, texts, fence=fence, words=words)

    monkeypatch.setattr("gm.views.desk.save_prefaces", slower)
    response = act(cast, draft, "preface", **{"preface-german": "Well <done>."})
    assert response.status_code == 409
    assert "Well &lt;done&gt;." in response.content.decode()
    assert not draft.prefaces.exists()


def test_the_draft_says_first_what_wants_the_gms_eye(cast: Cast) -> None:
    review_drafts()
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "MOVE 12 SS to Nowhere\nNOTE look here\nREADY", ready=True)
    sweep(worker="one")
    shown = page(cast, "desk/draft/")
    assert "German HQ, line 1, was ignored: " in shown
    assert "German HQ, line 2, is a note for you: look here" in shown


@pytest.mark.usefixtures("draft")
def test_the_drafts_tables_say_what_their_columns_are(cast: Cast) -> None:
    shown = page(cast, "desk/draft/")
    assert '<th scope="col">Allied</th>' in shown
    assert '<th scope="row">Available</th>' in shown


def test_a_ruling_in_notation_is_applied_and_can_be_undone(cast: Cast, draft: Phase) -> None:
    before = draft.proof.result_digest
    act(cast, draft, "rule", stage="german_end", text="FUEL 7", reason="a dump burnt")
    sweep(worker="one")
    draft.refresh_from_db()
    assert "a dump burnt" in page(cast, "desk/draft/")
    assert "GM ruling: the German fuel reserve is 7 points" in page(cast, "desk/draft/")
    assert draft.proof.result_digest != before
    act(cast, draft, "take-back", seq=1)
    sweep(worker="one")
    draft.refresh_from_db()
    assert draft.proof.result_digest == before


def test_a_ruling_at_the_first_step_can_name_what_an_earlier_one_there_has_added(cast: Cast, draft: Phase) -> None:
    for text in (
        "ADD UNIT german armor small Q24 80 KG Wolf",
        "EXTRA KG Wolf gets 2 jeeps\nLEDGER KG Wolf says no fuel",
        "STRIKE KG Wolf 1",
    ):
        assert act(cast, draft, "rule", stage=draft.key, text=text, reason="so it was").status_code == 302
        sweep(worker="one")
        draft.refresh_from_db()
    assert "GM ruling: KG Wolf joins the campaign at" in page(cast, "desk/draft/")
    assert "no fuel" in page(cast, f"desk/stops/{draft.no}/german/")
    assert "KG Wolf" not in page(cast, f"desk/stops/{draft.no}/allied/")


@pytest.mark.parametrize(
    ("text", "reason", "said"),
    [
        ("FUEL lots", "why", "Line 1"),
        ("STRIKE 12 SS 1", "why", "has 0 lines"),
        ("ADD UNIT german armor full Malmédy 80 12 ss", "why", "there is a unit 12 ss already"),
        ("STRENGTH 12 SS 200", "why", "No ruling was applied"),
        ("", "why", "No ruling was written"),
        ("FUEL 7", "  ", "needs a reason"),
        ("LOSSES 12 SS 10", "why", "in no battle"),
    ],
)
def test_what_cannot_be_ruled_is_said_and_nothing_is_lost(
    cast: Cast, draft: Phase, text: str, reason: str, said: str
) -> None:
    response = act(cast, draft, "rule", stage="german_end", text=text, reason=reason)
    shown = response.content.decode()
    assert response.status_code == 422
    assert said in shown
    assert text in shown
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW
    assert not draft.rulings.exists()


def test_a_roll_entered_at_the_table_replaces_the_one_that_fell(cast: Cast, draft: Phase) -> None:
    act(cast, draft, "approve")
    phase = live(cast.campaign)
    send(phase, cast.user("allied commander"), "READY", side="allied", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    refused = act(cast, phase, "roll", label="weather/1944-12-17", dice="11", reason="by hand")
    assert "one die from 1 to 10" in refused.content.decode()
    act(cast, phase, "roll", label="weather/1944-12-17", dice="1", reason="by hand")
    sweep(worker="one")
    assert "Snow" in page(cast, "desk/draft/")
    assert "entered" in page(cast, "desk/draft/")


def test_prefaces_are_kept_until_publication(cast: Cast, draft: Phase) -> None:
    act(cast, draft, "preface", **{"preface-german": "Well done.", "preface-allied": "", "preface-public": ""})
    assert "Well done." in page(cast, "desk/draft/")
    act(cast, draft, "approve")
    german = cast.browser("german staff").get(cast.address(f"stops/{draft.no}/")).content.decode()
    assert "Well done." in german


@pytest.mark.parametrize("name", ["approve", "preface", "rule", "roll", "take-back"])
@pytest.mark.parametrize("who", ["german commander", "allied commander", "spectator", "outsider"])
def test_the_drafts_buttons_are_the_gms(cast: Cast, draft: Phase, who: str, name: str) -> None:
    assert act(cast, draft, name, who=who, stage="german_end", text="FUEL 7", reason="x").status_code == 404
    draft.refresh_from_db()
    assert (draft.state, draft.rulings.count(), draft.prefaces.count()) == (PhaseState.REVIEW, 0, 0)


def test_the_gm_sees_a_draft_as_each_audience_will(cast: Cast, draft: Phase) -> None:
    german = page(cast, f"desk/stops/{draft.no}/german/")
    allied = page(cast, f"desk/stops/{draft.no}/allied/")
    assert "12 SS moves" in german
    assert "12 SS moves" not in allied


def test_a_sheet_entered_for_a_side_is_marked_as_the_gms(cast: Cast) -> None:
    fields = {"seen": clock_mark(cast), "version": 0, "key": "k", "act": "send", "text": "HOLD 12 SS\nREADY"}
    cast.browser("gm").post(cast.address("desk/enter/german/"), fields)
    (sheet,) = Sheet.objects.all()
    assert (sheet.side, sheet.channel, sheet.ready) == ("german", Channel.GM, True)
    assert sheet.author is not None
    assert sheet.author.username == "gm"
    assert "entered by the GM" in cast.browser("german commander").get(cast.address("orders/")).content.decode()


@pytest.mark.parametrize("act", ["check", "send"])
def test_entering_a_sheet_for_one_desk_keeps_the_others_sealed(cast: Cast, act: str) -> None:
    """Neither the answer nor the receipt is another because of what the side's other desks have sent."""
    hand_out(cast)
    texts = {"HQ": "MOVE 2 Pz K15", "Sixth": "HOLD 12 SS\nMOVE 1 SS S22"}
    alone = [entered(cast, desk, text, act) for desk, text in texts.items()]
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "MOVE 12 SS S22\nHOLD 1 SS\nMOVE 116 Pz to Malmedy")
    send(phase, cast.user("german staff"), "MOVE 1 SS S22", desk="Sixth", idem_key="of the staff")
    assert [entered(cast, desk, text, act) for desk, text in texts.items()] == alone
    assert "this sheet alone counted" in alone[0]


@pytest.mark.usefixtures("draft")
def test_a_sheet_is_answered_with_the_others_once_they_are_open(cast: Cast) -> None:
    hand_out(cast)
    assert "HQ gives this unit orders itself" in entered(cast, "Sixth", "HOLD 12 SS", "check")


def hand_out(cast: Cast) -> None:
    staff = cast.member("german staff")
    Desk.objects.create(
        campaign=cast.campaign, side="german", name="Sixth", holder=staff, formations=["6th Panzer Army"]
    )


def entered(cast: Cast, desk: str, text: str, act: str) -> str:
    """The answer to a GM who enters a sheet: on the page, or by mail when they submit it."""
    Membership.objects.filter(role="gm").update(mail_choices={"receipts": "now"})
    version = Sheet.objects.filter(side="german", desk=desk).count()
    fields = {"seen": clock_mark(cast), "version": version, "key": secrets.token_hex(8), "act": act, "text": text}
    response = cast.browser("gm").post(cast.address(f"desk/enter/german/{desk}/"), fields)
    if act == "check":
        return str(response.content.decode().partition("How we read it</h2>")[2])
    mail = OutboxMessage.objects.filter(kind="receipt", user=cast.user("gm")).order_by("-pk")[0]
    written = message_from_bytes(bytes(mail.message), policy=default).get_body(["plain"])
    assert written is not None
    return str(written.get_content().partition("based on what your side knows:")[2].partition("Your text:")[0])


@pytest.mark.parametrize("side", ["allied", "gm", "nobody"])
def test_no_sheet_is_entered_for_who_does_not_act(cast: Cast, side: str) -> None:
    assert cast.browser("gm").get(cast.address(f"desk/enter/{side}/")).status_code == 404


def test_the_deadline_is_extended_in_the_gms_own_time_zone(cast: Cast) -> None:
    gm = cast.user("gm")
    gm.time_zone = "Europe/Berlin"
    gm.save()
    cast.browser("gm").post(
        cast.address("desk/clock/"), {"seen": clock_mark(cast), "act": "extend", "until": "2026-03-10T20:00"}
    )
    assert live(cast.campaign).deadline_at.isoformat() == "2026-03-10T19:00:00+00:00"


def test_what_is_wrong_with_a_deadline_is_said(cast: Cast) -> None:
    before = live(cast.campaign).deadline_at
    for until in ("yesterday", "2020-01-01T00:00", ""):
        response = cast.browser("gm").post(
            cast.address("desk/clock/"), {"seen": clock_mark(cast), "act": "extend", "until": until}, follow=True
        )
        assert 'class="message error"' in response.content.decode()
    assert live(cast.campaign).deadline_at == before


def test_a_held_campaign_takes_sheets_and_waits(cast: Cast, time: Clock) -> None:
    browser = cast.browser("gm")
    browser.post(cast.address("desk/clock/"), {"seen": clock_mark(cast), "act": "hold", "reason": "I am at sea"})
    send(live(cast.campaign), cast.user("german commander"), "READY", ready=True)
    time.forward(days=30)
    sweep(worker="one")
    assert live(cast.campaign).state == PhaseState.OPEN
    browser.post(cast.address("desk/clock/"), {"seen": clock_mark(cast), "act": "resume"})
    sweep(worker="one")
    assert live(cast.campaign).key == "allied_sheet"


def test_a_phase_that_the_gm_closes_runs_at_once(cast: Cast) -> None:
    before = live(cast.campaign)
    form = {"seen": clock_mark(cast), "act": "close", "reason": "we play this evening"}
    said = cast.browser("gm").post(cast.address("desk/clock/"), form, follow=True).content.decode()
    assert "The phase is closed, and its results are next. All players have been notified." in said
    sweep(worker="one")
    before.refresh_from_db()
    assert before.locked_at is not None


@pytest.mark.parametrize("field", ["", "   "])
def test_a_phase_is_not_closed_without_a_reason(cast: Cast, field: str) -> None:
    form = {"seen": clock_mark(cast), "act": "close", "reason": field}
    said = cast.browser("gm").post(cast.address("desk/clock/"), form, follow=True).content.decode()
    assert "Reason: This field is required." in said
    sweep(worker="one")
    assert live(cast.campaign).locked_at is None


def test_members_read_why_the_campaign_is_paused_and_strangers_do_not(cast: Cast) -> None:
    form = {"seen": clock_mark(cast), "act": "hold", "reason": "I am at <sea>"}
    cast.browser("gm").post(cast.address("desk/clock/"), form)
    for who in ("german commander", "allied commander", "spectator", "gm"):
        assert (
            "The campaign is paused: I am at &lt;sea&gt;." in cast.browser(who).get(cast.address("")).content.decode()
        )
    stranger = cast.browser("anonymous").get(cast.address("public/")).content.decode()
    assert "paused by the GM" in stranger
    assert "sea" not in stranger.partition("<main")[2]


def test_the_phase_published_last_is_reopened(cast: Cast, draft: Phase) -> None:
    act(cast, draft, "approve")
    cast.browser("gm").post(
        cast.address("desk/clock/"), {"seen": clock_mark(cast), "act": "reopen", "reason": "a wrong map"}
    )
    again = live(cast.campaign)
    assert (again.no, again.rev, again.key) == (draft.no, draft.rev + 1, "german_sheet")
    assert cast.browser("german commander").get(cast.address(f"stops/{draft.no}/")).status_code == 404


def test_settings_apply_from_the_next_phase_on(cast: Cast) -> None:
    deadline = live(cast.campaign).deadline_at
    fields = {
        "full_hours": 24,
        "full_mailing": "questions",
        "time_zone": "UTC",
        "reminder_hours": 6,
        "battle_hours": 24,
        "absent_hours": "",
    }
    assert cast.browser("gm").post(cast.address("desk/settings/"), fields).status_code == 302
    changed = Campaign.objects.get(pk=cast.campaign.pk)
    handling = Handling(hours=24, reviewed=False, mailing=Mailing.QUESTIONS, pictures=False)
    assert (handling_of(changed, Weight.FULL), changed.public) == (handling, False)
    assert live(cast.campaign).deadline_at == deadline


def test_a_failed_phase_can_be_tried_again(cast: Cast) -> None:
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.FAILED)
    assert "could not resolve this phase" in page(cast)
    cast.browser("gm").post(cast.address("desk/retry/"))
    assert live(cast.campaign).state == PhaseState.LOCKED
    assert cast.browser("gm").post(cast.address("desk/retry/")).status_code == 404
