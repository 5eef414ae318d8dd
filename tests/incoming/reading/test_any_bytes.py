"""Reading never raises, and what it gives has the form that others rely on."""

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from incoming.reading import Kind, Reading, Verdict, read, verdict
from tests.incoming.reading.stored import stored_mails

SENT = ("# 1 SS: Q22, 100 %, moves 4", "ALL OTHERS HOLD")
MAILS = [mail.raw for mail in stored_mails("people")]
FRAGMENTS = [
    *(b"\n", b"\r\n", b"\r", b"\x00", b"\xff", b" ", b"--b", b"--b--", b"\n\n", b";", b'"', b"=?utf-8?q?=zz?=", b"> "),
    *(b"Content-Type: multipart/alternative; boundary=b\n\n", b"Content-Type: message/rfc822\n\n", b"<div>", b"<!--"),
    *(
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n",
        b"From: mailer-daemon@x.example\n",
    ),
    *(b"Content-Type: text/html; charset*0*=\x00'x'y\n", b"Content-Transfer-Encoding: base64\n", b"BEGIN ORDERS\n"),
    *(b"Content-Type: text/plain; charset=punycode\n\n", b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n"),
    *(
        b'Content-Type: text/plain; charset="a\x00b"\n\n',
        b"Content-Disposition: x; filename*=\x00''a\n",
        b"END ORDERS\n",
    ),
    *(b"Content-Type: message/delivery-status\n\nAction: failed\nFinal-Recipient: ", b"From: ((((((((((\n"),
    *(b"Return-Path: <>\n", b"Authentication-Results: mx; dmarc=(", b"Subject: =?idna?b?eG4tLS0=?=\n", b"&#1114112;"),
]


def assert_in_form(reading: Reading) -> None:
    """What the callers of `read` count on."""
    assert reading.orders is None or (reading.kind is Kind.REPLY and reading.orders.strip())
    assert "\n" not in reading.subject + reading.sender + reading.message_id
    assert all(problem[0].isupper() and problem[-1] == "." for problem in reading.problems)
    assert not (reading.kind is Kind.BOUNCE and reading.words)
    text = "\n".join([reading.orders or "", reading.words, reading.subject, *reading.problems])
    assert "\x00" not in text
    assert text.encode()


@given(raw=st.binary(max_size=600))
def test_random_bytes_are_read(raw: bytes) -> None:
    assert_in_form(read(raw, sent=SENT))
    assert isinstance(verdict(raw, "mx"), Verdict)


@given(pieces=st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=12)), max_size=40))
def test_shreds_of_mails_are_read(pieces: list[bytes]) -> None:
    raw = b"".join(pieces)
    assert_in_form(read(raw, sent=SENT))
    assert isinstance(verdict(raw, "mx"), Verdict)


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_mails_are_read(data: st.DataObject) -> None:
    """A real mail with some bytes cut out, put in or changed."""
    raw = bytearray(data.draw(st.sampled_from(MAILS)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw)))
        length = data.draw(st.integers(0, 80))
        raw[at : at + length] = data.draw(st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=20)))
    assert_in_form(read(bytes(raw), sent=SENT))


@given(text=st.text(alphabet=string.printable + "äß\u200b\u202e\ufeffЖ漢", max_size=400))
def test_any_text_as_a_sheet_is_read(text: str) -> None:
    raw = b"Content-Type: text/plain; charset=utf-8\r\n\r\nBEGIN ORDERS\r\n" + text.encode() + b"\r\nEND ORDERS\r\n"
    assert_in_form(read(raw, sent=SENT))
