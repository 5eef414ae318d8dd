"""R7 Where one more unit would cut enemies off, and where one more enemy would cut off own units."""

from collections.abc import Iterable, Iterator, Mapping

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.assessment.goals import Goal
from campaign.rulesets.forum_campaign.bots.assessment.lines import Lines
from campaign.rulesets.forum_campaign.bots.assessment.ways import points_near
from campaign.rulesets.forum_campaign.movement.reach import reachable

_WEAK_SPOTS = 5
"""Hexes from which the enemy may cut off own units that are watched."""
_NEAR = 12
"""Movement points from which enemies are thought to come there."""
_LEAST = 0.5


def cutting(lines: Lines, worths: Mapping[PlaceId, float], within: Iterable[PlaceId]) -> Mapping[PlaceId, float]:
    """The worth of the units that one more enemy in each of these hexes would cut off, where it is anything."""
    near, there = lines.near_lines_of(worths), lines.game_data.open_board.bits(worths)
    found = ((place, lines.cut_at(place, worths, there)) for place in sorted(near.intersection(within)))
    return {place: worth for place, worth in found if worth}


def weak_spots(seen: Assessment) -> Iterator[Goal]:
    """Hexes from which enemies in sight may cut off own units tomorrow, the worst first and not side by side."""
    within: set[PlaceId] = set()
    for foe in seen.free_foes:
        within.update(reachable(seen.theirs, foe.unit).costs)
    found = cutting(seen.lines, seen.own_worths, within - seen.held - seen.foe_strengths.keys())
    spots: list[PlaceId] = []
    for place in sorted(found, key=lambda place: (-found[place], place)):
        apart = all(seen.game_data.grid.distance(place, spot) > 1 for spot in spots)
        if found[place] >= _LEAST and apart and len(spots) < _WEAK_SPOTS:
            spots.append(place)
            yield Goal(place, found[place], points_near(seen.game_data, place, most=_NEAR))
