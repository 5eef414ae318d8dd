"""R8 Task forces: created where a small unit does more elsewhere than in its division, taken back where it does not."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.modifiers import total
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.bots.plans.deployment import March
from campaign.rulesets.forum_campaign.bots.plans.fuel import Fuel
from campaign.rulesets.forum_campaign.bots.posts.posts import NOTHING, Posts
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.task_forces import (
    after_detaching,
    after_rejoining,
    task_force,
    why_not_detach,
    why_not_rejoin,
)
from campaign.rulesets.forum_campaign.movement.reach import reachable
from campaign.rulesets.forum_campaign.movement.walking import allowance

_LEAST_GAIN = 0.6
"""What a task force must be worth elsewhere to be created."""
_IDLE = 0.3
"""What it is worth at most where it has nothing to do."""
_MOST = 2
"""Task forces created in a day."""


def detachments(posts: Posts, idle: Sequence[Unit], fuel: Fuel) -> Iterator[str]:
    """The lines that create task forces out of units that stay, and move them."""
    created = 0
    taken = {*posts.seen.situation.units, *posts.seen.situation.retired}
    for parent in idle:
        if parent.at is None or why_not_detach(parent) is not None:
            continue
        force = task_force(posts.seen.side, parent, taken)
        way = _way_out(posts, parent, force)
        if way and fuel.pays([force]):
            taken.add(force.id)
            created += 1
            posts.take(parent)
            posts.put(after_detaching(parent, force), parent.at)
            posts.put(force, way[-1])
            yield f"DETACH {parent.label}"
            yield f"MOVE {force.label} {'-'.join(way)}"
        if created == _MOST:
            return


def _way_out(posts: Posts, parent: Unit, force: Unit) -> tuple[PlaceId, ...]:
    """The way to where the task force would be worth most; none if its division loses more without it."""
    assert parent.at is not None
    rest = after_detaching(parent, force)
    before, _ = posts.risk(parent, parent.at)
    posts.take(parent)
    posts.put(rest, parent.at)
    in_range, wants = reachable(posts.seen.situation, force), posts.wants(force)
    there = [at for at in sorted(in_range.costs) if at != parent.at and posts.has_room(force, at)]
    worth, best = max(((posts.worth(force, at, wants), at) for at in there), default=(0.0, parent.at))
    gain = worth - posts.worth(force, parent.at, wants) - (before - posts.risk(rest, parent.at)[0])
    posts.take(rest)
    posts.put(parent, parent.at)
    return in_range.way(best) if gain > _LEAST_GAIN else ()


def returns(
    posts: Posts, marches: Mapping[UnitId, March], busy: set[UnitId], fuel: Fuel
) -> Iterator[tuple[UnitId, list[str]]]:
    """Task forces with nothing to do that can come back to their unit, each with the lines for it."""
    for force in posts.seen.units.values():
        parent = posts.seen.units.get(force.parent) if force.parent else None
        if parent is None or force.id not in posts.seen.ranges or busy & {force.id, parent.id}:
            continue
        lines = _way_back(posts, force, parent, marches.get(parent.id)) if _is_idle(posts, force) else []
        if lines and (len(lines) == 1 or force.id in marches or fuel.pays([force])):
            posts.take(force)
            yield force.id, lines


def _is_idle(posts: Posts, force: Unit) -> bool:
    where = posts.take(force)
    worth = posts.worth(force, where, NOTHING) if where else 0.0
    if where is not None:
        posts.put(force, where)
    return worth <= _IDLE


def _way_back(posts: Posts, force: Unit, parent: Unit, march: March | None) -> list[str]:
    """The lines with which a task force rejoins its unit where that ends; none if it cannot."""
    at, spent = (march.at, march.spent) if march else (parent.at, parent.spent)
    in_range = posts.seen.ranges[force.id]
    cost = 0 if at == force.at else in_range.costs.get(at) if at else None
    if at is None or cost is None:
        return []
    there, back = replace(force, at=at, spent=force.spent + cost), replace(parent, at=at, spent=spent)
    whole = after_rejoining(back, there)
    if why_not_rejoin(there, back) is not None or whole.spent > total(allowance(whole, contact=True)):
        return []
    move = [f"MOVE {force.label} {'-'.join(in_range.way(at))}"] if cost else []
    return [*move, f"REJOIN {force.label}"]
