"""Units that an audience does not know of, and where they may be without its knowing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from campaign.engine.orders.order import Path
from campaign.engine.values.ids import PUBLIC, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.day.supply import along_lines
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Box, Branch, GameData
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind
from campaign.rulesets.forum_campaign.model.state import Own, RuledResult, SavedMove, Target, Unit, Winner, on_map
from campaign.rulesets.forum_campaign.model.zoc import too_full
from tests.secrecy.games.game import ANYWHERE, EDGE, MARGIN, PATH, SUPPLY, Places, Position


def hidden(position: Position, side: SideId) -> list[Unit]:
    own, open_ = position.state.own[side], position.state.open
    sightings = _sightings(position)
    seen = {sighting.at for sighting in sightings}
    named = set(_bound(own)) | {sighting.unit for sighting in sightings}
    named |= {each.unit for battle in open_.battles for each in (*battle.attackers, *battle.defenders)}
    named |= {
        each.unit
        for pending in open_.pending_retreats
        for each in (*pending.battle.attackers, *pending.battle.defenders)
    }
    units = (unit for unit in own.units.values() if unit.at is not None and unit.parent is None and not unit.lent)
    return [unit for unit in units if unit.id not in named and unit.at not in seen]


def _sightings(position: Position) -> list[Any]:
    if position.observer == PUBLIC:
        return []
    return list(position.state.own[SideId(position.observer)].sightings)


def _bound(own: Own) -> Iterator[UnitId]:
    """Units that the plans of their side name."""
    yield from (plot.unit for plot in own.plots)
    yield from (*own.defeated, *own.followers, *own.missions.drops, *own.close_support)
    yield from (escort.leader for escort in own.followers.values())
    for advance in own.advances.values():
        yield from (unit for unit in (advance.unit, *advance.pursuers) if unit)
    if own.missions.jump:
        yield own.missions.jump.unit


# --- where they may be -----------------------------------------------------------------------------------------------


def has_room(position: Position, side: SideId, unit: Unit, place: PlaceId) -> bool:
    """No enemy of it is there, nor knows of a unit there; and it captures no depot, which everybody learns (R9.2)."""
    if side == GERMAN and position.state.open.phase.startswith(GERMAN) and place in position.state.open.depots:
        return False
    others = (position.state.own[other] for other in position.game.others(side))
    taken = any(at == place for other in others for _, at in on_map(other))
    if taken or any(sighting.at == place for sighting in _sightings(position)):
        return False
    here = [each for each, at in on_map(position.state.own[side]) if at == place and each.id != unit.id]
    return not too_full([*here, unit])


def _edge(position: Position, side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Hexes one step beyond the other side's sight."""
    game_data, view = position.data, around(position, side)
    return (
        place
        for place in game_data.board.places
        if view.get(game_data.grid.coordinates[place]) == game_data.charts.sight.type + 1
    )


def around(position: Position, side: SideId) -> Mapping[Any, int]:
    """The hexes in the other side's sight, and those just beyond, with their distances."""
    game_data: GameData = position.data
    (other,) = position.game.others(side)
    looking = position.state.own[other].units.values()
    eyes = frozenset(unit.at for unit in looking if unit.at is not None)
    return game_data.grid.steps_around(eyes, most=game_data.charts.sight.type + 1)


def _by_the_path(position: Position, _side: SideId, plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Hexes whose zone of control lies on a path that the other side plans."""
    board = position.data.open_board
    ways = {place for way in plans for place in way}
    return (near for place in ways for near in board.neighbours(place) if near not in ways)


def _anywhere(position: Position, _side: SideId, _plans: Sequence[Path]) -> Iterable[PlaceId]:
    places: tuple[PlaceId, ...] = position.data.board.places
    return places


def _across_supply(position: Position, side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    """R7.2 Hexes from which one more unit would cut off a unit of the other side."""
    game_data: GameData = position.data
    (other,) = position.game.others(side)
    held = [at for _, at in on_map(position.state.own[side])]
    lines = along_lines(game_data, other, held)
    at_home = {*game_data.supply_edge[other], *position.state.open.depots}
    places = {at for _, at in on_map(position.state.own[other])} - at_home
    fed = game_data.open_board.bits(at for at in places if game_data.open_board.holds(lines, at))
    return (place for place in game_data.board.places if fed & ~along_lines(game_data, other, [*held, place]))


def _margin(position: Position, _side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    board = position.data.board
    return (place for place in board.places if len(board.neighbours(place)) < _SIDES_OF_A_HEX)


_SIDES_OF_A_HEX = 6
PLACES: Mapping[str, Places] = {
    EDGE: _edge,
    PATH: _by_the_path,
    SUPPLY: _across_supply,
    MARGIN: _margin,
    ANYWHERE: _anywhere,
}


# --- how they may differ ---------------------------------------------------------------------------------------------


def another(position: Position, side: SideId, chance: Random) -> Unit:
    number = chance.randint(100, 999)
    like: Unit = chance.choice([unit for unit in position.units(side).values() if unit.ground and not unit.parent])
    whole = {"lent": 0, "spent": 0, "moved": False, "fought": False, "attacked": False, "strength": 100}
    return replace(like, id=UnitId(f"{like.id}-{number}"), label=f"{like.label} {number}", at=None, **whole)


def described(unit: Unit, chance: Random) -> Unit:
    branch = chance.choice([Branch.ARMOR, Branch.INFANTRY, Branch.MECHANIZED]) if unit.ground else unit.branch
    label, name = f"{chance.randint(2, 999)} Geheim", "Verschwiegene Division"
    return replace(unit, label=label, name=name, branch=branch, **_worn_down(chance))


def from_afar(unit: Unit, chance: Random) -> Unit:
    label = f"{chance.randint(2, 999)} Damals"
    return replace(unit, label=label, name="Vergessene Division", **_worn_down(chance))


def _worn_down(chance: Random) -> dict[str, int]:
    return {"strength": chance.randint(55, 99), "establishment": chance.randint(55, 99)}


def change_places(one: Unit, two: Unit) -> bool:
    return one.ground and two.ground and one.small == two.small


def hand(position: Position, side: SideId, chance: Random) -> None:
    """Missions, artillery, digging, saved movement, strength in battles, ledgers; and the GM's rulings."""
    own = position.state.own[side]
    places = position.data.board.places
    units = sorted(own.units.values(), key=lambda unit: unit.id)
    position.change(
        side,
        artillery=tuple(unit.id for unit in chance.sample(units, k=min(2, len(units)))),
        positions={**own.positions, chance.choice(places): chance.randint(1, 2)},
        drops_flown=chance.randint(0, 3),
        missions=replace(
            own.missions,
            priorities=(chance.choice(list(Box)),),
            interdictions=(Target(chance.choice(places), chance.randint(1, 3)),),
        ),
    )
    _save_movement(position, side, chance)
    _wear_down(position, side, chance)
    _keep_ledgers(position, side, chance)
    state = position.state
    if state.open.battles and state.hidden is not None and position.observer == PUBLIC:
        ruled = {state.open.battles[0].at: RuledResult(Winner.DEFENDERS, None, {}, {})}
        position.state = replace(state, hidden=replace(state.hidden, ruled=ruled))


def _save_movement(position: Position, side: SideId, chance: Random) -> None:
    idle = [unit for unit in hidden(position, side) if unit.ground and unit.supplied]
    if idle and position.state.open.phase.endswith("_battles"):
        unit = chance.choice(idle)
        at = PlaceId(str(unit.at))
        near = position.data.open_board.neighbours(at)
        if near:
            way = at, chance.choice(sorted(near))
            position.change(side, plots=(*position.state.own[side].plots, SavedMove(unit.id, way)))


def _wear_down(position: Position, side: SideId, chance: Random) -> None:
    """Change the strength of units in a pending battle: everybody knows only which units fight."""
    for battle in position.state.open.battles:
        for fighter in (*battle.attackers, *battle.defenders):
            if unit := position.units(side).get(fighter.unit):
                position.put(side, replace(unit, **_worn_down(chance)))


def _keep_ledgers(position: Position, side: SideId, chance: Random) -> None:
    """Other extras, named tanks and remarks for every unit, in battle or not, and for the destroyed."""
    for unit in position.units(side).values():
        position.put(side, replace(unit, ledger=_lines(chance)))
    lost = {id_: replace(unit, ledger=_lines(chance)) for id_, unit in position.state.own[side].lost.items()}
    position.change(side, lost=lost)


def _lines(chance: Random) -> tuple[LedgerLine, ...]:
    kinds = chance.choices(list(LineKind), k=chance.randint(1, 3))
    return tuple(LedgerLine(kind, f"geheime Zeile {chance.randint(2, 999)}") for kind in kinds)
