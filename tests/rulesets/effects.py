"""What the options of the forum campaign change: the same games of bots with and without another answer.

`python -m tests.rulesets.effects 40 raiders_fade=yes` plays 40 games of the large scenario, seeds 1 to 40, twice each,
and prints what the answer changes: means, and the standard error of each difference. Without an answer it measures each
of `ANSWERS`. It also prints how many battles the portions have, and how many of them are fought outside (R12.11). All
processors play.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from statistics import mean, stdev

from campaign.engine.values.ids import SideId
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.simulation import play_phases, simulation_of
from campaign.rulesets.forum_campaign.model.facts.battle import BattleOpened
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.secrecy import truth

SCENARIO = "forum_campaign/ardennes-1944"
BOTS = {GERMAN: "all-round", ALLIED: "all-round"}
ANSWERS = (
    "separate_attacks=yes",
    "movement_scale=three_quarters",
    "movement_scale=half",
    "friends_keep_supply=yes",
    "raiders_fade=yes",
    "costly_demolition=yes",
    "advances_burn_fuel=yes",
    "whole_drop_zone=yes",
    "retreat_length=one",
)
OUTSIDE = {GERMAN: 3, ALLIED: 1}
"""R12.11 The default numbers."""


@dataclass
class Played:
    """A game: who won, its figures on each evening, and the number of battles of each portion that had any."""

    outcome: str = ""
    evenings: list[Mapping[str, int]] = field(default_factory=list)
    battles: dict[SideId, list[int]] = field(default_factory=lambda: {GERMAN: [], ALLIED: []})

    def figures(self) -> dict[str, float]:
        """Those of the last evening; of units without supply the mean of all evenings."""
        return {
            name: mean(evening[name] for evening in self.evenings) if name.startswith("unsupplied") else last
            for name, last in self.evenings[-1].items()
        }


def play(answers: Mapping[str, str], seed: int) -> Played:
    """A whole game of bots under these answers."""
    loaded = _loaded()
    rules, game_data, simulation, game = loaded.rules, loaded.scenario.game_data, simulation_of(loaded), Played()
    for phase in play_phases(loaded, seed=seed, players=BOTS, options=answers):
        after = phase.resolution.state
        fought = [event.fact.battle for event in phase.resolution.events if isinstance(event.fact, BattleOpened)]
        if fought:
            game.battles[fought[0].attacker].append(len(fought))
        if rules.over(after) or rules.moment(after) != rules.moment(phase.before):
            game.evenings.append(simulation.measures(game_data, after))
        game.outcome = simulation.outcome(game_data, after)
    return game


@cache
def _loaded() -> WithStart:
    return load_scenario(find_scenario(SCENARIO))


def effect(before: Sequence[Played], after: Sequence[Played]) -> Iterator[str]:
    """What is different, figure by figure."""
    for side in (GERMAN, ALLIED):
        won = [sum(game.outcome == side for game in games) for games in (before, after)]
        yield f"{side} wins: {won[0]} -> {won[1]} of {len(before)}"
    for name in before[0].figures():
        pairs = [(one.figures()[name], two.figures()[name]) for one, two in zip(before, after, strict=True)]
        differences = [two - one for one, two in pairs]
        error = stdev(differences) / len(differences) ** 0.5
        means = " -> ".join(f"{mean(column):.1f}" for column in zip(*pairs, strict=True))
        yield f"{name}: {means}, {mean(differences):+.1f} +- {error:.1f}"


def battles(games: Sequence[Played]) -> Iterator[str]:
    """How many battles the portions have, and how many of them are fought outside."""
    for side, number in OUTSIDE.items():
        counts = [count for game in games for count in game.battles[side]]
        outside = sum(min(count, number) for count in counts)
        yield (
            f"{side}: {sum(counts) / len(games):.1f} battles a game, {mean(counts):.1f} in a portion that has any;"
            f" with {number} outside {outside / len(games):.1f} a game"
        )


def main(games: int, answers: Sequence[str]) -> None:
    """Play the games once without and once with each answer, and print what it changes."""
    seeds = range(1, games + 1)
    with get_context("fork").Pool() as pool:
        usual = pool.map(partial(play, {}), seeds, chunksize=1)
        _print("battles", battles(usual))
        for answer in answers or ANSWERS:
            name, _, value = answer.partition("=")
            _print(answer, effect(usual, pool.map(partial(play, {name: value}), seeds, chunksize=1)))


def _print(title: str, lines: Iterator[str]) -> None:
    print(title, *lines, sep="\n  ", flush=True)  # noqa: T201 # by hand


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    truth.trust_process()  # it reads whole scenarios
    main(int(sys.argv[1]), sys.argv[2:])
