"""R7 Objectives and victory."""

from collections.abc import Mapping

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from tests.toy.model.facts import Ended, Taken
from tests.toy.model.game_data import NORTH, SIDES, SOUTH, GameData
from tests.toy.model.state import State, occupied


def take_objectives(ledger: Ledger[GameData, State]) -> None:
    """R7.1 An objective belongs to the side that is on it at dusk."""
    for side in SIDES:
        for place in sorted(occupied(ledger.state.own[side]) & set(ledger.state.open.control)):
            if ledger.state.open.control[place] != side:
                ledger.emit(Taken(place, side), rule="R7.1")


def end(ledger: Ledger[GameData, State]) -> None:
    """R7.2 More points win."""
    points = points_of(ledger.game_data, ledger.state.open.control)
    winner = None if points[NORTH] == points[SOUTH] else max(SIDES, key=lambda side: points[side])
    ledger.emit(Ended(winner, points), rule="R7.2")


def points_of(game_data: GameData, control: Mapping[PlaceId, SideId]) -> Mapping[SideId, int]:
    """R7.2 The worth of the objectives that each side holds."""
    return {side: sum(game_data.areas[at].points for at, holder in control.items() if holder == side) for side in SIDES}
