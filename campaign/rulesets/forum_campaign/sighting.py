"""R15 Fog of war: what each side makes out of the enemy."""

from collections.abc import Iterator

from campaign.engine.facts import Ledger
from campaign.engine.hexes import distance
from campaign.engine.ids import PlaceId, SideId
from campaign.engine.views import Branch
from campaign.rulesets.forum_campaign.facts import Scouted
from campaign.rulesets.forum_campaign.state import Own, Sighting, State, Unit, UnitType, on_map
from campaign.rulesets.forum_campaign.theatre import SIDES, Sight, Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes

_TYPES = {
    Branch.ARMOR: UnitType.ARMOUR,
    Branch.INFANTRY: UnitType.INFANTRY,
    Branch.AIRBORNE: UnitType.INFANTRY,
    Branch.MECHANIZED: UnitType.PANZERGRENADIER,
    Branch.COMMANDO: UnitType.COMMANDO,
}
"""R15.2 As what each class is made out from afar."""


def scout(ledger: Ledger[Theatre, State]) -> None:
    """R15.1 Both sides' pictures of the enemy are drawn anew: at the start of the turn and of the Allied portion."""
    ledger.emit(Scouted({side: sightings(ledger.theatre, ledger.state, side) for side in SIDES}), rule="R15.2")


def sightings(theatre: Theatre, state: State, side: SideId) -> tuple[Sighting, ...]:
    """R15.2 The enemies within sight of a side's ground units, by hex."""
    own = state.own[side]
    eyes = occupied_hexes(own)
    found = _in_sight(theatre.charts.sight, eyes, own, state.own[enemy_of(side)])
    return tuple(sorted(found, key=lambda sighting: (sighting.at, sighting.type.value, sighting.label)))


def _in_sight(sight: Sight, eyes: frozenset[PlaceId], own: Own, enemy: Own) -> Iterator[Sighting]:
    for unit, place in on_map(enemy):
        steps = min((distance(place, eye) for eye in eyes), default=None)
        if steps is None or steps > sight.type:
            continue
        if steps <= sight.identity or unit.id in own.identified:
            yield _identified(unit, place)
        else:
            yield Sighting(place, _TYPES[unit.branch])


def _identified(unit: Unit, place: PlaceId) -> Sighting:
    return Sighting(place, _TYPES[unit.branch], unit.id, unit.label, unit.branch, unit.echelon)
