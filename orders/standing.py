"""Standing orders as a side reads and changes them: lines of its sheet that last beyond its phase."""

from collections.abc import Sequence

from campaign.engine.orders.notation import format_order, parse
from campaign.engine.orders.order import NoStandingOrders, Order, verb_of
from campaign.engine.values.ids import SideId
from campaign.selectors import knowledge
from campaign.services import scenario_of
from campaign.viewers import Viewer
from orders.desks import Place
from orders.models import HQ

NONE = verb_of(NoStandingOrders)
"""The line that withdraws them."""


def standing_lines(viewer: Viewer, place: Place) -> list[str] | None:
    """A side's standing orders as it knows them, in notation; None if the rules have none, or the desk is not HQ."""
    standing = scenario_of(viewer.campaign).rules.standing
    if standing is None or place.name != HQ or place.side != viewer.side:
        return None
    known = knowledge(viewer)
    return [format_order(order, known.names) for order in standing.of(known.state, SideId(place.side))]


def with_standing(viewer: Viewer, text: str, lines: Sequence[str]) -> str:
    """A sheet with these lines in place of its standing orders."""
    known = knowledge(viewer)
    standing = known.loaded.rules.standing
    kinds: tuple[type[Order], ...] = (NoStandingOrders,) if standing is None else (*standing.orders, NoStandingOrders)
    read = parse(text, kinds, known.names)
    replaced = {placed.line for placed in read.orders}
    others = [line for number, line in enumerate(text.splitlines(), 1) if number not in replaced]
    return "\n".join([*others, *lines])
