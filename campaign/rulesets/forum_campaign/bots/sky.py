"""A bot's sheet for the air and for yesterday's purchases."""

from collections.abc import Iterator

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment import Assessment
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Box, Branch, Goods
from campaign.rulesets.forum_campaign.model.state import Unit, UnitType

_NEAR = 4
"""Hexes from an enemy within which a unit's replacements matter most."""


def air_lines(seen: Assessment) -> Iterator[str]:
    """R3, R11.8, R14 All lines of the air phase."""
    yield from _allocation(seen)
    yield from _jump(seen)
    yield from _purchases(seen)
    yield "READY"


def _allocation(seen: Assessment) -> Iterator[str]:
    day, weather = seen.known.open.air.get(seen.side), seen.known.open.weather
    if day is None or weather is None or not day.available:
        return
    allowed = seen.game_data.charts.air.missions[weather.condition][seen.side]
    if not allowed:
        return
    left = day.available
    drops = _cut_off(seen)[: left // 2] if Box.DROP in allowed else []
    left -= 2 * len(drops)
    targets = _targets(seen)[: left // 2] if Box.INTERDICTION in allowed and seen.side == ALLIED else []
    left -= 2 * len(targets)
    superiority = left // 2 - left // 2 % 2 if Box.SUPERIORITY in allowed else 0
    cas = left - superiority if Box.CAS in allowed else 0
    counts = {"superiority": superiority, "cas": cas, "interdiction": 2 * len(targets), "drop": 2 * len(drops)}
    yield " ".join(["AIR", *(f"{box} {units}" for box, units in counts.items() if units)])
    yield from (f"INTERDICT {place} 2" for place in targets)
    yield from (f"AIRDROP {unit.label}" for unit in drops)


def _cut_off(seen: Assessment) -> list[Unit]:
    if seen.side != ALLIED:
        return []
    return [unit for unit in seen.units.values() if unit.ground and unit.at is not None and not unit.supplied]


def _targets(seen: Assessment) -> list[PlaceId]:
    """Enemy armour nearest to what the side wants to keep."""
    armour = {seen_.at for seen_ in seen.known.own[seen.side].sightings if seen_.type is UnitType.ARMOUR}
    return sorted(armour, key=lambda place: (-seen.pull(place), place))


def _jump(seen: Assessment) -> Iterator[str]:
    """R11.8 The paratroops jump where there is most to gain."""
    if seen.side != GERMAN:
        return
    for unit in seen.units.values():
        waits = unit.at is None and unit.branch is Branch.AIRBORNE and unit.entry is None
        if waits and unit.arrives == seen.known.open.date:
            taken = set(seen.enemies) | {other.at for other in seen.units.values()} | set(seen.known.open.depots)
            zone = sorted(seen.game_data.charts.commandos.zone(whole=seen.known.open.options.whole_drop_zone))
            distance = seen.game_data.grid.distance
            free = [place for place in zone if all(distance(place, other) > 1 for other in taken if other)]
            if free:
                yield f"PARADROP {unit.label} {max(free, key=seen.pull)}"


def _purchases(seen: Assessment) -> Iterator[str]:
    if seen.known.open.turn == 1:
        return
    left = seen.game_data.charts.purchases.points
    prices = {ware.goods: ware.points for ware in seen.game_data.charts.purchases.wares}
    for unit in sorted(seen.units.values(), key=lambda unit: (unit.whole, unit.id)):
        if not _may_receive(seen, unit):
            continue
        goods = Goods.MEN if unit.whole <= 75 else _arms(unit)
        if goods is not None and prices[goods] <= left:
            left -= prices[goods]
            yield f"BUY {unit.label} {goods.value}"


def _arms(unit: Unit) -> Goods | None:
    return Goods.TANKS if unit.branch is Branch.ARMOR and unit.tanks < 2 else None


def _may_receive(seen: Assessment, unit: Unit) -> bool:
    """R14.4 Whether it may receive anything, as far as the side knows."""
    calm = not (unit.moved or unit.spent or unit.fought) and unit.supplied
    return unit.ground and unit.at is not None and calm and unit.at not in seen.situation.zone
