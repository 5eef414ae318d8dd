"""Bots: players that write sheets, to try scenarios."""

from collections.abc import Callable, Mapping
from functools import partial

from campaign.engine.values.ids import Audience
from campaign.rulesets.area_activation.bots.sheets import sheet
from campaign.rulesets.area_activation.bots.styles import STYLES
from campaign.rulesets.area_activation.model.game_data import SIDES, GameData
from campaign.rulesets.area_activation.model.state import State

Bot = Callable[[GameData, State, Audience], str]

BOTS: Mapping[str, Bot] = {name: partial(sheet, style=style) for name, style in STYLES.items()}


def measures(_game_data: GameData, state: State) -> Mapping[str, int]:
    """The points, and each side's units and strength."""
    figures = {"points": state.open.points}
    for side in SIDES:
        units = state.own[side].units.values()
        figures[f"units_{side}"] = len(units)
        figures[f"strength_{side}"] = sum(unit.strength for unit in units)
    return figures


def outcome(_game_data: GameData, state: State) -> str:
    """The winner, or draw."""
    return state.open.winner or "draw"
