"""R5 Zones of control and stacking."""

from collections.abc import Iterable

from campaign.engine.ids import PlaceId
from campaign.rulesets.forum_campaign.state import Own, Unit, on_map
from campaign.rulesets.forum_campaign.theatre import Theatre


def zone(theatre: Theatre, occupied: Iterable[PlaceId]) -> frozenset[PlaceId]:
    """R5.1 The hexes controlled by units in these hexes: all around, but for closed hexsides (R6.5)."""
    return frozenset(near for place in occupied for near in theatre.open_neighbours(place))


def occupied_hexes(own: Own) -> frozenset[PlaceId]:
    """R5.6 Where a side's ground units stand."""
    return frozenset(place for _, place in on_map(own))


def supplied_hexes(own: Own) -> frozenset[PlaceId]:
    """R5.3 Where at least one of them is supplied, so that its zone costs extra to enter and leave."""
    return frozenset(place for unit, place in on_map(own) if unit.supplied)


def too_full(units: Iterable[Unit]) -> bool:
    """R5.5, R5.7 More than two ground units in a hex, or more than one that is not small. Commandos take no room."""
    stacked = [unit for unit in units if unit.ground]
    return len(stacked) > 2 or sum(not unit.small for unit in stacked) > 1
