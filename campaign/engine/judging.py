"""How the lines of a sheet are judged: each is understood, or refused with a reason and what to do about it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.engine.orders import EVERY_DESK, Checked, Line, Order, Placed, Problem, Severity, Understood

TO_HQ = Line(0)
"""The place of what is said of no line, to HQ alone."""
TO_ALL = Line(0, EVERY_DESK)
"""The same to every desk of the side."""


class Refused(Exception):
    """A line does nothing, and why."""

    def __init__(self, code: str, message: str, rule: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.rule, self.hint = code, rule, hint


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


Judge = Callable[[Any], str | Meaning]
"""Takes an order in and says what was understood of it; raises Refused."""


def judged(sheet: Iterable[Placed], judges: Mapping[type[Order], Judge]) -> Checked:
    """The lines of a sheet that have a judge, judged one after the other."""
    understood: list[Understood] = []
    problems: list[Problem] = []
    for placed in sheet:
        judge = judges.get(type(placed.order))
        if judge is None:
            continue
        try:
            meaning = _meaning(judge(placed.order))
        except Refused as why:
            problems.append(refusal(placed.where, why))
        else:
            understood.append(meant(placed.where, meaning.text))
            problems += (warning(placed.where, each.code, each.message, each.rule) for each in meaning.doubts)
    return Checked(tuple(understood), tuple(problems))


def _meaning(said: str | Meaning) -> Meaning:
    return Meaning(said, ()) if isinstance(said, str) else said


def meant(line: Line, text: str) -> Understood:
    """What a line means."""
    return Understood(line.number, text, line.desk)


def refusal(line: Line, why: Refused) -> Problem:
    """A line does nothing."""
    return Problem(why.code, Severity.ERROR, line.number, 1, str(why), why.hint, why.rule, line.desk)


def warning(line: Line, code: str, message: str, rule: str, *, hint: str = "") -> Problem:
    """A line counts, but should be looked at again."""
    return Problem(code, Severity.WARNING, line.number, 1, message, hint, rule, line.desk)


def notice(line: Line, code: str, message: str, rule: str, *, hint: str = "") -> Problem:
    """Something worth knowing of a line, or of a sheet as a whole."""
    return Problem(code, Severity.NOTICE, line.number, 1, message, hint, rule, line.desk)
