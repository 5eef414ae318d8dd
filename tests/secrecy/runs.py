"""Many examples on all processors at once, and their results."""

import gc
import multiprocessing
import os
import pickle
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from multiprocessing.pool import AsyncResult, Pool
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from unittest import mock
from uuid import uuid4

from django.test import override_settings

from campaign import services
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import Audience
from campaign.game import rulebook
from campaign.game.loading import read_files, rule_texts
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.secrecy.truth import trust_process
from campaign.services import scenario_of
from gm.machine import sweeper
from posting.adapters import places
from tests.secrecy import forum
from tests.secrecy.asking.crawler import Lot, crawl
from tests.secrecy.asking.limits import counted
from tests.secrecy.asking.memories import MEMORIES
from tests.secrecy.asking.parameters import watched
from tests.secrecy.campaigns import Base, bases, live, no_campaign, truth
from tests.secrecy.chance import foreseen
from tests.secrecy.examples import KEPT, Example, shrunk
from tests.secrecy.figures import Figures
from tests.secrecy.games import GAMES
from tests.secrecy.games.game import Game, Position
from tests.secrecy.painting import views_alone
from tests.secrecy.pairs import Difference, Readers, compare, everybody, in_turn
from tests.secrecy.worlds import World


@dataclass
class Run:
    """The results of some examples."""

    figures: Figures = field(default_factory=Figures)
    found: list[tuple[Example, str]] = field(default_factory=list)
    """Examples whose worlds the observer could distinguish, shrunk, each with the difference."""
    broken: list[tuple[Example, str]] = field(default_factory=list)
    """Examples that could not be played to the end, each with the traceback."""
    discarded: list[Example] = field(default_factory=list)
    """Examples that compared nothing: their worlds were equal, or differed for the observer from the start."""

    def add(self, other: "Run") -> None:
        self.figures.add(other.figures)
        self.found += other.found
        self.broken += other.broken
        self.discarded += other.discarded


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
        mock.patch.object(services, "read_files", partial(read_files, rulesets=_RULESETS)),
        mock.patch.object(rulebook, "rule_texts", _rule_texts),
        mock.patch.object(places, "send", forum.answer),
        mock.patch.object(sweeper, "draw_one", return_value=0),  # slow, and the same for every audience
        mock.patch.object(sweeper, "forget_unused", return_value=0),  # it deletes files by the computer's own clock
        views_alone(),
        foreseen(),
        counted(),
        watched(),
        _disk_cache(),
    ):
        MEMORIES.look()
        yield


_RULESETS = [game.rules for game in GAMES.values()]
"""More than the product has."""


def _rule_texts(rules: Ruleset[Any, Any]) -> tuple[str, str]:
    text = GAMES[rules.key].rules_text
    return (text.read_text(encoding="utf-8"), "") if text else rule_texts(rules)


@contextmanager
def _disk_cache() -> Iterator[None]:
    """Keep base maps drawn while the campaigns are built in their folder, for all who play them from there."""
    before, folder = DISK_CACHE.folder, _folder()
    given = os.environ.get("FIELDPOST_TEST_SHEETS") or (folder / "sheets" if folder else before)
    DISK_CACHE.folder = given and Path(given)
    try:
        yield
    finally:
        DISK_CACHE.folder = before


def built() -> dict[str, Base]:
    """All campaigns, from the folder that FIELDPOST_SECRECY_BASES names; they are built there if they are missing."""
    _collect_seldom()
    folder = _folder()
    if folder and _is_built(folder):
        return {base.name: base for name in _OPENINGS for base in _read(folder / name)}
    no_campaign()  # the processes inherit it
    with multiprocessing.get_context("fork").Pool(2) as pool:
        worlds = {base.name: base for made in pool.imap_unordered(_played, _LONGEST_FIRST) for base in made}
    if folder:
        for base in worlds.values():
            _write(base, folder / base.opening)
    return worlds


def begun(opening: str, phases: int) -> dict[str, Base]:
    """A campaign at its first phases, from that folder if it exists."""
    _collect_seldom()
    folder = _folder()
    made = _read(folder / opening) if folder and _is_built(folder) else _phases(opening)
    return {base.name: base for base in islice(made, phases)}


def _collect_seldom() -> None:
    """Let Python look seldom for objects that hold each other: it finds few, and looking takes a tenth of a run.

    What is there now, modules above all, is never looked through again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def of_opening(name: str, worlds: Mapping[str, Base]) -> dict[str, Base]:
    """The phases of one campaign."""
    return {each: base for each, base in worlds.items() if base.opening == name}


_OPENINGS = {opening.name: (game, opening) for game in GAMES.values() for opening in game.openings}


_LONGEST_FIRST = sorted(_OPENINGS, key=lambda name: (name.startswith("toy"), "late" not in name))
"""Late ones first, which are played to their day, and the toy's last: so no process waits long for the other."""


def lacking(worlds: Mapping[str, Base]) -> Iterator[str]:
    """What campaigns should have in one of their phases, in the eyes of a side, and do not."""
    for name, (game, opening) in _OPENINGS.items():
        seen = [position for base in of_opening(name, worlds).values() for position in _positions(game, base)]
        yield from (f"{name}: {what}" for what, has in opening.has.items() if not any(map(has, seen)))


def _positions(of: Game, base: Base) -> Iterator[Position]:
    """The position in a phase, as each side sees it."""
    world = World.restored("read", base.snapshot)
    with world.present():
        phase = live()
        assert phase is not None
        loaded, state = scenario_of(phase.campaign), truth(phase)
        yield from (Position(of, loaded, state, Audience(side)) for side in of.sides)
    world.close()


def count_for_the_run(figures: Figures) -> None:
    """Let what a test has compared count in the run that follows it with the same campaigns (`make secrecy`)."""
    folder = _folder()
    if folder is not None:
        _tests(folder).mkdir(parents=True, exist_ok=True)
        written = _tests(folder) / f"{uuid4().hex}{_BEING_WRITTEN}"
        written.write_bytes(pickle.dumps(figures))
        written.rename(written.with_suffix(_COUNTED))  # others may read the folder meanwhile


def counted_before() -> Figures:
    """What tests have compared before this run."""
    whole, folder = Figures(), _folder()
    for path in sorted(_tests(folder).glob(f"*{_COUNTED}")) if folder is not None else ():
        whole.add(pickle.loads(path.read_bytes()))  # noqa: S301 # written above
    return whole


_BEING_WRITTEN, _COUNTED = ".part", ".figures"


def _tests(folder: Path) -> Path:
    return folder / "tests"


def _folder() -> Path | None:
    named = os.environ.get("FIELDPOST_SECRECY_BASES", "")
    return Path(named) if named else None


def _is_built(folder: Path) -> bool:
    return all((folder / opening).exists() for opening in _OPENINGS)


def _write(base: Base, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / base.name).write_bytes(pickle.dumps(base))


def _read(folder: Path) -> Iterator[Base]:
    for path in sorted(folder.iterdir()):
        yield pickle.loads(path.read_bytes())  # noqa: S301 # written above


def _played(opening: str) -> list[Base]:
    return list(_phases(opening))


def _phases(opening: str) -> Iterator[Base]:
    yield from bases(*_OPENINGS[opening])


def play(
    examples: Sequence[Example],
    worlds: Mapping[str, Base],
    led: Iterable[str] = (),
    *,
    workers: int,
    readers: Readers,
    until: float = 0.0,
    shrink: bool = True,
) -> Iterator[Run]:
    """Play examples in several processes that inherit the worlds; yields the result of each when it is over.

    `led`: phases in which the game master of the campaign reads what is for game masters. `until`: a moment of the
    monotonic clock after which none begins, in the order of their numbers; without it the longest come first, so that
    all processes have something to do to the end. `shrink`: make those that fail as small as still fail.
    """
    in_order = examples if until else sorted(examples, key=lambda each: length(each, worlds), reverse=True)
    tasks = [*(partial(_crawled_by_gm, name) for name in led)]
    tasks += [partial(_one, each, readers, until=until, shrink=shrink) for each in in_order]
    with _pool(worlds, workers) as pool:
        yield from pool.imap_unordered(_call, tasks)


def play_on(
    following: Callable[[Sequence[Example]], Example | None],
    worlds: Mapping[str, Base],
    *,
    workers: int,
    readers: Readers,
    until: float = 0.0,
    shrink: bool = True,
) -> Iterator[Run]:
    """The same with examples that are chosen one by one, whenever a process has nothing to do.

    `following`: the next example, given those that are being played; None if there is none for now.
    """
    task = partial(_one, readers=readers, until=until, shrink=shrink)
    playing, ended = dict[Example, AsyncResult[Run]](), SimpleQueue[Example]()
    with _pool(worlds, workers) as pool:
        while True:
            while len(playing) < workers and (each := following([*playing])) is not None:
                over = partial(_put, ended, each)
                playing[each] = pool.apply_async(task, [each], callback=over, error_callback=over)
            if not playing:
                return
            yield playing.pop(ended.get()).get()


def length(example: Example, worlds: Mapping[str, Base]) -> int:
    """How long an example takes, roughly, to compare with others."""
    return len(example.acts) * len(worlds[example.base].snapshot.database)


def _pool(worlds: Mapping[str, Base], workers: int) -> Pool:
    """Processes that inherit the worlds."""
    context = multiprocessing.get_context("fork")
    return context.Pool(workers, initializer=_inherit, initargs=(worlds,), maxtasksperchild=_TASKS)


def _put(queue: SimpleQueue[Example], example: Example, _: object) -> None:
    queue.put(example)


def _call(task: Callable[[], Run]) -> Run:
    return task()


_TASKS = 50
"""The number of examples after which a process is replaced, as its memory grows with the worlds it has seen."""

_WORLDS: dict[str, Base] = {}


def _inherit(worlds: Mapping[str, Base]) -> None:
    """Prepare a process. The pool starts those that replace others from its own thread, which is not trusted."""
    trust_process()
    _WORLDS.update(worlds)


def _one(each: Example, readers: Readers, *, until: float, shrink: bool) -> Run:
    done = Run()
    if until and time.monotonic() > until:
        return done
    try:
        compare(each, _WORLDS, done.figures, readers=readers)
        if done.figures.discarded:
            done.discarded.append(each)
    except Difference as difference:
        keep(each)  # shrinking takes long, and may be cut off
        kind = difference.kind
        small = shrunk(each, lambda other: _difference_of(other, readers) == kind) if shrink else each
        done.found.append((small, str(difference)))
    except Exception:  # the others are still played, and the run fails in the end
        return Run(broken=[(each, traceback.format_exc())])
    return done


def play_one(each: Example, worlds: Mapping[str, Base]) -> Run:
    """Play an example in this process as a run does, and then so that everybody reads everything in the end."""
    _inherit(worlds)
    done = _one(each, in_turn, until=0.0, shrink=False)
    if not (done.found or done.broken):
        done.add(_one(each, everybody, until=0.0, shrink=False))
    return done


def _difference_of(each: Example, readers: Readers) -> str:
    try:
        compare(each, _WORLDS, Figures(), readers=readers)
    except Difference as difference:
        return difference.kind
    except Exception:
        return ""  # with fewer acts a step may not be possible, which is another failure
    return ""


def _crawled_by_gm(name: str) -> Run:
    """The routes for game masters that the one of a campaign can use in a phase, counted."""
    world = World.restored("gm", _WORLDS[name].snapshot)
    led = crawl(world, "gm", lot=Lot("gm", 0.0, ("/desk/", "/gm/"))).reached
    world.close()
    return Run(Figures(led=led))


def keep(each: Example) -> None:
    """Write a failing example to a file, which every run plays again."""
    KEPT.mkdir(exist_ok=True)
    name = f"{each.base}-{each.observer}-{each.seed}"
    (KEPT / f"{name}.json").write_text(each.to_json(), encoding="utf-8")
