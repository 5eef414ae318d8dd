"""The SMTP listener: takes mail for reply addresses and return paths, says so once it is stored, and relays nothing.

The site's own mail server passes mail on to it, and has encrypted, filtered and judged the sender before. The reply
depends on the address alone: every address that takes no mail is refused in the same words after the same look-ups.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections

from campaign.secrecy import truth
from incoming.addresses import takes
from incoming.receiving import LARGEST, take

log = logging.getLogger(__name__)

LONGEST_LINE = 128 * 1024
"""The standard allows 1,000 bytes, and some programs write a whole text as one line."""
MOST_CONNECTIONS = 50
MOST_RECIPIENTS = 10
PATIENCE = 120.0
"""Seconds from one command to the next, and for the whole of a mail."""
_MOST_COMMANDS = 200
"""Of each kind in one connection."""
_THREADS = 4

TAKEN = "250 2.0.0 Taken"
UNKNOWN = "550 5.1.1 No such address here"
TOO_MANY = "452 4.5.3 Too many recipients"
TROUBLE = "451 4.3.0 The mail could not be stored. Try again later"
_BUSY = b"421 4.3.2 Too many connections. Try again later\r\n"
NOBODY = ("", "<>")
"""The sender of mails that must not be answered."""

P = ParamSpec("P")
T = TypeVar("T")


async def serve(host: str, port: int, *, stopped: asyncio.Event, ready: Callable[[str, int], None]) -> None:
    """Take mail until `stopped` is set. `ready` is told where it listens; at port 0 the system chooses one."""
    loop, open_ = asyncio.get_running_loop(), set[SMTP]()
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="mail") as threads:
        server = await loop.create_server(lambda: _Connection(_Taker(threads), open_, loop), host, port)
        async with server:
            ready(*server.sockets[0].getsockname()[:2])
            await stopped.wait()
        for connection in list(open_):
            if connection.transport is not None:
                connection.transport.close()


class _Connection(SMTP):
    """A connection of a mail server, one of a limited number."""

    line_length_limit = LONGEST_LINE

    def __init__(self, handler: "_Taker", open_: set[SMTP], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            handler,
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            hostname=settings.MAIL_IN_DOMAIN,
            ident="Fieldpost",
            timeout=PATIENCE,
            command_call_limit=_MOST_COMMANDS,
            loop=loop,
        )
        self._open = open_

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if len(self._open) >= MOST_CONNECTIONS and isinstance(transport, asyncio.WriteTransport):
            transport.write(_BUSY)
            transport.close()
            return
        self._open.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._open:
            self._open.discard(self)
            super().connection_lost(error)


class _Taker:
    """What the listener does with commands. Its threads talk to the database."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY
        if not await self._in_thread(takes, [address]):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - the same
        raw, nobody = envelope.original_content or b"", (envelope.mail_from or "") in NOBODY
        taken = await self._in_thread(take, raw, tuple(envelope.rcpt_tos), from_nobody=nobody)
        return TAKEN if taken else UNKNOWN

    async def handle_exception(self, error: Exception) -> str:
        """The sender keeps the mail and tries again. No log gets the text of the error, which may name addresses."""
        log.error("a mail could not be taken: %s", type(error).__name__)
        return TROUBLE

    async def _in_thread(self, act: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(_with_database, partial(act, *args, **named)))


def _with_database(act: Callable[[], T]) -> T:
    close_old_connections()
    try:
        with truth.machinery():
            return act()
    finally:
        close_old_connections()
