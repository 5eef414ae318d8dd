"""Who sees a space, in words for the GM."""

from campaign.engine.sight import Sight
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.area_activation.model.game_data import GameData
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.rules.situation import watched


def sees_place(game_data: GameData, state: State, side: SideId, place: PlaceId) -> Sight:
    """R45 Whether a side sees into a space, and from where."""
    if state.open.options.fog is Fog.OFF:
        return Sight(seen=True, what="Nothing is hidden in this campaign.", by=(), rule="R45")
    near = (place, *game_data.board.neighbours(place))
    units = [unit for unit in state.own[side].units.values() if unit.at in near]
    held = [each for each in near if state.open.control[each] == side]
    by = [f"{game_data.cards[unit.id].name} in {game_data.spaces[unit.at].name}" for unit in units]
    by += [f"its control of {game_data.spaces[each].name}" for each in held]
    if place not in watched(game_data, state, side):
        return Sight(seen=False, what="It has no unit and no space there or next to it.", by=(), rule="R45")
    return Sight(seen=True, what="It sees every unit there, with its strength.", by=tuple(by), rule="R45")
