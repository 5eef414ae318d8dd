"""The answer to a sheet: what was understood and what is wrong, from what its side knows and nothing else."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.ids import GM, Audience, PhaseKey, UnitId
from campaign.engine.notation import parse, units_named
from campaign.engine.orders import (
    AllOthersHold,
    Checked,
    GapsOf,
    Order,
    Placed,
    Problem,
    Ready,
    Severity,
    Understood,
    verb_of,
)
from campaign.engine.values import replace
from campaign.selectors import Knowledge
from orders.desks import Beside, Place, merge, overruled_by, own_lines, units_of
from orders.models import HQ

_ELSEWHERE = 1_000_000
"""Lines of other desks are numbered from here on: no sheet has so many of its own."""

_STOP_OVER = Problem(
    "stop-over",
    Severity.ERROR,
    0,
    1,
    "the stop that this was written for is over",
    "Copy what you want to keep, and load the page again.",
)


@dataclass(frozen=True)
class Answer:
    """All that can be said of a sheet at once."""

    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    ready: bool
    """The sheet says READY."""
    written: bool = True
    """There is a line in it."""

    @property
    def faulty(self) -> int:
        """Lines that do nothing."""
        return len({problem.line for problem in self.problems if problem.severity is Severity.ERROR and problem.line})

    @property
    def text(self) -> str:
        """The answer as it stands in a mail."""
        lines = [f"line {each.line}: {each.text}" if each.line else each.text for each in self.understood]
        return "\n".join([*lines, *map(_written, self.problems)])


def answer(known: Knowledge, stop: PhaseKey, place: Place, text: str, beside: Sequence[Beside] = ()) -> Answer:
    """Check a desk's sheet for a stop, together with the sheets of its side's other desks as the lock would take them.

    Only this desk's lines are spoken of, and only the gaps of its own units.
    """
    rules, theatre = known.loaded.rules, known.loaded.scenario.theatre
    kinds, names = rules.phase(stop).orders, rules.names(theatre, known.slice)
    formations = rules.formations(theatre, known.slice)
    sheet = parse(text, kinds, names)
    mine, foreign = own_lines(sheet.orders, units_of(formations, place.formations))
    lines = {place.name: mine}
    for number, other in enumerate(beside, 1):
        theirs = parse(other.text or "", kinds, names).orders
        lines[other.place.name] = _elsewhere(own_lines(theirs, units_of(formations, other.place.formations))[0], number)
    hq = lines.pop(HQ, ())
    merged = merge(hq, [lines[name] for name in sorted(lines)])
    gaps = [Placed(_gaps(formations, place, beside), 0)] if beside else []
    if rules.now(known.slice) == stop:
        checked = rules.check(theatre, known.slice, Audience(place.side), [*gaps, *merged])
    else:  # a form sent late: its lines mean nothing to the situation of another stop
        checked = Checked((), (_STOP_OVER,))
    overruled = _overruled(mine, hq) if place.name != HQ else ()
    notes = _ready_alone(sheet.orders, kinds) if place.side != GM and not sheet.problems else ()
    problems = sorted(
        (*sheet.problems, *foreign, *overruled, *notes, *(each for each in checked.problems if each.line < _ELSEWHERE)),
        key=lambda problem: (problem.line == 0, problem.line, problem.column),
    )
    return Answer(
        _of_the_side(checked.understood, beside) if beside else checked.understood,
        tuple(problems),
        ready=any(isinstance(each.order, Ready) for each in sheet.orders),
        written=bool(sheet.orders or sheet.problems),
    )


def _elsewhere(orders: Iterable[Placed], number: int) -> tuple[Placed, ...]:
    """Another desk's lines about a unit or the side. What it says of its others, or to the GM, is not this desk's."""
    return tuple(
        replace(placed, line=number * _ELSEWHERE + placed.line)
        for placed in orders
        if placed.order.of_the_side or units_named(placed.order)
    )


def _gaps(formations: Mapping[str, frozenset[UnitId]], place: Place, beside: Sequence[Beside]) -> Order:
    """A desk is told of its own units, HQ of those that no desk has."""
    if place.name != HQ:
        return GapsOf(units=units_of(formations, place.formations))
    return GapsOf(but=frozenset().union(*(units_of(formations, other.place.formations) or () for other in beside)))


def _overruled(mine: Iterable[Placed], hq: Sequence[Placed]) -> tuple[Problem, ...]:
    overruled = overruled_by(hq)
    message, hint = "HQ orders this unit itself; the line does nothing", "Ask your commander, or leave the line out."
    return tuple(
        Problem("overruled", Severity.ERROR, placed.line, 1, message, hint, "NOTATION")
        for placed in mine
        if overruled(placed.order)
    )


def _ready_alone(orders: Sequence[Placed], kinds: Collection[type[Order]]) -> tuple[Problem, ...]:
    """READY with nothing else is a sheet, and perhaps not what was meant. Not every phase lets the others hold."""
    if not orders or any(not isinstance(placed.order, Ready) for placed in orders):
        return ()
    message, hint = "the sheet says READY and orders nothing", f"{verb_of(AllOthersHold)} says so."
    return (Problem("only-ready", Severity.NOTICE, 0, 1, message, hint if AllOthersHold in kinds else "", "NOTATION"),)


def _of_the_side(understood: Iterable[Understood], beside: Sequence[Beside]) -> tuple[Understood, ...]:
    """This sheet's lines; what is said of no line is of the whole side, as far as its sheets are open to who asks."""
    own = (each for each in understood if each.line < _ELSEWHERE)
    counted = "this sheet alone" if any(other.text is None for other in beside) else "all desks"
    return tuple(each if each.line else replace(each, text=f"{each.text}, {counted} counted") for each in own)


def _written(problem: Problem) -> str:
    where = f"line {problem.line}, column {problem.column}: " if problem.line else ""
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{problem.severity.value}: {where}{problem.message} [{problem.rule}].{hint}"
