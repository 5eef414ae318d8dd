"""`manage.py tick`: do due work, once. For cron or a timer, in addition to `runloop` or instead of it."""

from typing import Any

from django.core.management.base import BaseCommand

from campaign.record.dice_keys import require_key
from gm.machine.sweeper import sweep


class Command(BaseCommand):
    help = "Lock what is due, resolve what is locked, publish what waits for nobody; then end."

    def handle(self, *args: Any, **options: Any) -> None:
        require_key()
        self.stdout.write(f"{sweep(worker='tick')} steps")
