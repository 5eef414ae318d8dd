"""R4.5 Saved movement: where victors and those behind them go on to when a battle has opened the way."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.board.paths import reach
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.bots.attacks import AttackPlan, Target
from campaign.rulesets.forum_campaign.bots.deployment import March
from campaign.rulesets.forum_campaign.bots.fuel import Fuel
from campaign.rulesets.forum_campaign.bots.posts import Posts
from campaign.rulesets.forum_campaign.model.movement_costs import MovementCosts
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.zoc import zone
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance, points_in_contact

_LEAST_CHANCE = 0.3
"""Of the battle that must open the way."""
_LEAST_GAIN = 0.3
"""How much better the hex beyond must be."""


def saved_moves(
    posts: Posts, marches: Mapping[UnitId, March], attacks: Sequence[AttackPlan], fuel: Fuel
) -> Iterator[tuple[UnitId, str]]:
    """Units that go on through a hex that is attacked, each to a hex of its own, with the line for it."""
    won = {attack.at: chance for attack in attacks if (chance := _chance(posts, attack)) >= _LEAST_CHANCE}
    if not won:
        return
    costs = _after(posts, won)
    leads = {_who_advances(attack) for attack in attacks}
    attacking = {each.unit.id for attack in attacks for each in attack.attackers}
    for unit in posts.seen.units.values():
        march = marches.get(unit.id)
        at, spent = (march.at, march.spent) if march else (unit.at, unit.spent)
        if at is None or unit.id in leads or unit.id not in posts.seen.ranges:
            continue
        most = attack_allowance(unit) if unit.id in attacking else points_in_contact(unit)
        way = _way_on(posts, costs, won, replace(unit, at=at, spent=spent), most)
        if way and (march or fuel.pays([unit])):
            yield unit.id, f"THEN {unit.label} {'-'.join(way)}"


def _chance(posts: Posts, attack: AttackPlan) -> float:
    target = Target(posts, attack.at)
    return posts.seen.outlooks.at(target.attack(attack.attackers), target.defence).chance


def _who_advances(attack: AttackPlan) -> UnitId:
    """R12.2 The unit that will probably move in."""
    return max(attack.attackers, key=lambda each: (each.unit.mechanized, each.unit.whole, each.unit.id)).unit.id


def _after(posts: Posts, won: Mapping[PlaceId, float]) -> MovementCosts:
    """What steps cost if these battles are won."""
    left = posts.seen.situation.enemy - won.keys()
    around = zone(posts.seen.game_data, sorted(left))
    return MovementCosts(replace(posts.seen.situation.terms, enemy=left, zone=around, costly_zone=around))


def _way_on(
    posts: Posts, costs: MovementCosts, won: Mapping[PlaceId, float], unit: Unit, most: int
) -> tuple[PlaceId, ...]:
    """The best way on through a hex that is attacked, from where the unit waits; none if it is no better there."""
    assert unit.at is not None
    if most <= unit.spent or posts.seen.game_data.open_board.adjoining[unit.at].isdisjoint(won):
        return ()
    onward = reach(costs.through, unit.at, budget=most - unit.spent)
    where = posts.take(unit)
    pulled = posts.pulls(unit)
    here = posts.worth(unit, unit.at, pulled)
    best: tuple[float, tuple[PlaceId, ...]] = (_LEAST_GAIN, ())
    for place in sorted(onward.costs):
        if place != unit.at and place not in won and posts.has_room(unit, place):
            way = onward.way(place)
            if way[0] in won:
                best = max(best, ((posts.worth(unit, place, pulled) - here) * won[way[0]], way))
    if where is not None:
        posts.put(unit, where)
    return best[1]
