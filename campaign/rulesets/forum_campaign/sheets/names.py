"""What may be named in orders: a side's own units, and the places of the map that everybody sees."""

from collections.abc import Mapping

from campaign.engine.orders.lexicon import Names, lexicon
from campaign.engine.values.ids import UnitId
from campaign.rulesets.forum_campaign.air.airdrop import pairs_left
from campaign.rulesets.forum_campaign.model.calendar import SHEET, side_in
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GameData
from campaign.rulesets.forum_campaign.model.state import State, Unit
from campaign.rulesets.forum_campaign.model.task_forces import creatable_task_forces, if_supplied


def names(game_data: GameData, known: State) -> Names:
    """The units that a player's state knows by label, full name and id; hexes by number and town.

    On a movement sheet also the task forces that its lines may create (R8.1). They go by their whole label.
    """
    units = {
        **possible_task_forces(known),
        **{id_: unit for own in known.own.values() for id_, unit in own.units.items()},
    }
    called = {id_: (unit.label, unit.name, id_) for id_, unit in units.items()}
    kind = "one of your units" if len(known.own) == 1 else "a unit on the map"
    forces = {id_ for id_, unit in units.items() if unit.parent is not None}
    return Names(lexicon(kind, called, unabridged=forces), game_data.place_names)


def possible_task_forces(known: State) -> Mapping[UnitId, Unit]:
    """R8.1 The task forces that a side's open movement sheet may create; only in the state of that one side.

    R3.8 An unsupplied unit may create one too, if the same sheet can supply it from the air.
    """
    side = side_in(SHEET, known.open.phase)
    if side is None or set(known.own) != {side}:
        return {}
    units = known.own[side].units
    drops = side == ALLIED and pairs_left(known, side)
    return creatable_task_forces(side, if_supplied(units) if drops else units, known.own[side].lost)
