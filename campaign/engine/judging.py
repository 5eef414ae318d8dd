"""How the lines of a sheet are judged: each is understood, or refused with a reason and what to do about it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from campaign.engine.orders import EVERY_DESK, Checked, Line, Order, Placed, Problem, Severity, Understood

TO_HQ = Line(0)
"""The place of what is said of no line, to HQ alone."""
TO_ALL = Line(0, EVERY_DESK)
"""The same to every desk of the side."""


class Refused(Exception):
    """A line does nothing, and why; `column` is where in the line, counted from 1."""

    def __init__(self, code: str, message: str, rule: str, *, hint: str = "", column: int = 1) -> None:
        super().__init__(message)
        self.code, self.rule, self.hint, self.column = code, rule, hint, column


@dataclass(frozen=True)
class Doubt:
    """Why a line that counts should be looked at again."""

    code: str
    message: str
    rule: str


@dataclass(frozen=True)
class Meaning:
    """What was understood of a line that is in doubt."""

    text: str
    doubts: tuple[Doubt, ...]


R = TypeVar("R")


def read_each(lines: Iterable[Placed], read: Callable[[Placed], R]) -> tuple[list[tuple[Placed, R]], list[Problem]]:
    """Lines one after the other, each with what it is read as; and why `read` refuses the others."""
    done: list[tuple[Placed, R]] = []
    problems: list[Problem] = []
    for placed in lines:
        try:
            done.append((placed, read(placed)))
        except Refused as why:
            problems.append(refusal(placed.where, why))
    return done, problems


Judge = Callable[[Any], str | Meaning]
"""Takes an order in and says what was understood of it; raises Refused."""


def judged(sheet: Iterable[Placed], judges: Mapping[type[Order], Judge]) -> Checked:
    """The lines of a sheet that have a judge, judged one after the other."""
    lines = (placed for placed in sheet if type(placed.order) in judges)
    read, refused = read_each(lines, lambda placed: _meaning(judges[type(placed.order)](placed.order)))
    doubts = [warning(at.where, each.code, each.message, each.rule) for at, said in read for each in said.doubts]
    return Checked(tuple(meant(placed.where, said.text) for placed, said in read), (*refused, *doubts))


def _meaning(said: str | Meaning) -> Meaning:
    return Meaning(said, ()) if isinstance(said, str) else said


def meant(line: Line, text: str) -> Understood:
    """What a line means."""
    return Understood(line.number, text, line.desk)


def refusal(line: Line, why: Refused) -> Problem:
    """A line does nothing."""
    return Problem(why.code, Severity.ERROR, line.number, why.column, str(why), why.hint, why.rule, line.desk)


def warning(line: Line, code: str, message: str, rule: str, *, hint: str = "") -> Problem:
    """A line counts, but should be looked at again."""
    return Problem(code, Severity.WARNING, line.number, 1, message, hint, rule, line.desk)


def notice(line: Line, code: str, message: str, rule: str, *, hint: str = "") -> Problem:
    """Something worth knowing of a line, or of a sheet as a whole."""
    return Problem(code, Severity.NOTICE, line.number, 1, message, hint, rule, line.desk)
