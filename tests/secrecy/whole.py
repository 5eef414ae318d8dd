"""A whole run: the campaigns, answers to sheets, examples, and the report."""

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TypedDict

from tests.secrecy import answers, pairs, runs
from tests.secrecy.asking.crawler import (
    AFTER_A_MORNING,
    AFTER_THE_END,
    BY_SECRET,
    OF_A_CAMPAIGN,
    OF_GM,
    OF_LIBRARIES,
    ON_REQUEST,
    WHILE_A_DRAFT_WAITS,
    routes,
)
from tests.secrecy.asking.foreign import METHODS
from tests.secrecy.asking.order import Order
from tests.secrecy.campaigns import Base
from tests.secrecy.examples import Example, example, kept_examples, sure_examples
from tests.secrecy.figures import Figures
from tests.secrecy.games import GAMES
from tests.secrecy.games.game import ANYWHERE, EDGE, MARGIN, MOST, PATH, SUPPLY
from tests.secrecy.mutators import MUTATORS
from tests.secrecy.painting import painted
from tests.secrecy.pairs import LOCKED, OTHER_MOVES, OTHER_ORDERS, PUBLISHED, WITHDRAWN
from tests.secrecy.steps import STEPS
from tests.secrecy.steps.hours import HOURS
from tests.secrecy.steps.limits import BY_STEP, LIMITS
from tests.secrecy.steps.plan import watchers_of

SEVERAL = 3
"""How often a run uses each campaign, mutator, step, limit, hour, reader, order, method and route at least.

A parameter of a route is given once at least.
"""
_OFTEN = 0.3
"""The least part of all placements that must be where an oracle would reveal a unit (secrecy.md 3)."""
_SELDOM = 0.1
_RARELY = 0.01
_SAID_AFTER = 100
"""Examples between two lines of progress."""


@contextmanager
def _service(*, paint: bool) -> Iterator[None]:
    """The service of a run, which paints maps and boards if it is asked to."""
    with runs.service(), painted() if paint else nullcontext():
        yield


def build(*, paint: bool) -> int:
    """Build the campaigns only; returns the exit status."""
    begun = time.monotonic()
    with _service(paint=paint):
        worlds = runs.built()
        lacking = list(runs.lacking(worlds))
    strange = sorted({each.base for each in (*kept_examples(long=True), *sure_examples())} - worlds.keys())
    count = Counter(base.opening for base in worlds.values())
    print(f"phases of {', '.join(f'{name} {count[name]}' for name in count)}: {_since(begun)}")
    for what in lacking:
        print(f"no phase has what it is for, {what}")
    for base in strange:
        print(f"an example is kept of a phase that there is not, {base}")
    return int(bool(lacking or strange))


def play_one(text: str, *, paint: bool) -> int:
    """Play one example, in JSON; returns the exit status."""
    with _service(paint=paint):
        done = runs.play_one(Example.from_json(text), runs.built())
    _tell(done)
    return int(bool(done.found or done.broken))


def run(asked: argparse.Namespace) -> int:
    """Do all that the command line asks for; returns the exit status."""
    begun = time.monotonic()
    until = begun + asked.minutes * 60 if asked.minutes else 0.0
    with _service(paint=asked.painted):
        worlds = runs.built()
        compared = _compared(worlds, asked)
        print(f"{_since(begun)}", flush=True)
        if compared.differing and asked.first_found:
            return 1
        done = runs.Run() if asked.first_found else runs.Run(runs.counted_before())
        print(f"compared by tests before: {done.figures.examples} examples", flush=True)
        for played, each in enumerate(_played(worlds, asked, done, until), 1):
            done.add(each)
            _tell(each)
            if done.found and asked.first_found:
                return 1
            if played % _SAID_AFTER == 0:
                told, broken = len(done.found), len(done.broken)
                print(f"{played:,} played, {told} told apart, {broken} broken off: {_since(begun)}", flush=True)
    for line in _report(done.figures):
        print(line)
    print(_since(begun))
    shortcomings = _shortcomings(done)
    for what, names in shortcomings.items():
        print(f"{what}: {', '.join(names)}")
    return int(bool(done.found or compared.differing or shortcomings))


_MORE, _OUT_OF = 40, 60
"""The most further examples, and how many they are chosen from: those that have most of what was used too seldom."""


def _played(worlds: Mapping[str, Base], asked: argparse.Namespace, done: runs.Run, until: float) -> Iterator[runs.Run]:
    """The results of examples always played or asked for, and of more while `done`, which has them, lacks anything."""
    end = asked.first + asked.examples
    kept = kept_examples(long=bool(asked.examples))
    chosen = [*kept, *sure_examples(), *(example(each, worlds) for each in range(asked.first, end))]
    further = [example(each, worlds) for each in range(end, end + _OUT_OF)]
    readers = pairs.everybody if asked.everybody else pairs.in_turn
    how = _How(workers=asked.workers, readers=readers, until=until, shrink=not asked.first_found)
    yield from runs.play(chosen, worlds, sorted(runs.of_opening(MOST, worlds))[-SEVERAL:], **how)
    if missing := sorted(_missing(done.figures)):
        print(f"further examples are played for: {', '.join(missing)}", flush=True)

    def following(playing: Sequence[Example]) -> Example | None:
        """The example with most of what is missing for its length, after those being played too; None if nothing is."""
        missing = _missing(done.figures)
        for each in playing:
            missing -= _parts(each, worlds)
        if not missing or len(further) <= _OUT_OF - _MORE:
            return None
        best = max(further, key=lambda each: (missing & _parts(each, worlds)).total() / runs.length(each, worlds))
        further.remove(best)
        return best

    yield from runs.play_on(following, worlds, **how)


class _How(TypedDict):
    """How examples are played: see `runs.play`."""

    workers: int
    readers: pairs.Readers
    until: float
    shrink: bool


def _parts(example: Example, worlds: Mapping[str, Base]) -> Counter[str]:
    """What an example has of what a run uses several times."""
    return Counter([*(act.name for act in example.acts), worlds[example.base].opening])


def _missing(figures: Figures) -> Counter[str]:
    """What was used too seldom, and how often it should still be used: hours, limits and placements by their acts."""
    missing = Counter({name: SEVERAL - used for names in _rare(figures).values() for name, used in names.items()})
    missing.update(dict.fromkeys(_idle(figures), 1))
    reached_in: dict[str, Iterable[str]] = {**BY_STEP, **{name: hours for name, (_, hours) in HOURS.items()}}
    for name, declared in reached_in.items():
        missing[name] = max(missing.pop(each, 0) for each in (name, *declared))
    if any(name.startswith("placed ") for name in missing):
        missing |= Counter(M1=2, M2=2)  # the larger of both counts
    return +missing


def _tell(played: runs.Run) -> None:
    """Print at once what was found, and keep an example whose worlds differ: the rest of a run may take hours."""
    for each, difference in played.found:
        print(f"TOLD APART: {each.to_json().strip()}\n{difference}", flush=True)
        runs.keep(each)
    for each, trouble in played.broken:
        print(f"BROKEN: {each.to_json().strip()}\n{trouble}", flush=True)
    for each in played.discarded:
        print(f"DISCARDED: {each.to_json().strip()}", flush=True)


def part_of(who: str) -> str:
    """What a reader is, whatever side they are on."""
    sides = [side for game in GAMES.values() for side in game.sides if who.startswith(f"{side} ")]
    return who.removeprefix(f"{sides[0]} ") if sides else who


_SHARES = {"toy": 0.003, "area": 0.01, "late": 0.1, "large": 0.1}
"""The part of all answers that is compared in these campaigns. In the toy each answer is to one line."""


def _compared(worlds: Mapping[str, Base], asked: argparse.Namespace) -> answers.Comparison:
    """Compare answers: in the small campaign, where they are cheap, all those that the others leave."""
    whole = answers.Comparison()
    for name in (*_SHARES, MOST):
        here, left = runs.of_opening(name, worlds), asked.answers - whole.pairs.total()
        at_least = int(asked.answers * _SHARES[name]) if name in _SHARES else left
        compared = answers.run_all(here, at_least=at_least, workers=asked.workers)
        print(f"{name} campaign, {compared}", flush=True)
        whole.add(compared)
    named = answers.run_names(runs.of_opening(MOST, worlds) | runs.of_opening("toy", worlds), workers=asked.workers)
    print(f"names of hidden things, {named}", flush=True)
    whole.add(named)
    return whole


def _idle(figures: Figures) -> Iterator[str]:
    """What the examples should have done often and did not."""
    placed, done = figures.placements, figures.done
    shares = {EDGE: _OFTEN, PATH: _OFTEN, **dict.fromkeys((SUPPLY, MARGIN, ANYWHERE), _RARELY)}
    yield from (f"placed {kind}" for kind, share in shares.items() if placed[kind] < share * placed.total())
    often = {LOCKED: _SELDOM, PUBLISHED: _SELDOM, OTHER_ORDERS: _SELDOM, OTHER_MOVES: _RARELY, WITHDRAWN: _RARELY}
    yield from (f"phases {what}" for what, share in often.items() if done[what] < share * figures.examples)


_UNREACHED = BY_SECRET | AFTER_A_MORNING | AFTER_THE_END | WHILE_A_DRAFT_WAITS


def _rare(figures: Figures) -> dict[str, dict[str, int]]:
    """What was used too seldom, of all that there is, and how often it was."""
    readers = {part_of(who) for game in GAMES.values() for each in game.observers for who in watchers_of(game, each)}
    read = Counter(part_of(who) for who in figures.readers.elements())
    there = {
        "campaigns": ([opening.name for game in GAMES.values() for opening in game.openings], figures.campaigns),
        "mutators": (MUTATORS, figures.mutators),
        "steps": (STEPS, figures.steps),
        "limits": (LIMITS, figures.limits),
        "hours": ([name for _, declared in HOURS.values() for name in declared], figures.hours),
        "readers": (sorted(readers), read),
        "orders": ([each.value for each in Order], figures.orders),
        "methods": (METHODS, figures.methods),
        "parameters": (sorted(filter(_is_ours, figures.looked_for)), Counter(dict.fromkeys(figures.given, SEVERAL))),
        "routes": ([route for route, _ in routes() if route not in _UNREACHED], figures.reached + _of_gms(figures.led)),
    }
    return {what: {name: used[name] for name in names if used[name] < SEVERAL} for what, (names, used) in there.items()}


def _is_ours(parameter: str) -> bool:
    """Whether a reader must have given this parameter of a route.

    Not those of pages that belong to no campaign or to a game master, not those by which libraries choose a notation,
    and not those of pictures that take long to draw: they are given by lot.
    """
    route, _, name = parameter.rpartition(" ")
    seldom = re.search(f"{OF_GM.pattern}|{ON_REQUEST}", route) or name in OF_LIBRARIES
    return route.startswith(OF_A_CAMPAIGN) and not seldom


def _of_gms(led: Counter[str]) -> Counter[str]:
    """The routes that lead nobody but a game master anywhere: nobody who is compared could ask for more."""
    return Counter({route: count for route, count in led.items() if OF_GM.search(route)})


def _shortcomings(done: runs.Run) -> dict[str, list[str]]:
    """By what it is: all that examples should have used more often, and how many compared nothing or not everything."""
    found = {
        f"{what} used less than {SEVERAL} times": [f"{name} {used}" for name, used in names.items()]
        for what, names in _rare(done.figures).items()
    }
    found["too seldom"] = list(_idle(done.figures))
    for what, number in (("discarded", done.figures.discarded), ("broken off", len(done.broken))):
        found[what] = [f"{number} examples"] if number else []
    return {what: names for what, names in found.items() if names}


def _report(figures: Figures) -> Iterator[str]:
    for name, value in vars(figures).items():
        if name == "sure":
            continue
        if name in ("reached", "led"):
            yield f"routes {name}: {len(value)}"
        elif name in ("looked_for", "given"):
            yield f"parameters {name.replace('_', ' ')}: {len(value)}"
        elif isinstance(value, dict):
            yield f"{name}: {', '.join(f'{key} {value[key]}' for key in sorted(value, key=_in_order))}"
        else:
            yield f"{name}: {value:,}"


def _in_order(name: str) -> tuple[str, int]:
    return name[0], int(name[1:]) if name[1:].isdigit() else 0


def _since(begun: float) -> str:
    return f"{time.monotonic() - begun:.0f} s"
