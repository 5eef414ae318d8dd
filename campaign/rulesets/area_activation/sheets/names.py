"""What orders may name. Every unit is printed in the scenario, so that no name reveals what is on the map."""

from collections.abc import Mapping

from campaign.engine.orders.lexicon import Lexicon, Names, grouped, lexicon
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.model.game_data import GameData, Kind, Nation
from campaign.rulesets.area_activation.model.state import State


def names(game_data: GameData, _known: State) -> Names:
    """All units of the game, and all spaces."""
    units = {id_: (card.name, id_) for id_, card in game_data.cards.items()}
    return Names(lexicon("a unit of this game", units), spaces(game_data))


def spaces(game_data: GameData) -> Lexicon[PlaceId]:
    return lexicon("a space of this map", {id_: (space.name, id_) for id_, space in game_data.spaces.items()})


_TROOPS = {Nation.GERMAN: "German", Nation.AMERICAN: "American", Nation.BRITISH: "British"}


def formations(game_data: GameData, known: State) -> Mapping[str, frozenset[UnitId]]:
    """The units of a player's state by nation and arm, for sides that share them out."""
    units = (unit for own in known.own.values() for unit in (*own.units, *own.due, *own.reserve))
    cards = (game_data.cards[unit] for unit in units)
    return grouped((f"{_TROOPS[card.nation]} {_ARMS[card.kind]}", card.id) for card in cards)


_ARMS = {Kind.INFANTRY: "infantry", Kind.MECHANIZED: "mechanized units", Kind.ARMOR: "armor"}
