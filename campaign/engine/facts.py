"""Facts, their disclosures, and the ledger: the only way a state changes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from campaign.engine.dice import Roller
from campaign.engine.errors import EngineError
from campaign.engine.state import State
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, SideId, audience_of
from campaign.engine.values.value import Value

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])
F = TypeVar("F")


class Fact(Value, frozen=True, tag=True):
    """Something that happened: in truth, or as an audience is told of it (its face)."""


class Rolled(Fact, frozen=True):
    """Dice were rolled, for an audience that was chosen before they fell."""

    label: str
    audience: Audience
    sides: int
    dice: tuple[int, ...]
    purpose: str
    by_hand: bool = False


class Noted(Fact, frozen=True):
    """A side's note to the GM."""

    side: SideId
    text: str


class Event(Value, Generic[F], frozen=True, rename={"disclosures": "faces"}):
    """A fact on record: its phase, its rule, and its disclosures. An audience without one learns nothing.

    The rule is empty where no rule applies, as for a note to the GM.
    """

    phase: PhaseKey
    rule: str
    fact: F
    disclosures: Mapping[Audience, F]
    ruling: str = ""
    """The GM's reason, if the fact is a ruling."""


class Disclosure(Value, Generic[F], frozen=True):
    """An event as it is disclosed to one audience."""

    phase: PhaseKey
    rule: str
    fact: F
    ruling: str = ""


Disclose = Callable[[Any, Any, Any], Mapping[Audience, Fact]]
"""(state before, state after, fact) -> the fact as disclosed to each audience. The GM always gets the fact itself."""


@dataclass(frozen=True)
class Release:
    """A line of the release table: who learns of a kind of fact, in words for players and as a function."""

    words: str
    disclosures: Disclose


def disclose(events: Iterable[Event[F]], audience: Audience) -> tuple[Disclosure[F], ...]:
    """What is disclosed to one audience of these events, in order."""
    return tuple(
        Disclosure(event.phase, event.rule, event.disclosures[audience], event.ruling)
        for event in events
        if audience in event.disclosures
    )


def to_all(before: State[Any, Any, Any], _after: object, fact: Fact) -> Mapping[Audience, Fact]:
    """A release: the fact itself, to every side and the public."""
    return {PUBLIC: fact} | {audience_of(side): fact for side in before.own}


def to_nobody(_before: object, _after: object, _fact: Fact) -> Mapping[Audience, Fact]:
    """A release: to the GM alone."""
    return {}


def to_owner(_before: object, _after: object, fact: Any) -> Mapping[Audience, Fact]:
    """A release: the fact itself, to the side it names in its field `side`."""
    return {audience_of(fact.side): fact}


def to_audience_of_roll(before: State[Any, Any, Any], after: object, fact: Rolled) -> Mapping[Audience, Fact]:
    """A release of rolls: to the audience named before the dice fell."""
    return to_all(before, after, fact) if fact.audience == PUBLIC else {fact.audience: fact}


def unchanged(state: S, _fact: Fact) -> S:
    """The state after a fact that changes nothing."""
    return state


@dataclass
class Ledger(Generic[T, S]):
    """The ledger of one adjudication: it holds the state, and changes it only by facts, which it records.

    `game_data` never changes and is known to all: the map and the charts.
    """

    game_data: T
    state: S
    evolve: Callable[[S, Any], S]
    release: Mapping[type[Fact], Release]
    dice: Roller
    phase: PhaseKey = PhaseKey("")
    events: list[Event[Any]] = field(default_factory=list)
    _rolled: set[str] = field(default_factory=set)

    def emit(self, fact: Fact, *, rule: str, ruling: str = "") -> None:
        """Record a fact and let it change the state; raises EngineError for a kind that the release table lacks."""
        if type(fact) not in self.release:
            raise EngineError(f"{type(fact).__name__} is not in the release table")
        before, self.state = self.state, self.evolve(self.state, fact)
        disclosures = {GM: fact, **self.release[type(fact)].disclosures(before, self.state, fact)}
        self.events.append(Event(self.phase, rule, fact, disclosures, ruling))

    def roll(
        self, label: str, *, sides: int, audience: Audience, purpose: str, rule: str, count: int = 1
    ) -> tuple[int, ...]:
        """Roll dice for an audience and record them.

        Each label is rolled once in a run. If a phase comes up again in the run, a label that was rolled before gets
        the number of the occurrence: `combat/marsh/2`. Raises EngineError if that was rolled before too.
        """
        _, _, occurrence = self.phase.partition("/")
        if label in self._rolled and occurrence:
            label = f"{label}/{occurrence}"
        if label in self._rolled:
            raise EngineError(f"{label} was rolled twice")
        self._rolled.add(label)
        dice = self.dice.roll(label, count=count, sides=sides, audience=audience)
        entered = self.dice.entered(label)
        fact = Rolled(label, audience, sides, dice, purpose, entered is not None)
        self.emit(fact, rule=rule, ruling=entered.reason if entered else "")
        return dice
