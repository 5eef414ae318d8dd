"""R3.10 Close air support: assigned to attackers on the sheet that names their attacks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Gauge, Submission
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.air import CloseSupport
from campaign.rulesets.forum_campaign.model.facts.battle import Supported
from campaign.rulesets.forum_campaign.model.game_data import Box, GameData
from campaign.rulesets.forum_campaign.model.orders import Cas
from campaign.rulesets.forum_campaign.model.state import Battle, State, Support, Unit
from campaign.rulesets.forum_campaign.model.words import counted


@dataclass(frozen=True)
class Assigned:
    """Air units for attackers, line by line, and the answer to the lines."""

    support: tuple[tuple[UnitId, int], ...]
    checked: Checked


def check_close_support(sheet: Submission[GameData, State], *, attacking: Collection[UnitId]) -> Assigned:
    """R3.10 Check the CAS lines of a sheet. `attacking`: units whose attacks on the same sheet count."""
    support: list[tuple[UnitId, int]] = []
    most = close_support_left(sheet.known, sheet.side)

    def check(order: Cas) -> str:
        unit = sheet.known.own[sheet.side].units.get(order.unit)
        left = most - sum(units for _, units in support)
        label = _supported(unit, order, attacking=attacking, left=left).label
        support.append((order.unit, order.air_units))
        planes = order.air_units * sheet.game_data.charts.air.planes
        return f"{label} is supported by {counted(order.air_units, 'air unit')}: {planes} planes in its battle"

    checked = check_lines(sheet.lines, {Cas: check})
    gauge = Gauge("Close air support", sum(units for _, units in support), most)
    return Assigned(tuple(support), replace(checked, gauges=(gauge,)))


def _supported(unit: Unit | None, order: Cas, *, attacking: Collection[UnitId], left: int) -> Unit:
    """R3.10 The unit, if it may have this support; raises Refused."""
    if unit is None:
        raise Refused("gone", f"{order.unit} no longer exists", "R3.10")
    if order.air_units < 1:
        raise Refused("number", "close air support needs at least one air unit", "R3.10", hint="Or delete the line.")
    if unit.id not in attacking:
        hint = f"Write ATTACK {unit.label} ... on the same sheet; defenders get no close air support."
        raise Refused("not-attacking", f"{unit.label} does not attack", "R3.10", hint=hint)
    if order.air_units > left:
        message = (
            f"only {counted(left, 'air unit')} of the box for close air support {'is' if left == 1 else 'are'} left"
        )
        raise Refused("too-many", message, "R3.10")
    return unit


def close_support_left(known: State, side: SideId) -> int:
    """R3.10 Air units of today's box that are not assigned yet."""
    day = known.open.air.get(side)
    return (day.boxes.get(Box.CAS, 0) if day else 0) - sum(known.own[side].close_support.values())


def assign_close_support(
    ledger: Ledger[GameData, State], sheet: Submission[GameData, State], *, attacking: Collection[UnitId]
) -> None:
    """R3.10 Assigned air units are used up, whether the attack takes place or not."""
    for unit, air_units in check_close_support(sheet, attacking=attacking).support:
        ledger.emit(CloseSupport(sheet.side, unit, air_units), rule="R3.10")


def support_battles(ledger: Ledger[GameData, State], side: SideId) -> None:
    """R3.10 Each battle of a side gets the air units of all its attackers."""
    for battle in ledger.state.open.battles:
        own = ledger.state.own[side]
        air_units = _support_of(battle, own.close_support) if battle.attacker == side else 0
        if air_units:
            support = replace(own.support.get(battle.at, Support()), air_units=air_units)
            ledger.emit(Supported(side, battle.at, support), rule="R3.10")


def _support_of(battle: Battle, assigned: Mapping[UnitId, int]) -> int:
    return sum(assigned.get(fighter.unit, 0) for fighter in battle.attackers)
