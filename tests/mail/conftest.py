"""What the tests of mails share: a clock that they set, a reader, their campaign."""

import pytest

from campaign.core import clock
from campaign.models import Campaign, Membership, Role, User
from tests.gm.campaigns import START, Clock, new_campaign


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
    campaign = new_campaign()
    Membership.objects.create(campaign=campaign, user=reader, role=Role.COMMANDER, side="german", joined_at=START)
    return campaign
