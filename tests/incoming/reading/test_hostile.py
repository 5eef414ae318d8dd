"""Mails of people who try to be believed as somebody else, or to be read as what they do not show."""

import pytest

from incoming.reading import Verdict, read, verdict
from tests.incoming.reading.stored import Stored, assert_read_as_meant, stored_mails

MAILS = stored_mails("hostile")
OUR_SERVER = "mx.fieldpost.example"


@pytest.mark.parametrize("mail", MAILS, ids=[mail.name for mail in MAILS])
def test_a_hostile_mail_gets_no_further(mail: Stored) -> None:
    assert_read_as_meant(mail)


@pytest.mark.parametrize("mail", MAILS, ids=[mail.name for mail in MAILS])
def test_only_our_own_server_vouches_for_a_sender(mail: Stored) -> None:
    expected = Verdict(mail.expected.get("verdict", "none"))
    assert verdict(mail.raw, OUR_SERVER) is expected
    assert verdict(mail.raw, "") is Verdict.NONE, "nobody is believed where no server is configured"


@pytest.mark.parametrize("mail", MAILS, ids=[mail.name for mail in MAILS])
def test_a_replay_by_another_way_reads_the_same(mail: Stored) -> None:
    """Other servers on its way change neither its id nor its orders, by which a copy is known."""
    way = b"Received: from relay.evil.example by mx.fieldpost.example; Thu, 19 Dec 2024 10:00:00 +0000\r\n"
    assert read(way + mail.raw, sent=mail.sent) == read(mail.raw, sent=mail.sent)


def test_there_are_enough_of_them() -> None:
    assert len(MAILS) >= 60
    assert len({mail.raw for mail in MAILS}) == len(MAILS)
