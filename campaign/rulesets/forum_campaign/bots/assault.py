"""The enemies that a bot attacks: those against which it has gathered enough strength, the most valuable first."""

from collections.abc import Iterable, Iterator, Mapping

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.bots.assessment import Assessment, enemy_objective
from campaign.rulesets.forum_campaign.bots.march import March
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance


def assaults(seen: Assessment, marches: Iterable[March]) -> dict[PlaceId, list[Unit]]:
    """R4.4 The hexes to attack, each with its attackers; each unit attacks once."""
    ends = {march.unit: march for march in marches}
    free = [unit for unit in seen.units.values() if _may_attack(unit, ends)]
    chosen: dict[PlaceId, list[Unit]] = {}
    for target in sorted(seen.enemies, key=lambda place: (-_worth(seen, place), place)):
        near = seen.game_data.open_neighbours(target)
        ready = [unit for unit in free if _end(unit, ends) in near]
        if ready and _strength(seen, target, [(unit, _end(unit, ends)) for unit in ready]) >= seen.style.odds:
            chosen[target] = ready
            free = [unit for unit in free if unit not in ready]
    return chosen


def blind(seen: Assessment, marches: Iterable[March], attacking: Iterable[Unit]) -> Iterator[Unit]:
    """R4.8 Units that attack any enemy that they run into, if the bot's style says so."""
    busy = {unit.id for unit in attacking}
    for march in marches:
        unit = seen.units[march.unit]
        fit = unit.strength > 60 and unit.ground and not unit.small_from_start
        if seen.style.attacks_blindly and march.way and unit.id not in busy and fit:
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


def _strength(seen: Assessment, target: PlaceId, attackers: list[tuple[Unit, PlaceId | None]]) -> float:
    """The attackers' strength relative to the defenders': less if all cross a river, more from several hexes."""
    rules = seen.game_data.charts.resolver
    origins = {at for _, at in attackers if at is not None}
    percent = rules.direction * (len(origins) - 1)
    if all((at, target) in seen.game_data.rivers for at in origins):
        percent -= rules.river
    return sum(seen.power(unit) for unit, _ in attackers) * (1 + percent / 100) / seen.resistance(target)


def _worth(seen: Assessment, target: PlaceId) -> float:
    prize = seen.game_data.hexes[target].victory_points if enemy_objective(seen, target) else 0
    return prize + seen.pull(target)
