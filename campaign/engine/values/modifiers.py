"""Numbers that explain themselves: a total is the sum of its reasons."""

from collections.abc import Iterable

from campaign.engine.values.value import Value


class Modifier(Value, frozen=True):
    """One part of a number: its amount, its reason and its rule."""

    amount: int
    reason: str
    rule: str


def total(modifiers: Iterable[Modifier]) -> int:
    return sum(modifier.amount for modifier in modifiers)


def explain(modifiers: Iterable[Modifier]) -> tuple[str, ...]:
    """A line for each modifier, for a report's "why": `crossing the Our: +1 (R6.2)`."""
    return tuple(f"{m.reason}: {m.amount:+d} ({m.rule})" for m in modifiers)
