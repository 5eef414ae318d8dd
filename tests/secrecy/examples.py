"""Examples: what happens in a pair of worlds, chosen by lot and in turn.

An example is plain data, so that a failing one can be shrunk, kept, and played again.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from campaign.engine.values.ids import Audience
from tests.secrecy.campaigns import Base
from tests.secrecy.games.game import Game

KEPT = Path(__file__).parent / "kept"
"""Examples that failed once. Every run plays them."""


@dataclass(frozen=True)
class Act:
    """A step of both worlds, or a mutator of the second, with its random seed."""

    name: str
    seed: int


@dataclass(frozen=True)
class Example:
    base: str
    observer: Audience
    seed: int
    acts: tuple[Act, ...]

    def to_json(self) -> str:
        acts = [[act.name, act.seed] for act in self.acts]
        return json.dumps({"base": self.base, "observer": self.observer, "seed": self.seed, "acts": acts}) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Example":
        raw = json.loads(text)
        return cls(raw["base"], Audience(raw["observer"]), raw["seed"], tuple(Act(*act) for act in raw["acts"]))


_STATES = ("M1", "M1", "M2", "M3", "M4", "M5", "M10", "M11", "M19", "M23")
_UNSEEN = ("M3", "M4", "M10", "M11", "M19")
"""Mutators that put no unit where it is sighted at the end of the phase."""
_ROWS = ("M12", "M13")
_LIVES = ("M6", "M7", "M8", "M9", "M14", "M15", "M16", "M17", "M20", "M22", "M24")
_ACTS = ("read", "check", "check", "draft", "send", "stale", "withdraw", "battle", "battle", "assign", "log in",
         "log out", "the others fight", "profile", "tick", "clock")  # fmt: skip
_MOST_MUTATORS = 8
_TURNS = ("small", "late", "toy", "small", "large", "late", "small", "late-large", "small", "toy-late", "late")
"""The campaigns of examples, in turn."""


def example(number: int, bases: Mapping[str, Base]) -> Example:
    """An example: one to eight mutators, some before all steps, some between them. Its number is its seed."""
    chance = Random(f"example {number}")
    campaigns = {base.opening for base in bases.values()}
    turns = [name for name in _TURNS if name in campaigns]
    here = [base for _, base in sorted(bases.items()) if base.opening == turns[number % len(turns)]]
    base = chance.choice(here)
    observer = _observer(base.game, number)
    mutators = _chosen(chance, number)
    before = [name for name in mutators if name in (*_ROWS, *_STATES)]
    between = [name for name in mutators if name in _LIVES]
    before.sort(key=lambda name: name not in _ROWS)
    chosen = chance.sample(_ACTS, k=chance.randint(2, 5))
    middle = _mixed(chance, [*chosen], between)
    if chance.random() < 0.5:
        if chance.random() < 0.75:  # the others' orders differ, and little else that would make the worlds differ
            before = [name for name in before if name in (*_ROWS, *_UNSEEN)]
            if chance.random() < 0.5:  # most units near the front are seen: move a hidden one elsewhere
                before.append("M2")
            middle += ["the others order", "M6", "M6"]
            base = chance.choice([each for each in here if _others_write(each, observer)])
        end = ["lock", *(["M18"] if chance.random() < 0.6 else []), "adjudicate"]
        end += [*chance.choice([[], ["M9"], ["rule"], ["roll", "M21"]]), "publish"]
        end += chance.choice([[], [], [], ["reopen"]])
        end += chance.sample(_ACTS, k=2)
        middle += end
    names = [*before, *middle]
    acts = tuple(Act(name, chance.randrange(10**6)) for name in names)
    return Example(base.name, observer, number, acts)


def _observer(game: Game, number: int) -> Audience:
    """The observer of an example: each side twice in five, the public once."""
    return _observers(game)[number % len(_observers(game))]


def _observers(game: Game) -> tuple[Audience, ...]:
    *sides, public = game.observers
    return (*sides, *sides, public)


def turn_of(example: Example, game: Game) -> int:
    """A number that the examples of one observer have in order, for what is dealt to them."""
    observers = _observers(game)
    rounds, place = divmod(example.seed, len(observers))
    before = [_observer(game, number) for number in range(example.seed - place, example.seed)]
    return rounds * observers.count(example.observer) + before.count(example.observer)


def _others_write(base: Base, observer: Audience) -> bool:
    """Whether another side submits orders in this phase."""
    return any(side in base.writers for side in base.game.others(observer))


def _chosen(chance: Random, turn: int) -> list[str]:
    """Some mutators by lot, and one in turn."""
    every = [*_STATES, *_ROWS, *_LIVES]
    return [every[turn % len(every)], *chance.sample(every, k=chance.randint(0, _MOST_MUTATORS - 1))]


def _mixed(chance: Random, chosen: list[str], between: list[str]) -> list[str]:
    mixed = list(chosen)
    for name in between:
        mixed.insert(chance.randint(0, len(mixed)), name)
    return mixed


def shrunk(failing: Example, fails: Callable[[Example], bool]) -> Example:
    """The same example with as few acts as still fail."""
    acts, size = list(failing.acts), max(len(failing.acts) // 2, 1)
    while size:
        start = 0
        while start < len(acts):
            fewer = [*acts[:start], *acts[start + size :]]
            smaller = Example(failing.base, failing.observer, failing.seed, tuple(fewer))
            if fewer and fails(smaller):
                acts = fewer
            else:
                start += size
        size //= 2
    return Example(failing.base, failing.observer, failing.seed, tuple(acts))


def kept_examples() -> Iterator[Example]:
    for path in sorted(KEPT.glob("*.json")):
        yield Example.from_json(path.read_text(encoding="utf-8"))
