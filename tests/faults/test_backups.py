"""A backup that README's commands make of a site at work is restored by them, is sound, and is played on."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.site.machines import MANAGE, ROOT, Site, wait_for, wait_until_published
from tests.faults.site.scripts import AGAIN, READY

SECTION = (ROOT / "README.md").read_text(encoding="utf-8").partition("### Back up")[2].partition("### Upgrade")[0]
KEY, DATABASE = "secret_key", "fieldpost.sqlite3"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A campaign with everybody ready in its first phase."""
    site = Site.prepared(tmp_path / "site", READY)
    yield site
    site.remove()


@pytest.fixture
def restored(site: Site, tmp_path: Path) -> Iterator[Site]:
    """Another machine with nothing on it but the first one's key."""
    other = Site(tmp_path / "restored", site.server)
    other.create()
    shutil.copy(site.folder / KEY, other.folder / KEY)
    yield other
    other.remove()


def test_a_backup_of_a_site_at_work_is_sound_and_is_played_on(site: Site, restored: Site, tmp_path: Path) -> None:
    """It is made while the first phase is being resolved: whoever did that is gone, and another does it."""
    with site.loop(FIELDPOST_LEASE_SECONDS="10") as loop:
        wait_for(site, (1, "RUNNING"), loop)
        backup = back_up(site, tmp_path / "backup")
        wait_until_published(site, 1, loop)
    restore(restored, backup)
    subprocess.run([*MANAGE, "migrate", "-v0"], cwd=ROOT, env=restored.environment, check=True)
    assert restored.phases("no", "state")[1:] == [(1, "RUNNING")]
    assert re.match(r"bulge: sound; [1-9]\d* entries", verified(restored))
    with restored.loop() as loop:
        wait_until_published(restored, 1, loop)
    assert restored.phases("no", "result_digest")[:2] == site.phases("no", "result_digest")[:2]
    assert restored.python(AGAIN) == site.python(AGAIN)
    assert "bulge: sound; " in verified(restored)


def back_up(site: Site, folder: Path) -> Path:
    """The file of a backup, made as README says."""
    folder.mkdir()
    if site.server:
        [command] = re.findall(r"^pg_dump .+$", SECTION, re.MULTILINE)
        subprocess.run(["/bin/bash", "-c", command], cwd=folder, env=site.environment, check=True)
    else:
        [code] = re.findall(r'python3 -c "(import sqlite3[^"]+)"', SECTION)
        subprocess.run([sys.executable, "-c", code, site.folder / DATABASE, folder / DATABASE], check=True)
    [file] = folder.iterdir()
    return file


def restore(site: Site, file: Path) -> None:
    """Put a backup in place as README says."""
    if site.server:
        [command] = re.findall(r"`(pg_restore [^`]+) FILE`", SECTION)
        subprocess.run(["/bin/bash", "-c", f"{command} {file}"], env=site.environment, check=True)
    else:
        shutil.move(file, site.folder / DATABASE)


def verified(site: Site) -> str:
    """What `manage.py verify` says of the campaign; it fails if it finds a fault."""
    command = [*MANAGE, "verify", "bulge"]
    return subprocess.run(command, cwd=ROOT, env=site.environment, check=True, capture_output=True, text=True).stdout
