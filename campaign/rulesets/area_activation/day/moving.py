"""R14 to R24, R49: the moves of an activation, one unit after the other."""

from collections.abc import Iterator, Sequence

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.area_activation.day.ground import free_british, settle, take
from campaign.rulesets.area_activation.model.facts import CouldNotMove, Exited, Moved
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, GameData, enemy_of
from campaign.rulesets.area_activation.model.orders import Exit, Move
from campaign.rulesets.area_activation.model.state import State, Unit
from campaign.rulesets.area_activation.rules.movement import Obstacle, Walk, described, no_exit, walk
from campaign.rulesets.area_activation.rules.situation import Situation, as_seen, as_true, watched


def move_all(ledger: Ledger[GameData, State], side: SideId, units: Sequence[UnitId]) -> None:
    """R49 The active units move in the order of their lines; of several lines the first possible one counts."""
    own = ledger.state.own[side]
    stopped: dict[UnitId, Obstacle] = {}
    moved: set[UnitId] = set()
    for line in (*own.reply, *own.plan):
        if not isinstance(line, Move | Exit) or line.unit not in units or line.unit in moved:
            continue
        obstacle = why_not(as_seen(ledger.game_data, ledger.state, side), line)
        if obstacle is not None:
            stopped.setdefault(line.unit, obstacle)
        elif isinstance(line, Exit):
            _leave(ledger, line.unit)
            moved.add(line.unit)
        else:
            _march(ledger, side, line)
            moved.add(line.unit)
    for unit, obstacle in stopped.items():
        if unit not in moved:
            _report(ledger, side, unit, obstacle)


def why_not(situation: Situation, line: Move | Exit) -> Obstacle | None:
    """Why a unit cannot follow a line to its end, as its side sees things now; None: it can."""
    unit = situation.own[line.unit]
    if isinstance(line, Exit):
        return no_exit(situation, unit)
    return walk(situation, unit, line.path, strategic=line.strategic).obstacle


def _march(ledger: Ledger[GameData, State], side: SideId, line: Move) -> None:
    """R14, R16 Go as far as the truth allows: an enemy that was not seen stops a unit."""
    situation = as_true(ledger.game_data, ledger.state, side)
    unit = situation.own[line.unit]
    way = _possible(situation, unit, walk(situation, unit, line.path, strategic=line.strategic))
    if way.entered:
        path = (unit.at, *way.entered)
        last = (path[-2], path[-1])
        river = bool(ledger.game_data.borders[last].river)
        ledger.emit(
            Moved(
                side,
                unit.id,
                path,
                strategic=line.strategic,
                across=river,
                barred=last if river and path[-1] in situation.held_by_enemy else None,
                seen=tuple(_seen(ledger, side, path)),
            ),
            rule="R19" if line.strategic else "R15",
        )
        _pass_through(ledger, side, path, situation)
        settle(ledger)
    if way.obstacle is not None:
        _report(ledger, side, unit.id, way.obstacle)


def _possible(situation: Situation, unit: Unit, way: Walk) -> Walk:
    """R18 The way if it ends where the unit was, or in a space with room, else none of it."""
    if way.entered and way.entered[-1] != unit.at and not situation.has_room(way.entered[-1]):
        return Walk((), way.obstacle or Obstacle("three of your units are there", "R18", way.entered[-1]))
    return way


def _pass_through(ledger: Ledger[GameData, State], side: SideId, path: Sequence[PlaceId], situation: Situation) -> None:
    """R14 Empty enemy spaces on the way change hands; R23 Germans along the Meuse free the British."""
    for place in path[1:-1]:
        if place not in situation.held_by_enemy:
            take(ledger, place, side, rule="R14")
    if side == GERMAN:
        free_british(ledger, path[1:])


def _seen(ledger: Ledger[GameData, State], side: SideId, path: Sequence[PlaceId]) -> Iterator[PlaceId]:
    seen = watched(ledger.game_data, ledger.state, enemy_of(side))
    return (place for place in path if place in seen)


def _leave(ledger: Ledger[GameData, State], unit_id: UnitId) -> None:
    """R24 Its strength becomes points for good."""
    unit = ledger.state.own[GERMAN].units[unit_id]
    seen = unit.at in watched(ledger.game_data, ledger.state, ALLIED)
    ledger.emit(Exited(unit.id, unit.at, unit.strength, seen), rule="R24")
    settle(ledger)


def _report(ledger: Ledger[GameData, State], side: SideId, unit: UnitId, obstacle: Obstacle) -> None:
    words = described(as_true(ledger.game_data, ledger.state, side), obstacle)
    ledger.emit(CouldNotMove(side, unit, words, obstacle.rule), rule=obstacle.rule)
