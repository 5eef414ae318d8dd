"""The front as an audience knows it."""

from campaign.engine.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.state import State
from campaign.rulesets.forum_campaign.theatre import GERMAN, SIDES, Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, seen_hexes


def front(theatre: Theatre, known: State) -> tuple[tuple[PlaceId, PlaceId], ...]:
    """Pairs of adjoining hexes between which the front runs, the German-held one first."""
    standing = _standing(known)
    holder = {place: standing.get(place) or _last_holder(theatre, known, place) for place in theatre.hexes}
    return tuple(
        (place, near)
        for place in theatre.hexes
        if holder[place] == GERMAN
        for near in theatre.board.neighbours(place)
        if holder[near] != GERMAN
    )


def _standing(known: State) -> dict[PlaceId, SideId]:
    """The hexes in which somebody is known to stand: the enemy where he is in sight, own units for certain."""
    there = {place: enemy_of(side) for side, own in known.own.items() for place in seen_hexes(own.sightings)}
    return there | {place: side for side, own in known.own.items() for place in occupied_hexes(own)}


def _last_holder(theatre: Theatre, known: State, place: PlaceId) -> SideId:
    """Whoever was last known to be in an empty hex; an objective's holder is known to all.

    A side that was seen in a hex and entered by the other in the same portion was driven out of it.
    """
    if place in known.open.control:
        return known.open.control[place]
    entered = {side: own.entered.get(place, 0) for side, own in known.own.items()}
    seen = {enemy_of(side): own.seen.get(place, 0) for side, own in known.own.items()}
    stamps = {side: entered.get(side, seen.get(side, 0)) for side in SIDES}
    if not any(stamps.values()):
        return theatre.hexes[place].control
    return max(SIDES, key=lambda side: (stamps[side], side in entered))
