"""What became of a sheet's lines, next to the lines as they were written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from campaign.engine.display.outcomes import Effect, LineOutcome, Outcomes
from campaign.engine.orders.notation import lines_of
from orders.models import LockedSheet

_AMISS = (Effect.SHORT, Effect.SILENT, Effect.IGNORED)


@dataclass(frozen=True)
class WrittenLine:
    """A line of a sheet. A comment has no outcome."""

    number: int
    text: str
    outcome: LineOutcome | None


@dataclass(frozen=True)
class DeskOutcomes:
    """A sheet that counted, line by line."""

    desk: str
    version: int
    lines: tuple[WrittenLine, ...]

    @property
    def amiss(self) -> int:
        """The number of lines that were ignored, not carried out as written, or answered by no report."""
        return sum(each.outcome is not None and each.outcome.effect in _AMISS for each in self.lines)


def with_outcomes(text: str, desk: str, outcomes: Outcomes) -> tuple[WrittenLine, ...]:
    """The lines of a desk's sheet that are not empty, each with what became of it."""
    found = {each.line: each for each in outcomes.lines if each.desk == desk}
    numbered = enumerate(lines_of(text), 1)
    return tuple(WrittenLine(number, line, found.get(number)) for number, line in numbered if line.strip())


def of_sheets(sheets: Iterable[LockedSheet], outcomes: Outcomes | None) -> tuple[DeskOutcomes, ...]:
    """A side's sheets that counted, line by line; none if an older release resolved the phase."""
    if outcomes is None:
        return ()
    return tuple(
        DeskOutcomes(row.desk, row.sheet.version, with_outcomes(row.sheet.text, row.desk, outcomes)) for row in sheets
    )


def without_notes(sheet: DeskOutcomes) -> DeskOutcomes:
    """A sheet without its notes to the GM. A line is one if it begins like one, read or not."""
    return replace(sheet, lines=tuple(line for line in sheet.lines if not _NOTE.match(line.text)))


_NOTE = re.compile(r"\W*note", re.IGNORECASE)
