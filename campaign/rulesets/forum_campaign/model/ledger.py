"""R12.9, R12.10 A unit's own ledger: what it has besides its order of battle, in a few lines."""

from collections.abc import Iterable
from enum import Enum

from msgspec import UNSET, UnsetType

from campaign.engine.values.value import Value, replace


class LineKind(Enum):
    """What a line of a ledger is about."""

    EXTRA = "extra"
    """R12 G7 Teams or vehicles that joined the unit."""
    MEDIUM_TANK = "medium"
    """R12.9 The name of one of its medium tanks."""
    HEAVY_TANK = "heavy"
    REMARK = "remark"
    """A line of the GM's."""


class LedgerLine(Value, frozen=True):
    """One line of a unit's ledger."""

    kind: LineKind
    text: str
    origin: str = ""
    """R12.10 The label of the destroyed unit from which it came; empty: the GM wrote it for this unit."""


NAMED_TANKS = (LineKind.MEDIUM_TANK, LineKind.HEAVY_TANK)

Ledger = tuple[LedgerLine, ...] | UnsetType
"""The lines in their order. UNSET, and not stored, if there are none."""


def lines_in(ledger: Ledger) -> tuple[LedgerLine, ...]:
    return () if ledger is UNSET else ledger


def ledger_of(lines: Iterable[LedgerLine]) -> Ledger:
    return tuple(lines) or UNSET


def extras(ledger: Ledger) -> tuple[LedgerLine, ...]:
    return tuple(line for line in lines_in(ledger) if line.kind is LineKind.EXTRA)


def coming_from(label: str, lines: Iterable[LedgerLine]) -> tuple[LedgerLine, ...]:
    """R12.10 Lines of a destroyed unit, as another one's: each says from whom it came first."""
    return tuple(line if line.origin else replace(line, origin=label) for line in lines)


def joined(one: Ledger, more: Iterable[LedgerLine]) -> Ledger:
    return ledger_of((*lines_in(one), *more))


def struck(ledger: Ledger, line: LedgerLine) -> Ledger:
    """A ledger without the first line like this one; ValueError if it has none."""
    lines = lines_in(ledger)
    at = lines.index(line)
    return ledger_of((*lines[:at], *lines[at + 1 :]))


def in_words(line: LedgerLine) -> str:
    """A line as its side reads it: 2 jeeps, from 106 Inf."""
    origin = f", from {line.origin}" if line.origin else ""
    named = f"{line.kind.value} tank “{line.text}”" if line.kind in NAMED_TANKS else line.text
    return f"{named}{origin}"
