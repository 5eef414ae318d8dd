"""R4.4 The attacks of a side: for each enemy hex the attackers that promise most, and the best of these plans."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.battle.close_air import close_support_left
from campaign.rulesets.forum_campaign.bots.posts.posts import Post, Posts, prize
from campaign.rulesets.forum_campaign.model.game_data import enemy_of
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance

_MOST = 6
"""Units that attack one hex."""
_KILLED = (0.5, 0.15, 0.05)
"""How likely defeated defenders are lost, by the hexes next to them that are open, as far as the side sees.

Most retreat further where there is none, as the scenarios have it (`retreat_length`).
"""
_GROUND = 0.15
"""The worth of ground won, as a part of what it leads to."""
_FREED = 0.6
"""How likely own units are in supply again when an enemy who bars it is defeated."""
_AIR_UNITS = 2
"""R3.10 The most air units that are counted on when an attack is planned."""


@dataclass(frozen=True)
class Attacker:
    """A unit that could attack, from where, and what it gives up for that."""

    unit: Unit
    at: PlaceId
    spent: int
    strength: int
    cost: float


@dataclass(frozen=True)
class AttackPlan:
    """An attack on a hex, and what it is worth."""

    at: PlaceId
    attackers: tuple[Attacker, ...]
    worth: float
    support: float = 0.0
    """R3.10 The strength of the close air support that it is planned with."""


class Target:
    """An enemy hex that may be attacked, as far as the side sees it."""

    def __init__(self, posts: Posts, at: PlaceId) -> None:
        self.posts, self.at = posts, at
        seen = posts.seen
        self._men = seen.foe_strengths[at]
        level = seen.known.own[seen.side].seen_positions.get(at, 0)
        self.defence = self._men * seen.cover(at, enemy_of(seen.side), level)
        self._prize = prize(seen, at) * seen.style.take + posts.ahead(at) * _GROUND + self._supply()
        near = seen.game_data.open_board.adjoining[at]
        self._retreats = near - seen.foe_strengths.keys() - posts.zone - posts.held
        """R12.5 Where its defenders may go, but for those who attack it."""

    def _supply(self) -> float:
        """R7 What it is worth for supply that own units are in the hex, and the enemy is not."""
        seen = self.posts.seen
        others = {place: worth for place, worth in seen.foe_worths.items() if place != self.at}
        cut = seen.their_lines.cut_at(self.at, others) * seen.style.cut
        if all(map(seen.lines.reach, seen.held)):
            return cut
        return cut + _FREED * seen.lines.without_enemy(self.at).lost(seen.lines, seen.own_worths)

    def attack(self, attackers: Sequence[Attacker]) -> float:
        """R12.11 The attackers' strength with directions, rivers and weather."""
        seen, origins = self.posts.seen, {each.at for each in attackers}
        rules, weather = seen.game_data.charts.resolver, seen.known.open.weather
        percent = rules.direction * (len(origins) - 1)
        if weather is not None:
            percent += rules.weather.get(weather.condition, 0)
        if all((at, self.at) in seen.game_data.rivers for at in origins):
            percent -= rules.river
        return sum(each.strength for each in attackers) * (1 + percent / 100)

    def worth(self, attackers: Sequence[Attacker], *, support: float = 0.0) -> float:
        """The points that the attack is worth on average, less what its units give up for it."""
        seen, adjoining = self.posts.seen, self.posts.seen.game_data.open_board.adjoining
        look = seen.outlooks.at(self.attack(attackers) + support, self.defence)
        left = self._retreats.difference(*(adjoining[each.at] for each in attackers), [each.at for each in attackers])
        kill = _KILLED[min(len(left), len(_KILLED) - 1)]
        points = look.points(
            prize=self._prize,
            kill=kill,
            attackers=sum(each.strength for each in attackers) * seen.per_strength,
            defenders=self._men * seen.per_strength,
        )
        return points + kill * look.beaten * seen.style.life - sum(each.cost for each in attackers)

    def is_strong_enough(self, attackers: Sequence[Attacker], *, support: float = 0.0) -> bool:
        return self.attack(attackers) + support >= self.posts.seen.style.odds * self.defence

    def best(self, near: Sequence[Attacker], *, support: float = 0.0) -> AttackPlan:
        """Attackers are added one by one, each time the one that helps most; the best number of them counts."""
        chosen: list[Attacker] = []
        best = AttackPlan(self.at, (), 0.0)
        left = [each for each in near if self.posts.has_room(each.unit, each.at)]
        while left and len(chosen) < _MOST:
            worth, *_, pick = max(
                (self.worth([*chosen, each], support=support), each.unit.id, each.at, each) for each in left
            )
            chosen.append(pick)
            left = [each for each in left if _fits(chosen, each)]
            if worth > best.worth and self.is_strong_enough(chosen, support=support):
                best = AttackPlan(self.at, tuple(chosen), worth, support)
        return best


def _fits(chosen: Sequence[Attacker], each: Attacker) -> bool:
    """R5.7 Whether one more attacker finds room next to those chosen."""
    stacked = [other.unit for other in chosen if other.at == each.at]
    return all(other.unit.id != each.unit.id for other in chosen) and not too_full([*stacked, each.unit])


@dataclass
class Attacks:
    """The search for attacks."""

    posts: Posts
    options: Mapping[UnitId, Sequence[Post]]
    """The posts of units that may attack, each with its worth."""
    _free: dict[UnitId, dict[PlaceId, list[Attacker]]] = field(default_factory=dict)
    """How each unit that is free to attack can do so, by the hex attacked."""

    def best(self) -> Iterator[AttackPlan]:
        """The attacks worth making, the best first. Each unit attacks once."""
        seen = self.posts.seen
        fit = (unit for unit in seen.units.values() if unit.supplied and not unit.scattered and unit.id in self.options)
        self._free = {unit.id: found for unit in fit if (found := self._ways(unit))}
        left = close_support_left(seen.known, seen.side)
        plans = {target: self._plan(target, left) for target in sorted(seen.foe_strengths)}
        while plans:
            plan = plans.pop(max(plans, key=lambda target: (plans[target].worth, target)))
            if plan.worth < seen.style.gain or not plan.attackers:
                return
            yield plan
            for each in plan.attackers:
                del self._free[each.unit.id]
            less = max(left - _AIR_UNITS, 0)
            again = [at for at, other in plans.items() if less < min(left, _AIR_UNITS) or _meet(plan, other)]
            left = less
            plans |= {target: self._plan(target, left) for target in again}

    def _ways(self, unit: Unit) -> dict[PlaceId, list[Attacker]]:
        """How a unit can attack: from every post that it reaches with an attacker's points (R4.1)."""
        seen, most, posts = self.posts.seen, attack_allowance(unit), self.options[unit.id]
        best = max((post.worth for post in posts), default=0.0)
        foes, adjoining = seen.foe_strengths.keys(), seen.game_data.open_board.adjoining
        found: dict[PlaceId, list[Attacker]] = {}
        for post in posts:
            if post.spent <= most and not adjoining[post.at].isdisjoint(foes):
                attacker = Attacker(unit, post.at, post.spent, self.posts.strength(unit), best - post.worth)
                for target in adjoining[post.at] & foes:
                    found.setdefault(target, []).append(attacker)
        return found

    def _plan(self, target: PlaceId, air_units: int) -> AttackPlan:
        """R3.10 The best attack on a hex with what is left of close air support."""
        support = self.posts.seen.game_data.charts.resolver.air_unit * min(air_units, _AIR_UNITS)
        near = [each for ways in self._free.values() for each in ways.get(target, ())]
        return Target(self.posts, target).best(near, support=support)


def _meet(plan: AttackPlan, other: AttackPlan) -> bool:
    """Whether two plans need the same unit or the same hex, so that the second must be made again."""
    units, places = {each.unit.id for each in plan.attackers}, {each.at for each in plan.attackers}
    return any(each.unit.id in units or each.at in places for each in other.attackers)
