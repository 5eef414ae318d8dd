"""What games between bots must show of scenarios: the games that are played for it, and the bars for their figures."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

from campaign.engine.values.ids import Audience, SideId

T = TypeVar("T")
S = TypeVar("S")

Result = Mapping[str, Any]
"""What is noted of a game, in words and numbers that can be written as JSON."""


def as_it_stands(state: Any) -> Any:
    """For games that nothing is changed in."""
    return state


@dataclass(frozen=True, kw_only=True)
class Trial(Generic[S]):
    """Games between two bots. Games of the same seed are pairs."""

    key: str
    scenario: str
    players: Mapping[SideId, str]
    games: int
    before_each: Callable[[S], S] = as_it_stands
    """Changes the state before every phase."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A figure of these games, and what it must be."""

    name: str
    value: float
    error: float
    """The standard error."""
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self) -> bool:
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def limit(self) -> str:
        """What the figure must be, in words."""
        words = [f"{sign} {limit:g}" for sign, limit in ((">=", self.least), ("<=", self.most)) if limit is not None]
        return " and ".join(words) or "none"

    def __str__(self) -> str:
        return f"bar {self.name} {self.value:.1f} +- {self.error:.1f} {self.limit} {'ok' if self.is_met else 'short'}"


@dataclass(frozen=True, kw_only=True)
class Moment(Generic[S]):
    """A phase of a game: the state before it, what the sides wrote, the state after it."""

    before: S
    sheets: Mapping[Audience, str]
    after: S


Waited = tuple[bool, Collection[Audience]]
"""A phase: whether its report is mailed to all, and who was waited for."""


def mails_after(phases: Iterable[Waited], side: Audience) -> Iterator[int]:
    """The mails that a side receives after each phase: with its report, or because the next one waits for the side."""
    for (reported, _), (_, asked) in pairwise([*phases, (False, ())]):
        yield int(reported or side in asked)


@dataclass(frozen=True, kw_only=True)
class Bars(Generic[T, S]):
    """The bars of a ruleset's scenarios."""

    trials: Sequence[Trial[S]]
    bots: Mapping[str, Callable[[T, S, Audience], str]]
    """Those who play in them."""
    note: Callable[[T, Trial[S], Iterable[Moment[S]]], Result]
    """(game data, trial, phases of a game): what is noted of it."""
    judge: Callable[[Mapping[str, Sequence[Result]]], Iterable[Bar]]
    """The bars, from the results of every trial in the order of their seeds."""
