"""How judges of sheets go about it: a line is either understood, or refused with a reason and a cure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campaign.engine.orders import Checked, Order, Placed, Problem, Severity, Understood


class Refused(Exception):
    """A line does nothing, and why."""

    def __init__(self, code: str, message: str, rule: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.rule, self.hint = code, rule, hint


Judge = Callable[[Any], str]
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
            understood.append(Understood(placed.line, judge(placed.order)))
        except Refused as why:
            problems.append(Problem(why.code, Severity.ERROR, placed.line, 1, str(why), why.hint, why.rule))
    return Checked(tuple(understood), tuple(problems))


def notice(code: str, message: str, rule: str, *, hint: str = "") -> Problem:
    """A word about the whole sheet."""
    return Problem(code, Severity.NOTICE, 0, 1, message, hint, rule)
