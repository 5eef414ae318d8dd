"""Many examples on all processors at once, and their results."""

import multiprocessing
import os
import pickle
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from django.test import override_settings

from campaign.maps.drawing.disk_cache import DISK_CACHE
from tests.secrecy.campaigns import LARGE, SCENARIO, Base, bases
from tests.secrecy.chance import foreseen
from tests.secrecy.crawler import crawl
from tests.secrecy.pairs import KEPT, Difference, Example, Figures, Readers, compare, shrunk
from tests.secrecy.worlds import World

PHASES = 13
"""Three days of the small campaign."""
_LARGE_PHASES = 4
"""The first day of the large one."""


@dataclass
class Run:
    """The results of some examples."""

    figures: Figures = field(default_factory=Figures)
    found: list[tuple[Example, str]] = field(default_factory=list)
    """Examples whose worlds the observer could distinguish, shrunk, each with the difference."""

    def add(self, other: "Run") -> None:
        self.figures.add(other.figures)
        self.found += other.found


@contextmanager
def service() -> Iterator[None]:
    """The settings under which worlds run, regardless of the environment."""
    with (
        override_settings(
            EMAIL_BACKEND="tests.secrecy.worlds.Post",
            ALLOWED_HOSTS=["testserver", "localhost"],
            SECRET_KEY="two worlds have the same secret key",  # noqa: S106
            SITE_URL="http://localhost:8000",
            BROKER_URL="",
            CACHES={"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}},
            DEBUG=False,
        ),
        foreseen(),
        _disk_cache(),
    ):
        yield


@contextmanager
def _disk_cache() -> Iterator[None]:
    """Keep base maps drawn while the campaigns are built in their folder, for all who play them from there."""
    before, folder = DISK_CACHE.folder, _folder()
    DISK_CACHE.folder = folder / "sheets" if folder else before
    try:
        yield
    finally:
        DISK_CACHE.folder = before


@dataclass(frozen=True)
class Campaigns:
    """A campaign at each of its first phases, by name: a small one, and a large one for a sample of answers."""

    small: Mapping[str, Base]
    large: Mapping[str, Base]


def built() -> Campaigns:
    """Both campaigns, from the folder that FIELDPOST_SECRECY_BASES names; they are built there if they are missing."""
    folder = _folder()
    if folder and (folder / "small").exists():
        return Campaigns(dict(_read(folder / "small")), dict(_read(folder / "large")))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        made = Campaigns(*pool.starmap(_played, [(PHASES, SCENARIO), (_LARGE_PHASES, LARGE)], chunksize=1))
    if folder:
        _write(made.small, folder / "small")
        _write(made.large, folder / "large")
    return made


def begun(phases: int) -> dict[str, Base]:
    """The small campaign at its first phases, from that folder if it exists."""
    folder = _folder()
    if folder and (folder / "small").exists():
        return dict(islice(_read(folder / "small"), phases))
    return _played(phases, SCENARIO)


def _folder() -> Path | None:
    named = os.environ.get("FIELDPOST_SECRECY_BASES", "")
    return Path(named) if named else None


def _write(worlds: Mapping[str, Base], folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, base in worlds.items():
        (folder / name).write_bytes(pickle.dumps(base))


def _read(folder: Path) -> Iterator[tuple[str, Base]]:
    for path in sorted(folder.iterdir()):
        yield path.name, pickle.loads(path.read_bytes())  # noqa: S301 # written above


def _played(phases: int, scenario: str) -> dict[str, Base]:
    return {base.name: base for base in bases(phases, scenario)}


def play(
    examples: Sequence[Example],
    worlds: Mapping[str, Base],
    *,
    workers: int,
    readers: Readers,
    until: float = 0.0,
) -> Iterator[Run]:
    """Play examples in several processes that inherit the worlds; yields the result of each when it is over.

    `until`: a moment of the monotonic clock after which none begins.
    """
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, initializer=_inherit, initargs=(worlds,), maxtasksperchild=_TASKS) as pool:
        yield from pool.imap_unordered(_one, [(each, readers, until) for each in examples])


_TASKS = 50
"""The number of examples after which a process is replaced, as its memory grows with the worlds it has seen."""

_WORLDS: dict[str, Base] = {}


def _inherit(worlds: Mapping[str, Base]) -> None:
    _WORLDS.update(worlds)


def _one(task: tuple[Example, Readers, float]) -> Run:
    (each, readers, until), done = task, Run()
    if until and time.monotonic() > until:
        return done
    try:
        compare(each, _WORLDS, done.figures, readers=readers)
    except Difference as difference:
        keep(each)  # shrinking takes long, and may be cut off
        kind = difference.kind
        small = shrunk(each, lambda other: _difference_of(other, readers) == kind)
        done.found.append((small, str(difference)))
    return done


def _difference_of(each: Example, readers: Readers) -> str:
    try:
        compare(each, _WORLDS, Figures(), readers=readers)
    except Difference as difference:
        return difference.kind
    return ""


def reached_by_gm(worlds: Mapping[str, Base], *, workers: int) -> Counter[str]:
    """The routes that the game master of a campaign can use, counted."""
    context = multiprocessing.get_context("fork")
    with context.Pool(workers) as pool:
        return sum(pool.imap_unordered(_crawled_by_gm, worlds.values()), Counter[str]())


def _crawled_by_gm(base: Base) -> Counter[str]:
    world = World.restored("gm", base.snapshot)
    reached = crawl(world, "gm").reached
    world.close()
    return reached


def keep(each: Example) -> None:
    """Write a failing example to a file, which every run plays again."""
    KEPT.mkdir(exist_ok=True)
    name = f"{each.base}-{each.observer}-{each.seed}"
    (KEPT / f"{name}.json").write_text(each.to_json(), encoding="utf-8")
