"""The axes of a plot: which figures and days are named, and where they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.engine.display.plots import Plot, Shape
from campaign.engine.values.moments import Moment
from campaign.maps.drawing.geometry import Box
from campaign.maps.drawing.ink import width_of
from campaign.maps.plots.parts import FIGURE_PRINT

_MOST_STEPS = 5
"""Between the lowest and the highest figure that is named."""
_BETWEEN = 10.0
"""Points between the names of two days."""
_LONGEST = 90.0
"""Points: names of moments that are longer are cut short."""


def ticks(figures: Sequence[int]) -> list[int]:
    """Round figures at equal distances which enclose these and 0, at least two."""
    least, most = min(0, *figures), max(0, *figures)
    step = next(step for step in _steps() if most // step + (most % step > 0) - least // step <= _MOST_STEPS)
    return list(range(least // step * step, max(-(-most // step) * step, step) + 1, step))


def _steps() -> Sequence[int]:
    return [digit * 10**power for power in range(12) for digit in (1, 2, 5)]


@dataclass(frozen=True)
class Axes:
    """From figures and days to points of the paper."""

    box: Box
    """The ground of the plot: left, top, right, bottom."""
    least: int
    most: int
    count: int
    """Of the days."""
    banded: bool
    """Whether each day is a band with bars; otherwise a point, the first and last at the edges."""

    @property
    def band(self) -> float:
        """The width that a day has."""
        return (self.box[2] - self.box[0]) / (self.count if self.banded else max(self.count - 1, 1))

    def x(self, day: int) -> float:
        """The middle of a day."""
        return self.box[0] + self.band * (day + (0.5 if self.banded else 0))

    def y(self, figure: int) -> float:
        _, top, _, bottom = self.box
        return bottom - (bottom - top) * (figure - self.least) / (self.most - self.least)


def axes_of(plot: Plot, box: Box, named: Sequence[int]) -> Axes:
    return Axes(box, named[0], named[-1], len(plot.moments), plot.shape is Shape.BARS)


def named_days(moments: Sequence[Moment], axes: Axes) -> list[tuple[int, str]]:
    """The days that are named, with names short enough not to touch: the first, and others at equal distances."""
    for every in range(1, len(moments)):
        named = _named(moments, every)
        widest = max(width_of(name, FIGURE_PRINT) for _, name in named)
        if every * axes.band >= widest + _BETWEEN + max(0.0, widest / 2 - axes.x(0)):  # the first keeps off the edge
            return named
    return _named(moments, len(moments))


def _named(moments: Sequence[Moment], every: int) -> list[tuple[int, str]]:
    days = range(0, len(moments), every)
    return list(zip(days, short_names([moments[day] for day in days]), strict=True))


def short_names(moments: Sequence[Moment]) -> list[str]:
    """Days by their number, the first of each month with it: 16 Dec, 17. Moments without a date by their names."""
    named, names = None, []
    for moment in moments:
        if moment.date is None:
            names.append(_cut(moment.label))
        else:
            month = "" if moment.date.month == named else f" {moment.label.split()[1][:3]}"
            named = moment.date.month
            names.append(f"{moment.date.day}{month}")
    return names


def _cut(text: str) -> str:
    while width_of(text, FIGURE_PRINT) > _LONGEST:
        text = f"{text.rstrip('…')[:-1]}…"
    return text
