"""What is plotted of a campaign."""

from collections.abc import Iterator

from campaign.engine.display.plots import Shape
from campaign.engine.statistics import Day, Statistic
from campaign.engine.values.ids import SideId
from campaign.rulesets.area_activation.model.facts import Eliminated, Hit, Starved
from campaign.rulesets.area_activation.model.game_data import SIDE_NAMES, SIDES, GameData
from campaign.rulesets.area_activation.model.state import State

_BY_SIDE = tuple((SIDE_NAMES[side], side) for side in SIDES)


def _points(_game_data: GameData, day: Day[State]) -> Iterator[int]:
    yield day.state.open.points


def _strength(_game_data: GameData, day: Day[State]) -> Iterator[int]:
    return (sum(unit.strength for unit in day.state.own[side].units.values()) for side in SIDES)


def _held(game_data: GameData, day: Day[State]) -> Iterator[int]:
    control = day.state.open.control
    return (
        sum(game_data.spaces[place].points for place, holder in control.items() if holder == side) for side in SIDES
    )


def _lost(_game_data: GameData, day: Day[State]) -> Iterator[int]:
    return (sum(_cost(fact, side) for fact in day.facts) for side in SIDES)


def _cost(fact: object, side: SideId) -> int:
    """The points of strength that a fact costs a side."""
    match fact:
        case Hit(side=loser, points=points) if loser == side:
            return points
        case Starved(side=loser) if loser == side:
            return 1
        case Eliminated(side=loser, strength=strength) if loser == side:
            return strength
    return 0


STATISTICS: tuple[Statistic[GameData, State], ...] = (
    Statistic(
        key="held",
        title="Points of the map",
        unit="points",
        text="What the spaces that each side controls are worth.",
        rule="R42",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_held,
    ),
    Statistic(
        key="victory-points",
        title="German victory points",
        unit="points",
        text="The points that decide the campaign: spaces taken, units lost, units beyond the Meuse.",
        rule="R42",
        shape=Shape.LINES,
        curves=(("German points", SIDES[0]),),
        figures=_points,
    ),
    Statistic(
        key="strength",
        title="Strength on the map",
        unit="points of strength",
        text="The strength of all units on the map.",
        rule="R26",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_strength,
    ),
    Statistic(
        key="lost",
        title="Strength lost",
        unit="points of strength",
        text="Points of strength lost on that day, by combat and for want of supply.",
        rule="R31",
        shape=Shape.BARS,
        curves=_BY_SIDE,
        figures=_lost,
    ),
)
