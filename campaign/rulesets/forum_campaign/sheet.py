"""A side's sheet: what its lines mean, what is wrong with them, and which of them count.

Everything here is judged from the side's slice. The truth is nowhere at hand, so no answer can tell of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.modifiers import total
from campaign.engine.orders import Checked, GapsOf, Placed, Problem, Severity, Understood
from campaign.rulesets.forum_campaign.facts import Halt, Lapse
from campaign.rulesets.forum_campaign.fuel import price
from campaign.rulesets.forum_campaign.movement import attack_allowance, cheapest_path, entry_cost
from campaign.rulesets.forum_campaign.orders import AllOthersHold, Attack, Hold, Move, Note
from campaign.rulesets.forum_campaign.plan import Assault, Plan, Route, Step, plan_attacks, plan_moves
from campaign.rulesets.forum_campaign.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.situation import Situation, as_known
from campaign.rulesets.forum_campaign.state import State, Unit
from campaign.rulesets.forum_campaign.theatre import GERMAN, Theatre


@dataclass
class _Reading:
    """A sheet's lines sorted by what they are."""

    routes: list[Route] = field(default_factory=list)
    attacks: list[Placed] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ordered: set[UnitId] = field(default_factory=set)
    moving: set[UnitId] = field(default_factory=set)
    """Units with a MOVE, be it good or not: one is read for each, so no sheet asks for more searches than units."""
    holding: set[UnitId] = field(default_factory=set)
    others_hold: bool = False
    gaps: GapsOf = field(default_factory=GapsOf)


@dataclass(frozen=True)
class Accepted:
    """The lines that count: legal as far as the side knows."""

    routes: tuple[Route, ...]
    attacks: tuple[Placed, ...]
    notes: tuple[Note, ...]


def accept(theatre: Theatre, known: State, side: SideId, sheet: Sequence[Placed]) -> Accepted:
    """The lines of a sheet that are carried out. The others are marked with a problem and do nothing."""
    reading, plan, assaults = _judge(theatre, known, side, sheet)
    return Accepted(
        routes=tuple(step.route for step in plan.steps if step.walk.halt is None),
        attacks=tuple(assault.placed for assault in assaults if assault.lapse is None),
        notes=tuple(reading.notes),
    )


def check_sheet(theatre: Theatre, known: State, side: SideId, sheet: Sequence[Placed]) -> Checked:
    """Everything that can be said of a sheet from what its side knows, at once."""
    reading, plan, assaults = _judge(theatre, known, side, sheet)
    situation = as_known(theatre, known, side)
    understood = [*_understood_moves(situation, plan), *_understood_attacks(plan, assaults)]
    if side == GERMAN:
        understood.append(_fuel_needed(plan))
    problems = [
        *reading.problems,
        *(_halt_problem(situation, step) for step in plan.steps if step.walk.halt is not None),
        *_attack_problems(plan.situation, assaults),
        *_notices(plan.situation, reading),
    ]
    return Checked(
        tuple(sorted(understood, key=lambda answer: answer.line)),
        tuple(sorted(problems, key=lambda problem: (problem.line == 0, problem.line, problem.column))),
    )


def _judge(
    theatre: Theatre, known: State, side: SideId, sheet: Sequence[Placed]
) -> tuple[_Reading, Plan, tuple[Assault, ...]]:
    situation = as_known(theatre, known, side)
    reading = _read(situation, sheet)
    plan = plan_moves(situation, reading.routes)
    return reading, plan, plan_attacks(plan, reading.attacks)


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(situation: Situation, sheet: Sequence[Placed]) -> _Reading:
    reading = _Reading(gaps=_gaps_asked(sheet))
    for placed in sheet:
        match placed.order:
            case Move() | Hold() | Attack() as order if order.unit not in situation.units:
                reading.problems.append(_error("gone", placed.line, f"{order.unit} is not there any more", "", "R4"))
            case Move() as move:
                _read_move(situation, reading, placed.line, move)
            case Hold() as hold:
                _read_hold(situation, reading, placed.line, hold)
            case Attack() as attack:
                reading.ordered.add(attack.unit)
                reading.attacks.append(placed)
            case AllOthersHold():
                reading.others_hold = True
            case Note() as note:
                reading.notes.append(note)
    return reading


def _gaps_asked(sheet: Sequence[Placed]) -> GapsOf:
    return next((placed.order for placed in sheet if isinstance(placed.order, GapsOf)), GapsOf())


def _read_move(situation: Situation, reading: _Reading, line: int, move: Move) -> None:
    reading.ordered.add(move.unit)
    if move.unit in reading.holding:
        reading.problems.append(_twice(line, f"{situation.units[move.unit].label} holds by a line above"))
    elif move.unit in reading.moving:
        words, rule = _HALTS[Halt.TWICE]
        message = f"{situation.units[move.unit].label}: {words}"
        reading.problems.append(_error(Halt.TWICE.value, line, message, "Keep one of the two lines.", rule))
    else:
        reading.moving.add(move.unit)
        _settle_route(situation, reading, line, move)


def _read_hold(situation: Situation, reading: _Reading, line: int, hold: Hold) -> None:
    reading.ordered.add(hold.unit)
    if any(route.unit == hold.unit for route in reading.routes):
        reading.problems.append(_twice(line, f"{situation.units[hold.unit].label} moves by a line above"))
    elif hold.unit in reading.holding:
        reading.problems.append(_twice(line, f"{situation.units[hold.unit].label} holds by a line above"))
    else:
        reading.holding.add(hold.unit)


def _twice(line: int, message: str) -> Problem:
    return _error("twice", line, message, "Keep one of the two lines.", "R4")


def _settle_route(situation: Situation, reading: _Reading, line: int, move: Move) -> None:
    unit = situation.units[move.unit]
    path = move.path if move.to is None else cheapest_path(situation, unit, move.to)
    if path and path[0] == unit.at:
        path = path[1:]
    if path:
        reading.routes.append(Route(line, move.unit, path))
    elif path is None:
        hint = _arrival_hint(situation, unit) if unit.at is None else "Write the hexes one by one."
        message = f"{unit.label} knows no way to {situation.theatre.place_name(move.to or PlaceId(''))}"
        reading.problems.append(_error("no-way", line, message, hint, "R4"))
    else:
        message = f"{unit.label} is there already"
        reading.problems.append(_error("no-move", line, message, "Leave the line out, or write HOLD.", "R4"))


# --- what was understood ---------------------------------------------------------------------------------------------


def _understood_moves(situation: Situation, plan: Plan) -> Iterator[Understood]:
    for step in plan.steps:
        if step.walk.halt is None:
            unit = situation.units[step.route.unit]
            way = "-".join(step.walk.entered)
            yield Understood(
                step.route.line, f"{unit.label} moves {way}: {step.walk.spent} of {step.walk.allowance} points"
            )


def _understood_attacks(plan: Plan, assaults: Sequence[Assault]) -> Iterator[Understood]:
    for assault in assaults:
        if assault.lapse is None:
            target = plan.situation.theatre.place_name(assault.at) if assault.at else "whatever it runs into"
            yield Understood(assault.placed.line, f"{plan.situation.units[assault.unit].label} attacks {target}")


def _fuel_needed(plan: Plan) -> Understood:
    moved = [unit for unit in plan.situation.units.values() if unit.moved]
    points = total(price(plan.situation.theatre.charts.fuel, moved))
    return Understood(0, f"Fuel: these moves cost {points} of {plan.situation.fuel} points")


# --- problems --------------------------------------------------------------------------------------------------------


def _error(code: str, line: int, message: str, hint: str, rule: str) -> Problem:
    return Problem(code, Severity.ERROR, line, 1, message, hint, rule)


def _halt_problem(situation: Situation, step: Step) -> Problem:
    unit, halt = situation.units[step.route.unit], step.walk.halt
    assert halt is not None
    message, rule = _halt_message(situation, unit, step)
    hint = ""
    if halt is Halt.ENTRY:
        hint = _arrival_hint(situation, unit)
    elif step.walk.possible and halt not in (Halt.FUEL, Halt.FULL):
        hint = f"It gets as far as {step.walk.possible[-1]}: MOVE {unit.label} {'-'.join(step.walk.possible)}"
    due = unit.arrives is not None and unit.arrives <= situation.date
    by_knowledge = halt in (Halt.ENEMY, Halt.ALLOWANCE, Halt.FULL) or (halt is Halt.ENTRY and due)
    message = f"{unit.label}: {message}" + (", as far as you know" if by_knowledge else "")
    return _error(halt.value, step.route.line, message, hint, rule)


def _halt_message(situation: Situation, unit: Unit, step: Step) -> tuple[str, str]:
    """What is wrong with a move, and by which rule."""
    said = _HALTS.get(step.walk.halt) if step.walk.halt else None
    last = step.walk.possible[-1] if step.walk.possible else unit.at
    if said is None:
        return _too_dear(situation, step, last)
    words, rule = said
    goal = step.route.path[-1]
    return words.format(before=step.walk.before, last=last, goal=goal, fuel=situation.fuel), rule


_HALTS: Mapping[Halt, tuple[str, str]] = {
    Halt.GAP: ("{before} does not adjoin {last}", "R4"),
    Halt.CLOSED: ("the hexside between {last} and {before} is closed", "R6.5"),
    Halt.ENEMY: ("{before} holds an enemy", "R5.6"),
    Halt.UNSUPPLIED: ("it is unsupplied and may not move", "R7.4"),
    Halt.FULL: ("{goal} would hold too many units at the end", "R5.5"),
    Halt.FUEL: ("the fuel in hand ({fuel} points) does not suffice for it; it stands still", "R10.4"),
    Halt.TWICE: ("it moves already by a line above", "R4"),
    Halt.SCATTERED: ("it landed scattered and never moves", "R11.8"),
    Halt.STOPPED: ("the enemy zone of control at {last} ends its move", "R5.2"),
    Halt.ENTRY: ("it cannot come onto the map at {before} today", "R14"),
}


def _too_dear(situation: Situation, step: Step, last: PlaceId | None) -> tuple[str, str]:
    """What the hex that cannot be paid would cost, and what is left for it."""
    walk, before = step.walk, step.walk.before
    assert before is not None
    contact = any(place in situation.zone for place in (step.start, *walk.possible, before))
    price = entry_cost(situation, last, before)
    parts = ", ".join(f"{part.reason} {part.amount:+d}" for part in price)
    left = max(walk.allowance - situation.units[step.route.unit].spent - total(walk.reasons), 0)
    allowed = f"{walk.allowance} points{' in contact' if contact else ''}"
    message = f"{before} costs {total(price)} ({parts}), and it has {left} of {allowed} left"
    return message, "R4.2" if contact else "R4.3"


def _attack_problems(situation: Situation, assaults: Sequence[Assault]) -> Iterator[Problem]:
    for assault in assaults:
        unit, line = situation.units[assault.unit], assault.placed.line
        if assault.lapse is not None:
            code, message, rule = _lapse_message(unit, assault)
            yield _error(code, line, f"{unit.label}: {message}", "", rule)
        elif assault.placed.order.contact and unit.spent > attack_allowance(unit):
            most = attack_allowance(unit)
            message = f"{unit.label} attacks only if it meets an enemy before it has spent {most} points"
            yield Problem("spent", Severity.NOTICE, line, 1, message, "", "R4.4")
        elif assault.at is not None and assault.at not in situation.seen_enemy:
            message = f"{unit.label}: you see no enemy in {assault.at}; with none there, nothing happens"
            yield Problem("unseen", Severity.WARNING, line, 1, message, "", "R12.2")


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
    }[assault.lapse or Lapse.NOBODY_THERE]


def _notices(situation: Situation, reading: _Reading) -> Iterator[Problem]:
    asked, elsewhere = reading.gaps.units, reading.gaps.but | reading.ordered
    mine = [unit for unit in situation.units.values() if asked is None or unit.id in asked]
    idle = [unit for unit in mine if unit.id not in elsewhere]
    silent = [unit.label for unit in idle if unit.at is not None and unit.supplied]
    if silent and not reading.others_hold:
        message = f"{len(silent)} units have no orders and hold: {', '.join(silent)}"
        yield Problem("no-orders", Severity.NOTICE, 0, 1, message, "ALL OTHERS HOLD says so.", "R4")
    for unit in idle:
        if unit.at is None and entry_hexes(situation, unit):
            message = f"{unit.label} can come onto the map today"
            yield Problem("arrival", Severity.NOTICE, 0, 1, message, _arrival_hint(situation, unit), "R14")


def _arrival_hint(situation: Situation, unit: Unit) -> str:
    entries = entry_hexes(situation, unit)
    if entries:
        return f"It may enter at {' or '.join(entries)}: MOVE {unit.label} {entries[0]}"
    if unit.arrives is not None and situation.date < unit.arrives:
        return f"It arrives on {unit.arrives:%-d %B}."
    return "Its way in is barred today; it waits."
