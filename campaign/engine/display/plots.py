"""Plots: figures of a campaign by day, as pages, tables and pictures show them."""

from enum import Enum

from campaign.engine.values.ids import SideId
from campaign.engine.values.moments import Moment
from campaign.engine.values.value import Value


class Shape(Enum):
    """What figures say of a day, and so how they are drawn."""

    LINES = "lines"
    """How things stand at its end. The first figure is that of the campaign's start."""
    BARS = "bars"
    """What happened in it."""


class Curve(Value, frozen=True):
    """One line, or one row of bars."""

    title: str
    side: SideId | None
    """Whose figures they are: it gives them their colour. None: no side's."""
    figures: tuple[int, ...]
    """One for each moment of the plot."""


class Plot(Value, frozen=True):
    """A plot of the same figure of several sides or kinds."""

    key: str
    """In addresses and names of files: small letters and hyphens."""
    title: str
    unit: str
    text: str
    """What is counted, in a sentence or two."""
    rule: str
    shape: Shape
    moments: tuple[Moment, ...]
    curves: tuple[Curve, ...]
    sides: tuple[SideId, ...]
    """In the ruleset's order, which decides on colours."""
    so_far: bool
    """Whether the last day is not over."""

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The table of its figures: each moment with the figure of each curve."""
        figures = zip(*(curve.figures for curve in self.curves), strict=True)
        return [(label, *map(in_words, row)) for label, row in zip(self.labels, figures, strict=True)]

    @property
    def labels(self) -> list[str]:
        """The moments in words."""
        *done, last = [moment.label for moment in self.moments]
        return [*done, f"{last}, so far" if self.so_far else last]


def in_words(figure: int) -> str:
    """A figure with its thousands apart and a true minus sign: 1,250."""
    return f"{figure:,}".replace("-", "\N{MINUS SIGN}")
