"""`deploy/` as an operator uses it: its services start with its sample of an environment, and do their work."""

import configparser
import os
import re
import secrets
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.faults.site.machines import PATIENCE, ROOT, Site, wait_until_published
from tests.faults.site.scripts import FOUND
from tests.fleet.test_fleet import broker
from tests.serve.test_serve import free_port

__all__ = ["broker"]

UNITS = ROOT / "deploy" / "systemd"
PREPARATION = (
    ("migrate",),
    ("createcachetable",),
    ("collectstatic", "--noinput"),
    ("check", "--deploy", "--fail-level", "WARNING"),
)
"""What README says is done before services start."""
HOST = "fieldpost.example"


@pytest.fixture
def site(tmp_path: Path, broker: str) -> Iterator[Site]:
    """A machine prepared as README says, with the sample's environment and nothing else; a campaign waits in it."""
    site = Site(tmp_path)
    site.environment = {**sample(), **_here(site, broker)}
    site.create()
    for command in PREPARATION:
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=site.environment, check=True)
    site.python(FOUND)
    yield site
    site.remove()


def _here(site: Site, broker: str) -> dict[str, str]:
    """What differs on every machine."""
    names = ("FIELDPOST_DATA", "DATABASE_URL")
    key = secrets.token_urlsafe(64)
    own = {"FIELDPOST_BROKER_URL": broker, "FIELDPOST_SECRET_KEY": key, "EMAIL_URL": "", "PATH": os.environ["PATH"]}
    return own | {name: site.environment[name] for name in names}


def test_the_units_start_a_fleet_that_works(site: Site) -> None:
    port = free_port()
    with ExitStack() as stack:
        started = {name: stack.enter_context(site.process(*command_of(name, port))) for name in ("worker", "beat")}
        wait_until_published(site, 0, *started.values())  # no loop has run yet
        started |= {name: stack.enter_context(site.process(*command_of(name, port))) for name in ("loop", "web")}
        wait_until_ready(port)
        wait_until_swept(site, f"runloop-{started['loop'].pid}")  # before that it may not know how to stop
        assert status(port, "/", secure=False) == 301
        assert status(port, "/") == 200
        assert status(port, "/static/css/fieldpost.css") == 200
        assert {name: process.poll() for name, process in started.items()} == dict.fromkeys(started)
        for process in started.values():
            process.terminate()
        assert {name: process.wait(PATIENCE) for name, process in started.items()} == dict.fromkeys(started, 0)


def test_systemd_finds_nothing_amiss_in_the_units(tmp_path: Path) -> None:
    for unit in UNITS.iterdir():
        (tmp_path / unit.name).write_text(_moved(unit.read_text()).replace("User=fieldpost", "User=root"))
    command = ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


def sample() -> dict[str, str]:
    """The sample of an environment, with what is only for a fleet or for PostgreSQL turned on."""
    lines = re.findall(r"^#?([A-Z_]+)=(.*)$", (ROOT / "deploy" / "fieldpost.env").read_text(), re.MULTILINE)
    return dict(lines)


def command_of(name: str, port: int) -> list[str]:
    """What a service's unit starts, in this checkout and at this port."""
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.read_string(_moved((UNITS / f"fieldpost-{name}.service").read_text()))
    assert unit["Service"]["WorkingDirectory"] == str(ROOT)
    return unit["Service"]["ExecStart"].replace(":8000", f":{port}").split()


def _moved(unit: str) -> str:
    return unit.replace("/srv/fieldpost/.venv/bin", str(Path(sys.executable).parent)).replace(
        "/srv/fieldpost", str(ROOT)
    )


def wait_until_swept(site: Site, worker: str) -> None:
    pause = Event()
    for _ in range(PATIENCE):
        if worker in site.workers():
            return
        pause.wait(0.5)
    raise AssertionError(f"{worker} does not sweep")


def wait_until_ready(port: int) -> None:
    pause = Event()
    answer: Any = None
    for _ in range(PATIENCE):
        answer = status(port, "/readyz")
        if answer == 200:
            return
        pause.wait(0.5)
    raise AssertionError(f"/readyz answers {answer}")


def status(port: int, page: str, *, secure: bool = True) -> int | str:
    """A page's status, asked for by the web server in front, of somebody who came by HTTPS or not."""
    headers = {"Host": HOST, "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https" if secure else "http"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{page}", headers=headers)
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError as error:
        return str(error)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection."""

    def redirect_request(self, *_: Any) -> None:
        return None
