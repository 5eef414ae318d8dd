"""Random games for the laws: phases in a row, each with its input and its result."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.dice import KeyedDice, chain, mix
from campaign.engine.orders.order import Placed
from campaign.engine.phases import Orders
from campaign.engine.ruleset import Ruleset
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience
from campaign.engine.values.options import options_in
from campaign.game.beginning import first_state
from campaign.game.loading import WithStart, load_scenario, supplied_scenarios
from campaign.game.turn_package import audiences
from campaign.rulesets import RULESETS
from tests import toy
from tests.laws.players import PLAYERS


@dataclass(frozen=True)
class PlayedPhase:
    rules: Ruleset[Any, Any]
    game_data: Any
    before: Any
    orders: Orders
    dice: KeyedDice
    resolution: Resolution[Any]


_MOST_LOCKS = 400
"""More than a game has phases."""

RULES: tuple[Ruleset[Any, Any], ...] = (*RULESETS, toy.RULESET)
"""The rulesets that people play, and the toy that has of all what they lack."""


def scenarios() -> list[Path]:
    return [*supplied_scenarios(), toy.SCENARIO]


def play(loaded: WithStart, number: int, phases: int) -> Iterator[PlayedPhase]:
    """Game `number` of a scenario: this many phases of it, unless it ends before. Odd ones have other options."""
    rules, game_data, chance = loaded.rules, loaded.scenario.game_data, Random(number)
    state = first_state(loaded, answers(rules, number))
    for lock in range(1, phases + 1):
        orders = {
            who: placed(PLAYERS[rules.key](game_data, state_known_to(state, who), who, chance))
            for who in sorted(asked(rules, state))
        }
        dice = dice_of(rules, number, lock)
        resolution = adjudicate(rules, game_data, state, orders, dice=dice)
        yield PlayedPhase(rules, game_data, state, orders, dice, resolution)
        state = resolution.state
        if rules.over(state):
            return


def played(folder: Path, number: int, phases: int) -> Iterator[PlayedPhase]:
    """The same. What has been played in this process is not played again: nothing changes the values of a phase."""
    known, rest = _game(folder, number)
    for at in range(phases):
        if at == len(known):
            known.extend(islice(rest, 1))
        if at == len(known):
            return
        yield known[at]


@cache
def _game(folder: Path, number: int) -> tuple[list[PlayedPhase], Iterator[PlayedPhase]]:
    """What is known of a game, and the rest of it."""
    return [], play(load(folder), number, sys.maxsize)


def answers(rules: Ruleset[Any, Any], number: int) -> dict[str, str]:
    """What game `number` has chosen: nothing, or of every option any answer, whatever other options there are."""
    if number % 2 == 0:
        return {}
    return {
        option.name: Random(f"{option.name} of {number}").choice(option.answers)[0]
        for option in options_in(rules.options)
    }


def placed(orders: Sequence[Any]) -> list[Placed]:
    return [Placed(order, line) for line, order in enumerate(orders, 1)]


def dice_of(rules: Ruleset[Any, Any], number: int, lock: int) -> KeyedDice:
    master = number.to_bytes(32, "big")
    seeds = {who: _chain(master, who)[lock] for who in audiences(rules)}
    return KeyedDice(campaign="laws", lock=lock, mix=mix({}), seeds=seeds)


@lru_cache(maxsize=64)
def _chain(master: bytes, who: Audience) -> list[bytes]:
    """An audience's seeds for all locks that a game may have: one by one they take longer than the rest of a phase."""
    return chain(master, "laws", who, _MOST_LOCKS)


def load(folder: Path) -> WithStart:
    return load_scenario(folder, rulesets=RULES)
