"""Lines of Python that run inside a site under test and leave their results in `told`."""

FOUND = """
from campaign.game.loading import find_scenario
from campaign.models import Campaign, Phase, PhaseState, Resolution, User
from campaign.services import create_campaign
from gm.phases.adjudication import Claim, resolve
from gm.machine.sweeper import sweep
from tests.gm.campaigns import UNREVIEWED, live, send_demo_sheets
scenario = find_scenario("forum_campaign/ardennes-1944")
master = bytes(range(32))
campaign = create_campaign(slug="bulge", title="The Bulge", scenario=scenario, handling=UNREVIEWED, master=master)
author = User.objects.create_user("Rundstedt")
told = campaign.pk
"""
"""A campaign with predictable dice."""

DURABLE = """
from unittest.mock import patch
from django.db import connection
from campaign.models import User
from campaign.services import create_campaign
from gm.machine.sweeper import sweep
from tests.gm.campaigns import UNREVIEWED, live, send
from tests.with_air import with_air
campaign = create_campaign(slug="vielsalm", title="Vielsalm", scenario=with_air(), handling=UNREVIEWED)
with patch("campaign.game.turn_package.draw", return_value=b""):
    sweep(worker="start")
asked = {
    "sqlite": ("PRAGMA journal_mode", "PRAGMA synchronous"),
    "postgresql": ("SHOW synchronous_commit", "SHOW fsync", "SHOW idle_in_transaction_session_timeout"),
}
told = {}
def look(place):
    with connection.cursor() as cursor:
        told[place] = [[cursor.execute(each), cursor.fetchone()[0]][1] for each in asked[connection.vendor]]
with patch("orders.intake.fp", look):
    send(live(campaign), User.objects.create_user("Model"), "READY", side="german", ready=True)
"""
"""How the connection that acknowledges a sheet commits, before the commit and after."""

READY = f"""{FOUND}
sweep(worker="start")
send_demo_sheets(live(campaign), author)
told = live(campaign).no
"""
"""The same campaign, with all who act in its first phase ready."""

PLAY = """
from time import sleep
from campaign.models import Campaign, Phase, PhaseState, User
from tests.gm.campaigns import UNREVIEWED, live, send_demo_sheets
author, sent = User.objects.get(), 0
while True:
    phase = Campaign.objects.get().phases.filter(state=PhaseState.OPEN, no__gt=sent).first()
    if phase and phase.day.isoformat() == "1944-12-18":
        break
    if phase:
        send_demo_sheets(phase, author)
        sent = phase.no
    sleep(0.02)
told = sent
"""
"""Two days of both sides, as in the demonstration."""

AGAIN = """
from campaign.models import Phase, PhaseState, Resolution
from gm.phases.adjudication import Claim, resolve
published = Phase.objects.filter(state=PhaseState.PUBLISHED).order_by("no")
told = [Resolution.objects.count()]
told += [resolve(Claim(phase.pk, phase.fence)).digest for phase in published]
"""
"""The number of resolved phases, and each one's digest when resolved again on its own."""

LATE = """
import os, subprocess, sys
from campaign.models import Campaign, User
from orders.intake import TooLate
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import UNREVIEWED, live, send
phase, author = live(Campaign.objects.get()), User.objects.get()
before = Sheet.objects.count()
slow = {**os.environ, "FAILPOINTS": "lock.mid=stop:2s"}
with subprocess.Popen([sys.executable, "manage.py", "tick"], env=slow, stderr=subprocess.PIPE, text=True) as locking:
    assert any(line.startswith("failpoint lock.mid") for line in locking.stderr)
    phase.refresh_from_db()
    told = [phase.state]
    try:
        send(phase, author, "NOTE too late", side=phase.acts[0])
        told.append("received")
    except TooLate:
        told.append("too late")
    locking.stderr.read()
told += [locking.returncode, Sheet.objects.count() - before]
told += [LockedSheet.objects.filter(phase=phase).count() - len(phase.acts)]
"""
"""A player submits another version while a worker is locking their phase."""
