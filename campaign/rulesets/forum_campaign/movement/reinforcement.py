"""R14 Where and when a reinforcement enters the map."""

import datetime

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.model.game_data import Entry
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Unit

_DAY = datetime.timedelta(days=1)


def entry_hexes(situation: Situation, unit: Unit) -> tuple[PlaceId, ...]:
    """2.9 The hexes at which a unit may enter today, its own first.

    If an enemy unit or zone bars it, it may take any other road of its side on the same edge; one that arrives inland
    takes its side's nearest open road, a day later.
    """
    if unit.entry is None or unit.arrives is None or situation.date < unit.arrives:
        return ()
    if _is_open(situation, unit.entry):
        return (unit.entry,)
    own = [entry for entry in situation.game_data.entries if entry.side == situation.side]
    edges = {entry.edge for entry in own if entry.hex == unit.entry}
    if edges:
        return tuple(entry.hex for entry in own if entry.edge in edges and _is_open(situation, entry.hex))
    return _nearest_road(situation, own, unit.entry) if situation.date >= unit.arrives + _DAY else ()


def _nearest_road(situation: Situation, own: list[Entry], inland: PlaceId) -> tuple[PlaceId, ...]:
    distance = situation.game_data.grid.distance
    usable = [entry.hex for entry in own if _is_open(situation, entry.hex)]
    return tuple(sorted(usable, key=lambda place: (distance(place, inland), place))[:1])


def _is_open(situation: Situation, place: PlaceId) -> bool:
    return place not in situation.enemy and place not in situation.zone
