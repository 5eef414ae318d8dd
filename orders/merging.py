"""The sheets of all desks of a side as one: which line of which desk counts, and what replaces it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import format_order, lines_of
from campaign.engine.orders.order import Checked, Placed, Problem, Severity
from campaign.engine.sheets import DeskSheet, SideSheet


@dataclass(frozen=True)
class MergedLine:
    """A line of a desk among those of all."""

    number: int
    text: str
    """As its desk wrote it."""
    readings: Sequence[str]
    problems: Sequence[Problem]
    replaced_by: str
    """The line of HQ that counts instead, in notation; empty if none does."""
    replaces: Sequence[str]
    """Of a line of HQ: the lines of desks that it replaces, in words."""

    @property
    def ignored(self) -> bool:
        return any(problem.severity is Severity.ERROR for problem in self.problems)


@dataclass(frozen=True)
class MergedDesk:
    """A desk's part of its side's orders."""

    name: str
    lines: tuple[MergedLine, ...]
    """Its orders, and the lines that cannot be read."""


def merged(names: Names, sheets: Sequence[DeskSheet], read: SideSheet, checked: Checked) -> tuple[MergedDesk, ...]:
    """The desks of a side with their lines, from the one reading of their sheets and the answer to it."""
    readings: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    problems: defaultdict[tuple[str, int], list[Problem]] = defaultdict(list)
    for each in checked.understood:
        readings[each.desk, each.line].append(each.text)
    for problem in checked.problems:
        problems[problem.desk, problem.line].append(problem)
    by = {(each.line.desk, each.line.line): format_order(each.by.order, names) for each in read.replaced}
    replaces: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for where, words in replacements(names, read):
        replaces[where.desk, where.line].append(words)
    written = {(placed.desk, placed.line) for placed in read.orders} | problems.keys()

    def line(desk: str, number: int, text: str) -> MergedLine:
        at = desk, number
        return MergedLine(number, text.strip(), readings[at], problems[at], by.get(at, ""), replaces[at])

    def desk(sheet: DeskSheet) -> MergedDesk:
        rows = enumerate(lines_of(sheet.text or ""), 1)
        return MergedDesk(
            sheet.desk, tuple(line(sheet.desk, number, row) for number, row in rows if (sheet.desk, number) in written)
        )

    return tuple(map(desk, sheets))


def replacements(names: Names, read: SideSheet) -> list[tuple[Placed, str]]:
    """Each line of HQ that replaces one of a desk, with that line in words: LXVI Corps's ATTACK 18 VG P19."""
    return [(each.by, f"{each.line.desk}'s {format_order(each.line.order, names)}") for each in read.replaced]
