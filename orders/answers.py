"""The answer to a sheet: how we read it and what is wrong, from what its side knows and nothing else."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from campaign.engine.orders.checking import TO_ALL, notice
from campaign.engine.orders.grammar import places_named, units_named
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.order import (
    EVERY_DESK,
    HQ,
    AllOthersHold,
    Checked,
    Gauge,
    Order,
    Placed,
    Problem,
    Ready,
    Severity,
    Understood,
    in_order,
    verb_of,
)
from campaign.engine.sheets import DeskSheet, SideSheet, check_side, read_side
from campaign.engine.values.ids import GM, Audience, PhaseKey, PlaceId, UnitId
from campaign.engine.values.value import replace
from campaign.selectors import Knowledge
from orders.desks import Place
from orders.merging import MergedDesk, merged, replacements

_PHASE_OVER = Problem(
    "phase-closed",
    Severity.ERROR,
    0,
    1,
    "the phase that you wrote this for has closed",
    "Copy what you want to keep, and reload the page.",
    desk=EVERY_DESK,
)


@dataclass(frozen=True)
class ReadLine:
    """A line that is an order, and what it does on the map."""

    line: int
    verb: str
    units: tuple[UnitId, ...]
    ignored: bool
    text: str
    """How we read it; empty if it is ignored."""
    path: tuple[PlaceId, ...]
    """Where it leads; if it is ignored: the places that it names."""
    arrow: str
    """Key of the declared arrow that shows the path."""


@dataclass(frozen=True)
class Answer:
    """The whole answer to a sheet."""

    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    ready: bool
    """Whether the sheet says READY."""
    written: bool = True
    """Whether it has any line."""
    orders: tuple[Placed, ...] = ()
    """The desk's lines that are orders, accepted or not."""
    gauges: tuple[Gauge, ...] = ()
    """Of its side, with the sheets of all desks that the writer may read."""
    desks: tuple[MergedDesk, ...] = ()
    """For HQ: all desks of its side as they will be merged, if the writer may read all of them."""

    @property
    def faulty(self) -> int:
        """The number of lines that are ignored."""
        return len({problem.line for problem in self.problems if problem.severity is Severity.ERROR and problem.line})

    @cached_property
    def lines(self) -> tuple[ReadLine, ...]:
        """The desk's lines that are orders, as read."""
        understood = {each.line: each for each in self.understood if each.line}
        ignored = {each.line for each in self.problems if each.severity is Severity.ERROR}
        return tuple(
            _read_line(placed, understood.get(placed.line), ignored=placed.line in ignored) for placed in self.orders
        )

    @property
    def text(self) -> str:
        """The answer as text, for a mail."""
        lines = [f"Line {each.line}: {each.text}" if each.line else each.text for each in self.understood]
        return "\n".join([*lines, *map(_written, self.problems)])


def answer(known: Knowledge, phase: PhaseKey, place: Place, text: str, others: Sequence[DeskSheet] = ()) -> Answer:
    """Check a desk's sheet for a phase, with the sheets of its side's other desks as the lock would take them.

    The answer covers this desk's lines only, and the gaps of its own units.
    """
    rules, game_data = known.loaded.rules, known.loaded.scenario.game_data
    sheets = (DeskSheet(text, place.name, place.formations), *others)
    read = read_side(rules, game_data, known.state, Audience(place.side), sheets, phase=phase, names=known.names)
    if rules.now(known.state) == phase:
        checked = check_side(rules, game_data, known.state, read)
    else:  # a form sent late: its lines mean nothing in another phase
        checked = in_order((), (*read.problems, _PHASE_OVER))
    lines = tuple(placed for placed in read.orders if placed.desk == place.name)
    orders = [placed.order for placed in lines]
    unread = any(problem.desk == place.name for problem in read.problems)
    notes = () if unread or place.side == GM else _ready_alone(orders, rules.phase(phase).orders)
    names = known.names
    replacing = _replacing(names, read) if place.name == HQ and read.replaced else ()
    here = _said_to(place.name, in_order(checked.understood, (*notes, *replacing, *checked.problems)))
    reads_all = place.name == HQ and others and all(other.text is not None for other in others)
    return Answer(
        tuple(_counted(each, others) for each in here.understood),
        here.problems,
        ready=any(isinstance(order, Ready) for order in orders),
        written=bool(orders) or unread,
        orders=lines,
        gauges=checked.gauges,
        desks=merged(names, sheets, read, checked) if reads_all else (),
    )


def _read_line(placed: Placed, said: Understood | None, *, ignored: bool) -> ReadLine:
    order = placed.order
    text, path, arrow = (said.text, said.path, said.arrow) if said else ("", (), "")
    return ReadLine(
        placed.line, verb_of(type(order)), units_named(order), ignored, text, path or places_named(order), arrow
    )


def _said_to(desk: str, checked: Checked) -> Checked:
    """The part of a side's answer that is for one desk, or for all."""
    here = (desk, EVERY_DESK)
    return Checked(
        tuple(each for each in checked.understood if each.desk in here),
        tuple(each for each in checked.problems if each.desk in here),
    )


def _counted(understood: Understood, others: Sequence[DeskSheet]) -> Understood:
    """A reading; one of the whole side, which has no line, also says which desks' sheets it counts."""
    if understood.line or not others:
        return understood
    counted = "this sheet alone" if any(other.text is None for other in others) else "all desks"
    return replace(understood, text=f"{understood.text}, {counted} counted")


def _replacing(names: Names, read: SideSheet) -> tuple[Problem, ...]:
    """A notice at each line of HQ that replaces a desk's."""
    found = replacements(names, read)
    return tuple(notice(by.where, "replaces", f"this replaces {words}", "NOTATION") for by, words in found)


def _ready_alone(orders: Sequence[Order], kinds: Collection[type[Order]]) -> tuple[Problem, ...]:
    """A notice if READY stands alone: it is a sheet, and perhaps a mistake. Not every phase lets the others hold."""
    if not orders or any(not isinstance(order, Ready) for order in orders):
        return ()
    hint = f"To confirm this, write {verb_of(AllOthersHold)}." if AllOthersHold in kinds else ""
    return (notice(TO_ALL, "only-ready", "the sheet is READY but gives no orders", "NOTATION", hint=hint),)


_EFFECTS = {Severity.ERROR: "ignored", Severity.WARNING: "warning", Severity.NOTICE: ""}
"""What a problem means for its line, in a word."""


def _written(problem: Problem) -> str:
    """A problem as text: Line 3, ignored: 12 VG cannot enter Q19; an enemy unit is there (R5.6). ..."""
    line = f"line {problem.line}" if problem.line else ""
    column = f"column {problem.column}" if problem.line and problem.column > 1 else ""
    where = ", ".join(filter(None, (line, column, _EFFECTS[problem.severity])))
    rule = "" if problem.rule == "NOTATION" else f" ({problem.rule})"
    hint = f" {problem.hint}" if problem.hint else ""
    text = f"{where}: {problem.message}" if where else problem.message
    return f"{text[0].upper()}{text[1:]}{rule}.{hint}"
