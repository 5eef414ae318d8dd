"""Dice as functions of what is rolled, not of when: the scheme `fieldpost-dice-1`.

A roll depends on the seed of its audience, on the campaign's lock and on its label alone. Repairing one battle changes
no other roll, a second adjudication repeats the first, and a player can verify every roll afterwards.

Dice that were published stay as they fell when their phase is reopened. Every lock names the withdrawn locks of its
moment (`WITHDRAWN`), as a part of its mix. A die of a label that fell in one of them falls the same the next time it is
rolled in that moment, in whichever phase: with the seed and the mix of the lock in which it fell first. Once a standing
lock has rolled it, it is spent (see `fallen`). Labels that had not been rolled, and more dice of those that had, are of
the new lock: the seeds of withdrawn locks are known, so everybody could foresee them. So a phase in which no side acts,
whose labels do not change, keeps all its dice. What only a draft had rolled is in no log and does not stay; the GM
ruling that took it out of the draft is counted, and so is the reopening.
"""

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from campaign.engine.errors import EngineError
from campaign.engine.values.ids import PUBLIC, Audience

R = TypeVar("R")

SCHEME = "fieldpost-dice-1"
CHAIN_LENGTH = 4096
PREVIOUS = "previous lock"
"""The name under which a lock holds the mix of the previous lock. No side can have this name."""

WITHDRAWN = "withdrawn locks"
"""The name under which a lock holds the numbers of the withdrawn locks whose dice stay, joined by +. No side has it."""

_LABEL = re.compile(r"[A-Za-z0-9/_.+-]{1,120}")
_WORD = 2**64


class Roller(Protocol):
    """A source of dice. The same label gives the same dice."""

    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        """`count` dice of 2 to 1000 sides, each from 1 to `sides`."""
        ...

    def entered(self, label: str) -> "Entered | None":
        """The roll that a person entered; None if the dice decide."""
        ...

    def left_over(self) -> tuple[str, ...]:
        """Labels of entered rolls that nothing asked for."""
        ...


@dataclass(frozen=True)
class Entered:
    """A roll as the GM gave it, and why."""

    dice: tuple[int, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class KeyedDice:
    """The service's dice: HMAC-SHA-256 of audience, lock, mix and label, without modulo bias."""

    campaign: str
    lock: int
    mix: str
    """SHA-256, in hexadecimal, of this lock's contributions."""
    seeds: Mapping[Audience, bytes]
    fell: Mapping[tuple[Audience, str, int], "KeyedDice"] = field(default_factory=dict)
    """By audience, label and place in the roll: the dice of the withdrawn lock with which this die fell already."""

    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        if _LABEL.fullmatch(label) is None:
            raise EngineError(f"a roll cannot be labelled {label!r}")
        if not 2 <= sides <= 1000:
            raise EngineError(f"{label}: a die can have 2 to 1000 sides, not {sides}")
        sources = enumerate(self.sources(label, count=count, audience=audience))
        return tuple(source._fall(label, index, sides=sides, audience=audience) for index, source in sources)

    def sources(self, label: str, *, count: int, audience: Audience) -> tuple["KeyedDice", ...]:
        """For each die of a roll, the lock that gives it: a withdrawn one in which it fell already, or this one."""
        return tuple(self.fell.get((audience, label, index), self) for index in range(count))

    def _fall(self, label: str, index: int, *, sides: int, audience: Audience) -> int:
        head = "|".join([SCHEME, "die", self.campaign, written(audience), str(self.lock), self.mix, label])
        return _die(self.seeds[audience], f"{head}|{index}", sides=sides)

    def entered(self, label: str) -> Entered | None:
        return None

    def left_over(self) -> tuple[str, ...]:
        return ()


@dataclass
class ScriptedDice:
    """Dice of a case, written down by label. A missing label is an error, and so is one left over."""

    script: Mapping[str, tuple[int, ...]]
    _rolled: set[str] = field(default_factory=set)

    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        if label not in self.script:
            raise EngineError(f"the roll {label!r} is not scripted")
        dice = self.script[label]
        _require_dice(label, dice, count=count, sides=sides)
        self._rolled.add(label)
        return dice

    def entered(self, label: str) -> Entered | None:
        return None

    def left_over(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.script) - self._rolled))


@dataclass
class Overridden:
    """Other dice, with some rolls entered by the GM: looked up by label first."""

    dice: Roller
    given: Mapping[str, Entered]
    _rolled: set[str] = field(default_factory=set)

    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        if label not in self.given:
            return self.dice.roll(label, count=count, sides=sides, audience=audience)
        _require_dice(label, self.given[label].dice, count=count, sides=sides)
        self._rolled.add(label)
        return self.given[label].dice

    def entered(self, label: str) -> Entered | None:
        return self.given.get(label) or self.dice.entered(label)

    def left_over(self) -> tuple[str, ...]:
        return (*sorted(set(self.given) - self._rolled), *self.dice.left_over())


def seed(master: bytes, *, campaign: str, audience: Audience, lock: int) -> bytes:
    """Seed number `lock` of an audience's hash chain; number 0 is the anchor that is published beforehand.

    The chain is computed from its far end, so that a seed gives all earlier ones and no later one.
    """
    if not 0 <= lock <= CHAIN_LENGTH:
        raise EngineError(f"lock {lock} lies outside the chain of {CHAIN_LENGTH} seeds")
    link = hmac.digest(master, f"{SCHEME}|chain|{campaign}|{written(audience)}".encode(), "sha256")
    for _ in range(CHAIN_LENGTH - lock):
        link = hashlib.sha256(link).digest()
    return link


def chain(master: bytes, campaign: str, audience: Audience, last: int) -> list[bytes]:
    """The seeds 0 to `last` of an audience's chain."""
    links = [seed(master, campaign=campaign, audience=audience, lock=last)]
    for _ in range(last):
        links.append(hashlib.sha256(links[-1]).digest())
    return links[::-1]


def fallen(rolled: Iterable[tuple[int, frozenset[int], Collection[R]]], withdrawn: Collection[int]) -> dict[R, int]:
    """The rolls that fall again as they fell, for a lock that names these withdrawn locks: each with its first lock.

    `rolled` are the earlier locks of the same moment in order: the number, the withdrawn locks that it names, and what
    it rolled. A roll is free as long as every lock that has made it is withdrawn.
    """
    made: dict[R, dict[int, set[int]]] = {}

    def free(roll: R, among: Collection[int]) -> int | None:
        firsts = (first for first, locks in made.get(roll, {}).items() if locks.issubset(among))
        return min(firsts, default=None)

    for lock, named, rolls in rolled:
        firsts = {roll: free(roll, named) for roll in rolls}
        for roll, first in firsts.items():
            made.setdefault(roll, {}).setdefault(lock if first is None else first, set()).add(lock)
    found = {roll: free(roll, withdrawn) for roll in made}
    return {roll: first for roll, first in found.items() if first is not None}


def withdrawn_in(contributions: Mapping[str, str]) -> frozenset[int]:
    """The withdrawn locks that a lock names."""
    return frozenset(map(int, filter(None, contributions.get(WITHDRAWN, "").split("+"))))


def parts(contributions: Mapping[str, str]) -> list[str]:
    """The contributions of a lock as published: each side's, the mix of the previous lock, and withdrawn locks."""
    return sorted(f"{name}:{contribution}" for name, contribution in contributions.items())


def mix(contributions: Mapping[str, str]) -> str:
    """The part of a lock's dice that the operator does not choose: SHA-256 over its contributions."""
    return hashlib.sha256("|".join(parts(contributions)).encode()).hexdigest()


def written(audience: Audience) -> str:
    """An audience as the dice scheme writes it: the public is `both`."""
    return "both" if audience == PUBLIC else audience


def block(key: bytes, message: str) -> bytes:
    """The 32 bytes that a message gives under a seed; a die takes the first eight of them."""
    return hmac.digest(key, message.encode(), "sha256")


def _die(key: bytes, head: str, *, sides: int) -> int:
    """One die without bias: words are drawn until one is below the greatest multiple of `sides`."""
    counter = 0
    while True:
        word = int.from_bytes(block(key, f"{head}|{counter}")[:8], "big")
        if word < _WORD - _WORD % sides:
            return 1 + word % sides
        counter += 1


def _require_dice(label: str, dice: tuple[int, ...], *, count: int, sides: int) -> None:
    if len(dice) != count or not all(1 <= die <= sides for die in dice):
        raise EngineError(f"{label} takes {count} dice of {sides} sides, not {list(dice)}")
