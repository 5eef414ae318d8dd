"""The listener: what it takes, what it refuses, and that it says so only once a mail is stored."""

import logging
import socket
from smtplib import SMTP, SMTPDataError, SMTPRecipientsRefused
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from campaign.models import Closing, Membership, Role
from incoming import receiving, smtp
from incoming.addresses import takes
from incoming.models import ReceivedMail
from tests.incoming.conftest import DOMAIN, ME, Mailbox

pytestmark = pytest.mark.django_db(transaction=True)


def refusal(box: Mailbox, address: str) -> tuple[int, bytes]:
    """The reply to an address, which is not taken."""
    with pytest.raises(SMTPRecipientsRefused) as refused:
        box.deliver(box.mail("READY"), address)
    return refused.value.recipients[address]


def test_a_mail_is_stored_as_it_came_at_the_time_at_which_it_was_taken(box: Mailbox) -> None:
    mail = box.mail("HOLD 12VG")
    assert box.deliver(mail) == {}
    stored = ReceivedMail.objects.get()
    assert stored.message == mail.as_bytes()
    assert stored.received_at == box.time.now
    assert (stored.address.member, stored.address.phase) == (box.cast.member(ME), box.phase)
    assert stored.state == "received"


def test_an_address_survives_capitals(box: Mailbox) -> None:
    assert box.deliver(box.mail("READY"), box.address().upper()) == {}
    assert ReceivedMail.objects.count() == 1


def test_the_form_of_addresses_is_a_setting(box: Mailbox, settings: Any) -> None:
    plus = box.address()
    settings.MAIL_IN_FORM = "catch-all"
    assert box.address() == plus.removeprefix("orders+")
    assert box.deliver(box.mail("READY"), box.address()) == {}
    assert refusal(box, plus)[0] == 550


def test_every_address_that_is_not_taken_is_refused_in_the_same_words(box: Mailbox) -> None:
    address, staff = box.address(), box.address("german staff")
    token = address.partition("+")[2].partition("@")[0]
    Membership.objects.filter(pk=box.cast.member("german staff").pk).update(role=Role.TACTICAL)
    allied = box.address("allied commander")
    Membership.objects.filter(pk=box.cast.member("allied commander").pk).update(left_at=timezone.now())
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    foreign = (
        f"orders+{wrong}@{DOMAIN}", f"orders+{token}@example.org", f"else+{token}@{DOMAIN}", f"{token}@{DOMAIN}",
        f"orders@{DOMAIN}", f"postmaster@{DOMAIN}", staff, allied,
    )  # fmt: skip
    assert {refusal(box, each) for each in foreign} == {(550, b"5.1.1 No such address here")}
    assert not ReceivedMail.objects.exists()
    assert box.deliver(box.mail("READY"), address) == {}


def test_a_look_up_is_two_statements_whatever_the_address(box: Mailbox, django_assert_num_queries: Any) -> None:
    for address in (box.address(), f"orders+{'a' * 32}@{DOMAIN}", "somebody@example.org", ""):
        with django_assert_num_queries(2):
            takes([address])


def test_an_address_of_a_closed_phase_is_taken_until_the_campaign_is_closed(box: Mailbox) -> None:
    address = box.address()
    phase = box.phase
    phase.state = "PUBLISHED"
    phase.published_at = box.time.now
    phase.save()
    assert box.deliver(box.mail("READY"), address) == {}
    Closing.objects.create(campaign=box.cast.campaign, author=box.cast.user("gm"), at=box.time.now)
    assert refusal(box, address)[0] == 550


def test_a_mail_that_cannot_be_stored_stays_with_its_sender(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: str) -> None:
        raise OperationalError(f"disk full while storing for {box.address()}")

    monkeypatch.setattr(receiving, "fp", broken)
    with caplog.at_level(logging.DEBUG, logger="incoming"), pytest.raises(SMTPDataError) as refused:
        box.deliver(box.mail("READY"))
    assert refused.value.smtp_code == 451
    assert not ReceivedMail.objects.exists()
    assert "OperationalError" in caplog.text
    assert "orders+" not in caplog.text
    monkeypatch.undo()


def test_an_address_that_cannot_be_looked_up_is_no_unknown_one(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise OperationalError("no connection")

    monkeypatch.setattr(smtp, "takes", broken)
    assert refusal(box, f"orders+{'a' * 32}@{DOMAIN}")[0] == 451


def test_a_mail_that_is_delivered_twice_is_one(box: Mailbox) -> None:
    raw = box.mail("HOLD 12VG").as_bytes()
    box.deliver(raw)
    box.deliver(b"Received: from another.example by way.example;\r\n\tMon, 2 Mar 2026 10:00:00 +0000\r\n" + raw)
    assert ReceivedMail.objects.count() == 1
    box.deliver(box.mail("HOLD 12VG"))
    assert ReceivedMail.objects.count() == 2


@pytest.mark.parametrize("added", ["X-Rspamd-Queue-Id: {0}", "X-Spamd-Result: default: False\n [{0}.1 / 15.00];"])
def test_what_a_server_adds_makes_no_other_mail(box: Mailbox, added: str) -> None:
    raw = box.mail("HOLD 12VG", Subject="Re: your orders").as_bytes()
    for number in range(2):
        trace = added.format(number).replace("\n", "\r\n").encode()
        box.deliver(trace + b"\r\n" + raw.replace(b"Subject: Re:", b"Subject:\r\n  Re:" if number else b"Subject: Re:"))
    assert ReceivedMail.objects.count() == 1


@pytest.mark.parametrize("name", ["Message-ID", "Date", "From", "Subject", "Content-Language"])
def test_what_its_author_s_program_wrote_makes_another_mail(box: Mailbox, name: str) -> None:
    for number in range(2):
        mail = box.mail("HOLD 12VG", Message_ID="<a@example.org>")
        del mail[name]
        mail[name] = f"Sun, 1 Mar 2026 10:00:0{number} +0000" if name == "Date" else f"<{number}@example.org>"
        box.deliver(mail)
    assert ReceivedMail.objects.count() == 2


def test_mails_without_a_name_are_told_apart_by_their_other_headers(box: Mailbox) -> None:
    for number in range(2):
        mail = box.mail("HOLD 12VG", In_Reply_To=f"<{number}@example.org>")
        del mail["Message-ID"]
        for trace in ("Received: from here\r\n", "Received: from there\r\n"):
            box.deliver(trace.encode() + mail.as_bytes())
    assert ReceivedMail.objects.count() == 2


def test_a_mail_to_several_of_our_addresses_comes_to_each(box: Mailbox) -> None:
    box.deliver(box.mail("READY"), box.address(), box.address("allied commander"))
    assert ReceivedMail.objects.count() == 2


def test_too_much_is_refused(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "MOST_RECIPIENTS", 1)
    refused = box.deliver(box.mail("READY"), box.address(), box.address("german staff"))
    assert [code for code, _ in refused.values()] == [452]
    large = b"Subject: x\r\n\r\n" + b"x" * 70 + b"\r\n"
    with SMTP("127.0.0.1", box.port, timeout=20) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == str(receiving.LARGEST)
        client.mail("a@example.org")
        client.rcpt(box.address())
        assert client.data(large * (receiving.LARGEST // len(large) + 1))[0] == 552
    assert ReceivedMail.objects.count() == 1


def test_connections_are_limited(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "MOST_CONNECTIONS", 1)
    with SMTP("127.0.0.1", box.port, timeout=20) as client:
        client.ehlo()
        with socket.create_connection(("127.0.0.1", box.port), timeout=20) as second:
            assert second.recv(100).startswith(b"421 ")
    assert box.deliver(box.mail("READY")) == {}


def test_it_does_not_say_who_has_an_address(box: Mailbox) -> None:
    with SMTP("127.0.0.1", box.port, timeout=20) as client:
        client.ehlo()
        assert "auth" not in client.esmtp_features
        assert client.verify(box.address())[0] == client.verify(f"nobody@{DOMAIN}")[0] == 252
        assert client.docmd("EXPN", box.address())[0] == 502


def test_a_bounce_with_no_sender_is_taken(box: Mailbox) -> None:
    assert box.deliver(box.mail(None, text="Delivery failed"), sender="") == {}
    assert ReceivedMail.objects.get().from_nobody
