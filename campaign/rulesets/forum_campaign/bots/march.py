"""Where a bot's units go: each takes the hex in reach with the highest worth, units nearest to the enemy first."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.modifiers import total
from campaign.rulesets.forum_campaign.bots.assessment import Assessment, enemy_objective
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Unit
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.fuel import price
from campaign.rulesets.forum_campaign.movement.reach import Range, reachable
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance

_TAKE = 2.0
"""Worth of taking an objective, per victory point."""
_STAY = 0.05
"""How much better another hex must be to be worth the march."""
_TOWN = 0.1
_SHARE = 0.5
_ATTACK = 2.0
"""Worth of helping in an attack."""
_CROWD = -0.5
"""Worth of helping where there is enough strength already."""


@dataclass(frozen=True)
class March:
    """Where a unit ends, and its way there. No way: it stays."""

    unit: UnitId
    at: PlaceId
    way: tuple[PlaceId, ...]
    spent: int
    gain: float


@dataclass
class Deployment:
    """Where units end, and the strength against each enemy."""

    picture: Assessment
    full: dict[PlaceId, list[Unit]] = field(default_factory=dict)
    """Own ground units by the hex in which they end."""
    marches: list[March] = field(default_factory=list)
    against: dict[PlaceId, float] = field(default_factory=dict)
    """Strength next to each enemy hex that may still attack."""

    def has_room(self, unit: Unit, place: PlaceId) -> bool:
        there = [other for other in self.full.get(place, ()) if other.id != unit.id]
        return not too_full([*there, unit])


def deploy(seen: Assessment) -> Deployment:
    """R4 A destination for every unit that may move, and the units that stay where they are."""
    plan = Deployment(seen)
    ground = [unit for unit in seen.units.values() if unit.ground]
    for unit in ground:
        if unit.at is not None:
            plan.full.setdefault(unit.at, []).append(unit)
    for unit in sorted(ground, key=lambda unit: (_distance(seen, unit), unit.id)):
        march = _best(plan, unit)
        if march is not None:
            _take(plan, unit, march)
    return plan


def affordable(plan: Deployment) -> list[March]:
    """R10 The marches that the fuel allows, the most valuable first."""
    going = sorted((march for march in plan.marches if march.way), key=lambda march: (-march.gain, march.unit))
    seen = plan.picture
    if seen.side != GERMAN:
        return going
    fuel = max(seen.situation.fuel - seen.style.fuel_kept, 0)
    paid: list[March] = []
    for march in going:
        units = [seen.units[each.unit] for each in (*paid, march)]
        if total(price(seen.game_data.charts.fuel, units)) <= fuel:
            paid.append(march)
    return _with_room(seen, paid)


def _with_room(seen: Assessment, marches: list[March]) -> list[March]:
    """R5.7 Without marches into hexes that stay full because a unit has no fuel to leave them."""
    while True:
        ends = {march.unit: march.at for march in marches}
        there: dict[PlaceId | None, list[Unit]] = {}
        for unit in seen.units.values():
            there.setdefault(ends.get(unit.id, unit.at), []).append(unit)
        barred = [march for march in marches if too_full(there[march.at])]
        if not barred:
            return marches
        marches = [march for march in marches if march != barred[-1]]


def _distance(seen: Assessment, unit: Unit) -> int:
    place = unit.at or unit.entry
    return 0 if place is None else seen.nearest_enemy(place)


def _best(plan: Deployment, unit: Unit) -> March | None:
    """The hex in reach with the highest worth, its own included."""
    if unit.at is not None and (not unit.supplied or unit.scattered):
        return March(unit.id, unit.at, (), unit.spent, 0.0)
    in_reach = reachable(plan.picture.situation, unit)
    options = list(_options(plan, unit, in_reach))
    if not options:
        return None
    stay = next((worth for worth, at, _ in options if at == unit.at), 0.0)
    worth, at, spent = max(options, key=lambda option: (option[0] + _STAY * (option[1] == unit.at), option[1]))
    return March(unit.id, at, in_reach.way(at), spent, worth - stay)


def _options(plan: Deployment, unit: Unit, in_reach: Range) -> Iterator[tuple[float, PlaceId, int]]:
    for at, cost in in_reach.costs.items():
        if plan.has_room(unit, at):
            spent = unit.spent + cost
            yield _worth(plan, unit, at, spent), at, spent


def _worth(plan: Deployment, unit: Unit, at: PlaceId, spent: int) -> float:
    seen, style = plan.picture, plan.picture.style
    worth = seen.pull(at) + _prize(seen, at) + _TOWN * seen.game_data.is_town(at)
    near = seen.game_data.open_neighbours(at)
    foes = [place for place in near if place in seen.enemies]
    friends = sum(1 for place in near if plan.full.get(place))
    worth -= style.exposure * max(len(foes) - friends, 0)
    if at not in seen.supplied:
        worth -= style.cut_off
    if foes and spent <= attack_allowance(unit) and unit.supplied:
        worth += _ATTACK * max(_use_in_attack(plan, unit, foe) for foe in foes)
    return worth


def _prize(seen: Assessment, at: PlaceId) -> float:
    """The worth of ending in a hex, or of not leaving it."""
    here = seen.game_data.hexes[at]
    worth = _TAKE * here.victory_points if enemy_objective(seen, at) else 0.0
    if seen.side == GERMAN and seen.known.open.depots.get(at) is DepotStatus.INTACT:
        worth += here.depot
    if here.victory_points and not enemy_objective(seen, at):
        worth += seen.style.hold * here.victory_points
    return worth


def _use_in_attack(plan: Deployment, unit: Unit, foe: PlaceId) -> float:
    """The worth of a unit next to an enemy: highest where it makes an attack possible."""
    seen = plan.picture
    need = seen.style.odds * seen.resistance(foe)
    before = plan.against.get(foe, 0.0)
    if before >= need:
        return _CROWD
    return 0.5 + min(before + seen.power(unit), need) / need + seen.pull(foe) * 0.2


def _take(plan: Deployment, unit: Unit, march: March) -> None:
    seen = plan.picture
    if unit.at is not None:
        plan.full[unit.at] = [other for other in plan.full[unit.at] if other.id != unit.id]
    plan.full.setdefault(march.at, []).append(unit)
    plan.marches.append(march)
    seen.see_to(march.at, share=_SHARE * (0.6 if unit.small else 1.0))
    if march.spent <= attack_allowance(unit) and unit.supplied:
        for foe in seen.game_data.open_neighbours(march.at):
            if foe in seen.enemies:
                plan.against[foe] = plan.against.get(foe, 0.0) + seen.power(unit)
