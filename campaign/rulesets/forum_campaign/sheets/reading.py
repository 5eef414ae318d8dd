"""R4, R8 A movement sheet read line by line: what each line asks for, and the problems it has on its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from campaign.engine.orders.checking import Refused, read_each
from campaign.engine.orders.grammar import units_named
from campaign.engine.orders.order import AllOthersHold, Hold, Line, Placed, Problem
from campaign.engine.values.ids import UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.movement import StopReason
from campaign.rulesets.forum_campaign.model.orders import Attack, Detach, Follow, Move, Rejoin, Then
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.task_forces import (
    after_detaching,
    after_rejoining,
    creatable_task_forces,
    if_supplied,
    task_force,
    why_not_detach,
    why_not_rejoin,
)
from campaign.rulesets.forum_campaign.movement.plan import Action, DetachAction, RejoinAction, Reserve, Route
from campaign.rulesets.forum_campaign.movement.walking import cheapest_path, walk
from campaign.rulesets.forum_campaign.sheets.problems import nowhere, stopped_move


@dataclass
class Reading:
    """A sheet's lines, sorted by kind."""

    named: dict[UnitId, Unit]
    """Units that a line may name: the side's, and the task forces that they may create if a line names one."""
    cast: dict[UnitId, Unit]
    """Units and their places after the lines read so far."""
    actions: list[Action] = field(default_factory=list)
    """Movement, task forces and fuel for saved movement, in the order of the sheet."""
    attacks: list[Placed] = field(default_factory=list)
    thens: list[Placed] = field(default_factory=list)
    problems: Sequence[Problem] = ()
    ordered: set[UnitId] = field(default_factory=set)
    moving: set[UnitId] = field(default_factory=set)
    """Units with a MOVE, correct or not: only one is read for each, so that searches are limited."""
    holding: set[UnitId] = field(default_factory=set)
    others_hold: set[str] = field(default_factory=set)
    """Desks whose other units all hold."""


def read_sheet(situation: Situation, sheet: Sequence[Placed]) -> Reading:
    """Sort a sheet's lines. Lines of other topics are checked elsewhere."""
    reading = Reading({**_new_forces(situation, sheet), **situation.units}, dict(situation.units))
    _, reading.problems = read_each(sheet, partial(_read_line, situation, reading))
    return reading


def _new_forces(situation: Situation, sheet: Sequence[Placed]) -> Mapping[UnitId, Unit]:
    """Task forces that a sheet may name before they exist; none if it names only units that do."""
    if all(unit in situation.units for placed in sheet for unit in units_named(placed.order)):
        return {}
    return creatable_task_forces(situation.side, if_supplied(situation.units), situation.retired)


_OF_A_UNIT = (Move, Hold, Attack, Then, Detach, Rejoin)


def _read_line(situation: Situation, reading: Reading, placed: Placed) -> None:
    """Raises Refused for a line that is wrong regardless of the others."""
    if isinstance(placed.order, _OF_A_UNIT) and placed.order.unit not in reading.named:
        raise Refused("gone", f"{placed.order.unit} no longer exists", "R4")
    match placed.order:
        case Move():
            _read_move(situation, reading, placed.where, placed.order)
        case Hold():
            _read_hold(reading, placed.order)
        case Detach() | Rejoin():
            _read_split(situation, reading, placed)
        case Attack() | Then() | Follow() as order:
            reading.ordered.add(order.unit)
            _read_later(situation, reading, placed)
        case AllOthersHold():
            reading.others_hold.add(placed.desk)


def _read_later(situation: Situation, reading: Reading, placed: Placed) -> None:
    """Read an order for when all have moved."""
    if isinstance(placed.order, Attack):
        _read_attack(situation, reading, placed)
    elif isinstance(placed.order, Then):
        if placed.order.unit not in reading.cast:
            raise stopped_move(reading.named[placed.order.unit].label, StopReason.ABSENT)
        reading.thens.append(placed)
        reading.actions.append(Reserve(placed.where, placed.order.unit))


def _read_attack(situation: Situation, reading: Reading, placed: Placed) -> None:
    if not situation.options.separate_attacks:
        reading.attacks.append(placed)
        return
    hint = "Order them there, after all moves."
    raise Refused("later", "attacks are ordered in the next phase", "R4.4", hint=hint)


# --- movement --------------------------------------------------------------------------------------------------------


def _read_move(situation: Situation, reading: Reading, line: Line, move: Move) -> None:
    reading.ordered.add(move.unit)
    label = reading.named[move.unit].label
    if move.unit in reading.holding:
        raise _twice(f"a line above already has {label} hold")
    if move.unit in reading.moving:
        raise stopped_move(label, StopReason.TWICE, "Keep one of the two lines.")
    if move.unit not in reading.cast:
        raise stopped_move(label, StopReason.ABSENT)
    reading.moving.add(move.unit)
    _settle_route(situation, reading, line, move)


def _read_hold(reading: Reading, hold: Hold) -> None:
    reading.ordered.add(hold.unit)
    label = reading.named[hold.unit].label
    if hold.unit not in reading.cast:
        raise stopped_move(label, StopReason.ABSENT)
    if any(isinstance(action, Route) and action.unit == hold.unit for action in reading.actions):
        raise _twice(f"a line above already moves {label}")
    if hold.unit in reading.holding:
        raise _twice(f"a line above already has {label} hold")
    reading.holding.add(hold.unit)


def _twice(message: str) -> Refused:
    return Refused("twice", message, "R4", hint="Keep one of the two lines.")


def _settle_route(situation: Situation, reading: Reading, line: Line, move: Move) -> None:
    unit = reading.cast[move.unit]
    path = move.path if move.to is None else cheapest_path(situation, unit, move.to)
    if path and path[0] == unit.at:
        path = path[1:]
    if not path:
        raise nowhere(situation, unit, move.to if path is None else None)
    reading.actions.append(Route(line, move.unit, path))
    reading.cast[unit.id] = replace(unit, at=path[-1])


# --- task forces -----------------------------------------------------------------------------------------------------


def _read_split(situation: Situation, reading: Reading, placed: Placed) -> None:
    if isinstance(placed.order, Detach):
        _read_detach(situation, reading, placed.where, placed.order)
    else:
        _read_rejoin(reading, placed.where, placed.order)


def _read_detach(situation: Situation, reading: Reading, line: Line, detach: Detach) -> None:
    """R8.1 Lines below may name the task force, if nothing prevents it so far."""
    reading.actions.append(DetachAction(line, detach.unit, detach.tanks))
    parent = _where_it_gets(situation, reading, detach.unit)
    if parent is None or why_not_detach(parent, detach.tanks) is not None:
        return
    taken = {*reading.cast, *situation.retired}
    force = task_force(situation.side, parent, taken, tanks=detach.tanks)
    reading.cast |= {parent.id: after_detaching(parent, force), force.id: force}


def _where_it_gets(situation: Situation, reading: Reading, id_: UnitId) -> Unit | None:
    """R4 A unit after its move. An impossible move leaves it, and its task force, where it was or on the way."""
    unit, start = reading.cast.get(id_), situation.units.get(id_)
    routes = (action for action in reading.actions if isinstance(action, Route) and action.unit == id_)
    route = next(routes, None)
    if unit is None or start is None or route is None:
        return unit
    entered = walk(situation, start, route.path).entered
    return replace(unit, at=entered[-1] if entered else start.at)


def _read_rejoin(reading: Reading, line: Line, rejoin: Rejoin) -> None:
    reading.ordered.add(rejoin.unit)
    reading.actions.append(RejoinAction(line, rejoin.unit))
    force = reading.cast.get(rejoin.unit)
    parent = reading.cast.get(force.parent) if force and force.parent else None
    if force is not None and parent is not None and why_not_rejoin(force, parent) is None:
        reading.cast = {id_: unit for id_, unit in reading.cast.items() if id_ != force.id}
        reading.cast[parent.id] = after_rejoining(parent, force)
