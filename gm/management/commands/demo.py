"""`manage.py demo --out FOLDER`: play the demonstration and leave its maps and reports."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from gm.demo import play, write


class Command(BaseCommand):
    help = "Play two days of the Ardennes from order sheets; leave every audience's map and report of every stop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", type=Path, required=True, help="the folder that receives them")

    def handle(self, *args: Any, **options: Any) -> None:
        days: set[str] = set()
        phases = packages = 0
        for stop in play():
            write(stop, options["out"])
            days.add(stop.date)
            phases += 1
            packages += len(stop.packages)
            self.stdout.write(f"{stop.date} {stop.title}: {len(stop.resolution.events)} events")
        self.stdout.write(f"demo: {len(days)} days, {phases} phases, {packages} maps, {packages} reports")
