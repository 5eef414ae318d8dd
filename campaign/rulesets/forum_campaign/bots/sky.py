"""R3 A bot's air units: each flies the mission that is worth most to it today."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.air.airdrop import PAIR
from campaign.rulesets.forum_campaign.air.missions import interdicts
from campaign.rulesets.forum_campaign.bots.assessment.assessment import CUT_OFF, Assessment
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Box, enemy_of
from campaign.rulesets.forum_campaign.model.state import Unit

_SUPPORT = (0.3, 0.27, 0.24, 0.21, 0.18, 0.15)
"""The worth of each further air unit of close support, in victory points."""
_DROP = 1.5
"""The worth of supply from the air, in portions cut off that it spares a unit."""
_COVER = 4
"""Air units for each pair that flies for superiority, where the enemy has a pair too."""


def air_lines(seen: Assessment) -> Iterator[str]:
    """R3.5, R3.7 The allocation, its targets, and which enemy air units to remove."""
    day, weather = seen.known.open.air.get(seen.side), seen.known.open.weather
    if day is None or weather is None or not day.available:
        return
    plan = _Flights(seen, frozenset(seen.game_data.charts.air.missions[weather.condition][seen.side]))
    plan.fill(day.available)
    sent = [f"{box.value} {units}" for box, units in plan.boxes.items() if units]
    if sent:
        yield " ".join(["AIR", *sent])
    yield from (f"INTERDICT {at} {units}" for at, units in plan.strikes.items())
    if plan.boxes[Box.SUPERIORITY]:
        yield from (f"REMOVE {box.value}" for box in _removal_order(seen))


def removals(seen: Assessment) -> Iterator[str]:
    """R3.7 A phase of its own: a line for each air unit that is removed."""
    enemy = seen.known.open.air.get(enemy_of(seen.side))
    flying = enemy.boxes if enemy else {}
    boxes = [box for box in (*_removal_order(seen), Box.SUPERIORITY) for _ in range(flying.get(box, 0))]
    yield from (f"REMOVE {box.value}" for box in boxes[: seen.known.open.removals])
    yield "READY"


def cut_off(seen: Assessment) -> list[Unit]:
    """R3.8 Units that supply from the air would help, the strongest first."""
    if seen.side == GERMAN:
        return []
    units = (unit for unit in seen.units.values() if unit.at is not None and not unit.supplied)
    return sorted(units, key=lambda unit: (-seen.strengths[unit.id], unit.id))


def _removal_order(seen: Assessment) -> Sequence[Box]:
    """R3.7 The enemy's boxes, the one that hurts most first."""
    return (Box.INTERDICTION, Box.CAS, Box.DROP) if seen.side == GERMAN else (Box.CAS,)


@dataclass
class _Flights:
    """Air units with their missions, one after the other."""

    seen: Assessment
    allowed: frozenset[Box]
    boxes: dict[Box, int] = field(default_factory=lambda: dict.fromkeys(Box, 0))
    strikes: dict[PlaceId, int] = field(default_factory=dict)
    """R3.9 Air units by the hex that they interdict."""

    def fill(self, left: int) -> None:
        """Send out all of them, each to where it adds most; drops and superiority in pairs."""
        left -= self._send(Box.SUPERIORITY, self._cover(left))
        needy = self._needy()
        while left:
            worth, at = self._best_alone()
            if left >= PAIR and needy and needy[0] > PAIR * worth:
                needy.pop(0)
                left -= self._send(Box.DROP, PAIR)
            elif worth > 0:
                left -= self._alone(at)
            else:
                return

    def _needy(self) -> list[float]:
        """R3.8 What supply from the air is worth to each unit that is cut off, the most first."""
        if Box.DROP not in self.allowed:
            return []
        seen = self.seen
        return [_DROP * (CUT_OFF + seen.strengths[unit.id] * seen.per_strength) for unit in cut_off(seen)]

    def _alone(self, at: PlaceId | None) -> int:
        """Send one air unit to interdict a hex; None: to give support."""
        if at:
            self.strikes[at] = self.strikes.get(at, 0) + 1
        return self._send(Box.INTERDICTION if at else Box.CAS, 1)

    def _send(self, box: Box, units: int) -> int:
        units = units if box in self.allowed else 0
        self.boxes[box] += units
        return units

    def _cover(self, left: int) -> int:
        """R3.6 Air units for superiority, in pairs, if the enemy may fly for it too."""
        enemy = self.seen.known.open.air.get(enemy_of(self.seen.side))
        return left // _COVER // PAIR * PAIR if enemy and enemy.available >= PAIR else 0

    def _best_alone(self) -> tuple[float, PlaceId | None]:
        """What one more air unit adds at most, and the hex that it interdicts for that; None: it gives support."""
        support = _SUPPORT[min(self.boxes[Box.CAS], len(_SUPPORT) - 1)] if Box.CAS in self.allowed else 0.0
        best: tuple[float, PlaceId | None] = (support, None)
        die = self.seen.game_data.charts.air.interdiction_die
        for at, worth in self._targets().items():
            units = self.strikes.get(at, 0)
            adds = worth * (_chance(die, units + 1) - _chance(die, units))
            if adds > best[0]:
                best = (adds, at)
        return best

    def _targets(self) -> Mapping[PlaceId, float]:
        return self.seen.foe_worths if Box.INTERDICTION in self.allowed else {}


@cache
def _chance(sides: int, units: int) -> float:
    """R3.9 How likely so many air units interdict a target."""
    rolls = list(product(range(1, sides + 1), repeat=2)) if units else []
    return sum(interdicts(allied, german, air_units=units) for allied, german in rolls) / max(len(rolls), 1)
