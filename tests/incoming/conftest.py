"""A campaign that takes mail, its players' reply addresses, and a listener with which tests speak SMTP."""

import asyncio
import smtplib
import threading
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.policy import default as reading_policy
from typing import Any

import pytest
from django.db import connections

from campaign.models import OutboxMessage, Phase
from incoming.addresses import reply_header
from incoming.handling import handle_due
from incoming.models import ReceivedMail
from incoming.smtp import serve
from tests.gm.campaigns import Clock, live
from tests.mails import plain_text_of
from tests.web.conftest import Cast, cast, draft, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "draft", "pages_are_read_as_they_are_seen", "time"]

DOMAIN = "orders.example.org"
ME = "german commander"


class Mailbox:
    """What a player does with their mail program, and what they get."""

    def __init__(self, cast: Cast, time: Clock) -> None:
        self.cast, self.time, self.port = cast, time, 0
        self._sent = 0

    @property
    def phase(self) -> Phase:
        return live(self.cast.campaign)

    def address(self, who: str = ME) -> str:
        """The reply address of a member for the open phase, as their mails name it."""
        return reply_header(self.phase, self.cast.member(who))["Reply-To"]

    def mail(self, orders: str | None = None, *, text: str = "", **headers: str) -> EmailMessage:
        """A mail as a player writes it, with orders between the marks."""
        self._sent += 1
        mail = EmailMessage(policy=SMTP)
        block = "" if orders is None else f"BEGIN ORDERS\n{orders}\nEND ORDERS\n"
        whole = {"From": "Model <model@example.org>", "Subject": "Re: your orders", **headers}
        whole.setdefault("Message_ID", f"<{self._sent}@example.org>")
        for name, value in whole.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(f"{text}\n{block}")
        return mail

    def deliver(self, mail: EmailMessage | bytes, *to: str, sender: str = "model@example.org") -> dict[str, Any]:
        """Send a mail by a conversation with the listener; the refused recipients."""
        raw = mail if isinstance(mail, bytes) else mail.as_bytes()
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as client:
            return client.sendmail(sender, to or [self.address()], raw)

    def sends(self, orders: str | None = None, who: str = ME, **more: str) -> ReceivedMail:
        """A mail of a member that is taken and handled."""
        assert self.deliver(self.mail(orders, **more), self.address(who)) == {}
        handle_due(most=100)
        return ReceivedMail.objects.latest("pk")

    def answers(self, who: str = ME) -> list[OutboxMessage]:
        """The mails that answer a member's."""
        return list(OutboxMessage.objects.filter(kind="mailed", user__username=who).order_by("pk"))

    def answer(self, who: str = ME) -> str:
        """The text of the newest answer."""
        return plain_text_of(self.answers(who)[-1].message).replace("\r\n", "\n")

    def said(self, who: str = ME) -> str:
        """The same without its line breaks."""
        return " ".join(self.answer(who).split())

    def headers(self, who: str = ME) -> EmailMessage:
        return message_from_bytes(self.answers(who)[-1].message, policy=reading_policy)


@pytest.fixture
def box(cast: Cast, time: Clock, settings: Any) -> Iterator[Mailbox]:
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN = "smtp", DOMAIN
    mailbox = Mailbox(cast, time)
    with listening() as port:
        mailbox.port = port
        yield mailbox


class listening:  # noqa: N801 - a block
    """A block in which a listener takes mail at a free port, in a thread of its own."""

    def __enter__(self) -> int:
        self._ready, self._port = threading.Event(), 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        assert self._ready.wait(20)
        return self._port

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(20)
        assert not self._thread.is_alive()

    async def _serve(self) -> None:
        self._stopped, self._loop = asyncio.Event(), asyncio.get_running_loop()

        def ready(_: str, port: int) -> None:
            self._port = port
            self._ready.set()

        await serve("127.0.0.1", 0, stopped=self._stopped, ready=ready)
        connections.close_all()
