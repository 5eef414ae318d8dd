"""What is wrong with the lines of a movement sheet, in words. Everything is said from what the side knows."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.modifiers import total
from campaign.engine.orders import Problem, Severity
from campaign.engine.values import replace
from campaign.rulesets.forum_campaign.costs import entry_cost, way_cost
from campaign.rulesets.forum_campaign.facts import Denial, Halt, Lapse
from campaign.rulesets.forum_campaign.movement import attack_allowance
from campaign.rulesets.forum_campaign.paratroops import is_paratroop
from campaign.rulesets.forum_campaign.plan import Assault, Joining, Plan, Route, Split, Step
from campaign.rulesets.forum_campaign.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.saved_moves import Plot
from campaign.rulesets.forum_campaign.situation import Situation
from campaign.rulesets.forum_campaign.state import Unit
from campaign.rulesets.forum_campaign.words import DENIALS

Units = Mapping[UnitId, Unit]


def error(code: str, line: int, message: str, hint: str, rule: str) -> Problem:
    return Problem(code, Severity.ERROR, line, 1, message, hint, rule)


def nowhere(situation: Situation, unit: Unit, line: int, unknown: PlaceId | None) -> Problem:
    """A line that leads nowhere: no way to a place is known, or the unit is there already (None)."""
    if unknown is None:
        return error("no-move", line, f"{unit.label} is there already", "Leave the line out, or write HOLD.", "R4")
    hint = arrival_hint(situation, unit) if unit.at is None else "Write the hexes one by one."
    message = f"{unit.label} knows no way to {situation.theatre.place_name(unknown)}"
    return error("no-way", line, message, hint, "R4")


# --- movement --------------------------------------------------------------------------------------------------------


def halt_problem(situation: Situation, units: Units, step: Step) -> Problem:
    """Why a move is not begun."""
    unit, halt = units[step.route.unit], step.walk.halt
    assert halt is not None
    message, rule = _halt_message(situation, step)
    hint = ""
    if halt is Halt.ENTRY:
        hint = arrival_hint(situation, unit)
    elif step.walk.possible and halt not in (Halt.FUEL, Halt.FULL):
        hint = f"It gets as far as {step.walk.possible[-1]}: MOVE {unit.label} {'-'.join(step.walk.possible)}"
    due = unit.arrives is not None and unit.arrives <= situation.date
    by_knowledge = halt in (Halt.ENEMY, Halt.ALLOWANCE, Halt.FULL) or (halt is Halt.ENTRY and due)
    message = f"{unit.label}: {message}" + (", as far as you know" if by_knowledge else "")
    return error(halt.value, step.route.line, message, hint, rule)


def _halt_message(situation: Situation, step: Step) -> tuple[str, str]:
    """What is wrong with a move, and by which rule."""
    said = _HALTS.get(step.walk.halt) if step.walk.halt else None
    last = step.walk.possible[-1] if step.walk.possible else step.start
    if said is None:
        return _too_dear(situation, step, last)
    words, rule = said
    goal = step.route.path[-1]
    return words.format(before=step.walk.before, last=last, goal=goal, fuel=situation.fuel), rule


def halt_words(halt: Halt) -> tuple[str, str]:
    """What a halt means that needs no figures, and its rule."""
    return _HALTS[halt]


_HALTS: Mapping[Halt, tuple[str, str]] = {
    Halt.GAP: ("{before} does not adjoin {last}", "R4"),
    Halt.CLOSED: ("the hexside between {last} and {before} is closed", "R6.5"),
    Halt.ENEMY: ("{before} holds an enemy", "R5.6"),
    Halt.UNSUPPLIED: ("it is unsupplied and may not move", "R7.4"),
    Halt.FULL: ("{goal} would hold too many units at the end", "R5.5"),
    Halt.FUEL: ("the fuel in hand ({fuel} points) does not suffice for it; it stands still", "R10.7"),
    Halt.TWICE: ("it moves already by a line above", "R4"),
    Halt.SCATTERED: ("it landed scattered and never moves", "R11.8"),
    Halt.STOPPED: ("the enemy zone of control at {last} ends its move", "R5.2"),
    Halt.ENTRY: ("it cannot come onto the map at {before} today", "R14"),
    Halt.ABSENT: ("a task force is there below its DETACH line and above its REJOIN line only", "R8.1"),
    Halt.ASTRAY: ("it is not on the map and saves no movement", "R4.5"),
}


def _too_dear(situation: Situation, step: Step, last: PlaceId | None) -> tuple[str, str]:
    """What the hex that cannot be paid would cost, and what is left for it."""
    walk, before = step.walk, step.walk.before
    assert before is not None
    contact = walk.contact or situation.in_seen_zone(before)
    price = entry_cost(situation.terms, last, before)
    parts = ", ".join(f"{part.reason} {part.amount:+d}" for part in price)
    left = max(walk.allowance - walk.spent - total(way_cost(situation.terms, step.start, walk.possible)), 0)
    allowed = f"{walk.allowance} points{' in contact' if contact else ''}"
    message = f"{before} costs {total(price)} ({parts}), and it has {left} of {allowed} left"
    return message, "R4.2" if contact else "R4.3"


# --- task forces -----------------------------------------------------------------------------------------------------


def split_problem(units: Units, split: Split) -> Problem:
    """R8 Why a task force is not created, or does not rejoin."""
    assert split.denial is not None
    joins = isinstance(split.order, Joining)
    hint = _HINTS.get(split.denial, "")
    message = f"{units[split.order.unit].label}: {DENIALS[split.denial]}"
    return error(split.denial.value, split.order.line, message, hint, "R8.3" if joins else "R8.1")


_HINTS: Mapping[Denial, str] = {
    Denial.SPENT: "Write its MOVE line below this one, or a shorter one above.",
    Denial.APART: "Move it there by a line above.",
    Denial.ABSENT: "It is there below its DETACH line only.",
    Denial.FULL: "Move it, or whoever else is there, on.",
}


# --- saved movement --------------------------------------------------------------------------------------------------


def plot_problems(plan: Plan, units: Units, plots: Sequence[Plot], crowded: Collection[PlaceId]) -> Iterator[Problem]:
    """R4.5 What no battle changes is an error; what the battles may clear is a warning."""
    for plot in plots:
        unit = units[plot.unit]
        if plot.walk.halt is not None:
            yield _plot_error(plan.situation.cleared(), unit, plot)
        elif not plot.path:
            yield nowhere(plan.situation, unit, plot.placed.line, plot.placed.order.to if plot.path is None else None)
        elif plot.as_seen.halt is not None:
            message = f"{unit.label} gets no further than {_end(plot)}, unless the battles clear {plot.as_seen.before}"
            yield _warning(plot.as_seen.halt.value, plot.placed.line, message, "R4.5")
        elif plot.walk.entered[-1] in crowded:
            message = f"{unit.label}: {plot.walk.entered[-1]} will be full, unless the battles make room"
            yield _warning(Halt.FULL.value, plot.placed.line, message, "R5.5")


def _plot_error(situation: Situation, unit: Unit, plot: Plot) -> Problem:
    message, rule = _plot_words(situation, plot)
    entered = plot.walk.entered
    hint = f"It gets as far as {entered[-1]}: THEN {unit.label} {'-'.join(entered)}" if entered else ""
    assert plot.walk.halt is not None
    return error(plot.walk.halt.value, plot.placed.line, f"{unit.label}: {message}", hint, rule)


def _plot_words(situation: Situation, plot: Plot) -> tuple[str, str]:
    if plot.walk.halt is Halt.TWICE:
        return "its saved movement is ordered by a line above", "R4.5"
    if plot.walk.halt is Halt.FUEL:
        return f"the fuel in hand ({situation.fuel} points) does not suffice for its saved movement", "R10.7"
    walk = plot.walk
    begun = walk.spent - total(way_cost(situation.terms, plot.start, walk.entered))
    route = Route(plot.placed.line, plot.unit, plot.path or ())
    return _halt_message(situation, Step(route, plot.start, replace(walk, spent=begun, possible=walk.entered)))


def _end(plot: Plot) -> PlaceId | None:
    return plot.as_seen.entered[-1] if plot.as_seen.entered else plot.start


def _warning(code: str, line: int, message: str, rule: str) -> Problem:
    return Problem(code, Severity.WARNING, line, 1, message, "", rule)


# --- attacks ---------------------------------------------------------------------------------------------------------


def attack_problems(situation: Situation, units: Units, assaults: Sequence[Assault]) -> Iterator[Problem]:
    """Why there is no attack, and what might come of one."""
    for assault in assaults:
        unit, line = situation.units.get(assault.unit) or units[assault.unit], assault.placed.line
        if assault.lapse is not None:
            code, message, rule = _lapse_message(unit, assault)
            yield error(code, line, f"{unit.label}: {message}", "", rule)
        elif assault.placed.order.contact and unit.spent > attack_allowance(unit):
            most = attack_allowance(unit)
            message = f"{unit.label} attacks only if it meets an enemy before it has spent {most} points"
            yield Problem("spent", Severity.NOTICE, line, 1, message, "", "R4.4")
        elif assault.at is not None and assault.at not in situation.seen_enemy:
            message = f"{unit.label}: you see no enemy in {assault.at}; with none there, nothing happens"
            yield _warning("unseen", line, message, "R12.2")


def _lapse_message(unit: Unit, assault: Assault) -> tuple[str, str, str]:
    return {
        Lapse.NOBODY_THERE: ("nobody-there", "no enemy is there", "R12.2"),
        Lapse.NOT_ADJACENT: ("not-adjacent", f"{assault.at} is not next to {unit.at}", "R12.2"),
        Lapse.TOO_FAR: (
            "spent",
            f"it has spent {unit.spent} points, an attacker at most {attack_allowance(unit)}",
            "R4.4",
        ),
        Lapse.UNSUPPLIED: ("unsupplied", "it is unsupplied and may not attack", "R7.4"),
        Lapse.OFF_MAP: ("off-map", "it is not on the map", "R14"),
        Lapse.OWN_UNITS: ("own", f"{assault.at} holds units of yours", "R12.2"),
        Lapse.TWICE: ("twice", "it attacks already by a line above", "R12.2"),
        Lapse.SCATTERED: ("scattered", "it landed scattered and never attacks", "R11.8"),
        Lapse.COMMANDO: ("commando", "commandos do not attack", "R11.1"),
        Lapse.ABSENT: ("absent", "there is no such task force when all have moved", "R8.1"),
    }[assault.lapse or Lapse.NOBODY_THERE]


# --- reinforcements --------------------------------------------------------------------------------------------------


def arrival_hint(situation: Situation, unit: Unit) -> str:
    """R14 Where and when a reinforcement comes onto the map."""
    entries = entry_hexes(situation, unit)
    if entries:
        return f"It may enter at {' or '.join(entries)}: MOVE {unit.label} {entries[0]}"
    if is_paratroop(unit):
        return f"It jumps on {unit.arrives:%-d %B}, by the sheet of that morning, and on no other day."
    if unit.arrives is not None and situation.date < unit.arrives:
        return f"It arrives on {unit.arrives:%-d %B}."
    return "Its way in is barred today; it waits."
