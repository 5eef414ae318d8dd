"""`manage.py serve`: everything that one computer needs to run campaigns, until Ctrl-C."""

import os
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, connections

from campaign.models import Campaign, Phase, PhaseState
from campaign.people.entrances import entrance_link
from campaign.record.dice_keys import require_key
from gm.demo import CAMPAIGN, phases_to_play, stand, standing
from gm.machine.serving import NoPort, become_supervisor, listen
from incoming.ways import IMAP, SMTP


class Command(BaseCommand):
    help = (
        "Bring the database up to date, stand up the demonstration if there is no campaign yet, and run the web"
        " process and the loop until Ctrl-C."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="where to listen; if it is taken, the next free one")
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen at; default: this computer only")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            listener = listen(options["host"], options["port"], self._say)
        except NoPort as error:
            raise CommandError(str(error)) from error
        with listener:
            address = _keep_address(options["host"], listener.getsockname()[1])
            links = self._prepare()
            self._say(f"\nFieldpost is at {address}/  (Ctrl-C ends it)")
            self._say(links or "Locked out? `manage.py entrance USERNAME` makes a one-time link.")
            application = settings.WSGI_APPLICATION.replace(".application", ":application")
            become_supervisor(
                listener,
                application,
                proxies=settings.TRUSTED_PROXIES,
                takes_mail=settings.MAIL_IN in (SMTP, IMAP),
                address=address,
                folder=settings.BASE_DIR,
                last_words=f"Fieldpost has ended. Everything is kept in {settings.DATA_DIR}",
            )

    def _prepare(self) -> str:
        """Prepare tables and cache, and the demonstration on the first start; returns its one-time links."""
        self._say("Bringing the database up to date")
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        require_key()
        links = self._demonstration() if _is_first_start() else ""
        connections.close_all()
        return links

    def _demonstration(self) -> str:
        self._say("First start: playing two days of the Ardennes as a demonstration. This takes some 15 seconds.")
        _wait_less_for_the_disk()
        demo = stand(self._say_progress)
        people = (("Game master", demo.gm), ("German commander", demo.german), ("Allied commander", demo.allied))
        lines = [f"  {title + ':':<18}{entrance_link(user)}" for title, user in people]
        return "\n".join(["One-time links into the demonstration:", *lines])

    def _say_progress(self, text: str) -> None:
        played = Phase.objects.filter(campaign__slug=CAMPAIGN, state=PhaseState.PUBLISHED, no__gt=0).count()
        self._say(f"{played:>2} of {phases_to_play()}: {text}")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _is_first_start() -> bool:
    """Whether there is no campaign, or the demonstration was interrupted."""
    begun = Campaign.objects.filter(slug=CAMPAIGN).exists()
    return not standing() if begun else not Campaign.objects.exists()


def _wait_less_for_the_disk() -> None:
    """Let SQLite sync to disk only now and then, until this connection is closed.

    If the power fails meanwhile, the file is whole, and the demonstration continues where it stopped.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=NORMAL")


def _keep_address(host: str, port: int) -> str:
    """The public address; links in mails and of `manage.py entrance` lead there."""
    if os.environ.get("FIELDPOST_URL"):
        return str(settings.SITE_URL)
    shown = "localhost" if host in ("", "0.0.0.0", "::", "127.0.0.1", "::1") else host  # noqa: S104 - compared only
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    settings.SITE_URL = address
    (settings.DATA_DIR / "address").write_text(address)
    return address
