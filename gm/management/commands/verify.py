"""`manage.py verify CAMPAIGN`: whether everything in a campaign is still as it was written."""

import re
from argparse import ArgumentTypeError
from collections.abc import Iterable
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.models import Campaign
from campaign.record import audit
from gm.verification import Doubt, faults, unlike_heads

Head = tuple[int, str]


class Command(BaseCommand):
    help = "Find every row of a campaign that was edited: record, sheets, locks, dice, rulings, publications."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", nargs="?", help="the short name of a campaign")
        parser.add_argument("--all", action="store_true", help="every campaign")
        parser.add_argument(
            "--head",
            action="append",
            default=[],
            type=_head,
            metavar="N:DIGEST",
            help="the record as a mail to a game master named it; may be given several times",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["head"] and not options["campaign"]:
            raise CommandError("A head is of one campaign: name that.")
        chosen = _chosen(options["campaign"], all_=options["all"])
        found = sum(self._verified(campaign, options["head"]) for campaign in chosen)
        if found:
            raise CommandError(f"{found} faults", returncode=1)

    def _verified(self, campaign: Campaign, heads: Iterable[Head]) -> int:
        """Print a campaign's faults and doubts; returns the number of faults."""
        found = doubts = 0
        for fault in chain(unlike_heads(campaign, heads), faults(campaign)):
            doubts += isinstance(fault, Doubt)
            found += not isinstance(fault, Doubt)
            self.stdout.write(f"{campaign.slug}: {fault}")
        if not found:
            but = f", but for {doubts} doubts" if doubts else ""
            self.stdout.write(f"{campaign.slug}: sound{but}; {_extent(campaign)}")
        return found


def _extent(campaign: Campaign) -> str:
    """How much was checked, and the head of the record."""
    phases = campaign.phases.filter(published_at__isnull=False).count()
    return f"{campaign.audit.count()} entries, {phases} phases, head {audit.head(campaign)}"


def _head(written: str) -> Head:
    found = re.fullmatch(r"(\d{1,9}):([0-9a-f]{64})", written)
    if found is None:
        raise ArgumentTypeError("a head is a number, a colon and 64 hexadecimal digits, as the mail has it")
    return int(found[1]), found[2]


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
