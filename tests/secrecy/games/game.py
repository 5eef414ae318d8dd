"""All that the search for leaks needs to know of a ruleset. What every ruleset has is not asked here."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from campaign.engine.orders.order import Path as Way
from campaign.engine.phases import Weight
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import PUBLIC, Audience, PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import Loaded, WithStart
from campaign.handling import DEFAULTS, Handling
from tests.secrecy.oracle.account import Reference

EDGE, PATH, SUPPLY = "edge of vision", "zone on a planned path", "across a supply line"
MARGIN, ANYWHERE = "edge of the map", "elsewhere"

MOST = "small"
"""The campaign of most examples, which name its phases without it."""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """A campaign to compare worlds of: where it begins, and how many of its phases are kept."""

    name: str
    scenario: Path
    phases: int
    styles: Sequence[str] = ()
    """The bots that play these phases, in turn; empty: all of the ruleset."""
    first_state: Callable[[WithStart], Any] | None = None
    """From a scenario: a state in the middle of a game, at the start of a phase in which nobody acts."""
    master: bytes = bytes([16]) * 32
    """The master seed of its dice."""
    handling: Mapping[Weight, Handling] = field(default_factory=lambda: DEFAULTS)
    has: Mapping[str, Callable[["Position"], bool]] = field(default_factory=dict)
    """By name: what at least one of these phases has, as the side that observes sees it. Tests ask for it."""

    @property
    def prefix(self) -> str:
        """How the names of its phases begin."""
        return "" if self.name == MOST else f"{self.name}-"


@dataclass
class Position:
    """The truth at the start of a phase, for mutators to change; `observer` must not see what changes."""

    game: "Game"
    loaded: Loaded
    state: Any
    observer: Audience

    @property
    def foreign(self) -> tuple[SideId, ...]:
        """The sides whose parts the observer does not know."""
        return self.game.others(self.observer)

    @property
    def data(self) -> Any:
        return self.loaded.scenario.game_data

    def units(self, side: SideId) -> dict[UnitId, Any]:
        return dict(getattr(self.state.own[side], self.game.units_are))

    def change(self, side: SideId, **parts: Any) -> None:
        own = {**self.state.own, side: replace(self.state.own[side], **parts)}
        self.state = replace(self.state, own=own)

    def put(self, side: SideId, *units: Any) -> None:
        """Change units, or add them."""
        self.change(side, **{self.game.units_are: {**self.units(side), **{unit.id: unit for unit in units}}})

    def take(self, side: SideId, unit: UnitId) -> None:
        left = {id_: each for id_, each in self.units(side).items() if id_ != unit}
        self.change(side, **{self.game.units_are: left})


Places = Callable[[Position, SideId, Sequence[Way]], Iterable[PlaceId]]
"""(position, foreign side, the observer's planned ways): places where a unit of that side would matter."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A ruleset, as the search for leaks plays it. A unit is any value with `id` and `at`."""

    rules: Ruleset[Any, Any]
    oracle: Callable[[Mapping[str, str]], Reference]
    """From the files of a scenario: what the rules' text says of who may know what."""
    rules_text: Path | None = None
    """The file with its rules, unless it is one of the product's rulesets."""
    openings: Sequence[Opening]
    """The campaigns that are built. That with the scenario of most campaigns comes first."""
    desks: Mapping[SideId, tuple[str, str]]
    """By side: the name of a desk, and the formation that it commands."""
    units_are: str
    """The field of a side's part that holds its units by id."""

    hidden: Callable[[Position, SideId], Sequence[Any]]
    """The units of a foreign side that the observer does not know of, and that no order or battle names."""
    has_room: Callable[[Position, SideId, Any, PlaceId], bool]
    """Whether a unit can be in a place: nobody else bars it, and the observer knows of nobody there."""
    places: Mapping[str, Places]
    """By kind."""
    another: Callable[[Position, SideId, Random], Any]
    """A new unit of a side that is nowhere yet."""
    described: Callable[[Any, Random], Any]
    """A unit with another name, type and strength."""
    from_afar: Callable[[Any, Random], Any] = lambda unit, _chance: unit
    """A unit with another name and strength, which looks the same from afar."""
    change_places: Callable[[Any, Any], bool]
    """Whether two units may."""
    hand: Callable[[Position, SideId, Random], None]
    """Change what a side plans and holds, and rulings that nobody knows of."""
    set_up: Callable[[Mapping[str, str], Sequence[SideId], Random], Mapping[str, str]] = lambda files, *_: files
    """(files of a scenario, sides): the same files, in which these sides begin otherwise. What is open stays."""
    arrivals: Callable[[Position, SideId, Random], None] = lambda _position, _side, _chance: None
    """Let those who come to a side later come elsewhere, on another day, and as others."""
    renamed: Callable[[Position, SideId, Random], Mapping[str, str]] = lambda _position, _side, _chance: {}
    """Rename a side's formations, and its units that the observer does not know of; returns names, old to new."""
    names: Callable[[Any], Iterable[str]] = lambda _own: ()
    """All names of units and formations in a side's part, ids included."""
    listed: Callable[[Mapping[str, str], SideId], Iterable[str]] = lambda _files, _side: ()
    """The names and ids of a side's units in a scenario's files."""
    by_id: Callable[[str, Any], str] = lambda text, _own: text
    """(sheet, a side's part): the sheet with ids in place of names that may be changed."""
    sneaks: Callable[[Any], bool] = lambda _unit: False
    """Whether a unit hides from all but its neighbours, so that its place is changed with its side's plans."""
    asked_alone: bool = False
    """Whether only one line of a sheet counts, so that no sheet asks for more."""
    shared_dice: tuple[str, ...] = ()
    """How the labels of secret rolls begin of which more than one audience is told."""

    sheet: Callable[[Loaded, Any, str, str], str]
    """(scenario, state, who, style): a sensible sheet, from what they know."""
    ways: Callable[[Loaded, Any, SideId, Random], Sequence[tuple[Any, Way]]]
    """Units of a side and paths that it may order, as far as it knows."""
    unseen_moves: Callable[[Position, SideId, Random], Mapping[str, str]]
    """Orders that move hidden units of a foreign side where the observer does not see it, by the name in the order."""
    lines: Callable[[Sequence[tuple[Any, Way]], Sequence[PlaceId], Random], str]
    """(units and ways, all places): a sheet of orders that may reveal something by their answers."""
    texts: Sequence[str]
    """Other sheets, sensible and not."""
    asked: Mapping[PhaseKey, Sequence[str]]
    """By phase: lines with {unit} and {hex} whose answers are compared for every unit and place."""
    correction: Callable[[Any, Random], str]
    """A line of the game master that changes a unit, so that its side alone learns of it."""
    ruling: Callable[[Random], str]
    """A line of the game master of which everybody learns."""
    report: Callable[[Position, str, Random], str] = lambda _position, _at, _chance: ""
    """A report of the battle in a place by the side that observes, if battles are fought outside."""
    chosen_anew: Callable[[Position, str, str, Random], str] = lambda _position, _at, text, _chance: text
    """A report of the battle in a place, with other choices that only its writer's side may know."""

    @property
    def key(self) -> str:
        return self.rules.key

    @property
    def scenario(self) -> Path:
        """The scenario of most campaigns."""
        return self.openings[0].scenario

    @property
    def sides(self) -> tuple[SideId, ...]:
        return self.rules.sides

    @property
    def observers(self) -> tuple[Audience, ...]:
        return (*map(Audience, self.sides), PUBLIC)

    def others(self, who: str) -> tuple[SideId, ...]:
        """The sides that somebody is not on."""
        return tuple(side for side in self.sides if str(side) != who)

    def somewhere(
        self, position: Position, side: SideId, unit: Any, chance: Random, plans: Sequence[Way]
    ) -> tuple[str, PlaceId] | None:
        """An unseen place for a unit of a foreign side, with its kind; mostly where the unit would matter."""
        room = partial(self.has_room, position, side, unit)
        kinds = chance.choices(list(self.places), _weights(self.places))
        for kind in (*kinds, *self.places):
            places = sorted(set(filter(room, self.places[kind](position, side, plans))))
            if places:
                return kind, chance.choice(places)
        return None


def _weights(kinds: Iterable[str]) -> list[int]:
    return [_WEIGHTS[kind] for kind in kinds]


_WEIGHTS = {EDGE: 28, PATH: 42, SUPPLY: 16, MARGIN: 7, ANYWHERE: 7}
"""If no path is planned, or there is no room next to it, the unit goes to the edge of vision."""


def with_ids(text: str, ids: Mapping[str, str]) -> str:
    """A text with ids in place of names. No name is replaced within a longer one."""
    if not ids:
        return text
    longest_first = sorted(ids, key=len, reverse=True)
    name = re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, longest_first))})(?!\S)")
    return name.sub(lambda found: ids[found[0]], text)
