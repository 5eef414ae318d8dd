"""R43, R44: whether the campaign is won."""

from campaign.engine.facts import Ledger
from campaign.engine.phases import Orders
from campaign.engine.values.ids import SideId
from campaign.rulesets.area_activation.day.ground import settle
from campaign.rulesets.area_activation.model.facts import Ended
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Bank, GameData, Victory
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.rules.supply import supplied_spaces


def evening(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    """R43 Compare the points with the day's thresholds; R44 on the last day of the race, look at the Meuse.

    R50 A space that a correction has given away counts.
    """
    settle(ledger)
    game_data, open_ = ledger.game_data, ledger.state.open
    if game_data.victory is Victory.POINTS:
        winner = winner_by_points(game_data, ledger.state)
        if winner is not None or open_.date >= game_data.last_day:
            ledger.emit(Ended(winner, open_.points), rule="R43")
    elif open_.date >= game_data.last_day:
        ledger.emit(Ended(winner_of_race(game_data, ledger.state), open_.points), rule="R44")


def winner_by_points(game_data: GameData, state: State) -> SideId | None:
    """R43 Who has won on this evening; None: nobody yet."""
    day, points = game_data.days[state.open.date], state.open.points
    if day.german_win is not None and points >= day.german_win:
        return GERMAN
    return ALLIED if day.allied_win is not None and points <= day.allied_win else None


def winner_of_race(game_data: GameData, state: State) -> SideId | None:
    """R44 The Germans with a unit at the Meuse that can trace supply; else a draw if they hold the goal."""
    supplied = supplied_spaces(game_data, state.open, GERMAN)
    for unit in state.own[GERMAN].units.values():
        if game_data.spaces[unit.at].bank is not Bank.NONE and unit.at in supplied:
            return GERMAN
    if game_data.goal is not None and state.open.control[game_data.goal] == GERMAN:
        return None
    return ALLIED
