"""R15 Fog of war: what each side sees of the enemy."""

import datetime
from collections.abc import Callable, Iterator, Mapping

from campaign.engine.board.hexes import Axial, Grid
from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.calendar import MORNING
from campaign.rulesets.forum_campaign.model.facts.day import Scouted
from campaign.rulesets.forum_campaign.model.game_data import SIDES, Branch, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.options import LastKnown, ThirdBand
from campaign.rulesets.forum_campaign.model.state import (
    LastSeen,
    Own,
    Sighting,
    State,
    Unit,
    UnitType,
    commandos_on_map,
    on_map,
)
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes

_DAY = datetime.timedelta(days=1)

_TYPES = {
    Branch.ARMOR: UnitType.ARMOUR,
    Branch.INFANTRY: UnitType.INFANTRY,
    Branch.AIRBORNE: UnitType.INFANTRY,
    Branch.MECHANIZED: UnitType.PANZERGRENADIER,
    Branch.COMMANDO: UnitType.COMMANDO,
}
"""R15.2 The type that each class looks like from a distance."""


def scout(ledger: Ledger[GameData, State]) -> None:
    """R15.1 Renew what both sides see of the enemy: at the start of the turn and of the Allied portion."""
    game_data, state = ledger.game_data, ledger.state
    seen = {side: sightings(game_data, state, side) for side in SIDES}
    positions = {side: seen_positions(game_data, state, side) for side in SIDES}
    kept = {side: out_of_sight(game_data, state, side, seen[side]) for side in SIDES}
    ledger.emit(Scouted(seen, positions, kept if _keeps(state) else {}), rule="R15.2")


def sightings(game_data: GameData, state: State, side: SideId) -> tuple[Sighting, ...]:
    """R15.2 The enemies within sight of a side's ground units and commandos, by hex."""
    own, enemy = state.own[side], state.own[enemy_of(side)]
    found = [
        *_in_sight(game_data, state.open.options.third_band, own, enemy),
        *_commandos_in_sight(game_data, own, enemy),
    ]
    return tuple(sorted(found, key=lambda sighting: (sighting.at, sighting.type.value, sighting.label)))


def _in_sight(game_data: GameData, third_band: ThirdBand, own: Own, enemy: Own) -> Iterator[Sighting]:
    sight, coordinates = game_data.charts.sight, game_data.grid.coordinates
    view = _view(game_data.grid, _eyes(own), sight.type)
    for unit, place in on_map(enemy):
        steps = view.get(coordinates[place])
        if steps is None:
            continue
        if steps <= sight.identity or unit.id in own.identified:
            yield _identified(unit, place)
        elif steps == sight.type and third_band is ThirdBand.CONTACT:
            yield Sighting(place, UnitType.CONTACT)
        else:
            yield Sighting(place, _TYPES[unit.branch])


def _commandos_in_sight(game_data: GameData, own: Own, enemy: Own) -> Iterator[Sighting]:
    """R11 G Commandos are seen only at the distance at which names are, and by ground units only."""
    view = _view(game_data.grid, occupied_hexes(own), game_data.charts.sight.identity)
    for unit, place in commandos_on_map(enemy):
        if game_data.grid.coordinates[place] in view:
            yield _identified(unit, place)


def seen_positions(game_data: GameData, state: State, side: SideId) -> Mapping[PlaceId, int]:
    """R13, R15 G The enemy's prepared positions, at the distance at which names are seen."""
    view = _view(game_data.grid, _eyes(state.own[side]), game_data.charts.sight.identity)
    positions = state.own[enemy_of(side)].positions
    return {at: positions[at] for at in sorted(positions) if game_data.grid.coordinates[at] in view}


def _eyes(own: Own) -> frozenset[PlaceId]:
    """The hexes a side looks from; its commandos see as far as its ground units (R11 G)."""
    return occupied_hexes(own) | {place for _, place in commandos_on_map(own)}


def _view(grid: Grid, eyes: frozenset[PlaceId], most: int) -> Mapping[Axial, int]:
    """The hexes within a number of steps of those a side looks from, each with its distance."""
    return grid.steps_around(eyes, most=most)


def _identified(unit: Unit, place: PlaceId) -> Sighting:
    return Sighting(place, _TYPES[unit.branch], unit.id, unit.label, unit.branch, unit.echelon)


# --- out of sight again ----------------------------------------------------------------------------------------------


def _keeps(state: State) -> bool:
    return state.open.options.last_known is LastKnown.KEPT


def out_of_sight(game_data: GameData, state: State, side: SideId, now: tuple[Sighting, ...]) -> tuple[LastSeen, ...]:
    """2.10 Enemies that a side saw before but not now, with where and when it last saw them. `now`: those it sees.

    An enemy is forgotten when that hex is in sight again, or when its name is seen elsewhere.
    """
    own = state.own[side]
    since = _last_look(state)
    named = {seen.unit for seen in now if seen.unit is not None}
    in_view = _in_view(game_data, own)
    before = [*own.last_seen, *(LastSeen(sighting, since) for sighting in own.sightings)]
    kept = [
        last
        for last in before
        if last.sighting.unit not in named
        and not in_view(last.sighting)
        and not _is_over(game_data, state, last.sighting)
    ]
    return tuple(sorted(kept, key=lambda last: (last.sighting.at, last.since, last.sighting.label)))


def _is_over(game_data: GameData, state: State, sighting: Sighting) -> bool:
    """R11.6 Everyone knows when the commandos leave."""
    return sighting.type is UnitType.COMMANDO and state.open.date > game_data.charts.commandos.last_day


def _last_look(state: State) -> datetime.date:
    """The day of the sightings that are now replaced."""
    return state.open.date - _DAY if state.open.phase == MORNING.key else state.open.date


def _in_view(game_data: GameData, own: Own) -> Callable[[Sighting], bool]:
    """Whether an enemy would be in sight if it were still where it was."""
    sight, at = game_data.charts.sight, game_data.grid.coordinates
    everywhere = _view(game_data.grid, _eyes(own), sight.type)
    of_commandos = _view(game_data.grid, occupied_hexes(own), sight.identity)
    return lambda seen: at[seen.at] in (of_commandos if seen.type is UnitType.COMMANDO else everywhere)
