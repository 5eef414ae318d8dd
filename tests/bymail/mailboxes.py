"""The players' mail server: it takes what Fieldpost sends, and puts it into their mailboxes."""

import re
import socket
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP as READING
from functools import cached_property

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from campaign.core import clock
from tests.mails import plain_text_of, text_of

_TEMPLATE = re.compile(r"^BEGIN ORDERS\n.*^END ORDERS$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Got:
    """A mail in a mailbox."""

    raw: bytes
    at: datetime

    @cached_property
    def headers(self) -> EmailMessage:
        return message_from_bytes(self.raw, _class=EmailMessage, policy=READING)

    @property
    def text(self) -> str:
        return plain_text_of(self.raw).replace("\r\n", "\n")

    @property
    def everything(self) -> str:
        """All that its reader can read in it, headers too."""
        return "\n".join([*(f"{name}: {value}" for name, value in self.headers.items()), text_of(self.raw)])

    @property
    def asks(self) -> bool:
        """Whether it asks for orders and can be answered."""
        return self.headers["Reply-To"] is not None and _TEMPLATE.search(self.text) is not None

    def answers(self, message_id: str) -> bool:
        """Whether it answers the mail of this name."""
        return str(self.headers["In-Reply-To"]).strip() == message_id


class MailServer:
    """Where mails to players are taken."""

    def __init__(self) -> None:
        self.boxes: dict[str, list[Got]] = defaultdict(list)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - the library's name
        for address in envelope.rcpt_tos:
            self.boxes[address].append(Got(bytes(envelope.original_content or b""), clock.now()))
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[tuple[MailServer, int]]:
    """A block in which a mail server listens; with its port."""
    server = MailServer()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield server, port
    finally:
        controller.stop()
