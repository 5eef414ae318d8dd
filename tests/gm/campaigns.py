"""Campaigns for tests: a clock that is set by hand, sheets to send, the live phase."""

import dataclasses
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PIL import Image

from campaign.core import clock
from campaign.engine.phases import Weight
from campaign.game.loading import find_scenario
from campaign.game.store import decode_state, unpack
from campaign.handling import DEFAULTS
from campaign.models import Campaign, Outcome, Phase, PhaseSettings, PhaseState, User
from campaign.services import create_campaign, scenario_of
from gm.demo import SCENARIO
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from orders.intake import Receipt, Submission, submit
from orders.models import HQ, Channel
from tests.with_air import with_air

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SHEETS = find_scenario(SCENARIO) / "demo"

GLOOMY = bytes([72]) * 32
"""A master seed whose first morning, in a campaign called bulge, is gloomy, and nobody has an air unit.

In snow some of the demonstration's attackers would not arrive.
"""
AIRBORNE = bytes([16]) * 32
"""The same with six air units for each side."""


UNREVIEWED = {Weight.FULL: dataclasses.replace(DEFAULTS[Weight.FULL], reviewed=False)}
"""Drafts are published at once."""


def review_drafts() -> None:
    """From now on the drafts of all campaigns wait for their GMs."""
    PhaseSettings.objects.update(reviewed=True)


def blank_map(*_: object, **_width: object) -> bytes:
    """In the place of every map, for tests that read none: drawing them is most of what a phase costs."""
    return b"a map"


class Clock:
    """The time of a test."""

    def __init__(self) -> None:
        self.now = START

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def new_campaign(
    slug: str = "bulge", *, reviewed: bool = False, master: bytes = GLOOMY, scenario: str = SCENARIO
) -> Campaign:
    """A new campaign; unless it is reviewed its drafts are published at once."""
    path = find_scenario(scenario)
    handling = DEFAULTS if reviewed else UNREVIEWED
    return create_campaign(slug=slug, title="The Bulge", scenario=path, handling=handling, master=master)


def sunny_campaign() -> Campaign:
    """The small scenario at its first air sheets, on a sunny day: the Allies have 5 air units, the Germans 7."""
    master = bytes([14]) * 32
    campaign = create_campaign(slug="c14", title="The Sky", scenario=with_air(), handling=UNREVIEWED, master=master)
    sweep(worker="one")
    return campaign


def reviewed_campaign() -> Campaign:
    """A campaign whose GM wants to see drafts before they are published."""
    return new_campaign(reviewed=True)


def pictured(folder: Path) -> Path:
    """A scenario with a picture under its map, made in a new folder."""
    shutil.copytree(with_air(), folder)
    with (folder / "scenario.toml").open("a", encoding="utf-8") as file:
        file.write('[background]\nfile = "country.png"\n[background.hexes]\nL12 = [60, 480]\nS23 = [857, 60]\n')
    painted(folder, "green")
    return folder


def painted(folder: Path, colour: str) -> bytes:
    """Give a scenario a picture of one colour; its file."""
    Image.new("RGB", (920, 540), colour).save(folder / "country.png")
    return (folder / "country.png").read_bytes()


def opened(campaign: Campaign) -> Phase:
    """The first German sheet of a new campaign, open; nobody has sent an air sheet."""
    sweep(worker="one")
    miss(live(campaign))
    return live(campaign)


def miss(phase: Phase) -> None:
    """The deadline of an open phase passes here and now, and its result is published."""
    Phase.objects.filter(pk=phase.pk).update(deadline_at=clock.now())
    sweep(worker="one")
    phase.refresh_from_db()
    if phase.state == PhaseState.REVIEW:
        assert approve(phase.pk, fence=phase.fence)


def live(campaign: Campaign) -> Phase:
    return campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).get()


def send(phase: Phase, author: User, text: str, *, side: str = "german", **more: Any) -> Receipt:
    newest = phase.all_sheets.filter(side=side, desk=more.get("desk", HQ)).count()
    defaults: dict[str, Any] = {"idem_key": f"{side}-{newest}", "expected_version": newest, "channel": Channel.WEB}
    return submit(Submission(phase_id=phase.pk, side=side, author=author, text=text, **{**defaults, **more}))


def send_demo_sheets(phase: Phase, author: User) -> None:
    """Each side that acts in this phase of the demonstration sends what it sent there, if anything, and is ready."""
    for acting in phase.acts:
        for text in list(sheet_texts(phase.file_stem, acting)) or ["READY"]:
            send(phase, author, text, side=acting, ready=True)


def sheet_texts(stem: str, side: str) -> Iterator[str]:
    for path in sorted(SHEETS.glob(f"{stem}-{side}.*.txt")):
        yield path.read_text(encoding="utf-8")


def state_after(phase: Phase) -> Any:
    rules = scenario_of(phase.campaign).rules
    stored = Outcome.objects.get(resolution__phase=phase).state_after
    return decode_state(rules, unpack(stored), version=rules.state_version)
