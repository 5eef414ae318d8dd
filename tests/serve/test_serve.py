"""`manage.py serve` as people start it: a real process with its children, killed and started again."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds that a machine with much else to do may need."""
FOUND = """
from campaign.game.loading import find_scenario
from campaign.models import User
from campaign.services import create_campaign
create_campaign(slug="bulge", title="The Bulge", scenario=find_scenario("forum_campaign/ardennes-1944"))
User.objects.create_user("Rundstedt")
"""
RULES = "/c/bulge/rules/"
SIGNS = {"web": "gunicorn", "loop": "runloop"}
"""By what word a child's command is known."""


class Site:
    """A running `manage.py serve`, and everything it has said."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        self._lines: Queue[str | None] = Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)

    def close(self) -> None:
        """End it, come what may."""
        children = self.children()
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            for pid in children.values():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.kill()
        self._listener.join(PATIENCE)

    def wait_for(self, pattern: str) -> str:
        """Listen until a line fits; what it says."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, "".join(self.said)
            self.said.append(line)
            if found := re.search(pattern, line):
                return found[found.lastindex or 0]

    def child(self, name: str, *, other_than: int = 0) -> int:
        """The process id of a child, as soon as there is one."""
        tries = threading.Event()
        for _ in range(int(PATIENCE * 10)):
            found = self.children().get(name, other_than)
            if found != other_than:
                return found
            tries.wait(0.1)
        raise AssertionError(f"no {name} process came up")

    def children(self) -> dict[str, int]:
        """Process ids by what they run."""
        found: dict[str, int] = {}
        with suppress(OSError):  # any of them may end while we look
            for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
                command = Path(f"/proc/{pid}/cmdline").read_text()
                found |= {name: int(pid) for name, sign in SIGNS.items() if sign in command}
        return found


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a campaign and a person in it."""
    folder = tmp_path_factory.mktemp("set-up")
    manage(environment_of(folder), "migrate", "-v0")
    manage(environment_of(folder), "shell", "-v0", "-c", FOUND)
    return folder


@pytest.fixture
def environment(set_up: Path, tmp_path: Path) -> dict[str, str]:
    return environment_of(shutil.copytree(set_up, tmp_path / "data"))


def environment_of(folder: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("FIELDPOST_", "DATABASE_"))}
    return own | {"FIELDPOST_DATA": str(folder), "PYTHONUNBUFFERED": "1"}


def manage(environment: dict[str, str], *command: str) -> str:
    run = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return run.stdout


@contextmanager
def serving(environment: dict[str, str], *options: str) -> Iterator[Site]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", *options],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    site = Site(process)
    try:
        yield site
    finally:
        site.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def status_of(address: str) -> int:
    """A page's status. The socket is the parent's, so that a request waits while the web process comes up."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own address
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_children_that_are_killed_come_back_and_a_second_start_has_its_data(environment: dict[str, str]) -> None:
    port = str(free_port())
    with serving(environment, "--port", port) as site:
        address = site.wait_for(r"Fieldpost is at (\S+)/")
        assert address == f"http://localhost:{port}"
        assert status_of(f"{address}{RULES}") == 200
        for name in ("web", "loop"):
            before = site.child(name)
            os.kill(before, signal.SIGKILL)
            site.wait_for(f"The {name} process ended .SIGKILL.")
            assert site.child(name, other_than=before) != before
        assert status_of(f"{address}{RULES}") == 200
        site.process.send_signal(signal.SIGTERM)
        site.wait_for("Everything is kept in")
        assert site.process.wait(PATIENCE) == 0
    with serving(environment, "--port", port) as site:
        site.wait_for("Fieldpost is at")
        assert status_of(f"{address}{RULES}") == 200


def test_ctrl_c_ends_both_children(environment: dict[str, str]) -> None:
    with serving(environment, "--port", str(free_port())) as site:
        site.wait_for("Fieldpost is at")
        pids = [site.child(name) for name in ("web", "loop")]
        site.process.send_signal(signal.SIGINT)
        assert site.process.wait(PATIENCE) == 0
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


def test_a_port_that_is_taken_is_named_and_the_next_is_used(environment: dict[str, str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with serving(environment, "--port", str(taken)) as site:
            site.wait_for(f"Port {taken} is taken")
            address = site.wait_for(r"Fieldpost is at (\S+)/")
            assert int(address.rsplit(":", 1)[1]) > taken
            link = manage(environment, "entrance", "Rundstedt")
            assert link.startswith(f"{address}/enter/?sesame=")
            assert status_of(link.strip()) == 200


def test_styles_and_scripts_are_served_out_of_a_fresh_checkout(environment: dict[str, str]) -> None:
    with serving(environment, "--port", str(free_port())) as site:
        address = site.wait_for(r"Fieldpost is at (\S+)/")
        with urllib.request.urlopen(f"{address}{RULES}", timeout=PATIENCE) as answer:  # noqa: S310 - our own address
            needed = re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.read().decode())
        assert {Path(name).suffix for name in needed} == {".css", ".js", ".svg"}
        assert any("htmx" in name for name in needed)
        assert {status_of(address + name) for name in needed} == {200}


def test_nobody_is_let_in_who_is_not_there(environment: dict[str, str]) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        manage(environment, "entrance", "Nobody")
    assert "There is nobody called 'Nobody'. Known are: Rundstedt" in refused.value.stderr
