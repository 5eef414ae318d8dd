"""What every test shares."""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from hypothesis import settings

from campaign.core import clock
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.secrecy import truth

truth.trust_process()  # pages that a test asks for are guarded all the same

# Tests run two at a time on small machines: how long one example takes says nothing about the code.
settings.register_profile("fieldpost", deadline=None)
settings.load_profile("fieldpost")


@pytest.fixture(scope="session", autouse=True)
def sheets_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one process draws under maps serves the others, but no other run. Tests of drawing draw for themselves."""
    own = tmp_path_factory.getbasetemp()
    DISK_CACHE.folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "sheets"


@pytest.fixture(scope="session", autouse=True)
def rows_are_deleted_after_tests() -> Iterator[None]:
    """PostgreSQL empties a table by making its files anew, which for all of them takes longer than most tests do.

    So does whoever wants the numbers of rows to begin with 1 again.
    """
    anew = connection.ops.sql_flush

    def deleted(style: Any, tables: list[str], *, reset_sequences: bool = False, **more: Any) -> list[str]:
        if reset_sequences:
            return anew(style, tables, reset_sequences=True, **more)
        return [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]  # noqa: S608 # models' own names

    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "postgresql":
            patch.setattr(connection.ops, "sql_flush", deleted)
        yield


@pytest.fixture(autouse=True)
def steady_machinery(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's clock leaps over days: that is no outage, and the database goes along. Who tests it says so."""
    monkeypatch.setattr("gm.machine.heartbeat.OUTAGE", timedelta.max)
    monkeypatch.setattr("gm.machine.heartbeat.database_time", lambda: clock.now())  # noqa: PLW0108 - late: it is replaced
