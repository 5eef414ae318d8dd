"""What draws units over days: the enemy's objectives, and own ones that the enemy is heading for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.assessment.goals import Goal, own_goals
from campaign.rulesets.forum_campaign.bots.assessment.ways import FAR, a_move, worth_by_points
from campaign.rulesets.forum_campaign.measures import meuse_bank
from campaign.rulesets.forum_campaign.model.state import Unit

_NEED = 400.0
"""Strength that an objective draws before it draws more of it less."""
_GUARDS = 2
"""Hexes around an enemy objective in which enemies are counted."""
_USUAL_MOVE = 7
"""Points by which armies come nearer in a day."""
_FULL = 100.0
"""Strength more than there is against it with which the enemy surely takes an objective."""


@dataclass(frozen=True)
class Draw:
    """Something that units are drawn to, the more the nearer they are."""

    at: PlaceId
    worth: float
    points: Mapping[PlaceId, int]
    """Movement points from each place to it."""
    need: float
    """The strength that it needs."""


def draws(seen: Assessment, their: Sequence[Goal]) -> Sequence[Draw]:
    """All that draws the side's units. `their`: what the enemy may take."""
    return [*_onward(seen), *_rally(seen, their)]


def _onward(seen: Assessment) -> Iterator[Draw]:
    distance = seen.game_data.grid.distance
    bank = meuse_bank(seen.game_data)
    for goal in own_goals(seen):
        guard = sum(foe.strength for foe in seen.foes if distance(foe.at, goal.at) <= _GUARDS)
        weight = seen.style.onward * (seen.style.far if goal.at in bank else 2 - seen.style.far)
        yield Draw(goal.at, goal.worth * weight, goal.points, _NEED * seen.style.need + guard)


def _rally(seen: Assessment, their: Sequence[Goal]) -> Iterator[Draw]:
    left = worth_by_points(_USUAL_MOVE)
    own = [(unit.at, seen.strengths[unit.id]) for unit in seen.units.values() if unit.at is not None]
    for goal in their:
        coming = sum(foe.strength * left[goal.points.get(foe.at, FAR)] for foe in seen.free_foes)
        present = sum(strength * left[goal.points.get(at, FAR)] for at, strength in own)
        lacking = coming - present
        if lacking > 0:
            weight = seen.style.rally * min(lacking / _FULL, 1.0)
            yield Draw(goal.at, goal.worth * weight, goal.points, max(lacking, _FULL / 2))


Pull = tuple[float, Sequence[float], Mapping[PlaceId, int]]
"""How strongly something draws a unit, what is left of that by points, and the points to it."""
_STRONGEST = 6
"""Draws that count for a unit."""
_TOO_FAR = 0.25
"""What is left of a draw if there is no time to get there."""


def pulls(seen: Assessment, unit: Unit, drawn: Sequence[tuple[Draw, float]]) -> Sequence[Pull]:
    """What the unit is drawn to from where it is. `drawn`: each draw with the strength that it has drawn already."""
    start, left = unit.at or unit.entry, worth_by_points(a_move(unit))
    most = a_move(unit) * (seen.days_left + 1)
    found: list[tuple[float, Pull]] = []
    for draw, strength in drawn:
        points = draw.points.get(start, FAR) if start else FAR
        pull = draw.worth * draw.need / (draw.need + strength) * (1.0 if points <= most else _TOO_FAR)
        found.append((pull * left[points], (pull, left, draw.points)))
    found.sort(key=lambda each: -each[0])
    return [pull for _, pull in found[:_STRONGEST]]
