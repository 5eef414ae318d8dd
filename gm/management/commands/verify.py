"""`manage.py verify CAMPAIGN`: whether everything of a campaign stands as it was done."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.audit import names_rows
from campaign.models import Campaign
from gm.verification import faults, not_replayed


class Command(BaseCommand):
    help = "Find every row of a campaign that was edited: record, sheets, locks, dice, rulings, publications."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", nargs="?", help="the short name of a campaign")
        parser.add_argument("--all", action="store_true", help="every campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        found = sum(map(self._verified, _chosen(options["campaign"], all_=options["all"])))
        if found:
            raise CommandError(f"{found} faults", returncode=1)

    def _verified(self, campaign: Campaign) -> int:
        """Print what is wrong with a campaign; returns how much."""
        found = 0
        for fault in faults(campaign):
            found += 1
            self.stdout.write(f"{campaign.slug}: {fault}")
        if not found:
            self.stdout.write(f"{campaign.slug}: sound; {_extent(campaign)}")
        return found


def _extent(campaign: Campaign) -> str:
    """How much was looked at, and the head of the record."""
    head = campaign.audit.order_by("no").last()
    stops = campaign.phases.filter(published_at__isnull=False).count()
    older = not_replayed(campaign)
    but = f" ({older} of an older release not played again)" if older else ""
    extent = f"{head.no if head else 0} entries, {stops} stops{but}, head {head.digest if head else ''}"
    return extent if names_rows(campaign) else f"{extent}; {_OLDER}"


_OLDER = "founded by a release without dice logs, whose record names no rows: edited rows and dice cannot be checked"


def _chosen(slug: str | None, *, all_: bool) -> list[Campaign]:
    if bool(slug) == all_:
        raise CommandError("Name one campaign, or say --all.")
    chosen = Campaign.objects.order_by("slug")
    if all_:
        return list(chosen)
    found = chosen.filter(slug=slug)
    if not found:
        raise CommandError(f"There is no campaign {slug!r}.")
    return list(found)
