"""What is wrong with a mailbox is said in words, where the administrator reads it; bad mails never stop a poll."""

import imaplib
import logging
import ssl
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from campaign.models import OutboxMessage
from gm.machine.health_alerts import report, troubles
from incoming.models import Mailbox
from incoming.receiving import LARGEST
from incoming.ways import polling
from incoming.ways.mailbox import Folder, Head, MailUnavailable, internal_date
from incoming.ways.polling import is_due, poll
from orders.models import Sheet
from tests.incoming.imap.conftest import Post, earlier, url
from tests.incoming.imap.dovecot import believing

pytestmark = pytest.mark.django_db(transaction=True)

FAULTS = {
    "a wrong password": ({"password": "wrong"}, "127.0.0.1 refuses user and password."),
    "no such folder": ({"folder": "Nowhere"}, "The mailbox has no folder of the name"),
    "a certificate that nobody vouches for": ({"scheme": "imaps"}, "The certificate of localhost is not valid: self"),
    "the same after a beginning without TLS": ({"scheme": "imap+tls"}, "The certificate of localhost is not valid"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_said_and_logged_once(
    post: Post, settings: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    given, said = FAULTS[name]
    settings.MAIL_IN_URL = url(post.server, **given)
    assert [post.polled(), post.polled()] == [0, 0]
    assert said in post.row.why
    assert (post.row.failing_since, post.row.read_at) == (post.time.now, None)
    assert caplog.text.count(said) == 1
    assert "orders@example.org" not in caplog.text + post.row.why
    with pytest.raises(CommandError, match=said.partition(":")[0]):
        call_command("takemail", "--once")


@pytest.mark.parametrize("scheme", ["imaps", "imap+tls"])
def test_a_mailbox_is_read_encrypted(
    post: Post, settings: Any, scheme: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.MAIL_IN_URL = url(post.server, scheme=scheme)
    context = believing(post.server.folder)
    monkeypatch.setattr(ssl, "create_default_context", lambda: context)
    post.arrives(post.mail("READY"))
    call_command("takemail", "--once")
    assert "1 mail taken." in capsys.readouterr().out


def test_a_mailbox_that_was_down_for_an_hour_loses_nothing(post: Post) -> None:
    post.polled()
    post.server.stop()
    try:
        for _ in range(12):
            post.time.forward(minutes=5)
            assert post.polled() == 0
        assert "127.0.0.1 cannot be reached at port" in post.row.why
        assert post.row.failing_since == earlier(post, minutes=55)
    finally:
        post.server.start()
    for minutes in (50, 10):
        post.arrives(post.mail("ALL OTHERS HOLD"), earlier(post, minutes=minutes))
    assert post.polled() == 2
    came = list(Sheet.objects.order_by("version").values_list("received_at", flat=True))
    assert came == [earlier(post, minutes=50), earlier(post, minutes=10)]
    row = post.row
    assert not row.why
    assert row.failing_since is None


def test_the_administrator_and_the_health_page_are_told(post: Post, settings: Any) -> None:
    admin = post.cast.user("gm")
    admin.is_superuser = True
    admin.save()
    settings.MAIL_IN_URL = url(post.server, password="wrong")  # noqa: S106 - that it is wrong matters
    post.polled()
    post.time.forward(minutes=10)
    post.polled()
    assert not polling.trouble(post.time.now)
    post.time.forward(minutes=10)
    post.polled()
    assert "refuses user and password" in polling.trouble(post.time.now)
    report(post.time.now)
    told = OutboxMessage.objects.get(kind="canary", user=admin)
    assert b"127.0.0.1 refuses user and password." in told.message
    public = "\n".join(trouble.what for trouble in troubles(post.time.now))
    assert "127.0.0.1" not in public


def test_nobody_who_polls_is_noticed(post: Post) -> None:
    assert polling.trouble(post.time.now).startswith("The mailbox has not been read yet")
    post.polled()
    assert polling.trouble(post.time.now + timedelta(minutes=14)) == ""
    assert "takemail" in polling.trouble(post.time.now + timedelta(minutes=16))


def test_a_mailbox_that_fails_is_tried_less_often_but_at_once_for_a_phase(post: Post, settings: Any) -> None:
    assert is_due(post.time.now)
    post.polled()
    assert [is_due(post.time.now + timedelta(seconds=seconds)) for seconds in (29, 30)] == [False, True]
    settings.MAIL_IN_URL = url(post.server, folder="Nowhere")
    post.polled()
    post.time.forward(hours=1)
    post.polled()
    assert [is_due(post.time.now + timedelta(seconds=seconds)) for seconds in (290, 300)] == [False, True]


def test_bad_mails_never_stop_a_poll(post: Post) -> None:
    to = post.address().encode()
    for bad in (
        b"\r\n\r\n",
        b"To: " + to + b"\r\nContent-Type: multipart/mixed; boundary=\xff\xfe\r\n\r\n--\xff\xfe\r\n\0\0",
        b"To: =?utf-8?B?////?= <" + to + b">\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!",
        b"To\r\nTo: \r\n <" + to + b"\r\nFrom: \xff\r\n\r\nBEGIN ORDERS\r\n",
        b"To: " + to + b"\r\nContent-Type: message/rfc822\r\n\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * 500,
    ):
        post.server.put(bad.replace(b"\0", b" "), post.time.now)
    post.arrives(post.mail("ALL OTHERS HOLD"))
    post.polled()
    assert post.row.uid == 6
    assert "failed" not in post.states()
    assert post.states()[-1] == "submitted"


def test_a_mail_that_is_too_large_is_answered_and_not_read(post: Post) -> None:
    mail = post.mail("READY").as_bytes()
    post.arrives(mail + b"".join([b"x" * 70 + b"\r\n"] * (LARGEST // 72 + 1)))
    post.polled()
    assert post.states() == ["refused"]
    assert "more than 5 MB" in post.said()
    assert len(post.answers()) == 1


def refused(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the server not give the first mail."""
    head = Folder.head

    def refuses(folder: Folder, uid: int) -> Head | None:
        if uid == 1:
            raise error
        return head(folder, uid)

    monkeypatch.setattr(Folder, "head", refuses)


def test_a_mail_that_cannot_be_fetched_is_tried_for_days_and_the_others_are_read(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refused(monkeypatch, MailUnavailable("mail 1 of the mailbox"))
    post.arrives(post.mail("HOLD 12VG"))
    post.arrives(post.mail("READY"))
    assert [(post.polled(), post.row.retries["1"][0]) for _ in range(4)] == [(1, 1), (0, 2), (0, 3), (0, 3)]
    assert polling.trouble(post.time.now) == "Mails in the mailbox that cannot be read: 1. The log says more."
    post.time.forward(minutes=2)
    assert [post.polled(), post.row.retries["1"][0]] == [0, 4]
    post.time.forward(minutes=3)
    assert [post.polled(), post.row.retries["1"][0]] == [0, 4]
    assert post.server.flags() == ["", r"\Seen"]
    with monkeypatch.context() as healed, caplog.at_level(logging.ERROR):
        healed.setattr(polling, "MOST_TRIES", 4)
        post.polled()
    assert "mail 1 of the mailbox could not be read in 4 tries" in caplog.text
    assert (post.row.retries, polling.trouble(post.time.now)) == ({}, "")


def test_a_mail_that_ends_the_conversation_keeps_no_later_mail_from_being_read(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.arrives(post.mail("HOLD 12VG"))
    with monkeypatch.context() as patch:
        refused(patch, imaplib.IMAP4.abort("the server is gone"))
        assert post.polled() == 0
        post.arrives(post.mail("READY"))
        post.polled()
        assert (post.states(), post.row.uid) == (["submitted"], 2)
    assert [post.polled(), post.row.retries] == [1, {}]


@pytest.mark.parametrize("date", ["00-Jan-1970 00:00:00 +0000", "31-Dec-9999 23:59:59 -0100"])
def test_a_mail_with_an_impossible_date_is_alone_in_trouble(date: str) -> None:
    with pytest.raises(MailUnavailable):
        internal_date(f'1 (INTERNALDATE "{date}" UID 1)')


def test_a_mail_that_failed_once_is_read_the_next_time(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.arrives(post.mail("READY"))
    with monkeypatch.context() as broken:
        broken.setattr(polling, "take", lambda *_, **__: 1 / 0)
        assert post.polled() == 0
    assert post.polled() == 1


def test_a_database_that_cannot_write_leaves_the_mail_in_the_mailbox(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> bool:
        raise OperationalError("disk full")

    post.arrives(post.mail("READY"))
    with monkeypatch.context() as broken:
        broken.setattr(polling, "take", full)
        with pytest.raises(OperationalError):
            poll()
    assert (post.row.uid, post.server.flags()) == (0, [""])
    assert post.polled() == 1


def test_another_mailbox_is_read_from_its_beginning(post: Post, settings: Any) -> None:
    post.polled()
    with post.server.client() as client:
        assert client.create('"Befehle.Ardennen &- &ANY-l"')[0] == "OK"  # in the letters in which IMAP writes names
    settings.MAIL_IN_URL = url(post.server, folder="Befehle.Ardennen%20%26%20%C3%96l")
    post.polled()
    assert (Mailbox.objects.count(), post.row.why) == (2, "")
