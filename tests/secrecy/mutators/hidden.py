"""What the rules hide from an audience: others' units, plans and dice (M1 to M5, M10, M11)."""

import json
from collections.abc import Callable
from typing import Any

from campaign.engine.values.ids import PUBLIC, SideId
from campaign.engine.values.value import replace
from campaign.game.store import encode_events
from campaign.models import DiceLine
from tests.secrecy.campaigns import SLUG
from tests.secrecy.mutators.change import Change
from tests.secrecy.truth import Truth, other_dice


def move(change: Change) -> bool:
    return _with_a_unit(change, lambda truth, side, unit: _at(change, truth, side, unit))


def add(change: Change) -> bool:
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side = SideId(change.enemy)
    if not _at(change, truth, side, truth.game.another(truth, side, change.chance)):
        return False
    truth.write()
    return True


def delete(change: Change) -> bool:
    def taken_away(truth: Truth, side: SideId, unit: Any) -> bool:
        if unit.id.encode() in encode_events(truth.events):  # the report of its own side speaks of it
            return False
        truth.take(side, unit.id)
        return True

    return _with_a_unit(change, taken_away)


def describe(change: Change) -> bool:
    """Change name, type and strength of hidden units."""

    def another(truth: Truth, side: SideId, unit: Any) -> bool:
        truth.put(side, truth.game.described(unit, change.chance))
        return True

    return _with_a_unit(change, another)


def swap(change: Change) -> bool:
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side = SideId(change.enemy)
    units = truth.game.hidden(truth, side)
    apart = [(a, b) for a in units for b in units if a.id < b.id and a.at != b.at and truth.game.change_places(a, b)]
    if not apart:
        return False
    one, two = change.chance.choice(apart)
    truth.put(side, replace(one, at=two.at), replace(two, at=one.at))
    truth.write()
    return True


def hand(change: Change) -> bool:
    """Change the enemy's plans and what it holds, units that sneak, and the GM's rulings."""
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side = SideId(change.enemy)
    truth.game.hand(truth, side, change.chance)
    sneaking = [unit for unit in truth.game.hidden(truth, side) if truth.game.sneaks(unit)]
    if sneaking:
        _at(change, truth, side, change.chance.choice(sneaking))
    truth.write()
    return True


def dice(change: Change) -> bool:
    """Change others' dice, in the phase that waits to be published and in all earlier logs."""
    logs = _other_logs(change)
    truth = Truth.read(change.observer)
    if truth is None:
        return logs
    before = truth.events
    truth.events = other_dice(before, change.observer, truth.game.shared_dice, change.chance)
    truth.write()
    return logs or truth.events != before


def _other_logs(change: Change) -> bool:
    """Change others' logs but not their heads, which are salted, as `two_worlds/test_digests.py` proves."""
    lines = DiceLine.objects.filter(campaign__slug=SLUG).exclude(audience__in=[change.observer, PUBLIC])
    for row in lines:
        said = json.loads(row.line)
        fallen = [change.chance.randint(1, said["sides"]) for _ in said["dice"]]
        row.line = json.dumps(said | {"dice": fallen, "purpose": f"what nobody else may know: {sum(fallen)}"})
        row.save(update_fields=["line"])
    return bool(lines)


def _with_a_unit(change: Change, act: Callable[[Truth, SideId, Any], bool]) -> bool:
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side = SideId(change.enemy)
    hidden = truth.game.hidden(truth, side)
    if not any(act(truth, side, unit) for unit in change.chance.sample(hidden, k=len(hidden))):
        return False
    truth.write()
    return True


def _at(change: Change, truth: Truth, side: SideId, unit: Any) -> bool:
    found = truth.game.somewhere(truth, side, unit, change.chance, change.plans)
    if found is None or found[1] == unit.at:
        return False
    kind, place = found
    change.placements[kind] += 1
    truth.put(side, replace(unit, at=place))
    return True
