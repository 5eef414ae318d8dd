"""A sheet is acknowledged only after a commit that survives a power cut, by the settings of its connection."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.site.machines import Site
from tests.faults.site.scripts import DURABLE

FULL = 2
"""SQLite's value for synchronous=FULL."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site.prepared(tmp_path / "site", "told = 0")
    yield site
    site.remove()


def test_the_connection_that_acknowledges_a_sheet_commits_to_disk(site: Site) -> None:
    durable = ["on", "on", "20s"] if site.server else ["wal", FULL]
    assert site.python(DURABLE) == {"submit.before_commit": durable, "submit.after_commit": durable}
