"""How far places are from each other, and what time is worth: ground that can be had later is worth less."""

from collections.abc import Mapping, Sequence
from functools import cache
from weakref import WeakKeyDictionary

from campaign.engine.board.paths import Costs, reach
from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.model.game_data import GameData, Weather
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.terrain_costs import ground

FAR = 60
"""Movement points beyond which nothing draws a unit."""
PER_MOVE = 0.75
"""What is left of a worth that can be had a full move later."""
_ROOTS: Mapping[int, float] = {
    2: 0.8660, 3: 0.9086, 4: 0.9306, 5: 0.9441, 6: 0.9532, 7: 0.9597, 8: 0.9647, 9: 0.9685, 10: 0.9716, 11: 0.9742,
    12: 0.9763,
}  # fmt: skip
"""`PER_MOVE` to the power of 1 / points, by points. A table, because powers may differ between machines."""
_USUAL = Weather.GLOOMY
"""Plans for days to come are made for this weather."""


def points_to(game_data: GameData, goal: PlaceId) -> Mapping[PlaceId, int]:
    """R6 Movement points from each place to a goal, without enemies, in usual weather. Kept for each map."""
    found = _POINTS.setdefault(game_data, {})
    if goal not in found:
        found[goal] = points_near(game_data, goal, most=FAR)
    return found[goal]


def points_near(game_data: GameData, goal: PlaceId, *, most: int) -> Mapping[PlaceId, int]:
    """The same, from the places within this many points."""
    return reach(_backwards(game_data), goal, budget=most).costs


def _backwards(game_data: GameData) -> Costs:
    """The search runs from the goal outwards, so a step costs what it costs the other way."""
    rates, board = ground(game_data, _USUAL).by_road, game_data.open_board
    return Costs(board, lambda at: [(near, rates[near][at]) for near in board.neighbours(at)])


_POINTS: WeakKeyDictionary[GameData, dict[PlaceId, Mapping[PlaceId, int]]] = WeakKeyDictionary()


def a_move(unit: Unit) -> int:
    """Movement points that a unit has on a day on which it may meet enemies."""
    return unit.movement * 2 if unit.mechanized else unit.movement + 2


@cache
def worth_by_points(points: int) -> Sequence[float]:
    """What is left of a worth that is 0, 1, 2 ... points away, by the points that a unit moves in a day."""
    root = _ROOTS[min(max(points, min(_ROOTS)), max(_ROOTS))]
    found = [1.0]
    for _ in range(FAR):
        found.append(found[-1] * root)
    return found
