"""Whole campaigns played by bots, which show how a scenario behaves."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.bars import as_it_stands
from campaign.engine.dice import KeyedDice, mix
from campaign.engine.orders.order import Placed, Problem, Severity
from campaign.engine.ruleset import Simulation
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId, audience_of
from campaign.engine.values.options import chosen
from campaign.engine.values.value import Value
from campaign.game.loading import Loaded, WithStart

Players = Mapping[str, Callable[[Any, Any, Audience], str]]
"""Bots by name."""


@dataclass(frozen=True)
class Sheet:
    """A bot's sheet for a phase, and its problems."""

    who: Audience
    text: str
    orders: tuple[Placed, ...]
    refused: tuple[Problem, ...]


@dataclass(frozen=True)
class PlayedPhase:
    """A phase of a game, resolved."""

    before: Any
    sheets: tuple[Sheet, ...]
    resolution: Resolution[Any]


@dataclass
class Game:
    """A game from start to end."""

    seed: int
    players: Mapping[SideId, str]
    days: list[str] = field(default_factory=list)
    figures: dict[str, list[int]] = field(default_factory=dict)
    """Each figure at the end of each day."""
    phases: Counter[str] = field(default_factory=Counter)
    """The phases of each day in which a side is waited for."""
    refused: Counter[str] = field(default_factory=Counter)
    """Lines without effect, by the code of their problem."""
    outcome: str = ""
    seconds: float = 0.0


def simulation_of(loaded: Loaded) -> Simulation[Any, Any]:
    """The bots of the scenario's ruleset; raises LookupError if it has none."""
    if loaded.rules.simulation is None:
        raise LookupError(f"nobody plays {loaded.rules.title} without people")
    return loaded.rules.simulation


def options_with(loaded: Loaded, answers: Mapping[str, str]) -> Value:
    """A campaign's options for bots, else the scenario's.

    Raises ValueError for an answer that is not offered or needs a person.
    """
    needed = simulation_of(loaded).options
    for name, answer in needed.items():
        if answers.get(name, answer) != answer:
            raise ValueError(f"{name} must be {answer} where nobody is there to decide")
    return chosen(loaded.rules.options, {**loaded.scenario.options, **needed, **answers})


def play_phases(
    loaded: WithStart,
    *,
    seed: int,
    players: Mapping[SideId, str],
    options: Mapping[str, str] | None = None,
    bots: Players | None = None,
    before_each: Callable[[Any], Any] = as_it_stands,
    dice: Callable[[int], KeyedDice] | None = None,
) -> Iterator[PlayedPhase]:
    """One whole campaign, phase by phase. The same seed gives the same game.

    `bots`: other ones than the ruleset's; `before_each`: changes the state before every phase; `dice`: by lock, instead
    of those of the seed.
    """
    rules, game_data = loaded.rules, loaded.scenario.game_data
    state, lock = rules.with_options(loaded.scenario.start, options_with(loaded, options or {})), 0
    while not rules.over(state):
        lock += 1
        before = state = before_each(state)
        waited_for = sorted(asked(rules, state))
        sheets = tuple(bot_sheet(loaded, state, who, players[SideId(who)], bots) for who in waited_for)
        orders = {sheet.who: sheet.orders for sheet in sheets}
        resolution = adjudicate(rules, game_data, state, orders, dice=dice(lock) if dice else _dice(loaded, seed, lock))
        yield PlayedPhase(before, sheets, resolution)
        state = resolution.state


def play_game(
    loaded: WithStart, *, seed: int, players: Mapping[SideId, str], options: Mapping[str, str] | None = None
) -> Game:
    """The figures of one whole campaign."""
    rules, game_data, simulation = loaded.rules, loaded.scenario.game_data, simulation_of(loaded)
    game, begun = Game(seed, players), time.perf_counter()
    for phase in play_phases(loaded, seed=seed, players=players, options=options):
        game.refused.update(problem.code for sheet in phase.sheets for problem in sheet.refused)
        game.phases[rules.moment(phase.before).in_files] += bool(phase.sheets)
        state = phase.resolution.state
        if rules.over(state) or rules.moment(state) != rules.moment(phase.before):
            game.days.append(rules.moment(phase.before).in_files)
            for name, figure in simulation.measures(game_data, state).items():
                game.figures.setdefault(name, []).append(figure)
        game.outcome = simulation.outcome(game_data, state)
    game.seconds = time.perf_counter() - begun
    return game


def bot_sheet(loaded: Loaded, state: Any, who: Audience, player: str, bots: Players | None = None) -> Sheet:
    """What a bot writes in the open phase, read and checked like a player's sheet. `bots`: not the ruleset's."""
    rules, game_data = loaded.rules, loaded.scenario.game_data
    known = state_known_to(state, who)
    text = (bots or simulation_of(loaded).bots)[player](game_data, known, who)
    read = read_side(rules, game_data, known, who, [DeskSheet(text)], phase=rules.now(state))
    problems = check_side(rules, game_data, known, read).problems
    return Sheet(who, text, read.lines, tuple(each for each in problems if each.severity is Severity.ERROR))


def _dice(loaded: Loaded, seed: int, lock: int) -> KeyedDice:
    """Dice that follow from the seed alone, so the seed names the game. Nothing here needs to be secret."""
    audiences = (GM, PUBLIC, *map(audience_of, loaded.rules.sides))
    return KeyedDice(
        campaign=f"play-{seed}",
        lock=lock,
        mix=mix({}),
        seeds={audience: f"{seed}|{audience}".encode() for audience in audiences},
    )
