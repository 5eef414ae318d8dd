"""Mails that are made to take long, or much memory: they are refused, or cost in proportion to their size."""

import time
import tracemalloc
from collections.abc import Callable

import pytest

from incoming.reading import read, verdict
from incoming.reading.reader import LONGEST_WORDS
from incoming.reading.text.lines import LONGEST_LINE, MOST_LINES

Bomb = Callable[[int], bytes]
HEAD = b"From: alice@mail.example\nSubject: Re: sheet\nMessage-ID: <bomb@mail.example>\nMIME-Version: 1.0\n"
SENT = ("# 1 SS: Q22, 100 %, moves 4", "ALL OTHERS HOLD")


def text(row: bytes) -> Bomb:
    return lambda size: HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + row * (size // len(row))


def html(piece: bytes) -> Bomb:
    return lambda size: HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + piece * (size // len(piece))


def field(start: bytes, piece: bytes) -> Bomb:
    return lambda size: start + piece * (size // len(piece)) + b"\n" + HEAD + b"\nHello\n"


def encoded(charset: bytes, piece: bytes) -> Bomb:
    return lambda size: HEAD + b"Content-Type: text/plain; charset=" + charset + b"\n\n" + piece * (size // len(piece))


REFUSED: dict[str, tuple[bytes, str]] = {
    "parts within parts": (
        HEAD + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(500)),
        "it has too many parts within parts",
    ),
    "mails within mails": (HEAD + b"Content-Type: message/rfc822\n\n" * 500, "it has too many parts within parts"),
    "few parts around much": (
        HEAD
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(20))
        + b"x\n" * 2**21,
        "it has too many parts within parts",
    ),
    "thousands of described parts": (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: text/plain\n\nx\n" * 5_000,
        "it has too many parts",
    ),
    "thousands of bare parts": (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 50_000,
        "it has too many parts",
    ),
    "a header without an end": (HEAD + b"X-Note: a\n" * 100_000 + b"\nHello\n", "its header is too long"),
    "one endless header": (HEAD + b"X-Note: " + b"a" * 10**6 + b"\n\nHello\n", "its header is too long"),
    "a header of a part without an end": (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"X-Note: a\n" * 100_000 + b"\nx\n--b--\n",
        "the header of one of its parts is too long",
    ),
    "thousands of parameters": (
        HEAD + b'Content-Type: text/plain; x=" ' + b';";' * 1_000 + b"\n\nHello\n",
        "the description of one of its parts is too long",
    ),
    "a folded parameter without an end": (
        HEAD + b"Content-Type: text/plain; x=" + b"\n a" * 2_000 + b"\n\nHello\n",
        "the description of one of its parts is too long",
    ),
    "more than we take": (HEAD + b"\n" + b"x" * 2**24, "it has more than 16 MB"),
}
"""Bombs with the reason why each is not taken apart."""

PROPORTIONAL: dict[str, Bomb] = {
    "tags that never end": html(b"<a "),
    "comments that never end": html(b"<!--"),
    "declarations that never end": html(b"<!["),
    "ends of tags that never end": html(b"</a "),
    "values that never end": html(b"<a x='>\">"),
    "elements within elements": html(b"<div>"),
    "quotations within quotations": html(b"<blockquote>x"),
    "ends without a beginning": html(b"<div></p>"),
    "scripts that never end": html(b"<script></s"),
    "named characters that never end": html(b"&#x"),
    "a style of much space": html(b'<p style="display' + b" " * 900 + b'">x'),
    "a style of many bars": html(b'<div style="' + b"border-left:" * 80 + b'">x</div>'),
    "quote marks": text(b"> " * 2_000 + b"\n"),
    "begins without an end": text(b"BEGIN ORDERS\n"),
    "blocks": text(b"BEGIN ORDERS\nx\nEND ORDERS\n"),
    "quoted blocks": text(b"> BEGIN ORDERS\n> x\n> END ORDERS\n"),
    "announcements of quotations": text(b"On 1234 " + b"On x " * 55 + b":\n\n"),
    "announcements in Swedish": text(b"Den 1234 " + b"skrev " * 45 + b":\n\n"),
    "headers of quotations": text(b"From: x\nSent: y\n\n"),
    "rules of dashes": text(b"--- x" + b"-" * 290 + b"x\n"),
    "asterisks": text(b"*a " * 1_000 + b"\n"),
    "blanks": text(b" " * 3_000 + b"\n"),
    "one line": text(b"x"),
    "lines that flow": lambda size: HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * (size // 3),
    "encoded words that never end": field(b"Subject: ", b"=?a?q?"),
    "addresses": field(b"From: ", b"a,"),
    "comments in an address": field(b"From: ", b"("),
    "comments in results": field(b"Authentication-Results: mx; ", b"("),
    "punycode": encoded(b"punycode", b"9"),
    "names of hosts": encoded(b"idna", b"xn--a."),
    "letters in UTF-7": encoded(b"utf-7", b"+AGE-"),
    "escapes": encoded(b"iso-2022-jp", b"\x1b$B"),
    "alternatives": lambda size: (
        HEAD
        + b"Content-Type: multipart/alternative; boundary=b\n\n"
        + (b"--b\nContent-Type: text/plain\n\n" + b"x\n" * 500) * (size // 1_030)
    ),
    "letters in base64 that are none": lambda size: (
        HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"=A=B" * (size // 4)
    ),
    "a bounce of many addresses": lambda size: (
        b"Return-Path: <>\nFrom: mailer-daemon@x.example\n\n" + b"<a@b.example> a@b.example:\n" * (size // 27)
    ),
}
"""Bombs of a given size that are taken apart."""

SMALL = 48_000
FACTOR = 4


@pytest.mark.parametrize("name", REFUSED)
def test_a_bomb_is_not_taken_apart(name: str) -> None:
    raw, why = REFUSED[name]
    reading = read(raw, sent=SENT)
    assert reading.problems == (
        f"We did not read your mail: {why}. Send it again as plain text, with your orders in the mail itself.",
    )
    assert (reading.orders, reading.words, reading.sender) == (None, "", "alice@mail.example")


@pytest.mark.parametrize("name", PROPORTIONAL)
def test_a_bomb_takes_time_in_proportion_to_its_size(name: str) -> None:
    """Four times the size takes less than nine times as long; sixteen would mean that it grows with the square."""
    bomb = PROPORTIONAL[name]
    small, large = (_least_seconds(bomb(size)) for size in (SMALL, FACTOR * SMALL))
    assert large < max(small, 0.002) * 9


@pytest.mark.parametrize("name", PROPORTIONAL)
def test_a_bomb_takes_memory_in_proportion_to_its_size(name: str) -> None:
    raw = PROPORTIONAL[name](SMALL)
    read(raw, sent=SENT)
    tracemalloc.start()
    try:
        read(raw, sent=SENT)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 100 * len(raw)


def test_a_long_mail_is_read_up_to_a_limit_and_its_writer_is_told() -> None:
    raw = text(b"word " * 100 + b"\n")(4_000_000)
    reading = read(raw, sent=SENT)
    assert 0 < len(reading.words) <= LONGEST_WORDS
    assert [problem[:22] for problem in reading.problems] == ["Your mail is very long"]


def test_a_long_sheet_is_read_up_to_a_limit_and_its_writer_is_told() -> None:
    raw = text(b"BEGIN ORDERS\n" + b"HOLD 1 SS\n" * 2 * MOST_LINES + b"END ORDERS\n")(10**6)
    reading = read(raw, sent=SENT)
    assert reading.orders is not None
    assert len(reading.orders.split("\n")) < MOST_LINES
    assert [problem.split(" ")[0:4] for problem in reading.problems] == [
        ["The", "line", "END", "ORDERS"],
        ["Your", "mail", "is", "very"],
    ]


def test_a_long_line_is_read_up_to_a_limit() -> None:
    reading = read(text(b"BEGIN ORDERS\nNOTE 1 SS " + b"x" * 50_000 + b"\nEND ORDERS\n")(60_000), sent=SENT)
    assert reading.orders is not None
    assert len(reading.orders) == LONGEST_LINE


def _least_seconds(raw: bytes) -> float:
    return min(_seconds(raw) for _ in range(3))


def _seconds(raw: bytes) -> float:
    start = time.process_time()
    read(raw, sent=SENT)
    verdict(raw, "mx")
    return time.process_time() - start
