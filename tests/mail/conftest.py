"""What the tests of mails share: a clock that they set, a person, a campaign."""

from datetime import UTC, datetime, timedelta

import pytest

from campaign import clock
from campaign.loading import find_scenario
from campaign.models import Campaign, Membership, Role, User
from campaign.services import found_campaign
from gm.demo import SCENARIO

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Clock:
    """The time of a test."""

    def __init__(self) -> None:
        self.now = START

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


@pytest.fixture
def reader() -> User:
    return User.objects.create_user("Rundstedt", "rundstedt@example.org")


@pytest.fixture
def campaign(reader: User) -> Campaign:
    founded = found_campaign(slug="bulge", title="The Bulge", scenario=find_scenario(SCENARIO), reviewed=False)
    Membership.objects.create(campaign=founded, user=reader, role=Role.COMMANDER, side="german", joined_at=START)
    return founded
