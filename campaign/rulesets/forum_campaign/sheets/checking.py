"""A side's sheet: what its lines mean, what is wrong with them, and which of them count.

Everything here is checked from the player's state. The truth is not at hand, so no answer can reveal it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.engine.orders.checking import TO_ALL, Refused, meant, notice, refusal
from campaign.engine.orders.order import (
    AllOthersHold,
    Checked,
    Desks,
    Gauge,
    Line,
    Placed,
    Problem,
    Submission,
    Understood,
    merged,
    verb_of,
)
from campaign.engine.state import with_part
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.air.airdrop import check_drops, supplied_so
from campaign.rulesets.forum_campaign.battle.artillery import check_artillery
from campaign.rulesets.forum_campaign.battle.close_air import check_close_support, close_support_left
from campaign.rulesets.forum_campaign.battle.outside import check_ranking, shares
from campaign.rulesets.forum_campaign.day.depots import Demolition, check_demolition
from campaign.rulesets.forum_campaign.model.facts.movement import Following
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, GameData
from campaign.rulesets.forum_campaign.model.orders import Airdrop, Artillery, Attack, Cas, Demolish, Follow, Outside
from campaign.rulesets.forum_campaign.model.signs import ATTACK, MOVE
from campaign.rulesets.forum_campaign.model.situation import Situation, as_known
from campaign.rulesets.forum_campaign.model.state import State, Unit
from campaign.rulesets.forum_campaign.model.words import plural
from campaign.rulesets.forum_campaign.movement.attacks import PlannedAttack, plan_attacks
from campaign.rulesets.forum_campaign.movement.commandos import check_follows
from campaign.rulesets.forum_campaign.movement.plan import (
    Action,
    Plan,
    PlannedMove,
    PlannedSplit,
    RejoinAction,
    Reserve,
    Route,
    plan_moves,
)
from campaign.rulesets.forum_campaign.movement.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.movement.saved_moves import Plot, Ways, check_plots, crowded
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance
from campaign.rulesets.forum_campaign.sheets.problems import (
    arrival_hint,
    attack_problems,
    plot_problems,
    split_problems,
    step_problems,
)
from campaign.rulesets.forum_campaign.sheets.reading import Reading, read_sheet

MovementSheet = Submission[GameData, State]


@dataclass(frozen=True)
class Accepted:
    """The lines that count: legal as far as the side knows."""

    actions: tuple[Action, ...]
    attacks: tuple[Placed, ...]
    demolition: Demolition
    plots: tuple[Route, ...] = ()
    """R4.5 Saved movement, with its paths."""
    escorts: tuple[Following, ...] = ()


@dataclass(frozen=True)
class CheckedSheet:
    """The effect of a sheet, as far as its side knows."""

    reading: Reading
    plan: Plan
    assaults: tuple[PlannedAttack, ...]
    plots: tuple[Plot, ...]
    attacking: frozenset[UnitId]
    """R4.5 Units with only an attacker's points. A unit that attacks on contact may find nobody on its longer way."""


def accepted_lines(sheet: MovementSheet) -> Accepted:
    """The lines of a sheet that are executed. The others have a problem and are ignored."""
    checked = _check(_situation(sheet), sheet.lines)
    plots = tuple(Route(plot.placed.where, plot.unit, plot.path or ()) for plot in checked.plots if plot.stands)
    return Accepted(
        actions=tuple(_standing(checked, plots)),
        attacks=_attacking_lines(checked.assaults),
        demolition=check_demolition(sheet),
        plots=plots,
        escorts=check_follows(_moved(sheet, checked.plan)).accepted,
    )


def check_sheet(sheet: MovementSheet) -> Checked:
    """The answer to a sheet, from what its side knows.

    Desks get notices about their units without orders.
    """
    drops, sheet = _after_drops(sheet)
    situation = _situation(sheet)
    checked = _check(situation, sheet.lines)
    reading, plan, assaults = checked.reading, checked.plan, checked.assaults
    names = {**reading.named, **plan.situation.units}
    understood = [
        *_understood_moves(names, plan),
        *_understood_splits(names, plan),
        *_understood_attacks(plan, assaults),
        *_understood_plots(names, checked.plots),
    ]
    gauges: tuple[Gauge, ...] = ()
    if sheet.side == GERMAN:
        understood.append(_fuel_needed(plan))
        gauges = (Gauge("Fuel", plan.fuel, plan.in_hand),)
    problems = [
        *reading.problems,
        *step_problems(plan, situation, reading.named),
        *split_problems(plan, reading.named),
        *attack_problems(plan.situation, names, assaults),
        *plot_problems(plan, names, checked.plots, crowded(plan, checked.plots)),
        *_notices(plan.situation, reading, sheet.desks),
    ]
    moves = Checked(tuple(understood), tuple(problems), gauges)
    return merged(moves, drops, *_demolition(sheet), *_checked_later(_moved(sheet, plan), assaults))


def _after_drops(sheet: MovementSheet) -> tuple[Checked, MovementSheet]:
    """R3.8 The answer to the sheet's drops, and the sheet with what its side will know after them."""
    if not sheet.has(Airdrop):
        return Checked(), sheet
    lift = check_drops(sheet)
    return lift.checked, supplied_so(sheet, lift)


def _demolition(sheet: MovementSheet) -> Iterator[Checked]:
    """R9.5 The answer to a demolition, which is tried before anyone moves."""
    if sheet.has(Demolish):
        yield check_demolition(sheet).checked


def _moved(sheet: MovementSheet, plan: Plan) -> MovementSheet:
    """A sheet with what its side expects to know when all have moved."""
    return replace(sheet, known=with_part(sheet.known, sheet.side, units=plan.situation.units))


def _checked_later(moved: MovementSheet, assaults: Iterable[PlannedAttack]) -> Iterator[Checked]:
    """The answers to lines that are checked when all have moved; only to kinds that are on the sheet."""
    assaults = tuple(assaults)
    attacking = {assault.unit for assault in assaults if assault.cancel_reason is None}
    if attacking or moved.has(Outside):
        ranked = check_ranking(moved, attacking=attacking)
        yield merged(ranked.checked, Checked(tuple(shares(moved, assaults, ranked.units))))
    if moved.has(Cas) or close_support_left(moved.known, moved.side):
        yield check_close_support(moved, attacking=attacking).checked
    if moved.has(Follow):
        yield check_follows(moved).checked
    if moved.has(Artillery):
        yield check_artillery(moved).checked


def checked_sheet(sheet: MovementSheet) -> CheckedSheet:
    """The effect of a sheet's moves, attacks and saved movement, as far as its side knows."""
    _, sheet = _after_drops(sheet)
    return _check(_situation(sheet), sheet.lines)


def takes_attack(checked: CheckedSheet, attack: Attack) -> bool:
    """R4.4 Whether an attack may follow the lines of a sheet, if it leaves what they do as it is."""
    if attack.unit not in checked.reading.named:
        return False
    return plan_attacks(checked.plan, [*checked.reading.attacks, Placed(attack, 0)])[-1].cancel_reason is None


def accepted_attacks(sheet: MovementSheet) -> tuple[Placed, ...]:
    """2.10 The attacks that count, if they are named in a phase of their own."""
    return _attacking_lines(_assaults(_situation(sheet), sheet.lines))


def check_attacks(sheet: MovementSheet) -> Checked:
    """2.10 The answer to a sheet of attacks, when all have moved, as far as its side knows."""
    situation = _situation(sheet)
    assaults = _assaults(situation, sheet.lines)
    gone = (placed for placed in _attacks_on(sheet.lines) if placed.order.unit not in situation.units)
    problems = [
        *attack_problems(situation, situation.units, assaults),
        *(refusal(each.where, Refused("gone", f"{each.order.unit} no longer exists", "R4")) for each in gone),
    ]
    attacks = Checked(tuple(_understood_attacks(Plan((), situation), assaults)), tuple(problems))
    return merged(attacks, *_checked_later(sheet, assaults))


def _assaults(situation: Situation, sheet: Sequence[Placed]) -> tuple[PlannedAttack, ...]:
    """The attacks of units that still exist."""
    attacks = [placed for placed in _attacks_on(sheet) if placed.order.unit in situation.units]
    return plan_attacks(Plan((), situation), attacks)


def _attacks_on(sheet: Sequence[Placed]) -> list[Placed]:
    return [placed for placed in sheet if isinstance(placed.order, Attack)]


def _attacking_lines(assaults: Iterable[PlannedAttack]) -> tuple[Placed, ...]:
    return tuple(assault.placed for assault in assaults if assault.cancel_reason is None)


# --- checking --------------------------------------------------------------------------------------------------------


def _situation(sheet: MovementSheet) -> Situation:
    return as_known(sheet.game_data, sheet.known, sheet.side)


def _check(situation: Situation, sheet: Sequence[Placed]) -> CheckedSheet:
    """R4.5, R10.7 Fuel for saved movement is reserved in the order of the lines, unless the saved movement is refused.

    That shows only when all have moved, so the sheet is planned again without reservations that were in vain, until
    there are none. Saved movement refused in this way stays refused even if its unit then ends elsewhere: its fuel is
    spent by then.
    """
    reading, ways = read_sheet(situation, sheet), Ways()
    refused: dict[Reserve, Plot] = {}
    while True:
        checked = _plan(situation, reading, refused, ways)
        vain = {
            _reserve(plot): plot for plot in checked.plots if not plot.stands and plot.unit not in checked.plan.unpaid
        }
        if situation.side != GERMAN or vain.keys() <= refused.keys():
            return checked
        refused |= vain


def _plan(situation: Situation, reading: Reading, refused: Mapping[Reserve, Plot], ways: Ways) -> CheckedSheet:
    plan = plan_moves(situation, [action for action in reading.actions if action not in refused])
    assaults = plan_attacks(plan, reading.attacks)
    attacking = frozenset(each.unit for each in assaults if each.cancel_reason is None and _is_bound(plan, each))
    plots = tuple(refused.get(_reserve(plot), plot) for plot in check_plots(plan, reading.thens, attacking, ways))
    return CheckedSheet(reading, plan, assaults, plots, attacking)


def _reserve(plot: Plot) -> Reserve:
    return Reserve(plot.placed.where, plot.unit)


def _is_bound(plan: Plan, assault: PlannedAttack) -> bool:
    unit = plan.situation.units[assault.unit]
    return unit.spent <= attack_allowance(unit)


def _standing(checked: CheckedSheet, plots: Sequence[Route]) -> Iterator[Action]:
    """The lines of movement that count, in the order of the sheet."""
    refused = {_order(planned) for planned in checked.plan.planned if _is_refused(planned)}
    plotted = {Reserve(plot.line, plot.unit) for plot in plots}
    for action in checked.reading.actions:
        if action in plotted if isinstance(action, Reserve) else action not in refused:
            yield action


def _order(planned: PlannedMove | PlannedSplit) -> Action:
    return planned.route if isinstance(planned, PlannedMove) else planned.order


def _is_refused(planned: PlannedMove | PlannedSplit) -> bool:
    return (planned.walk.stop_reason if isinstance(planned, PlannedMove) else planned.refusal_reason) is not None


# --- how lines are read ----------------------------------------------------------------------------------------------


def _understood_moves(units: Mapping[UnitId, Unit], plan: Plan) -> Iterator[Understood]:
    for step in plan.steps:
        if step.walk.stop_reason is None:
            way, walk = "-".join(step.walk.entered), step.walk
            label = units[step.route.unit].label
            yield meant(
                step.route.line,
                f"{label} moves {way}: {walk.spent} of {walk.allowance} points",
                path=_from(step.start, walk.entered),
                arrow=MOVE.key,
            )


def _understood_splits(units: Mapping[UnitId, Unit], plan: Plan) -> Iterator[Understood]:
    for split in plan.splits:
        if split.refusal_reason is None and split.parent and split.force:
            parent, force = units[split.parent].label, split.force
            tanks = f" and {force.tanks} {plural('tank', force.tanks)}" if force.tanks else ""
            created = f"{parent} detaches {force.label}: {force.strength} %{tanks}"
            rejoins = f"{force.label} rejoins {parent}"
            yield meant(split.order.line, rejoins if isinstance(split.order, RejoinAction) else created)


def _understood_attacks(plan: Plan, assaults: Sequence[PlannedAttack]) -> Iterator[Understood]:
    for assault in assaults:
        if assault.cancel_reason is None:
            unit, at = plan.situation.units[assault.unit], assault.at
            target = plan.situation.game_data.place_name(at) if at else "the first enemy that it meets"
            path = _from(unit.at, (at,)) if at else ()
            yield meant(assault.placed.where, f"{unit.label} attacks {target}", path=path, arrow=ATTACK.key)


def _understood_plots(units: Mapping[UnitId, Unit], plots: Sequence[Plot]) -> Iterator[Understood]:
    for plot in plots:
        if plot.stands:
            unit, points = units[plot.unit], f"{plot.walk.spent} of {plot.walk.allowance} points at best"
            text = f"{unit.label} moves {'-'.join(plot.walk.entered)} after the battles: {points}"
            yield meant(plot.placed.where, text, path=_from(unit.at, plot.walk.entered), arrow=MOVE.key)


def _from(start: PlaceId | None, entered: tuple[PlaceId, ...]) -> tuple[PlaceId, ...]:
    """A path as the map draws it. A reinforcement begins in the first hex that it enters."""
    return entered if start is None else (start, *entered)


def _fuel_needed(plan: Plan) -> Understood:
    text = f"Fuel: these moves cost {plan.fuel} of {plan.in_hand} points"
    captured = plan.in_hand - plan.situation.fuel
    text += f"; {captured} of these are from depots that it captures" if captured else ""
    text += f"; the reserve falls to {plan.in_hand - plan.fuel}" if _runs_dry(plan) else ""
    return meant(TO_ALL, text)


def _runs_dry(plan: Plan) -> bool:
    return plan.fuel > plan.in_hand


# --- gaps ------------------------------------------------------------------------------------------------------------


def _notices(situation: Situation, reading: Reading, desks: Desks) -> Iterator[Problem]:
    """R4, R14 Notices about units: to the desk that has the unit, or to HQ."""
    for desk, units in desks.each(situation.units).items():
        idle = [unit for unit in situation.units.values() if unit.id in units and unit.id not in reading.ordered]
        yield from _notices_to(Line(0, desk), situation, idle, others_hold=desk in reading.others_hold)


def _notices_to(desk: Line, situation: Situation, idle: Sequence[Unit], *, others_hold: bool) -> Iterator[Problem]:
    silent = [unit for unit in idle if unit.at is not None and unit.supplied and not unit.scattered]
    if silent and not others_hold:
        hold = "1 unit has no orders and holds" if len(silent) == 1 else f"{len(silent)} units have no orders and hold"
        message = f"{hold}: {', '.join(unit.label for unit in silent)}"
        hint, units = f"To confirm this, write {verb_of(AllOthersHold)}.", tuple(unit.id for unit in silent)
        yield notice(desk, "no-orders", message, "R4", hint=hint, units=units)
    for unit in idle:
        if unit.at is None and entry_hexes(situation, unit):
            message = f"{unit.label} can enter the map today"
            yield notice(desk, "arrival", message, "R14", hint=arrival_hint(situation, unit), units=(unit.id,))
