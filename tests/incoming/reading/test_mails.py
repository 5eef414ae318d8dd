"""Mails in the shapes of real programs and languages are read as their writers meant them."""

import pytest

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
