"""`python -m tests.faults`: campaigns are played on SQLite, and on PostgreSQL with Redis, while their processes die.

Runs at once on both databases, then with a machinery that must not be, in which the faults must show. PostgreSQL is the
server that DATABASE_URL names; a redis-server is started. Prints the figures; the status is 1 if anything was lost.
On a slow or busy machine leases are longer in proportion, and so is the time in which things must be done.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

import psycopg

from tests.faults.checks.records import IN_DOUBT, SHEETS, WAITING
from tests.faults.site.broker import free_port
from tests.faults.site.disk import small_disk
from tests.faults.site.machines import ROOT, Site
from tests.faults.site.slowness import slowness

LEASE = 3
"""The seconds of a lease, several times what a phase takes; more where the machine is slower."""
MOST_SECONDS = 150.0
"""The most seconds for the kills on each database; more where the machine is slower."""
IN_TIME = 5.0
"""The most seconds from the end of a killed worker's lease to the next claim of its phase; as with the lease."""
MUTANT = 60
"""The most kills until the broken machinery is found out; usually few are needed."""
COMMAND = """import django; django.setup()
from campaign.secrecy import truth; truth.trust_process()
from campaign.core.frames import with_room
from tests.faults.chaos import main; with_room(main)"""
LATELY = "seconds to the next claim, sweeping as in production"
COUNTED = ("double phases", "gaps", "lost acknowledged sheets", "phantom mails", "half publications", "other breaches")


@dataclass
class Started:
    """A run in progress."""

    name: str
    site: Site
    records: Path
    process: "subprocess.Popen[str]"

    def wait(self) -> None:
        """Wait until it waits for the others, or has ended."""
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()) not in (WAITING, ""):
            sys.stderr.write(line)

    def go_on(self) -> None:
        """Tell it that the others are ready."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended and said why
            self.process.stdin.write("\n")
            self.process.stdin.flush()

    def figures(self) -> dict[str, object]:
        """Its figures, when it has ended."""
        self.process.communicate()
        path = self.records / "figures.json"
        if not path.exists():
            return {
                **dict.fromkeys(COUNTED, 0),
                "other breaches": 1,
                "kills": 0,
                "breaches": [f"it ended with {self.process.returncode} and told nothing"],
                LATELY: [],
                IN_DOUBT: 0,
            }
        results: dict[str, object] = json.loads(path.read_text())
        return results


def begin(name: str, folder: Path, records: Path, options: argparse.Namespace, kills: int, *more: str) -> Started:
    """Start a run on a new site."""
    site = Site(folder, os.environ["DATABASE_URL"] if name != "SQLite" else "")
    site.create()
    records.mkdir()
    broker = {"FIELDPOST_BROKER_URL": f"redis://127.0.0.1:{free_port()}/0"} if name != "SQLite" else {}
    own = {
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "EMAIL_URL": "",
        "FIELDPOST_LEASE_SECONDS": str(options.lease),
        "FIELDPOST_SHEETS_PER_MINUTE": "0",  # these players are faster than people
        SHEETS: os.environ[SHEETS],
    }
    arguments = [f"--seed={options.seed}", f"--kills={kills}", f"--most-seconds={options.most_seconds}"]
    arguments += [f"--campaigns={options.campaigns}", f"--slowness={options.slowness}", *more]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(records), *arguments],
        cwd=ROOT,
        env={**site.environment, **own, **broker},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    return Started(name, site, records, process)


def missing(databases: Collection[str]) -> Iterator[str]:
    """Programs and servers that runs on these databases need and that are missing."""
    if "PostgreSQL" not in databases:
        return
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield "a PostgreSQL server: name it with DATABASE_URL=postgres://user:password@host:5432/database"
    else:
        try:
            psycopg.connect(server, connect_timeout=5).close()
        except psycopg.OperationalError as error:
            yield f"the PostgreSQL server that DATABASE_URL names: {error}"
    if shutil.which("redis-server") is None:
        yield "redis-server (Debian: apt install redis-server)"


def show(name: str, results: Mapping[str, object]) -> None:
    """Print a run's figures."""
    sys.stdout.write(f"\n{name}\n")
    for what, figure in results.items():
        if what != "breaches":
            sys.stdout.write(f"  {what:<52} {figure}\n")
    for breach in list(results["breaches"])[:20]:  # type: ignore[call-overload]
        sys.stdout.write(f"  BREACH {breach}\n")
    sys.stdout.flush()


def wrong(name: str, results: Mapping[str, object], kills: int, latest: float) -> Iterator[str]:
    """Why a run has failed."""
    for what in COUNTED:
        if results[what]:
            yield f"{name}: {results[what]} {what}"
    if int(str(results["kills"])) < kills:
        yield f"{name}: {results['kills']} kills instead of {kills} in the time that there was"
    if kills and not results[LATELY]:
        yield f"{name}: how soon a killed worker's phase is claimed again was not seen"
    late = [each for each in results[LATELY] if each > latest]  # type: ignore[attr-defined]
    if late:
        yield f"{name}: a killed worker's phase was claimed again after {late} s, later than {latest:g}"


def main() -> int:
    options = _options()
    if lacking := list(missing(options.on)):
        sys.stderr.write("The fault runs need:\n" + "".join(f"  {each}\n" for each in lacking))
        return 2
    sys.stdout.write(f"seed {options.seed}: `{_scale(options)}` draws the same faults again\n")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fieldpost-faults-") as base:
        os.environ.setdefault(SHEETS, f"{base}/sheets")
        parts = (killed, full_disk_and_mutant)
        faults = [fault for part in parts for fault in part(Path(base), options)]
        if faults and options.keep:
            shutil.copytree(base, options.keep)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stdout.write(f"\n{time.monotonic() - began:.0f} s, of the processor {used.ru_utime + used.ru_stime:.0f} s\n")
    sys.stdout.write("".join(f"FAILED {each}\n" for each in faults))
    return int(bool(faults))


def killed(base: Path, options: argparse.Namespace) -> Iterator[str]:
    """Run on both databases at once, with kills; returns what is wrong."""
    runs = [begin(name, base / name, base / f"{name} records", options, options.kills) for name in options.on]
    for _ in range(2):  # both runs measure at the same time how soon killed workers are replaced
        for run in runs:
            run.wait()
        for run in runs:
            run.go_on()
    for run in runs:
        results = run.figures()
        show(run.name, results)
        yield from wrong(run.name, results, options.kills, options.lease + IN_TIME * options.slowness)
        run.site.remove()


def full_disk_and_mutant(base: Path, options: argparse.Namespace) -> Iterator[str]:
    """Two more kinds of runs, all at once, as their timing does not matter."""
    if options.only_kills:
        return
    with small_disk(base / "disk"):
        disk = begin("SQLite", base / "disk" / "data", base / "disk records", options, 0, "--full-disk")
        folders = {name: base / f"mutant {name}" for name in options.on}
        mutants = [
            begin(name, folder, base / f"{folder.name} records", options, MUTANT, "--mutant")
            for name, folder in folders.items()
        ]
        yield from full_disk(disk)
    for run in mutants:
        yield from mutant(run)


def full_disk(run: Started) -> Iterator[str]:
    """Run on SQLite with a disk that is full for a while; returns what is wrong."""
    results, name = run.figures(), f"{run.name}, the disk full for a while"
    show(name, results)
    yield from wrong(name, results, 0, 0)
    if int(str(results[IN_DOUBT])) > 1:
        yield f"{name}: {results[IN_DOUBT]} {IN_DOUBT}, more than one"


def mutant(run: Started) -> Iterator[str]:
    """Run the broken machinery, whose faults must show."""
    results = run.figures()
    show(f"{run.name}: no fence, blind recovery, no UNIQUE: must show double phases", results)
    if not results["double phases"]:
        yield f"{run.name}: the machinery without fence and UNIQUE was not found out: these runs see nothing"
    run.site.remove()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=105, help="on each database")
    parser.add_argument("--slowness", type=float, help="how many times as slow the machine is; else measured")
    parser.add_argument("--lease", type=int, help=f"seconds; {LEASE}, and more on a machine that is slow or busy")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    parser.add_argument("--campaigns", type=int, default=6, help="played at the same time")
    parser.add_argument("--most-seconds", type=float, help="for the kills on each database")
    parser.add_argument("--on", nargs="+", choices=["SQLite", "PostgreSQL"], default=["SQLite", "PostgreSQL"])
    parser.add_argument("--only-kills", action="store_true", help="no full disk, no machinery that must fail")
    parser.add_argument("--keep", type=Path, help="a folder for all that was written down, if anything fails")
    return parser.parse_args()


def _scale(options: argparse.Namespace) -> str:
    """Set what depends on how slow the machine is; returns the command that draws the same faults again."""
    options.slowness = options.slowness or round(slowness(), 2)
    options.lease = options.lease or round(LEASE * options.slowness)
    options.most_seconds = options.most_seconds or MOST_SECONDS * options.slowness
    named = ("kills", "slowness", "lease", "campaigns", "seed")
    return " ".join(["python -m tests.faults", *(f"--{name} {getattr(options, name)}" for name in named)])


if __name__ == "__main__":
    sys.exit(main())
