"""The answer to a sheet: what was understood and what is wrong, from what its side knows and nothing else."""

from dataclasses import dataclass

from campaign.engine.ids import Audience, PhaseKey
from campaign.engine.notation import parse
from campaign.engine.orders import Problem, Ready, Severity, Understood
from campaign.selectors import Knowledge
from orders.desks import Place, own_lines, units_of


@dataclass(frozen=True)
class Answer:
    """All that can be said of a sheet at once."""

    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    ready: bool
    """The sheet says READY."""

    @property
    def faulty(self) -> int:
        """Lines that do nothing."""
        return len({problem.line for problem in self.problems if problem.severity is Severity.ERROR and problem.line})

    @property
    def text(self) -> str:
        """The answer as it stands in a mail."""
        lines = [f"line {each.line}: {each.text}" if each.line else each.text for each in self.understood]
        return "\n".join([*lines, *map(_written, self.problems)])


def answer(known: Knowledge, stop: PhaseKey, place: Place, text: str) -> Answer:
    """Check a desk's sheet for a stop."""
    rules, theatre = known.loaded.rules, known.loaded.scenario.theatre
    kinds = rules.phase(stop).orders
    sheet = parse(text, kinds, rules.names(theatre, known.slice))
    units = units_of(rules.formations(theatre, known.slice), place.formations)
    mine, foreign = own_lines(sheet.orders, units)
    checked = rules.check(theatre, known.slice, Audience(place.side), mine)
    problems = sorted(
        (*sheet.problems, *foreign, *checked.problems),
        key=lambda problem: (problem.line == 0, problem.line, problem.column),
    )
    return Answer(checked.understood, tuple(problems), any(isinstance(each.order, Ready) for each in sheet.orders))


def _written(problem: Problem) -> str:
    where = f"line {problem.line}, column {problem.column}: " if problem.line else ""
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{problem.severity.value}: {where}{problem.message} [{problem.rule}].{hint}"
