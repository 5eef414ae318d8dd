"""The enemy's ways to what a side holds, and what it saves to stand in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.assessment.foes import Foe
from campaign.rulesets.forum_campaign.bots.assessment.goals import Goal
from campaign.rulesets.forum_campaign.bots.assessment.ways import FAR, a_move, worth_by_points
from campaign.rulesets.forum_campaign.movement.reach import reachable

_MOST = 3
"""Goals that each enemy is thought to have."""
_BLOCKED = 0.5
"""What is left of a goal's worth to an enemy with a unit in its way."""
_ON_THE_WAY, _BESIDE_IT = 1, 3
"""Movement points by which the enemy's way is longer over a hex on its way, or next to it."""
_FROM_BESIDE = 0.4
_LEAST = 0.03
"""Worths below this are not counted."""


@dataclass(frozen=True)
class _Way:
    """An enemy that is thought to head for a goal."""

    foe: Foe
    goal: Goal
    worth: float
    """What the goal is worth to it from where it can be tomorrow, as a part of the whole."""


class Stop(NamedTuple):
    """What it is worth to stand in a hex on an enemy's way, or next to it."""

    way: int
    """The number of the enemy's way."""
    saved: float
    closed: float
    """The part of the way that a unit there closes if it holds."""


Stops = Mapping[PlaceId, Sequence[Stop]]
"""By hex."""


def stops(seen: Assessment, goals: Sequence[Goal]) -> tuple[Stops, int]:
    """Where to stand in the enemy's ways to these goals; and how many ways there are."""
    ways = [way for foe in seen.free_foes for way in _ways(foe, goals)]
    crowd: dict[PlaceId, float] = {}
    for way in ways:
        crowd[way.goal.at] = crowd.get(way.goal.at, 0.0) + way.worth
    found: dict[PlaceId, list[Stop]] = {}
    ground = _ground(seen)
    for number, way in enumerate(ways):
        share = way.goal.worth / max(crowd[way.goal.at], 1.0)
        for place, saved, closed in _saved(way, ground[way.foe.unit.id], seen.style.hold):
            part = saved * closed * share
            if part >= _LEAST:
                found.setdefault(place, []).append(Stop(number, part, closed))
    return found, len(ways)


def _ground(seen: Assessment) -> Mapping[str, Mapping[PlaceId, int]]:
    """Where each enemy could go if nobody stood in its way, with the points for it."""
    free = seen.theirs.cleared()
    return {foe.unit.id: reachable(free, foe.unit).costs for foe in seen.free_foes}


def _ways(foe: Foe, goals: Sequence[Goal]) -> list[_Way]:
    move = a_move(foe.unit)
    left = worth_by_points(move)
    found = [
        _Way(foe, goal, left[max(points - move, 0)]) for goal in goals if (points := goal.points.get(foe.at, FAR)) < FAR
    ]
    return sorted(found, key=lambda way: (-way.worth * way.goal.worth, way.goal.at))[:_MOST]


def _saved(way: _Way, ground: Mapping[PlaceId, int], hold: float) -> list[tuple[PlaceId, float, float]]:
    """The part of the goal's worth that a unit in each hex of the way saves, and the part of the way that it closes."""
    points, left = way.goal.points, worth_by_points(a_move(way.foe.unit))
    start, onward = way.foe.at, points.get
    shortest = points[start]
    found: list[tuple[PlaceId, float, float]] = []
    for place, cost in ground.items():
        longer = onward(place, FAR) + cost - shortest
        if longer <= _BESIDE_IT and place != start:
            saved = way.worth - (1 - hold if place == way.goal.at else _BLOCKED * left[points[place]])
            found.append((place, saved, 1.0 if longer <= _ON_THE_WAY else _FROM_BESIDE))
    return found
