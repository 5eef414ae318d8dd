"""The answers to every order for every unit in every hex, in two worlds that a side cannot distinguish.

They come from the function that the pages use, and from the player's state in each world's rows. A sheet has one line
for each of the side's units, so one answer covers as many orders as it has lines.
"""

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import Audience, PhaseKey
from campaign.models import User
from campaign.selectors import Knowledge, knowledge
from campaign.viewers import viewer_of
from orders.answers import Answer, answer
from orders.desks import first_place
from tests.secrecy.campaigns import SIDES, SLUG, Base, live
from tests.secrecy.knowledge import known_to
from tests.secrecy.mutators import mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.truth import Truth, planned
from tests.secrecy.worlds import World

ORDERS: Mapping[str, Sequence[str]] = {
    "german_sheet": ("MOVE {unit} to {hex}", "ATTACK {unit} {hex}", "THEN {unit} to {hex}"),
    "allied_sheet": ("MOVE {unit} to {hex}", "ATTACK {unit} {hex}", "THEN {unit} to {hex}", "DEMOLISH {hex}"),
    "air": ("PARADROP {unit} {hex}", "INTERDICT {hex} 1", "BUY {unit} tanks", "AIRDROP {unit}", "ARTILLERY {unit}"),
}
_STATES = ("M1", "M2", "M3", "M4", "M5", "M10")
_MOST_HEXES = 150
"""All hexes of a small map are asked about; of a larger one a sample, a new one for each pair of worlds."""
_SAMPLE = 40


@dataclass
class Comparison:
    """The number of answers compared, by order."""

    pairs: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    worlds: int = 0
    differing: int = 0
    first: str = ""

    def add(self, other: "Comparison") -> None:
        self.pairs += other.pairs
        self.codes += other.codes
        self.worlds += other.worlds
        self.differing += other.differing
        self.first = self.first or other.first

    def __str__(self) -> str:
        by_order = ", ".join(f"{name} {count:,}" for name, count in sorted(self.pairs.items()))
        whole = f"pairs of answers: {self.pairs.total():,} in {self.worlds} pairs of worlds ({by_order})"
        return f"{whole}; differing answers: {self.differing}" + (f"\n{self.first}" if self.first else "")


def run_all(worlds: Mapping[str, Base], *, at_least: int, workers: int) -> Comparison:
    """Compare a pair of worlds for each sheet of each phase, again and again until there are enough answers."""
    done, rounds = Comparison(), count()
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, initializer=_BASES.update, initargs=(dict(worlds),)) as pool:
        while done.pairs.total() < at_least:
            for part in pool.imap_unordered(_one, list(_tasks(worlds, next(rounds)))):
                done.add(part)
    return done


_BASES: dict[str, Base] = {}


def _one(task: tuple[str, str, int]) -> Comparison:
    name, side, seed = task
    return compare_answers(_BASES[name], Audience(side), seed)


def _tasks(worlds: Mapping[str, Base], number: int) -> Iterator[tuple[str, str, int]]:
    for name in sorted(worlds):
        phase = name.partition("-")[2]
        if phase in ORDERS:
            yield from ((name, side, number) for side in SIDES if phase == "air" or phase.startswith(side))


def compare_answers(base: Base, side: Audience, seed: int) -> Comparison:
    """Compare all answers of one pair of worlds."""
    one, two = (World.restored(name, base.snapshot) for name in ("one", "two"))
    done, chance = Comparison(worlds=1), Random(f"verdicts {base.name} {side} {seed}")
    try:
        with one.present():
            truth = Truth.read(side)
            assert truth is not None
            ways = [way for _, way in planned(truth.loaded, truth.state, side, chance)]  # type: ignore[arg-type]
        for name in chance.sample(_STATES, k=4):
            mutate(name, Change(two, side, chance, ways), seed)
        if known_to(one, side) != known_to(two, side):
            return done
        asked = [_Asked.of(world, side) for world in (one, two)]
        for verb, text in sheets(asked[0], chance):
            before, after = (each.answer(text) for each in asked)
            lines = text.count("\n") + 1
            done.pairs[verb] += lines
            done.codes.update(problem.code for problem in before.problems)
            if before != after:
                done.differing += 1
                done.first = done.first or f"{side} at {base.name}: {text!r}\n  {before.text}\n  {after.text}"
    finally:
        one.close()
        two.close()
    return done


@dataclass(frozen=True)
class _Asked:
    """A commander on the page of a sheet, with what their side knows."""

    known: Knowledge
    phase: PhaseKey
    place: Any
    side: Audience

    @classmethod
    def of(cls, world: World, side: Audience) -> "_Asked":
        with world.present():
            phase = live()
            assert phase is not None
            viewer = viewer_of(User.objects.get(username=f"{side} commander"), SLUG)
            return cls(knowledge(viewer), PhaseKey(phase.key), first_place(viewer), side)

    def answer(self, text: str) -> Answer:
        return answer(self.known, self.phase, self.place, text)


def sheets(asked: _Asked, chance: Random) -> Iterator[tuple[str, str]]:
    """Verb and text of a sheet for every kind of order and every hex, or a sample of hexes."""
    loaded, known = asked.known.loaded, asked.known.state
    places = loaded.scenario.game_data.board.places
    if len(places) > _MOST_HEXES:
        places = tuple(chance.sample(places, k=_SAMPLE))
    units = [unit.id for unit in known.own[asked.side].units.values()]
    for line in ORDERS[asked.phase]:
        verb = line.split()[0]
        for place in places if "{hex}" in line else [""]:
            lines = [line.format(unit=unit, hex=place) for unit in (units if "{unit}" in line else [""])]
            yield verb, "\n".join(lines)


def orders_of(asked: _Asked, text: str) -> list[Order]:
    """The orders of a text, for tests of this harness."""
    rules, game_data = asked.known.loaded.rules, asked.known.loaded.scenario.game_data
    kinds = rules.phase(asked.phase).orders
    return [placed.order for placed in parse(text, kinds, rules.names(game_data, asked.known.state)).orders]
