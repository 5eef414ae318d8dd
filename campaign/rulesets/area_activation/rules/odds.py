"""The exact odds of a combat, for the side that decides about it: no dice are rolled here."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from campaign.engine.values.modifiers import total
from campaign.rulesets.area_activation.model.game_data import GameData
from campaign.rulesets.area_activation.model.state import Fight, Fighter
from campaign.rulesets.area_activation.rules.combat import dice_of

_SIDES_OF_A_DIE = 10

Distribution = tuple[float, ...]
"""The probability of 0, 1, 2 ... hits."""


@dataclass(frozen=True)
class Odds:
    """What a combat leads to if the defender stands."""

    eliminated: float
    """The probability that no defender is left."""
    attackers_lost: float
    """The probability that no attacker is left."""
    defender_loss: float
    """Points of strength that the defender loses on average."""
    attacker_loss: float


def odds(game_data: GameData, fight: Fight) -> Odds:
    """The odds of a combat, by R26 to R31."""
    on_defender = _after(_hits(game_data, fight.attackers), fight.shelter, _strength(fight.defenders))
    on_attacker = _after(_hits(game_data, fight.defenders), 0, _strength(fight.attackers))
    return Odds(on_defender[-1], on_attacker[-1], _mean(on_defender), _mean(on_attacker))


def _strength(fighters: Sequence[Fighter]) -> int:
    return sum(fighter.strength for fighter in fighters)


def _hits(game_data: GameData, fighters: Sequence[Fighter]) -> Distribution:
    """How many hits these units make together."""
    found: Distribution = (1.0,)
    for fighter in fighters:
        found = _sum(found, _binomial(dice_of(game_data, fighter), total(fighter.chance) / _SIDES_OF_A_DIE))
    return found


def _binomial(dice: int, chance: float) -> Distribution:
    return tuple(comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(dice + 1))


def _sum(a: Distribution, b: Distribution) -> Distribution:
    """The distribution of the sum of two independent numbers."""
    found = [0.0] * (len(a) + len(b) - 1)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            found[i + j] += p * q
    return tuple(found)


def _after(hits: Distribution, shelter: int, strength: int) -> Distribution:
    """R30, R31 The points lost: hits less what the space takes off, and no more than there are."""
    found = [0.0] * (strength + 1)
    for number, probability in enumerate(hits):
        found[max(0, min(strength, number - shelter))] += probability
    return tuple(found)


def _mean(distribution: Distribution) -> float:
    return sum(number * probability for number, probability in enumerate(distribution))
