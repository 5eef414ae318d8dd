"""A campaign that is being played elsewhere comes in the middle of its game, with the position of a day as a table."""

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from campaign.engine.display.views import Panel
from campaign.engine.facts import Fact
from campaign.engine.pasted import Fault
from campaign.engine.state import State
from campaign.engine.values.ids import PhaseKey

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])

LONGEST_POSITION = 200_000
"""Characters of the largest position."""


@dataclass(frozen=True)
class Entered(Generic[S]):
    """A position as it was read: a state, or all that is wrong with it."""

    state: S | None
    faults: tuple[Fault, ...] = ()
    tables: tuple[Panel, ...] = ()
    """What differs from the scenario's start, and what the position does not say, for its GM."""


@dataclass(frozen=True, kw_only=True)
class Positions(Generic[T, S]):
    """How a ruleset reads the position of a day, and writes one in the same form."""

    phase: PhaseKey
    """The phase at whose start the position is: the first of a turn."""
    days: Callable[[T], tuple[datetime.date, ...]]
    """The days on which a campaign can begin."""
    read: Callable[[T, S, str, datetime.date | None], Entered[S]]
    """(game data, the scenario's start with the campaign's options, text, day or None if the text names it): the
    position that the text describes."""
    write: Callable[[T, S, S], str]
    """(game data, the scenario's start, a state at the start of `phase`): the text that describes it."""
    columns: Mapping[str, str]
    """The columns of units, each with what it says."""
    lines: Mapping[str, str]
    """Examples of the lines about anything else, each with what it says."""
    left_out: tuple[str, ...]
    """What a position does not carry."""


def last_morning(rules: Any, before: Any, facts: Iterable[Fact]) -> Any:
    """The newest state at the start of the ruleset's phase for positions, from a state and what happened after it.

    None if that phase was not reached. The state is the truth, as all facts are undisclosed.
    """
    found, state = None, before
    if rules.now(state) == rules.positions.phase:
        found = state
    for fact in facts:
        reached = rules.now(state) == rules.positions.phase
        state = rules.evolve(state, fact)
        if rules.now(state) == rules.positions.phase and not reached:
            found = state
    return found
