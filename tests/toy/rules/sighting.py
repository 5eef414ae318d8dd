"""R6 What a side sees of the enemy."""

from collections.abc import Iterator

from campaign.engine.facts import Ledger
from campaign.engine.sight import Sight
from campaign.engine.values.ids import PlaceId, SideId
from tests.toy.model.facts import Scouted
from tests.toy.model.game_data import SIDES, GameData, enemy_of
from tests.toy.model.state import Seen, State, occupied


def scout(ledger: Ledger[GameData, State]) -> None:
    """R6.1 Update what each side sees."""
    pictures = {side: picture(ledger.game_data, ledger.state, side) for side in SIDES}
    ledger.emit(Scouted(pictures), rule="R6.1")


def picture(game_data: GameData, state: State, side: SideId) -> tuple[Seen, ...]:
    """R6.1 The enemy forces in areas linked to those of own forces, by area."""
    watched = {place for own in occupied(state.own[side]) for place in game_data.board.neighbours(own)}
    return tuple(sorted(_in(state, enemy_of(side), watched), key=lambda seen: seen.at))


def _in(state: State, side: SideId, places: set[PlaceId]) -> Iterator[Seen]:
    for force in state.own[side].forces.values():
        if force.at in places:
            yield Seen(force.at, force.id, force.name)


def sees_place(game_data: GameData, state: State, side: SideId, place: PlaceId) -> Sight:
    """R6.1 Whether a side sees an area now, and from which of its forces, in words for the GM."""
    near = {place, *game_data.board.neighbours(place)}
    by = [f"{force.name} at {force.at}" for _, force in sorted(state.own[side].forces.items()) if force.at in near]
    if not by:
        return Sight(seen=False, what="No force of it is in a linked area.", by=(), rule="R6.1")
    return Sight(seen=True, what="It sees forces, but not how strong they are.", by=tuple(by), rule="R6.1")
