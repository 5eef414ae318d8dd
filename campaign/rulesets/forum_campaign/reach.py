"""R4 How far a unit can go, as far as its side knows: for choices, for the map and for players without hands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from campaign.engine.ids import PlaceId
from campaign.engine.paths import Reach, reach
from campaign.rulesets.forum_campaign.costs import tariff
from campaign.rulesets.forum_campaign.movement import points
from campaign.rulesets.forum_campaign.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.situation import Situation
from campaign.rulesets.forum_campaign.state import Unit

_NOWHERE: frozenset[PlaceId] = frozenset()


@dataclass(frozen=True)
class _Leg:
    """One search of a range: onward from a hex, or from an entry that had to be paid first."""

    onward: Reach
    entry: tuple[PlaceId, ...] = ()
    price: int = 0

    def costs(self) -> Mapping[PlaceId, int]:
        if not self.price:
            return self.onward.costs
        return {place: self.price + cost for place, cost in self.onward.costs.items()}


class Range:
    """The hexes that a unit can pay. Where several searches lead, the way is that of the first."""

    __slots__ = ("_legs", "costs")

    def __init__(self, legs: list[_Leg]) -> None:
        self._legs = legs
        self.costs: Mapping[PlaceId, int] = _merged(legs)
        """What the way to each of them costs; nothing to where the unit stands."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """The hexes entered on the way to one of them."""
        leg = next(leg for leg in self._legs if place in leg.onward.costs)
        return (*leg.entry, *leg.onward.way(place))

    def ways(self) -> Iterator[tuple[PlaceId, tuple[PlaceId, ...]]]:
        """All of them by id, each with the way there."""
        return ((place, self.way(place)) for place in sorted(self.costs))


def reachable(situation: Situation, unit: Unit) -> Range:
    """R4.2, R4.3 Every hex that a unit can pay: clear of the enemy's zones where a way leads so, else through them.

    Its own hex and hexes that are full are among them: who may end where depends on the other lines of the sheet.
    """
    free, in_contact = (points(unit, contact=contact) - unit.spent for contact in (False, True))
    clear = [] if unit.at in situation.zone else _legs(situation, unit, free, avoid=situation.zone)
    if clear and all(tariff(situation).fringe.isdisjoint(leg.onward.costs) for leg in clear):
        return Range(clear)  # no zone is met, and in contact it could only do less
    return Range([*clear, *_legs(situation, unit, in_contact, avoid=_NOWHERE)])


def _merged(legs: list[_Leg]) -> Mapping[PlaceId, int]:
    if len(legs) == 1:
        return legs[0].costs()
    return {place: cost for leg in reversed(legs) for place, cost in leg.costs().items()}


def _legs(situation: Situation, unit: Unit, budget: int, *, avoid: frozenset[PlaceId]) -> list[_Leg]:
    if budget <= 0:
        return []
    rates = tariff(situation)
    if unit.at is not None:
        return [_Leg(reach(rates.costs, unit.at, budget=budget, avoid=avoid))]
    prices = ((entry, rates.cost(None, entry)) for entry in entry_hexes(situation, unit))
    return [
        _Leg(reach(rates.costs, entry, budget=budget - price, avoid=avoid), (entry,), price)
        for entry, price in prices
        if price <= budget
    ]
