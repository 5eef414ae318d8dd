"""What may be named in orders: a side's own units, and the places of the map that everybody sees."""

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.lexicon import Lexicon, Names, lexicon
from campaign.rulesets.forum_campaign.state import State
from campaign.rulesets.forum_campaign.theatre import Theatre


def names(theatre: Theatre, known: State) -> Names:
    """The units of the slice's sides by label, full name and id; hexes by number and town."""
    units: dict[UnitId, tuple[str, ...]] = {
        unit.id: (unit.label, unit.name, unit.id) for own in known.own.values() for unit in own.units.values()
    }
    kind = "unit of yours" if len(known.own) == 1 else "unit on the map"
    return Names(lexicon(kind, units), place_names(theatre))


def place_names(theatre: Theatre) -> Lexicon[PlaceId]:
    """Hexes by number and town."""
    places = {id_: (id_, hex_.town) if hex_.town else (id_,) for id_, hex_ in theatre.hexes.items()}
    return lexicon("place on this map", places)
