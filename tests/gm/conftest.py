"""What tests of the machinery share."""

import pytest

from campaign import clock, turn_package
from campaign.models import Campaign, Phase, User
from gm.sweeper import sweep
from tests.gm.campaigns import Clock, founded, live


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


@pytest.fixture
def blank_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look at no map: drawing them is most of what a stop costs."""
    monkeypatch.setattr(turn_package, "draw", lambda *_: b"a map")


@pytest.fixture
def author() -> User:
    return User.objects.create_user("Rundstedt")


@pytest.fixture
def campaign() -> Campaign:
    """A campaign whose drafts are published at once."""
    return founded()


@pytest.fixture
def reviewed() -> Campaign:
    return founded(reviewed=True)


@pytest.fixture
def phase(campaign: Campaign) -> Phase:
    """The first stop, open."""
    sweep(worker="one")
    return live(campaign)
