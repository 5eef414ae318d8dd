"""R4.5 Saved movement: where victors and those behind them go on to when a battle has opened the way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.board.paths import Reach, reach
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.bots.plans.attacks import AttackPlan, Target
from campaign.rulesets.forum_campaign.bots.plans.deployment import March
from campaign.rulesets.forum_campaign.bots.plans.fuel import Fuel
from campaign.rulesets.forum_campaign.bots.posts.posts import Posts, prize
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
    leads = {_who_advances(attack): attack.at for attack in attacks}
    attacking = {each.unit.id for attack in attacks for each in attack.attackers}
    for unit in posts.seen.units.values():
        march = marches.get(unit.id)
        at, spent = (march.at, march.spent) if march else (unit.at, unit.spent)
        if at is None or unit.id not in posts.seen.ranges:
            continue
        most = attack_allowance(unit) if unit.id in attacking else points_in_contact(unit)
        onward = _Onward(posts, costs, won, replace(unit, at=at, spent=spent), leads.get(unit.id, at))
        way = onward.best(most - spent)
        if way and (march or fuel.pays([unit])):
            posts.take(unit)
            posts.put(unit, way[-1])
            yield unit.id, f"THEN {unit.label} {'-'.join(way)}"


def _chance(posts: Posts, attack: AttackPlan) -> float:
    target = Target(posts, attack.at)
    return posts.seen.outlooks.at(target.attack(attack.attackers), target.defence).chance


def _who_advances(attack: AttackPlan) -> UnitId:
    """R12.2 The unit that will probably move in, and go on from there."""
    return max(attack.attackers, key=lambda each: (each.unit.mechanized, each.unit.whole, each.unit.id)).unit.id


def _after(posts: Posts, won: Mapping[PlaceId, float]) -> MovementCosts:
    """What steps cost if these battles are won."""
    left = posts.seen.situation.enemy - won.keys()
    around = zone(posts.seen.game_data, sorted(left))
    return MovementCosts(replace(posts.seen.situation.terms, enemy=left, zone=around, costly_zone=around))


@dataclass(frozen=True)
class _Onward:
    """The ways on of a unit that waits for battles."""

    posts: Posts
    costs: MovementCosts
    won: Mapping[PlaceId, float]
    """The chance of each battle that may open a way."""
    unit: Unit
    """Where it waits."""
    else_at: PlaceId
    """Where it is after the battle if it does not go on."""

    def best(self, points: int) -> tuple[PlaceId, ...]:
        """The best way on through a hex that is attacked; none if it is no better there."""
        unit, posts = self.unit, self.posts
        assert unit.at is not None
        if points < 1 or posts.seen.game_data.open_board.adjoining[unit.at].isdisjoint(self.won):
            return ()
        where = posts.take(unit)
        found = self._best(reach(self.costs.through, unit.at, budget=points))
        if where is not None:
            posts.put(unit, where)
        return found

    def _best(self, onward: Reach) -> tuple[PlaceId, ...]:
        posts, wants = self.posts, self.posts.wants(self.unit)
        here = posts.worth(self.unit, self.else_at, wants)
        if self.else_at in self.won:
            here += prize(posts.seen, self.else_at) * posts.seen.style.take
        best: tuple[float, tuple[PlaceId, ...]] = (_LEAST_GAIN, ())
        for place in sorted(onward.costs):
            if place not in self.won and place != self.unit.at and posts.has_room(self.unit, place):
                way = onward.way(place)
                if way[0] in self.won:
                    best = max(best, ((posts.worth(self.unit, place, wants) - here) * self.won[way[0]], way))
        return best[1]
