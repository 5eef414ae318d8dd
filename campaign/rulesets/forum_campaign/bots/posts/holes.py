"""Own objectives that the enemy can walk into, past all who stand in its way."""

from collections.abc import Mapping

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.assessment.goals import Goal, their_goals
from campaign.rulesets.forum_campaign.bots.assessment.ways import FAR
from campaign.rulesets.forum_campaign.movement.reach import reachable
from campaign.rulesets.forum_campaign.movement.walking import points_clear


def holes(seen: Assessment, held: frozenset[PlaceId]) -> Mapping[PlaceId, float]:
    """R4.3 The worth of each objective that an enemy in sight can reach tomorrow if own units are in these hexes."""
    near = [goal for goal in their_goals(seen) if goal.at not in held and _is_near(seen, goal)]
    if not near:
        return {}
    theirs, walked = seen.theirs_against(held), set[PlaceId]()
    for foe in seen.free_foes:
        if any(goal.points.get(foe.at, FAR) <= points_clear(foe.unit) for goal in near):
            walked.update(reachable(theirs, foe.unit).costs)
    return {goal.at: goal.worth for goal in near if goal.at in walked}


def _is_near(seen: Assessment, goal: Goal) -> bool:
    return any(goal.points.get(foe.at, FAR) <= points_clear(foe.unit) for foe in seen.free_foes)
