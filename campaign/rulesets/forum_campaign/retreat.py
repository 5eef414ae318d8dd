"""R12.5 Where a beaten unit may retreat to."""

from collections.abc import Iterable, Mapping

from campaign.engine.hexes import distance
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.state import Battle, State, Unit
from campaign.rulesets.forum_campaign.theatre import Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, too_full, zone


def retreat_hexes(theatre: Theatre, state: State, battle: Battle, unit: UnitId) -> tuple[PlaceId, ...]:
    """R12.5, G3 The hexes a beaten unit may retreat to, nearest to its own supply edge first.

    Next to the fought hex, empty, and in no enemy zone of control. It may follow a comrade from the same hex if the two
    may stack. A side's slice answers as far as the side knows.
    """
    side = enemy_of(battle.attacker)
    own = state.own[side]
    enemy = _enemy(state, side)
    barred = enemy | zone(theatre, enemy)
    comrades = {fighter.unit for fighter in battle.defenders}
    legal = [
        place
        for place in theatre.open_neighbours(battle.at)
        if place not in barred and _has_room(own.units, place, own.units[unit], comrades)
    ]
    return tuple(sorted(legal, key=lambda place: (_way_home(theatre, side, place), place)))


def _enemy(state: State, side: SideId) -> frozenset[PlaceId]:
    """Where the enemy stands. Of a slice: where the side sees him, and out of where he attacks."""
    enemy = state.own.get(enemy_of(side))
    if enemy is not None:
        return occupied_hexes(enemy)
    attackers = [fighter for battle in state.open.battles for fighter in battle.attackers if battle.attacker != side]
    came = {fighter.unit for fighter in attackers}
    seen = {sighting.at for sighting in state.own[side].sightings if sighting.unit not in came}
    return frozenset(seen | {fighter.comes_from for fighter in attackers if fighter.comes_from is not None})


def _has_room(units: Mapping[UnitId, Unit], place: PlaceId, unit: Unit, comrades: Iterable[UnitId]) -> bool:
    there = [other for other in units.values() if other.at == place]
    return not there or (all(other.id in set(comrades) for other in there) and not too_full([*there, unit]))


def _way_home(theatre: Theatre, side: SideId, place: PlaceId) -> int:
    return min(distance(place, edge) for edge in theatre.supply_edge[side])
