"""`manage.py runloop`: do due work, for ever. One such process next to the web process is enough."""

import logging
import os
import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections

from campaign.record.dice_keys import require_key
from gm.machine.sweeper import sweep

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Lock what is due, resolve what is locked, publish what waits for nobody, every few seconds until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=float, default=3.0, help="seconds from one sweep to the next")

    def handle(self, *args: Any, **options: Any) -> None:
        stopped = threading.Event()
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, lambda *_: stopped.set())
        require_key()
        while not stopped.wait(options["every"]):
            try:
                sweep(worker=f"runloop-{os.getpid()}")
            except DatabaseError:  # the next sweep meets it again, with a fresh connection
                log.exception("the database did not answer")
                close_old_connections()
