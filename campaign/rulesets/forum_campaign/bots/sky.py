"""R3 A bot's air units: what each of them may do today, and what that is worth."""

from collections.abc import Iterator, Sequence
from itertools import product

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.air.airdrop import PAIR
from campaign.rulesets.forum_campaign.air.missions import interdicts
from campaign.rulesets.forum_campaign.bots.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.foes import Foe
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Box, enemy_of
from campaign.rulesets.forum_campaign.model.state import Unit

_STRIKE = 2
"""Air units against each target of interdiction."""
_TARGETS = 3
_TWICE_AS_WELL = 4
"""Air units from which on some of them fly for superiority."""


def air_lines(seen: Assessment) -> Iterator[str]:
    """R3.5, R3.7 The allocation, its targets, and which enemy air units to remove."""
    day, weather = seen.known.open.air.get(seen.side), seen.known.open.weather
    if day is None or weather is None or not day.available:
        return
    allowed = seen.game_data.charts.air.missions[weather.condition][seen.side]
    if not allowed:
        return
    left = day.available
    drops = len(cut_off(seen)[: left // (2 * PAIR)]) * PAIR if Box.DROP in allowed else 0
    left -= drops
    targets = _targets(seen)[: left // _STRIKE] if Box.INTERDICTION in allowed else []
    left -= _STRIKE * len(targets)
    superiority = left // 2 // PAIR * PAIR if Box.SUPERIORITY in allowed and left >= _TWICE_AS_WELL else 0
    boxes = {
        Box.SUPERIORITY: superiority,
        Box.CAS: left - superiority if Box.CAS in allowed else 0,
        Box.INTERDICTION: _STRIKE * len(targets),
        Box.DROP: drops,
    }
    sent = [f"{box.value} {units}" for box, units in boxes.items() if units]
    if sent:
        yield " ".join(["AIR", *sent])
    yield from (f"INTERDICT {foe.at} {_STRIKE}" for foe in targets)
    if superiority:
        yield from (f"REMOVE {box.value}" for box in removal_order(seen))


def removal_order(seen: Assessment) -> Sequence[Box]:
    """R3.7 The enemy's boxes, the one that hurts most first."""
    return (Box.INTERDICTION, Box.CAS, Box.DROP) if seen.side == GERMAN else (Box.CAS,)


def removals(seen: Assessment) -> Iterator[str]:
    """R3.7 A phase of its own: a line for each air unit that is removed."""
    enemy = seen.known.open.air.get(enemy_of(seen.side))
    boxes = [
        box for box in (*removal_order(seen), Box.SUPERIORITY) for _ in range(enemy.boxes.get(box, 0) if enemy else 0)
    ]
    yield from (f"REMOVE {box.value}" for box in boxes[: seen.known.open.removals])
    yield "READY"


def cut_off(seen: Assessment) -> list[Unit]:
    """R3.8 Units that supply from the air would help, the strongest first."""
    if seen.side == GERMAN:
        return []
    units = (unit for unit in seen.units.values() if unit.at is not None and not unit.supplied)
    return sorted(units, key=lambda unit: (-seen.strengths[unit.id], unit.id))


def _targets(seen: Assessment) -> list[Foe]:
    """R3.9 The strongest enemies, one in each hex."""
    if seen.side == GERMAN:
        return []
    by_hex: dict[PlaceId, Foe] = {}
    for foe in sorted(seen.free_foes, key=lambda foe: (-foe.strength, foe.at)):
        by_hex.setdefault(foe.at, foe)
    return list(by_hex.values())[:_TARGETS]


def odds_of_strike(sides: int, units: int) -> float:
    """R3.9 How likely so many air units interdict a target."""
    rolls = list(product(range(1, sides + 1), repeat=2))
    return sum(interdicts(allied, german, air_units=units) for allied, german in rolls) / len(rolls)
