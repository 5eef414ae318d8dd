"""R38, R39: where units arrive."""

from collections.abc import Iterator

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.model.game_data import GERMAN, Bank, Card, Edge, GameData, Nation
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.rules.situation import Situation


def arriving(game_data: GameData, known: State, card: Card) -> bool:
    """R38, R39 Whether a unit may arrive today, as far as its own side knows."""
    own = known.own[card.side]
    if card.in_reserve:
        return card.id in own.reserve and reserve_called(game_data, known)
    due = own.due.get(card.id)
    return due is not None and due.date <= known.open.date


def due_today(game_data: GameData, known: State, side: str) -> Iterator[Card]:
    """R38 The units of a side that are due, in the order of the units' file."""
    return (
        card
        for card in game_data.cards.values()
        if card.side == side and not card.in_reserve and arriving(game_data, known, card)
    )


def reserve_called(game_data: GameData, known: State) -> bool:
    """R39 Whether a German unit in supply stands at the Meuse or beyond it."""
    return any(
        game_data.spaces[unit.at].bank is not Bank.NONE and not unit.unsupplied
        for unit in known.own[GERMAN].units.values()
    )


def entries_for(situation: Situation, unit: UnitId, *, delayed: bool) -> tuple[PlaceId, ...]:
    """R38 The spaces in which a unit may arrive now, in the order of the map."""
    card = situation.game_data.cards[unit]
    letters = situation.open.options.reserve.letters if card.in_reserve else card.entry
    places = _anywhere(situation.game_data, card) if delayed else situation.game_data.entries(letters)
    return tuple(place for place in places if situation.is_ours(place) and situation.has_room(place))


def _anywhere(game_data: GameData, card: Card) -> Iterator[PlaceId]:
    """R38 The spaces of arrival of a unit that was delayed."""
    if card.nation is Nation.BRITISH:
        yield from game_data.entries(card.entry)
        return
    barred = _opposite(game_data, card)
    for space in game_data.spaces.values():
        if space.entries and space.edge.side == card.side and space.edge is not barred:
            yield space.id


def _opposite(game_data: GameData, card: Card) -> Edge:
    """R38 The edge that is closed for a delayed American unit that was due in the north or south."""
    edges = {game_data.spaces[place].edge for place in game_data.entries(card.entry)}
    if card.nation is not Nation.AMERICAN:
        return Edge.NONE
    if Edge.NORTH in edges:
        return Edge.SOUTH
    return Edge.NORTH if Edge.SOUTH in edges else Edge.NONE
