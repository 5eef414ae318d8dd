"""Desks: whose sheet is whose, which lines of a sheet are its desk's to write, and how desks become one side's orders.

What no desk has is HQ's. HQ may order any unit of its side; on a unit that two desks name, HQ's line wins.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404

from campaign.engine.ids import GM, UnitId
from campaign.engine.notation import units_named
from campaign.engine.orders import Order, Placed, Problem, Severity
from campaign.models import Desk
from campaign.seats import Seat, memberships_of
from orders.models import HQ


@dataclass(frozen=True)
class Place:
    """A desk at which a viewer reads, and perhaps writes, a sheet."""

    side: str
    """The side, or the GM, for whom the sheet speaks."""
    name: str
    writes: bool
    formations: tuple[str, ...] | None
    """What it may order; None: everything."""


@dataclass(frozen=True)
class Beside:
    """Another desk of the same side, and the newest sheet that it has sent."""

    place: Place
    text: str | None
    """None while it is sealed from who asks."""


def places(seat: Seat) -> list[Place]:
    """The desks whose sheets a viewer may read, HQ first. None for who plays no part in his side's orders."""
    if seat.is_gm:
        return [Place(GM, HQ, writes=True, formations=None)]
    if not seat.writes_sheets:
        return []
    desks = Desk.objects.filter(campaign=seat.campaign, side=seat.side).order_by("name")
    member = seat.member.pk
    staff = [Place(seat.side, desk.name, desk.holder_id == member, tuple(desk.formations)) for desk in desks]
    return [Place(seat.side, HQ, seat.commands, None), *staff]


def place(seat: Seat, name: str) -> Place:
    """The desk of that name; Http404 if the viewer may not read its sheet, or if there is none."""
    found = next((each for each in places(seat) if each.name == name), None)
    if found is None:
        raise Http404
    return found


def still_writes(seat: Seat, place: Place) -> bool:
    """Whether he who sat here when a page was made may write this desk's sheet now."""
    member = memberships_of(seat.user).filter(campaign=seat.campaign).first()
    now = Seat(seat.campaign, seat.user, member)
    if now.is_gm:
        desk = Desk.objects.filter(campaign=seat.campaign, side=place.side, name=place.name)
        return place.name == HQ or desk.exists()
    return any(each.writes and (each.side, each.name) == (place.side, place.name) for each in places(now))


def first_place(seat: Seat) -> Place:
    """The desk at which a viewer sits down: the first whose sheet he writes, else HQ. Http404 if he has none."""
    all_ = places(seat)
    if not all_:
        raise Http404
    return next((each for each in all_ if each.writes), all_[0])


def units_of(formations: Mapping[str, frozenset[UnitId]], names: Collection[str] | None) -> frozenset[UnitId] | None:
    """The units of the formations of these names; None, for HQ, stays None: every unit."""
    if names is None:
        return None
    return frozenset(unit for name in names for unit in formations.get(name, frozenset()))


def own_lines(
    orders: Iterable[Placed], units: frozenset[UnitId] | None
) -> tuple[tuple[Placed, ...], tuple[Problem, ...]]:
    """The lines that are the desk's to write, and a problem for each that is not."""
    if units is None:
        return tuple(orders), ()
    kept: list[Placed] = []
    problems: list[Problem] = []
    for placed in orders:
        if placed.order.of_the_side:
            problems.append(_not_yours(placed.line, "this line is about the whole side, so it is HQ's"))
        elif units.issuperset(units_named(placed.order)):
            kept.append(placed)
        else:
            problems.append(_not_yours(placed.line, "this line's unit is not one of this desk's"))
    return tuple(kept), tuple(problems)


def merge(hq: Sequence[Placed], others: Iterable[Sequence[Placed]]) -> list[Placed]:
    """One side's orders out of its desks': HQ's first, then the others' but for those that HQ overrules."""
    overruled = overruled_by(hq)
    return [*hq, *(placed for orders in others for placed in orders if not overruled(placed.order))]


def overruled_by(hq: Sequence[Placed]) -> Callable[[Order], bool]:
    """Whether HQ orders a unit of a line itself. What stands beside a unit's other orders overrules only its like."""
    taken = {unit for placed in hq if not placed.order.beside_others for unit in units_named(placed.order)}
    alike = {(type(placed.order), unit) for placed in hq for unit in units_named(placed.order)}
    return lambda order: any(unit in taken or (type(order), unit) in alike for unit in units_named(order))


def _not_yours(line: int, why: str) -> Problem:
    message = f"{why}; the line does nothing"
    return Problem("desk", Severity.ERROR, line, 1, message, "Ask your commander, or leave the line out.", "NOTATION")
