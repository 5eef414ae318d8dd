"""`manage.py entrance USERNAME`: a one-time link for somebody who cannot sign in."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.models import User
from campaign.people.entrances import entrance_link


class Command(BaseCommand):
    help = "Print a link by which this person signs in once without a code. It works for a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            known = ", ".join(User.objects.filter(is_active=True).values_list("username", flat=True)[:20])
            raise CommandError(f"There is nobody called {options['username']!r}. Known are: {known or 'nobody'}")
        self.stdout.write(entrance_link(user))
