"""A mail server that takes mails from one sender alone: mails reach their readers, without a return path."""

from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from pytest_django import Settings

from campaign.models import Campaign, OutboxState, User
from tests.mail.test_sending import Sink, game_mail, sink, sweep

__all__ = ["sink"]

pytestmark = pytest.mark.django_db(transaction=True)

OURS = "fieldpost@localhost"
DOMAIN = "orders.example.org"


@pytest.fixture(autouse=True)
def takes_mail(settings: Settings) -> None:
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN, settings.MAIL_RETURN_PATHS = "smtp", DOMAIN, True


def test_a_mail_leaves_with_its_return_path(reader: User, campaign: Campaign, sink: Sink) -> None:
    row = game_mail(reader, campaign)
    assert sweep() == 1
    assert sink.taken[0].mail_from == f"orders+{row.return_token}@{DOMAIN}"


@pytest.mark.parametrize("command", ["handle_MAIL", "handle_RCPT", "handle_DATA"])
def test_a_server_that_takes_no_other_sender_gets_the_mail_from_its_own(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch, caplog: Any, command: str
) -> None:
    takes = getattr(sink, command)

    async def strict(server: SMTP, session: Session, envelope: Envelope, *more: Any) -> str:
        sender = more[0] if command == "handle_MAIL" else envelope.mail_from
        if sender != OURS:
            return f"553 5.7.1 <{sender}>: sender address rejected: not owned by user"
        said: str = await takes(server, session, envelope, *more)
        return said

    monkeypatch.setattr(sink, command, strict)
    row = game_mail(reader, campaign)
    assert sweep() == 1
    (envelope,) = sink.taken
    assert (envelope.mail_from, envelope.content) == (OURS, row.message)
    assert caplog.text.count("FIELDPOST_MAIL_RETURN_PATHS") == 1
    row.refresh_from_db()
    assert (row.state, row.tries, row.trouble) == (OutboxState.SENT, 1, "")


def test_after_a_refusal_all_mails_of_the_batch_come_from_the_usual_sender(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    asked: list[str] = []

    async def strict(_server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]) -> str:
        asked.append(address)
        if address != OURS:
            return "553 5.7.1 not owned by user"
        envelope.mail_from = address
        return "250 OK"

    monkeypatch.setattr(sink, "handle_MAIL", strict)
    rows = [game_mail(reader, campaign, key=str(number)) for number in range(3)]
    assert sweep() == 3
    assert asked == [f"orders+{rows[0].return_token}@{DOMAIN}", OURS, OURS, OURS]
    assert caplog.text.count("FIELDPOST_MAIL_RETURN_PATHS") == 1
    later = game_mail(reader, campaign, key="later")
    assert sweep() == 1
    assert asked[4:] == [f"orders+{later.return_token}@{DOMAIN}", OURS], "the next batch asks again"


def test_a_refused_reader_says_nothing_of_return_paths(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    takes, senders = sink.handle_RCPT, list[str | None]()

    async def refuses_one(server: SMTP, session: Session, envelope: Envelope, *more: Any) -> str:
        senders.append(envelope.mail_from)
        if len(senders) <= 2:
            return "550 5.1.1 no such mailbox"
        said: str = await takes(server, session, envelope, *more)
        return said

    monkeypatch.setattr(sink, "handle_RCPT", refuses_one)
    _, second = (game_mail(reader, campaign, key=str(number)) for number in range(2))
    assert sweep() == 1
    assert senders[2:] == [f"orders+{second.return_token}@{DOMAIN}"]


def test_a_reader_whom_the_server_refuses_is_tried_once_more_and_then_waits(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    senders: list[str | None] = []

    async def refuses(_server: SMTP, _session: Session, envelope: Envelope, *_more: Any) -> str:
        senders.append(envelope.mail_from)
        return "550 5.1.1 no such mailbox"

    monkeypatch.setattr(sink, "handle_RCPT", refuses)
    row = game_mail(reader, campaign)
    assert sweep() == 0
    assert senders == [f"orders+{row.return_token}@{DOMAIN}", OURS]
    row.refresh_from_db()
    assert (row.state, row.tries, row.trouble) == (OutboxState.WAITING, 1, "550: 5.1.1 no such mailbox")


def test_a_server_that_is_busy_is_asked_once_and_the_gm_reads_no_secret(
    reader: User, campaign: Campaign, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def busy(_server: SMTP, _session: Session, _envelope: Envelope, address: str, _options: list[str]) -> str:
        asked.append(address)
        return f"450 4.7.1 <{address}>: try again later"

    monkeypatch.setattr(sink, "handle_MAIL", busy)
    row = game_mail(reader, campaign)
    assert sweep() == 0
    assert asked == [f"orders+{row.return_token}@{DOMAIN}"]
    row.refresh_from_db()
    assert row.return_token not in row.trouble
    assert "try again later" in row.trouble
