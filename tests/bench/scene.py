"""A crowded front: the real map on a day of a game of bots, with units added up to a given number."""

from collections.abc import Iterator, Mapping
from functools import cache

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.simulation import PlayedPhase, play_phases
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, zone
from gm.demo import SCENARIO

UNITS = 60
"""Units of a side."""
_SEED = 1
_PLAYERS = {SIDES[0]: "all-round", SIDES[1]: "home-guard"}
_DAY = 3


@cache
def loaded() -> WithStart:
    return load_scenario(find_scenario(SCENARIO))


@cache
def game() -> tuple[PlayedPhase, ...]:
    """A whole game of bots, always the same one."""
    return tuple(play_phases(loaded(), seed=_SEED, players=_PLAYERS))


@cache
def sheet_phase() -> State:
    """The fourth day, when the first side moves: the sides have met, on open ground and in the woods."""
    rules = loaded().rules
    days = sorted({rules.moment(open_phase.before).in_files for open_phase in game()})
    found: State = next(
        open_phase.before
        for open_phase in game()
        if rules.moment(open_phase.before).in_files == days[_DAY] and "sheet" in open_phase.before.open.phase
    )
    return found


def crowded(units: int, *, allowance: int = 1) -> State:
    """That day with this many ground units a side on the map, supplied, fuelled, with multiplied allowances."""
    state = sheet_phase()
    for side in SIDES:
        state = _filled(loaded().scenario.game_data, state, side, units)
    own = {side: replace(own, units=_rested(own.units, allowance)) for side, own in state.own.items()}
    return replace(state, own=own, open=replace(state.open, fuel=units))


def _rested(units: Mapping[UnitId, Unit], allowance: int) -> dict[UnitId, Unit]:
    return {
        id_: replace(
            unit, movement=unit.movement * allowance, supplied=True, spent=0, split=False, debt=0, scattered=False
        )
        for id_, unit in units.items()
    }


def _filled(game_data: GameData, state: State, side: SideId, wanted: int) -> State:
    """Copies of a side's units, in the nearest free hexes that the enemy does not reach."""
    own = state.own[side]
    models = [unit for unit, _ in on_map(own)]
    room = _free_hexes(game_data, state, side)
    kept = {unit.id: unit for unit in models[:wanted]}
    for number in range(wanted - len(kept)):
        model = models[number % len(models)]
        name = f"{model.label} {number}"
        kept[UnitId(f"{model.id}-{number}")] = replace(
            model, id=UnitId(f"{model.id}-{number}"), label=name, at=next(room)
        )
    return replace(state, own={**state.own, side: replace(own, units=kept)})


def _free_hexes(game_data: GameData, state: State, side: SideId) -> Iterator[PlaceId]:
    enemy = occupied_hexes(state.own[enemy_of(side)])
    taken = enemy | zone(game_data, enemy)
    front = sorted(occupied_hexes(state.own[side]))
    seen = {*front, *taken}
    for place in front:
        for near in game_data.open_neighbours(place):
            if near not in seen:
                seen.add(near)
                front.append(near)
                yield near
