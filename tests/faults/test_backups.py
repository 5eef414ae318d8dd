"""README's commands back up a site at work and restore it; the restored site is sound and is played on."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import pytest

from tests.faults.site.machines import MANAGE, PATIENCE, ROOT, Site, wait_for, wait_until_published
from tests.faults.site.scripts import READY

SECTION = (ROOT / "README.md").read_text(encoding="utf-8").partition("### Back up")[2].partition("### Upgrade")[0]
BACK_UP, KEY_OUT_AND_BACK, RESTORE = re.findall(r"```\n(.*?)```", SECTION, re.DOTALL)
OWNER = "-o fieldpost -g fieldpost"
"""Nobody of that name is here, but there must be on a server."""


NEWER = """
from django.db import connection
connection.cursor().execute("CREATE TABLE newer (phase bigint NOT NULL REFERENCES campaign_phase)")
connection.cursor().execute("INSERT INTO newer SELECT id FROM campaign_phase")
told = None
"""
"""A newer release has added a table, which refers to one of the backup's."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A campaign with everybody ready in its first phase."""
    site = Site.prepared(tmp_path / "site", READY)
    yield site
    site.remove()


@pytest.fixture
def other(site: Site, tmp_path: Path) -> Iterator[Site]:
    """Another machine with nothing on it but the first one's key."""
    other = Site(tmp_path / "other", site.server)
    other.create()
    out, back = re.findall(r"^install .*", KEY_OUT_AND_BACK, re.MULTILINE)
    run(out, site, tmp_path)
    run(back, other, tmp_path)
    yield other
    other.remove()


def test_a_backup_of_a_site_at_work_is_sound_and_is_played_on(site: Site, other: Site, tmp_path: Path) -> None:
    """It is made while a phase is being resolved, and restored on a new machine and over what has gone on since."""
    assert OWNER in RESTORE
    with site.loop(FAILPOINTS="claim.after=stop:300s", FIELDPOST_LEASE_SECONDS="1") as at_work:
        wait_for(site, (1, "RUNNING"), at_work)
        backup = back_up(site, tmp_path / "backup")
    with site.loop() as loop:
        wait_until_published(site, 1, loop)
        before = site.phases("no", "result_digest")[:2]
    if site.server:
        site.python(NEWER)
    for machine in (other, site):
        restore(machine, backup)
        manage(machine, "migrate", "-v0")
        assert machine.phases("no", "state") == [(0, "PUBLISHED"), (1, "RUNNING")]
        assert manage(machine, "verify", "bulge").startswith("bulge: sound; ")
        with machine.loop() as loop:
            wait_until_published(machine, 1, loop)
        assert machine.phases("fence", "leases_lost")[1] == (2, 1), "another worker goes on"
        assert machine.phases("no", "result_digest")[:2] == before
        assert manage(machine, "verify", "bulge").startswith("bulge: sound; ")


def back_up(site: Site, folder: Path) -> Path:
    """The file of a backup."""
    folder.mkdir()
    run(part(BACK_UP, site), site, folder)
    [file] = folder.iterdir()
    return file


def restore(site: Site, file: Path) -> None:
    """Put a backup in place of a site's database, which is in use by nobody."""
    run(part(RESTORE, site).replace("FILE", quote(str(file))), site, file.parent)


def part(block: str, site: Site) -> str:
    """README's commands for a database of the site's kind."""
    parts: list[str] = re.findall(r"^# (?:SQLite|or PostgreSQL).*\n((?:[^#)].*\n)+)", block, re.MULTILINE)
    sqlite, server = parts
    return server if site.server else sqlite


def run(commands: str, site: Site, folder: Path) -> None:
    """Run commands of README in a folder, for the site's own data, and as this user."""
    for here, there in (("/var/lib/fieldpost", str(site.folder)), ("runuser -u fieldpost --", ""), (OWNER, "")):
        commands = commands.replace(here, there)
    subprocess.run(["/bin/bash", "-ec", commands], cwd=folder, env=site.environment, check=True, timeout=PATIENCE)


def manage(site: Site, *command: str) -> str:
    """What a command of the service prints; it must succeed."""
    done = subprocess.run(
        [*MANAGE, *command],
        cwd=ROOT,
        env=site.environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
