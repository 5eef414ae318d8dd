"""`manage.py archive CAMPAIGN --for AUDIENCE --out FOLDER`: a campaign as pages that open from disk."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from archive.editions import WHOLE, entries_for
from archive.export import game_master
from archive.writing import write_folder
from campaign.engine.values.ids import PUBLIC
from campaign.models import Campaign
from campaign.services import scenario_of
from campaign.story import story_is_open


class Command(BaseCommand):
    help = "Write a campaign, as the public, one side or all received it, as pages that need nothing but a browser."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the short name of a campaign")
        names = f"public, a side, or {WHOLE} once its story is open; default: public"
        parser.add_argument("--for", dest="audience", default=PUBLIC, help=names)
        parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a folder that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']!r}.")
        folder: Path = options["out"]
        if folder.exists():
            raise CommandError(f"{folder} is there already. Name a folder that is not, or move it away.")
        entries = entries_for(game_master(campaign), _checked(campaign, options["audience"]))
        write_folder(entries, folder, self._progress)
        self.stdout.write(f"{len(entries)} files. Open {folder / 'index.html'}")

    def _progress(self, done: int, of: int) -> None:
        if done == of or done % 50 == 0:
            self.stderr.write(f"{done} of {of} files")


def _checked(campaign: Campaign, written: str) -> str:
    whole = (WHOLE,) if story_is_open(campaign) else ()
    there = (PUBLIC, *scenario_of(campaign).rules.sides, *whole)
    if written not in there:
        raise CommandError(f"There is no archive for {written!r}. Choose one of: {', '.join(there)}.")
    return written
