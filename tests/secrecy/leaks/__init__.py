"""Leaks made on purpose, as somebody might write them who forgets for a moment where he is.

Each is a few edits of the project's files, in `planted/`, and says what notices it: a test by its name in `tests.toml`,
or an example of two worlds. `python -m tests.secrecy.leaks` makes them one after the other in copies of the project.
Those in `untried/`, if there are any, were written by somebody who does not know these tests; nobody has looked yet for
what notices them.

The guard on secret tables is off for leaks that the two worlds must show by themselves; it stays on, as in production,
for those that are `guarded`.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
FEW = 10
"""At most one in so many leaks may be noticed by a test that is neither of secrecy nor of the guard."""


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
    test: str = ""
    """The test that must fail, as pytest names it; empty: an example shows the leak, or nobody knows what does."""
    example: str = ""
    """An example of two worlds that an audience can distinguish, as JSON."""

    @property
    def guarded(self) -> bool:
        """Whether it is tried with the guard on, as in production."""
        return NO_GUARD not in self.edits

    @property
    def noticed_by(self) -> str:
        """The kind of thing that notices it."""
        return "an example of two worlds" if self.example else kind_of(self.test)


def kind_of(test: str) -> str:
    """The kind of a test, by its place."""
    kinds = {
        "tests/secrecy/two_worlds/": "two worlds",
        "tests/secrecy/": "a test of secrecy",
        "tests/trust/": "the guard",
        "tests/web/addresses/test_guarded_pages.py": "the guard",
    }
    return next((kind for place, kind in kinds.items() if test.startswith(place)), OTHER)


OTHER = "another test"


def leaks() -> Iterator[Leak]:
    """All leaks that name what notices them, file by file."""
    tests = tomllib.loads((HERE / "tests.toml").read_text(encoding="utf-8"))["tests"]
    for raw in _read("planted"):
        yield _leak(raw, tests, guarded=raw.get("guarded", False))


def untried() -> Iterator[Leak]:
    """All leaks that do not, with the guard on as in production, file by file."""
    for raw in _read("untried"):
        yield _leak(raw, {}, guarded=True)


def _read(folder: str) -> Iterator[Mapping[str, Any]]:
    for path in sorted((HERE / folder).glob("*.toml")):
        yield from tomllib.loads(path.read_text(encoding="utf-8"))["leak"]


def _leak(raw: Mapping[str, Any], tests: Mapping[str, str], *, guarded: bool) -> Leak:
    edits = [Edit(raw["file"], raw["old"], raw["new"]), *(Edit(*more) for more in raw.get("more", ()))]
    edits += [] if guarded else [NO_GUARD]
    by = raw.get("caught_by", "")
    return Leak(raw["name"], tuple(edits), tests.get(by, by), raw.get("example", ""))


def stale(leak: Leak) -> list[str]:
    """The files that do not contain the text that the leak changes exactly once."""
    texts = {edit.file: (ROOT / edit.file).read_text(encoding="utf-8") for edit in leak.edits}
    return [edit.file for edit in leak.edits if texts[edit.file].count(edit.old) != 1]
