"""What tests of the machinery share."""

import pytest

from campaign.core import clock
from campaign.game import turn_package
from campaign.models import Campaign, Membership, Phase, PhaseState, Role, User
from campaign.viewers import Viewer
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from tests.gm.campaigns import START, Clock, blank_map, live, new_campaign, opened, reviewed_campaign, send
from tests.kept import kept


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


@pytest.fixture
def blank_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)


STATES = ("published", "sick", "estuary", "draft", "locked", "phase", "reviewed", "campaign")
"""Fixtures that restore rows."""


@pytest.fixture(autouse=True)
def rows_are_restored_first(request: pytest.FixtureRequest) -> None:
    """Before other fixtures make people: rows are restored only into an empty database."""
    for name in ("time", "blank_maps", *STATES):
        if name in request.fixturenames:
            request.getfixturevalue(name)


@pytest.fixture
def author() -> User:
    """The writer of sheets; also of those in rows that were restored."""
    return rundstedt()


def rundstedt() -> User:
    return User.objects.filter(username="Rundstedt").first() or User.objects.create_user("Rundstedt")


@pytest.fixture
def campaign(time: Clock) -> Campaign:  # noqa: ARG001 - created by the test's clock
    """A campaign whose drafts are published at once."""
    kept("campaign", new_campaign)
    return Campaign.objects.get()


@pytest.fixture
def reviewed(time: Clock) -> Campaign:  # noqa: ARG001
    kept("reviewed", reviewed_campaign)
    return Campaign.objects.get()


@pytest.fixture
def phase(campaign: Campaign) -> Phase:
    """The first German sheet, open."""
    kept("phase", lambda: opened(campaign), after="campaign")
    return live(campaign)


@pytest.fixture
def locked(phase: Phase) -> Phase:
    """The phase of the first German sheet, locked with a sheet."""
    send(phase, rundstedt(), "MOVE 12 SS S22", ready=True)
    assert lock(phase.pk)
    return phase


@pytest.fixture
def draft(reviewed: Campaign) -> Phase:
    """The phase of the first German sheet in a campaign whose GM wants to see it before it is published."""
    kept("draft", lambda: _drafted(opened(reviewed)), after="reviewed")
    return reviewed.phases.get(state=PhaseState.REVIEW)


def _drafted(phase: Phase) -> None:
    send(phase, rundstedt(), "MOVE 12 SS S22", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW


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
