"""A fleet (two Celery workers, beat, Redis) plays the same campaign as the embedded loop, to the same digests."""

import re
import socket
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.faults.site.machines import PATIENCE, Site
from tests.faults.site.scripts import FOUND, PLAY

CELERY = [sys.executable, "-m", "celery", "-A", "deploy.celery"]
WORKER = [*CELERY, "worker", "-Q", "phase,mail", "--concurrency", "1", "--loglevel", "WARNING"]
LAST = 10
"""The number of the last phase of the second day: five a day after the opening, which is no. 0."""
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


def test_a_fleet_plays_two_days_as_the_embedded_loop_does(
    sites: tuple[Site, Site], broker: str, tmp_path: Path
) -> None:
    embedded, fleet = sites
    with embedded.loop():
        assert embedded.python(PLAY) == LAST
    fleet.environment["FIELDPOST_BROKER_URL"] = broker
    with overheard(broker, tmp_path / "overheard"), fleet_at_work(fleet):
        assert fleet.python(PLAY) == LAST
    traffic = _readable((tmp_path / "overheard").read_bytes())
    assert b"gm.run_phase" in traffic
    for secret in fleet.python(SECRETS):
        assert secret.encode() not in traffic, f"{secret} went through the broker"
    columns = ("no", "rev", "state", "lock_no", "fence", "sheets_digest", "mix", "result_digest")
    assert fleet.phases(*columns) == embedded.phases(*columns)
    assert len(fleet.phases("no")) == LAST + 2  # the opening, and the phase of 18 December that is open


SECRETS = """
from campaign.models import User
from orders.models import Sheet
lines = {line.strip() for text in Sheet.objects.values_list("text", flat=True) for line in text.splitlines()}
words = {word for line in lines for word in line.split()[:1]} - {"READY"}
told = sorted(text for text in (lines | words | {User.objects.get().username}) if len(text) > 3)
assert len(told) > 100, told
"""
"""Every line of a sheet, the words that begin one, and who wrote them; nothing so short that it is met by chance."""


@contextmanager
def overheard(broker: str, kept: Path) -> Iterator[None]:
    """All that passes through a Redis, line by line in a file."""
    command = ["redis-cli", "-u", broker, "monitor"]
    with kept.open("wb") as file, subprocess.Popen(command, stdout=file) as listener:
        yield
        listener.terminate()


def _readable(heard: bytes) -> bytes:
    """What was overheard, with what is packed in it unpacked after it."""
    return heard + b"".join(_unpacked(packed) for packed in re.findall(rb"[A-Za-z0-9+/]{16,}={0,2}", heard))


def _unpacked(text: bytes) -> bytes:
    """What is written in base64, if it is."""
    try:
        return b64decode(text, validate=True) + b"\n"
    except ValueError:
        return b""


@contextmanager
def fleet_at_work(site: Site) -> Iterator[None]:
    """Two workers and beat, which end on request."""
    names = [["--hostname", name] for name in ("one@localhost", "two@localhost")]
    with ExitStack() as stack:
        processes = [stack.enter_context(site.process(*command)) for command in (*(WORKER + n for n in names), BEAT)]
        yield
        assert [process.poll() for process in processes] == [None, None, None]
        for process in processes:
            process.terminate()
        assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0]
