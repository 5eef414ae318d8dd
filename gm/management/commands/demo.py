"""`manage.py demo --out FOLDER`: play the demonstration and write its maps, reports and sheets."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from campaign.engine.values.ids import PhaseKey
from campaign.game.store import decode_state
from campaign.models import Artefact, OutboxMessage, Phase, PhaseState
from campaign.selectors import Knowledge
from campaign.services import scenario_of
from gm.demo import stand
from orders.answers import answer
from orders.desks import Place
from orders.models import Sheet

_FILES = {
    "map": "map.png",
    "thumbnail": "thumbnail.png",
    "chart": "chart.png",
    "chart_markdown": "chart.md",
    "chart_bbcode": "chart.bbcode.txt",
    "chart_text": "chart.txt",
    "view": "view.json",
    "markdown": "report.md",
    "bbcode": "report.bbcode.txt",
    "text": "report.txt",
}


class Command(BaseCommand):
    help = "Play two days of the Ardennes from order sheets; leave every audience's maps, charts and reports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", type=Path, required=True, help="the folder that receives them")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        campaign = stand(self.stdout.write).campaign
        phases = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no")
        maps = reports = 0
        for phase in phases:
            found = _write(phase, options["out"])
            maps, reports = maps + found.count("map"), reports + found.count("markdown")
        days = len({phase.moment for phase in phases})
        mails = OutboxMessage.objects.filter(campaign=campaign).count()
        self.stdout.write(f"demo: {days} days, {len(phases)} phases, {maps} maps, {reports} reports, {mails} mails")


def _write(phase: Phase, out: Path) -> list[str]:
    """Write what every audience received of a phase, and its sheets; returns the kinds written."""
    here = out / phase.file_stem
    kinds: list[str] = []
    for artefact in Artefact.objects.filter(phase=phase, kind__in=_FILES).order_by("audience", "kind"):
        folder = here / artefact.audience
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILES[artefact.kind]).write_bytes(bytes(artefact.content))
        kinds.append(artefact.kind)
    for sheet in Sheet.objects.filter(phase=phase).order_by("side", "version"):
        (here / sheet.side / f"sheet-{sheet.version}.txt").write_text(sheet.text, encoding="utf-8")
        (here / sheet.side / f"sheet-{sheet.version}.answer.txt").write_text(_answered(phase, sheet), encoding="utf-8")
    return kinds


def _answered(phase: Phase, sheet: Sheet) -> str:
    """The answer to the writer of a sheet, from what their side knew then."""
    loaded = scenario_of(phase.campaign)
    known = Artefact.objects.get(
        phase__campaign=phase.campaign, phase__no=phase.no - 1, audience=sheet.side, kind="slice"
    )
    known_state = decode_state(loaded.rules, bytes(known.content), version=phase.state_version)
    place = Place(sheet.side, sheet.desk, writes=True, formations=None)
    return answer(Knowledge(loaded, known_state), PhaseKey(phase.key), place, sheet.text).text + "\n"
