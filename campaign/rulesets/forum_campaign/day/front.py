"""The front line as an audience knows it."""

from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, seen_hexes


def front(game_data: GameData, known: State) -> tuple[tuple[PlaceId, PlaceId], ...]:
    """Pairs of neighbouring hexes with the front line between them, the German-held one first."""
    german = german_held(game_data, known)
    adjoining = game_data.board.adjoining
    return tuple(
        (place, near)
        for place in game_data.hexes
        if place in german and not german.issuperset(adjoining[place])
        for near in game_data.board.neighbours(place)
        if near not in german
    )


def german_held(game_data: GameData, known: State) -> set[PlaceId]:
    """The hexes that the Germans hold. A lone hex with no known unit belongs to the side all around it."""
    standing, adjoining = _standing(known), game_data.board.adjoining
    held = {place for place, side in (last_holders(game_data, known) | standing).items() if side == GERMAN}
    kept = standing.keys() | known.open.control.keys()
    ringed = {place for place, near in adjoining.items() if place not in held and held.issuperset(near)}
    alone = {place for place in held - kept if held.isdisjoint(adjoining[place])}
    return (held - alone) | (ringed - kept)


def _standing(known: State) -> dict[PlaceId, SideId]:
    """The hexes with known units: enemies in sight, and own units."""
    there = {place: enemy_of(side) for side, own in known.own.items() for place in seen_hexes(own.sightings)}
    return there | {place: side for side, own in known.own.items() for place in occupied_hexes(own)}


def last_holders(game_data: GameData, known: State) -> dict[PlaceId, SideId]:
    """The side last known in each hex; everyone knows who holds an objective.

    If one side was seen in a hex that the other entered in the same portion, it was driven out.
    """
    holders = {place: hex.control for place, hex in game_data.hexes.items()}
    last = {enemy_of(side): own.seen for side, own in known.own.items()}
    last |= {side: own.entered for side, own in known.own.items()}
    for place in set().union(*last.values()):
        holder = max(SIDES, key=lambda side: (last[side].get(place, 0), side in known.own))
        if last[holder].get(place):
            holders[place] = holder
    return holders | dict(known.open.control)
