"""A ruleset: a frozen record of types and functions. No base class, no registration, no side effect of importing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from campaign.engine.briefs import Brief, Fight
from campaign.engine.facts import Fact, Release, Told
from campaign.engine.ids import Audience, PhaseKey, SideId, UnitId
from campaign.engine.lexicon import Names
from campaign.engine.moments import Moment
from campaign.engine.options import NoOptions
from campaign.engine.orders import ONE_DESK, Checked, Desks, NoStandingOrders, Order, Placed, Problem, merged
from campaign.engine.phases import Phase, Standing
from campaign.engine.state import State
from campaign.engine.values import Upgrade, Value
from campaign.engine.views import BaseMap, Panel, View

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])
T_contra = TypeVar("T_contra", contravariant=True)
S_contra = TypeVar("S_contra", bound=State[Any, Any, Any], contravariant=True)


@dataclass(frozen=True)
class Scenario(Generic[T, S]):
    """A scenario read and found whole: the theatre everybody knows, and the state a campaign starts in."""

    title: str
    theatre: T
    start: S


def no_battles(_state: object) -> tuple[Fight, ...]:
    """For rulesets whose battles are not fought outside."""
    return ()


def as_it_is(start: S, _options: Value) -> S:
    """For rulesets that leave nothing to choose."""
    return start


def nothing_chosen(_state: object) -> Value:
    """The same."""
    return NoOptions()


@dataclass(frozen=True, kw_only=True)
class Outside(Generic[T, S]):
    """How battles that are fought outside are announced to their players, and reported by them."""

    brief: Callable[[T, S, Audience, str], Brief]
    """(theatre, slice, audience, battle): what it may know before it fights. KeyError: there is no such battle."""
    names: Callable[[T, S, str], Names]
    """(theatre, slice, battle): what a report of it may name."""
    check: Callable[[T, S, Audience, str, Sequence[Placed]], Checked]
    """(theatre, slice, audience, battle, report): what it says, as far as the slice knows."""
    settled: Callable[[Sequence[Placed]], frozenset[str]]
    """The battles that these lines give a result of."""
    replies: tuple[type[Order], ...]
    """What the other player may add when he confirms a report."""
    completed: Callable[[T, S, Audience, str, Sequence[Placed]], tuple[tuple[Placed, ...], Checked]]
    """(theatre, slice, audience, battle, report without line numbers and then what he adds): all that stands then, and
    what is said of it."""
    shown: Callable[[S, Audience, str, Sequence[Placed], bool], tuple[Placed, ...]]
    """(slice, audience, battle, report, whether the GM decided it): what the audience may read of it."""


@dataclass(frozen=True, kw_only=True)
class Simulation(Generic[T, S]):
    """How whole campaigns are played without people, to see what a scenario is like."""

    bots: Mapping[str, Callable[[T, S, Audience], str]]
    """By name: (theatre, slice, who) to the text of a sheet for the open stop."""
    options: Mapping[str, str]
    """What such a campaign must choose so that nobody but the sides has to act."""
    measures: Callable[[T, S], Mapping[str, int]]
    """(theatre, state): the figures of a day, by name."""
    outcome: Callable[[T, S], str]
    """(theatre, state): the side that is ahead, or draw."""


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[T, S]):
    """All that the rest of the project knows of a set of rules. T is its theatre, S its state."""

    key: str
    title: str
    sides: tuple[SideId, ...]
    state_type: Any
    fact_type: Any
    """The union of its facts, for the codec."""
    edition: int
    """Raised by each change that brings something else out of the same state, orders and dice."""
    state_version: int
    upgrades: Mapping[int, Upgrade]
    """From a version to the next: how a state stored as plain JSON is brought forward."""

    phases: tuple[Phase[T, S], ...]
    now: Callable[[S], PhaseKey]
    moment: Callable[[S], Moment]
    """When it is in the game."""
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
    corrections: tuple[type[Order], ...]
    """The lines in which the GM writes rulings."""
    correction_names: Callable[[T, S], Names]
    """What those lines may name, in the GM's slice."""
    correct: Callable[[T, S, Sequence[Placed]], tuple[tuple[tuple[int, Fact], ...], tuple[Problem, ...]]]
    """(theatre, the GM's slice, lines): the facts they mean by line, and what is wrong with the others."""
    why_no_ruling: Callable[[T, S, Fact], str]
    """Why the GM cannot rule this fact in this state; empty if he can."""
    choices: Callable[[T, S, Audience, UnitId | None, Sequence[Placed]], tuple[Order, ...]]
    """(theatre, slice, who, unit, sheet): every order for the unit that may be added to the sheet as far as the slice
    knows; for None those that name no unit. Free text is not listed."""
    base_map: Callable[[T], BaseMap]
    charts: Callable[[T], tuple[Panel, ...]]
    """The tables that RULES.md shows, by their keys."""
    show: Callable[[T, S, Audience, Sequence[Told[Any]]], View]
    """(theatre, slice, audience, what it was told since the last stop): all that it may be shown."""

    event_version: int = 1
    event_upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    """The same for an event with its fact and faces; a GM's ruling is brought forward as the event it leads to."""
    options: type[Value] = NoOptions
    """What may be chosen when a campaign is founded: see `options`."""
    with_options: Callable[[S, Any], S] = as_it_is
    """(a scenario's first state, options): the first state of a campaign that has chosen so."""
    options_of: Callable[[S], Value] = nothing_chosen
    """What a campaign has chosen."""
    battles: Callable[[S], tuple[Fight, ...]] = no_battles
    """The battles that wait for their results. Each side may know of all of them."""
    outside: Outside[T, S] | None = None
    """None where `battles` never finds any."""
    simulation: Simulation[T, S] | None = None
    """None where nobody plays it without people."""
    standing: Standing[T, S] | None = None
    """None where no orders outlive their phase."""

    def phase(self, key: PhaseKey) -> Phase[T, S]:
        """The line of the sequence with this key; raises KeyError."""
        return self._table[key]

    def orders_of(self, phase: Phase[T, S]) -> tuple[type[Order], ...]:
        """All that may be written in a phase's sheet: its own orders, and those that stay."""
        return phase.orders if self.standing is None else (*phase.orders, *self.standing.orders, NoStandingOrders)

    def check(self, theatre: T, known: S, who: Audience, sheet: Sequence[Placed], desks: Desks = ONE_DESK) -> Checked:
        """What the orders of a side's sheets for the open phase would do, as far as the player's state knows."""
        phase = self.phase(self.now(known))
        if self.standing is None:
            return phase.check(theatre, known, who, sheet, desks)
        stays = [placed for placed in sheet if isinstance(placed.order, (*self.standing.orders, NoStandingOrders))]
        others = [placed for placed in sheet if placed not in stays]
        standing = self.standing.check(theatre, known, who, stays)
        return merged(phase.check(theatre, known, who, others, desks), standing)

    @cached_property
    def _table(self) -> Mapping[PhaseKey, Phase[T, S]]:
        return {phase.key: phase for phase in self.phases}
