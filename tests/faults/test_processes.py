"""Workers as real processes, on the same phase at once and killed at the worst moments, resolve each phase once."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.site.machines import MANAGE, Site, wait_until_published
from tests.faults.site.scripts import AGAIN, LATE, READY


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    pattern = Site.prepared(tmp_path_factory.mktemp("pattern"), READY)
    yield pattern
    pattern.remove()


@pytest.fixture
def site(tmp_path: Path, pattern: Site) -> Iterator[Site]:
    """A campaign with everybody ready in its first phase."""
    site = pattern.copy(tmp_path / "site")
    yield site
    site.remove()


def test_many_workers_at_once_resolve_a_phase_once(site: Site) -> None:
    with site.process(*MANAGE, "tick") as one, site.process(*MANAGE, "tick") as two, site.loop() as loop:
        wait_until_published(site, 1, loop)
        assert one.wait() == two.wait() == 0
        loop.send_signal(signal.SIGTERM)
        assert loop.wait() == 0
    assert site.phases("no", "state") == [(0, "PUBLISHED"), (1, "PUBLISHED"), (2, "OPEN")]
    assert site.phases("fence", "leases_lost", "lock_no")[1] == (1, 0, 2)
    assert_each_is_resolved_once(site)


@pytest.mark.parametrize("place", ["claim.after", "publish.mid", "publish.before_commit"])
def test_a_worker_that_is_killed_leaves_nothing_behind_and_another_finishes(site: Site, place: str) -> None:
    with site.loop(FAILPOINTS=f"{place}=kill9", FIELDPOST_LEASE_SECONDS="1") as killed:
        assert killed.wait() == -signal.SIGKILL
    assert site.phases("state", "fence", "result_digest")[1:] == [("RUNNING", 1, "")]
    with site.loop() as another:
        wait_until_published(site, 1, another)
    assert site.phases("fence", "leases_lost", "lock_no")[1] == (2, 1, 2)
    assert_each_is_resolved_once(site)


def test_a_sheet_that_arrives_while_its_phase_is_being_locked_waits_and_is_refused(site: Site) -> None:
    """When it came the phase still looked open to everybody; it is neither accepted later nor lost."""
    assert site.python(LATE) == ["OPEN", "too late", 0, 0, 0]
    assert site.phases("no", "state")[:2] == [(0, "PUBLISHED"), (1, "PUBLISHED")]


def assert_each_is_resolved_once(site: Site) -> None:
    """The results equal those of an undisturbed run."""
    published = [digest for state, digest in site.phases("state", "result_digest") if state == "PUBLISHED"]
    assert site.python(AGAIN) == [len(published), *published]
