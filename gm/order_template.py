"""The template of a sheet, for a mail that asks for one: what a side has, and the lines that it may write."""

from collections.abc import Sequence
from typing import Any

from campaign.engine.display.signs import Signs
from campaign.engine.display.views import Counter, View
from campaign.engine.orders.grammar import usage
from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import AllOthersHold, NoStandingOrders, Order, verb_of
from campaign.engine.sheets import units_of
from campaign.engine.values.ids import Audience, PhaseKey, SideId, audience_of
from campaign.game.loading import Loaded
from campaign.maps.style.declared import declared
from campaign.models import Phase
from gm.todo import HeldDesk


def order_template(
    loaded: Loaded, phase: Phase, desks: Sequence[HeldDesk], *, view: View, known: Any, who: Audience
) -> str:
    """The first lines of a sheet for these desks: their units as comments, and HOLD for the rest.

    Where nothing can be held, it says how orders are written. HQ also gets the side's standing orders.
    """
    own = [each for each in view.counters if audience_of(each.side) == who]
    named = [each.formations for each in desks]
    if None not in named:
        by_name = loaded.rules.formations(loaded.scenario.game_data, known)
        units = {unit for formations in named for unit in units_of(by_name, formations or ())}
        own = [each for each in own if each.unit in units]
    lines = [_unit_line(loaded.base_map.signs, each) for each in own]
    standing = _standing_lines(loaded, known, who) if None in named else []
    return "\n".join([*lines, *_last_lines(loaded.rules.phase(PhaseKey(phase.key)).orders), *standing])


def desk_lines(desks: Sequence[HeldDesk]) -> str:
    """The first lines of a template for a reply, which say whose sheet it is if its writer has several."""
    if len(desks) < 2:
        return ""
    first, *others = (desk.name for desk in desks)
    return f"# Desk: {first}\n# For {' or '.join(others)}, send another reply with that name in the line above.\n"


def _last_lines(kinds: Sequence[type[Order]]) -> list[str]:
    return [verb_of(AllOthersHold)] if AllOthersHold in kinds else [f"# {_usage(kind)}" for kind in kinds]


def _standing_lines(loaded: Loaded, known: Any, who: Audience) -> list[str]:
    """A side's standing orders as comments, and how new ones are written; empty if the rules have none."""
    rules = loaded.rules
    if rules.standing is None:
        return []
    kinds: tuple[type[Order], ...] = (*rules.standing.orders, NoStandingOrders)
    names = rules.names(loaded.scenario.game_data, known)
    given = [f"# {format_order(order, names)}" for order in rules.standing.of(known, SideId(who))]
    return [
        f"# Your side has {'these' if given else 'no'} standing orders{':' if given else '.'}",
        *given,
        "# To give new ones, which replace all that you have, write:",
        *(f"# {_usage(kind)}" for kind in kinds),
    ]


def _usage(kind: type[Order]) -> str:
    return usage(kind).removeprefix("Write: ").rstrip(".")


def _unit_line(signs: Signs, counter: Counter) -> str:
    figures = declared(signs).words_of_figures(counter, briefly=True)
    return f"# {counter.label}: {', '.join((counter.at, *figures))}"
