"""R14 What a bot buys for units that rested: headcount where it is missing, then guns and tanks for the front."""

from collections.abc import Iterator

from msgspec import UNSET

from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.model.game_data import Branch, Goods
from campaign.rulesets.forum_campaign.model.state import FULL, Unit

_WORTH_IT = 10
"""Percent of headcount that must be missing."""
_NEAR = 4
"""Hexes from an enemy within which guns are of use."""


def purchases(seen: Assessment) -> Iterator[str]:
    """R14.1 The lines that spend the points of the day before."""
    if seen.known.open.turn == 1:
        return
    chart = seen.game_data.charts.purchases
    prices = {ware.goods: ware.points for ware in chart.wares}
    amounts = {ware.goods: ware.amount for ware in chart.wares}
    paid = seen.known.own[seen.side].demolition_cost
    left = chart.points - (0 if paid is UNSET else paid)
    for _, unit, goods in sorted(_wishes(seen, amounts), key=lambda wish: (-wish[0], wish[1].id, wish[2].value)):
        if goods in prices and prices[goods] <= left:
            left -= prices[goods]
            yield f"BUY {unit.label} {goods.value}"


def _wishes(seen: Assessment, amounts: dict[Goods, int]) -> Iterator[tuple[float, Unit, Goods]]:
    """What units may receive, with the strength it gives for a point."""
    rules = seen.game_data.charts.resolver
    for unit in seen.units.values():
        if not _may_receive(seen, unit):
            continue
        missing = min((unit.raised or FULL) - unit.whole, amounts.get(Goods.MEN, 0))
        if missing >= _WORTH_IT:
            yield seen.strengths[unit.id] / max(unit.strength, 1) * missing, unit, Goods.MEN
        if _front(seen, unit):
            yield amounts.get(Goods.AT_GUNS, 0) * rules.gun * 0.5, unit, Goods.AT_GUNS
            yield amounts.get(Goods.HEAVY_AT_GUNS, 0) * rules.heavy_gun * 0.25, unit, Goods.HEAVY_AT_GUNS
            if unit.branch is Branch.ARMOR and not unit.raised:
                yield amounts.get(Goods.TANKS, 0) * rules.medium_tank * 0.5, unit, Goods.TANKS


def _front(seen: Assessment, unit: Unit) -> bool:
    distance = seen.game_data.grid.distance
    return unit.at is not None and any(distance(unit.at, foe.at) <= _NEAR for foe in seen.foes)


def _may_receive(seen: Assessment, unit: Unit) -> bool:
    """R14.4 Whether it may receive anything, as far as the side knows."""
    calm = not (unit.moved or unit.spent or unit.fought) and unit.supplied
    return unit.at is not None and calm and unit.at not in seen.situation.zone
