"""A campaign whose players' mails come into the mailbox of a dovecot."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any
from urllib.parse import quote

import pytest

from incoming.handling import handle_due
from incoming.models import Mailbox as MailboxRow
from incoming.models import ReceivedMail
from incoming.ways.polling import mailbox, poll
from tests.gm.campaigns import Clock
from tests.incoming.conftest import DOMAIN, ME, Mailbox
from tests.incoming.imap.dovecot import PASSWORD, USER, Dovecot
from tests.web.conftest import Cast, cast, draft, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "draft", "pages_are_read_as_they_are_seen", "time"]


class Post(Mailbox):
    """What players do with their mail programs, where their mails come into a mailbox."""

    def __init__(self, cast: Cast, time: Clock, server: Dovecot) -> None:
        super().__init__(cast, time)
        self.server = server

    def arrives(self, mail: EmailMessage | bytes, at: datetime | None = None, who: str = ME) -> None:
        """Let a mail come into the mailbox, for this member's address, at this time or now."""
        raw = mail if isinstance(mail, bytes) else mail.as_bytes()
        delivered = f"Return-Path: <model@example.org>\r\nDelivered-To: {self.address(who)}\r\n"
        self.server.put(delivered.encode() + raw, at or self.time.now)

    def polled(self) -> int:
        """Poll, and handle what was found; how many mails were stored."""
        stored = poll()
        handle_due(most=100)
        return stored

    @property
    def row(self) -> MailboxRow:
        return mailbox()

    def states(self) -> list[str]:
        return list(ReceivedMail.objects.order_by("pk").values_list("state", flat=True))


@pytest.fixture(scope="session")
def server() -> Iterator[Dovecot]:
    server = Dovecot()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def post(cast: Cast, time: Clock, server: Dovecot, settings: Any) -> Post:
    server.empty()
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN, settings.MAIL_IN_URL = "imap", DOMAIN, url(server)
    return Post(cast, time, server)


def url(server: Dovecot, *, scheme: str = "imap", password: str = PASSWORD, folder: str = "") -> str:
    host = f"127.0.0.1:{server.port}" if scheme == "imap" else f"localhost:{server.port}"
    host = f"localhost:{server.tls_port}" if scheme == "imaps" else host
    return f"{scheme}://{quote(USER, safe='')}:{quote(password, safe='')}@{host}/{folder}"


def earlier(post: Post, **ago: float) -> datetime:
    return post.time.now - timedelta(**ago)
