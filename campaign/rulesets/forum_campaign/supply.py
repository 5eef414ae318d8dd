"""R7 Supply, and why a unit has none."""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from campaign.engine.facts import Ledger
from campaign.engine.ids import PlaceId, SideId
from campaign.engine.paths import flood
from campaign.rulesets.forum_campaign.facts import CutOff, Resupplied
from campaign.rulesets.forum_campaign.state import DepotStatus, Own, State, Unit, UnitType, on_map
from campaign.rulesets.forum_campaign.theatre import SIDES, Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, zone


def check_supply(ledger: Ledger[Theatre, State]) -> None:
    """R7.1 At the end of a portion markers are placed on, and removed from, all ground units of both sides."""
    for side in SIDES:
        lines = supply_lines(ledger.theatre, ledger.state, side)
        for unit, place in on_map(ledger.state.own[side]):
            supplied = _is_supplied(ledger, side, place, lines)
            if supplied and not unit.supplied:
                ledger.emit(Resupplied(side, unit.id), rule="R7.2")
            elif unit.supplied and not supplied:
                ledger.emit(CutOff(side, unit.id), rule="R7.1")


def supply_lines(theatre: Theatre, state: State, side: SideId) -> frozenset[PlaceId]:
    """R7.2 All hexes joined to a side's board edge by hexes free of enemy units and zones, however roundabout."""
    enemy = occupied_hexes(state.own[enemy_of(side)])
    barred = enemy | zone(theatre, enemy)
    sources = sorted(theatre.supply_edge[side] - barred)
    return flood(sources, neighbours=lambda at: [n for n in theatre.open_neighbours(at) if n not in barred])


def _is_supplied(ledger: Ledger[Theatre, State], side: SideId, place: PlaceId, lines: frozenset[PlaceId]) -> bool:
    """R7.2, R7.3 In a depot, on its own supply edge, or next to a supply line. Its own hex may lie in an enemy zone."""
    theatre = ledger.theatre
    depot = ledger.state.open.depots.get(place, DepotStatus.DESTROYED)
    if depot is not DepotStatus.DESTROYED or place in theatre.supply_edge[side] or place in lines:
        return True
    return any(near in lines for near in theatre.open_neighbours(place))


# --- why not ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A hex that bars a supply line, and who does it: the enemies in it or next to it, as far as they are known."""

    place: PlaceId
    held: bool
    """By enemies in the hex itself; otherwise it lies in their zone of control."""
    by: tuple[tuple[PlaceId, str], ...]
    """Where they stand, and what is known of them."""


@dataclass(frozen=True)
class Blockade:
    """R7.2 The way from a unit to its supply edge that meets fewest barred hexes, as far as its side knows."""

    way: tuple[PlaceId, ...]
    """The hexes entered; empty if closed hexsides leave none."""
    bars: tuple[Bar, ...]
    """None: an enemy that the side does not see is in the way."""


def why_unsupplied(theatre: Theatre, known: State, side: SideId, unit: Unit) -> Blockade:
    """R7.2 What keeps a unit from supply, as far as a slice tells; the whole truth out of the GM's.

    Told of the enemy are those that the side sees now: at the check there may have been others.
    """
    enemies = _known_enemies(known, side)
    barred = zone(theatre, enemies) | frozenset(enemies)
    way = _freest_way(theatre, unit.at, theatre.supply_edge[side], barred) if unit.at else ()
    return Blockade(way, tuple(_bar(theatre, place, enemies) for place in way if place in barred))


def _known_enemies(known: State, side: SideId) -> Mapping[PlaceId, str]:
    """The hexes of enemy ground units with what is known of those in them."""
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


def _freest_way(
    theatre: Theatre, start: PlaceId, goals: frozenset[PlaceId], barred: frozenset[PlaceId]
) -> tuple[PlaceId, ...]:
    """The way with fewest barred hexes, of these the shortest. The hex at its start does not count."""
    done: set[PlaceId] = set()
    queue: list[tuple[int, int, tuple[PlaceId, ...]]] = [(0, 0, (start,))]
    while queue:
        bars, steps, way = heappop(queue)
        if way[-1] in goals:
            return way[1:]
        if way[-1] in done:
            continue
        done.add(way[-1])
        for near in theatre.open_neighbours(way[-1]):
            if near not in done:
                heappush(queue, (bars + (near in barred), steps + 1, (*way, near)))
    return ()


def _bar(theatre: Theatre, place: PlaceId, enemies: Mapping[PlaceId, str]) -> Bar:
    if place in enemies:
        return Bar(place, held=True, by=((place, enemies[place]),))
    near = [at for at in theatre.open_neighbours(place) if at in enemies]
    return Bar(place, held=False, by=tuple((at, enemies[at]) for at in sorted(near)))
