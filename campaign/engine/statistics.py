"""Statistics: what a ruleset counts of a campaign by day, and the plots that are made of it.

They are made of the truth. The game master may read them at any time, everybody else once all is revealed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from campaign.engine.display.plots import Curve, Plot, Shape
from campaign.engine.facts import Fact
from campaign.engine.state import State
from campaign.engine.values.ids import SideId
from campaign.engine.values.moments import Moment

T = TypeVar("T")
S = TypeVar("S", bound=State[Any, Any, Any])

START = Moment("Start")
"""Where the lines of a plot begin: the campaign as its first day found it."""


@dataclass(frozen=True)
class Day(Generic[S]):
    """A day of a campaign, or another moment where turns are no days."""

    moment: Moment
    state: S
    """The whole truth at its end, or as it is now."""
    facts: tuple[Fact, ...] = ()
    """All that happened in it, in order."""


@dataclass(frozen=True, kw_only=True)
class Statistic(Generic[T, S]):
    """One plot that a ruleset declares. What its fields mean is written at `Plot`."""

    key: str
    title: str
    unit: str
    text: str
    rule: str = ""
    shape: Shape
    curves: tuple[tuple[str, SideId | None], ...]
    """The title and the side of each."""
    figures: Callable[[T, Day[S]], Iterable[int]]
    """(game data, a day): the figure of each curve."""


@dataclass(frozen=True)
class Course(Generic[S]):
    """A campaign from its start, day by day."""

    start: S
    days: tuple[Day[S], ...]
    so_far: bool
    """Whether the last day is not over."""


def plots(
    statistics: Sequence[Statistic[T, S]], sides: tuple[SideId, ...], game_data: T, course: Course[S]
) -> Iterator[Plot]:
    """The declared plots of a campaign that has at least one day."""
    for each in statistics:
        start = [Day(START, course.start)] if each.shape is Shape.LINES else []
        days = [*start, *course.days]
        by_curve = zip(*(each.figures(game_data, day) for day in days), strict=True)
        yield Plot(
            key=each.key,
            title=each.title,
            unit=each.unit,
            text=each.text,
            rule=each.rule,
            shape=each.shape,
            moments=tuple(day.moment for day in days),
            curves=tuple(Curve(*curve, figures) for curve, figures in zip(each.curves, by_curve, strict=True)),
            sides=sides,
            so_far=course.so_far,
        )
