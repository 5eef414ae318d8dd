"""R7 Supply, and why a unit is without."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from campaign.engine.board.board import Bits
from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.facts.day import CutOff, Resupplied
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Own, State, Unit, UnitType, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, zone


def check_supply(ledger: Ledger[GameData, State]) -> None:
    """R7.1 At the end of a portion, place and remove the markers of all ground units of both sides."""
    board, supplied = ledger.game_data.open_board, _supplied(ledger.game_data, ledger.state)
    for side in SIDES:
        for unit, place in on_map(ledger.state.own[side]):
            if unit.supplied != board.holds(supplied[side], place):
                fact = CutOff(side, unit.id) if unit.supplied else Resupplied(side, unit.id)
                ledger.emit(fact, rule="R7.1" if unit.supplied else "R7.2")


def _supplied(game_data: GameData, state: State) -> dict[SideId, Bits]:
    """R7.2 All hexes in which each side's units are supplied."""
    raiders = _raiders(game_data, state)
    return {side: _supplied_hexes(game_data, state, side, faded=raiders[enemy_of(side)]) for side in SIDES}


def _raiders(game_data: GameData, state: State) -> dict[SideId, frozenset[PlaceId]]:
    """R7.2 Ruling 71: each side's units whose zones do not count, by hex, if the campaign has chosen that they fade."""
    if not state.open.options.raiders_fade:
        return dict.fromkeys(SIDES, frozenset())
    board = game_data.open_board
    full = {side: _supplied_hexes(game_data, state, side) for side in SIDES}
    return {side: occupied_hexes(state.own[side]) - board.places_of(full[side]) for side in SIDES}


def _supplied_hexes(game_data: GameData, state: State, side: SideId, *, faded: Iterable[PlaceId] = ()) -> Bits:
    """R7.2, R7.3 All hexes in which a side's units are supplied: next to its supply lines, its edge, and depots."""
    depots = [place for place, status in state.open.depots.items() if status is not DepotStatus.DESTROYED]
    board = game_data.open_board
    enemy = occupied_hexes(state.own[enemy_of(side)])
    lines = along_lines(game_data, side, enemy, friends=_kept_open(state, side), faded=faded)
    return lines | board.bits(game_data.supply_edge[side]) | board.bits(depots)


def _kept_open(known: State, side: SideId) -> frozenset[PlaceId]:
    """R7.2 Ruling 70: the hexes that a side's own ground units keep open, if the campaign has chosen so."""
    return occupied_hexes(known.own[side]) if known.open.options.friends_keep_supply else frozenset()


def along_lines(
    game_data: GameData,
    side: SideId,
    enemy: Iterable[PlaceId],
    *,
    friends: Iterable[PlaceId] = (),
    faded: Iterable[PlaceId] = (),
) -> Bits:
    """R7.2 The hexes on and next to a side's supply lines, if the enemy is in these hexes.

    A supply line joins them to the side's map edge, by any path free of enemy units and zones; `friends` keep their
    hexes free of zones, and `faded` enemies have none. A unit next to a line is supplied even in an enemy zone.
    """
    board = game_data.open_board
    held = board.bits(enemy)
    barred = held | board.around(held & ~board.bits(faded)) & ~board.bits(friends)
    lines = board.flood(board.bits(game_data.supply_edge[side]) & ~barred, barred=barred)
    return lines | board.around(lines)


# --- why not ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A hex that blocks a supply line, and the known enemies in it or next to it."""

    place: PlaceId
    held: bool
    """Whether enemies are in the hex itself; otherwise it is in their zone of control."""
    by: tuple[tuple[PlaceId, str], ...]
    """Where they are, and what is known of them."""


@dataclass(frozen=True)
class Blockade:
    """R7.2 The path from a unit to its supply edge with the fewest blocked hexes, as far as its side knows."""

    way: tuple[PlaceId, ...]
    """The hexes entered; empty if closed hexsides leave no path."""
    bars: tuple[Bar, ...]
    """Empty: an enemy that the side does not see is in the way."""


def why_unsupplied(game_data: GameData, known: State, side: SideId, unit: Unit) -> Blockade:
    """R7.2 What keeps a unit out of supply, as far as a side's own state shows; the whole truth with the GM's.

    It names the enemies that the side sees now: at the check there may have been others. A side does not see whether
    an enemy is supplied, so for it none has faded.
    """
    enemies = _known_enemies(known, side)
    zoned = enemies.keys() - (_raiders(game_data, known)[enemy_of(side)] if len(known.own) > 1 else ())
    barred = zone(game_data, zoned) - _kept_open(known, side) | frozenset(enemies)
    way = _least_blocked_path(game_data, unit.at, game_data.supply_edge[side], barred) if unit.at else ()
    return Blockade(way, tuple(_bar(game_data, place, enemies, zoned) for place in way if place in barred))


def _known_enemies(known: State, side: SideId) -> Mapping[PlaceId, str]:
    """The hexes of enemy ground units, with what is known of the units there."""
    enemy: Own | None = known.own.get(enemy_of(side))
    if enemy is not None:
        met = [(place, unit.label) for unit, place in on_map(enemy)]
    else:
        seen = [each for each in known.own[side].sightings if each.type is not UnitType.COMMANDO]
        met = [(each.at, each.label or _UNNAMED[each.type]) for each in seen]
    return {place: " and ".join(name for at, name in met if at == place) for place, _ in sorted(met)}


_UNNAMED: Mapping[UnitType, str] = {
    UnitType.ARMOUR: "armour",
    UnitType.INFANTRY: "infantry",
    UnitType.PANZERGRENADIER: "Panzergrenadiers",
    UnitType.CONTACT: "an unknown enemy",
}


def _least_blocked_path(
    game_data: GameData, start: PlaceId, goals: frozenset[PlaceId], barred: frozenset[PlaceId]
) -> tuple[PlaceId, ...]:
    """The path with the fewest blocked hexes, the shortest of these. Its first hex does not count."""
    done: set[PlaceId] = set()
    queue: list[tuple[int, int, tuple[PlaceId, ...]]] = [(0, 0, (start,))]
    while queue:
        bars, steps, way = heappop(queue)
        if way[-1] in goals:
            return way[1:]
        if way[-1] in done:
            continue
        done.add(way[-1])
        for near in game_data.open_neighbours(way[-1]):
            if near not in done:
                heappush(queue, (bars + (near in barred), steps + 1, (*way, near)))
    return ()


def _bar(game_data: GameData, place: PlaceId, enemies: Mapping[PlaceId, str], zoned: Collection[PlaceId]) -> Bar:
    if place in enemies:
        return Bar(place, held=True, by=((place, enemies[place]),))
    near = [at for at in game_data.open_neighbours(place) if at in zoned]
    return Bar(place, held=False, by=tuple((at, enemies[at]) for at in sorted(near)))
