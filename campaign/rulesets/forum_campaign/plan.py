"""R4 The plan of a sheet: its lines walked in order, each in the situation that the lines before it made.

The same plan checks a sheet on knowledge and carries it out on the truth; only the situation differs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.modifiers import total
from campaign.engine.orders import Placed
from campaign.engine.values import replace
from campaign.rulesets.forum_campaign.facts import Halt, Lapse
from campaign.rulesets.forum_campaign.fuel import price
from campaign.rulesets.forum_campaign.movement import Walk, attack_allowance, walk
from campaign.rulesets.forum_campaign.orders import Attack
from campaign.rulesets.forum_campaign.situation import Basis, Situation
from campaign.rulesets.forum_campaign.state import Unit, left_a_hex
from campaign.rulesets.forum_campaign.theatre import GERMAN
from campaign.rulesets.forum_campaign.zoc import too_full


@dataclass(frozen=True)
class Route:
    """A movement order with its path settled."""

    line: int
    unit: UnitId
    path: tuple[PlaceId, ...]


@dataclass(frozen=True)
class Step:
    """What becomes of a movement order."""

    route: Route
    start: PlaceId | None
    walk: Walk


@dataclass(frozen=True)
class Assault:
    """What becomes of an attack order: the hex attacked, or why there is no attack."""

    placed: Placed
    unit: UnitId
    at: PlaceId | None
    lapse: Lapse | None = None


@dataclass(frozen=True)
class Plan:
    """All steps of a sheet and the situation they lead to."""

    steps: tuple[Step, ...]
    situation: Situation


def plan_moves(situation: Situation, routes: Sequence[Route]) -> Plan:
    """R4, R5.5, R10 Walk the routes in sheet order; nobody ends in a full hex, and fuel lasts as long as it lasts.

    Stacking is judged when all have moved. Where a hex is too full, whoever came last goes back: on knowledge his line
    is refused, in truth he stops in the last hex of his path with room (R4.7). Whoever finds room after all, because
    another went back too, goes on.
    """
    most_steps: dict[Route, int] = {}
    plan = _walk_all(situation, routes, most_steps)
    while last := _last_into_full_hex(plan):
        most_steps[last.route] = 0 if situation.basis is Basis.KNOWLEDGE else len(last.walk.entered) - 1
        plan = _walk_all(situation, routes, most_steps)
    for route in [route for route in routes if route in most_steps]:
        others = {other: most for other, most in most_steps.items() if other != route}
        freer = _walk_all(situation, routes, others)
        if _last_into_full_hex(freer) is None:
            most_steps, plan = others, freer
    return plan


def _walk_all(situation: Situation, routes: Sequence[Route], most_steps: Mapping[Route, int]) -> Plan:
    steps: list[Step] = []
    dry = False
    gone: set[UnitId] = set()
    moved = [unit for unit in situation.units.values() if unit.moved]
    for route in routes:
        unit = situation.units[route.unit]
        if unit.id in gone:
            steps.append(Step(route, unit.at, Walk((), unit.spent, 0, Halt.TWICE)))
            continue
        found = _walk(situation, unit, route, most_steps.get(route))
        if situation.side == GERMAN and left_a_hex(unit.at, found.entered):
            dry = dry or total(price(situation.theatre.charts.fuel, [*moved, unit])) > situation.fuel
            found = _stand_still(unit, found, Halt.FUEL) if dry else found
            moved += [] if dry else [unit]
        if found.entered:
            gone.add(unit.id)
            now = replace(
                unit,
                at=found.entered[-1],
                spent=found.spent,
                moved=unit.moved or left_a_hex(unit.at, found.entered),
            )
            situation = situation.with_units({**situation.units, unit.id: now})
        steps.append(Step(route, unit.at, found))
    return Plan(tuple(steps), situation)


def _walk(situation: Situation, unit: Unit, route: Route, most: int | None) -> Walk:
    found = walk(situation, unit, route.path)
    if most is not None:
        shorter = walk(situation, unit, route.path[:most])
        found = replace(shorter, halt=Halt.FULL, before=route.path[most], met=found.met)
    if situation.basis is Basis.KNOWLEDGE and found.halt is not None:
        return _stand_still(unit, found, found.halt)
    return found


def _stand_still(unit: Unit, found: Walk, halt: Halt) -> Walk:
    return replace(found, entered=(), possible=found.entered, spent=unit.spent, halt=halt)


def _last_into_full_hex(plan: Plan) -> Step | None:
    """The last step that ends in a hex with too many units."""
    crowded = {
        place
        for place, count in Counter(unit.at for unit in plan.situation.units.values()).items()
        if place is not None and count > 1 and too_full(plan.situation.at(place))
    }
    ending = [step for step in plan.steps if step.walk.entered and step.walk.entered[-1] in crowded]
    return ending[-1] if ending else None


# --- attacks ---------------------------------------------------------------------------------------------------------


def plan_attacks(plan: Plan, attacks: Iterable[Placed]) -> tuple[Assault, ...]:
    """R4.4, R12.2 The attacks of a sheet after its moves. On knowledge, a hex need not show an enemy to be attacked."""
    met = {step.route.unit: step.walk.met for step in plan.steps}
    assaults: list[Assault] = []
    attacking: set[UnitId] = set()
    for placed in attacks:
        unit = placed.order.unit
        found = _assault(plan.situation, placed, met.get(unit))
        if found.lapse is None and unit in attacking:
            found = Assault(placed, unit, found.at, Lapse.TWICE)
        attacking |= {unit} if found.lapse is None else set()
        assaults.append(found)
    return tuple(assaults)


def _assault(situation: Situation, placed: Placed, ran_into: PlaceId | None) -> Assault:
    order: Attack = placed.order
    unit = situation.units[order.unit]
    if unit.at is None:
        return Assault(placed, unit.id, order.at, Lapse.OFF_MAP)
    if not unit.supplied:
        return Assault(placed, unit.id, order.at, Lapse.UNSUPPLIED)
    may_meet_sooner = order.contact and situation.basis is Basis.KNOWLEDGE
    if unit.spent > attack_allowance(unit) and not may_meet_sooner:
        return Assault(placed, unit.id, order.at, Lapse.TOO_FAR)
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


def _on_contact(situation: Situation, placed: Placed, unit: Unit, ran_into: PlaceId | None) -> Assault:
    """R4 G5 The hex it ran into, else the first preferred, else the first by name; one that holds an enemy."""
    assert unit.at is not None
    near = [place for place in sorted(situation.theatre.open_neighbours(unit.at)) if place in situation.enemy]
    wanted = [place for place in (ran_into, *placed.order.prefer, *near) if place in near]
    if wanted:
        return Assault(placed, unit.id, wanted[0])
    lapse = Lapse.NOBODY_THERE if situation.basis is Basis.TRUTH else None
    return Assault(placed, unit.id, None, lapse)
