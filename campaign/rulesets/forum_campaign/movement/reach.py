"""R4 How far a unit can go as far as its side knows: for choices, for the map and for bots."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.board.paths import Reach, shortest_path
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.movement_costs import MovementCosts
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.movement.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.movement.walking import points_clear, points_in_contact

_NOWHERE: frozenset[PlaceId] = frozenset()
_NOTHING: Mapping[PlaceId, int] = {}


class Range:
    """The hexes that a unit can pay for. If several entries lead to one, the path is from the first."""

    __slots__ = ("_legs", "_rates", "costs")

    def __init__(self, rates: MovementCosts, legs: "Sequence[_Leg]") -> None:
        self._rates, self._legs = rates, legs
        self.costs: Mapping[PlaceId, int] = _merged(legs)
        """Points to each hex; none to the hex where the unit is."""

    def way(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """The hexes entered on the path to one of them."""
        for leg in self._legs:
            if leg.leads_clear(place):
                return (*leg.entry, *leg.onward.way(place))
        leg = next(leg for leg in self._legs if leg.leads(place))
        way = shortest_path(self._rates.through, leg.start, place, budget=leg.cost(place))
        assert way is not None, "a search has come there"
        return (*leg.entry, *way)

    def ways(self) -> Iterator[tuple[PlaceId, tuple[PlaceId, ...]]]:
        """All hexes by id, each with the path there."""
        return ((place, self.way(place)) for place in sorted(self.costs))


class _Leg(Value, frozen=True):
    """From where the unit is, or from an entry that it must pay for first."""

    start: PlaceId
    onward: Reach
    zone: frozenset[PlaceId] = _NOWHERE
    """The hexes from which it goes no further, unless it starts there."""
    beyond: Mapping[PlaceId, int] = _NOTHING
    """Hexes within reach only through the zones."""
    entry: tuple[PlaceId, ...] = ()
    price: int = 0

    def leads(self, place: PlaceId) -> bool:
        return place in self.onward.costs or place in self.beyond

    def leads_clear(self, place: PlaceId) -> bool:
        return place in self.onward.costs and (place not in self.zone or place == self.start)

    def cost(self, place: PlaceId) -> int:
        """Points from the start."""
        return self.beyond[place] if place in self.beyond else self.onward.costs[place]


def reachable(situation: Situation, unit: Unit) -> Range:
    """R4.2, R4.3 Every hex that a unit can pay for: clear of the enemy's zones if possible, else through them.

    Its own hex and full hexes are included: which units may end where depends on the other lines of the sheet.
    """
    terms = situation.terms
    rates = terms.costs
    free, in_contact = points_clear(unit) - unit.spent, points_in_contact(unit) - unit.spent
    at = unit.at
    if at is None:
        prices = ((entry, rates.cost(None, entry)) for entry in entry_hexes(situation, unit))
        entries = [(entry, price) for entry, price in prices if price <= free]
        return Range(rates, [_leg(rates, entry, free, in_contact, price) for entry, price in entries])
    if at in terms.zone:
        return Range(rates, [_Leg(at, Reach(rates.through, at, in_contact))] if in_contact > 0 else [])
    return Range(rates, [_leg(rates, at, free, in_contact)] if free > 0 else [])


def _leg(rates: MovementCosts, start: PlaceId, free: int, in_contact: int, price: int | None = None) -> _Leg:
    """R4.2 One allowance for paths clear of all zones, the other for paths into and through them."""
    paid = price or 0
    onward = Reach(rates.clear, start, free - paid, in_contact - paid)
    beyond = _NOTHING if rates.stops else onward.beyond(rates.through, budget=in_contact - paid)
    return _Leg(start, onward, rates.zone, beyond, () if price is None else (start,), paid)


def _merged(legs: "Sequence[_Leg]") -> Mapping[PlaceId, int]:
    """A cost clear of the enemy's zones comes first; otherwise the first leg counts."""
    if len(legs) == 1 and not legs[0].price:
        return {**legs[0].onward.costs, **legs[0].beyond} if legs[0].beyond else legs[0].onward.costs
    costs: dict[PlaceId, int] = {}
    for clear in (False, True):
        for leg in reversed(legs):
            reached = {**leg.onward.costs, **leg.beyond}
            costs |= {at: leg.price + cost for at, cost in reached.items() if leg.leads_clear(at) is clear}
    return costs
