"""The archive of a campaign of sixteen days that bots have played: what all sides and the public received."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import process_time
from unittest.mock import patch

from django.core.management import call_command

from archive.editions import WHOLE, entries_for
from archive.writing import write_folder
from campaign import selectors
from campaign.core import clock
from campaign.engine.phases import Weight
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.simulation import simulation_of
from campaign.maps import draw
from campaign.maps.painter import picture
from campaign.models import Bot, Campaign
from campaign.people.accounts import new_person
from campaign.selectors import open_phase
from campaign.services import base_map_of, create_campaign
from campaign.viewers import Viewer, commander_of, viewer_of
from gm.demo import SCENARIO
from gm.desk.closing import abandon
from gm.machine.sweeper import sweep
from tests.bench.measure import Figure, milliseconds
from tests.gm.campaigns import UNREVIEWED, blank_map, live, miss

MINUTE = 60
MOST_MAPS = 2
"""The most that a picture of its replays may take with all pages around it, in times of drawing a map.

A day has nine replays, of three phases for three audiences, each of some four pictures.
"""


def figures() -> Iterator[Figure]:
    """The processor time of the whole; and by the pictures of its replays, in times of drawing a map."""
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    with patch("campaign.game.turn_package.draw", blank_map):
        campaign = _played()
    gm = viewer_of(campaign.memberships.get(role="gm").user, campaign.slug)
    abandon(gm, reason="measured")
    german = commander_of(campaign, "german")
    view = selectors.view(german, selectors.published_phases(german)[0].no)
    a_map = milliseconds(partial(draw, base_map_of(campaign), view)) / 1000
    with patch("campaign.maps.replay.picture", wraps=picture) as drawn:
        seconds = _seconds(gm)
    yield Figure("archive-of-16-days", seconds, "s", MINUTE)
    yield Figure("archive-by-picture-to-map", seconds / drawn.call_count / a_map, "x", MOST_MAPS)


def _played() -> Campaign:
    """Sixteen days of bots on both sides; the rules decide the battles."""
    folder = find_scenario(SCENARIO)
    simulation = simulation_of(load_scenario(folder))
    campaign = create_campaign(
        slug="archived",
        title="Sixteen days",
        scenario=folder,
        founder=new_person("archived GM", email="archived.gm@bench.invalid"),
        handling=dict.fromkeys(Weight, UNREVIEWED[Weight.FULL]),
        options=simulation.options,
    )
    name = next(iter(simulation.bots))
    Bot.objects.bulk_create(
        Bot(campaign=campaign, side=side, name=name, since=clock.now()) for side in ("german", "allied")
    )
    while open_phase(commander_of(campaign, "german")) is not None:
        if not sweep(worker="bench"):
            miss(live(campaign))
    return campaign


def _seconds(gm: Viewer) -> float:
    """The processor time of the archive of the whole campaign, written to disk."""
    gm = viewer_of(gm.person, gm.campaign.slug)  # with its end
    with tempfile.TemporaryDirectory() as folder:
        begun = process_time()
        write_folder(entries_for(gm, WHOLE), Path(folder) / "whole", lambda _done, _of: None)
        return process_time() - begun
