"""The machinery as real processes on a private database, for killing, doubling and waking."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import psycopg

from campaign.maps.drawing.disk_cache import DISK_CACHE, DiskCache
from campaign.maps.drawing.edition import edition

ROOT = Path(__file__).parents[3]
MANAGE = [sys.executable, "manage.py"]
PATIENCE = 300
"""Seconds after which a process that has not ended is in trouble."""


class Site:
    """A data folder and a database, on the server that DATABASE_URL names or in a file; processes use both."""

    def __init__(self, folder: Path, server: str | None = None) -> None:
        self.folder = folder
        self.server = os.environ.get("DATABASE_URL", "") if server is None else server
        self.database = f"faults_{os.getpid()}_{abs(hash(folder))}"
        url = urlsplit(self.server)._replace(path=f"/{self.database}").geturl() if self.server else ""
        self.environment = {**os.environ, "FIELDPOST_DATA": str(folder), "DATABASE_URL": url}

    @classmethod
    def prepared(cls, folder: Path, code: str, server: str | None = None) -> "Site":
        """A new site, after these lines of Python have run on it. It has the base pictures of this run of tests."""
        site = cls(folder, server)
        site.create()
        site._share_base_pictures()
        site.python(f"from django.core.management import call_command\ncall_command('migrate', verbosity=0)\n{code}")
        return site

    def create(self) -> None:
        """Make its folder, and its database if that is no file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.server:
            self._on_server(f"CREATE DATABASE {self.database}")

    def copy(self, folder: Path) -> "Site":
        """A copy: another site with the same people, campaigns and secrets."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, symlinks=True)
        other = Site(folder, self.server)
        if self.server:
            self._on_server(f"CREATE DATABASE {other.database} TEMPLATE {self.database}")
        return other

    def remove(self) -> None:
        if self.server:
            self._on_server(f"DROP DATABASE {self.database} WITH (FORCE)")

    def _share_base_pictures(self) -> None:
        assert DISK_CACHE.folder is not None
        drawn = DISK_CACHE.folder / edition()
        drawn.mkdir(parents=True, exist_ok=True)
        self._base_pictures.mkdir()
        (self._base_pictures / edition()).symlink_to(drawn.absolute())

    @property
    def _base_pictures(self) -> Path:
        return self.folder / "sheets"

    def _on_server(self, statement: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(statement.encode())

    def python(self, code: str) -> Any:
        """What these lines of Python leave in `told`, as JSON."""
        command = [*MANAGE, "shell", "-v0", "-c", f"{code}\nimport json; print('told', json.dumps(told))"]
        told = subprocess.check_output(command, cwd=ROOT, env=self.environment, text=True, timeout=PATIENCE)
        return json.loads(told.rpartition("told ")[2])

    @contextmanager
    def process(self, *command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
        """A process that is killed at the end of the block if it still runs. It draws no base pictures ahead."""
        with (
            DiskCache(self._base_pictures).alone(),
            subprocess.Popen(command, cwd=ROOT, env=self.environment | environment) as process,
        ):
            try:
                yield process
            finally:
                process.kill()

    def loop(self, **environment: str) -> Any:
        return self.process(*MANAGE, "runloop", "--every", "0.05", **environment)

    def phases(self, *columns: str) -> list[tuple[Any, ...]]:
        """These columns of every phase's row and proof, as seen from outside."""
        rows = "campaign_phase LEFT JOIN campaign_phaseproof ON phase_id = id"
        return self._rows(f"SELECT {', '.join(columns)} FROM {rows} ORDER BY no, rev")  # noqa: S608 - our own words

    def workers(self) -> set[str]:
        """Names of the workers that have swept."""
        return {name for (name,) in self._rows("SELECT name FROM campaign_heartbeat")}

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        if self.server:
            with psycopg.connect(self.environment["DATABASE_URL"]) as database:
                return database.execute(query.encode()).fetchall()
        with closing(sqlite3.connect(self.folder / "fieldpost.sqlite3", timeout=20)) as database_file:
            return database_file.execute(query).fetchall()


def wait_until_published(site: Site, no: int, *workers: subprocess.Popen[bytes]) -> None:
    """Wait until a phase is published; fail if a worker ends before that."""
    wait_for(site, (no, "PUBLISHED"), *workers)


def wait_for(site: Site, phase: tuple[int, str], *workers: subprocess.Popen[bytes]) -> None:
    """Wait until the phase of this number is in this state; fail if that takes too long, or a worker ends before."""
    until = monotonic() + PATIENCE
    while phase not in site.phases("no", "state"):
        sleep(0.02)
        assert monotonic() < until, f"phase {phase[0]} is not {phase[1]}"
        assert [worker.poll() for worker in workers] == [None] * len(workers), "a worker ended on its own"
