"""A ruleset: a frozen record of types and functions. No base class, no registration, no side effect of importing."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from campaign.engine.facts import Fact, Release, Told
from campaign.engine.ids import Audience, PhaseKey, SideId, UnitId
from campaign.engine.lexicon import Names
from campaign.engine.orders import Checked, Placed
from campaign.engine.phases import Phase
from campaign.engine.state import State
from campaign.engine.views import BaseMap, Panel, View

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])


@dataclass(frozen=True)
class Scenario(Generic[T, S]):
    """A scenario read and found whole: the theatre everybody knows, and the state a campaign starts in."""

    title: str
    theatre: T
    start: S


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[T, S]):
    """All that the rest of the project knows of a set of rules. T is its theatre, S its state."""

    key: str
    title: str
    sides: tuple[SideId, ...]
    state_type: Any
    fact_type: Any
    """The union of its facts, for the codec."""
    state_version: int
    upgrades: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
    """From a version to the next: how a state stored as plain JSON is brought forward."""

    phases: tuple[Phase[T, S], ...]
    now: Callable[[S], PhaseKey]
    day: Callable[[S], datetime.date]
    """The day of the game."""
    step: Callable[[S], Fact]
    """The fact that moves a state on to its next phase."""
    over: Callable[[S], bool]
    """Whether the campaign has ended."""
    evolve: Callable[[S, Any], S]
    """What a fact changes. Works on slices too: what a slice lacks stays away."""
    release: Mapping[type[Fact], Release]

    read_scenario: Callable[[Mapping[str, str]], Scenario[T, S]]
    """Files by name to a scenario; raises ScenarioError."""
    read_case: Callable[[Mapping[str, Any], Mapping[str, str]], Scenario[T, S]]
    """A small map and position, written by hand for a case, with the charts of a scenario's files."""

    names: Callable[[T, S], Names]
    """What may be named in orders, as far as a slice knows."""
    formations: Callable[[T, S], Mapping[str, frozenset[UnitId]]]
    """The formations of a slice's sides by name, with their units: what a side hands out to its desks."""
    why_no_ruling: Callable[[T, S, Fact], str]
    """Why the GM cannot rule this fact in this state; empty if he can."""
    check: Callable[[T, S, Audience, Sequence[Placed]], Checked]
    """(theatre, slice, who, orders): what they would do as far as the slice knows."""
    base_map: Callable[[T], BaseMap]
    charts: Callable[[T], tuple[Panel, ...]]
    """The tables that RULES.md shows, by their keys."""
    show: Callable[[T, S, Audience, Sequence[Told[Any]]], View]
    """(theatre, slice, audience, what it was told since the last stop): all that it may be shown."""

    def phase(self, key: PhaseKey) -> Phase[T, S]:
        """The line of the sequence with this key; raises KeyError."""
        return {phase.key: phase for phase in self.phases}[key]
