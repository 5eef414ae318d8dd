"""The problems of a movement sheet's lines, in words, from what the side knows."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from campaign.engine.orders.checking import Refused, notice, refusal, warning
from campaign.engine.orders.order import Problem
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.modifiers import total
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.air.paratroops import is_paratroop
from campaign.rulesets.forum_campaign.model.facts.battle import CancelReason
from campaign.rulesets.forum_campaign.model.facts.movement import RefusalReason, StopReason
from campaign.rulesets.forum_campaign.model.movement_costs import entry_cost, way_cost
from campaign.rulesets.forum_campaign.model.reasons import CANCEL_REASONS, REFUSAL_REASONS, STOP_REASONS
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.attacks import PlannedAttack
from campaign.rulesets.forum_campaign.movement.plan import Plan, PlannedMove, PlannedSplit, RejoinAction, Route
from campaign.rulesets.forum_campaign.movement.reach import reachable
from campaign.rulesets.forum_campaign.movement.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.movement.saved_moves import Plot
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance

Units = Mapping[UnitId, Unit]


def nowhere(situation: Situation, unit: Unit, unknown: PlaceId | None) -> Refused:
    """Why a line leads nowhere: no path to a place is known, or the unit is already there (None)."""
    if unknown is None:
        return Refused(
            "no-move", f"{unit.label} is already there", "R4", hint=f"Leave the line out, or write HOLD {unit.label}."
        )
    hint = arrival_hint(situation, unit) if unit.at is None else _nearest(situation, unit, unknown)
    name = situation.game_data.place_name(unknown)
    if unknown in situation.enemy:
        message, rule = f"{unit.label} cannot enter {name}; an enemy unit is there", "R5.6"
    else:
        message, rule = f"{unit.label} has no path to {name}", "R4"
    return Refused("no-way", f"{message}, as far as you know", rule, hint=hint)


def _nearest(situation: Situation, unit: Unit, goal: PlaceId) -> str:
    """A hint: the hex nearest to a place that a unit can reach today and has room in, as far as its side knows."""
    distance, costs = situation.game_data.grid.distance, reachable(situation, unit).costs
    free = (at for at in costs if at == unit.at or not too_full([*situation.at(at), unit]))
    nearest = min(free, key=lambda at: (distance(at, goal), costs[at], at), default=unit.at)
    if nearest is None or nearest == unit.at:
        return "It cannot get any nearer today."
    return f"Nearest hex that it can reach: {nearest}. Write: MOVE {unit.label} to {nearest}"


def _as_far_as(verb: str, unit: Unit, path: Sequence[PlaceId]) -> str:
    """A hint: the part of a path that a unit can go, as a line."""
    return f"On this path it can reach {path[-1]}. Write: {verb} {unit.label} {'-'.join(path)}"


# --- movement --------------------------------------------------------------------------------------------------------


def step_problems(plan: Plan, situation: Situation, units: Units) -> Iterator[Problem]:
    """R4 Why moves do not begin. `situation` is the one before all of them."""
    for step in plan.steps:
        if step.walk.stop_reason is not None:
            yield refusal(step.route.line, _why_stopped(situation, units[step.route.unit], step, step.walk.stop_reason))


def _why_stopped(situation: Situation, unit: Unit, step: PlannedMove, stop_reason: StopReason) -> Refused:
    message, rule = _stop_message(situation, unit, step, stop_reason)
    hint = ""
    if stop_reason is StopReason.ENTRY:
        hint = arrival_hint(situation, unit)
    elif step.walk.possible and stop_reason not in (StopReason.FUEL, StopReason.FULL):
        hint = _as_far_as("MOVE", unit, step.walk.possible)
    due = unit.arrives is not None and unit.arrives <= situation.date
    by_knowledge = stop_reason in (StopReason.ENEMY, StopReason.ALLOWANCE, StopReason.FULL) or (
        stop_reason is StopReason.ENTRY and due
    )
    message = message + (", as far as you know" if by_knowledge else "")
    return Refused(stop_reason.value, message, rule, hint=hint)


def _stop_message(situation: Situation, unit: Unit, step: PlannedMove, stop_reason: StopReason) -> tuple[str, str]:
    """The problem of a move, and its rule."""
    reason, last = STOP_REASONS[stop_reason], step.walk.possible[-1] if step.walk.possible else step.start
    if stop_reason is StopReason.ALLOWANCE:
        price, left, rule = _too_dear(situation, step, last)
        return reason.refused.format(unit=unit.label, before=step.walk.before, price=price, left=left), rule
    goal, fuel = step.route.path[-1], situation.fuel
    words = reason.refused.format(unit=unit.label, before=step.walk.before, last=last, goal=goal, fuel=fuel)
    return words, reason.rule


def _too_dear(situation: Situation, step: PlannedMove, last: PlaceId | None) -> tuple[str, str, str]:
    """The cost of the hex that is too dear, what is left for it, and the rule."""
    walk, before = step.walk, step.walk.before
    assert before is not None
    contact = walk.contact or situation.in_seen_zone(before)
    price = entry_cost(situation.terms, last, before)
    parts = ", ".join(f"{part.reason} {part.amount:+d}" for part in price)
    left = max(walk.allowance - walk.spent - total(way_cost(situation.terms, step.start, walk.possible)), 0)
    allowed = f"{left} of {walk.allowance} points left{' in contact' if contact else ''}"
    return f"{total(price)} ({parts})", allowed, "R4.2" if contact else "R4.3"


def stopped_move(label: str, stop_reason: StopReason, hint: str = "") -> Refused:
    """A line that is refused for a reason without figures."""
    reason = STOP_REASONS[stop_reason]
    return Refused(stop_reason.value, reason.refused.format(unit=label), reason.rule, hint=hint)


# --- task forces -----------------------------------------------------------------------------------------------------


def split_problems(plan: Plan, units: Units) -> Iterator[Problem]:
    """R8 Why task forces are not created, or do not rejoin."""
    for split in plan.splits:
        if split.refusal_reason is not None:
            yield refusal(split.order.line, _why_refused(units[split.order.unit], split, split.refusal_reason))


def _why_refused(unit: Unit, split: PlannedSplit, reason: RefusalReason) -> Refused:
    rejoins = isinstance(split.order, RejoinAction)
    message = (
        f"{unit.label} cannot {'rejoin its unit' if rejoins else 'detach a task force'}; {REFUSAL_REASONS[reason]}"
    )
    return Refused(reason.value, message, "R8.3" if rejoins else "R8.1", hint=_HINTS.get(reason, ""))


_HINTS: Mapping[RefusalReason, str] = {
    RefusalReason.SPENT: "Write its MOVE line below this line, or shorten the MOVE line above.",
    RefusalReason.APART: "Move it there in a line above.",
    RefusalReason.ABSENT: "It exists only after its DETACH line.",
    RefusalReason.FULL: "Move one of the units in the hex away.",
}


# --- saved movement --------------------------------------------------------------------------------------------------


def plot_problems(plan: Plan, units: Units, plots: Sequence[Plot], crowded: Collection[PlaceId]) -> Iterator[Problem]:
    """R4.5 Obstacles that no battle can change are errors; those that battles may clear are warnings."""
    for plot in plots:
        unit, line = units[plot.unit], plot.placed.where
        if plot.walk.stop_reason is not None:
            yield refusal(line, _why_not_plotted(plan.situation.cleared(), unit, plot, plot.walk.stop_reason))
        elif not plot.path:
            yield refusal(line, nowhere(plan.situation, unit, plot.placed.order.to if plot.path is None else None))
        elif plot.as_seen.stop_reason is not None:
            message = f"{unit.label} gets no further than {_end(plot)} unless the battles clear {plot.as_seen.before}"
            yield warning(line, plot.as_seen.stop_reason.value, message, "R4.5")
        elif plot.walk.entered[-1] in crowded:
            message = f"{unit.label} finds {plot.walk.entered[-1]} full unless the battles make room"
            yield warning(line, StopReason.FULL.value, message, "R5.5")


def _why_not_plotted(situation: Situation, unit: Unit, plot: Plot, stop_reason: StopReason) -> Refused:
    message, rule = _plot_words(situation, unit, plot, stop_reason)
    entered = plot.walk.entered
    hint = _as_far_as("THEN", unit, entered) if entered else ""
    return Refused(stop_reason.value, message, rule, hint=hint)


def _plot_words(situation: Situation, unit: Unit, plot: Plot, stop_reason: StopReason) -> tuple[str, str]:
    if stop_reason is StopReason.TWICE:
        return f"a line above already orders the saved movement of {unit.label}", "R4.5"
    if stop_reason is StopReason.FUEL:
        return f"{unit.label} cannot save movement; the fuel in hand ({situation.fuel} points) is not enough", "R10.7"
    walk = plot.walk
    begun = walk.spent - total(way_cost(situation.terms, plot.start, walk.entered))
    route = Route(plot.placed.where, plot.unit, plot.path or ())
    planned = PlannedMove(route, plot.start, replace(walk, spent=begun, possible=walk.entered))
    return _stop_message(situation, unit, planned, stop_reason)


def _end(plot: Plot) -> PlaceId | None:
    return plot.as_seen.entered[-1] if plot.as_seen.entered else plot.start


# --- attacks ---------------------------------------------------------------------------------------------------------


def attack_problems(situation: Situation, units: Units, assaults: Sequence[PlannedAttack]) -> Iterator[Problem]:
    """Why there is no attack, and what might come of one."""
    for assault in assaults:
        unit, line = situation.units.get(assault.unit) or units[assault.unit], assault.placed.where
        if assault.cancel_reason is not None:
            yield refusal(line, _why_no_attack(unit, assault, assault.cancel_reason))
        elif assault.placed.order.contact and unit.spent > attack_allowance(unit):
            most = attack_allowance(unit)
            message = f"{unit.label} attacks only if it meets an enemy before it has spent {most} points"
            yield notice(line, "spent", message, "R4.4")
        elif assault.at is not None and assault.at not in situation.seen_enemy:
            message = f"you see no enemy in {assault.at}; if none is there, {unit.label} does not attack"
            yield warning(line, "unseen", message, "R12.2")


def _why_no_attack(unit: Unit, assault: PlannedAttack, cancel_reason: CancelReason) -> Refused:
    reason = CANCEL_REASONS[cancel_reason]
    most = attack_allowance(unit)
    words = reason.refused.format(unit=unit.label, to=assault.at, at=unit.at, spent=unit.spent, most=most)
    return Refused(reason.code, words, reason.rule)


# --- reinforcements --------------------------------------------------------------------------------------------------


def arrival_hint(situation: Situation, unit: Unit) -> str:
    """R14 A hint: where and when a reinforcement comes onto the map."""
    entries = entry_hexes(situation, unit)
    if entries:
        return f"It can enter at {' or '.join(entries)}. Write: MOVE {unit.label} {entries[0]}"
    if is_paratroop(unit):
        return f"It jumps on {unit.arrives:%-d %B} only, in that morning's air sheet."
    if unit.arrives is not None and situation.date < unit.arrives:
        return f"It arrives on {unit.arrives:%-d %B}."
    return "Every hex where it could enter is blocked today."
