"""R7 Supply."""

from campaign.engine.facts import Ledger
from campaign.engine.ids import PlaceId, SideId
from campaign.engine.paths import flood
from campaign.rulesets.forum_campaign.facts import CutOff, Resupplied
from campaign.rulesets.forum_campaign.state import State, on_map
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
    if place in ledger.state.open.depots or place in theatre.supply_edge[side] or place in lines:
        return True
    return any(near in lines for near in theatre.open_neighbours(place))
