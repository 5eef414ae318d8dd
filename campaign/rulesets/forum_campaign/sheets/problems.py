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
from campaign.rulesets.forum_campaign.model.reasons import DENIALS, HALTS, LAPSES
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.movement.attacks import PlannedAttack
from campaign.rulesets.forum_campaign.movement.plan import Plan, PlannedMove, PlannedSplit, RejoinAction, Route
from campaign.rulesets.forum_campaign.movement.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.movement.saved_moves import Plot
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance

Units = Mapping[UnitId, Unit]


def nowhere(situation: Situation, unit: Unit, unknown: PlaceId | None) -> Refused:
    """A line that leads nowhere: no way to a place is known, or the unit is there already (None)."""
    if unknown is None:
        return Refused("no-move", f"{unit.label} is there already", "R4", hint="Leave the line out, or write HOLD.")
    hint = arrival_hint(situation, unit) if unit.at is None else "Write the hexes one by one."
    message = f"{unit.label} knows no way to {situation.game_data.place_name(unknown)}"
    return Refused("no-way", message, "R4", hint=hint)


# --- movement --------------------------------------------------------------------------------------------------------


def step_problems(plan: Plan, situation: Situation, units: Units) -> Iterator[Problem]:
    """R4 Why moves do not begin. `situation` is the one before all of them."""
    for step in plan.steps:
        if step.walk.halt is not None:
            yield refusal(step.route.line, _why_halted(situation, units[step.route.unit], step, step.walk.halt))


def _why_halted(situation: Situation, unit: Unit, step: PlannedMove, halt: StopReason) -> Refused:
    message, rule = _halt_message(situation, step, halt)
    hint = ""
    if halt is StopReason.ENTRY:
        hint = arrival_hint(situation, unit)
    elif step.walk.possible and halt not in (StopReason.FUEL, StopReason.FULL):
        hint = f"It gets as far as {step.walk.possible[-1]}: MOVE {unit.label} {'-'.join(step.walk.possible)}"
    due = unit.arrives is not None and unit.arrives <= situation.date
    by_knowledge = halt in (StopReason.ENEMY, StopReason.ALLOWANCE, StopReason.FULL) or (
        halt is StopReason.ENTRY and due
    )
    message = f"{unit.label}: {message}" + (", as far as you know" if by_knowledge else "")
    return Refused(halt.value, message, rule, hint=hint)


def _halt_message(situation: Situation, step: PlannedMove, halt: StopReason) -> tuple[str, str]:
    """The problem of a move, and its rule."""
    reason, last = HALTS[halt], step.walk.possible[-1] if step.walk.possible else step.start
    if halt is StopReason.ALLOWANCE:
        price, left, rule = _too_dear(situation, step, last)
        return reason.refused.format(before=step.walk.before, price=price, left=left), rule
    goal = step.route.path[-1]
    return reason.refused.format(before=step.walk.before, last=last, goal=goal, fuel=situation.fuel), reason.rule


def _too_dear(situation: Situation, step: PlannedMove, last: PlaceId | None) -> tuple[str, str, str]:
    """The cost of the hex that is too dear, what is left for it, and the rule."""
    walk, before = step.walk, step.walk.before
    assert before is not None
    contact = walk.contact or situation.in_seen_zone(before)
    price = entry_cost(situation.terms, last, before)
    parts = ", ".join(f"{part.reason} {part.amount:+d}" for part in price)
    left = max(walk.allowance - walk.spent - total(way_cost(situation.terms, step.start, walk.possible)), 0)
    allowed = f"{left} of {walk.allowance} points{' in contact' if contact else ''}"
    return f"{total(price)} ({parts})", allowed, "R4.2" if contact else "R4.3"


def halted(label: str, halt: StopReason, hint: str = "") -> Refused:
    """A line that is refused for a reason without figures."""
    reason = HALTS[halt]
    return Refused(halt.value, f"{label}: {reason.refused}", reason.rule, hint=hint)


# --- task forces -----------------------------------------------------------------------------------------------------


def split_problems(plan: Plan, units: Units) -> Iterator[Problem]:
    """R8 Why task forces are not created, or do not rejoin."""
    for split in plan.splits:
        if split.denial is not None:
            yield refusal(split.order.line, _why_denied(units[split.order.unit], split, split.denial))


def _why_denied(unit: Unit, split: PlannedSplit, denial: RefusalReason) -> Refused:
    rule = "R8.3" if isinstance(split.order, RejoinAction) else "R8.1"
    return Refused(denial.value, f"{unit.label}: {DENIALS[denial]}", rule, hint=_HINTS.get(denial, ""))


_HINTS: Mapping[RefusalReason, str] = {
    RefusalReason.SPENT: "Write its MOVE line below this one, or a shorter one above.",
    RefusalReason.APART: "Move it there by a line above.",
    RefusalReason.ABSENT: "It is there below its DETACH line only.",
    RefusalReason.FULL: "Move it, or whoever else is there, on.",
}


# --- saved movement --------------------------------------------------------------------------------------------------


def plot_problems(plan: Plan, units: Units, plots: Sequence[Plot], crowded: Collection[PlaceId]) -> Iterator[Problem]:
    """R4.5 Obstacles that no battle can change are errors; those that battles may clear are warnings."""
    for plot in plots:
        unit, line = units[plot.unit], plot.placed.where
        if plot.walk.halt is not None:
            yield refusal(line, _why_not_plotted(plan.situation.cleared(), unit, plot, plot.walk.halt))
        elif not plot.path:
            yield refusal(line, nowhere(plan.situation, unit, plot.placed.order.to if plot.path is None else None))
        elif plot.as_seen.halt is not None:
            message = f"{unit.label} gets no further than {_end(plot)}, unless the battles clear {plot.as_seen.before}"
            yield warning(line, plot.as_seen.halt.value, message, "R4.5")
        elif plot.walk.entered[-1] in crowded:
            message = f"{unit.label}: {plot.walk.entered[-1]} will be full, unless the battles make room"
            yield warning(line, StopReason.FULL.value, message, "R5.5")


def _why_not_plotted(situation: Situation, unit: Unit, plot: Plot, halt: StopReason) -> Refused:
    message, rule = _plot_words(situation, plot, halt)
    entered = plot.walk.entered
    hint = f"It gets as far as {entered[-1]}: THEN {unit.label} {'-'.join(entered)}" if entered else ""
    return Refused(halt.value, f"{unit.label}: {message}", rule, hint=hint)


def _plot_words(situation: Situation, plot: Plot, halt: StopReason) -> tuple[str, str]:
    if halt is StopReason.TWICE:
        return "its saved movement is ordered by a line above", "R4.5"
    if halt is StopReason.FUEL:
        return f"the fuel in hand ({situation.fuel} points) does not suffice for its saved movement", "R10.7"
    walk = plot.walk
    begun = walk.spent - total(way_cost(situation.terms, plot.start, walk.entered))
    route = Route(plot.placed.where, plot.unit, plot.path or ())
    return _halt_message(
        situation, PlannedMove(route, plot.start, replace(walk, spent=begun, possible=walk.entered)), halt
    )


def _end(plot: Plot) -> PlaceId | None:
    return plot.as_seen.entered[-1] if plot.as_seen.entered else plot.start


# --- attacks ---------------------------------------------------------------------------------------------------------


def attack_problems(situation: Situation, units: Units, assaults: Sequence[PlannedAttack]) -> Iterator[Problem]:
    """Why there is no attack, and what might come of one."""
    for assault in assaults:
        unit, line = situation.units.get(assault.unit) or units[assault.unit], assault.placed.where
        if assault.lapse is not None:
            yield refusal(line, _why_no_attack(unit, assault, assault.lapse))
        elif assault.placed.order.contact and unit.spent > attack_allowance(unit):
            most = attack_allowance(unit)
            message = f"{unit.label} attacks only if it meets an enemy before it has spent {most} points"
            yield notice(line, "spent", message, "R4.4")
        elif assault.at is not None and assault.at not in situation.seen_enemy:
            message = f"{unit.label}: you see no enemy in {assault.at}; with none there, nothing happens"
            yield warning(line, "unseen", message, "R12.2")


def _why_no_attack(unit: Unit, assault: PlannedAttack, lapse: CancelReason) -> Refused:
    reason = LAPSES[lapse]
    words = reason.refused.format(to=assault.at, at=unit.at, spent=unit.spent, most=attack_allowance(unit))
    return Refused(reason.code, f"{unit.label}: {words}", reason.rule)


# --- reinforcements --------------------------------------------------------------------------------------------------


def arrival_hint(situation: Situation, unit: Unit) -> str:
    """R14 A hint: where and when a reinforcement comes onto the map."""
    entries = entry_hexes(situation, unit)
    if entries:
        return f"It may enter at {' or '.join(entries)}: MOVE {unit.label} {entries[0]}"
    if is_paratroop(unit):
        return f"It jumps on {unit.arrives:%-d %B}, by the sheet of that morning, and on no other day."
    if unit.arrives is not None and situation.date < unit.arrives:
        return f"It arrives on {unit.arrives:%-d %B}."
    return "Its way in is barred today; it waits."
