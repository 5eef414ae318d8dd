"""R34 to R36: supply."""

from collections.abc import Iterator

from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.area_activation.model.game_data import ALLIED, GameData
from campaign.rulesets.area_activation.model.state import Open, Unit


def supplied_spaces(game_data: GameData, open_: Open, side: SideId) -> frozenset[PlaceId]:
    """R34 The spaces in which a side's units are in supply."""
    board = game_data.board
    barred = board.bits(place for place, holder in open_.control.items() if holder != side)
    sources = board.bits(place for place in game_data.sources(side) if open_.control[place] == side)
    chain = board.flood(sources, barred=barred)
    return board.places_of(chain | board.around(chain)) | frozenset(game_data.sources(side))


def is_checked(game_data: GameData, open_: Open, side: SideId) -> bool:
    """R5 Whether a side's supply is checked today."""
    return side in game_data.days[open_.date].supply


def starving(game_data: GameData, open_: Open, units: Iterator[Unit], enemy_at: frozenset[PlaceId]) -> Iterator[Unit]:
    """R36 Units that lose strength: out of supply yesterday, today again, and with an enemy in their space."""
    for unit in units:
        exempt = unit.side == ALLIED and open_.date >= game_data.no_attrition
        if unit.unsupplied and unit.at in enemy_at and not exempt:
            yield unit
