"""The embedded loop as a process of its own: it does what is due, and ends on request."""

import signal
from pathlib import Path

from tests.faults.site.machines import Site, wait_for

FOUND = """
from campaign.game.loading import find_scenario
from campaign.services import create_campaign
told = create_campaign(slug="bulge", title="The Bulge", scenario=find_scenario("forum_campaign/ardennes-1944")).pk
"""


def test_the_loop_publishes_a_campaigns_start_and_stops_on_request(tmp_path: Path) -> None:
    site = Site.prepared(tmp_path / "site", FOUND, server="")
    with site.loop() as loop:
        wait_for(site, (1, "OPEN"), loop)
        loop.send_signal(signal.SIGTERM)
        assert loop.wait(timeout=20) == 0
