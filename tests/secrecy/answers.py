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

from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Order
from campaign.engine.sheets import report_lines
from campaign.engine.values.ids import Audience, PhaseKey, SideId
from campaign.models import User
from campaign.selectors import Knowledge, knowledge
from campaign.viewers import viewer_of
from orders.answers import Answer, answer
from orders.desks import first_place
from tests.secrecy import verdicts
from tests.secrecy.campaigns import SLUG, Base, live
from tests.secrecy.games import GAMES
from tests.secrecy.games.game import Game
from tests.secrecy.knowledge import known_to
from tests.secrecy.mutators import mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.truth import Truth
from tests.secrecy.worlds import World

_STATES = ("M1", "M2", "M3", "M4", "M5", "M10")
_MOST_HEXES = 150
"""All hexes of a small map are asked about; of a larger one a sample, a new one for each pair of worlds."""
_SAMPLE = 40


Task = tuple[str, str, int]
"""A phase, a side and the number of the round."""


@dataclass
class Comparison:
    """The number of answers compared, by order."""

    pairs: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    """The number of lines that name hidden things, by order, whose answers were compared."""
    worlds: int = 0
    differing: int = 0
    first: str = ""

    def add(self, other: "Comparison") -> None:
        self.pairs += other.pairs
        self.codes += other.codes
        self.names += other.names
        self.worlds += other.worlds
        self.differing += other.differing
        self.first = self.first or other.first

    def compare(self, where: str, one: object, two: object) -> None:
        """Count a difference, and keep the first."""
        if one != two:
            self.differing += 1
            self.first = self.first or f"{where}\n  {one}\n  {two}"

    def __str__(self) -> str:
        by_order = ", ".join(f"{name} {count:,}" for name, count in sorted(self.pairs.items()))
        whole = f"pairs of answers: {self.pairs.total():,} in {self.worlds} pairs of worlds ({by_order})"
        whole += f"; to lines with hidden names: {self.names.total():,}"
        return f"{whole}; differing answers: {self.differing}" + (f"\n{self.first}" if self.first else "")


def run_names(worlds: Mapping[str, Base], *, workers: int) -> Comparison:
    """Compare the answers to names that a side does not know, at the last phase of each kind."""
    done, context = Comparison(), multiprocessing.get_context("fork")
    with context.Pool(workers, initializer=_BASES.update, initargs=(dict(worlds),)) as pool:
        for part in pool.imap_unordered(
            _named, [(name, side) for name in last_of_each_kind(worlds) for side in worlds[name].game.sides]
        ):
            done.add(part)
    return done


def last_of_each_kind(worlds: Mapping[str, Base]) -> list[str]:
    """The last phase of each kind and ruleset."""
    return list({(worlds[name].ruleset, worlds[name].key): name for name in sorted(worlds)}.values())


def run_all(worlds: Mapping[str, Base], *, at_least: int, workers: int) -> Comparison:
    """Compare a pair of worlds for each sheet of the last phase of each kind.

    Then of all phases, again and again, until there are enough answers.
    """
    done, rounds = Comparison(), count()
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, initializer=_BASES.update, initargs=(dict(worlds),)) as pool:
        while not done.worlds or done.pairs.total() < at_least:
            names = sorted(worlds) if done.worlds else last_of_each_kind(worlds)
            tasks = list(_tasks({name: worlds[name] for name in names}, next(rounds)))
            for some in _enough(tasks, done, at_least):
                for part in pool.imap_unordered(_one, some):
                    done.add(part)
    return done


def _enough(tasks: Sequence[Task], done: Comparison, at_least: int) -> Iterator[Sequence[Task]]:
    """All tasks of the first round, then parts of the others, until as many answers are compared as were asked for."""
    if not done.worlds:
        yield tasks
        return
    left = list(tasks)
    while left and (missing := at_least - done.pairs.total()) > 0:
        number = -(-missing * done.worlds // done.pairs.total())
        yield left[:number]
        del left[:number]


_BASES: dict[str, Base] = {}


def _one(task: Task) -> Comparison:
    name, side, seed = task
    return compare_answers(_BASES[name], Audience(side), seed)


def _named(task: tuple[str, str]) -> Comparison:
    name, side = task
    return compare_names(_BASES[name], Audience(side), 1)


def _tasks(worlds: Mapping[str, Base], number: int) -> Iterator[Task]:
    for name in sorted(worlds):
        base = worlds[name]
        if base.key in base.game.asked:
            yield from ((name, side, number) for side in base.game.sides if side in base.acts)


def compare_answers(base: Base, side: Audience, seed: int) -> Comparison:
    """Compare all answers of one pair of worlds."""
    one, two = (World.restored(name, base.snapshot) for name in ("one", "two"))
    done, chance = Comparison(worlds=1), Random(f"verdicts {base.name} {side} {seed}")
    try:
        with one.present():
            truth = Truth.read(side)
            assert truth is not None
            ways = [way for _, way in base.game.ways(truth.loaded, truth.state, SideId(side), chance)]
        for name in chance.sample(_STATES, k=4):
            mutate(name, Change(two, side, chance, ways), seed)
        assert known_to(one, side) == known_to(two, side), "mutators change what is hidden"
        asked = [_Asked.of(world, side) for world in (one, two)]
        for verb, text in sheets(base.game, asked[0], chance):
            before, after = (each.answer(text) for each in asked)
            lines = text.count("\n") + 1
            done.pairs[verb] += lines
            done.codes.update(problem.code for problem in before.problems)
            done.compare(f"{side} at {base.name}: {text!r}", before, after)
    finally:
        one.close()
        two.close()
    return done


def compare_names(base: Base, side: Audience, seed: int) -> Comparison:
    """Compare the answers to names of hidden things with those to the same names where nothing is called so."""
    one, two = (World.restored(name, base.snapshot) for name in ("one", "two"))
    done, chance = Comparison(worlds=1), Random(f"names {base.name} {side} {seed}")
    try:
        verdicts.rename(two, side, seed)
        assert known_to(one, side) == known_to(two, side), "mutators change what is hidden"
        names = verdicts.hidden_names(one, two, side, chance)
        asked = _Asked.of(one, side)
        lines = list(verdicts.sheets(asked.kinds, names, asked.words))
        for verb, written in lines:
            before, after = (_answer_in(world, side, "\n".join(written)) for world in (one, two))
            done.names[verb] += len(written)
            done.compare(f"{side} at {base.name}: {verb}", before, after)
        orders = [line for _, written in lines for line in chance.sample(written, k=min(8, len(written)))]
        reports = [line for _, more in verdicts.sheets(asked.report_kinds, names[:4], asked.words) for line in more]
        found = (verdicts.pages(world, side, names, orders, reports) for world in (one, two))
        for (what, page), (_, other) in zip(*found, strict=True):
            done.compare(f"{side} at {base.name}: {what}", page, other)
        _compare_invented(one, asked, names, done, chance)
    finally:
        one.close()
        two.close()
    return done


def _answer_in(world: World, side: Audience, text: str) -> Answer:
    asked = _Asked.of(world, side)
    with world.present():
        return asked.answer(text)


def _compare_invented(world: World, asked: "_Asked", names: Sequence[str], done: Comparison, chance: Random) -> None:
    """Compare the answers to hidden names with those to invented ones in the same world."""
    known = asked.names
    for name in names:
        made_up = verdicts.invented(name, chance)
        if not (verdicts.is_strange(name, known) and verdicts.is_strange(made_up, known)):
            continue
        said = []
        for word in (name, made_up):
            lines = [line for _, written in verdicts.sheets(asked.kinds, [word], asked.words) for line in written]
            with world.present():
                said.append(verdicts.masked(asked.answer("\n".join(lines)), word, known))
        done.names["invented"] += len(said[0].problems)
        done.compare(f"{asked.side} at {asked.phase}: {name}, unlike {made_up}", *said)


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

    @property
    def kinds(self) -> Sequence[type[Order]]:
        return tuple(self.known.loaded.rules.orders_for(self.known.state, self.side))

    @property
    def report_kinds(self) -> Sequence[type[Order]]:
        return report_lines(self.known.loaded.rules, self.phase)

    @property
    def names(self) -> Names:
        """All that the side may name."""
        names: Names = self.known.loaded.rules.names(self.known.loaded.scenario.game_data, self.known.state)
        return names

    @property
    def words(self) -> verdicts.Words:
        units = getattr(self.known.state.own[self.side], GAMES[self.known.loaded.rules.key].units_are).values()
        board, called = self.known.loaded.scenario.game_data.board, self.names.units.usual
        return verdicts.Words(min(called[unit.id] for unit in units if unit.at), min(board.places))

    def answer(self, text: str) -> Answer:
        return answer(self.known, self.phase, self.place, text)


def sheets(game: Game, asked: _Asked, chance: Random) -> Iterator[tuple[str, str]]:
    """Verb and text of a sheet for every kind of order and every hex, or a sample of hexes."""
    loaded, known = asked.known.loaded, asked.known.state
    places = loaded.scenario.game_data.board.places
    if len(places) > _MOST_HEXES:
        places = tuple(chance.sample(places, k=_SAMPLE))
    units = list(getattr(known.own[asked.side], game.units_are))
    for line in game.asked[asked.phase]:
        verb = line.split()[0]
        for place in places if "{hex}" in line else [""]:
            lines = [line.format(unit=unit, hex=place) for unit in (units if "{unit}" in line else [""])]
            for text in lines if game.asked_alone else ["\n".join(lines)]:
                yield verb, text


def orders_of(asked: _Asked, text: str) -> list[Order]:
    """The orders of a text, for tests of this harness."""
    rules, game_data = asked.known.loaded.rules, asked.known.loaded.scenario.game_data
    kinds = rules.phase(asked.phase).orders
    return [placed.order for placed in parse(text, kinds, rules.names(game_data, asked.known.state)).orders]
