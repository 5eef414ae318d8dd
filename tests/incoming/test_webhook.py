"""The webhook takes the calls that Mailgun and Postmark document, and refuses everybody else's.

Written from the vendors' pages as they stood on 28 November 2026:
https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http (fields, the address that
ends with `mime`, which answers end the tries),
https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks (the signature), and
https://postmarkapp.com/developer/webhooks/inbound-webhook (the JSON, sign-in by the address; its field RawEmail is as
django-anymail reads it). Not tried with a live account.
"""

import hashlib
import hmac
import json
import logging
from base64 import b64encode
from collections.abc import Sequence
from email.feedparser import FeedParser
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import OperationalError
from django.test import Client

from campaign.mail.outbox import enqueue
from campaign.mail.secret_addresses import address_with
from campaign.models import OutboxMessage
from incoming import receiving
from incoming.handling import handle_due
from incoming.models import ReceivedMail
from incoming.reading import read
from incoming.receiving import LARGEST
from incoming.returned import handle_returned
from incoming.ways import webhook
from incoming.ways.forms import fields_of, value_of
from orders.models import Sheet
from tests.gm.campaigns import Clock
from tests.incoming.conftest import DOMAIN, ME, Mailbox
from tests.incoming.returns import report
from tests.mail.writing import composed
from tests.mails import plain_text_of
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db(transaction=True)

KEY, SIGNS_IN = "key-of-the-account", "postmark:a-long-password-of-ours"
HERE = "/incoming/mime"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def mailgun(cast: Cast, time: Clock, settings: Any) -> Mailbox:
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN = "webhook", DOMAIN
    settings.MAIL_IN_PROVIDER, settings.MAIL_IN_SECRET = "mailgun", KEY
    return Mailbox(cast, time)


@pytest.fixture
def postmark(mailgun: Mailbox, settings: Any) -> Mailbox:
    settings.MAIL_IN_PROVIDER, settings.MAIL_IN_SECRET = "postmark", SIGNS_IN
    return mailgun


def signed(raw: bytes, to: str, *, key: str = KEY, **more: Any) -> dict[str, Any]:
    """The fields of a call of Mailgun's, for a mail as it came."""
    timestamp, token = "1772359200", "c8ea5bbd1b7a4b0a9d0f6f8c3c2b1a0f9e8d7c6b5a4f3e2d1c"
    signature = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    proof = {"timestamp": timestamp, "token": token, "signature": signature}
    said = {"recipient": to, "sender": "model@example.org", "from": "Model <model@example.org>", "subject": "Re: yours"}
    return {**said, "body-mime": raw, **proof, **more}


def calls(fields: dict[str, Any]) -> Any:
    return Client(raise_request_exception=False).post(HERE, urlencode(fields), content_type=FORM)


def posted(raw: bytes | None, to: str, *, signs_in: str = SIGNS_IN, sender: str = "model@example.org") -> Any:
    """A call of Postmark's, with the example of its page around a mail."""
    example = {
        "FromName": "Model", "MessageStream": "inbound", "From": "model@example.org",
        "FromFull": {"Email": "model@example.org", "Name": "Model", "MailboxHash": ""},
        "To": to, "ToFull": [{"Email": to, "Name": "", "MailboxHash": to.partition("+")[2].partition("@")[0]}],
        "Cc": "", "CcFull": [], "Bcc": "", "BccFull": [], "OriginalRecipient": to, "Subject": "Re: your orders",
        "MessageID": "73e6d360-66eb-11e1-8e72-a8904824019b", "ReplyTo": "", "MailboxHash": "",
        "Date": "Fri, 1 Aug 2014 16:45:32 -04:00", "TextBody": "BEGIN ORDERS\nREADY\nEND ORDERS", "HtmlBody": "",
        "StrippedTextReply": "", "Tag": "", "Headers": [{"Name": "Return-Path", "Value": f"<{sender}>"}],
        "Attachments": [],
    }  # fmt: skip
    raw_too = {} if raw is None else {"RawEmail": raw.decode()}
    headers = {"Authorization": f"Basic {b64encode(signs_in.encode()).decode()}"}
    client = Client(raise_request_exception=False)
    return client.post(HERE, json.dumps({**example, **raw_too}), content_type="application/json", headers=headers)


def test_a_mail_from_mailgun_becomes_a_sheet_at_the_time_of_its_call(mailgun: Mailbox) -> None:
    raw = mailgun.mail("ALL OTHERS HOLD").as_bytes()
    answer = calls(signed(raw, mailgun.address()))
    assert (answer.status_code, answer.content) == (200, b"Taken.")
    assert ReceivedMail.objects.get().message == raw
    handle_due(most=9)
    assert Sheet.objects.get().received_at == mailgun.time.now


def test_a_mail_from_postmark_becomes_a_sheet(postmark: Mailbox) -> None:
    raw = postmark.mail("ALL OTHERS HOLD").as_bytes()
    assert posted(raw, postmark.address()).status_code == 200
    assert ReceivedMail.objects.get().message == raw
    handle_due(most=9)
    assert Sheet.objects.get().text == "ALL OTHERS HOLD\n"


def test_a_report_from_mailgun_is_noted_with_the_mail(mailgun: Mailbox) -> None:
    mail = mail_to(mailgun)
    path = address_with(mail.return_token)
    answer = calls(signed(report("Postfix", path), path, sender=""))
    assert (answer.status_code, answer.content) == (200, b"Taken.")
    assert is_noted(mail)


def test_a_report_from_postmark_is_noted_with_the_mail(postmark: Mailbox) -> None:
    mail = mail_to(postmark)
    path = address_with(mail.return_token)
    assert posted(report("Postfix", path), path, sender="").status_code == 200
    assert is_noted(mail)


def mail_to(box: Mailbox) -> OutboxMessage:
    """A mail to the member, which has left."""
    said = {"key": "news", "kind": "notice", "subject": "News", "text": "News.", "to_addr": "rommel@mail.example"}
    assert enqueue(composed(box.cast.user(ME), campaign=box.cast.campaign, audience="german", **said))
    return OutboxMessage.objects.get(key="news")


def is_noted(mail: OutboxMessage) -> bool:
    """Whether the one report that came in is noted with this mail, and became nothing else."""
    handle_returned(most=9)
    mail.refresh_from_db()
    noted = (mail.bounce_status, mail.bounced_onward, OutboxMessage.objects.exclude(bounced_at=None).count())
    return noted == ("5.1.1", False, 1) and not ReceivedMail.objects.exists()


def test_a_call_with_parts_brings_the_bytes_as_they_came(mailgun: Mailbox) -> None:
    """Mailgun documents this form for mails with attachments. Django's own reading limits and decodes it."""
    raw = mailgun.mail("READY").as_bytes() + b"\xff\xe4\r\n" * 400_000
    answer = Client().post(
        HERE, _in_parts(signed(raw, mailgun.address())), content_type="multipart/form-data; boundary=x"
    )
    assert answer.status_code == 200
    assert ReceivedMail.objects.get().message == raw


@pytest.mark.parametrize("form", [FORM, "multipart/form-data; boundary=x"])
def test_letters_of_any_charset_come_as_they_were_sent(mailgun: Mailbox, form: str) -> None:
    raw = mailgun.mail("READY").as_bytes() + b"Gr\xc3\xbc\xc3\x9fe +%41 \xff\xe4\r\n--x-y\r\n"
    fields = signed(raw, mailgun.address(), **{"from": "Jürgen <juergen@example.org>"})
    for body in [urlencode(fields).encode(), _half_encoded(fields)] if form == FORM else [_in_parts(fields)]:
        ReceivedMail.objects.all().delete()
        assert Client().post(HERE, body, content_type=form).status_code == 200
        assert ReceivedMail.objects.get().message == raw


def _half_encoded(fields: dict[str, Any]) -> bytes:
    """A form as programs write it that escape only what they must."""
    as_bytes = {name: value if isinstance(value, bytes) else value.encode() for name, value in fields.items()}
    marks = ((b"%", b"%25"), (b"&", b"%26"), (b"+", b"%2b"))
    return b"&".join(name.encode() + b"=" + _replaced(value, marks) for name, value in as_bytes.items())


def _replaced(value: bytes, marks: Sequence[tuple[bytes, bytes]]) -> bytes:
    for sign, escape in marks:
        value = value.replace(sign, escape)
    return value


def test_a_form_is_decoded_alike_wherever_its_escapes_are() -> None:
    for before in range(12_280, 12_295):
        assert value_of(fields_of(b"a=" + b"x" * before + b"%FC%3" + b"y%", FORM), "a") == b"x" * before + b"\xfc%3y%"


def _in_parts(fields: dict[str, Any]) -> bytes:
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n'
        % (name.encode(), value if isinstance(value, bytes) else value.encode())
        for name, value in fields.items()
    ]
    return b"".join(parts) + b"--x--\r\n"


def test_a_call_that_comes_again_counts_once(mailgun: Mailbox) -> None:
    raw, address = mailgun.mail("ALL OTHERS HOLD").as_bytes(), mailgun.address()
    assert [calls(signed(raw, address)).status_code for _ in range(2)] == [200, 200]
    assert ReceivedMail.objects.count() == 1


@pytest.mark.parametrize("way", ["mailgun", "postmark"])
def test_an_address_that_takes_no_mail_gets_the_same_answer(postmark: Mailbox, settings: Any, way: str) -> None:
    settings.MAIL_IN_PROVIDER, settings.MAIL_IN_SECRET = way, {"mailgun": KEY, "postmark": SIGNS_IN}[way]
    raw, told = postmark.mail("READY").as_bytes(), []
    for to in (postmark.address(), f"orders+{'a' * 32}@{DOMAIN}", f"postmaster@{DOMAIN}", "", "nobody@example.org"):
        answer = calls(signed(raw, to)) if way == "mailgun" else posted(raw, to)
        told.append((answer.status_code, answer.content, dict(answer.headers)))
    assert all(each == told[0] for each in told)
    assert (told[0][0], ReceivedMail.objects.count()) == (200, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": "another"}, {"signature": "0" * 64}, {"signature": "ä"}, {"signature": ""}, {"token": "x"},
        {"token": "ä"}, {"timestamp": ""}, {"timestamp": "\0"},
    ],
)  # fmt: skip
def test_calls_that_mailgun_did_not_sign_are_refused(mailgun: Mailbox, wrong: dict[str, str]) -> None:
    assert calls(signed(mailgun.mail("READY").as_bytes(), mailgun.address(), **wrong)).status_code == 401
    assert not ReceivedMail.objects.exists()


@pytest.mark.parametrize("signs_in", ["postmark:wrong", ":", "", "other:a-long-password-of-ours"])
def test_calls_that_do_not_sign_in_are_refused(postmark: Mailbox, signs_in: str) -> None:
    assert posted(postmark.mail("READY").as_bytes(), postmark.address(), signs_in=signs_in).status_code == 401
    assert Client().post(HERE, "{}", content_type="application/json").status_code == 401
    assert not ReceivedMail.objects.exists()


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_mail_that_cannot_be_stored_stays_with_the_provider(
    mailgun: Mailbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, place: str
) -> None:
    def broken(where: str) -> None:
        if where == f"incoming.{place}_commit":
            raise OperationalError(f"disk full while storing for {mailgun.address()}")

    call = signed(mailgun.mail("READY").as_bytes(), mailgun.address())
    with monkeypatch.context() as patch, caplog.at_level(logging.DEBUG, logger="incoming"):
        patch.setattr(receiving, "fp", broken)
        assert calls(call).status_code == 503
    assert ReceivedMail.objects.count() == (place == "after")
    assert "OperationalError" in caplog.text
    assert "orders+" not in caplog.text
    assert calls(call).status_code == 200
    assert ReceivedMail.objects.count() == 1


def test_a_call_without_the_mail_as_it_came_says_what_to_turn_on(
    postmark: Mailbox, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert posted(None, postmark.address()).status_code == 503
    assert "Include raw email content in JSON payload" in caplog.text
    settings.MAIL_IN_PROVIDER, settings.MAIL_IN_SECRET = "mailgun", KEY
    parsed = signed(b"", postmark.address()) | {"message-headers": "[]", "body-plain": "READY"}
    del parsed["body-mime"]
    assert calls(parsed).status_code == 503
    assert "ends with /incoming/mime" in caplog.text


def test_a_bounce_and_what_is_too_large_are_known(postmark: Mailbox) -> None:
    assert posted(postmark.mail("READY").as_bytes(), postmark.address(), sender="").status_code == 200
    assert ReceivedMail.objects.get().from_nobody
    large = postmark.mail("READY").as_bytes() + b"x" * LARGEST
    assert posted(large, postmark.address()).status_code == 200
    handle_due(most=9)
    assert ReceivedMail.objects.latest("pk").state == "refused"
    (answer,) = postmark.answers(ME)
    assert "more than 5 MB" in " ".join(plain_text_of(answer.message).split())


def test_a_call_that_is_too_large_is_not_read_and_the_log_says_so(
    mailgun: Mailbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(webhook, "LARGEST_CALL", 100)
    assert calls(signed(mailgun.mail("READY").as_bytes(), mailgun.address())).status_code == 413
    assert "its mail was not taken" in caplog.text


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{"), ("application/json", b"\xff"), ("application/json", b'{"event-data": {}}'),
        (FORM, b""), (FORM, b"%00=%00&signature"), (FORM, b"a&" * 2000), ("multipart/form-data; boundary=x", b"--x"),
        ("multipart/form-data", b"\0"), ("text/plain", b"hello"), ("", b""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("way", ["mailgun", "postmark"])
@pytest.mark.usefixtures("postmark")
def test_calls_of_strangers_break_nothing(settings: Any, way: str, kind: str, body: bytes) -> None:
    settings.MAIL_IN_PROVIDER, settings.MAIL_IN_SECRET = way, {"mailgun": KEY, "postmark": SIGNS_IN}[way]
    assert Client().post(HERE, body, content_type=kind).status_code == 401
    assert not ReceivedMail.objects.exists()


DEEP = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(300))


def test_a_call_of_a_stranger_is_not_taken_apart(mailgun: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts within parts of a form, or of its mail, would take Python minutes."""
    monkeypatch.setattr(FeedParser, "feed", lambda *_: pytest.fail("a call was taken apart"))
    bomb = DEEP + b"x\r\n" * 100_000
    form = b'--x\r\nContent-Disposition: form-data; name="a"\r\n' + bomb
    for body in (form, _in_parts(signed(bomb, mailgun.address(), key="another"))):
        assert Client().post(HERE, body, content_type="multipart/form-data; boundary=x").status_code == 401


@pytest.mark.parametrize("way", ["mailgun", "postmark"])
def test_a_mail_that_would_take_long_is_stored_as_it_came(postmark: Mailbox, settings: Any, way: str) -> None:
    settings.MAIL_IN_PROVIDER, settings.MAIL_IN_SECRET = way, {"mailgun": KEY, "postmark": SIGNS_IN}[way]
    raw = postmark.mail("READY").as_bytes().partition(b"\r\n\r\n")[0] + b"\r\n" + DEEP
    answer = calls(signed(raw, postmark.address())) if way == "mailgun" else posted(raw, postmark.address())
    assert answer.status_code == 200
    assert ReceivedMail.objects.get().message == raw
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == "unreadable"


@pytest.mark.parametrize("encode", [bytes.decode, lambda raw: b64encode(raw).decode()])
def test_a_library_gets_no_mail_that_would_take_long(
    postmark: Mailbox, settings: Any, caplog: pytest.LogCaptureFixture, encode: Any
) -> None:
    settings.MAIL_IN_PROVIDER = "sparkpost"
    content = {"email_rfc822": encode(DEEP), "email_rfc822_is_base64": True}
    call = [{"msys": {"relay_message": {"content": content, "protocol": "smtp", "rcpt_to": postmark.address()}}}]
    headers = {"Authorization": f"Basic {b64encode(SIGNS_IN.encode()).decode()}"}
    answer = Client().post(HERE, json.dumps(call), content_type="application/json", headers=headers)
    assert (answer.status_code, "TooComplicated" in caplog.text) == (503, True)


def test_a_call_that_does_not_sign_in_is_not_read(postmark: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WSGIRequest, "read", lambda *_: pytest.fail("a stranger's call was read"))
    assert posted(b"Subject: x\r\n\r\nx", postmark.address(), signs_in="postmark:wrong").status_code == 401


@pytest.mark.parametrize("unset", ["MAIL_IN", "MAIL_IN_PROVIDER", "MAIL_IN_SECRET"])
def test_without_a_setting_there_is_no_such_address(mailgun: Mailbox, settings: Any, unset: str) -> None:
    call = signed(mailgun.mail("READY").as_bytes(), mailgun.address())
    setattr(settings, unset, "")
    assert calls(call).status_code == 404
    assert Client().get(HERE).status_code == 405


def test_the_parts_of_a_mail_are_put_together_alike_whenever_they_come() -> None:
    """What providers send who send no mail as it came."""
    from anymail.inbound import AnymailInboundMessage  # noqa: PLC0415 - its import is slow

    def built() -> bytes:
        parts = {
            "text": "BEGIN ORDERS\nREADY\nEND ORDERS",
            "html": "<p>READY</p>",
            "headers": [("Message-ID", "<1@x>")],
        }
        return webhook.put_together(AnymailInboundMessage.construct(from_email="a@example.org", **parts))

    assert built() == built()
    assert (read(built(), sent=[]).orders or "").split() == ["READY"]
