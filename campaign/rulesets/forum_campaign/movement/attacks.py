"""R4.4, R12.2 The attacks that a sheet orders, when all have moved:

judged in the known position, carried out in the true position.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.orders import Placed
from campaign.rulesets.forum_campaign.model.facts.battle import Lapse
from campaign.rulesets.forum_campaign.model.orders import Attack
from campaign.rulesets.forum_campaign.model.situation import Basis, Situation
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.movement.plan import Plan
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance


@dataclass(frozen=True)
class Assault:
    """The result of an attack order: the hex attacked, or why there is no attack."""

    placed: Placed
    unit: UnitId
    at: PlaceId | None
    lapse: Lapse | None = None


def plan_attacks(plan: Plan, attacks: Iterable[Placed]) -> tuple[Assault, ...]:
    """R4.4, R12.2 The attacks of a sheet after its moves. In the known situation the hex need not show an enemy."""
    met = {step.route.unit: step.walk.met for step in plan.steps}
    assaults: list[Assault] = []
    attacking: set[UnitId] = set()
    for placed in attacks:
        unit = placed.order.unit
        if unit not in plan.situation.units:
            # in truth it was never created, so there is nothing to record
            absent = Assault(placed, unit, placed.order.at, Lapse.ABSENT)
            assaults += [absent] if plan.situation.basis is Basis.KNOWLEDGE else []
            continue
        found = _assault(plan.situation, placed, met.get(unit))
        if found.lapse is None and unit in attacking:
            found = Assault(placed, unit, found.at, Lapse.TWICE)
        attacking |= {unit} if found.lapse is None else set()
        assaults.append(found)
    return tuple(assaults)


def _assault(situation: Situation, placed: Placed, ran_into: PlaceId | None) -> Assault:
    order: Attack = placed.order
    unit = situation.units[order.unit]
    unable = _unable(unit)
    if unit.at is None or unable is not None:
        return Assault(placed, unit.id, order.at, unable)
    has_moved = situation.options.separate_attacks
    may_meet_sooner = order.contact and situation.basis is Basis.KNOWLEDGE and not has_moved
    if unit.spent > attack_allowance(unit):
        return Assault(placed, unit.id, order.at, None if may_meet_sooner else Lapse.TOO_FAR)
    within_reach = situation.theatre.open_neighbours(unit.at)
    if order.contact:
        return _on_contact(situation, placed, unit, ran_into)
    if order.at not in within_reach:
        return Assault(placed, unit.id, order.at, Lapse.NOT_ADJACENT)
    if situation.at(order.at):
        return Assault(placed, unit.id, order.at, Lapse.OWN_UNITS)
    if situation.basis is Basis.TRUTH and order.at not in situation.enemy:
        return Assault(placed, unit.id, order.at, Lapse.NOBODY_THERE)
    return Assault(placed, unit.id, order.at)


def _unable(unit: Unit) -> Lapse | None:
    """Why a unit cannot attack at all; None if it can."""
    causes = (
        (unit.at is None, Lapse.OFF_MAP),
        (not unit.ground, Lapse.COMMANDO),
        (unit.scattered, Lapse.SCATTERED),
        (not unit.supplied, Lapse.UNSUPPLIED),
    )
    return next((lapse for applies, lapse in causes if applies), None)


def _on_contact(situation: Situation, placed: Placed, unit: Unit, ran_into: PlaceId | None) -> Assault:
    """R4 G5 The hex it ran into, else the first preferred, else the first by name; it must hold an enemy."""
    assert unit.at is not None
    near = [place for place in sorted(situation.theatre.open_neighbours(unit.at)) if place in situation.enemy]
    wanted = [place for place in (ran_into, *placed.order.prefer, *near) if place in near]
    if wanted:
        return Assault(placed, unit.id, wanted[0])
    lapse = Lapse.NOBODY_THERE if situation.basis is Basis.TRUTH else None
    return Assault(placed, unit.id, None, lapse)
