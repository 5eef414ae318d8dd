"""What every test shares."""

import os
from datetime import timedelta

import pytest
from hypothesis import settings

from campaign import clock
from campaign.maps.shelf import SHELF

# Tests run two at a time on small machines: how long one example takes says nothing about the code.
settings.register_profile("fieldpost", deadline=None)
settings.load_profile("fieldpost")


@pytest.fixture(scope="session", autouse=True)
def sheets_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one process draws under maps serves the others, but no other run. Tests of drawing draw for themselves."""
    own = tmp_path_factory.getbasetemp()
    SHELF.folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "sheets"


@pytest.fixture(autouse=True)
def steady_machinery(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's clock leaps over days: that is no outage, and the database goes along. Who tests it says so."""
    monkeypatch.setattr("gm.heartbeat.OUTAGE", timedelta.max)
    monkeypatch.setattr("gm.heartbeat.database_time", lambda: clock.now())  # noqa: PLW0108 - late: it is replaced
