"""A fleet (two Celery workers, beat, Redis) plays the same campaign as the embedded loop, to the same digests."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.faults.machines import PATIENCE, Site
from tests.faults.scripts import FOUND, PLAY

CELERY = [sys.executable, "-m", "celery", "-A", "deploy.celery"]
WORKER = [*CELERY, "worker", "-Q", "phase,mail", "--concurrency", "1", "--loglevel", "WARNING"]
LAST = 10
"""The number of the last stop of the second day: five a day after the opening, which is no. 0."""
BEAT = [*CELERY, "beat", "--loglevel", "WARNING", "--pidfile="]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """A Redis of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--maxmemory-policy", "noeviction"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as redis:
        yield f"redis://127.0.0.1:{port}/0"
        redis.terminate()


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[tuple[Site, Site]]:
    """Twice the same campaign, with the same dice."""
    one = Site.prepared(tmp_path / "one", FOUND)
    two = one.copy(tmp_path / "two")
    yield one, two
    for site in (one, two):
        site.remove()


def test_a_fleet_plays_two_days_as_the_embedded_loop_does(sites: tuple[Site, Site], broker: str) -> None:
    embedded, fleet = sites
    with embedded.loop():
        assert embedded.python(PLAY) == LAST
    fleet.environment["FIELDPOST_BROKER_URL"] = broker
    with fleet_at_work(fleet):
        assert fleet.python(PLAY) == LAST
    columns = ("no", "rev", "state", "lock_no", "fence", "sheets_digest", "mix", "result_digest")
    assert fleet.phases(*columns) == embedded.phases(*columns)
    assert len(fleet.phases("no")) == LAST + 2  # the opening, and the stop of 18 December that is open


@contextmanager
def fleet_at_work(site: Site) -> Iterator[None]:
    """Two workers and beat, that end by themselves when they are told to."""
    names = [["--hostname", name] for name in ("one@localhost", "two@localhost")]
    with ExitStack() as stack:
        processes = [stack.enter_context(site.process(*command)) for command in (*(WORKER + n for n in names), BEAT)]
        yield
        assert [process.poll() for process in processes] == [None, None, None]
        for process in processes:
            process.terminate()
        assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0]
