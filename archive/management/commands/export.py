"""`manage.py export CAMPAIGN --out FILE`: all that is published of a campaign, with the truth, as JSON."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from archive.export import export, game_master
from campaign.models import Campaign


class Command(BaseCommand):
    help = "Write all that is published of a campaign, with the true positions of all sides, as JSON to read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the short name of a campaign")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a file that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']!r}.")
        file: Path = options["out"]
        if file.exists():
            raise CommandError(f"{file} is there already. Name a file that is not, or move it away.")
        content = export(game_master(campaign))
        file.write_bytes(content)
        self.stdout.write(f"{len(content):,} bytes in {file}")
