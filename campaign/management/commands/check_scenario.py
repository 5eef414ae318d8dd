"""`manage.py check_scenario PATH`: whether a scenario's files fit together."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.engine.errors import ScenarioError
from campaign.game.loading import find_scenario, load_scenario
from campaign.maps.painter import named_sheet
from campaign.maps.style.schemes import DEFAULT, SCHEMES


class Command(BaseCommand):
    help = "Read a scenario and name the first thing wrong with it: file, line and cure."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", help="its folder, or the name of one that comes along: forum_campaign/ardennes-1944"
        )
        parser.add_argument(
            "--map", metavar="FILE", type=Path, help="draw its map, before anything stands on it, as PNG"
        )
        parser.add_argument("--colours", choices=list(SCHEMES), default=DEFAULT.name)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            loaded = load_scenario(find_scenario(options["path"]))
        except ScenarioError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{loaded.scenario.title}: a sound scenario of {loaded.rules.title}")
        if options["map"] is not None:
            try:
                options["map"].write_bytes(named_sheet(loaded.base_map, colours=SCHEMES[options["colours"]]))
            except OSError as error:
                raise CommandError(f"The map cannot be written to {options['map']}: {error.strerror}.") from error
