"""What is plotted of a game: points at the end of each day, and the forces that it cost."""

from collections.abc import Iterator

from campaign.engine.display.plots import Shape
from campaign.engine.statistics import Day, Statistic
from tests.toy.model.facts import Destroyed
from tests.toy.model.game_data import SIDE_NAMES, SIDES, GameData
from tests.toy.model.state import State
from tests.toy.rules.victory import points_of

_BY_SIDE = tuple((SIDE_NAMES[side], side) for side in SIDES)


def _points(game_data: GameData, day: Day[State]) -> Iterator[int]:
    points = points_of(game_data, day.state.open.control)
    return (points[side] for side in SIDES)


def _lost(_: GameData, day: Day[State]) -> Iterator[int]:
    losers = [fact.side for fact in day.facts if isinstance(fact, Destroyed)]
    return (losers.count(side) for side in SIDES)


STATISTICS: tuple[Statistic[GameData, State], ...] = (
    Statistic(
        key="points",
        title="Points",
        unit="points",
        text="What the objectives that each side holds are worth.",
        rule="R7.2",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_points,
    ),
    Statistic(
        key="forces-lost",
        title="Forces lost",
        unit="forces",
        text="Forces that were destroyed on that day.",
        rule="R5.4",
        shape=Shape.BARS,
        curves=_BY_SIDE,
        figures=_lost,
    ),
)
