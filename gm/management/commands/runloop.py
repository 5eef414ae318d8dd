"""`manage.py runloop`: do whatever is due, for ever. One process beside the web process is enough."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from gm.lifecycle import sweep


class Command(BaseCommand):
    help = (
        "Lock what is due, adjudicate what is locked, publish what waits for nobody, every few seconds until stopped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=float, default=3.0, help="seconds from one sweep to the next")

    def handle(self, *args: Any, **options: Any) -> None:
        stopped = threading.Event()
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, lambda *_: stopped.set())
        while not stopped.wait(options["every"]):
            sweep(worker="runloop")
