"""R4 How far a unit can go, as far as its side knows: for choices, for the map and for players without hands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from campaign.engine.ids import PlaceId
from campaign.engine.paths import Reach, reach, shortest_path
from campaign.rulesets.forum_campaign.costs import Tariff, tariff
from campaign.rulesets.forum_campaign.movement import points
from campaign.rulesets.forum_campaign.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.situation import Situation
from campaign.rulesets.forum_campaign.state import Unit


class Range:
    """The hexes that a unit can pay. Where several entries lead, the way is that from the first."""

    __slots__ = ("_legs", "_rates", "costs")

    def __init__(self, rates: Tariff, legs: "list[_Leg]") -> None:
        self._rates, self._legs = rates, legs
        self.costs: Mapping[PlaceId, int] = _merged(legs)
        """What the way to each of them costs; nothing to where the unit stands."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """The hexes entered on the way to one of them."""
        for leg in self._legs:
            if place in leg.onward.costs:
                return (*leg.entry, *leg.onward.way(place))
        leg = next(leg for leg in self._legs if place in leg.beyond)
        way = shortest_path(self._rates.through, leg.start, place, budget=leg.beyond[place])
        assert way is not None, "a search has come there"
        return (*leg.entry, *way)

    def ways(self) -> Iterator[tuple[PlaceId, tuple[PlaceId, ...]]]:
        """All of them by id, each with the way there."""
        return ((place, self.way(place)) for place in sorted(self.costs))


@dataclass(frozen=True, slots=True)
class _Leg:
    """Onward from where the unit stands, or from an entry that has to be paid first."""

    start: PlaceId
    onward: Reach
    entry: tuple[PlaceId, ...] = ()
    price: int = 0
    beyond: Mapping[PlaceId, int] = field(default_factory=dict)
    """What is in reach through the enemy's zones only."""


def reachable(situation: Situation, unit: Unit) -> Range:
    """R4.2, R4.3 Every hex that a unit can pay: clear of the enemy's zones where a way leads so, else through them.

    Its own hex and hexes that are full are among them: who may end where depends on the other lines of the sheet.
    """
    rates = tariff(situation)
    free, in_contact = (points(unit, contact=contact) - unit.spent for contact in (False, True))
    if unit.at is None:
        prices = ((entry, rates.cost(None, entry)) for entry in entry_hexes(situation, unit))
        entries = [(entry, price) for entry, price in prices if price <= free]
        return Range(rates, [_leg(rates, entry, free, in_contact, price) for entry, price in entries])
    if unit.at in situation.zone:
        return Range(rates, [_Leg(unit.at, reach(rates.through, unit.at, budget=in_contact))] if in_contact > 0 else [])
    return Range(rates, [_leg(rates, unit.at, free, in_contact)] if free > 0 else [])


def _leg(rates: Tariff, start: PlaceId, free: int, in_contact: int, price: int | None = None) -> _Leg:
    """R4.2 Clear of all zones with the one allowance, and beyond where they begin with the other."""
    paid = price or 0
    onward, entry = reach(rates.clear, start, budget=free - paid), () if price is None else (start,)
    if rates.fringe.isdisjoint(onward.costs):
        return _Leg(start, onward, entry, paid)
    beyond = onward.beyond(rates.through, budget=in_contact - paid, by=rates.fringe)
    return _Leg(start, onward, entry, paid, beyond)


def _merged(legs: list[_Leg]) -> Mapping[PlaceId, int]:
    if len(legs) == 1 and not legs[0].price:
        return {**legs[0].beyond, **legs[0].onward.costs} if legs[0].beyond else legs[0].onward.costs
    costs = [*((leg, leg.beyond) for leg in reversed(legs)), *((leg, leg.onward.costs) for leg in reversed(legs))]
    return {place: leg.price + cost for leg, found in costs for place, cost in found.items()}
