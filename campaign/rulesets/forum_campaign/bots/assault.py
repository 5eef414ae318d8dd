"""Whom a bot attacks: the enemies against whom enough strength has come together, the most worth while first."""

from collections.abc import Iterable, Iterator, Mapping

from campaign.engine.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.bots.march import March
from campaign.rulesets.forum_campaign.bots.picture import Picture, enemy_objective, power
from campaign.rulesets.forum_campaign.movement import attack_allowance
from campaign.rulesets.forum_campaign.state import Unit
from campaign.rulesets.forum_campaign.theatre import Terrain

_COVER = {Terrain.FOREST: 1.2, Terrain.VALLEY: 1.2, Terrain.CITY: 1.3}


def assaults(seen: Picture, marches: Iterable[March]) -> dict[PlaceId, list[Unit]]:
    """R4.4 The hexes to attack, each with its attackers; each unit attacks once."""
    ends = {march.unit: march for march in marches}
    free = [unit for unit in seen.units.values() if _may_attack(unit, ends)]
    chosen: dict[PlaceId, list[Unit]] = {}
    for target in sorted(seen.enemies, key=lambda place: (-_worth(seen, place), place)):
        near = seen.theatre.open_neighbours(target)
        ready = [unit for unit in free if _end(unit, ends) in near]
        if ready and sum(map(power, ready)) >= seen.temper.odds * _resistance(seen, target):
            chosen[target] = ready
            free = [unit for unit in free if unit not in ready]
    return chosen


def blind(seen: Picture, marches: Iterable[March], attacking: Iterable[Unit]) -> Iterator[Unit]:
    """R4.8 Units that attack whatever they run into, where the bot is minded so."""
    busy = {unit.id for unit in attacking}
    for march in marches:
        unit = seen.units[march.unit]
        fit = unit.strength > 60 and unit.ground and not unit.small_from_start
        if seen.temper.attacks_blindly and march.way and unit.id not in busy and fit:
            yield unit


def _may_attack(unit: Unit, ends: Mapping[UnitId, March]) -> bool:
    if not unit.ground or not unit.supplied or unit.scattered:
        return False
    march = ends.get(unit.id)
    spent = march.spent if march else unit.spent
    return (march is not None or unit.at is not None) and spent <= attack_allowance(unit)


def _end(unit: Unit, ends: Mapping[UnitId, March]) -> PlaceId | None:
    march = ends.get(unit.id)
    return march.at if march else unit.at


def _resistance(seen: Picture, target: PlaceId) -> float:
    return seen.enemies[target] * _COVER.get(seen.theatre.hexes[target].terrain, 1.0)


def _worth(seen: Picture, target: PlaceId) -> float:
    prize = seen.theatre.hexes[target].victory_points if enemy_objective(seen, target) else 0
    return prize + seen.pull(target)
