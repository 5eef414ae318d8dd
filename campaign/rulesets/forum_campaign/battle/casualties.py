"""R12.7-R12.9 What a battle costs its units, and which of them it destroys."""

from collections.abc import Sequence

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.battle import Cause, Destroyed, TanksLost, Weakened
from campaign.rulesets.forum_campaign.model.facts.movement import Resized
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData, Goods
from campaign.rulesets.forum_campaign.model.state import State, TankLosses, Unit, is_small, wiped_out_at


def suffer(ledger: Ledger[GameData, State], side: SideId, unit: UnitId, lost: int) -> Sequence[Unit]:
    """R12.7, R12.8 A unit loses headcount; at the limits it falls to task force size or is wiped out.

    Returns the units that are wiped out, as they last were.
    """
    before = ledger.state.own[side].units[unit]
    after = replace(before, strength=before.strength - lost)
    ledger.emit(Weakened(side, unit, lost, after.strength, before.small or is_small(after)), rule="R12.7")
    return _wiped_out(ledger, side, unit)


def destroy(ledger: Ledger[GameData, State], side: SideId, unit: UnitId, cause: Cause, *, rule: str) -> Sequence[Unit]:
    """Destroy a unit. Headcount that it had of another unit is lost to that one too (R8).

    Returns it, and any unit that is wiped out with it.
    """
    gone = ledger.state.own[side].units[unit]
    assert gone.at is not None
    ledger.emit(Destroyed(side, gone.id, gone.label, gone.at, cause), rule=rule)
    left = ledger.state.own[side].units
    return (gone, *(_wiped_out(ledger, side, gone.parent) if gone.parent in left else ()))


def _wiped_out(ledger: Ledger[GameData, State], side: SideId, id_: UnitId | None) -> Sequence[Unit]:
    """R12.8 Destroy a unit that has reached its limit, or has only its task force left."""
    if id_ is None:
        return ()
    unit = ledger.state.own[side].units[id_]
    at_limit = unit.whole <= wiped_out_at(unit, ledger.state.open.options.wiped_out)
    if unit.at is None or not (at_limit or unit.strength <= 0):
        return ()
    return destroy(ledger, side, id_, Cause.LOSSES, rule="R12.8")


def lose_tanks(ledger: Ledger[GameData, State], side: SideId, unit: Unit, lost: TankLosses) -> None:
    """R12.9 Take tanks one by one, at most as many as the unit has."""
    medium = min(lost.medium, medium_tanks(unit))
    heavy = min(lost.heavy, unit.heavy_tanks)
    if medium or heavy:
        ledger.emit(TanksLost(side, unit.id, medium, heavy), rule="R12.9")


def medium_tanks(unit: Unit) -> int:
    """R12.9 Tanks of its own and those received (R14.2)."""
    return unit.tanks + unit.bought.get(Goods.TANKS, 0)


def shrink_sizes(ledger: Ledger[GameData, State]) -> None:
    """R12.7 A unit that loses the headcount lent to its task force may fall to task force size."""
    for side in SIDES:
        for unit in tuple(ledger.state.own[side].units.values()):
            if unit.ground and not unit.small and is_small(unit):
                ledger.emit(Resized(side, unit.id, small=True), rule="R12.7")
