"""The sheets of a side's desks as one: read, merged and checked here, whoever asks.

A desk orders the units that it has been given. What no desk has is HQ's, which may order any unit of its side; on a
unit that two desks name, HQ's line wins.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.engine.ids import Audience, PhaseKey, UnitId
from campaign.engine.judging import Refused, refusal
from campaign.engine.notation import parse, units_named
from campaign.engine.orders import HQ, Checked, Desks, Order, Placed, Problem, Ready, Sheet, in_order
from campaign.engine.ruleset import Ruleset

_RULE = "NOTATION"


@dataclass(frozen=True)
class DeskSheet:
    """What a desk has written for a phase."""

    text: str | None
    """None while it is sealed from who asks: it is read as if it were empty."""
    desk: str = HQ
    formations: Collection[str] | None = None
    """What the desk may order; None, as for HQ: everything."""


@dataclass(frozen=True)
class SideSheet:
    """The sheets of a side's desks for a phase, as read. Each line keeps its desk and its number there."""

    lines: tuple[Placed, ...]
    """What the rules are given, HQ's first: the lines that are their desk's to write and that HQ does not overrule."""
    orders: tuple[Placed, ...]
    """Every line that is an order."""
    problems: tuple[Problem, ...]
    """What is wrong with the other lines."""
    desks: Desks


def read_side(
    rules: Ruleset[Any, Any], theatre: Any, known: Any, phase: PhaseKey, sheets: Iterable[DeskSheet]
) -> SideSheet:
    """Read what the desks of one side have written for a phase. `known` is the side's slice."""
    kinds, names = rules.orders_of(rules.phase(phase)), rules.names(theatre, known)
    ordered = sorted(sheets, key=lambda sheet: (sheet.desk != HQ, sheet.desk))
    units = _units_of_desks(rules, theatre, known, ordered)
    read = {sheet.desk: parse(sheet.text or "", kinds, names, desk=sheet.desk) for sheet in ordered}
    problems = [problem for sheet in read.values() for problem in sheet.problems]
    overruled = overruled_by(read[HQ].orders if HQ in read else ())
    lines: list[Placed] = []
    for placed in (placed for sheet in read.values() for placed in sheet.orders):
        why = _why_not_own(placed, units.get(placed.desk))
        if why is None and placed.desk != HQ and overruled(placed.order):
            why = _OVERRULED
        if why is None:
            lines.append(placed)
        else:
            problems.append(refusal(placed.where, why))
    orders = (placed for sheet in read.values() for placed in sheet.orders)
    return SideSheet(tuple(lines), tuple(orders), tuple(problems), Desks(units))


def check_side(rules: Ruleset[Any, Any], theatre: Any, known: Any, who: Audience, sheet: SideSheet) -> Checked:
    """Everything that can be said of a side's sheets, desk by desk, as far as its slice knows."""
    checked = rules.check(theatre, known, who, sheet.lines, sheet.desks)
    return in_order(checked.understood, (*sheet.problems, *checked.problems))


# --- whose lines are whose -------------------------------------------------------------------------------------------

OVERRULED = "overruled"
"""The code of a line that HQ overrules: it does nothing, and nothing is wrong with it."""

_OVERRULED = Refused(
    OVERRULED,
    "HQ orders this unit itself; the line does nothing",
    _RULE,
    hint="Ask your commander, or leave the line out.",
)


def units_of(formations: Mapping[str, frozenset[UnitId]], names: Iterable[str]) -> frozenset[UnitId]:
    """The units of the formations of these names."""
    return frozenset(unit for name in names for unit in formations.get(name, frozenset()))


def overruled_by(hq: Sequence[Placed]) -> Callable[[Order], bool]:
    """Whether HQ orders a unit of a line itself. An order that leaves a unit's others alone overrules only its like."""
    taken = {unit for placed in hq if not placed.order.beside_others for unit in units_named(placed.order)}
    alike = {(type(placed.order), unit) for placed in hq for unit in units_named(placed.order)}
    return lambda order: any(unit in taken or (type(order), unit) in alike for unit in units_named(order))


def _units_of_desks(
    rules: Ruleset[Any, Any], theatre: Any, known: Any, sheets: Iterable[DeskSheet]
) -> dict[str, frozenset[UnitId]]:
    """The units of every desk that may not order everything."""
    given = {sheet.desk: sheet.formations for sheet in sheets if sheet.formations is not None}
    formations = rules.formations(theatre, known) if given else {}
    return {desk: units_of(formations, names) for desk, names in given.items()}


def _why_not_own(placed: Placed, units: frozenset[UnitId] | None) -> Refused | None:
    """What keeps a desk with these units, or with all of them, from writing a line."""
    if units is None:
        return None
    if placed.order.of_the_side:
        return _not_yours("this line is about the whole side, so it is HQ's")
    if not units.issuperset(units_named(placed.order)):
        return _not_yours("this line's unit is not one of this desk's")
    return None


def _not_yours(why: str) -> Refused:
    return Refused("desk", f"{why}; the line does nothing", _RULE, hint="Ask your commander, or leave the line out.")


# --- reports of battles ----------------------------------------------------------------------------------------------


def report_lines(rules: Ruleset[Any, Any], phase: PhaseKey) -> tuple[type[Order], ...]:
    """The lines in which a player reports a battle of a phase."""
    return tuple(kind for kind in rules.phase(phase).orders if kind is not Ready)


def read_battle(
    rules: Ruleset[Any, Any], theatre: Any, known: Any, *, battle: str, text: str, kinds: Iterable[type[Order]]
) -> Sheet:
    """Read what is written about one battle, in lines of these kinds. LookupError: no battle is fought outside."""
    if rules.outside is None:
        raise LookupError(f"no battle of {rules.title} is fought outside")
    return parse(text, kinds, rules.outside.names(theatre, known, battle))
