"""How the lines of a sheet are checked: each is accepted with its meaning, or refused with a reason and a fix."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from campaign.engine.orders.order import EVERY_DESK, Checked, Line, Order, Placed, Problem, Severity, Understood
from campaign.engine.values.ids import PlaceId, UnitId

TO_HQ = Line(0)
"""The place of a message about no line, for HQ alone."""
TO_ALL = Line(0, EVERY_DESK)
"""The same for every desk of the side."""


class Refused(Exception):
    """A line is ignored, and why; `column` is the position in the line, counted from 1."""

    def __init__(self, code: str, message: str, rule: str, *, hint: str = "", column: int = 1) -> None:
        super().__init__(message)
        self.code, self.rule, self.hint, self.column = code, rule, hint, column


@dataclass(frozen=True)
class Doubt:
    """A warning about a line that is accepted."""

    code: str
    message: str
    rule: str


@dataclass(frozen=True)
class Meaning:
    """How a line was read, with warnings about it."""

    text: str
    doubts: tuple[Doubt, ...] = ()
    path: tuple[PlaceId, ...] = ()
    """Where it leads on the map, the starting place first; empty: nowhere."""
    arrow: str = ""
    """Key of the declared arrow that shows the path."""


R = TypeVar("R")


def read_each(lines: Iterable[Placed], read: Callable[[Placed], R]) -> tuple[list[tuple[Placed, R]], list[Problem]]:
    """Each line with its reading, in order; and the problems of the lines that `read` refuses."""
    done: list[tuple[Placed, R]] = []
    problems: list[Problem] = []
    for placed in lines:
        try:
            done.append((placed, read(placed)))
        except Refused as why:
            problems.append(refusal(placed.where, why))
    return done, problems


LineCheck = Callable[[Any], str | Meaning]
"""Accepts an order and returns its meaning in words; raises Refused."""


def check_lines(sheet: Iterable[Placed], checks: Mapping[type[Order], LineCheck]) -> Checked:
    """The answer to the lines of a sheet that have a check, in their order."""
    lines = (placed for placed in sheet if type(placed.order) in checks)
    read, refused = read_each(lines, lambda placed: _meaning(checks[type(placed.order)](placed.order)))
    doubts = [warning(at.where, each.code, each.message, each.rule) for at, said in read for each in said.doubts]
    understood = (meant(placed.where, said.text, path=said.path, arrow=said.arrow) for placed, said in read)
    return Checked(tuple(understood), (*refused, *doubts))


def _meaning(said: str | Meaning) -> Meaning:
    return Meaning(said) if isinstance(said, str) else said


def meant(line: Line, text: str, *, path: tuple[PlaceId, ...] = (), arrow: str = "") -> Understood:
    """A line with its meaning, and how the map shows it."""
    return Understood(line.number, text, line.desk, path, arrow)


def refusal(line: Line, why: Refused) -> Problem:
    """The problem of a line that is ignored."""
    return Problem(why.code, Severity.ERROR, line.number, why.column, str(why), why.hint, why.rule, line.desk)


def warning(line: Line, code: str, message: str, rule: str, *, hint: str = "") -> Problem:
    """The problem of a line that is accepted, but needs a second look."""
    return Problem(code, Severity.WARNING, line.number, 1, message, hint, rule, line.desk)


def notice(
    line: Line, code: str, message: str, rule: str, *, hint: str = "", units: tuple[UnitId, ...] = ()
) -> Problem:
    """A notice about a line, or about the whole sheet."""
    return Problem(code, Severity.NOTICE, line.number, 1, message, hint, rule, line.desk, units)
