"""Candidates for orders; the checker decides."""

from collections.abc import Iterator

from campaign.engine.choices import Draft, Way
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import UnitId
from campaign.rulesets.area_activation.model.game_data import GameData
from campaign.rulesets.area_activation.model.orders import (
    Activate,
    Arrive,
    AskMe,
    BreakThrough,
    Combat,
    Commando,
    Decision,
    Delegate,
    Exit,
    GoOn,
    Halt,
    KeepReserve,
    Lose,
    Mark,
    Move,
    Pass,
    Refuel,
    Replace,
    Retreat,
    Stand,
)
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.rules.movement import ways as all_ways
from campaign.rulesets.area_activation.rules.situation import Situation, as_known

Drafted = Draft[GameData, State]

_OF_A_UNIT = (Exit, Lose, Halt, Replace, Mark, Refuel, Commando)


def candidates(draft: Drafted, unit: UnitId | None) -> Iterator[Order]:
    """The orders for a unit that may be the sheet's next line; for None those that name none."""
    situation = as_known(draft.sheet.game_data, draft.sheet.known, draft.sheet.side)
    return draft.allowed(_of_nobody(situation) if unit is None else _of_unit(situation, unit))


def _of_nobody(situation: Situation) -> Iterator[Order]:
    yield Pass()
    yield GoOn()
    yield KeepReserve()
    places = dict.fromkeys(unit.at for unit in situation.own.values())
    for place in places:
        yield Activate(place)
        yield Stand(place)
        yield Retreat(place)
    yield from map(Combat, situation.open.fights or dict.fromkeys(unit.at for unit in situation.enemies))
    for decision in Decision:
        yield AskMe(decision)
        yield Delegate(decision)


def _of_unit(situation: Situation, unit: UnitId) -> Iterator[Order]:
    yield from (Arrive(unit, place) for place in situation.game_data.spaces)
    yield from (kind(unit) for kind in _OF_A_UNIT)
    if unit in situation.own:
        own = situation.own[unit]
        yield from (Move(unit, path, strategic) for path, strategic in all_ways(situation, own))
        near = situation.game_data.board.neighbours(own.at)
        yield from (BreakThrough(unit, place) for place in near)


def ways(draft: Drafted, unit: UnitId) -> Iterator[Way]:
    """R15, R19 Where a unit can go, each space once: the shortest way, a strategic move only where no other leads."""
    situation = as_known(draft.sheet.game_data, draft.sheet.known, draft.sheet.side)
    if unit not in situation.own or Move not in draft.phase.orders:
        return
    found = set()
    for path, strategic in all_ways(situation, situation.own[unit]):
        if path[-1] not in found:
            found.add(path[-1])
            yield Way(Move(unit, path, strategic), path, len(path), 3 if strategic else 2)
