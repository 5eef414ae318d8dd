"""What every test shares."""

from datetime import timedelta

import pytest
from hypothesis import settings

from campaign import clock
from campaign.maps.shelf import SHELF

# Tests run two at a time on small machines: how long one example takes says nothing about the code.
settings.register_profile("fieldpost", deadline=None)
settings.load_profile("fieldpost")


def pytest_sessionstart() -> None:
    """No test draws on what another run has left in a file. Who tests the files has a folder of his own."""
    SHELF.folder = None


@pytest.fixture(autouse=True)
def steady_machinery(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's clock leaps over days: that is no outage, and the database goes along. Who tests it says so."""
    monkeypatch.setattr("gm.heartbeat.OUTAGE", timedelta.max)
    monkeypatch.setattr("gm.heartbeat.database_time", lambda: clock.now())  # noqa: PLW0108 - late: it is replaced
