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
        stops = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no")
        maps = reports = 0
        for stop in stops:
            found = _write(stop, options["out"])
            maps, reports = maps + found.count("map"), reports + found.count("markdown")
        days = len({stop.moment for stop in stops})
        mails = OutboxMessage.objects.filter(campaign=campaign).count()
        self.stdout.write(f"demo: {days} days, {len(stops)} phases, {maps} maps, {reports} reports, {mails} mails")


def _write(stop: Phase, out: Path) -> list[str]:
    """Write what every audience received of a phase, and its sheets; returns the kinds written."""
    here = out / stop.file_stem
    kinds: list[str] = []
    for artefact in Artefact.objects.filter(phase=stop, kind__in=_FILES).order_by("audience", "kind"):
        folder = here / artefact.audience
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILES[artefact.kind]).write_bytes(bytes(artefact.content))
        kinds.append(artefact.kind)
    for sheet in Sheet.objects.filter(phase=stop).order_by("side", "version"):
        (here / sheet.side / f"sheet-{sheet.version}.txt").write_text(sheet.text, encoding="utf-8")
        (here / sheet.side / f"sheet-{sheet.version}.answer.txt").write_text(_answered(stop, sheet), encoding="utf-8")
    return kinds


def _answered(stop: Phase, sheet: Sheet) -> str:
    """The answer to the writer of a sheet, from what their side knew then."""
    loaded = scenario_of(stop.campaign)
    known = Artefact.objects.get(
        phase__campaign=stop.campaign, phase__no=stop.no - 1, audience=sheet.side, kind="slice"
    )
    known_state = decode_state(loaded.rules, bytes(known.content), version=stop.state_version)
    place = Place(sheet.side, sheet.desk, writes=True, formations=None)
    return answer(Knowledge(loaded, known_state), PhaseKey(stop.key), place, sheet.text).text + "\n"
