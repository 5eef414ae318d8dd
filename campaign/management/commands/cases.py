"""`manage.py cases [PATH ...]`: check rule examples."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.engine.errors import ScenarioError
from campaign.game.casebook import find_cases, run_case


class Command(BaseCommand):
    help = "Judge rule examples: each failure with what was expected and what was found, and last the count."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, help="files or folders of cases; by default all of them")

    def handle(self, *args: Any, **options: Any) -> None:
        paths = options["paths"] or [Path(settings.BASE_DIR) / "tests" / "cases"]
        passed = failed = 0
        try:
            for found in find_cases(paths):
                failures = run_case(found)
                passed, failed = passed + (not failures), failed + bool(failures)
                if failures:
                    self.stdout.write(f"{found.name} ({found.case.rule}): {found.case.title}")
                for failure in failures:
                    self.stdout.write(f"    expected {failure.expected}\n    found    {failure.found}")
        except ScenarioError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed or not passed:
            raise SystemExit(1)
