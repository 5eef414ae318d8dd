"""What becomes of mails, and what their writers are told."""

from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.utils import timezone

from campaign.engine.orders.notation import MOST_CHARACTERS
from campaign.models import Campaign, Membership, OutboxMessage, Phase, PhaseState
from campaign.services import title_of
from campaign.viewers import viewer_of
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from incoming import handling
from incoming.addresses import reply_header
from incoming.handling import forget_raw, handle_due, summarise_due
from incoming.models import MailState, ReceivedMail, ReplyAddress
from incoming.noting import hold
from incoming.reading import read
from incoming.receiving import take
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import live, send
from tests.incoming.conftest import ME, Mailbox
from tests.mails import plain_text_of

pytestmark = pytest.mark.django_db(transaction=True)

JUDGE = "mx.example.org"


def sheets(box: Mailbox, side: str = "german") -> list[tuple[int, str, str]]:
    rows = Sheet.objects.filter(phase=box.phase, side=side).order_by("version")
    return [(row.version, row.channel, row.text.strip()) for row in rows]


# --- a sheet ---------------------------------------------------------------------------------------------------------


def test_a_reply_with_orders_is_a_sheet_and_gets_it_back_with_how_each_line_is_read(box: Mailbox) -> None:
    box.time.forward(minutes=5)
    mail = box.sends("HOLD 12VG\nMOVE 999XX Q1\nREADY", Subject="Re: [The Bulge] your orders", Message_ID="<a@b.c>")
    sheet = Sheet.objects.get(phase=box.phase, side="german")
    assert (mail.state, mail.sheet, mail.answering) == ("submitted", sheet, "answered")
    assert (sheet.channel, sheet.received_at, sheet.author) == ("mail", box.time.now, box.cast.user(ME))
    assert (sheet.text, sheet.ready) == ("HOLD 12VG\nMOVE 999XX Q1\nREADY\n", True)
    text = box.answer()
    assert "version 1 of the sheet" in text
    assert "   HOLD 12VG\n" in text
    assert "!! MOVE 999XX Q1\n      Ignored: " in text
    assert "1 of its lines is ignored. It is READY." in box.said()
    assert sheet.digest in text
    headers = box.headers()
    assert headers["Subject"] == "Re: [The Bulge] your orders"
    assert headers["In-Reply-To"] == "<a@b.c>"
    assert headers["References"].split()[-1] == "<a@b.c>"
    assert headers["Reply-To"] == box.address()


def test_a_mail_counts_at_the_time_at_which_it_was_taken(box: Mailbox) -> None:
    box.time.now = box.phase.deadline_at - timedelta(seconds=1)
    box.deliver(box.mail("HOLD 12VG"))
    box.time.forward(hours=3)
    phase = box.phase
    assert not lock(phase.pk)
    sweep(worker="one")
    locked = LockedSheet.objects.get(phase=phase, side="german").sheet
    assert (locked.channel, locked.text) == ("mail", "HOLD 12VG\n")
    assert locked.received_at == phase.deadline_at - timedelta(seconds=1)


def test_a_flood_of_mails_for_others_delays_no_lock(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    phase = box.phase
    for number in range(3):
        box.deliver(box.mail(f"NOTE {number}"), box.address("allied commander"))
    other = ReplyAddress.objects.get(member=box.cast.member("allied commander"))
    other.phase = Phase.objects.filter(campaign=box.cast.campaign).earliest("no")
    other.save()
    box.deliver(box.mail("HOLD 12VG"))
    monkeypatch.setattr("gm.machine.sweeper.BATCH", 1)
    box.time.now = phase.deadline_at
    sweep(worker="one")
    assert LockedSheet.objects.get(phase=phase, side="german").sheet.channel == "mail"


def test_a_mail_that_is_taken_at_the_deadline_is_too_late_and_does_not_delay_the_lock(box: Mailbox) -> None:
    phase, address = box.phase, box.address()
    box.time.now = phase.deadline_at
    box.deliver(box.mail("HOLD 12VG"), address)
    assert lock(phase.pk)
    handle_due(most=9)
    assert not Sheet.objects.filter(phase=phase).exists()
    assert ReceivedMail.objects.get().state == "late"
    assert "Too late" in box.answer()
    assert "HOLD 12VG" in box.answer()


def test_a_mail_for_a_phase_that_has_closed_is_told_what_is_open(box: Mailbox) -> None:
    phase, address = box.phase, box.address()
    box.time.now = phase.deadline_at
    sweep(worker="one")
    box.deliver(box.mail("HOLD 12VG"), address)
    handle_due(most=9)
    assert live(box.cast.campaign).pk != phase.pk
    opened = live(box.cast.campaign)
    assert f"“{title_of(opened)}” of {opened.moment} is open now" in box.said()
    assert not Sheet.objects.exists()


def test_a_reply_replaces_what_was_submitted_before_it_and_nothing_later(box: Mailbox) -> None:
    send(box.phase, box.cast.user("german deputy"), "HOLD 2PZ")
    box.time.forward(minutes=1)
    box.sends("HOLD 12VG")
    assert "It replaces version 1, which german deputy submitted." in box.said()
    box.deliver(box.mail("HOLD 26VG"))
    box.time.forward(minutes=1)
    send(box.phase, box.cast.user(ME), "HOLD 9SS")
    handle_due(most=9)
    assert sheets(box) == [(1, "web", "HOLD 2PZ"), (2, "mail", "HOLD 12VG"), (3, "web", "HOLD 9SS")]
    assert ReceivedMail.objects.latest("pk").state == "overtaken"
    assert "What counts now is version 3 of the sheet of HQ." in box.said()


def test_mails_that_overtake_each_other_count_in_the_order_in_which_they_were_taken(box: Mailbox) -> None:
    for orders in ("HOLD 12VG", "HOLD 26VG"):
        box.deliver(box.mail(orders))
        box.time.forward(seconds=1)
    newest = ReceivedMail.objects.latest("pk")
    handling.handle(newest.pk)
    handle_due(most=9)
    assert sheets(box) == [(1, "mail", "HOLD 26VG")]
    assert ReceivedMail.objects.earliest("pk").state == "overtaken"


def test_a_mail_is_handled_once(box: Mailbox) -> None:
    mail = box.sends("HOLD 12VG")
    assert handling.handle(mail.pk) == 0
    assert handle_due(most=9) == 0
    assert (len(sheets(box)), len(box.answers())) == (1, 1)


def test_ready_alone_says_that_the_newest_sheet_is_ready(box: Mailbox) -> None:
    send(box.phase, box.cast.user(ME), "HOLD 12VG")
    box.time.forward(minutes=1)
    box.sends("READY")
    assert sheets(box)[-1] == (2, "mail", "HOLD 12VG\nREADY")


def test_a_ready_that_is_read_late_leaves_the_usual_time_to_cancel_it(box: Mailbox) -> None:
    """A mailbox that could not be read for an hour gives its mails the times at which they came."""
    Campaign.objects.update(think_seconds=60)
    raw, came, to = box.mail("READY").as_bytes(), box.time.now, box.address()
    box.time.forward(hours=1)
    take(raw, [to], from_nobody=False, at=came)
    handle_due(most=9)
    sheet = Sheet.objects.get(phase=box.phase)
    assert (sheet.received_at, sheet.ready_at) == (came, box.time.now + timedelta(minutes=1))
    assert "unless you cancel it" in box.said()


def test_the_lines_that_we_sent_are_not_theirs(box: Mailbox) -> None:
    template = "# 12 VG: Q19\nALL OTHERS HOLD"
    ReplyAddress.objects.all().delete()
    reply_header(box.phase, box.cast.member(ME), template=template)
    assert box.sends(template, text="I am away this week.").state == "unreadable"
    assert not sheets(box)
    box.sends("> # 12 VG: Q19\n> ALL OTHERS HOLD\nHOLD 12VG")
    assert sheets(box) == [(1, "mail", "HOLD 12VG")]


def test_a_reply_says_whose_sheet_it_is(box: Mailbox, time: Any) -> None:  # noqa: ARG001 - the box has it
    from campaign.models import Desk  # noqa: PLC0415 - for this test alone

    Desk.objects.create(
        campaign=box.cast.campaign, side="german", name="LXVI", holder=box.cast.member(ME), formations=[]
    )
    box.sends("# Desk: lxvi\nREADY")
    assert Sheet.objects.get().desk == "LXVI"
    assert box.sends("# Desk: VII\nREADY").state == "refused"
    assert "You write no such desk’s sheet" in box.said()


# --- who is believed -------------------------------------------------------------------------------------------------


def test_who_reads_a_side_but_writes_no_sheet_submits_none(box: Mailbox) -> None:
    mail = box.sends("HOLD 12VG", who="german tactical")
    assert mail.state == "refused"
    assert not Sheet.objects.exists()


def test_who_has_left_since_gets_no_answer_and_submits_nothing(box: Mailbox) -> None:
    box.deliver(box.mail("HOLD 12VG"))
    Membership.objects.filter(pk=box.cast.member(ME).pk).update(left_at=timezone.now())
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == "refused"
    assert not Sheet.objects.exists()
    assert not box.answers()


@pytest.mark.parametrize(
    ("header", "state"),
    [
        (f"{JUDGE}; dmarc=fail header.from=example.org", "waits"),
        (f"{JUDGE}; dmarc=pass header.from=example.org", "submitted"),
        ("elsewhere.example; dmarc=fail", "submitted"),
    ],
)
def test_what_our_mail_server_refutes_waits_for_a_click(box: Mailbox, settings: Any, header: str, state: str) -> None:
    settings.MAIL_IN_JUDGE = JUDGE
    assert box.sends("HOLD 12VG", Authentication_Results=header).state == state
    assert bool(sheets(box)) == (state == "submitted")
    assert ("They do not count yet" in box.answer()) == (state == "waits")


def test_the_game_master_chooses_whether_every_mailed_sheet_waits_for_a_click(box: Mailbox) -> None:
    page = box.cast.browser("gm").get(box.cast.address("desk/settings/")).content.decode()
    assert 'name="confirms_mail"' in page
    Campaign.objects.update(confirms_mail=True)
    assert box.sends("HOLD 12VG").state == "waits"
    assert "The game master has chosen that orders by mail are confirmed" in box.said()
    assert not sheets(box)


def test_nobody_is_asked_to_confirm_what_cannot_be_submitted(box: Mailbox) -> None:
    Campaign.objects.update(confirms_mail=True)
    assert box.sends("# Desk: VII\nREADY").state == "refused"
    assert "You write no such desk’s sheet" in box.said()
    assert box.sends("HOLD 12VG # and hold and hold again\n" * (MOST_CHARACTERS // 36 + 1)).state == "refused"
    assert f"A sheet can have at most {MOST_CHARACTERS:,} characters" in box.said()


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_mail_without_orders_is_told_how_to_write_them(box: Mailbox) -> None:
    assert box.sends(None, text="12 VG attacks Q19, please").state == "unreadable"
    assert "Above the first put a line that says BEGIN ORDERS" in box.said()
    assert box.headers()["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize(
    ("headers", "state"),
    [
        ({"Auto-Submitted": "auto-replied"}, "automatic"),
        ({"Precedence": "bulk"}, "automatic"),
        ({"List-Id": "<players.example.org>"}, "automatic"),
        ({"Content-Type": "multipart/report; report-type=delivery-status; boundary=x"}, "bounce"),
    ],
)
def test_programs_are_not_answered(box: Mailbox, headers: dict[str, str], state: str) -> None:
    mail = EmailMessage()
    for name, value in {"From": "a@example.org", "Message-ID": "<x@example.org>", **headers}.items():
        mail[name] = value
    box.deliver(mail.as_bytes() + b"\r\nBEGIN ORDERS\r\nREADY\r\nEND ORDERS\r\n")
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == state
    assert not box.answers()
    assert not Sheet.objects.exists()


def test_a_mail_of_nobody_is_not_answered(box: Mailbox) -> None:
    box.deliver(box.mail("READY"), sender="")
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == "automatic"
    assert not box.answers()


def test_who_writes_much_gets_twenty_answers_an_hour_and_one_summary_and_all_is_read(box: Mailbox) -> None:
    for number in range(23):
        box.time.forward(seconds=1)
        box.sends(f"HOLD 12VG\nNOTE number {number}")
    box.sends("READY", who="allied commander")
    assert (len(sheets(box)), len(box.answers()), len(box.answers("allied commander"))) == (23, 20, 1)
    assert summarise_due(box.time.now) == 0
    box.time.forward(hours=1)
    assert summarise_due(box.time.now) == 1
    assert summarise_due(box.time.now) == 0
    assert len(box.answers()) == 21
    assert box.answer().count("is a version of your sheet.") == 3
    box.time.forward(seconds=1)
    box.sends("HOLD 12VG")
    assert len(box.answers()) == 22


def test_a_summary_names_what_nobody_else_has_summarised_meanwhile(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("incoming.noting.MOST_ANSWERS", 0)
    for number in range(3):
        box.time.forward(seconds=1)
        box.sends(f"NOTE number {number}")
    box.time.forward(hours=1)

    def hold_after_another(mail: ReceivedMail) -> None:
        earlier = ReceivedMail.objects.filter(answering="gathered").earliest("received_at")
        ReceivedMail.objects.filter(pk=earlier.pk).update(answering="summarised")
        hold(mail)

    monkeypatch.setattr(handling, "hold", hold_after_another)
    assert summarise_due(box.time.now) == 1
    assert box.answer().count("is a version of your sheet.") == 2
    assert not ReceivedMail.objects.filter(answering="gathered").exists()


def test_an_answer_comes_at_once_also_in_quiet_hours(box: Mailbox) -> None:
    hour = box.time.now.hour
    Membership.objects.filter(pk=box.cast.member(ME).pk).update(mails_quiet_from=hour, mails_quiet_to=hour + 2)
    box.sends("HOLD 12VG")
    assert box.answers()[-1].next_at == box.time.now


def quoted(mail: OutboxMessage) -> str:
    """A mail of ours, quoted whole."""
    lines = plain_text_of(mail.message).replace("\r\n", "\n").splitlines()
    return "\n".join(["Thank you!", "", "On Sunday Fieldpost wrote:", *(f"> {line}" for line in lines)])


def test_no_mail_of_ours_is_an_order_if_it_is_quoted(box: Mailbox) -> None:
    send(box.phase, box.cast.user(ME), "HOLD 12VG")
    OutboxMessage.objects.filter(kind="opened").delete()
    box.time.now = box.phase.deadline_at
    sweep(worker="one")
    phase = box.phase
    box.time.now = phase.deadline_at - timedelta(hours=1)
    sweep(worker="one")
    who = "allied commander"
    for orders in (None, "HOLD 999XX", "# Desk: VII\nREADY"):
        box.sends(orders, who=who)
    before = Sheet.objects.count()
    ours = list(OutboxMessage.objects.filter(user__username=who).order_by("pk"))
    assert {mail.kind for mail in ours} >= {"opened", "mailed", "reminder"}
    for mail in ours:
        assert box.sends(None, who=who, text=quoted(mail)).state == "unreadable", plain_text_of(mail.message)
    assert Sheet.objects.count() == before


# --- what goes wrong -------------------------------------------------------------------------------------------------


def test_a_mail_that_breaks_its_reader_is_given_up_and_holds_nobody_up(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handling, "read", lambda *_, **__: 1 / 0)
    box.deliver(box.mail("HOLD 12VG"))
    phase = box.phase
    box.time.now = phase.deadline_at
    for _ in range(handling.MOST_TRIES):
        assert handle_due(most=9) == 0
        assert not lock(phase.pk)
    assert handle_due(most=9) == 1
    assert ReceivedMail.objects.get().state == "failed"
    assert "could not read your mail" in box.said()
    assert lock(phase.pk)


def test_workers_that_come_while_a_mail_is_read_leave_it_to_its_reader(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.deliver(box.mail("HOLD 12VG"))
    mail = ReceivedMail.objects.get()
    others = list[int]()

    def read_among_others(raw: bytes, *, sent: Any) -> Any:
        for _ in range(handling.MOST_TRIES + 1):
            others.extend([handling.handle(mail.pk), handle_due(most=9)])
        return read(raw, sent=sent)

    monkeypatch.setattr(handling, "read", read_among_others)
    assert handling.handle(mail.pk) == 1
    assert others == [0] * 2 * (handling.MOST_TRIES + 1)
    mail.refresh_from_db()
    assert (mail.state, mail.tries, mail.lease_until) == ("submitted", 0, None)
    assert sheets(box) == [(1, "mail", "HOLD 12VG")]


def test_a_mail_whose_workers_die_is_read_again_after_each_lease_and_given_up(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise SystemExit  # what no handler of errors sees

    monkeypatch.setattr(handling, "read", die)
    box.deliver(box.mail("HOLD 12VG"))
    for tries in range(handling.MOST_TRIES):
        with pytest.raises(SystemExit):
            handle_due(most=9)
        assert ReceivedMail.objects.get().tries == tries
        assert handle_due(most=9) == 0
        box.time.forward(seconds=handling.LEASE.total_seconds() + 1)
    assert handle_due(most=9) == 1
    assert ReceivedMail.objects.get().state == "failed"


def test_a_reader_whose_lease_ran_out_ends_no_lease_of_another(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    box.deliver(box.mail("HOLD 12VG"))
    mail = ReceivedMail.objects.get()
    claims = list[Any]()

    def break_late(*_: object, **__: object) -> None:
        box.time.forward(seconds=handling.LEASE.total_seconds() + 1)
        claims.append(handling._claim(mail.pk))
        raise ValueError("too late")

    monkeypatch.setattr(handling, "read", break_late)
    with pytest.raises(ValueError, match="too late"):
        handling.handle(mail.pk)
    mail.refresh_from_db()
    assert (mail.tries, mail.lease_until) == (1, claims[0].lease_until)


def test_a_mail_for_what_a_reopened_phase_was_before_is_told_so(box: Mailbox) -> None:
    address = box.address()
    Phase.objects.filter(pk=box.phase.pk).update(state=PhaseState.WITHDRAWN)
    box.deliver(box.mail("HOLD 12VG"), address)
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == "late"
    assert "was reopened" in box.answer()


def test_raw_mails_are_emptied_after_some_weeks(box: Mailbox, settings: Any) -> None:
    box.sends("HOLD 12VG")
    box.time.forward(days=settings.MAIL_IN_KEPT_DAYS, seconds=-1)
    assert forget_raw(box.time.now) == 0
    box.time.forward(seconds=2)
    assert forget_raw(box.time.now) == 1
    assert ReceivedMail.objects.get().message == b""
    assert ReceivedMail.objects.get().state == MailState.SUBMITTED


@pytest.mark.parametrize("state", ["OPEN", "WITHDRAWN", "LOCKED"])
def test_templates_are_emptied_with_the_mails_once_their_phase_is_over(box: Mailbox, settings: Any, state: str) -> None:
    ReplyAddress.objects.all().delete()
    reply_header(box.phase, box.cast.member(ME), template="ALL OTHERS HOLD")
    Phase.objects.filter(pk=box.phase.pk).update(state=state, locked_at=box.time.now if state == "LOCKED" else None)
    box.time.forward(days=settings.MAIL_IN_KEPT_DAYS)
    forget_raw(box.time.now)
    assert ReplyAddress.objects.get().template
    box.time.forward(seconds=1)
    forget_raw(box.time.now)
    assert bool(ReplyAddress.objects.get().template) == (state == "OPEN")


def test_a_reopened_phase_has_addresses_of_its_own_in_the_mail_that_says_so(box: Mailbox) -> None:
    old = box.address()
    box.time.now = box.phase.deadline_at
    sweep(worker="one")
    reopen(viewer_of(box.cast.user("gm"), box.cast.campaign.slug), reason="the wrong map")
    told = OutboxMessage.objects.get(kind="reopen", user__username=ME)
    assert box.address() != old
    assert f"\r\nReply-To: {box.address()}".encode() in told.message
    assert "You can reply to this mail" in " ".join(plain_text_of(told.message).split())
    others = OutboxMessage.objects.get(kind="reopen", user__username="allied commander")
    assert b"\r\nReply-To" not in others.message


# --- what is asked can be answered -----------------------------------------------------------------------------------


def test_mails_that_ask_can_be_answered_where_the_site_takes_mail(box: Mailbox, settings: Any) -> None:
    OutboxMessage.objects.all().delete()
    box.time.now = box.phase.deadline_at
    sweep(worker="one")
    asked = OutboxMessage.objects.filter(kind="opened", user__username="allied commander").get()
    box_ = Mailbox(box.cast, box.time)
    assert f"\r\nReply-To: {box_.address('allied commander')}".encode() in asked.message
    assert ReplyAddress.objects.get(member=box.cast.member("allied commander"), phase=box.phase).template
    settings.MAIL_IN = ""
    OutboxMessage.objects.all().delete()
    box.time.now = box.phase.deadline_at
    sweep(worker="one")
    newest = OutboxMessage.objects.filter(kind="opened")
    assert newest
    assert not any(b"\r\nReply-To" in each.message for each in newest)
