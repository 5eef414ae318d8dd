"""R4.4, R12.2 The attacks of a sheet after its moves: checked in the known position, executed in the true one."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.engine.orders.order import Placed
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.model.facts.battle import CancelReason
from campaign.rulesets.forum_campaign.model.orders import Attack
from campaign.rulesets.forum_campaign.model.situation import Basis, Situation
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.movement.plan import Plan
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance


@dataclass(frozen=True)
class PlannedAttack:
    """The result of an attack order: the hex attacked, or why there is no attack."""

    placed: Placed
    unit: UnitId
    at: PlaceId | None
    cancel_reason: CancelReason | None = None


def plan_attacks(plan: Plan, attacks: Iterable[Placed]) -> tuple[PlannedAttack, ...]:
    """R4.4, R12.2 The attacks of a sheet after its moves. In the known situation the hex need not show an enemy."""
    met = {step.route.unit: step.walk.met for step in plan.steps}
    assaults: list[PlannedAttack] = []
    attacking: set[UnitId] = set()
    for placed in attacks:
        unit = placed.order.unit
        if unit not in plan.situation.units:
            # in truth it was never created, so there is nothing to record
            absent = PlannedAttack(placed, unit, placed.order.at, CancelReason.ABSENT)
            assaults += [absent] if plan.situation.basis is Basis.KNOWLEDGE else []
            continue
        found = _planned_attack(plan.situation, placed, met.get(unit))
        if found.cancel_reason is None and unit in attacking:
            found = PlannedAttack(placed, unit, found.at, CancelReason.TWICE)
        attacking |= {unit} if found.cancel_reason is None else set()
        assaults.append(found)
    return tuple(assaults)


def _planned_attack(situation: Situation, placed: Placed, ran_into: PlaceId | None) -> PlannedAttack:
    order: Attack = placed.order
    unit = situation.units[order.unit]
    unable = _unable(unit)
    if unit.at is None or unable is not None:
        return PlannedAttack(placed, unit.id, order.at, unable)
    has_moved = situation.options.separate_attacks
    may_meet_sooner = order.contact and situation.basis is Basis.KNOWLEDGE and not has_moved
    if unit.spent > attack_allowance(unit):
        return PlannedAttack(placed, unit.id, order.at, None if may_meet_sooner else CancelReason.TOO_FAR)
    within_reach = situation.game_data.open_neighbours(unit.at)
    if order.contact:
        return _on_contact(situation, placed, unit, ran_into)
    if order.at not in within_reach:
        return PlannedAttack(placed, unit.id, order.at, CancelReason.NOT_ADJACENT)
    if situation.at(order.at):
        return PlannedAttack(placed, unit.id, order.at, CancelReason.OWN_UNITS)
    if situation.basis is Basis.TRUTH and order.at not in situation.enemy:
        return PlannedAttack(placed, unit.id, order.at, CancelReason.NOBODY_THERE)
    return PlannedAttack(placed, unit.id, order.at)


def _unable(unit: Unit) -> CancelReason | None:
    """Why a unit cannot attack at all; None if it can."""
    causes = (
        (unit.at is None, CancelReason.OFF_MAP),
        (not unit.ground, CancelReason.COMMANDO),
        (unit.scattered, CancelReason.SCATTERED),
        (not unit.supplied, CancelReason.UNSUPPLIED),
    )
    return next((cancel_reason for applies, cancel_reason in causes if applies), None)


def _on_contact(situation: Situation, placed: Placed, unit: Unit, ran_into: PlaceId | None) -> PlannedAttack:
    """R4 G5 The hex it ran into, else the first preferred, else the first by name; it must hold an enemy."""
    assert unit.at is not None
    near = [place for place in sorted(situation.game_data.open_neighbours(unit.at)) if place in situation.enemy]
    wanted = [place for place in (ran_into, *placed.order.prefer, *near) if place in near]
    if wanted:
        return PlannedAttack(placed, unit.id, wanted[0])
    cancel_reason = CancelReason.NOBODY_THERE if situation.basis is Basis.TRUTH else None
    return PlannedAttack(placed, unit.id, None, cancel_reason)
