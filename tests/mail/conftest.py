"""What the tests of mails share: a clock that they set, a reader, their campaign."""

import pytest

from campaign.core import clock
from campaign.game import turn_package
from campaign.models import Campaign, Membership, Role, User
from tests.gm.campaigns import START, Clock, blank_map, new_campaign
from tests.kept import kept


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


@pytest.fixture(autouse=True)
def blank_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)


@pytest.fixture
def campaign() -> Campaign:
    kept("campaign with a reader", _campaign)
    return Campaign.objects.get()


@pytest.fixture
def reader(campaign: Campaign) -> User:  # noqa: ARG001 - the reader is its German commander
    return User.objects.get(username="Rundstedt")


def _campaign() -> None:
    reader, campaign = User.objects.create_user("Rundstedt", "rundstedt@example.org"), new_campaign()
    Membership.objects.create(campaign=campaign, user=reader, role=Role.COMMANDER, side="german", joined_at=START)
