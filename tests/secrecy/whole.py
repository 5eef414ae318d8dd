"""A whole run: the campaigns, answers to sheets, examples, and the report."""

import argparse
import time
from collections.abc import Iterator, Mapping

from tests.secrecy import answers, pairs, runs
from tests.secrecy.campaigns import Base
from tests.secrecy.crawler import BY_SECRET, routes
from tests.secrecy.mutators import MUTATORS
from tests.secrecy.pairs import LOCKED, OTHER_MOVES, OTHER_ORDERS, PUBLISHED, WITHDRAWN, Figures
from tests.secrecy.steps import watchers_of
from tests.secrecy.truth import EDGE, PATH

_OFTEN = 0.3
"""The least part of all placements that must be where an oracle would reveal a unit (secrecy.md 3)."""
_SELDOM = 0.1
_RARELY = 0.02
_SAID_AFTER = 100
"""Examples between two lines of progress."""


def build() -> int:
    """Build the campaigns only; returns the exit status."""
    begun = time.monotonic()
    with runs.service():
        campaigns = runs.built()
    print(f"{len(campaigns.small)} phases, and {len(campaigns.large)} of the large campaign: {_since(begun)}")
    return 0


def run(asked: argparse.Namespace) -> int:
    """Do all that the command line asks for; returns the exit status."""
    begun = time.monotonic()
    until = begun + asked.minutes * 60 if asked.minutes else 0.0
    with runs.service():
        campaigns = runs.built()
        worlds = campaigns.small
        compared = _compared(campaigns, asked)
        print(f"{_since(begun)}", flush=True)
        numbers = range(asked.first, asked.first + asked.examples)
        examples = [*pairs.kept_examples(), *(pairs.example(number, sorted(worlds)) for number in numbers)]
        readers = pairs.everybody if asked.everybody else pairs.by_lot
        done = runs.Run()
        play = runs.play(examples, worlds, workers=asked.workers, readers=readers, until=until)
        for played, each in enumerate(play, 1):
            done.add(each)
            _tell(each)
            if played % _SAID_AFTER == 0:
                print(f"{played:,} played, {len(done.found)} told apart: {_since(begun)}", flush=True)
        unreached = sorted(_unreached(done.figures, worlds, asked.workers))
    for line in _report(done.figures):
        print(line)
    print(_since(begun))
    unused = [name for name in MUTATORS if not done.figures.mutators[name]]
    blind = sorted({who for each in pairs.OBSERVERS for who in watchers_of(each)} - done.figures.readers.keys())
    idle = list(_idle(done.figures))
    shortcomings = {
        "never used": unused,
        "reached by nobody": unreached,
        "have read nothing": blind,
        "too seldom": idle,
    }
    for what, names in shortcomings.items():
        if names:
            print(f"{what}: {', '.join(names)}")
    return int(bool(done.found or compared.differing or any(shortcomings.values())))


def _tell(played: runs.Run) -> None:
    """Print a difference at once and keep the example as it is now: the rest of a run may take hours."""
    for example, difference in played.found:
        print(f"TOLD APART: {example.to_json().strip()}\n{difference}", flush=True)
        runs.keep(example)


def _compared(campaigns: runs.Campaigns, asked: argparse.Namespace) -> answers.Comparison:
    """Compare answers: at least a tenth of the large campaign, the rest of the small one."""
    whole = answers.Comparison()
    for name, worlds, share in (("large", campaigns.large, 10), ("small", campaigns.small, 1)):
        at_least = asked.answers // share - whole.pairs.total()
        compared = answers.run_all(worlds, at_least=at_least, workers=asked.workers)
        print(f"{name} campaign, {compared}", flush=True)
        whole.add(compared)
    return whole


def _idle(figures: Figures) -> Iterator[str]:
    """What the examples should have done often and did not."""
    placed, done = figures.placements, figures.done
    yield from (f"placed {kind}" for kind in (EDGE, PATH) if placed[kind] < _OFTEN * placed.total())
    often = {LOCKED: _SELDOM, PUBLISHED: _SELDOM, OTHER_ORDERS: _SELDOM, OTHER_MOVES: _RARELY, WITHDRAWN: _RARELY}
    yield from (f"stops {what}" for what, share in often.items() if done[what] < share * figures.examples)


def _unreached(figures: Figures, worlds: Mapping[str, Base], workers: int) -> Iterator[str]:
    """Routes that neither the watchers nor the game master could use."""
    last = {name: worlds[name] for name in sorted(worlds)[-3:]}
    found = figures.reached + runs.reached_by_gm(last, workers=workers)
    yield from (route for route, _ in routes() if route not in found and route not in BY_SECRET)


def _report(figures: Figures) -> Iterator[str]:
    for name, value in vars(figures).items():
        if name == "reached":
            yield f"routes reached: {len(value)}"
        elif isinstance(value, dict):
            yield f"{name}: {', '.join(f'{key} {value[key]}' for key in sorted(value, key=_in_order))}"
        else:
            yield f"{name}: {value:,}"


def _in_order(name: str) -> tuple[str, int]:
    return name[0], int(name[1:]) if name[1:].isdigit() else 0


def _since(begun: float) -> str:
    return f"{time.monotonic() - begun:.0f} s"
