"""R4 How far a unit can go, as far as its side knows: for choices, for the map and for players without hands."""

from collections.abc import Iterator

from campaign.engine.ids import PlaceId
from campaign.engine.modifiers import total
from campaign.engine.paths import ways
from campaign.rulesets.forum_campaign.movement import _ways_on as ways_on
from campaign.rulesets.forum_campaign.movement import allowance, entry_cost
from campaign.rulesets.forum_campaign.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.situation import Situation
from campaign.rulesets.forum_campaign.state import Unit


def reachable(situation: Situation, unit: Unit) -> dict[PlaceId, tuple[PlaceId, ...]]:
    """Every hex that a unit can pay, with its way there: clear of the enemy's zones where there is one, else through.

    Its own hex and hexes that are full are among them: who may end where depends on the other lines of the sheet.
    """
    free, in_contact = (total(allowance(unit, contact=contact)) - unit.spent for contact in (False, True))
    found = _spread(situation, unit, in_contact, avoid=frozenset())
    if unit.at not in situation.zone:
        found |= _spread(situation, unit, free, avoid=situation.zone)
    return found


def _spread(
    situation: Situation, unit: Unit, budget: int, *, avoid: frozenset[PlaceId]
) -> dict[PlaceId, tuple[PlaceId, ...]]:
    def steps(at: PlaceId) -> Iterator[tuple[PlaceId, int]]:
        for place, cost in ways_on(situation, at):
            if place not in avoid:
                yield place, cost

    if budget <= 0:
        return {}
    if unit.at is not None:
        return ways(unit.at, budget=budget, steps=steps)
    found: dict[PlaceId, tuple[PlaceId, ...]] = {}
    for entry in entry_hexes(situation, unit):
        price = total(entry_cost(situation, None, entry))
        onward = ways(entry, budget=budget - price, steps=steps) if price <= budget else {}
        found = {place: (entry, *way) for place, way in onward.items()} | found
    return found
