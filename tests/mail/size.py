# ruff: noqa: E402, PT008, T201 - a program, which sets up Django first
"""How large the mails of a campaign get: `python -m tests.mail.size DAYS`, played by bots, with seven people.

Maps are drawn for as many phases as the second argument says, 5 unless it is given, to print what published files
take; a mail names its map and does not store it, so mails are measured without.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest import mock

os.environ["FIELDPOST_DATA"] = tempfile.mkdtemp(prefix="fieldpost-size-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import Length

from campaign.core import clock
from campaign.game import turn_package
from campaign.game.loading import find_scenario
from campaign.models import Artefact, Campaign, Membership, OutboxMessage, PhaseState, Role, User
from campaign.people.accounts import new_person
from campaign.secrecy import truth as guard
from campaign.services import create_campaign, scenario_of
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from tests.gm.campaigns import blank_map, live, send
from tests.secrecy.campaigns import bot_sheet, truth

PEOPLE = {
    "Umpire": (Role.GM, ""),
    "Model": (Role.COMMANDER, "german"),
    "Krebs": (Role.STAFF, "german"),
    "Bayerlein": (Role.TACTICAL, "german"),
    "Hodges": (Role.COMMANDER, "allied"),
    "Kean": (Role.STAFF, "allied"),
    "Abrams": (Role.TACTICAL, "allied"),
}
SPEAKERS = {"german": "Model", "allied": "Hodges", "gm": "Umpire"}


class _Time:
    now = datetime(2026, 3, 2, 6, tzinfo=UTC)


def play(days: int, drawn: int) -> None:
    """Play and print, for each day of the campaign, how much its mails take."""
    users = {name: new_person(name, email=f"{name.lower()}@example.org") for name in PEOPLE}
    create_campaign(
        slug="size", title="Size", scenario=find_scenario("forum_campaign/ardennes-1944"), founder=users["Umpire"]
    )
    campaign = Campaign.objects.get()
    for name, (role, side) in PEOPLE.items():
        if side:
            Membership.objects.create(campaign=campaign, user=users[name], role=role, side=side, joined_at=_Time.now)
    loaded, first, played, most = scenario_of(campaign), None, 0, 0
    while True:
        with _maps(drawn=played < drawn):
            sweep(worker="size")
        if not campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).exists():
            break  # the game is over
        phase = live(campaign)
        if phase.state == PhaseState.REVIEW:
            approve(phase.pk, fence=phase.fence)
            continue
        day = phase.day
        first = first or day
        if day is None or first is None or (day - first).days >= days:
            break
        for who in phase.acts:
            text = bot_sheet(loaded, truth(phase), who)
            user = User.objects.get(username=SPEAKERS[who])
            send(phase, user, text, side=who, ready=True)
        played += 1
        _pass(timedelta(hours=4.8))
        most = max(most, _mails())
        print(f"{day}, {phase.key}: {_mails():,} bytes of mails, at most {most:,}", flush=True)
    _report(most)


def _pass(some: timedelta) -> None:
    """A worker sweeps each quarter of an hour, and resolves nothing that is not due."""
    until = _Time.now + some
    while _Time.now < until:
        _Time.now += timedelta(minutes=15)
        with _maps(drawn=False), mock.patch("gm.machine.sweeper._run_waiting", return_value=0):
            sweep(worker="size")


@contextmanager
def _maps(*, drawn: bool) -> Iterator[None]:
    if drawn:
        yield
        return
    with mock.patch.object(turn_package, "draw", blank_map):
        yield


def _mails() -> int:
    """The bytes of the outbox on disk, with its indexes."""
    with connection.cursor() as cursor:
        try:
            cursor.execute(
                "SELECT SUM(pgsize) FROM dbstat"
                " WHERE name LIKE '%outbox%' OR name LIKE '%mailnews%' OR name LIKE 'news_%'"
            )
            return int(cursor.fetchone()[0])
        except django.db.OperationalError:
            found = OutboxMessage.objects.aggregate(size=Sum(Length("stored")))["size"] or 0
            return int(found) + 2000 * OutboxMessage.objects.count()


def _report(most: int) -> None:
    by_kind = OutboxMessage.objects.values("kind").annotate(number=Count("pk"), size=Sum(Length("stored")))
    for row in by_kind.order_by("kind"):
        print(f"  {row['number']} {row['kind']}: {row['size']:,} bytes stored")
    whole = sum(len(mail.message) for mail in OutboxMessage.objects.iterator(chunk_size=20))
    print(f"mails: {OutboxMessage.objects.count()}, at most {most:,} bytes on disk; sent, they are {whole:,} bytes")
    for row in Artefact.objects.values("kind").annotate(number=Count("pk"), size=Sum(Length("content"))):
        print(f"  {row['number']} published {row['kind']}: {row['size']:,} bytes")
    published = Artefact.objects.aggregate(number=Count("pk"), size=Sum(Length("content")))
    print(f"published files: {published['number']}, {published['size']:,} bytes")


if __name__ == "__main__":
    with guard.machinery():
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
    with mock.patch.object(clock, "now", lambda: _Time.now), guard.machinery():
        play(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5)
