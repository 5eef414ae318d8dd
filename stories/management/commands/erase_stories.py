"""`manage.py erase_stories NAME`: delete somebody's pictures of stories and maps, and their name on their stories."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.models import User
from stories.erasing import Erased, erase


class Command(BaseCommand):
    help = (
        "Delete a person's pictures of stories and of battle maps, and take their name off their stories."
        " The texts stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="their forum name")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is nobody called {options['name']!r}.")
        self.stdout.write(_said(user.username, erase(user)))


def _said(name: str, erased: Erased) -> str:
    stories, of_maps = erased.stories, erased.of_maps
    parts = []
    if stories:
        parts.append(f"{stories} {'story has' if stories == 1 else 'stories have'} no name and no pictures any more.")
    if of_maps:
        parts.append(
            f"{of_maps} {'picture of battle maps is' if of_maps == 1 else 'pictures of battle maps are'} deleted."
        )
    return f"Done for {name}: {' '.join(parts)}" if parts else f"{name} has no stories and no pictures of battle maps."
