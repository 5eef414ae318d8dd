"""R3.10, R15.3 Close air support and heavy artillery, spread over a side's battles by what they add."""

from collections.abc import Iterator, Sequence

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.battle.artillery import BARRAGES
from campaign.rulesets.forum_campaign.battle.close_air import close_support_left
from campaign.rulesets.forum_campaign.bots.plans.attacks import AttackPlan, Target
from campaign.rulesets.forum_campaign.bots.posts.posts import Posts
from campaign.rulesets.forum_campaign.model.state import Unit


def support(posts: Posts, attacks: Sequence[AttackPlan]) -> Iterator[str]:
    """The lines that give support to these attacks, and artillery that is left to units that may be attacked."""
    seen, rules = posts.seen, posts.seen.game_data.charts.resolver
    targets = [(attack, Target(posts, attack.at)) for attack in attacks]
    added = {attack.at: 0.0 for attack in attacks}
    guns = [_most_helped(targets, added, rules.artillery, once=True) for _ in range(min(BARRAGES, len(attacks)))]
    planes: dict[PlaceId, int] = {}
    for _ in range(close_support_left(seen.known, seen.side) if attacks else 0):
        attack = _most_helped(targets, added, rules.air_unit)
        planes[attack.at] = planes.get(attack.at, 0) + 1
    leads = {attack.at: lead(attack) for attack in attacks}
    yield from (f"CAS {leads[place].label} {units}" for place, units in planes.items())
    yield from (f"ARTILLERY {leads[attack.at].label}" for attack in guns)
    busy = {each.unit.id for attack in attacks for each in attack.attackers}
    in_danger = [unit for unit in most_threatened(posts) if unit.id not in busy]
    yield from (f"ARTILLERY {unit.label}" for unit in in_danger[: BARRAGES - len(guns)])


def most_threatened(posts: Posts) -> list[Unit]:
    """The units that heavy artillery may help most if they are attacked where they are."""
    seen = posts.seen
    dangers = {}
    for place, units in sorted(posts.there.items()):
        threat = seen.threats.get(place, 0.0)
        if threat and units:
            own = sum(posts.strength(unit) for unit in units) * seen.cover(place, seen.side)
            helped = seen.outlooks.at(threat, own).chance - seen.outlooks.at(threat, own + 20).chance
            strongest = max(units, key=lambda unit: (posts.strength(unit), unit.id))
            dangers[strongest.id] = (helped * (own / 100 + seen.game_data.hexes[place].victory_points), strongest)
    return [unit for _, unit in sorted(dangers.values(), key=lambda each: (-each[0], each[1].id))]


def _most_helped(
    targets: Sequence[tuple[AttackPlan, Target]], added: dict[PlaceId, float], strength: float, *, once: bool = False
) -> AttackPlan:
    """The attack to which so much strength adds most; it counts as added."""

    def gain(attack: AttackPlan, target: Target) -> float:
        now = added[attack.at]
        if once and now:
            return -1.0
        return target.worth(attack.attackers, support=now + strength) - target.worth(attack.attackers, support=now)

    best, _ = max(targets, key=lambda pair: (gain(*pair), pair[0].at))
    added[best.at] += strength
    return best


def lead(attack: AttackPlan) -> Unit:
    """The strongest attacker."""
    return max(attack.attackers, key=lambda each: (each.strength, each.unit.id)).unit
