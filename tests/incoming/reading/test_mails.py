"""Mails in the shapes of real programs and languages are read as their writers meant them."""

import pytest

from incoming.reading import read
from tests.incoming.reading.stored import Stored, assert_read_as_meant, stored_mails

MAILS = stored_mails("people")


@pytest.mark.parametrize("mail", MAILS, ids=[mail.name for mail in MAILS])
def test_a_mail_is_read_as_meant(mail: Stored) -> None:
    assert_read_as_meant(mail)


def test_there_are_enough_of_them() -> None:
    assert len(MAILS) >= 250
    assert len({mail.raw for mail in MAILS}) == len(MAILS)
    assert len({mail.client for mail in MAILS}) >= 30
    assert len({mail.language for mail in MAILS}) >= 23
    assert {mail.expected.get("kind", "reply") for mail in MAILS} == {"reply", "automatic", "bounce"}


TWICE = [mail for mail in MAILS if b"multipart/alternative" in mail.raw and "oddities" not in mail.file]


@pytest.mark.parametrize("mail", TWICE, ids=[mail.name for mail in TWICE])
def test_the_html_of_a_mail_says_the_same_as_its_plain_text(mail: Stored) -> None:
    """But for comments of ours: where HTML says that they are quoted, they are left out."""
    alone = mail.raw.replace(b"Content-Type: text/plain; ", b"Content-Type: image/x-hidden; ")
    reading = read(alone, sent=mail.sent)
    assert _without_ours(reading.orders, mail) == _without_ours(mail.expected.get("orders"), mail)
    assert reading.words.split() == mail.expected["words"].split()


def _without_ours(orders: str | None, mail: Stored) -> list[str]:
    return [line for line in (orders or "").split("\n") if line not in mail.sent[:2]]
