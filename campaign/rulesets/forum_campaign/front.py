"""The front as an audience knows it."""

from campaign.engine.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.state import Stamp, State
from campaign.rulesets.forum_campaign.theatre import GERMAN, SIDES, Theatre, enemy_of


def front(theatre: Theatre, known: State) -> tuple[tuple[PlaceId, PlaceId], ...]:
    """Pairs of adjoining hexes between which the front runs, the German-held one first."""
    holder = {place: _holder(theatre, known, place) for place in theatre.hexes}
    return tuple(
        (place, near)
        for place in theatre.hexes
        if holder[place] == GERMAN
        for near in theatre.board.neighbours(place)
        if holder[near] != GERMAN
    )


def _holder(theatre: Theatre, known: State, place: PlaceId) -> SideId:
    """Whoever was last known to be in a hex: own units by having been there, the enemy by having been seen there.

    An objective's holder is known to all.
    """
    if place in known.open.control:
        return known.open.control[place]
    stamps = {side: _last_there(known, side, place) for side in SIDES}
    if not any(stamps.values()):
        return theatre.hexes[place].control
    return max(SIDES, key=lambda side: stamps[side])


def _last_there(known: State, side: SideId, place: PlaceId) -> Stamp:
    """When a side was last known to be in a hex; 0: never."""
    if side in known.own:
        return known.own[side].entered.get(place, 0)
    return max((own.seen.get(place, 0) for other, own in known.own.items() if other == enemy_of(side)), default=0)
