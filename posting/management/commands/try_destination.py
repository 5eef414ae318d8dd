"""`manage.py try_destination`: a test of a destination, with all that came back."""

import re
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from posting.models import Destination
from posting.trying import try_destination


class Command(BaseCommand):
    help = "Posts, changes and deletes one test post at a destination, and prints what came back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="CAMPAIGN/NUMBER: the campaign's short name and the destination's number")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        destination = _named(name)
        self.stdout.write(f"{destination.kind} at {destination.address}, thread {destination.thread or 'none'}")
        steps = try_destination(destination)
        for step in steps:
            self.stdout.write(f"{'ok' if step.worked else 'TROUBLE'}: {step.said}")
        if not all(step.worked for step in steps):
            raise CommandError("The test did not go through.")


def _named(name: str) -> Destination:
    found = re.fullmatch(r"(?P<slug>[-\w]+)/(?P<no>\d{1,9})", name)
    rows = Destination.objects.filter(campaign__slug=found["slug"], no=int(found["no"])) if found else None
    destination = rows.filter(withdrawn_at=None).first() if rows is not None else None
    if destination is None:
        raise CommandError(
            f"There is no destination {name} in use. Its name is the campaign's short name, a slash and the number on"
            " the page “Destinations”, like ardennes/1."
        )
    return destination
