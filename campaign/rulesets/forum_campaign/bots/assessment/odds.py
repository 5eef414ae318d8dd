"""R12.11 What a battle may bring: the resolver's strengths and odds, as a bot estimates them."""

from bisect import bisect_right
from collections.abc import Sequence

from campaign.engine.values.ids import SideId
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.battle.resolver import worth
from campaign.rulesets.forum_campaign.model.game_data import GameData, OddsLine, ResolverRules
from campaign.rulesets.forum_campaign.model.state import Unit

_PERCENT = 100
_WIDEST = 800
"""Percent: higher odds bring nothing more."""
_STEP = 5
"""Percent between two entries of the table."""


class Outlook(Value, frozen=True):
    """What a battle brings on average. Losses are parts of a side's strength."""

    chance: float
    """Of the attackers."""
    paid: float
    """The attackers' losses."""
    lost: float
    """The defenders' losses by fire."""
    beaten: float
    """The part of the defenders that is beaten and must retreat, and is lost too where it cannot."""

    def points(self, *, prize: float, kill: float, attackers: float, defenders: float) -> float:
        """The points that an attack is worth.

        `prize`: of the hex; `kill`: how likely defeated defenders find no retreat; then each side's units in points.
        """
        return self.chance * prize + (self.lost + kill * self.beaten) * defenders - self.paid * attackers


class Outlooks:
    """The resolver's table, drawn as a curve: strengths are estimates, so its steps mean little."""

    def __init__(self, rules: ResolverRules) -> None:
        self._table = [_outlook(rules, percent) for percent in range(0, _WIDEST + 1, _STEP)]

    def at(self, attackers: float, defenders: float) -> Outlook:
        """The outlook for these strengths."""
        index = int(attackers * (_PERCENT / _STEP) / (defenders if defenders > 1 else 1))
        return self._table[index if index < len(self._table) else -1]


def _outlook(rules: ResolverRules, percent: int) -> Outlook:
    chance, *losses = _between(rules, percent)
    die = (rules.loss_die + 1) / 2 / _PERCENT
    paid_if_won, lost_if_won, paid_if_held, lost_if_held = (loss + die for loss in losses)
    return Outlook(
        chance=chance,
        paid=chance * paid_if_won + (1 - chance) * paid_if_held,
        lost=chance * lost_if_won + (1 - chance) * lost_if_held,
        beaten=chance * (1 - lost_if_won),
    )


def _between(rules: ResolverRules, percent: int) -> Sequence[float]:
    """The figures of the odds table, between its lines in proportion."""
    lines = rules.odds
    after = bisect_right([line.at for line in lines], percent)
    low, high = lines[after - 1], lines[min(after, len(lines) - 1)]
    part = (percent - low.at) / (high.at - low.at) if high.at > low.at else 0.0
    return [(a + (b - a) * part) / _PERCENT for a, b in zip(_figures(low), _figures(high), strict=True)]


def _figures(line: OddsLine) -> Sequence[int]:
    return (line.chance, line.won.attackers, line.won.defenders, line.held.attackers, line.held.defenders)


def strength(game_data: GameData, side: SideId, unit: Unit) -> int:
    """R12.11 What a unit is worth in a battle, before ground and support."""
    return worth(game_data.charts.resolver, side, unit)
