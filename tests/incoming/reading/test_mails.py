"""Mails in the shapes of real programs and languages are read as their writers meant them."""

import pytest

from incoming.reading import Kind, read
from tests.incoming.reading.stored import Stored, stored_mails

MAILS = stored_mails("people")


@pytest.mark.parametrize("mail", MAILS, ids=[mail.name for mail in MAILS])
def test_a_mail_is_read_as_meant(mail: Stored) -> None:
    reading = read(mail.raw, sent=mail.sent)
    expected = mail.expected
    assert reading.kind is Kind(expected.get("kind", "reply"))
    assert reading.orders == expected.get("orders")
    assert reading.words == expected["words"]
    begin = expected.get("problems", [])
    assert [told[: len(start)] for told, start in zip(reading.problems, begin, strict=True)] == begin
    assert (reading.sender, reading.message_id, reading.subject, reading.bounced) == (
        expected["sender"],
        expected["message_id"],
        expected["subject"],
        expected.get("bounced", ""),
    )
