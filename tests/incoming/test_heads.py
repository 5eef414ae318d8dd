"""For whom a mail is, by its headers alone, whatever bytes are in them."""

from typing import Any

import pytest

from incoming.ways.heads import LARGEST_HEAD, MOST, head_of, headers_only, is_from_nobody, recipients

ME = f"orders+{'a' * 32}@orders.example.org"


@pytest.fixture(autouse=True)
def domain(settings: Any) -> None:
    settings.MAIL_IN_DOMAIN = "orders.example.org"


@pytest.mark.parametrize(
    "head",
    [
        f"To: {ME}", f"To: Orders <{ME}>", f"to: {ME.upper()}", f"Delivered-To: {ME}", f"X-Original-To: {ME}",
        f"Envelope-To: {ME}", f"Cc: a@example.org, {ME}", f"To: \"Doe, John\" <a@b.example>,\r\n\t<{ME}>",
        f"To: undisclosed recipients:;\r\nDelivered-To: <{ME}>", f"To: =?utf-8?Q?J=C3=BCrgen?= <{ME}>",
        f"Subject: \xff\xfe\r\nTo: broken <{ME}", f"To: group: {ME}, b@example.org;", f"To: {ME}.",
    ],
)  # fmt: skip
def test_the_address_is_found(head: str) -> None:
    assert recipients(f"{head}\r\nFrom: b@example.org\r\n".encode("latin-1")) == [ME]


@pytest.mark.parametrize(
    "head",
    [
        f"From: {ME}", f"Reply-To: {ME}", f"Subject: {ME}", "To: orders", f"To: {ME}.example.com", f"To: {ME[:-1]}",
        "To: a@example.org", "", f"To: a@example.org\r\n\r\nTo: {ME}",
    ],
)  # fmt: skip
def test_no_other_text_is_an_address(head: str) -> None:
    assert recipients(f"{head}\r\n".encode()) == []


def test_an_envelope_comes_first_and_few_addresses_are_looked_up() -> None:
    crowd = ", ".join(f"{number}@orders.example.org" for number in range(100))
    found = recipients(f"To: {crowd}\r\n".encode(), [ME])
    assert (found[0], len(found)) == (ME, MOST)


@pytest.mark.parametrize(
    ("head", "nobody"),
    [
        ("Return-Path: <>", True),
        ("return-path:<>", True),
        ("Return-Path: <a@b.example>", False),
        ("Subject: <>", False),
    ],
)
def test_an_envelope_without_a_sender_is_known(head: str, nobody: bool) -> None:  # noqa: FBT001 - a case
    assert is_from_nobody(f"{head}\r\n".encode()) is nobody


def test_the_headers_of_a_mail_are_taken_alone() -> None:
    assert head_of(b"To: a\r\nX: b\r\n\r\nbody\r\n\r\nmore") == b"To: a\r\nX: b"
    assert head_of(b"To: a\n\nbody") == b"To: a"
    assert len(head_of(b"x" * LARGEST_HEAD * 2)) == LARGEST_HEAD
    assert headers_only(b"To: a\r\n\r\n") == headers_only(b"To: a") == b"To: a\r\n\r\n"
