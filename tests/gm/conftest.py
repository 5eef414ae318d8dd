"""What tests of the machinery share."""

import pytest

from campaign.core import clock
from campaign.game import turn_package
from campaign.models import Campaign, Membership, Phase, PhaseState, Role, User
from campaign.viewers import Viewer
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from tests.gm.campaigns import START, Clock, live, new_campaign, opened, send
from tests.kept import kept


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


@pytest.fixture
def blank_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that read no map: drawing them is most of what a phase costs."""
    monkeypatch.setattr(turn_package, "draw", lambda *_, **_width: b"a map")


@pytest.fixture
def author() -> User:
    return User.objects.create_user("Rundstedt")


@pytest.fixture
def campaign(time: Clock) -> Campaign:  # noqa: ARG001 - created by the test's clock
    """A campaign whose drafts are published at once."""
    kept("campaign", new_campaign)
    return Campaign.objects.get()


@pytest.fixture
def reviewed(time: Clock) -> Campaign:  # noqa: ARG001
    kept("reviewed", lambda: new_campaign(reviewed=True))
    return Campaign.objects.get()


@pytest.fixture
def phase(campaign: Campaign) -> Phase:
    """The first German sheet, open."""
    kept("phase", lambda: opened(campaign), after="campaign")
    return live(campaign)


@pytest.fixture
def locked(phase: Phase, author: User) -> Phase:
    """The phase of the first German sheet, locked with a sheet."""
    send(phase, author, "MOVE 12 SS S22", ready=True)
    assert lock(phase.pk)
    return phase


@pytest.fixture
def draft(reviewed: Campaign, author: User) -> Phase:
    """The phase of the first German sheet in a campaign whose GM wants to see it before it is published."""
    phase = opened(reviewed)
    send(phase, author, "MOVE 12 SS S22", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW
    return phase


@pytest.fixture
def gm(campaign: Campaign) -> Viewer:
    """The GM as a viewer; a commander on each side plays as well."""
    _, _, membership = [
        _member(campaign, role, side)
        for role, side in ((Role.COMMANDER, "german"), (Role.COMMANDER, "allied"), (Role.GM, ""))
    ]
    return Viewer(campaign, membership.user, membership)


def _member(campaign: Campaign, role: Role, side: str) -> Membership:
    user = User.objects.create_user(f"{side}{role}", f"{side}{role}@example.org")
    return Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)
