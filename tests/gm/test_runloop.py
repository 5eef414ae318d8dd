"""The embedded loop as a process of its own: it does what is due, and ends on request."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[2]

FOUND = """
from campaign.game.loading import find_scenario
from campaign.services import create_campaign
create_campaign(slug="bulge", title="The Bulge", scenario=find_scenario("forum_campaign/ardennes-1944"))
"""


def test_the_loop_publishes_a_campaigns_start_and_stops_on_request(tmp_path: Path) -> None:
    environment = {**os.environ, "FIELDPOST_DATA": str(tmp_path)}
    environment.pop("DATABASE_URL", None)
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    subprocess.run([*manage, "shell", "-v0", "-c", FOUND], cwd=ROOT, env=environment, check=True)
    loop = subprocess.Popen([*manage, "runloop", "--every", "0.05"], cwd=ROOT, env=environment)
    try:
        with closing(sqlite3.connect(tmp_path / "fieldpost.sqlite3", timeout=20)) as database:
            while not database.execute("select 1 from campaign_phase where state = 'OPEN' and no = 1").fetchone():
                assert loop.poll() is None, "the loop ended on its own"
        loop.send_signal(signal.SIGTERM)
        assert loop.wait(timeout=20) == 0
    finally:
        loop.kill()
