"""How orders are written: for each kind one line that the side could write now, and how it would be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.core.memory import MB
from campaign.engine.choices import Draft
from campaign.engine.orders.forms import THERE, Entered, FilledRow, Form, filled, order_of
from campaign.engine.orders.grammar import grammar_of
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import Order, Placed, Text
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet
from campaign.engine.values.ids import PhaseKey, UnitId
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.selectors import Knowledge, PhaseInfo
from campaign.viewers import Viewer
from orders.choices import forms_for, read_for
from orders.desks import Place

_MOST_UNITS = 4
"""Units that are tried for a kind of order, as each takes a check of the sheet."""


@dataclass(frozen=True)
class Example:
    """A line of a sheet."""

    line: str
    means: str
    """How it is read, in words; empty if nothing more can be said."""


def remembered(
    viewer: Viewer, shown: PhaseInfo, known: Knowledge, phase: PhaseInfo, place: Place, *, first: Sequence[UnitId]
) -> tuple[Example, ...]:
    """The examples of a desk, as far as its side knows after the phase that was published last."""
    here = DeskSheet("", place.name, place.formations)
    return _EXAMPLES.get(
        Key(viewer.audience, viewer.campaign, shown),
        (phase.key, place, tuple(first)),
        lambda: tuple(examples(known, phase.key, here, side=place.side, first=first)),
    )


_EXAMPLES: KeyedMemory[tuple[Example, ...]] = KeyedMemory(
    MB, lambda found: sum(len(each.line) + len(each.means) for each in found)
)


def examples(
    known: Knowledge, phase: PhaseKey, here: DeskSheet, *, side: str, first: Sequence[UnitId] = ()
) -> list[Example]:
    """One line for each kind of order that a desk could write now, on an empty sheet; `first`: units to try first."""
    found = read_for(known, phase, [DeskSheet("", here.desk, here.formations)], side=side)
    if found is None:
        return []
    draft, read = found
    rules = known.loaded.rules
    names = known.names
    own = draft.sheet.desks.units.get(here.desk, frozenset(names.units.usual))
    units = [unit for unit in dict.fromkeys((*first, *sorted(own))) if unit in own]
    kinds = rules.orders_for(known.state, draft.sheet.who)
    forms = forms_for(draft, read, rules)
    orders = (_example(rules, draft, kind, forms, units) for kind in kinds)
    return [_said(rules, draft, order, names) for order in orders if order is not None]


def _example(
    rules: Ruleset[Any, Any], draft: Draft[Any, Any], kind: type[Order], forms: Sequence[Form], units: Sequence[UnitId]
) -> Order | None:
    filled_in = (order for form in forms for order in _filled(form, kind))
    return next((order for order in (*filled_in, *_plain(kind)) if _counts(rules, draft, order)), None) or next(
        _candidates(rules, draft, kind, units), None
    )


def _candidates(
    rules: Ruleset[Any, Any], draft: Draft[Any, Any], kind: type[Order], units: Sequence[UnitId]
) -> Iterator[Order]:
    alone = draft.without([other for other in draft.phase.orders if other is not kind])
    if kind in draft.phase.orders:
        for unit in (None, *units[:_MOST_UNITS]):
            yield from rules.candidates(alone, unit)


def _counts(rules: Ruleset[Any, Any], draft: Draft[Any, Any], order: Order) -> bool:
    sheet = draft.sheet
    problems = rules.check(sheet.game_data, sheet.known, sheet.who, [Placed(order, 1)], sheet.desks).problems
    return not any(problem.line for problem in problems)


def _said(rules: Ruleset[Any, Any], draft: Draft[Any, Any], order: Order, names: Names) -> Example:
    sheet = draft.sheet
    checked = rules.check(sheet.game_data, sheet.known, sheet.who, [Placed(order, 1)], sheet.desks)
    means = next((each.text for each in checked.understood if each.line), "")
    return Example(format_order(order, names, briefly=True), means)


def _plain(kind: type[Order]) -> Iterator[Order]:
    """A line without fields, or of free text."""
    parts = grammar_of(kind)
    if all(part.type is Text for part in parts):
        yield kind(**{part.name: part.help for part in parts})


# --- from forms -------------------------------------------------------------------------------------------------------


def _filled(form: Form, kind: type[Order]) -> Iterator[Order]:
    """The lines of the first row of a kind: numbers one by one as far as they go, or the first choices."""
    row = next((each for each in filled(form, ()) if each.row.kind is kind), None)
    if row is None:
        return
    for entered in _entries(row, form.budget.of if form.budget else 1):
        order = order_of(row, entered)
        if order is not None:
            yield order


def _entries(row: FilledRow, most: int) -> Iterator[Entered]:
    """What may be entered: the first choices, and numbers that use up the most together."""
    if not row.row.blanks:
        yield {THERE: "on"}
        return
    chosen = {blank.name: blank.choices[0].key for blank in row.row.blanks if blank.choices}
    numbers = [blank.name for blank in row.row.blanks if not blank.choices]
    for rest in range(most // 2, -1, -1) if len(numbers) > 1 else (0,):
        yield chosen | dict(zip(numbers, (str(most - rest), str(rest)), strict=False))
