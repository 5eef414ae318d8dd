"""`manage.py takemail`: take mail that players send, for ever, where the site's settings say so."""

import asyncio
import logging
import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, close_old_connections

from incoming.checks import listening_at
from incoming.smtp import serve
from incoming.ways import IMAP, SMTP
from incoming.ways.mailbox_url import source
from incoming.ways.polling import mailbox, poll, poll_if_due

log = logging.getLogger(__name__)

_LOOK_EVERY = 1.0
"""Seconds after which the process looks whether a poll is due: a phase may wait for one."""


class Command(BaseCommand):
    help = (
        "Take mail that players send to their reply addresses, and reports of mails that did not arrive, until stopped:"
        " by a listener (FIELDPOST_MAIL_IN=smtp) or from a mailbox (FIELDPOST_MAIL_IN=imap)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="read the mailbox once, say what came of it, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.MAIL_IN == IMAP:
            self._poll(once=options["once"])
        elif settings.MAIL_IN == SMTP and not options["once"]:
            self._listen()
        else:
            raise CommandError(
                "There is no mail to take here. Set FIELDPOST_MAIL_IN=smtp or FIELDPOST_MAIL_IN=imap, and"
                " FIELDPOST_MAIL_IN_DOMAIN. A mailbox alone can be read --once."
            )

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    # --- a mailbox ---------------------------------------------------------------------------------------------------

    def _poll(self, *, once: bool) -> None:
        try:
            where = source()
        except ValueError as error:
            raise CommandError(str(error)) from error
        if once:
            self._poll_once()
            return
        stopped = threading.Event()
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, lambda *_: stopped.set())
        self._say(f"Mail for {settings.MAIL_IN_DOMAIN} is read from a mailbox at {where.host}.")
        while not stopped.is_set():
            try:
                poll_if_due()
            except Error:  # the next look meets it again, with a fresh connection
                log.exception("the database did not answer")
                close_old_connections()
            stopped.wait(_LOOK_EVERY)

    def _poll_once(self) -> None:
        stored = poll()
        row = mailbox()
        if why := row.why or row.unfiled_why:
            raise CommandError(why)
        self._say(f"{stored} mail{'' if stored == 1 else 's'} taken.")

    # --- a listener --------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        host, port = listening_at()
        try:
            asyncio.run(self._serve(host, port))
        except OSError as error:
            raise CommandError(
                f"Nothing can listen for mail at {host}, port {port}: {error.strerror}. Set FIELDPOST_MAIL_IN_LISTEN."
            ) from error

    async def _serve(self, host: str, port: int) -> None:
        stopped, loop = asyncio.Event(), asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, stopped.set)
        await serve(host, port, stopped=stopped, ready=self._say_where)

    def _say_where(self, host: str, port: int) -> None:
        self._say(f"Mail for {settings.MAIL_IN_DOMAIN} is taken at {host}, port {port}.")
