"""R4 A bot's sheets for its side's portion: movement and attacks, and phases that only some campaigns have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from campaign.engine.values.ids import UnitId
from campaign.rulesets.forum_campaign.air.airdrop import pairs_left
from campaign.rulesets.forum_campaign.battle.outside import most_outside
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment, assess
from campaign.rulesets.forum_campaign.bots.assessment.goals import depot_worth
from campaign.rulesets.forum_campaign.bots.plans.attacks import AttackPlan, Attacks, Target
from campaign.rulesets.forum_campaign.bots.plans.deployment import Deployment, March, deploy
from campaign.rulesets.forum_campaign.bots.plans.fuel import Fuel, affordable
from campaign.rulesets.forum_campaign.bots.plans.saved import saved_moves
from campaign.rulesets.forum_campaign.bots.plans.support import lead, support
from campaign.rulesets.forum_campaign.bots.plans.task_forces import detachments, returns
from campaign.rulesets.forum_campaign.bots.posts.posts import Post, Posts, posts_of
from campaign.rulesets.forum_campaign.bots.raiders import commandos
from campaign.rulesets.forum_campaign.bots.sky import cut_off
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.model.facts.air import AirDropped

_STRONG = 80
"""Strength from which on a unit attacks whatever it runs into."""
_NEAR = 2
"""R9.5 Hexes from a depot within which there must be an enemy."""


def orders(seen: Assessment) -> Iterator[str]:
    """R4 Movement, and attacks unless they have a phase of their own (2.10)."""
    yield from _demolition(seen)
    drops = [unit.id for unit in cut_off(seen)[: pairs_left(seen.known, seen.side)]]
    yield from (f"AIRDROP {seen.units[unit].label}" for unit in drops)
    plan = deploy(_supplied(seen, drops))
    yield from _portion(plan)
    yield "ALL OTHERS HOLD"
    yield "READY"


def _supplied(seen: Assessment, drops: Sequence[UnitId]) -> Assessment:
    """R3.8 What the side knows when these units are supplied from the air."""
    known = seen.known
    for unit in drops:
        known = evolve(known, AirDropped(seen.side, unit))
    return assess(seen.game_data, known, seen.side, seen.style) if drops else seen


def _portion(plan: Deployment) -> Iterator[str]:
    """R4 The lines in the order in which they need fuel: marches, task forces, saved movement; then attacks."""
    posts, seen, fuel = plan.posts, plan.posts.seen, Fuel(plan.posts.seen)
    marches = {march.unit: march for march in affordable(fuel, plan.marches.values())}
    attacks = _still_possible(plan, marches)
    busy = {each.unit.id for attack in attacks for each in attack.attackers}
    back = dict(returns(posts, marches, busy, fuel))
    marches = {unit: march for unit, march in marches.items() if unit not in back}
    yield from (f"MOVE {seen.units[unit].label} {'-'.join(march.way)}" for unit, march in marches.items())
    yield from (line for lines in back.values() for line in lines)
    joined = {seen.units[unit].parent for unit in back}
    idle = [unit for unit in seen.units.values() if unit.id not in marches.keys() | busy | back.keys() | joined]
    yield from detachments(posts, idle, fuel)
    yield from commandos(posts, {each.unit.id: each.at for attack in attacks for each in attack.attackers})
    onward = dict(saved_moves(posts, marches, [] if seen.known.open.options.separate_attacks else attacks, fuel))
    yield from onward.values()
    garrisons = (unit for unit in idle if unit.at is not None and seen.is_ours(unit.at) and unit.id not in onward)
    yield from (f"HOLD {unit.label}" for unit in garrisons)
    if not seen.known.open.options.separate_attacks:
        yield from attack_lines(posts, attacks)
        yield from _blind(posts, marches, busy)


def _still_possible(plan: Deployment, marches: Mapping[UnitId, March]) -> list[AttackPlan]:
    """The attacks with those for whom there is fuel, where they are strong enough."""
    found = []
    for attack in plan.attacks:
        left = tuple(each for each in attack.attackers if each.unit.id in marches or each.unit.at == each.at)
        strong = left and Target(plan.posts, attack.at).is_strong_enough(left, support=attack.support)
        if len(left) == len(attack.attackers) or strong:
            found.append(replace(attack, attackers=left))
    return found


def attack_lines(posts: Posts, attacks: Sequence[AttackPlan]) -> Iterator[str]:
    """R4.4 Attacks and their support."""
    for attack in attacks:
        yield from (f"ATTACK {each.unit.label} {attack.at}" for each in attack.attackers)
    yield from support(posts, attacks)
    if most_outside(posts.seen.known.open.options, posts.seen.side):
        yield from (f"OUTSIDE {lead(attack).label}" for attack in attacks)


def _blind(posts: Posts, marches: Mapping[UnitId, March], busy: set[UnitId]) -> Iterator[str]:
    """R4.7 Strong units attack what they run into where they see nobody."""
    seen, near = posts.seen, posts.seen.game_data.open_board.adjoining
    for id_, march in marches.items():
        unit = seen.units[id_]
        strong = posts.strength(unit) >= _STRONG and not unit.small
        if seen.style.blind and strong and id_ not in busy and near[march.at].isdisjoint(seen.foe_strengths):
            yield f"ATTACK {unit.label} contact"


def _demolition(seen: Assessment) -> Iterator[str]:
    """R9.5 The richest depot that Germans have come near."""
    distance = seen.game_data.grid.distance
    most = 1 if seen.known.open.options.costly_demolition else _NEAR  # ruling 72: further off it costs replacements
    near = [
        (seen.game_data.hexes[place].depot, place)
        for place in seen.known.open.depots
        if depot_worth(seen, place)
        and place not in seen.foe_strengths
        and any(distance(place, foe) <= most for foe in seen.foe_strengths)
    ]
    if near and seen.burns_depots:
        yield f"DEMOLISH {max(near)[1]}"


# --- phases of their own ---------------------------------------------------------------------------------------------


def attacks_only(seen: Assessment) -> Iterator[str]:
    """2.10 Attacks when all have moved."""
    posts = posts_of(seen)
    here = {unit.id: [Post(unit.at, unit.spent, 0.0)] for unit in seen.units.values() if unit.at is not None}
    yield from attack_lines(posts, list(Attacks(posts, here).best()))
    yield "READY"


def retreats(seen: Assessment) -> Iterator[str]:
    """R12.5 Defeated units go where they are worth most."""
    posts = posts_of(seen)
    for pending in seen.known.open.pending_retreats:
        for fighter in pending.battle.defenders:
            unit = seen.units.get(fighter.unit)
            legal = retreat_hexes(seen.game_data, seen.known, pending.battle, fighter.unit) if unit else ()
            if unit is None or unit.at != pending.battle.at or len(legal) < 2:
                continue
            posts.take(unit)
            wants = posts.wants(unit)
            best = max(legal, key=lambda at: (posts.worth(unit, at, wants), at))
            posts.put(unit, best)
            yield f"RETREAT {unit.label} to {best}"
    yield "READY"
