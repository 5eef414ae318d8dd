"""`manage.py takemail`: take mail that players send, for ever, where the site's settings say so."""

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from incoming.checks import SMTP, listening_at
from incoming.smtp import serve


class Command(BaseCommand):
    help = "Listen for mail that players send to their reply addresses (FIELDPOST_MAIL_IN=smtp), until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.MAIL_IN != SMTP:
            raise CommandError(
                "This site listens for no mail. Set FIELDPOST_MAIL_IN=smtp and FIELDPOST_MAIL_IN_DOMAIN."
            )
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
        await serve(host, port, stopped=stopped, ready=self._say)

    def _say(self, host: str, port: int) -> None:
        self.stdout.write(f"Mail for {settings.MAIL_IN_DOMAIN} is taken at {host}, port {port}.")
        self.stdout.flush()
