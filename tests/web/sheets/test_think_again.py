"""Time to think again: READY, publishing and invitations wait for a minute, and can be cancelled until then."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from campaign.core.failpoints import Provoked
from campaign.mail.delivery import send_due
from campaign.models import Campaign, Desk, Invitation, Membership, OutboxMessage, Phase, PhaseState, Role
from campaign.people import invitations
from campaign.viewers import gm_viewer
from gm.desk.deadlines import hold, resume
from gm.desk.reminders import remind_due
from gm.inbox import inbox
from gm.machine.sweeper import sweep
from gm.models import Approval
from gm.phases import approval
from gm.phases.judging import answer
from gm.phases.lifecycle import rule
from gm.phases.prefaces import save_preface
from gm.phases.rolls import announce
from orders.models import Channel, Sheet
from tests.gm.campaigns import Clock, live, send
from tests.web.conftest import Cast, rows

pytestmark = pytest.mark.django_db

COMMANDER = "german commander"


def thinking(cast: Cast, seconds: int = 60) -> None:
    Campaign.objects.update(think_seconds=seconds)
    cast.campaign.refresh_from_db()


def post(cast: Cast, who: str = COMMANDER, desk: str = "HQ", **more: Any) -> Any:
    phase = live(cast.campaign)
    form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "key": "a key", "text": "", **more}
    return cast.browser(who).post(cast.address(f"orders/{desk}/"), form)


def text_of(cast: Cast, who: str, rest: str) -> str:
    return cast.browser(who).get(cast.address(rest)).content.decode()


def stored() -> dict[str, list[str]]:
    """All rows but for the people, of whom each sign-in is noted."""
    return {table: found for table, found in rows().items() if "user" not in table}


def gm(cast: Cast) -> Any:
    return gm_viewer(cast.user("gm"), cast.campaign.slug)


def desk_of_staff(cast: Cast) -> Desk:
    holder = Membership.objects.get(user__username="german staff")
    return Desk.objects.create(
        campaign=cast.campaign, side="german", name="Sixth", holder=holder, formations=["6th Panzer Army"]
    )


# --- READY -----------------------------------------------------------------------------------------------------------


def test_ready_takes_effect_after_a_minute(cast: Cast, time: Clock) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    assert Sheet.objects.get().ready
    time.forward(seconds=59)
    assert sweep(worker="one") == 0
    assert live(cast.campaign).state == PhaseState.OPEN
    time.forward(seconds=1)
    assert sweep(worker="one") > 0
    assert live(cast.campaign).no == 3


def test_a_cancelled_ready_never_takes_effect_and_keeps_the_orders_and_the_draft(cast: Cast, time: Clock) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    post(cast, act="draft", text="HOLD 1 SS", version=1)
    time.forward(seconds=59)
    answers = [post(cast, act="cancel-ready", newest=1, key="cancel") for _ in range(2)]
    assert answers[0].headers["Location"] == answers[1].headers["Location"] == cast.address("orders/HQ/2.0/2/")
    newest = Sheet.objects.get(version=2)
    assert (newest.text, newest.ready, newest.ready_at) == ("ALL OTHERS HOLD\n", False, None)
    assert "HOLD 1 SS" in text_of(cast, COMMANDER, "orders/HQ/")
    time.forward(seconds=60)
    assert sweep(worker="one") == 0
    assert live(cast.campaign).state == PhaseState.OPEN


@pytest.mark.parametrize("line", ["READY", "ready,", " Ready # at last", ",READY"])
def test_ready_is_cancelled_however_it_is_written(cast: Cast, line: str) -> None:
    thinking(cast)
    post(cast, act="send", text=f"HOLD 1 SS\n{line}\nNOTE ready?")
    assert Sheet.objects.get().ready
    post(cast, act="cancel-ready", newest=1, key="cancel")
    newest = Sheet.objects.latest("version")
    assert (newest.ready, newest.text) == (False, "HOLD 1 SS\nNOTE ready?")


def test_ready_can_be_cancelled_while_the_phase_waits_for_others(cast: Cast, time: Clock) -> None:
    thinking(cast)
    desk_of_staff(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    time.forward(minutes=5)
    assert sweep(worker="one") == 0
    assert "in effect since" in text_of(cast, COMMANDER, "orders/HQ/2.0/1/")
    post(cast, act="cancel-ready", newest=1, key="cancel")
    assert not Sheet.objects.get(version=2).ready


@pytest.mark.parametrize(
    ("newest", "why"), [(0, "was nothing to cancel"), (1, "newer version of this sheet"), (9, "was nothing to cancel")]
)
def test_a_ready_that_is_none_or_not_the_newest_is_not_cancelled(cast: Cast, newest: int, why: str) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    post(cast, act="send", text="HOLD 1 SS", version=1, key="another")
    before = stored()
    post(cast, act="cancel-ready", newest=newest, key="cancel")
    assert stored() == before
    browser = cast.browser(COMMANDER)
    phase = live(cast.campaign)
    form = {"stop": phase.no, "rev": phase.rev, "newest": newest, "key": "cancel", "act": "cancel-ready"}
    assert why in browser.post(cast.address("orders/HQ/"), form, follow=True).content.decode()


@pytest.mark.parametrize("who", ["german staff", "allied commander", "spectator"])
def test_only_who_writes_a_sheet_cancels_its_ready(cast: Cast, who: str) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    post(cast, who, act="cancel-ready", newest=1, key="cancel")
    assert Sheet.objects.filter(side="german").count() == 1


def test_after_the_lock_nothing_is_cancelled(cast: Cast, time: Clock) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    form = {"stop": 2, "rev": 0, "newest": 1, "key": "cancel", "act": "cancel-ready"}
    time.forward(seconds=60)
    sweep(worker="one")
    page = cast.browser(COMMANDER).post(cast.address("orders/HQ/"), form, follow=True).content.decode()
    assert "the phase has closed" in page
    assert Sheet.objects.filter(side="german").count() == 1


def test_the_game_master_sees_no_ready_before_it_takes_effect(cast: Cast, time: Clock) -> None:
    thinking(cast)
    desk_of_staff(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    assert "version 1, not READY" in text_of(cast, "gm", "desk/")
    time.forward(seconds=60)
    assert "version 1, not READY" not in text_of(cast, "gm", "desk/")


def test_a_sheet_that_is_submitted_as_ready_again_waits_anew(cast: Cast, time: Clock) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    time.forward(seconds=50)
    post(cast, act="ready", text="HOLD 1 SS", version=1, key="another")
    time.forward(seconds=20)
    assert sweep(worker="one") == 0
    time.forward(seconds=40)
    assert sweep(worker="one") > 0


def test_the_deadline_does_not_wait_for_a_ready(cast: Cast, time: Clock) -> None:
    thinking(cast)
    phase = live(cast.campaign)
    time.now = phase.deadline_at
    time.forward(seconds=-5)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    time.forward(seconds=5)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state != PhaseState.OPEN
    assert phase.all_locked_sheets.get().sheet.version == 1


def test_a_pause_keeps_a_phase_open_and_the_ready_stands_afterwards(cast: Cast, time: Clock) -> None:
    thinking(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    hold(gm(cast), reason="A pause.")
    time.forward(minutes=5)
    assert sweep(worker="one") == 0
    resume(gm(cast))
    assert sweep(worker="one") > 0


def test_the_receipt_names_the_time_on_the_page_and_by_mail(cast: Cast, time: Clock) -> None:
    thinking(cast)
    Membership.objects.filter(role="commander").update(mail_choices={"receipts": "now"})
    post(cast, act="ready", text="ALL OTHERS HOLD")
    page = text_of(cast, COMMANDER, "orders/HQ/2.0/1/")
    at = Sheet.objects.get().ready_at
    assert at is not None
    assert at > time.now
    assert f"{at:%H:%M:%S} UTC (in 60 s)" in re.sub("</?time[^>]*>", "", page)
    assert 'value="cancel-ready"' in page
    mail = bytes(OutboxMessage.objects.get(kind="receipt").message).decode()
    assert f"{at:%H:%M:%S}" in mail


def test_a_bot_does_not_think_again(cast: Cast) -> None:
    thinking(cast)
    send(live(cast.campaign), None, "READY", ready=True, channel=Channel.BOT)  # type: ignore[arg-type] # a bot
    assert Sheet.objects.get().ready_at is None


def test_a_campaign_without_time_to_think_again_takes_ready_at_once(cast: Cast) -> None:
    thinking(cast, 0)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    assert sweep(worker="one") > 0


@pytest.mark.usefixtures("cast")
def test_no_practice_waits() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Campaign.objects.update(practice=True, think_seconds=60)


# --- READY for a side ------------------------------------------------------------------------------------------------


def test_hq_is_ready_for_all_desks_of_its_side(cast: Cast, time: Clock) -> None:
    thinking(cast)
    assert "READY for all desks" not in text_of(cast, COMMANDER, "orders/HQ/")
    desk_of_staff(cast)
    assert "Submit as READY for all desks" in text_of(cast, COMMANDER, "orders/HQ/")
    post(cast, "german staff", "Sixth", act="send", text="HOLD 1 SS")
    post(cast, act="ready-side", text="ALL OTHERS HOLD", key="another")
    sheet = Sheet.objects.get(desk="HQ")
    assert (sheet.for_side, sheet.text) == (True, "ALL OTHERS HOLD\nREADY\n")
    for who in (COMMANDER, "german staff"):
        assert not [part for part in inbox(cast.user(who)) if part.waiting]
    time.forward(seconds=60)
    assert sweep(worker="one") > 0
    assert live(cast.campaign).no == 3


def test_nobody_is_reminded_of_a_sheet_for_which_hq_is_ready(cast: Cast, time: Clock) -> None:
    desk_of_staff(cast)
    phase = live(cast.campaign)
    Campaign.objects.update(reminder_hours=12)
    post(cast, act="ready-side", text="ALL OTHERS HOLD")
    time.now = phase.deadline_at - timedelta(hours=1)
    assert remind_due(time.now) == 0
    post(cast, act="cancel-ready", newest=1, key="cancel")
    assert remind_due(time.now) == 1


def test_hq_thinks_again_of_its_side(cast: Cast, time: Clock) -> None:
    thinking(cast)
    desk_of_staff(cast)
    post(cast, act="ready-side", text="ALL OTHERS HOLD")
    post(cast, act="cancel-ready", newest=1, key="cancel")
    assert not Sheet.objects.get(version=2).for_side
    time.forward(seconds=90)
    assert sweep(worker="one") == 0


def test_a_ready_of_hq_alone_is_not_for_its_side(cast: Cast) -> None:
    desk_of_staff(cast)
    post(cast, act="ready", text="ALL OTHERS HOLD")
    assert sweep(worker="one") == 0


def test_no_other_desk_is_ready_for_its_side(cast: Cast) -> None:
    desk_of_staff(cast)
    assert post(cast, "german staff", "Sixth", act="ready-side", text="HOLD 1 SS").status_code == 409
    assert not Sheet.objects.exists()


def test_the_question_about_faulty_lines_keeps_that_it_is_for_the_side(cast: Cast) -> None:
    desk_of_staff(cast)
    page = post(cast, act="ready-side", text="MOVE 1 SS to Nowhere").content.decode()
    assert 'name="for_side"' in page
    post(cast, act="anyway", text="MOVE 1 SS to Nowhere\nREADY\n", for_side="1")
    assert Sheet.objects.get().for_side


# --- publishing ------------------------------------------------------------------------------------------------------


def act(cast: Cast, phase: Phase, name: str, *, who: str = "gm", **more: Any) -> Any:
    mark = f"{phase.no}.{phase.rev}.{phase.fence}"
    return cast.browser(who).post(cast.address("desk/draft/"), {"seen": mark, "act": name, **more})


def is_published(phase: Phase) -> bool:
    phase.refresh_from_db()
    return phase.state == PhaseState.PUBLISHED


def test_a_draft_is_published_a_minute_after_the_gm_says_so(cast: Cast, draft: Phase, time: Clock) -> None:
    thinking(cast)
    mails = OutboxMessage.objects.count()
    assert act(cast, draft, "approve").status_code == 302
    page = re.sub("</?time[^>]*>", "", text_of(cast, "co-gm", "desk/draft/"))
    assert "(in 60 s)" in page
    assert "Cancel the publication" in page
    desk = text_of(cast, "co-gm", "desk/")
    assert "gm has approved them. Publication takes effect at" in " ".join(desk.split())
    assert "until you publish" not in desk
    time.forward(seconds=59)
    sweep(worker="one")
    assert not is_published(draft)
    assert OutboxMessage.objects.count() == mails
    time.forward(seconds=1)
    sweep(worker="one")
    assert is_published(draft)
    assert OutboxMessage.objects.count() > mails


def test_a_cancelled_publication_never_happens(cast: Cast, draft: Phase, time: Clock) -> None:
    thinking(cast)
    act(cast, draft, "approve")
    time.forward(seconds=59)
    assert act(cast, draft, "cancel", who="co-gm").status_code == 302
    assert act(cast, draft, "cancel").status_code == 409
    time.forward(minutes=9)
    sweep(worker="one")
    assert not is_published(draft)
    assert act(cast, draft, "approve").status_code == 302
    time.forward(seconds=60)
    sweep(worker="one")
    assert is_published(draft)
    log = text_of(cast, "gm", "log/")
    assert "was approved for publication" in log
    assert "was cancelled" in log
    assert "was cancelled" not in text_of(cast, COMMANDER, "log/")


def test_too_late_to_cancel(cast: Cast, draft: Phase, time: Clock) -> None:
    thinking(cast)
    act(cast, draft, "approve")
    time.forward(seconds=60)
    sweep(worker="one")
    assert act(cast, draft, "cancel").status_code == 409
    assert not approval.cancel(draft.pk, fence=draft.fence, author=cast.user("gm"))
    assert is_published(draft)


def test_a_second_press_of_the_button_changes_nothing(cast: Cast, draft: Phase, time: Clock) -> None:
    thinking(cast)
    act(cast, draft, "approve", **{"preface-german": "Well done."})
    time.forward(seconds=5)
    before = stored()
    assert act(cast, draft, "approve", **{"preface-german": "Well done. "}).status_code == 302
    assert stored() == before


def test_nobody_changes_what_is_about_to_be_published(cast: Cast, draft: Phase) -> None:
    """Neither by the page, which gives the text back, nor where two game masters are quicker than their pages."""
    thinking(cast)
    act(cast, draft, "approve")
    before, author = stored(), cast.user("co-gm")
    seen: dict[str, Any] = {"fence": draft.fence}
    for name in ("approve", "preface", "rule", "try", "answer", "roll", "ask", "void", "take-back"):
        answered = act(cast, draft, name, who="co-gm", **{"preface-german": "Another word."})
        assert answered.status_code == 409
        assert "Another word." in answered.content.decode()
        assert "Cancel the publication first" in answered.content.decode()
    assert not save_preface(draft.pk, "german", "Another word.")
    assert not announce(draft.pk, **seen, audience="gm", count=1, sides=6, purpose="a bridge", author=author)
    assert not answer(draft.pk, **seen, key="note/none", text="Yes.", author=author)
    assert not rule(draft.pk, **seen, at=draft.key, facts=[], reason="A reason.", author=author)
    assert not approval.give(draft.pk, **seen, author=author)
    assert stored() == before


def test_what_publishes_itself_waits_for_no_approval_but_does_not_overtake_one(
    cast: Cast, draft: Phase, time: Clock
) -> None:
    thinking(cast)
    Campaign.objects.update(absent_hours=24)
    time.forward(hours=24, seconds=-30)
    act(cast, draft, "approve")
    time.forward(seconds=30)
    sweep(worker="one")
    assert not is_published(draft)
    act(cast, draft, "cancel")
    time.forward(hours=23)
    sweep(worker="one")
    assert not is_published(draft), "a GM who cancels is there, so the hours begin again"
    time.forward(hours=1)
    sweep(worker="one")
    assert is_published(draft)


@pytest.mark.parametrize("place", ["approve.before_commit", "approve.after_commit"])
def test_an_approval_is_there_or_not(
    cast: Cast, draft: Phase, time: Clock, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    thinking(cast)
    monkeypatch.setenv("FAILPOINTS", f"{place}=raise")
    with pytest.raises(Provoked):
        approval.give(draft.pk, fence=draft.fence, author=cast.user("gm"))
    monkeypatch.delenv("FAILPOINTS")
    assert Approval.objects.exists() == (place == "approve.after_commit")
    time.forward(seconds=60)
    sweep(worker="one")
    assert is_published(draft) == (place == "approve.after_commit")


@pytest.mark.parametrize("place", ["approve.due", "publish.mid", "publish.before_commit", "publish.after_commit"])
def test_a_fault_between_the_time_and_the_publication_loses_nothing(
    cast: Cast, draft: Phase, time: Clock, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    thinking(cast)
    act(cast, draft, "approve")
    time.forward(seconds=60)
    monkeypatch.setenv("FAILPOINTS", f"{place}=raise")
    sweep(worker="one")
    assert is_published(draft) == (place == "publish.after_commit")
    monkeypatch.delenv("FAILPOINTS")
    sweep(worker="two")
    assert is_published(draft)
    assert cast.campaign.audit.filter(act="publish", subject__phase=draft.no).count() == 1


def test_the_inbox_says_that_a_draft_is_about_to_be_published(cast: Cast, draft: Phase) -> None:
    thinking(cast)
    act(cast, draft, "approve")
    (waiting,) = [each for part in inbox(cast.user("gm")) for each in part.waiting]
    assert "is about to be published" in waiting.text
    assert waiting.due == Approval.objects.get().publishes_at


# --- invitations -----------------------------------------------------------------------------------------------------


def test_an_invitation_works_and_is_mailed_after_a_minute(cast: Cast, time: Clock) -> None:
    thinking(cast)
    form = {"invite-role": "staff", "invite-side": "allied", "invite-addresses": "ada@example.org"}
    page = cast.browser("gm").post(cast.address("people/invite/"), form).content.decode()
    assert "(in 60 s)" in page
    (link,) = {word for word in page.replace('"', " ").split() if "/invitation/" in word}
    token = link.rstrip("/").rpartition("/")[2]
    stranger, outsider = cast.browser("anonymous"), cast.browser("outsider")
    early = stranger.get(f"/invitation/{token}/")
    assert early.status_code == 409
    assert "does not work yet" in early.content.decode()
    assert cast.campaign.title not in early.content.decode()
    assert outsider.post(f"/invitation/{token}/").status_code == 409
    send_due(time.now)
    assert OutboxMessage.objects.get(kind="invitation").state == "waiting"
    time.forward(seconds=60)
    send_due(time.now)
    assert OutboxMessage.objects.get(kind="invitation").state == "sent"
    assert stranger.get(f"/invitation/{token}/").status_code == 200
    assert outsider.post(f"/invitation/{token}/").status_code == 302


def test_a_cancelled_invitation_was_never_there(cast: Cast, time: Clock) -> None:
    thinking(cast)
    token = invitations.invite(
        gm(cast), role=Role.STAFF, side="allied", meant_for="", address="ada@example.org", now=time.now
    )
    cast.browser("gm").post(cast.address("people/revoke/"), {"invitation": Invitation.objects.get().token_digest})
    time.forward(seconds=90)
    sweep(worker="one")
    assert OutboxMessage.objects.get(kind="invitation").state == "dead"
    stranger = cast.browser("anonymous")
    pages = [stranger.get(f"/invitation/{secret}/") for secret in (token, "none")]
    assert [page.status_code for page in pages] == [404, 404]
    assert all("does not know this invitation" in page.content.decode() for page in pages)


# --- the setting -----------------------------------------------------------------------------------------------------


def test_the_gm_sets_the_time(cast: Cast) -> None:
    page = text_of(cast, "gm", "desk/settings/")
    assert "Time to think again" in page
    assert "Time to think again" in cast.browser("gm").get("/new/").content.decode()
