"""R4, R8 The plan of a sheet: its lines in order, each in the situation that the lines above it have made.

A plan in the known position checks a sheet, and one in the true position executes it; only the situation differs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from campaign.engine.facts import Fact, Ledger
from campaign.engine.orders.order import Line
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import total
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.movement import (
    Detached,
    Moved,
    RefusalReason,
    Rejoined,
    StopReason,
    TaskForceDenied,
)
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, GameData
from campaign.rulesets.forum_campaign.model.movement_costs import way_cost
from campaign.rulesets.forum_campaign.model.situation import Basis, Situation
from campaign.rulesets.forum_campaign.model.state import State, Unit, left_a_hex
from campaign.rulesets.forum_campaign.model.task_forces import (
    after_detaching,
    after_rejoining,
    task_force,
    why_not_detach,
    why_not_rejoin,
)
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.commandos import search
from campaign.rulesets.forum_campaign.movement.fuel import FuelBudget, goes_without
from campaign.rulesets.forum_campaign.movement.walking import Walk, allowance, attack_allowance, walk


@dataclass(frozen=True)
class Route:
    """A movement order with its path."""

    line: Line
    unit: UnitId
    path: tuple[PlaceId, ...]
    most: int | None = None
    """R4.1 The most it may have spent at the end, if that is less than its allowance, as it has attacked."""


@dataclass(frozen=True)
class DetachAction:
    """R8.1 The order to create a task force."""

    line: Line
    unit: UnitId
    tanks: int = 0


@dataclass(frozen=True)
class RejoinAction:
    """R8.3 The order to rejoin."""

    line: Line
    unit: UnitId


@dataclass(frozen=True)
class Reserve:
    """R4.5, R10.7 Fuel to reserve for a unit's saved movement."""

    line: Line
    unit: UnitId


Action = Route | DetachAction | RejoinAction | Reserve


@dataclass(frozen=True)
class PlannedMove:
    """The result of a movement order."""

    route: Route
    start: PlaceId | None
    walk: Walk


@dataclass(frozen=True)
class PlannedSplit:
    """R8 The result of an order to create a task force or to rejoin."""

    order: DetachAction | RejoinAction
    parent: UnitId | None
    force: Unit | None
    """The task force as created, or as it was when it rejoined."""
    refusal_reason: RefusalReason | None = None


@dataclass(frozen=True)
class Plan:
    """The results of a sheet's movement, in its order, and the situation after it."""

    planned: tuple[PlannedMove | PlannedSplit, ...]
    situation: Situation
    contacts: frozenset[UnitId] = frozenset()
    """R4.2 Units that have met an enemy zone of control on their way."""
    unpaid: frozenset[UnitId] = frozenset()
    """R10.7 Units without fuel for their saved movement."""
    fuel: int = 0
    """R10.4 The price of all of it."""
    in_hand: int = 0
    """R10 G1 The fuel for it, with depots that count at once (2.10)."""

    @property
    def steps(self) -> tuple[PlannedMove, ...]:
        return tuple(planned for planned in self.planned if isinstance(planned, PlannedMove))

    @property
    def splits(self) -> tuple[PlannedSplit, ...]:
        return tuple(planned for planned in self.planned if isinstance(planned, PlannedSplit))

    def in_contact(self, unit: Unit) -> bool:
        """R4.2 Whether a unit has met an enemy zone of control, or is in one."""
        return unit.id in self.contacts or unit.at in self.situation.zone


def plan_moves(
    situation: Situation,
    actions: Sequence[Action],
    *,
    contacts: frozenset[UnitId] = frozenset(),
    fuelled: bool = True,
) -> Plan:
    """R4, R5.5, R8, R10 Plan the lines in sheet order; nobody ends in a full hex, and fuel is limited.

    Stacking is checked when all have moved. If a hex is too full, the unit that came last goes back: in the known
    position its line is refused, in truth it stops in the last hex of its path with room (R4.7). A unit that has room
    after all, because another went back too, goes on. `contacts`: units that have met an enemy zone earlier in the
    portion; `fuelled`: whether moves need fuel here.
    """
    begin = _Beginning(situation, contacts, fuelled and situation.side == GERMAN)
    most_steps: dict[Action, int] = {}
    plan = _walk_all(begin, actions, most_steps)
    while last := _last_into_full_hex(plan):
        most_steps[_order(last)] = _room_before(situation, last)
        plan = _walk_all(begin, actions, most_steps)
    for action in [action for action in actions if action in most_steps]:
        others = {other: most for other, most in most_steps.items() if other != action}
        freer = _walk_all(begin, actions, others)
        if _last_into_full_hex(freer) is None:
            most_steps, plan = others, freer
    return plan


def _order(planned: PlannedMove | PlannedSplit) -> Action:
    return planned.route if isinstance(planned, PlannedMove) else planned.order


def _room_before(situation: Situation, planned: PlannedMove | PlannedSplit) -> int:
    """How many hexes of its way a unit may enter if the last was full. A task force is not created at all."""
    if isinstance(planned, PlannedSplit) or situation.basis is Basis.KNOWLEDGE:
        return 0
    return len(planned.walk.entered) - 1


def _last_into_full_hex(plan: Plan) -> PlannedMove | PlannedSplit | None:
    """The last move or detachment that brought a unit into a hex with too many of them."""
    units = plan.situation.units
    crowded = {
        place
        for place, count in Counter(unit.at for unit in units.values()).items()
        if place is not None and count > 1 and too_full(plan.situation.at(place))
    }
    if not crowded:
        return None
    gone = {step.route.unit for step in plan.steps if step.walk.entered}
    came = [planned for planned in plan.planned if _end(planned, units, gone) in crowded]
    return came[-1] if came else None


def _end(planned: PlannedMove | PlannedSplit, units: Mapping[UnitId, Unit], gone: set[UnitId]) -> PlaceId | None:
    """The hex to which a unit that takes room has moved, or in which it was created and has stayed."""
    if isinstance(planned, PlannedMove):
        moved = units.get(planned.route.unit)
        return moved.at if moved and moved.ground and planned.walk.entered else None
    created = isinstance(planned.order, DetachAction) and planned.refusal_reason is None and planned.force
    return units[created.id].at if created and created.id in units and created.id not in gone else None


# --- line by line ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Beginning:
    """The start of a plan."""

    situation: Situation
    contacts: frozenset[UnitId]
    fuelled: bool


def _walk_all(begin: _Beginning, actions: Sequence[Action], most_steps: Mapping[Action, int]) -> Plan:
    situation = begin.situation
    march = _March(situation, most_steps, set(begin.contacts), _fuel_budget(situation) if begin.fuelled else None)
    for action in actions:
        march.take(action)
    return march.plan()


def _fuel_budget(situation: Situation) -> FuelBudget:
    moved = {unit.id: unit for unit in situation.units.values() if unit.moved}
    return FuelBudget(situation.game_data.charts.fuel, situation.options, situation.fuel, moved)


@dataclass
class _March:
    """The lines of a sheet planned so far."""

    situation: Situation
    most_steps: Mapping[Action, int]
    contacts: set[UnitId]
    fuel_budget: FuelBudget | None
    planned: list[PlannedMove | PlannedSplit] = field(default_factory=list)
    gone: set[UnitId] = field(default_factory=set)
    captured: set[PlaceId] = field(default_factory=set)
    unpaid: set[UnitId] = field(default_factory=set)

    def plan(self) -> Plan:
        fuel, in_hand = (self.fuel_budget.price, self.fuel_budget.points) if self.fuel_budget else (0, 0)
        contacts, unpaid = frozenset(self.contacts), frozenset(self.unpaid)
        return Plan(tuple(self.planned), self.situation, contacts, unpaid, fuel, in_hand)

    def take(self, action: Action) -> None:
        match action:
            case Route():
                self._move(action)
            case DetachAction():
                self._part(action)
            case RejoinAction():
                self._join(action)
            case Reserve():
                self._set_fuel_aside(action)

    def _change(self, *units: Unit, without: UnitId | None = None) -> None:
        changed = {**self.situation.units, **{unit.id: unit for unit in units}}
        if without is not None:
            del changed[without]
        self.situation = self.situation.with_units(changed)

    def _move(self, route: Route) -> None:
        unit = self.situation.units.get(route.unit)
        if unit is None:
            self.planned.append(PlannedMove(route, None, Walk((), 0, 0, StopReason.ABSENT)))
        elif unit.id in self.gone:
            self.planned.append(PlannedMove(route, unit.at, Walk((), unit.spent, 0, StopReason.TWICE)))
        else:
            found = self._walk_if_fuelled(unit, route)
            self.planned.append(PlannedMove(route, unit.at, found))
            if found.entered:
                self._arrive(unit, found)

    def _arrive(self, unit: Unit, found: Walk) -> None:
        at, moved = found.entered[-1], unit.moved or left_a_hex(unit.at, found.entered)
        self.gone.add(unit.id)
        self.contacts |= {unit.id} if found.contact else set()
        self._change(replace(unit, at=at, spent=found.spent, moved=moved))
        if self.fuel_budget and self.situation.options.captured_counts_now and unit.ground and at not in self.captured:
            self.captured.add(at)
            self.fuel_budget.points += self.situation.depots.get(at, 0)

    def _walk_if_fuelled(self, unit: Unit, route: Route) -> Walk:
        """R10.7 The way as far as it leads, if there is fuel for it; infantry may need none (2.10)."""
        found = self._walk(unit, route, route.most)
        if self.fuel_budget and left_a_hex(unit.at, found.entered) and not self.fuel_budget.can_afford(unit):
            if goes_without(self.situation.options, unit):
                return self._walk(unit, route, attack_allowance(unit))
            return _stand_still(unit, found, StopReason.FUEL)
        return found

    def _walk(self, unit: Unit, route: Route, most: int | None) -> Walk:
        contact, steps = unit.id in self.contacts, self.most_steps.get(route)
        found = walk(self.situation, unit, route.path, contact=contact, most=most)
        if steps is not None and len(found.entered) > steps:
            shorter = walk(self.situation, unit, route.path[:steps], contact=contact, most=most)
            found = replace(shorter, stop_reason=StopReason.FULL, before=route.path[steps], met=found.met)
        if self.situation.basis is Basis.KNOWLEDGE and found.stop_reason is not None:
            return _stand_still(unit, found, found.stop_reason)
        return found

    def _part(self, order: DetachAction) -> None:
        parent = self.situation.units.get(order.unit)
        if parent is None:
            self.planned.append(PlannedSplit(order, None, None, RefusalReason.ABSENT))
            return
        taken = {*self.situation.units, *self.situation.retired}
        force = task_force(self.situation.side, parent, taken, tanks=order.tanks)
        refusal_reason = why_not_detach(parent, order.tanks) or self._why_not_here(
            order, after_detaching(parent, force)
        )
        self.planned.append(PlannedSplit(order, parent.id, force, refusal_reason))
        if refusal_reason is None:
            self._change(after_detaching(parent, force), force)
            self.contacts |= {force.id} if parent.id in self.contacts else set()

    def _why_not_here(self, order: DetachAction, parent: Unit) -> RefusalReason | None:
        if parent.at is None:
            return RefusalReason.OFF_MAP
        if self._too_far(parent, contact=parent.id in self.contacts):
            return RefusalReason.SPENT
        return RefusalReason.FULL if order in self.most_steps else None

    def _too_far(self, unit: Unit, *, contact: bool) -> bool:
        """R8.2, R8.3 Whether a unit has already spent more than it may with one printed point less."""
        return unit.spent > total(allowance(unit, contact=contact or unit.at in self.situation.zone))

    def _join(self, order: RejoinAction) -> None:
        force = self.situation.units.get(order.unit)
        if force is None:
            self.planned.append(PlannedSplit(order, None, None, RefusalReason.ABSENT))
            return
        parent = self.situation.units.get(force.parent) if force.parent else None
        refusal_reason = why_not_rejoin(force, parent)
        contact = not self.contacts.isdisjoint({force.id, force.parent})
        if parent and refusal_reason is None and self._too_far(after_rejoining(parent, force), contact=contact):
            refusal_reason = RefusalReason.SPENT
        self.planned.append(PlannedSplit(order, force.parent, force, refusal_reason))
        if parent and refusal_reason is None:
            self._change(after_rejoining(parent, force), without=force.id)
            self.contacts |= {parent.id} if contact else set()
            self._charge_to_parent(force.id, parent)

    def _charge_to_parent(self, force: UnitId, parent: Unit) -> None:
        """R10 G2 Fuel used by a task force that has rejoined counts for its unit, unless that has moved as well."""
        if self.fuel_budget and force in self.fuel_budget.movers and parent.id not in self.fuel_budget.movers:
            del self.fuel_budget.movers[force]
            self.fuel_budget.movers[parent.id] = parent

    def _set_fuel_aside(self, reserve: Reserve) -> None:
        unit = self.situation.units.get(reserve.unit)
        if unit and unit.at is not None and self.fuel_budget and not self.fuel_budget.can_afford(unit):
            self.unpaid.add(unit.id)


def _stand_still(unit: Unit, found: Walk, stop_reason: StopReason) -> Walk:
    return replace(found, entered=(), possible=found.entered, spent=unit.spent, stop_reason=stop_reason)


# --- execution -------------------------------------------------------------------------------------------------------


def execute(ledger: Ledger[GameData, State], side: SideId, plan: Plan) -> None:
    """R4, R8 Record the results of a side's movement, in the order of its sheet. Units that do not exist leave none."""
    for planned in plan.planned:
        if isinstance(planned, PlannedSplit):
            _split(ledger, side, planned)
        elif planned.walk.stop_reason is not StopReason.ABSENT:
            ledger.emit(_moved(plan.situation, side, planned), rule="R4")
            search(ledger, side, planned.walk.entered)


def _moved(situation: Situation, side: SideId, step: PlannedMove) -> Moved:
    walk = step.walk
    reasons = way_cost(situation.terms, step.start, walk.entered)
    return Moved(
        side, step.route.unit, step.start, walk.entered, walk.spent, walk.stop_reason, walk.before, reasons, walk.met
    )


def _split(ledger: Ledger[GameData, State], side: SideId, split: PlannedSplit) -> None:
    rule = "R8.3" if isinstance(split.order, RejoinAction) else "R8.1"
    fact = _fact(side, split)
    if fact is not None:
        ledger.emit(fact, rule=rule)


def _fact(side: SideId, split: PlannedSplit) -> Fact | None:
    if split.force is None or split.parent is None:
        return None
    if split.refusal_reason is not None:
        return TaskForceDenied(side, split.order.unit, split.refusal_reason)
    if isinstance(split.order, RejoinAction):
        return Rejoined(side, split.parent, split.force.id)
    return Detached(side, split.parent, split.force)
