"""What spaces are worth to a side, and what the enemy could bring against them."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.area_activation.model.game_data import GERMAN, Bank, GameData, Space, Victory
from campaign.rulesets.area_activation.model.state import Unit
from campaign.rulesets.area_activation.rules.situation import Situation

_BEHIND = (0.4, 0.2, 0.1)
"""What an Allied space shields of the worth of the spaces one, two and three borders behind it."""
_BEFORE = (0.0, 1.0, 6.0, 8.0, 8.0, 6.0, 4.0)
"""R44 The same in the race, by the borders to the Meuse's far bank."""
_DOUBT = 4.0
"""Strength that an enemy needs to take an empty space half of the time."""
_PICKET = 2.0
"""What even a weak unit adds: who enters must stop there."""
_SHELTER = 1.5
"""Points of strength that a hit is worth that the space takes off."""
_EXIT = 4.0
"""What Germans who leave the map add to the points, more or less."""
_RACE = {"bank": 6.0, "goal": 4.0, "else": 0.2}
_INFANTRY, _ENGINES = (1.0, 1.0, 0.5, 0.15), (1.0, 1.0, 0.9, 0.6, 0.3, 0.1)
"""How much of a unit's strength counts in its own space, and in those one, two, three ... borders away."""


@dataclass(frozen=True)
class Ground:
    """The map as a side sees it."""

    distance: Mapping[PlaceId, int]
    """Borders between a space and the Meuse's far bank."""
    prize: Mapping[PlaceId, float]
    """What its control counts for the victory."""
    stake: Mapping[PlaceId, float]
    """What the side would lose with it: for the Allies with what lies behind it."""
    threat: Mapping[PlaceId, float]
    """Points of strength that the enemy could bring there."""

    def held(self, space: Space, strength: float, *, own: bool) -> float:
        """The worth of units of this strength in a space. `own`: their side controls it."""
        if strength <= 0:
            return 0.0
        threat = self.threat[space.id]
        shelter = _SHELTER * (space.shelter if own else space.shelter_taken)
        kept = (_PICKET + strength + shelter) / (_PICKET + strength + shelter + threat / 2)
        return self.stake[space.id] * kept * threat / (threat + _DOUBT)


def ground(situation: Situation) -> Ground:
    game_data = situation.game_data
    distance = steps_to_meuse(game_data)
    prize = {space.id: _prize(game_data, space) for space in game_data.spaces.values()}
    return Ground(distance, prize, _stakes(situation, distance, prize), _threats(situation))


def _prize(game_data: GameData, space: Space) -> float:
    if game_data.victory is Victory.POINTS:
        return space.points + (_EXIT if space.is_exit else 0)
    if space.id == game_data.goal:
        return _RACE["goal"]
    return _RACE["bank"] if space.bank is not Bank.NONE else _RACE["else"] * space.points


def _stakes(
    situation: Situation, distance: Mapping[PlaceId, int], prize: Mapping[PlaceId, float]
) -> dict[PlaceId, float]:
    if situation.side == GERMAN:
        return {place: worth + 0.3 for place, worth in prize.items()}
    if situation.game_data.victory is Victory.RACE:
        return {place: _before_the_meuse(steps) + prize[place] * (steps > 1) for place, steps in distance.items()}
    near = situation.game_data.board.neighbours
    found, layer = dict(prize), dict(prize)
    for share in _BEHIND:
        layer = {place: sum(layer[each] for each in near(place) if distance[each] < distance[place]) for place in layer}
        found = {place: worth + share * layer[place] for place, worth in found.items()}
    return found


def _before_the_meuse(steps: int) -> float:
    """R44 In the race who holds a space along the Meuse keeps nobody from it: the spaces before it do."""
    return _BEFORE[min(steps, len(_BEFORE) - 1)]


def _threats(situation: Situation) -> dict[PlaceId, float]:
    """The three units that count most in each space: no more can be there."""
    found: dict[PlaceId, list[float]] = {place: [] for place in situation.game_data.spaces}
    for unit in situation.enemies:
        if not unit.stuck:
            shares = _ENGINES if situation.card(unit).drives else _INFANTRY
            for place, steps in _reached(situation, unit, len(shares) - 1).items():
                found[place].append(unit.strength * shares[steps])
    return {place: sum(sorted(strengths)[-3:]) for place, strengths in found.items()}


def _reached(situation: Situation, unit: Unit, most: int) -> dict[PlaceId, int]:
    """The spaces within this many borders, with their distance. The enemy stops in a space with units of the side."""
    held = situation.crowd
    found, front = {unit.at: 0}, [unit.at]
    for steps in range(1, most + 1):
        further = []
        for place in front:
            if place in held and place != unit.at:
                continue
            for near in situation.game_data.board.neighbours(place):
                if near not in found:
                    found[near] = steps
                    further.append(near)
        front = further
    return found


def steps_to_meuse(game_data: GameData) -> dict[PlaceId, int]:
    """How many borders lie between each space and the far bank of the Meuse."""
    found = {space.id: 0 for space in game_data.spaces.values() if space.bank is Bank.FAR}
    front = list(found)
    while front:
        place = front.pop(0)
        for near in game_data.board.neighbours(place):
            if near not in found:
                found[near] = found[place] + 1
                front.append(near)
    return found
