"""Figures of a played campaign: of each day, and how it ended."""

from collections.abc import Mapping

from campaign.engine.values.ids import PlaceId
from campaign.engine.values.modifiers import total
from campaign.rulesets.forum_campaign.day.victory import leader, victory_points
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, SIDES, GameData, RiverClass
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Own, State, on_map
from campaign.rulesets.forum_campaign.model.task_forces import has_rejoined, was_removed
from campaign.rulesets.forum_campaign.movement.fuel import price


def measures(game_data: GameData, state: State) -> Mapping[str, int]:
    """The figures of a position, by name."""
    points = victory_points(game_data, state.open.control)
    depots, meuse = list(state.open.depots.values()), meuse_bank(game_data)
    figures = {f"vp_{side}": points[side] for side in SIDES}
    figures |= {f"lost_{side}": lost(state.own[side]) for side in SIDES}
    figures |= {f"unsupplied_{side}": unsupplied(state.own[side]) for side in SIDES}
    return figures | {
        "fuel": state.open.fuel,
        "fuel_for_all": _fuel_for_all(game_data, state),
        "depots_captured": depots.count(DepotStatus.CAPTURED),
        "depots_destroyed": depots.count(DepotStatus.DESTROYED),
        "at_the_meuse": sum(place in meuse for _, place in on_map(state.own[GERMAN])),
    }


def _fuel_for_all(game_data: GameData, state: State) -> int:
    """R10.4 Fuel points that a move of every German unit on the map would cost; with less in hand fuel is short."""
    return total(price(game_data.charts.fuel, (unit for unit, _ in on_map(state.own[GERMAN]))))


def lost(own: Own) -> int:
    """Ground units lost. A task force that has rejoined its unit is no loss (R8.3), nor is a unit taken out (R15.6)."""
    gone = (unit for unit in own.lost.values() if not has_rejoined(own, unit.id) and not was_removed(unit))
    return sum(unit.ground for unit in gone)


def unsupplied(own: Own) -> int:
    """Ground units on the map without supply."""
    return sum(not unit.supplied for unit, _ in on_map(own))


def outcome(game_data: GameData, state: State) -> str:
    """R15.5 Who would win now, or has won: a side, or a draw."""
    return leader(victory_points(game_data, state.open.control)) or "draw"


def meuse_bank(game_data: GameData) -> frozenset[PlaceId]:
    """The hexes on the Meuse, on either bank."""
    return frozenset(
        place for edge, river in game_data.rivers.items() if river.kind is RiverClass.MEUSE for place in edge
    )
