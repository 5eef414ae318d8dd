"""The sheets of a side's desks as one: every caller reads, merges and checks them here.

A desk orders the units that are assigned to it. Units of no desk are HQ's, which may order any unit of its side. If
two desks order the same unit, HQ's line wins.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from campaign.engine.orders.checking import Refused, refusal
from campaign.engine.orders.grammar import units_named
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import Elsewhere, Phases, parse
from campaign.engine.orders.order import HQ, Checked, Desks, Order, Placed, Problem, Ready, Sheet, in_order, verb_of
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import Audience, PhaseKey, UnitId

_RULE = "NOTATION"


@dataclass(frozen=True)
class DeskSheet:
    """What a desk has written for a phase."""

    text: str | None
    """None if the caller may not read it yet: it is read as if it were empty."""
    desk: str = HQ
    formations: Collection[str] | None = None
    """What the desk may order; None, as for HQ: everything."""


@dataclass(frozen=True)
class Replaced:
    """A desk's line that HQ overrules, and the line of HQ that does."""

    line: Placed
    by: Placed


@dataclass(frozen=True)
class SideSheet:
    """The sheets of a side's desks for a phase, as read. Each line keeps its desk and its number there."""

    who: Audience
    lines: tuple[Placed, ...]
    """The lines that the rules get, HQ's first: those that their desk may write and that HQ does not overrule."""
    orders: tuple[Placed, ...]
    """Every line that is an order."""
    problems: tuple[Problem, ...]
    """The problems of the other lines."""
    desks: Desks
    replaced: tuple[Replaced, ...] = ()
    """The lines among these problems that HQ overrules."""

    def may_write(self, desk: str, kind: type[Order], unit: UnitId) -> bool:
        """Whether a line about a unit would count on a desk's sheet: it has the unit, and HQ does not overrule it."""
        own = self.desks.units.get(desk)
        if own is not None and unit not in own:
            return False
        return desk == HQ or self._overruled_by(kind, [unit]) is None

    @cached_property
    def _overruled_by(self) -> "Overruling":
        return _overruled_by([placed for placed in self.orders if placed.desk == HQ])


def read_side(
    rules: Ruleset[Any, Any],
    game_data: Any,
    known: Any,
    who: Audience,
    sheets: Iterable[DeskSheet],
    *,
    phase: PhaseKey,
    names: Names | None = None,
) -> SideSheet:
    """Read what the desks of one side have written for a phase. `known` is the player's state.

    `names`: the names that it knows, if the caller has them already.
    """
    of_another = rules.now(known) != phase
    kinds = rules.orders_of(rules.phase(phase)) if of_another else rules.orders_for(known, who)
    names = names or rules.names(game_data, known)
    elsewhere = _elsewhere(rules, known, who)
    ordered = sorted(sheets, key=lambda sheet: (sheet.desk != HQ, sheet.desk))
    read = [parse(sheet.text or "", kinds, names, desk=sheet.desk, elsewhere=elsewhere) for sheet in ordered]
    orders = tuple(placed for sheet in read for placed in sheet.orders)
    unread = (problem for sheet in read for problem in sheet.problems)
    desks = _desks(rules, game_data, known, ordered)
    lines, refused, replaced = _counting(orders, desks)
    return SideSheet(who, lines, orders, (*unread, *refused), desks, replaced)


def check_side(rules: Ruleset[Any, Any], game_data: Any, known: Any, sheet: SideSheet) -> Checked:
    """The answer to a side's sheets, desk by desk, as far as its player's state knows."""
    checked = rules.check(game_data, known, sheet.who, sheet.lines, sheet.desks)
    return in_order(checked.understood, (*sheet.problems, *checked.problems), checked.gauges)


def _elsewhere(rules: Ruleset[Any, Any], known: Any, who: Audience) -> Elsewhere:
    """The other phases of a verb: those in which the writer acts in this state, if there are any, else all."""

    def phases_of(verb: str) -> Phases | None:
        all_ = [phase for phase in rules.phases if verb in map(verb_of, phase.orders)]
        own = [phase for phase in all_ if who in phase.acts(known.open)]
        return Phases([phase.title for phase in own or all_], acts=bool(own)) if all_ else None

    return phases_of


# --- lines of desks --------------------------------------------------------------------------------------------------

OVERRULED = "overruled"
"""The code of a line that HQ overrules: it is ignored, but it is no mistake."""

_OVERRULED = Refused(
    OVERRULED,
    "HQ gives this unit orders itself; this line is ignored",
    _RULE,
    hint="Ask your commander, or leave the line out.",
)


def units_of(formations: Mapping[str, frozenset[UnitId]], names: Iterable[str]) -> frozenset[UnitId]:
    """The units of the formations of these names."""
    return frozenset(unit for name in names for unit in formations.get(name, frozenset()))


def _desks(rules: Ruleset[Any, Any], game_data: Any, known: Any, sheets: Iterable[DeskSheet]) -> Desks:
    """The units of every desk that may not order everything."""
    given = {sheet.desk: sheet.formations for sheet in sheets if sheet.formations is not None}
    formations = rules.formations(game_data, known) if given else {}
    return Desks({desk: units_of(formations, names) for desk, names in given.items()})


def _counting(orders: Sequence[Placed], desks: Desks) -> tuple[tuple[Placed, ...], list[Problem], tuple[Replaced, ...]]:
    """The lines that count unless the rules refuse them; why the others do not; which of those HQ overrules."""
    lines: list[Placed] = []
    problems: list[Problem] = []
    replaced: list[Replaced] = []
    overruled_by = _overruled_by([placed for placed in orders if placed.desk == HQ])
    for placed in orders:
        why = _why_not_own(placed, desks.units.get(placed.desk))
        by = overruled_by(type(placed.order), units_named(placed.order)) if why is None and placed.desk != HQ else None
        if by is not None:
            why = _OVERRULED
            replaced.append(Replaced(placed, by))
        if why is None:
            lines.append(placed)
        else:
            problems.append(refusal(placed.where, why))
    return tuple(lines), problems, tuple(replaced)


Overruling = Callable[[type[Order], Iterable[UnitId]], Placed | None]
"""The line of HQ that overrules one of a kind about some units, if there is one."""


def _overruled_by(hq: Sequence[Placed]) -> Overruling:
    """The line in which HQ orders a unit of a desk's line itself.

    An order that leaves a unit's others alone overrules only its like.
    """
    taken = {unit: placed for placed in hq if not placed.order.beside_others for unit in units_named(placed.order)}
    alike = {(type(placed.order), unit): placed for placed in hq for unit in units_named(placed.order)}

    def overruled_by(kind: type[Order], units: Iterable[UnitId]) -> Placed | None:
        found = (taken.get(unit) or alike.get((kind, unit)) for unit in units)
        return next(filter(None, found), None)

    return overruled_by


def _why_not_own(placed: Placed, units: frozenset[UnitId] | None) -> Refused | None:
    """What keeps a desk with these units, or with all of them, from writing a line."""
    if units is None:
        return None
    if placed.order.of_the_side:
        return _not_yours("only HQ can give orders for the whole side")
    if not units.issuperset(units_named(placed.order)):
        return _not_yours("this desk does not have that unit")
    return None


def _not_yours(why: str) -> Refused:
    return Refused("desk", f"{why}; this line is ignored", _RULE, hint="Ask your commander, or leave the line out.")


# --- reports of battles ----------------------------------------------------------------------------------------------


def report_lines(rules: Ruleset[Any, Any], phase: PhaseKey) -> tuple[type[Order], ...]:
    """The lines in which a player reports a battle of a phase."""
    return tuple(kind for kind in rules.phase(phase).orders if kind is not Ready)


def read_battle(
    rules: Ruleset[Any, Any], game_data: Any, known: Any, *, battle: str, text: str, kinds: Iterable[type[Order]]
) -> Sheet:
    """Read what is written about one battle, in lines of these kinds. LookupError: no battle is fought outside."""
    if rules.outside is None:
        raise LookupError(f"no battle of {rules.title} is fought outside")
    return parse(text, kinds, rules.outside.names(game_data, known, battle), of="this report")
