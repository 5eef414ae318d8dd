"""What became of each line of a side's sheets, as the side may read it; and how a ruleset finds that out.

It is stored with what the side receives of the phase, and never computed from later knowledge.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from campaign.engine.display.sentences import Sentence
from campaign.engine.facts import Disclosure, Fact
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import Upgrade, Value

T = TypeVar("T")
S = TypeVar("S")

OUTCOMES_VERSION = 1
"""Raised by each change of outcomes that older stored ones do not fit."""
OUTCOMES_UPGRADES: Mapping[int, Upgrade] = {}
"""By version: turns outcomes stored as plain JSON into the next version."""


class Effect(Enum):
    """What a line led to, as far as its side was told."""

    DONE = "done"
    """It was carried out as written."""
    SHORT = "short"
    """It was not carried out, or not as written."""
    SILENT = "silent"
    """It was accepted, and the side was told nothing about it."""
    ACCEPTED = "accepted"
    """It counted. Nothing in a report answers such a line, or not always, or it is only planned so far."""
    UNMET = "unmet"
    """It counted, and what it waits for did not come: a time, a condition, or what it is an answer to."""
    IGNORED = "ignored"
    """It was refused when the sheets were read."""
    REPLACED = "replaced"
    """HQ gave the unit orders itself."""


class Because(Value, frozen=True):
    """One reason: a sentence of the side's report, or why the line was refused."""

    text: str
    rule: str = ""
    reasons: tuple[str, ...] = ()


class LineOutcome(Value, frozen=True):
    """What became of one line of a desk's sheet."""

    desk: str
    line: int
    effect: Effect
    because: tuple[Because, ...] = ()


class Outcomes(Value, frozen=True):
    """What became of a side's lines in a phase: by desk, HQ first, in the order of the lines."""

    lines: tuple[LineOutcome, ...] = ()
    version: int = OUTCOMES_VERSION


Follow = Callable[[Audience, Any, Sequence[Disclosure[Any]]], Iterable[Disclosure[Any]]]
"""(who wrote it, order, what they were told): the part of it that says what became of the order."""


@dataclass(frozen=True, kw_only=True)
class Consequences(Generic[T, S]):
    """How a ruleset's disclosures answer the orders of a sheet."""

    of: Mapping[type[Order], Follow]
    """By kind of order. A report says nothing of what became of other kinds."""
    at_times: frozenset[type[Order]] = frozenset()
    """The kinds whose lines may have their effect without any word of it in a report."""
    is_used_up: Callable[[Any], bool] = lambda _order: True
    """Whether an order counts once, so that lines that say the same share the events about them in turn.

    Of other lines that say the same, the first counts alone.
    """
    unmet: Callable[[T, S, Audience, Any, Sequence[Disclosure[Any]]], bool] = lambda *_all: False
    """(game data, player's state before, who, order, told): whether what the order waits for did not come.

    False while it may still come. `told`: what happened, with the GM rulings in its middle.
    """
    plans: tuple[type[Fact], ...] = ()
    """Facts that only plan something: it is carried out, or not, in a later phase."""
    fell_short: Callable[[Any, Any], bool]
    """(order, disclosed fact): whether the fact says that the order was not carried out as written."""
    describe: Callable[[T, S, Disclosure[Any]], Sentence | None]
    """(game data, player's state, disclosure): its sentence in the report; None if the report leaves it out."""
