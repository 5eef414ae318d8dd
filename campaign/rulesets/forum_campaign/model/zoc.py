"""R5 Zones of control and stacking."""

from collections.abc import Iterable

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import Own, Sighting, Unit, UnitType, on_map


def zone(game_data: GameData, occupied: Iterable[PlaceId]) -> frozenset[PlaceId]:
    """R5.1 The hexes controlled by units in these hexes: all adjoining ones, except over closed hexsides (R6.5)."""
    return frozenset().union(*map(game_data.open_board.adjoining.__getitem__, occupied))


def occupied_hexes(own: Own) -> frozenset[PlaceId]:
    """R5.6 The hexes of a side's ground units."""
    return frozenset([place for _, place in on_map(own)])


def seen_hexes(sightings: Iterable[Sighting]) -> frozenset[PlaceId]:
    """R15.2 Hexes with enemy ground units in sight; commandos do not count (R11.2)."""
    commando = UnitType.COMMANDO
    return frozenset([seen.at for seen in sightings if seen.type is not commando])


def seen_commandos(sightings: Iterable[Sighting]) -> frozenset[PlaceId]:
    """R6.3 Hexes with enemy commandos in sight."""
    commando = UnitType.COMMANDO
    return frozenset([seen.at for seen in sightings if seen.type is commando])


def too_full(units: Iterable[Unit]) -> bool:
    """R5.5, R5.7 More than two ground units in a hex, or more than one that is not small. Commandos take no room."""
    stacked = [unit for unit in units if unit.ground]
    return len(stacked) > 2 or sum(not unit.small for unit in stacked) > 1
