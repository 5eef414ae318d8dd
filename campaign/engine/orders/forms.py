"""Forms over the notation: a row writes one line of a sheet, and shows the line that the sheet has.

A ruleset declares which lines have forms and what they may say; the text stays what counts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from campaign.engine.orders.checking import Refused
from campaign.engine.orders.grammar import grammar_of
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import format_order, lines_of, parse
from campaign.engine.orders.order import AllOthersHold, Order, Placed, Ready, verb_of
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace as changed

MayWrite = Callable[[type[Order], UnitId], bool]
"""Whether a desk may write a line of a kind about a unit."""

# --- what a ruleset declares ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A choice of a field."""

    values: Mapping[str, Any]
    """What it gives the fields of the order, by name."""
    words: str
    cost: int = 0
    """Of the form's budget."""
    times: int | None = None
    """In how many lines it may be chosen; None: in any number."""

    @property
    def key(self) -> str:
        """Its name in a form that is sent; no other choice of the field has it."""
        given = (value for value in self.values.values() if value is not None)
        return " ".join(str(value.value if isinstance(value, Enum) else value) for value in given) or "-"

    @property
    def place(self) -> PlaceId | None:
        """The place that it means; None if it means none."""
        return next((PlaceId(value) for name, value in self.values.items() if name in ("to", "at") and value), None)


@dataclass(frozen=True, kw_only=True)
class Blank:
    """A field to fill in: a number of the order, or one of some choices."""

    name: str
    """A number: the field of the order."""
    label: str = ""
    """What it is, in words."""
    choices: tuple[Choice, ...] = ()
    """Empty: a number."""
    least: int = 0
    most: int | None = None
    before: int | None = None
    """What there is before the number is taken off, if it is."""
    unit: str = ""
    on_map: bool = False
    """Whether its choices are places that a small map may show."""
    spread: bool = False
    """Whether all choices are shown at once."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line that is filled in. Without blanks it is there or not."""

    kind: type[Order]
    label: str
    blanks: tuple[Blank, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """What the line says in any case, by field."""

    def matches(self, order: Order) -> bool:
        """Whether an order may be this row's line."""
        return type(order) is self.kind and all(getattr(order, name) == value for name, value in self.fixed.items())


@dataclass(frozen=True)
class Budget:
    """What the numbers and choices of a form share."""

    name: str
    of: int
    prices: Mapping[str, int] = field(default_factory=dict)
    """What choices cost, by their keys, also those that the form does not offer now."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """Rows that belong together."""

    key: str
    """Its name among the forms of a sheet."""
    title: str
    help: str = ""
    rows: tuple[Row, ...]
    budget: Budget | None = None
    most: int | None = None
    """The most lines it may have; None: one for each row."""
    main: bool = False
    """Whether it is what the phase is about."""

    def for_desk(self, may_write: MayWrite, *, whole_side: bool) -> "Form":
        """The same for a desk that may write some lines about units: without what it may not order.

        `whole_side`: whether it also orders what concerns the whole side.
        """
        rows = (_for_desk(row, may_write) for row in self.rows if whole_side or not row.kind.of_the_side)
        return replace(self, rows=tuple(row for row in rows if row is not None))


def _for_desk(row: Row, may_write: MayWrite) -> Row | None:
    named = [part.name for part in grammar_of(row.kind) if part.type is UnitId]
    if any(not may_write(row.kind, row.fixed[name]) for name in named if row.fixed.get(name)):
        return None

    def allows(choice: Choice) -> bool:
        units = (choice.values.get(name) for name in named)
        return all(unit is None or may_write(row.kind, unit) for unit in units)

    own = tuple(
        replace(blank, choices=tuple(filter(allows, blank.choices))) if blank.name in named else blank
        for blank in row.blanks
    )
    return replace(row, blanks=own) if all(blank.choices for blank in own if blank.name in named) else None


# --- how a sheet fills it ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FilledRow:
    """A row with the line that the sheet has for it."""

    row: Row
    key: str
    """Its name among the rows of its form, whatever other lines say."""
    line: int
    """0: the sheet has none."""
    order: Order | None

    def value(self, blank: Blank) -> str:
        """What a blank shows: a number, or the key of a choice. Empty: nothing is filled in."""
        if self.order is None:
            return ""
        if not blank.choices:
            return str(getattr(self.order, blank.name))
        return next((choice.key for choice in blank.choices if _says(self.order, choice)), "")

    def cost(self, blank: Blank) -> int:
        """What the blank takes from the form's budget."""
        if self.order is None:
            return 0
        if not blank.choices:
            return int(getattr(self.order, blank.name))
        return sum(choice.cost for choice in blank.choices if choice.key == self.value(blank))


def _says(order: Order, choice: Choice) -> bool:
    return all(getattr(order, name) == value for name, value in choice.values.items())


def filled(form: Form, lines: Iterable[Placed]) -> tuple[FilledRow, ...]:
    """The rows of a form, each with the first line that is its and no earlier row's."""
    left, rows, seen = list(lines), list[FilledRow](), dict[str, int]()
    for row in form.rows:
        name = "/".join([verb_of(row.kind), *map(str, row.fixed.values())])
        seen[name] = seen.get(name, 0) + 1
        placed = next((each for each in left if row.matches(each.order)), None)
        if placed is not None:
            left.remove(placed)
        line, order = (placed.line, placed.order) if placed else (0, None)
        rows.append(FilledRow(row, f"{name}/{seen[name]}", line, order))
    return tuple(rows)


def proposed(form: Form, rows: Sequence[FilledRow], others: Iterable[Placed] = ()) -> tuple[FilledRow, ...]:
    """The rows as they are offered: without choices that other lines take already, and without rows beyond the most.

    `others`: the lines of other sheets, which take choices too.
    """
    kinds = {row.kind for row in form.rows}
    lines = [placed.order for placed in others if type(placed.order) in kinds]
    written = [each.order for each in rows if each.order is not None]
    full = form.most is not None and len(lines) + len(written) >= form.most
    shown = []
    for number, each in enumerate(rows):
        others_here = [*lines, *(other.order for n, other in enumerate(rows) if other.order and n != number)]
        row = _without_taken(each, others_here)
        if row is not None and (each.order or not full):
            shown.append(replace(each, row=row))
    return tuple(shown)


def _without_taken(filled_row: FilledRow, others: Sequence[Order]) -> Row | None:
    """The row with the choices that other orders leave to it, and the one that it has; None if there are none."""

    def is_left(choice: Choice) -> bool:
        is_chosen = filled_row.order is not None and _says(filled_row.order, choice)
        taken = sum(_takes(order, choice) for order in others)
        return choice.times is None or is_chosen or taken < choice.times

    blanks = tuple(replace(each, choices=tuple(filter(is_left, each.choices))) for each in filled_row.row.blanks)
    emptied = any(old.choices and not new.choices for old, new in zip(filled_row.row.blanks, blanks, strict=True))
    return None if emptied else replace(filled_row.row, blanks=blanks)


def _takes(order: Order, choice: Choice) -> bool:
    return all(getattr(order, name, None) == value for name, value in choice.values.items())


def lines_in(text: str, kinds: Iterable[type[Order]], names: Names) -> tuple[Placed, ...]:
    """The lines of these kinds in a text."""
    return parse(text, kinds, names).orders


def used(rows: Iterable[FilledRow]) -> int:
    """What filled rows take from their form's budget."""
    return sum(each.cost(blank) for each in rows for blank in each.row.blanks)


def cost_of(form: Form, lines: Iterable[Placed]) -> int:
    """What lines of other sheets take from a form's budget, whether or not it has a row that they could fill."""
    if form.budget is None:
        return 0
    blanks = {row.kind: row.blanks for row in form.rows}
    return sum(
        _price(form.budget, placed.order, blank) for placed in lines for blank in blanks.get(type(placed.order), ())
    )


def _price(budget: Budget, order: Order, blank: Blank) -> int:
    value = getattr(order, blank.name)
    return budget.prices.get(Choice({blank.name: value}, "").key, 0) if blank.choices else int(value)


# --- what is filled in ------------------------------------------------------------------------------------------------

Entered = Mapping[str, str]
"""What was entered into the blanks of a row, by their names; a row without blanks has its own, `THERE`."""
THERE = "there"


def entered_before(filled_row: FilledRow) -> Entered:
    """What a row shows before anything is entered."""
    if not filled_row.row.blanks:
        return {THERE: "on" if filled_row.order else ""}
    return {blank.name: filled_row.value(blank) for blank in filled_row.row.blanks}


def order_of(filled_row: FilledRow, entered: Entered) -> Order | None:
    """The order that a row means now; None if nothing is filled in. Raises Refused for what is no number or choice."""
    row = filled_row.row
    if not row.blanks:
        return _made(row, {}, filled_row.order) if entered.get(THERE) else None
    values = {blank.name: _values(row, blank, entered.get(blank.name, "").strip()) for blank in row.blanks}
    if not any(values.values()):
        return None
    numbers = {blank.name: 0 for blank in row.blanks if not blank.choices}
    return _made(
        row,
        {**numbers, **{name: value for given in values.values() for name, value in given.items()}},
        filled_row.order,
    )


def _values(row: Row, blank: Blank, entered: str) -> Mapping[str, Any]:
    """What a blank gives the fields of the order; empty: nothing."""
    if not blank.choices:
        number = _number(row, entered)
        return {blank.name: number} if number else {}
    chosen = next((choice for choice in blank.choices if choice.key == entered), None)
    if chosen is None and entered:
        raise Refused("choice", f"{row.label}: {entered!r} is not one of the choices", "NOTATION")
    return chosen.values if chosen else {}


def _number(row: Row, entered: str) -> int:
    if not re.fullmatch(r"[0-9]{0,6}", entered):
        raise Refused("number", f"{row.label}: {entered!r} is not a whole number", "NOTATION")
    return int(entered or 0)


def _made(row: Row, values: Mapping[str, Any], before: Order | None) -> Order:
    """The order with these values; fields that the form does not show stay as they are."""
    given = {**row.fixed, **values}
    if before is not None:
        return changed(before, **given)
    missing = [part for part in grammar_of(row.kind) if not part.optional and part.name not in given]
    if missing:
        raise Refused("missing", f"{row.label}: choose {missing[0].help}", "NOTATION")
    return row.kind(**given)


# --- text ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """What becomes of a row's line."""

    row: FilledRow
    order: Order | None


def with_changes(text: str, changes: Iterable[Change], names: Names, *, template: str = "") -> str:
    """A text with the changed lines of a form; everything else, comments too, stays as it is.

    A new line takes the place of the comment in which the template has the same row, else it follows the last line of
    its kind, else all others but READY.
    """
    rows: list[str | None] = list(lines_of(text))
    for change in sorted(changes, key=lambda each: not each.row.line):  # first those that move no other line
        written = format_order(change.order, names, briefly=True) if change.order else None
        if change.row.line:
            rows[change.row.line - 1] = _replaced(rows[change.row.line - 1] or "", written)
        elif written:
            _add(rows, change.row.row, written, names, template)
    return "\n".join(row for row in rows if row is not None)


def _replaced(row: str, written: str | None) -> str | None:
    """The new line with the old one's comment. A line that goes leaves only its comment."""
    _, mark, comment = row.partition("#")
    if written is None:
        return f"#{comment}" if mark else None
    space = row[: -len(mark + comment)] if mark else row
    return f"{written}{space[len(space.rstrip()) :] if mark else ''}{mark}{comment}"


def _add(rows: list[str | None], row: Row, written: str, names: Names, template: str) -> None:
    asked = set(lines_of(template))
    verb = verb_of(row.kind)
    for index, old in enumerate(rows):
        if old in asked and old and any(map(row.matches, _commented(old, row, names))):
            rows[index] = written
            return
    alike = [index for index, old in enumerate(rows) if old is not None and re.match(rf"\s*{verb}\b", old, re.I)]
    rows.insert(alike[-1] + 1 if alike else _before_the_end(rows), written)


def _commented(old: str, row: Row, names: Names) -> Iterator[Order]:
    """The order in a comment, if it is one of the row's kind."""
    if old.startswith("#"):
        yield from (placed.order for placed in lines_in(old.lstrip("# "), [row.kind], names))


_CLOSING = re.compile(rf"\s*({verb_of(Ready)}|{verb_of(AllOthersHold)})?\s*(#.*)?", re.I)


def _before_the_end(rows: Sequence[str | None]) -> int:
    """The position before the last lines that close a sheet or say nothing."""
    at = len(rows)
    while at and _CLOSING.fullmatch(rows[at - 1] or ""):
        at -= 1
    return at
