"""What is different between two texts of a sheet, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from campaign.engine.orders.notation import MOST_LINES, lines_of


class Change(Enum):
    """What became of a line."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class ChangedLine:
    """A line of one of two texts, or of both."""

    change: Change
    text: str


def differences(before: str, after: str) -> tuple[ChangedLine, ...]:
    """The lines of both texts in order; empty if they are the same. As far as sheets are read."""
    old, new = (lines_of(text.rstrip())[:MOST_LINES] for text in (before, after))
    return () if old == new else tuple(_changes(old, new))


def _changes(old: list[str], new: list[str]) -> Iterator[ChangedLine]:
    for how, begin, end, first, last in SequenceMatcher(None, old, new).get_opcodes():
        if how == "equal":
            yield from (ChangedLine(Change.SAME, line) for line in old[begin:end])
        else:
            yield from (ChangedLine(Change.REMOVED, line) for line in old[begin:end])
            yield from (ChangedLine(Change.ADDED, line) for line in new[first:last])
