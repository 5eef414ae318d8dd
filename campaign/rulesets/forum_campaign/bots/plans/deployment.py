"""R4 A side's plan for its portion: attacks first, then a post for every other unit, the most pressing first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.plans.attacks import AttackPlan, Attacks
from campaign.rulesets.forum_campaign.bots.posts.holes import holes
from campaign.rulesets.forum_campaign.bots.posts.posts import Post, Posts, posts_of
from campaign.rulesets.forum_campaign.model.state import Unit

_WORTH_A_MARCH = 0.08
"""How much better another hex must be."""
_SWEEPS = 1
"""How often all units are asked again when all have a post."""


@dataclass(frozen=True)
class March:
    """Where a unit ends, and its way there. No way: it stays."""

    unit: UnitId
    at: PlaceId
    way: tuple[PlaceId, ...]
    spent: int
    gain: float
    """What it is worth more than to stay."""


@dataclass
class Deployment:
    """Where units end, and what they attack."""

    posts: Posts
    marches: dict[UnitId, March] = field(default_factory=dict)
    attacks: list[AttackPlan] = field(default_factory=list)


def deploy(seen: Assessment) -> Deployment:
    """A post for every ground unit that may move or enter."""
    posts = posts_of(seen)
    plan = Deployment(posts)
    options = {unit.id: posts.options(unit) for unit in seen.units.values()}
    for attack in Attacks(posts, options).best():
        plan.attacks.append(attack)
        for each in attack.attackers:
            _send(plan, each.unit, Post(each.at, each.spent, 0.0), gain=attack.worth / len(attack.attackers))
    free = {id_: unit for id_, unit in seen.units.items() if id_ not in plan.marches and id_ in seen.ranges}
    _place(plan, free, options)
    _guard(plan, free)
    for _ in range(_SWEEPS):
        for unit in free.values():
            best = _best(plan, unit, posts.options(unit))
            if best is not None and best[0].at != posts.ends.get(unit.id):
                _send(plan, unit, *best[:1], gain=best[1])
    return plan


def _place(plan: Deployment, units: Mapping[UnitId, Unit], options: Mapping[UnitId, list[Post]]) -> None:
    """The unit with the most to gain goes first. Where others go changes what it gains, so it is asked again."""
    queue = [(-best[1], id_) for id_, unit in units.items() if (best := _best(plan, unit, options[id_]))]
    heapify(queue)
    while queue:
        _, id_ = heappop(queue)
        best = _best(plan, units[id_], plan.posts.options(units[id_]))
        if best is None:
            continue
        post, gain = best
        if queue and -queue[0][0] > gain + 1e-9:
            heappush(queue, (-gain, id_))
        else:
            _send(plan, units[id_], post, gain=gain)


def _guard(plan: Deployment, units: Mapping[UnitId, Unit]) -> None:
    """Someone goes to each objective that the enemy could walk into, the richest first, if they do less elsewhere."""
    posts, seen = plan.posts, plan.posts.seen
    found = holes(seen, posts.held) if seen.style.watch else {}
    for at in sorted(found, key=lambda place: (-found[place], place)):
        posts.open_goals[at] = found[at] * seen.style.watch
        ways = [way for unit in units.values() if (way := _way_to_guard(posts, unit, at))]
        if ways:
            gain, _, unit, post = max(ways, key=lambda way: way[:2])
            if gain > _WORTH_A_MARCH:
                _send(plan, unit, post, gain=gain)


def _way_to_guard(posts: Posts, unit: Unit, at: PlaceId) -> tuple[float, UnitId, Unit, Post] | None:
    """What a unit gains by going there instead of where it was to go; None if it cannot."""
    cost = posts.seen.ranges[unit.id].costs.get(at)
    if cost is None or not posts.has_room(unit, at):
        return None
    where = posts.take(unit)
    wants = posts.wants(unit)
    worth = posts.worth(unit, at, wants)
    before = posts.worth(unit, where, wants) if where is not None else 0.0
    if where is not None:
        posts.put(unit, where)
    return worth - before, unit.id, unit, Post(at, unit.spent + cost, worth)


def _best(plan: Deployment, unit: Unit, posts: list[Post]) -> tuple[Post, float] | None:
    """The best post of a unit, and how much better it is than to stay."""
    if not posts:
        return None
    best = max(posts, key=lambda post: (post.worth, post.at))
    stay = next((post for post in posts if post.at == plan.posts.ends.get(unit.id, unit.at)), None)
    if stay is None:
        return best, best.worth
    return (best, best.worth - stay.worth) if best.worth > stay.worth + _WORTH_A_MARCH else (stay, 0.0)


def _send(plan: Deployment, unit: Unit, post: Post, *, gain: float) -> None:
    posts = plan.posts
    in_range = posts.seen.ranges.get(unit.id)
    way = in_range.way(post.at) if in_range and post.at != unit.at else ()
    posts.take(unit)
    posts.put(unit, post.at)
    plan.marches[unit.id] = March(unit.id, post.at, way, post.spent, gain)
    if posts.cuts.get(post.at) and post.at != unit.at:
        posts.look_for_cuts()
