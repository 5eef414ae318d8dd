"""Forms next to a text: they show its lines, and what is filled in becomes lines of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.engine.orders.checking import Refused
from campaign.engine.orders.forms import (
    THERE,
    Blank,
    Change,
    Choice,
    FilledRow,
    Form,
    cost_of,
    entered_before,
    filled,
    lines_in,
    order_of,
    proposed,
    used,
    with_changes,
)
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import Order, Placed
from campaign.engine.sheets import DeskSheet, read_battle
from campaign.engine.values.ids import Audience, PhaseKey, PlaceId
from campaign.selectors import Knowledge
from orders.choices import forms_for, read_for


@dataclass(frozen=True)
class Fillable:
    """A text that forms fill in."""

    text: str
    forms: tuple[Form, ...]
    lines: tuple[Placed, ...]
    """Its lines that are orders, accepted or not."""
    names: Names
    template: str = ""
    """The text that it began with."""
    others: tuple[Placed, ...] = ()
    """The lines on the side's other sheets that use up what the forms share."""
    sealed: bool = False
    """Whether the side has other sheets that the reader may not read."""

    def shown(self) -> list["ShownForm"]:
        """The forms as pages show them."""
        return [_shown(form, self) for form in self.forms]


def of_sheet(known: Knowledge, phase: PhaseKey, sheets: Sequence[DeskSheet], *, side: str) -> Fillable:
    """The first of a side's desks with its sheet; without forms if the phase has closed."""
    rules, here = known.loaded.rules, sheets[0]
    names = known.names
    found = read_for(known, phase, sheets, side=side, names=names)
    if found is None:
        return Fillable(here.text or "", (), (), names)
    draft, read = found
    forms = tuple(form for form in forms_for(draft, read, rules) if form.rows)
    return Fillable(
        here.text or "",
        forms,
        lines=tuple(placed for placed in read.orders if placed.desk == here.desk),
        names=names,
        others=tuple(placed for placed in read.lines if placed.desk != here.desk),
        sealed=any(sheet.text is None for sheet in sheets[1:]),
    )


def of_report(
    known: Knowledge,
    battle: str,
    text: str,
    *,
    who: Audience,
    kinds: Sequence[type[Order]],
    before: Sequence[Placed] = (),
    template: str = "",
) -> Fillable:
    """A report of a battle, or what is added to one: `before`. It is written in lines of these kinds."""
    rules, game_data = known.loaded.rules, known.loaded.scenario.game_data
    outside = rules.outside
    if outside is None:
        raise LookupError(battle)
    lines = read_battle(rules, game_data, known.state, battle=battle, text=text, kinds=kinds).orders
    names = outside.names(game_data, known.state, battle)
    forms = outside.forms(game_data, known.state, who, battle, (*before, *lines))
    shown = (_only(form, kinds) for form in forms)
    return Fillable(text, tuple(form for form in shown if form.rows), lines, names, template)


def _only(form: Form, kinds: Iterable[type[Order]]) -> Form:
    return replace(form, rows=tuple(row for row in form.rows if row.kind in kinds))


# --- as pages show it -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """A choice of a field, or none of them."""

    id: str
    value: str
    words: str
    chosen: bool
    place: PlaceId | None = None


@dataclass(frozen=True)
class ShownBlank:
    """A field of a form."""

    blank: Blank
    id: str
    name: str
    """In the form that is sent."""
    label: str
    value: str
    """Of a number: empty for 0."""
    left: int | None
    """What remains of what there was."""
    map: str = ""
    """The part of the map where its choices are, as SVG."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Its choices, and first that nothing is chosen."""
        none = Option(f"{self.id}-none", "", "not chosen", not self.value)
        return (none, *(self._option(n, choice) for n, choice in enumerate(self.blank.choices)))

    def _option(self, number: int, choice: Choice) -> Option:
        key = choice.key
        return Option(f"{self.id}-{number}", key, choice.words, key == self.value, choice.place)


@dataclass(frozen=True)
class ShownRow:
    """A row of a form."""

    label: str
    blanks: tuple[ShownBlank, ...]
    id: str
    name: str
    there: bool
    """Whether the sheet has its line."""


@dataclass(frozen=True)
class ShownForm:
    """A form with the lines of its sheet."""

    form: Form
    rows: tuple[ShownRow, ...]
    used: int
    was: str
    """The lines that it shows, to tell later what was changed in it."""
    elsewhere: int = 0
    """What the side's other sheets use of its budget, as far as the reader may read them."""
    sealed: bool = False
    """Whether there are others, which are not counted."""

    @property
    def left(self) -> int:
        return (self.form.budget.of if self.form.budget else 0) - self.used - self.elsewhere


def _shown(form: Form, fillable: Fillable) -> ShownForm:
    rows = filled(form, fillable.lines)
    was = "\n".join(format_order(each.order, fillable.names) for each in rows if each.order)
    ids = {each.key: f"{form.key}-{number}" for number, each in enumerate(rows)}
    shown = (_shown_row(form, each, ids[each.key]) for each in proposed(form, rows, fillable.others))
    elsewhere = cost_of(form, fillable.others)
    return ShownForm(form, tuple(shown), used(rows), was, elsewhere, fillable.sealed)


def _shown_row(form: Form, each: FilledRow, id_: str) -> ShownRow:
    blanks = tuple(_shown_blank(form, each, blank, id_) for blank in each.row.blanks)
    return ShownRow(each.row.label, blanks, id_, _name(form, each, THERE), each.order is not None)


def _shown_blank(form: Form, each: FilledRow, blank: Blank, id_: str) -> ShownBlank:
    value = each.value(blank)
    lost = int(value) if value and not blank.choices else 0
    left = None if blank.before is None else max(blank.before - lost, 0)
    shown = "" if value == "0" else value
    return ShownBlank(blank, f"{id_}-{blank.name}", _name(form, each, blank.name), blank.label, shown, left)


def _name(form: Form, each: FilledRow, blank: str) -> str:
    return f"{form.key}:{each.key}:{blank}"


# --- what is filled in ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FilledIn:
    """A text with what was filled in."""

    text: str
    troubles: tuple[str, ...]
    """What could not be read. What the rules refuse is in the text, and its answer says so."""


def fill_in(fillable: Fillable, keys: Collection[str], sent: Mapping[str, str]) -> FilledIn:
    """The text after forms of it were sent. Only rows that were changed in a form change their lines.

    `sent` has the fields by name, and in `was:<key>` the lines that a form showed.
    """
    forms = [form for form in fillable.forms if form.key in keys]
    troubles, changes = list[str](), list[Change]()
    if keys and not forms:
        troubles.append("These lines cannot be filled in now.")
    for form in forms:
        for each, entered in _entered(form, fillable, sent):
            try:
                changes.append(Change(each, order_of(each, entered)))
            except Refused as why:
                troubles.append(f"{why}.")
    return FilledIn(with_changes(fillable.text, changes, fillable.names, template=fillable.template), tuple(troubles))


def _entered(form: Form, fillable: Fillable, sent: Mapping[str, str]) -> Iterator[tuple[FilledRow, dict[str, str]]]:
    """The rows that were changed in the form, with what was entered."""
    kinds = {row.kind for row in form.rows}
    lines = lines_in(sent.get(f"was:{form.key}", ""), kinds, fillable.names)
    before = {each.key: entered_before(each) for each in filled(form, lines)}
    for each in filled(form, fillable.lines):
        blanks = [blank.name for blank in each.row.blanks] or [THERE]
        entered = {blank: sent.get(_name(form, each, blank), "") for blank in blanks}
        was = {blank: "" if value == "0" else value for blank, value in before[each.key].items()}
        if entered != was:
            yield each, entered
