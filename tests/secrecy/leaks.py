"""Leaks made on purpose: each leak of `leaks.toml` is made in a copy of the project, and the test it names must fail.

`python -m tests.secrecy.leaks [NAME ...]` tries all of them, or those whose names contain one of these words.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PARTS = ("campaign", "orders", "gm", "deploy", "templates", "static", "tests", "manage.py", "pyproject.toml")
_TESTS_FAILED = 1
"""pytest's exit status when a test failed; any other is trouble of another kind."""


@dataclass(frozen=True)
class Edit:
    file: str
    old: str
    new: str


NO_GUARD = Edit("deploy/settings.py", '    "campaign.middleware.guarded_truth",\n', "")


@dataclass(frozen=True)
class Leak:
    name: str
    edits: tuple[Edit, ...]
    test: str
    """The test that must fail, as pytest names it."""


@dataclass(frozen=True)
class Attempt:
    leak: Leak
    caught: bool
    said: str
    """The last lines of the test, if it did not fail as it should."""


def leaks() -> Iterator[Leak]:
    """All leaks, in the order of the file."""
    read = tomllib.loads((Path(__file__).parent / "leaks.toml").read_text(encoding="utf-8"))
    for raw in read["leak"]:
        edits = [Edit(raw["file"], raw["old"], raw["new"]), *(Edit(*more) for more in raw.get("more", ()))]
        if not raw.get("guarded"):  # the two worlds must show it, not the guard
            edits.append(NO_GUARD)
        yield Leak(raw["name"], tuple(edits), read["tests"][raw["caught_by"]])


def stale(leak: Leak) -> list[str]:
    """The files that do not contain the text that the leak changes exactly once."""
    texts = {edit.file: (ROOT / edit.file).read_text(encoding="utf-8") for edit in leak.edits}
    return [edit.file for edit in leak.edits if texts[edit.file].count(edit.old) != 1]


def tried(leak: Leak, bases: Path) -> Attempt:
    """Make the leak in a copy and run its test there, on worlds built without it."""
    with tempfile.TemporaryDirectory(prefix="leak-") as folder:
        copy = Path(folder)
        for part in _PARTS:
            _copy(ROOT / part, copy / part)
        for edit in leak.edits:
            path = copy / edit.file
            path.write_text(path.read_text(encoding="utf-8").replace(edit.old, edit.new), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", leak.test]
        environment = {**os.environ, "FIELDPOST_SECRECY_BASES": str(bases), "FIELDPOST_DATA": str(copy / "var")}
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    output = run.stdout + run.stderr
    caught = run.returncode == _TESTS_FAILED and " error" not in output.splitlines()[-1]
    return Attempt(leak, caught, "" if caught else "\n".join(output.splitlines()[-15:]))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def main(words: Sequence[str]) -> int:
    begun = time.monotonic()
    chosen = [leak for leak in leaks() if not words or any(word in leak.name for word in words)]
    void = [f"{leak.name}: {', '.join(files)}" for leak in chosen if (files := stale(leak))]
    if void:
        print("These leaks no longer fit the code; write them again:", *void, sep="\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="bases-") as folder:
        bases = Path(folder) / "bases"
        build = [sys.executable, "-m", "tests.secrecy", "--build"]
        subprocess.run(build, cwd=ROOT, env={**os.environ, "FIELDPOST_SECRECY_BASES": str(bases)}, check=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            attempts = []
            for attempt in pool.map(lambda leak: tried(leak, bases), chosen):
                attempts.append(attempt)
                print(f"{'caught' if attempt.caught else 'MISSED'}  {attempt.leak.name}", flush=True)
                if attempt.said:
                    print(attempt.said, flush=True)
    caught = sum(attempt.caught for attempt in attempts)
    print(f"{caught} of {len(attempts)} leaks caught in {time.monotonic() - begun:.0f} s")
    return int(caught != len(attempts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
