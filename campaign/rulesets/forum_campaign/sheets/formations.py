"""Armies and corps: what a side can assign to its desks."""

from collections.abc import Iterator, Mapping

from campaign.engine.orders.lexicon import grouped
from campaign.engine.values.ids import UnitId
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State, Unit
from campaign.rulesets.forum_campaign.sheets.names import possible_task_forces


def formations(_game_data: GameData, known: State) -> Mapping[str, frozenset[UnitId]]:
    """The units of each army and each corps that a player's state knows, by name: `7th Army`, `7th Army, LXXX`.

    A corps is named with its army, as parts of it may serve under another. A task force that a sheet may create belongs
    to the formations of its unit.
    """
    own = (unit for own in known.own.values() for unit in own.units.values())
    return grouped((name, unit.id) for unit in (*own, *possible_task_forces(known).values()) for name in _names(unit))


def _names(unit: Unit) -> Iterator[str]:
    if unit.army:
        yield unit.army
    if unit.army and unit.corps:
        yield f"{unit.army}, {unit.corps}"
