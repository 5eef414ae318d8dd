"""A ruleset: a frozen record of types and functions. No base class, no registration, no side effect of importing."""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, Union

from campaign.engine.bars import Bars
from campaign.engine.briefs import Brief, Fight
from campaign.engine.choices import Draft, Way, no_ways
from campaign.engine.display.outcomes import Consequences
from campaign.engine.display.plots import Shape
from campaign.engine.display.views import BaseMap, Panel, View
from campaign.engine.errors import ScenarioError
from campaign.engine.facts import Disclosure, Event, Fact, Release
from campaign.engine.judgements import Judgement, nothing_to_judge
from campaign.engine.orders.checking import check_lines
from campaign.engine.orders.forms import Form
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.order import ONE_DESK, Checked, Desks, NoStandingOrders, Order, Placed, Submission, merged
from campaign.engine.phases import Phase, Standing
from campaign.engine.positions import Positions
from campaign.engine.rulings import Objections, RuledFacts, objection_to
from campaign.engine.sight import SeesPlace
from campaign.engine.state import State, with_open
from campaign.engine.statistics import Statistic
from campaign.engine.values.ids import Audience, PhaseKey, SideId, UnitId, audience_of
from campaign.engine.values.moments import Moment
from campaign.engine.values.options import NoOptions
from campaign.engine.values.value import Upgrade, Value

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])
T_contra = TypeVar("T_contra", contravariant=True)
S_contra = TypeVar("S_contra", bound=State[Any, Any, Any], contravariant=True)


@dataclass(frozen=True)
class OpenScenario(Generic[T]):
    """What everybody knows of a scenario: its map and charts."""

    title: str
    game_data: T
    options: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """The answers that it is made for, where they are not the ruleset's defaults: text by option."""
    about: str = field(default="", kw_only=True)
    """A sentence for people who choose a scenario; empty: there is none."""
    players: tuple[int, int] | None = field(default=None, kw_only=True)
    """The fewest and the most players that it suits, both sides together; None: not said."""


@dataclass(frozen=True)
class Scenario(OpenScenario[T], Generic[T, S]):
    """A scenario that was read and checked, with the first state, which nobody knows but the GM."""

    start: S
    outdated: ScenarioError | None = None
    """What is wrong with it for a new campaign, though one that an older release created plays on with it."""

    @property
    def open(self) -> OpenScenario[T]:
        """Its map and charts alone."""
        return OpenScenario(self.title, self.game_data, options=self.options, about=self.about, players=self.players)


def phase_in_open(state: Any) -> PhaseKey:
    """For rulesets whose states have their phase in the open part, as `phase`."""
    phase: PhaseKey = state.open.phase
    return phase


def ended_in_open(state: Any) -> bool:
    """For rulesets whose states say in the open part, as `ended`, that the campaign is over."""
    ended: bool = state.open.ended
    return ended


def no_forms(*_asked: object) -> tuple[Form, ...]:
    """For rulesets whose lines are all written by hand, or on the map."""
    return ()


def no_last_day(_game_data: object) -> None:
    """For rulesets whose turns are no days, or have no end."""


def no_battles(_state: object) -> tuple[Fight, ...]:
    """For rulesets without battles that are fought outside."""
    return ()


def never_by_rules(_game_data: object, _known: object, _battle: str) -> None:
    """For rulesets that decide no battle themselves."""


def as_it_is(start: S, _options: Value) -> S:
    """For rulesets that leave nothing to choose."""
    return start


def nothing_chosen(_state: object) -> Value:
    """For rulesets that leave nothing to choose."""
    return NoOptions()


def no_figures(_game_data: object, _side: SideId, name: str) -> str:
    """For rulesets whose briefings name no figures."""
    raise KeyError(name)


def with_options_in_open(start: S, options: Value) -> S:
    """For rulesets whose states have the options in the open part, as `options`."""
    return with_open(start, options=options)


def options_in_open(state: Any) -> Any:
    """For rulesets whose states have the options in the open part, as `options`."""
    return state.open.options


@dataclass(frozen=True, kw_only=True)
class Outside(Generic[T, S]):
    """How players learn of battles that are fought outside, and how they report them."""

    brief: Callable[[T, S, Audience, str, Mapping[str, str]], Brief]
    """(game data, player's state, audience, battle, what the GM has answered to it by the keys of the questions): what
    it may know before the battle. KeyError: no such battle."""
    names: Callable[[T, S, str], Names]
    """(game data, player's state, battle): what a report of it may name."""
    check: Callable[[T, S, Audience, str, Sequence[Placed]], Checked]
    """(game data, player's state, audience, battle, report): what it says, as far as that state knows."""
    settled: Callable[[Sequence[Placed]], frozenset[str]]
    """The battles that these lines give a result of."""
    title: Callable[[T, str], str]
    """(game data, battle): its name as everybody reads it, Battle of Clervaux (K16)."""
    replies: tuple[type[Order], ...]
    """What the other player may add when they confirm a report."""
    completed: Callable[[T, S, Audience, str, Sequence[Placed]], tuple[tuple[Placed, ...], Checked]]
    """(game data, player's state, audience, battle, report without line numbers and then what they add): the complete
    report, and the answer to it."""
    shown: Callable[[S, Audience, str, Sequence[Placed], bool], tuple[Placed, ...]]
    """(player's state, audience, battle, report, whether the GM decided it): what the audience may read of it."""
    forms: Callable[[T, S, Audience, str, Sequence[Placed]], Iterable[Form]] = no_forms
    """(game data, player's state, audience, battle, lines so far): what a report can be filled in with."""
    by_rules: Callable[[T, S, str], Order | None] = never_by_rules
    """(game data, the GM's state, battle): the line by which the GM leaves it to the rules; None: they cannot."""


@dataclass(frozen=True, kw_only=True)
class Simulation(Generic[T, S]):
    """How campaigns are played without people, to try a scenario."""

    bots: Mapping[str, Callable[[T, S, Audience], str]]
    """By name: (game data, player's state, who) to the text of a sheet for the open phase."""
    options: Mapping[str, str]
    """The options such a campaign needs, so that only the sides must act."""
    measures: Callable[[T, S], Mapping[str, int]]
    """(game data, state): the figures of a day, by name."""
    outcome: Callable[[T, S], str]
    """(game data, state): the side that is ahead, or draw."""
    bars: Bars[T, S] | None = None


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[T, S]):
    """All that the rest of the project knows of a set of rules. T is its game data, S its state."""

    key: str
    title: str
    sides: tuple[SideId, ...]
    state_type: Any
    edition: int
    """Raised by each change that alters the result of the same state, orders and dice."""
    state_version: int
    upgrades: Mapping[int, Upgrade]
    """From a version to the next: how a state stored as plain JSON is brought forward."""

    phases: tuple[Phase[T, S], ...]
    moment: Callable[[S], Moment]
    """The moment of the game."""
    step: Callable[[S], Fact]
    """The fact that moves a state on to its next phase."""
    evolve: Callable[[S, Any], S]
    """What a fact changes. It works on players' states too, and adds nothing that they lack."""
    release: Mapping[type[Fact], Release]
    """Every kind of fact, with who learns of it."""

    read_scenario: Callable[[Mapping[str, str]], Scenario[T, S]]
    """Files by name to a scenario; raises ScenarioError."""
    read_case: Callable[[Mapping[str, Any], Mapping[str, str]], Scenario[T, S]]
    """A small map and position, written by hand for a case, with the charts of a scenario's files."""

    names: Callable[[T, S], Names]
    """What orders may name, as far as a player's state knows."""
    formations: Callable[[T, S], Mapping[str, frozenset[UnitId]]]
    """The formations of a player's state by name, with their units: what a side assigns to its desks."""
    corrections: tuple[type[Order], ...]
    """The lines in which the GM writes rulings."""
    correction_names: Callable[[T, S], Names]
    """What those lines may name, as far as the GM knows."""
    correct: Callable[[T, S, Sequence[Placed]], RuledFacts]
    """(game data, the GM's state, lines): the facts that they mean, by line, and the problems of the others."""
    rulings: Objections
    """The facts that the GM may rule, with the objections to each."""
    candidates: Callable[[Draft[T, S], UnitId | None], Iterable[Order]]
    """(draft, unit): every order for the unit that the draft allows; for None those that name no unit. Free text is
    not listed."""
    base_map: Callable[[T], BaseMap]
    charts: Callable[[T], tuple[Panel, ...]]
    """The tables that RULES.md shows, by their keys."""
    show: Callable[[T, S, Audience, Sequence[Disclosure[Any]]], View]
    """(game data, player's state, audience, disclosures since the last phase): all that it may be shown."""

    sees_place: SeesPlace | None = None
    """How a side sees a place in a state, for the GM; None where nothing is hidden."""
    ways: Callable[[Draft[T, S], UnitId], Iterable[Way]] = no_ways
    """(draft, unit): where the unit can go on, each place once, for maps that shade it."""
    forms: Callable[[Draft[T, S]], Iterable[Form]] = no_forms
    """(draft of a side that may write its orders): what can be filled in, with what is legal as far as it knows."""
    last_day: Callable[[T], datetime.date | None] = no_last_day
    """The last day of the game, where its turns are days."""
    now: Callable[[S], PhaseKey] = phase_in_open
    over: Callable[[S], bool] = ended_in_open
    """Whether the campaign has ended."""
    event_version: int = 1
    event_upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    """The same for an event with its fact and disclosures; a ruling is brought forward as the event it leads to."""
    options: type[Value] = NoOptions
    """What may be chosen when a campaign is created: see `options`."""
    with_options: Callable[[S, Any], S] = as_it_is
    """(a scenario's first state, options): the first state of a campaign with these options."""
    options_of: Callable[[S], Value] = nothing_chosen
    """What a campaign has chosen."""
    figure: Callable[[T, SideId, str], str] = no_figures
    """(game data, side, name): a figure that the side's briefing names, in words. KeyError: there is none."""
    battles: Callable[[S], tuple[Fight, ...]] = no_battles
    """The battles that wait for results. Each side may know of all of them."""
    outside: Outside[T, S] | None = None
    """None if `battles` never finds any."""
    judgements: Callable[[T, S, Sequence[Event[Any]]], Iterable[Judgement]] = nothing_to_judge
    """(game data, state before a phase, its events): what they leave to the GM."""
    simulation: Simulation[T, S] | None = None
    """None if it is never played without people."""
    statistics: tuple[Statistic[T, S], ...] = ()
    """The plots of a campaign, in the order of its page. If the first is a line for each side, it is the score."""
    standing: Standing[T, S] | None = None
    """None where no orders outlive their phase."""
    consequences: Consequences[T, S] | None = None
    """What its reports say of orders; None: of which lines were refused, and nothing else."""
    positions: Positions[T, S] | None = None
    """None if campaigns begin as their scenario does, and never in the middle of a game."""

    @property
    def score(self) -> Statistic[T, S] | None:
        """The figures by which one side is ahead; None where the rules declare none."""
        for first in self.statistics[:1]:
            if first.shape is Shape.LINES and tuple(side for _, side in first.curves) == self.sides:
                return first
        return None

    def phase(self, key: PhaseKey) -> Phase[T, S]:
        """The line of the sequence with this key; raises KeyError."""
        return self._table[key]

    @cached_property
    def fact_type(self) -> Any:
        """The union of its facts, for the codec."""
        return Union[tuple(self.release)]  # noqa: UP007 # of types that stand in a table

    def orders_of(self, phase: Phase[T, S]) -> tuple[type[Order], ...]:
        """All that may be written in a phase's sheet: its own orders, and standing orders."""
        return phase.orders if self.standing is None else (*phase.orders, *self.standing.orders, NoStandingOrders)

    def is_asked(self, state: S, who: Audience) -> bool:
        """Whether somebody must act in the open phase: they act there, and their standing orders do not answer.

        On a player's state it is right for that player only.
        """
        phase = self.phase(self.now(state))
        return who in phase.acts(state.open) and not self._is_answered(phase, state, who)

    def _is_answered(self, phase: Phase[T, S], state: S, who: Audience) -> bool:
        if self.standing is None or who not in map(audience_of, self.sides):
            return False
        return phase.standing(state.open, self.standing.of(state, SideId(who)))

    def orders_for(self, state: S, who: Audience) -> tuple[type[Order], ...]:
        """All that somebody may write for the open phase: only standing orders if they need not act."""
        phase = self.phase(self.now(state))
        if self.standing is None or self.is_asked(state, who):
            return self.orders_of(phase)
        return (*self.standing.orders, NoStandingOrders)

    def writers(self, asked: Iterable[Audience]) -> frozenset[Audience]:
        """Who may write a sheet for a phase in which these must act: they, and each side for its standing orders."""
        sides = () if self.standing is None else map(audience_of, self.sides)
        return frozenset((*asked, *sides))

    def check(self, game_data: T, known: S, who: Audience, sheet: Sequence[Placed], desks: Desks = ONE_DESK) -> Checked:
        """What the orders of a side's sheets for the open phase will do, as far as the player's state knows."""
        phase = self.phase(self.now(known))
        if self.standing is None:
            return phase.check(Submission(game_data, known, who, sheet, desks))
        stays = [placed for placed in sheet if isinstance(placed.order, (*self.standing.orders, NoStandingOrders))]
        others = [placed for placed in sheet if placed not in stays]
        return merged(
            phase.check(Submission(game_data, known, who, others, desks)) if self.is_asked(known, who) else Checked(),
            self.standing.check(Submission(game_data, known, who, stays, desks)),
            check_lines(stays, {NoStandingOrders: lambda _order: "Your standing orders are withdrawn"}),
        )

    def choices(
        self, game_data: T, known: S, who: Audience, unit: UnitId | None, sheet: Sequence[Placed] = ()
    ) -> tuple[Order, ...]:
        """Every order for a unit that may be added to a sheet as its side knows things; for None those without one."""
        phase = self.phase(self.now(known))
        if who not in phase.acts(known.open):
            return ()
        return tuple(self.candidates(Draft(phase, Submission(game_data, known, who, tuple(sheet))), unit))

    def forms_of(self, draft: Draft[T, S]) -> Iterable[Form]:
        """The forms of the lines that a draft's side may write now."""
        state, who = draft.sheet.known, draft.sheet.who
        writes = self.standing is not None or who in draft.phase.acts(state.open)
        kinds = self.orders_for(state, who) if writes else ()
        return self.forms(replace(draft, phase=replace(draft.phase, orders=kinds)))

    def why_no_ruling(self, game_data: T, state: S, fact: Fact) -> str:
        """Why the GM cannot rule a fact in this state; empty if they can."""
        return objection_to(fact, self.rulings, game_data, state)

    @cached_property
    def _table(self) -> Mapping[PhaseKey, Phase[T, S]]:
        return {phase.key: phase for phase in self.phases}
