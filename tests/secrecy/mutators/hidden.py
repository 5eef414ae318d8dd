"""What the rules hide from an audience: others' units, plans and dice (M1 to M5, M10, M11)."""

import json
from collections.abc import Callable

from campaign.engine.values.ids import PUBLIC, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.store import encode_events
from campaign.models import DiceLine
from campaign.rulesets.forum_campaign.model.game_data import Box, Branch
from campaign.rulesets.forum_campaign.model.state import RuledResult, SavedMove, Target, Unit, Winner
from tests.secrecy.campaigns import SLUG
from tests.secrecy.mutators.change import Change
from tests.secrecy.truth import Truth, hidden_units, other_dice, somewhere


def move(change: Change) -> bool:
    return _with_a_unit(change, lambda truth, side, unit: _at(change, truth, side, unit))


def add(change: Change) -> bool:
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side, number = SideId(change.enemy), change.chance.randint(100, 999)
    like = change.chance.choice(
        [unit for unit in truth.state.own[side].units.values() if unit.ground and not unit.parent]
    )
    whole = {"lent": 0, "spent": 0, "moved": False, "fought": False, "attacked": False, "strength": 100}
    new = replace(like, id=UnitId(f"{like.id}-{number}"), label=f"{like.label} {number}", at=None, **whole)
    if not _at(change, truth, side, new):
        return False
    truth.write()
    return True


def delete(change: Change) -> bool:
    def taken_away(truth: Truth, side: SideId, unit: Unit) -> bool:
        if unit.id.encode() in encode_events(truth.events):  # the report of its own side speaks of it
            return False
        units = dict(truth.state.own[side].units)
        del units[unit.id]
        truth.change(side, units=units)
        return True

    return _with_a_unit(change, taken_away)


def describe(change: Change) -> bool:
    """Change name, type and strength of hidden units."""

    def another(truth: Truth, side: SideId, unit: Unit) -> bool:
        chance = change.chance
        branch = chance.choice([Branch.ARMOR, Branch.INFANTRY, Branch.MECHANIZED]) if unit.ground else unit.branch
        changed = replace(
            unit,
            label=f"{chance.randint(2, 999)} Geheim",
            name="Verschwiegene Division",
            branch=branch,
            strength=chance.randint(55, 99),
        )
        return _with(truth, side, changed)

    return _with_a_unit(change, another)


def swap(change: Change) -> bool:
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side = SideId(change.enemy)
    pairs = [unit for unit in hidden_units(truth, side) if unit.ground]
    apart = [(a, b) for a in pairs for b in pairs if a.id < b.id and a.at != b.at and a.small == b.small]
    if not apart:
        return False
    one, two = change.chance.choice(apart)
    _with(truth, side, replace(one, at=two.at))
    _with(truth, side, replace(two, at=one.at))
    truth.write()
    return True


def hand(change: Change) -> bool:
    """Change the enemy's plans: missions, artillery, digging, saved movement, commandos; and the GM's rulings."""
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    chance, side = change.chance, SideId(change.enemy)
    own = truth.state.own[side]
    places = truth.loaded.scenario.game_data.board.places
    units = sorted(own.units.values(), key=lambda unit: unit.id)
    truth.change(
        side,
        artillery=tuple(unit.id for unit in chance.sample(units, k=min(2, len(units)))),
        positions={**own.positions, chance.choice(places): chance.randint(1, 2)},
        drops_flown=chance.randint(0, 3),
        missions=replace(
            own.missions,
            priorities=(chance.choice(list(Box)),),
            interdictions=(Target(chance.choice(places), chance.randint(1, 3)),),
        ),
    )
    idle = [unit for unit in hidden_units(truth, side) if unit.ground and unit.supplied]
    if idle and truth.state.open.phase.endswith("_battles"):
        unit = chance.choice(idle)
        at = PlaceId(str(unit.at))
        near = truth.loaded.scenario.game_data.open_board.neighbours(at)
        if near:
            way = at, chance.choice(sorted(near))
            truth.change(side, plots=(*truth.state.own[side].plots, SavedMove(unit.id, way)))
    _move_a_commando(change, truth, side)
    _wear_down(change, truth, side)
    if truth.state.open.battles and truth.state.hidden is not None and change.observer == PUBLIC:
        ruled = {truth.state.open.battles[0].at: RuledResult(Winner.DEFENDERS, None, {}, {})}
        truth.state = replace(truth.state, hidden=replace(truth.state.hidden, ruled=ruled))
    truth.write()
    return True


def _wear_down(change: Change, truth: Truth, side: SideId) -> None:
    """Change the strength of units in a pending battle: everybody knows only which units fight."""
    for battle in truth.state.open.battles:
        for fighter in (*battle.attackers, *battle.defenders):
            if unit := truth.state.own[side].units.get(fighter.unit):
                _with(truth, side, replace(unit, strength=change.chance.randint(55, 99)))


def _move_a_commando(change: Change, truth: Truth, side: SideId) -> None:
    commandos = [unit for unit in hidden_units(truth, side) if not unit.ground]
    if commandos:
        _at(change, truth, side, change.chance.choice(commandos))


def dice(change: Change) -> bool:
    """Change others' dice, in the phase that waits to be published and in all earlier logs."""
    logs = _other_logs(change)
    truth = Truth.read(change.observer)
    if truth is None:
        return logs
    before = truth.events
    truth.events = other_dice(before, change.observer, change.chance)
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


def _with_a_unit(change: Change, act: Callable[[Truth, SideId, Unit], bool]) -> bool:
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    side = SideId(change.enemy)
    hidden = hidden_units(truth, side)
    if not hidden or not act(truth, side, change.chance.choice(hidden)):
        return False
    truth.write()
    return True


def _at(change: Change, truth: Truth, side: SideId, unit: Unit) -> bool:
    found = somewhere(truth, side, unit, change.chance, change.plans)
    if found is None or found[1] == unit.at:
        return False
    kind, place = found
    change.placements[kind] += 1
    return _with(truth, side, replace(unit, at=PlaceId(place)))


def _with(truth: Truth, side: SideId, unit: Unit) -> bool:
    truth.change(side, units={**truth.state.own[side].units, unit.id: unit})
    return True
