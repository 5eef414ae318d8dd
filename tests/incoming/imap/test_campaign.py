"""A day of the small scenario whose orders come into a mailbox: the same game as without any site."""

from email.message import EmailMessage
from typing import Any

import pytest

from campaign.core import clock
from incoming.ways.polling import poll
from incoming.ways.waiting import polls_asked_for
from tests.bymail.checks import assert_is_played_by_mail
from tests.bymail.conftest import Servers, players_server
from tests.bymail.mailboxes import MailServer
from tests.bymail.playing import forum
from tests.gm.campaigns import Clock
from tests.incoming.imap.conftest import url
from tests.incoming.imap.dovecot import Dovecot

__all__ = ["players_server"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_day_over_imap(server: Dovecot, players_server: MailServer, time: Clock, settings: Any) -> None:
    server.empty()
    settings.MAIL_IN, settings.MAIL_IN_URL = "imap", url(server)

    def deliver(mail: EmailMessage) -> None:
        server.put(b"Delivered-To: %b\r\n%b" % (str(mail["To"]).encode(), mail.as_bytes()), clock.now())

    def collect() -> int:
        locks = polls_asked_for().count()
        return poll() + locks

    sides = forum("forum_campaign/st-vith-1944", "cutter", "fist")
    assert_is_played_by_mail(sides, Servers(players_server, deliver, collect), time, days=1)
    assert set(server.flags()) == {r"\Seen"}
