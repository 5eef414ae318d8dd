"""A sheet line by line, each with how it is read or why it is ignored."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from campaign.engine.orders.notation import lines_of
from campaign.engine.orders.order import Problem, Severity
from orders.answers import Answer


@dataclass(frozen=True)
class AnnotatedLine:
    """A line of a sheet with what is to be said about it."""

    number: int
    text: str
    readings: Sequence[str]
    problems: Sequence[Problem]

    @property
    def ignored(self) -> bool:
        return any(problem.severity is Severity.ERROR for problem in self.problems)


@dataclass(frozen=True)
class Annotated:
    """A sheet with the answer to each of its lines."""

    lines: tuple[AnnotatedLine, ...]
    readings: Sequence[str]
    """Those of the sheet as a whole."""
    problems: Sequence[Problem]
    """Those of no single line."""

    @property
    def ignored(self) -> list[AnnotatedLine]:
        """The lines that are ignored."""
        return [line for line in self.lines if line.ignored]


def annotated(text: str, answer: Answer) -> Annotated:
    """A sheet's text together with the answer to it."""
    readings: defaultdict[int, list[str]] = defaultdict(list)
    problems: defaultdict[int, list[Problem]] = defaultdict(list)
    for each in answer.understood:
        readings[each.line].append(each.text)
    for order in answer.lines:
        if not (order.ignored or order.text):
            readings[order.line].append("Accepted")
    for problem in answer.problems:
        problems[problem.line].append(problem)
    rows = enumerate(lines_of(text.rstrip()), 1)
    lines = tuple(AnnotatedLine(number, row, readings[number], problems[number]) for number, row in rows)
    return Annotated(lines, readings[0], problems[0])
