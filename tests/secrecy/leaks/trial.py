"""A leak tried: made in a copy of the project, where what should notice it must fail."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.secrecy.leaks import NO_GUARD, ROOT, Edit, Leak, kind_of

_PARTS = (
    "api",
    "archive",
    "campaign",
    "incoming",
    "orders",
    "posting",
    "questions",
    "staff",
    "stories",
    "gm",
    "deploy",
    "templates",
    "static",
    "tests",
    "manage.py",
    "pyproject.toml",
    "GLOSSARY.md",
)
_FAILED = 1
"""The exit status of pytest when a test failed."""

_PYTEST = ("pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not long")
"""What only the long form plays counts for nothing."""

_NEEDS_GUARD = "tests/web/addresses/test_guarded_pages.py"
"""It fails wherever pages are not guarded, whatever else leaks."""
_GUARD = (
    "tests/trust/guard/test_places.py",
    "tests/trust/guard/test_truth.py",
    "tests/trust/guard/test_guard.py",
    "tests/trust/guard/test_written.py",
    "tests/trust/guard/test_viewers.py",
    "tests/trust/memory/test_remembered.py",
    "tests/trust/memory/test_memory.py",
    _NEEDS_GUARD,
)
_SEARCHED: Sequence[Sequence[str]] = (
    _GUARD,
    ("tests/secrecy", "--ignore=tests/secrecy/two_worlds", "--ignore=tests/secrecy/one_world/test_leaks.py"),
    ("tests/secrecy/two_worlds",),
)
"""Where somebody looks for what notices a leak, in this order; then come examples, then all other tests."""
_OTHERS = ("tests", "--ignore=tests/secrecy", "--ignore=tests/browser", "--ignore=tests/faults", "--ignore=tests/fleet")


@dataclass(frozen=True)
class Attempt:
    leak: Leak
    by: str
    """What noticed it; empty: nothing."""
    said: str
    """The last lines of the test, if it did not fail as it should."""


def tried(leak: Leak, bases: Path) -> Attempt:
    """Run what should notice a leak, on worlds built without it."""
    with _made(leak.edits, bases) as copy:
        if leak.example:
            noticed, output = copy.told_apart("--example", leak.example)
        else:
            noticed, output = copy.failed(leak.test)
    by = f"{leak.noticed_by}{': ' if leak.test else ''}{leak.test}" if noticed else ""
    return Attempt(leak, by, "" if noticed else _end(output))


def found(leak: Leak, bases: Path) -> Attempt:
    """Look for what notices a leak: the guard, the tests of secrecy, examples, all other tests."""
    left_out = () if leak.guarded else (f"--deselect={_NEEDS_GUARD}",)
    with _made(leak.edits, bases) as copy:
        for places in _SEARCHED:
            noticed, output = copy.failed(*places, *left_out)
            if noticed:
                return _by_tests(leak, output)
        noticed, output = copy.told_apart()
        if noticed:
            return Attempt(leak, "an example of two worlds", _end(output))
        noticed, output = copy.failed(*_OTHERS, *left_out)
        return _by_tests(leak, output) if noticed else Attempt(leak, "", "nothing notices it")


def failing_anyway(chosen: Sequence[Leak], bases: Path, *, guarded: bool) -> list[str]:
    """What fails without a leak, of all that should notice these ones with the guard on, or off: it notices nothing."""
    here = [leak for leak in chosen if leak.guarded is guarded]
    tests, examples = ({getattr(leak, by): None for leak in here if getattr(leak, by)} for by in ("test", "example"))
    with _made(() if guarded else (NO_GUARD,), bases) as copy:
        return [*copy.failing(*tests), *(each for each in examples if copy.told_apart("--example", each)[0])]


def _by_tests(leak: Leak, output: str) -> Attempt:
    first = _names_in(output)[0]
    return Attempt(leak, f"{kind_of(first)}: {first}", _end(output))


def _names_in(output: str) -> list[str]:
    """The tests that failed, as pytest names them."""
    return re.findall(r"^(?:FAILED|ERROR) (\S+(?:\[.*?\])?)", output, re.MULTILINE)


def _end(output: str) -> str:
    return "\n".join(output.splitlines()[-15:])


@dataclass(frozen=True)
class _Copy:
    """A copy of the project."""

    folder: Path
    bases: Path

    def failed(self, *tests: str) -> tuple[bool, str]:
        """Whether one of these tests fails, and what pytest said."""
        run = self._run(*_PYTEST, "-x", *tests)
        output = run.stdout + run.stderr
        return run.returncode == _FAILED and " error" not in output.splitlines()[-1], output

    def failing(self, *tests: str) -> list[str]:
        """All of these tests that fail; what pytest said if it could not try them."""
        run = self._run(*_PYTEST, *tests) if tests else None
        return [] if run is None or not run.returncode else _names_in(run.stdout) or [_end(run.stdout + run.stderr)]

    def told_apart(self, *asked: str) -> tuple[bool, str]:
        """Whether an audience can tell the worlds of one of the examples apart, and what the run said."""
        run = self._run("tests.secrecy", "--first-found", *asked)
        return re.search("TOLD APART|differing answers: [1-9]", run.stdout) is not None, run.stdout + run.stderr

    def _run(self, *module: str) -> subprocess.CompletedProcess[str]:
        own = {"FIELDPOST_SECRECY_BASES": str(self.bases), "FIELDPOST_DATA": str(self.folder / "var")}
        command = [sys.executable, "-m", *module]
        return subprocess.run(
            command, cwd=self.folder, env={**os.environ, **own}, capture_output=True, text=True, check=False
        )


@contextmanager
def _made(edits: Sequence[Edit], bases: Path) -> Iterator[_Copy]:
    with tempfile.TemporaryDirectory(prefix="leak-") as folder:
        copy = Path(folder)
        for part in _PARTS:
            _copy(ROOT / part, copy / part)
        for edit in edits:
            path = copy / edit.file
            path.write_text(path.read_text(encoding="utf-8").replace(edit.old, edit.new), encoding="utf-8")
        yield _Copy(copy, bases)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)
