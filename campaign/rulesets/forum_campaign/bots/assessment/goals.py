"""What there is to gain for a side: objectives, depots, and hexes from which it cuts supply."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.assessment.ways import points_to
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.model.state import DepotStatus

PER_FUEL = 0.3
"""Victory points that a point of fuel is worth."""


@dataclass(frozen=True)
class Goal:
    """A hex worth having."""

    at: PlaceId
    worth: float
    points: Mapping[PlaceId, int]
    """Movement points from each place to it."""


def own_goals(seen: Assessment) -> tuple[Goal, ...]:
    """What the side may take: the enemy's objectives, and depots if it is German."""
    worths = {place: float(seen.game_data.hexes[place].victory_points) for place in _held_by_enemy(seen)}
    if seen.side == GERMAN:
        worths = _with_depots(seen, worths)
    return tuple(_goals(seen, worths))


def their_goals(seen: Assessment) -> tuple[Goal, ...]:
    """What the enemy may take: the side's objectives, and depots if the enemy is German."""
    control, hexes = seen.known.open.control, seen.game_data.hexes
    worths = {place: float(hexes[place].victory_points) for place, side in sorted(control.items()) if side == seen.side}
    if seen.side == ALLIED:
        worths = _with_depots(seen, worths)
    return tuple(_goals(seen, worths))


def depot_worth(seen: Assessment, place: PlaceId) -> float:
    """R9.2 What the fuel of a depot is worth; nothing if it is captured or destroyed, or at the end."""
    intact = seen.known.open.depots.get(place) is DepotStatus.INTACT
    return seen.game_data.hexes[place].depot * PER_FUEL * min(seen.days_left / 4, 1.0) if intact else 0.0


def _held_by_enemy(seen: Assessment) -> Iterator[PlaceId]:
    return (place for place in sorted(seen.known.open.control) if seen.is_theirs(place))


def _with_depots(seen: Assessment, worths: dict[PlaceId, float]) -> dict[PlaceId, float]:
    for place in sorted(seen.known.open.depots):
        if worth := depot_worth(seen, place):
            worths[place] = worths.get(place, 0.0) + worth
    return worths


def _goals(seen: Assessment, worths: Mapping[PlaceId, float]) -> Iterator[Goal]:
    return (Goal(place, worth, points_to(seen.game_data, place)) for place, worth in worths.items() if worth)
