"""Mails on their way out: a real conversation with a mail server, servers that refuse, workers that die."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.core import mail
from django.core.mail import send_mail
from django.db import OperationalError
from pytest_django import Settings

from campaign.core import clock
from campaign.core.failpoints import Provoked
from campaign.mail import notes
from campaign.mail.delivery import (
    BATCH,
    GIVE_UP,
    LEASE,
    NO_ADDRESS,
    NO_MEMBER,
    REOPENED,
    WITHDRAWN,
    revive,
    send_due,
    withdraw,
)
from campaign.mail.outbox import compose, enqueue, is_addressed
from campaign.models import Campaign, Membership, OutboxMessage, OutboxState, Phase, PhaseState, Role, User
from gm.machine.health_alerts import troubles
from gm.machine.heartbeat import beat
from tests.gm.campaigns import Clock
from tests.mail.writing import composed

pytestmark = pytest.mark.django_db(transaction=True)


class Sink:
    """A mail server's mind: what it took, and what it says to the next mail."""

    def __init__(self) -> None:
        self.taken: list[Envelope] = []
        self.answer = "250 OK"
        self.recipient_answer = "250 OK"
        self.sender_answer = "250 OK"
        self.hangs_up = False

    async def handle_MAIL(  # noqa: N802 - the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.sender_answer.startswith("250"):
            envelope.mail_from = address
        return self.sender_answer

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.recipient_answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient_answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.hangs_up:
            assert server.transport is not None
            server.transport.close()
        elif self.answer.startswith("250"):
            self.taken.append(envelope)
        return self.answer


@pytest.fixture
def sink(settings: Settings) -> Iterator[Sink]:
    mind = Sink()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(mind, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    yield mind
    controller.stop()


def written(reader: User, **more: Any) -> OutboxMessage:
    said: dict[str, Any] = {"key": "a key", "kind": "notice", "subject": "Höfen", "text": "Bütgenbach " * 300}
    assert enqueue(composed(reader, **{**said, **more}))
    return OutboxMessage.objects.latest("pk")


def game_mail(reader: User, campaign: Campaign, **more: Any) -> OutboxMessage:
    return written(reader, campaign=campaign, **{"audience": "german", **more})


def two_mails(reader: User, campaign: Campaign) -> None:
    for key in ("first", "second"):
        game_mail(reader, campaign, key=key)


def tries() -> list[tuple[int, bool]]:
    """How often each mail was tried, and whether it was refused."""
    return list(OutboxMessage.objects.order_by("pk").values_list("tries", "refused"))


def sweep() -> int:
    return send_due(clock.now())


# --- what arrives ----------------------------------------------------------------------------------------------------


def test_a_mail_server_receives_the_stored_bytes_and_one_recipient(
    reader: User, campaign: Campaign, sink: Sink
) -> None:
    text = "Höfen\n.\n.. two points\nFrom here\n" + "x" * 2000
    html = f"<html><body><p>{text}</p><img src='cid:map'></body></html>"
    row = game_mail(reader, campaign, text=text, html=html, pictures={"map": bytes(range(256)) * 50})
    assert sweep() == 1
    (envelope,) = sink.taken
    assert envelope.content == row.message
    assert envelope.rcpt_tos == ["rundstedt@example.org"]
    assert envelope.mail_from == "fieldpost@localhost"
    row.refresh_from_db()
    assert (row.state, row.sent_at, row.tries) == (OutboxState.SENT, clock.now(), 1)
    assert sweep() == 0
    assert len(sink.taken) == 1


def test_many_mails_go_through_one_conversation_oldest_first(
    reader: User, campaign: Campaign, sink: Sink, time: Clock
) -> None:
    rows = []
    for number in range(3):
        rows.append(game_mail(reader, campaign, key=str(number)))
        time.forward(seconds=1)
    assert sweep() == 3
    assert [envelope.content for envelope in sink.taken] == [row.message for row in rows]


def test_what_a_mail_about_an_account_said_is_forgotten_once_it_is_sent(reader: User, campaign: Campaign) -> None:
    account, game = written(reader, text="Your code is 123456"), game_mail(reader, campaign, key="b")
    assert sweep() == 2
    account.refresh_from_db()
    game.refresh_from_db()
    assert account.message == b""
    assert game.message != b""


def test_a_provider_with_a_quota_is_sent_at_most_what_it_takes(
    reader: User, campaign: Campaign, settings: Settings, time: Clock
) -> None:
    settings.MAIL_PER_MINUTE = 2
    for number in range(5):
        game_mail(reader, campaign, key=str(number))
    sent = []
    for _ in range(6):
        sent.append(sweep())
        time.forward(seconds=20, microseconds=1)
    assert sent == [2, 0, 0, 2, 0, 0]


def test_mails_that_come_back_take_no_place_of_new_ones(
    sink: Sink, reader: User, campaign: Campaign, time: Clock
) -> None:
    """Else readers could infer from a delay that another's mail is refused, or was revived by the GM."""
    sink.recipient_answer = "550 no such mailbox"
    back = [game_mail(reader, campaign, key=f"back {number}") for number in range(BATCH)]
    sweep()
    sink.recipient_answer = "250 OK"
    OutboxMessage.objects.filter(pk=back[0].pk).update(state=OutboxState.DEAD)
    time.forward(hours=1)
    assert revive(campaign, back[0].pk)
    new = [game_mail(reader, campaign, key=f"new {number}") for number in range(BATCH)]
    assert sweep() == BATCH
    assert {row.pk for row in OutboxMessage.objects.filter(state=OutboxState.SENT)} == {row.pk for row in new}
    assert sweep() == BATCH


# --- who no longer belongs there -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [{"left": True}, {"side": "allied"}, {"role": Role.GM, "side": ""}, {"inactive": True}],
    ids=["left", "other side", "became GM", "locked out"],
)
def test_a_member_who_left_or_changed_sides_is_not_sent_what_was_for_their_former_part(
    reader: User, campaign: Campaign, change: dict[str, Any]
) -> None:
    row = game_mail(reader, campaign)
    if change.pop("inactive", False):
        User.objects.update(is_active=False)
    if change.pop("left", False):
        change["left_at"] = clock.now()
    if change:
        Membership.objects.update(**change)
    assert sweep() == 0
    row.refresh_from_db()
    assert (row.state, row.trouble) == (OutboxState.DEAD, NO_MEMBER)
    assert not mail.outbox


def test_being_in_another_campaign_is_not_enough(reader: User, campaign: Campaign) -> None:
    row = game_mail(reader, campaign)
    other = Campaign.objects.defer(None).get(pk=campaign.pk)
    other.pk, other.slug = None, "other"
    other.save()
    Membership.objects.update(campaign=other)
    assert sweep() == 0
    row.refresh_from_db()
    assert row.state == OutboxState.DEAD


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_a_refused_recipient_holds_up_nobody_else(reader: User, campaign: Campaign, sink: Sink) -> None:
    row = game_mail(reader, campaign)
    sink.recipient_answer = "550 no rundstedt@example.org here"
    assert sweep() == 0
    row.refresh_from_db()
    assert (row.state, row.trouble) == (OutboxState.WAITING, "550: no their address here")
    assert row.refused
    assert row.next_at == clock.now() + timedelta(seconds=60)
    sink.recipient_answer = "250 OK"
    game_mail(reader, campaign, key="another")
    assert sweep() == 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [("550 no such mailbox", "550"), ("550 5.1.1 no such mailbox", "5.1.1"), ("452 4.2.2 mailbox full", "")],
)
def test_a_reader_refused_for_good_counts_as_a_bounce_until_a_mail_is_taken(
    reader: User, campaign: Campaign, sink: Sink, time: Clock, answer: str, status: str
) -> None:
    row = game_mail(reader, campaign)
    sink.recipient_answer = answer
    assert sweep() == 0
    row.refresh_from_db()
    assert (row.bounce_status, row.bounced_at) == (status, time.now if status else None)
    sink.recipient_answer = "250 OK"
    time.forward(minutes=2)
    assert sweep() == 1
    row.refresh_from_db()
    assert (row.state, row.bounce_status, row.bounced_at) == (OutboxState.SENT, "", None)


@pytest.mark.parametrize(
    "mood",
    [{"answer": "554 spam"}, {"sender_answer": "552 too large"}, {"hangs_up": True}],
    ids=lambda mood: next(iter(mood)),
)
def test_a_mail_that_the_server_will_not_have_holds_up_no_other(
    reader: User, campaign: Campaign, sink: Sink, time: Clock, mood: dict[str, Any]
) -> None:
    two_mails(reader, campaign)
    vars(sink).update(mood)
    assert sweep() == 0
    assert tries() == [(1, True), (1, True)]
    vars(sink).update(vars(Sink()))
    time.forward(minutes=2)
    assert sweep() == 2


@pytest.mark.parametrize("mood", [{"answer": "421 going down"}, {"sender_answer": "421 going down"}])
def test_a_server_that_goes_down_refuses_nobody(
    reader: User, campaign: Campaign, sink: Sink, mood: dict[str, Any]
) -> None:
    two_mails(reader, campaign)
    vars(sink).update(mood)
    assert sweep() == 0
    assert tries() == [(1, False), (0, False)]


def test_pauses_grow_to_an_hour_and_after_three_days_it_is_given_up(
    reader: User, campaign: Campaign, sink: Sink, time: Clock
) -> None:
    row, start = game_mail(reader, campaign), clock.now()
    sink.answer = "451 come back later"
    pauses = []
    while row.state != OutboxState.DEAD:
        assert sweep() == 0
        row.refresh_from_db()
        pauses.append((row.next_at - clock.now()).total_seconds())
        time.now = max(row.next_at, time.now)
    assert pauses[:8] == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert GIVE_UP <= clock.now() - start < GIVE_UP + timedelta(hours=1)
    assert row.trouble == "451: come back later"
    sink.answer = "250 OK"
    time.forward(days=1)
    assert sweep() == 0


def test_no_retry_comes_in_quiet_hours(reader: User, campaign: Campaign, sink: Sink, time: Clock) -> None:
    """The first try fails a minute before the reader's quiet hours; in the morning the mail is not late."""
    quiet(reader)
    row, sink.answer = game_mail(reader, campaign), "451 come back later"
    evening = time.now.replace(hour=17, minute=59, second=30)
    for time.now in (evening, evening + timedelta(minutes=2)):
        assert sweep() == 0
    row.refresh_from_db()
    assert (row.tries, row.next_at) == (1, evening.replace(hour=7, minute=0, second=0) + timedelta(days=1))
    OutboxMessage.objects.update(refused=False)
    time.now = row.next_at - timedelta(minutes=1)
    assert beat("a worker")
    assert "mails that are due and not sent" not in {each.what for each in troubles(time.now)}
    sink.answer, time.now = "250 OK", row.next_at
    assert sweep() == 1


def test_a_mail_that_many_others_delay_does_not_come_in_quiet_hours(
    reader: User, campaign: Campaign, time: Clock, settings: Settings
) -> None:
    quiet(reader)
    two_mails(reader, campaign)
    settings.MAIL_PER_MINUTE = 1
    time.now = time.now.replace(hour=17, minute=59, second=30)
    assert sweep() == 1
    time.forward(minutes=1)
    assert sweep() == 0
    time.forward(hours=13)
    assert sweep() == 1


def quiet(reader: User) -> None:
    """No mail comes from 18 to 7, in UTC."""
    Membership.objects.filter(user=reader).update(mails_quiet_from=18, mails_quiet_to=7)
    User.objects.filter(pk=reader.pk).update(time_zone="UTC")


def test_a_mail_that_was_given_up_can_be_tried_again(reader: User, campaign: Campaign) -> None:
    row = game_mail(reader, campaign)
    assert not revive(campaign, row.pk)
    OutboxMessage.objects.update(state=OutboxState.DEAD, tries=9, refused=True, first_try_at=clock.now() - GIVE_UP)
    assert revive(campaign, row.pk)
    row.refresh_from_db()
    assert row.first_try_at == clock.now()
    assert sweep() == 1


def test_a_server_that_cannot_be_reached_is_left_alone_for_a_while(
    reader: User, campaign: Campaign, settings: Settings, time: Clock
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    rows = [game_mail(reader, campaign, key=str(number)) for number in range(3)]
    assert sweep() == 0
    for row in rows:
        row.refresh_from_db()
    assert [row.tries for row in rows] == [1, 0, 0]
    assert rows[0].trouble.startswith("ConnectionRefusedError")
    assert not any(row.refused for row in rows)
    assert all(row.next_at > clock.now() for row in rows)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    time.forward(minutes=2)
    assert sweep() == 3


# --- workers that die ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "taken"), [("outbox.after_claim", 1), ("outbox.after_smtp", 2), ("outbox.before_mark", 2)]
)
def test_a_mail_whose_worker_died_is_sent_by_the_next_the_same_to_the_byte(
    reader: User,
    campaign: Campaign,
    sink: Sink,
    time: Clock,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    taken: int,
) -> None:
    row = game_mail(reader, campaign)
    with monkeypatch.context() as dying:
        dying.setenv("FAILPOINTS", f"{place}=raise")
        with pytest.raises(Provoked):
            sweep()
    row.refresh_from_db()
    assert row.state == OutboxState.SENDING
    assert sweep() == 0
    time.forward(seconds=LEASE.total_seconds() + 1)
    assert sweep() == 1
    row.refresh_from_db()
    assert (row.state, row.fence) == (OutboxState.SENT, 2)
    assert [envelope.content for envelope in sink.taken] == [row.message] * taken


def test_what_cannot_be_noted_stops_all_mails_until_it_can(
    reader: User, campaign: Campaign, sink: Sink, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_mails(reader, campaign)
    with monkeypatch.context() as full:
        full.setenv("FAILPOINTS", "outbox.before_mark=busy")
        for _ in range(3):
            with pytest.raises(OperationalError):
                sweep()
            time.forward(seconds=LEASE.total_seconds() + 1)
    assert len(sink.taken) == 1
    assert sweep() == 1
    assert len({envelope.content for envelope in sink.taken}) == len(sink.taken) == 2
    assert tries() == [(1, False), (1, False)]
    assert set(OutboxMessage.objects.values_list("state", flat=True)) == {OutboxState.SENT}


@pytest.mark.usefixtures("time")
def test_a_late_note_does_not_undo_what_the_next_worker_has_noted(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = game_mail(reader, campaign)
    sink.answer = "450 busy"
    with monkeypatch.context() as full:
        full.setenv("FAILPOINTS", "outbox.before_mark=busy")
        with pytest.raises(OperationalError):
            sweep()
    OutboxMessage.objects.update(state=OutboxState.SENT, fence=2, lease_until=None)
    assert sweep() == 0
    row.refresh_from_db()
    assert (row.state, row.trouble) == (OutboxState.SENT, "")


@pytest.fixture
def database_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database is a file, as far as mails are concerned."""
    monkeypatch.setattr(notes, "_file", lambda: tmp_path / "db.sqlite3")
    return tmp_path / "db.sqlite3"


@pytest.mark.usefixtures("database_file")
def test_no_mail_goes_out_while_the_disk_has_no_room_for_its_note(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_mails(reader, campaign)
    free = iter([notes.ROOM, notes.ROOM - 1])
    with monkeypatch.context() as filling:
        filling.setattr(notes, "disk_usage", lambda _: SimpleNamespace(free=next(free)))
        assert sweep() == 1
    assert tries() == [(1, False), (0, False)]
    assert sweep() == 1
    assert len(sink.taken) == 2


def test_one_process_sends_at_a_time_where_the_database_is_a_file(
    reader: User, campaign: Campaign, database_file: Path
) -> None:
    game_mail(reader, campaign)
    with notes.sending() as mine, notes.sending() as other:
        assert (mine, other) == (True, False)
        assert sweep() == 0
    assert sweep() == 1
    assert database_file.with_name("db.sqlite3-sending").exists()


def test_a_slow_worker_does_not_undo_what_the_next_has_noted(
    reader: User, campaign: Campaign, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = game_mail(reader, campaign)

    def slow(*_: object) -> int:
        time.forward(seconds=LEASE.total_seconds() + 1)
        with monkeypatch.context() as quick:
            quick.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", lambda *_: 1)
            assert sweep() == 1
        raise TimeoutError("the server is slow")

    with monkeypatch.context() as first:
        first.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", slow)
        assert sweep() == 0
    row.refresh_from_db()
    assert (row.state, row.trouble, row.fence) == (OutboxState.SENT, "", 2)


# --- mails as files --------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.EMAIL_BACKEND = "campaign.mail.files.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    return tmp_path / "mail"


def test_mails_as_files_are_numbered_and_say_for_whom_and_what_they_are(
    reader: User, campaign: Campaign, folder: Path
) -> None:
    row = game_mail(reader, campaign, kind="opened")
    User.objects.update(username="von Rundstedt/../Höfen")
    game_mail(reader, campaign, key="b", kind="report")
    assert sweep() == 2
    send_mail("Your code", "123", None, ["patton@example.org"])
    names = ["00001-von-rundstedthofen-opened.eml", "00002-von-rundstedthofen-report.eml", "00003-patton-your-code.eml"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert (folder / names[0]).read_bytes() == row.message
    assert (folder / names[0]).stat().st_mode & 0o077 == 0


def test_two_processes_at_once_write_over_nothing(
    reader: User, campaign: Campaign, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [game_mail(reader, campaign, key=str(number)) for number in range(3)]
    monkeypatch.setattr("campaign.mail.files._next_number", lambda _: 1)  # as each sees the folder before the other
    assert sweep() == 3
    assert sorted(path.read_bytes() for path in folder.iterdir()) == sorted(bytes(row.message) for row in rows)


def test_a_stored_mail_can_be_looked_into(reader: User, campaign: Campaign) -> None:
    game_mail(reader, campaign)
    sweep()
    (sent,) = mail.outbox
    message = sent.message()
    assert isinstance(message, EmailMessage)
    assert message["Subject"] == "Höfen"


# --- addresses that change -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["gerd@example.com", "gerd@höfen.example", "g" * 60 + "@" + "h" * 60 + ".example"])
def test_a_campaigns_mail_goes_where_its_reader_is_by_now(
    reader: User, campaign: Campaign, sink: Sink, address: str
) -> None:
    row = game_mail(reader, campaign)
    User.objects.update(email=address)
    assert sweep() == 1
    (envelope,) = sink.taken
    message = composed(
        reader,
        key="a key",
        kind="notice",
        to_addr=address,
        subject="Höfen",
        text="Bütgenbach " * 300,
        campaign=campaign,
        audience="german",
    )
    assert envelope.content == compose(message, at=row.created_at)
    assert len(envelope.rcpt_tos) == 1
    assert envelope.rcpt_tos[0].partition("@")[0] == address.partition("@")[0]


def test_a_mail_about_an_account_goes_where_it_was_meant_to_go(reader: User, sink: Sink) -> None:
    written(reader)
    User.objects.update(email="gerd@example.com")
    assert sweep() == 1
    assert sink.taken[0].rcpt_tos == ["rundstedt@example.org"]


@pytest.mark.parametrize("address", ["", "nowhere", '"a\x0bBcc:x"@example.org'])
def test_a_user_who_no_longer_has_an_address_is_sent_nothing(
    reader: User, campaign: Campaign, sink: Sink, address: str
) -> None:
    row = game_mail(reader, campaign)
    User.objects.update(email=address)
    assert sweep() == 0
    row.refresh_from_db()
    assert (row.state, row.trouble) == (OutboxState.DEAD, NO_ADDRESS)
    assert is_addressed(bytes(row.message), row.to_addr)
    assert not sink.taken


# --- phases that are withdrawn ---------------------------------------------------------------------------------------


def test_nothing_is_sent_about_a_withdrawn_phase_but_the_withdrawal(
    reader: User, campaign: Campaign, sink: Sink
) -> None:
    phase = campaign.phases.get()
    void = game_mail(reader, campaign, phase=phase)
    notice = game_mail(reader, campaign, phase=phase, key="b", kind=REOPENED)
    withdraw(phase)
    void.refresh_from_db()
    assert (void.state, void.trouble) == (OutboxState.DEAD, WITHDRAWN)
    Phase.objects.update(state=PhaseState.WITHDRAWN)
    assert not revive(campaign, void.pk)
    assert sweep() == 1
    assert [envelope.content for envelope in sink.taken] == [notice.message]


def test_a_mail_that_was_claimed_before_its_phase_was_withdrawn_is_not_sent(
    reader: User, campaign: Campaign, sink: Sink
) -> None:
    row = game_mail(reader, campaign, phase=campaign.phases.get())
    Phase.objects.update(state=PhaseState.WITHDRAWN)
    assert sweep() == 0
    row.refresh_from_db()
    assert (row.state, row.trouble) == (OutboxState.DEAD, WITHDRAWN)
    assert not sink.taken
