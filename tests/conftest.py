"""Fixtures of all tests."""

import gc
import os
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import pytest_runtest_protocol as run_test
from django.conf import settings as django_settings
from django.contrib.contenttypes.management import create_contenttypes
from django.db import connection
from django.db.models.signals import post_migrate
from hypothesis import settings
from whitenoise.middleware import WhiteNoiseMiddleware

from campaign.core import clock
from campaign.core.frames import with_room
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.secrecy import memory, truth
from tests import missing_names
from tests.kept import unchecked_keys

truth.trust_process()  # pages that a test requests are still guarded

# Tests run two at a time on small machines: how long one example takes says nothing about the code.
settings.register_profile("fieldpost", deadline=None)
# CI tries the same random examples every time, so that none can hold up a change that it has nothing to do with. Others
# are tried wherever else the tests are run.
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "fieldpost")


def pytest_configure() -> None:
    """After each test that empties the tables, Django would make hundreds of rows again that nothing reads."""
    assert post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    assert post_migrate.disconnect(create_contenttypes)


def pytest_collection_finish() -> None:
    """Let Python look seldom for objects that hold each other: it finds few, and looking takes a tenth of a run.

    What is there now, modules above all, is never looked through again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as pytest does, with room for the frames of its calls."""
    return with_room(run_test, item, nextitem)


@pytest.fixture(scope="session", autouse=True)
def sheets_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The processes of one run share base maps that are drawn, as do runs that are given a folder for them.

    Tests of drawing draw their own.
    """
    own = tmp_path_factory.getbasetemp()
    of_run = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "sheets"
    DISK_CACHE.folder = Path(os.environ.get("FIELDPOST_TEST_SHEETS") or of_run)


@pytest.fixture(scope="session", autouse=True)
def pictures_of_this_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each process keeps the pictures of its stories to itself, as it does its rows."""
    django_settings.PICTURES = tmp_path_factory.mktemp("pictures")
    django_settings.FILE_UPLOAD_TEMP_DIR = tmp_path_factory.mktemp("uploads")


_VACUUM_EVERY = 20
"""How often the tables are emptied before the server removes the deleted rows."""


@pytest.fixture(scope="session", autouse=True)
def rows_are_deleted_after_tests() -> Iterator[None]:
    """PostgreSQL truncates a table by making new files, which for all tables takes longer than most tests.

    Rows that are deleted still slow down each search of their table, so every twentieth time the tables are vacuumed
    first. Tests that need the numbers of rows to begin with 1 again still truncate.
    """
    truncate, times = connection.ops.sql_flush, count(1)

    def deleted(style: Any, tables: list[str], *, reset_sequences: bool = False, **more: Any) -> list[str]:
        assert not connection.in_atomic_block, "keys would stay unchecked"
        if reset_sequences:
            return truncate(style, tables, reset_sequences=True, **more)
        names = [connection.ops.quote_name(table) for table in tables]
        if next(times) % _VACUUM_EVERY == 0:
            with closing(connection.copy()) as beside, beside.cursor() as cursor:
                cursor.execute(f"VACUUM {', '.join(names)}")
        return [*unchecked_keys(), *(f"DELETE FROM {name}" for name in names)]  # noqa: S608 # models' own names

    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "postgresql":
            patch.setattr(connection.ops, "sql_flush", deleted)
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_are_listed_once() -> Iterator[None]:
    """Each browser of a test begins with the middleware anew, which would search all folders for static files."""
    search, files = WhiteNoiseMiddleware.add_files_from_finders, dict[str, Any]()

    def add(middleware: WhiteNoiseMiddleware) -> None:
        if not files:
            search(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add)
        yield


@pytest.fixture(scope="session", autouse=True)
def templates_name_nothing_that_is_missing() -> None:
    missing_names.refuse()


@pytest.fixture(autouse=True)
def steady_machinery(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests' clocks jump over days, which is no outage and no trouble of the database. Tests of outages undo this."""
    monkeypatch.setattr("gm.machine.heartbeat.OUTAGE", timedelta.max)
    monkeypatch.setattr("gm.machine.heartbeat.database_time", lambda: clock.now())  # noqa: PLW0108 - late: it is replaced


@pytest.fixture(autouse=True)
def nothing_is_remembered_of_other_campaigns() -> None:
    """The rows of a test may have the numbers that those of another had."""
    memory.forget_all()


@pytest.fixture(autouse=True)
def bases_are_drawn_when_a_map_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps draw no base picture ahead: it takes seconds, unseen. Tests of drawing ahead override this."""
    monkeypatch.setattr("gm.machine.sweeper.draw_one", lambda _: 0)
