"""R12 Battles: opened by attacks, fought outside, and what follows from their results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.hexes import distance
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.orders import Checked, Placed, Problem, Severity, Understood
from campaign.rulesets.forum_campaign.facts import (
    Advanced,
    AttackLapsed,
    BattleFought,
    BattleOpened,
    Cause,
    Destroyed,
    Retreated,
    Weakened,
    Winner,
)
from campaign.rulesets.forum_campaign.orders import Losses, Result, Retreat
from campaign.rulesets.forum_campaign.plan import Assault
from campaign.rulesets.forum_campaign.state import Battle, State, Unit, combatant
from campaign.rulesets.forum_campaign.theatre import Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, too_full, zone

SMALL_AT = 50
"""R12.7 Percent of the full establishment at which a unit falls to task force size."""
WIPED_OUT_AT = 20
"""R12.8 Percent at which it is wiped out: a further 30."""
SMALL_WIPED_OUT_AT = 40
"""R12 G6 The same for units that were small from the start, of their own establishment."""


# --- opening ---------------------------------------------------------------------------------------------------------


def open_battles(ledger: Ledger[Theatre, State], side: SideId, assaults: Sequence[Assault]) -> None:
    """R12.2 One battle for each attacked hex: all who attack it against all who stand in it."""
    for assault in assaults:
        if assault.lapse is not None:
            ledger.emit(AttackLapsed(side, assault.unit, assault.at, assault.lapse), rule="R4.4")
    by_hex: dict[PlaceId, list[UnitId]] = {}
    for assault in assaults:
        if assault.lapse is None and assault.at is not None:
            by_hex.setdefault(assault.at, []).append(assault.unit)
    own, enemy = ledger.state.own[side], ledger.state.own[enemy_of(side)]
    for place, attackers in sorted(by_hex.items()):
        battle = Battle(
            at=place,
            attacker=side,
            attackers=tuple(combatant(own.units[unit]) for unit in attackers),
            defenders=tuple(combatant(unit) for unit in enemy.units.values() if unit.at == place),
        )
        ledger.emit(BattleOpened(battle), rule="R12.2")


# --- results as entered ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Report:
    """What was entered of one battle."""

    battle: Battle
    result: Result | None
    losses: Mapping[UnitId, int]
    retreats: Mapping[UnitId, PlaceId]


def check_results(theatre: Theatre, known: State, sheet: Sequence[Placed]) -> Checked:
    """R12 What is wrong with a sheet of battle results. It is the GM's, who knows both sides."""
    problems = [problem for placed in sheet for problem in _line_problems(theatre, known, placed, sheet)]
    named = {placed.order.at for placed in sheet if isinstance(placed.order, Result)}
    for battle in known.open.battles:
        if battle.at not in named:
            message = (
                f"no result for the battle of {theatre.place_name(battle.at)}: it counts as a defence without losses"
            )
            hint = f"RESULT {battle.at} attackers, or RESULT {battle.at} defenders"
            problems.append(Problem("no-result", Severity.WARNING, 0, 1, message, hint, "R12.1"))
    faulty = {problem.line for problem in problems if problem.severity is Severity.ERROR}
    understood = tuple(
        Understood(placed.line, f"{theatre.place_name(placed.order.at)}: the {placed.order.winner.value} won")
        for placed in sheet
        if isinstance(placed.order, Result) and placed.line not in faulty
    )
    return Checked(understood, tuple(problems))


def _line_problems(theatre: Theatre, known: State, placed: Placed, sheet: Sequence[Placed]) -> list[Problem]:
    match placed.order:
        case Result() as result:
            found = _result_problem(known, placed, result, sheet)
        case Losses() as losses:
            found = _losses_problem(known, placed, losses, sheet)
        case Retreat():
            found = _retreat_problem(theatre, known, placed, sheet)
        case _:
            found = None
    if found is None:
        return []
    code, message, rule = found
    return [Problem(code, Severity.ERROR, placed.line, 1, message, "", rule)]


_Fault = tuple[str, str, str] | None
"""Code, message and rule of a problem."""


def _result_problem(known: State, placed: Placed, result: Result, sheet: Sequence[Placed]) -> _Fault:
    battle = _battle_at(known, result.at)
    if battle is None:
        return "no-battle", f"no battle is fought for {result.at}", "R12.1"
    if _is_repeated(placed, sheet, lambda other: isinstance(other, Result) and other.at == result.at):
        return "twice", f"the battle of {result.at} already has a result", "R12.1"
    if result.advance is not None and result.advance not in {fighter.unit for fighter in battle.attackers}:
        return "no-attacker", f"{_label(known, result.advance)} did not attack {result.at} and cannot move in", "R12.2"
    if result.advance is not None and result.winner is Winner.DEFENDERS:
        return "no-advance", f"the attackers of {result.at} did not win; nobody moves in", "R12.2"
    return None


def _losses_problem(known: State, placed: Placed, losses: Losses, sheet: Sequence[Placed]) -> _Fault:
    if _battle_of(known, losses.unit) is None:
        return "no-battle", f"{_label(known, losses.unit)} is in no battle", "R12.7"
    if _is_repeated(placed, sheet, lambda other: isinstance(other, Losses) and other.unit == losses.unit):
        return "twice", f"the losses of {_label(known, losses.unit)} are already entered", "R12.7"
    strength = _find(known, losses.unit).strength
    if losses.percent > strength:
        return (
            "too-many",
            f"{_label(known, losses.unit)} has {strength} percent left and cannot lose {losses.percent}",
            "R12.7",
        )
    return None


def _retreat_problem(theatre: Theatre, known: State, placed: Placed, sheet: Sequence[Placed]) -> _Fault:
    retreat: Retreat = placed.order
    battle = _battle_of(known, retreat.unit)
    if battle is None or retreat.unit not in {fighter.unit for fighter in battle.defenders}:
        return "no-battle", f"{_label(known, retreat.unit)} defends in no battle", "R12.5"
    if _is_repeated(placed, sheet, lambda other: isinstance(other, Retreat) and other.unit == retreat.unit):
        return "twice", f"{_label(known, retreat.unit)} already has a hex to retreat to", "R12.5"
    if retreat.to not in retreat_hexes(theatre, known, battle, retreat.unit):
        return "retreat", f"{_label(known, retreat.unit)} cannot retreat to {retreat.to}", "R12.5"
    return None


def _is_repeated(placed: Placed, sheet: Sequence[Placed], same: Callable[[object], bool]) -> bool:
    return any(same(other.order) for other in sheet if other.line < placed.line)


def _battle_at(known: State, place: PlaceId) -> Battle | None:
    return next((battle for battle in known.open.battles if battle.at == place), None)


def _battle_of(known: State, unit: UnitId) -> Battle | None:
    for battle in known.open.battles:
        if any(fighter.unit == unit for fighter in (*battle.attackers, *battle.defenders)):
            return battle
    return None


def _find(known: State, unit: UnitId) -> Unit:
    return next(own.units[unit] for own in known.own.values() if unit in own.units)


def _label(known: State, unit: UnitId) -> str:
    return _find(known, unit).label


def _reports(theatre: Theatre, state: State, sheet: Sequence[Placed]) -> list[_Report]:
    """The battles, each with what was entered of it; faulty lines do not count.

    They are settled in the order of their RESULT lines, since what is decided first bars retreats and hexes to what
    comes after; those without a result come last, by hex.
    """
    faulty = {problem.line for problem in check_results(theatre, state, sheet).problems if problem.line}
    orders = [placed.order for placed in sheet if placed.line not in faulty]
    results = {order.at: order for order in orders if isinstance(order, Result)}
    losses = {order.unit: order.percent for order in orders if isinstance(order, Losses)}
    retreats = {order.unit: order.to for order in orders if isinstance(order, Retreat)}
    rank = {place: number for number, place in enumerate(results)}
    battles = sorted(state.open.battles, key=lambda battle: (rank.get(battle.at, len(rank)), battle.at))
    return [_Report(battle, results.get(battle.at), losses, retreats) for battle in battles]


# --- what follows ----------------------------------------------------------------------------------------------------


def resolve_battles(ledger: Ledger[Theatre, State], sheet: Sequence[Placed]) -> None:
    """R12 Apply the results: battle by battle losses and the retreat of the beaten; then the victors advance (G3)."""
    reports = _reports(ledger.theatre, ledger.state, sheet)
    for report in reports:
        _settle(ledger, report)
    for report in reports:
        _advance(ledger, report.battle, report.result)


def _settle(ledger: Ledger[Theatre, State], report: _Report) -> None:
    battle, result = report.battle, report.result
    winner = result.winner if result else Winner.DEFENDERS
    ledger.emit(BattleFought(battle.at, battle.attacker, winner, reported=result is not None), rule="R12.1")
    _apply_losses(ledger, report)
    if winner is Winner.ATTACKERS:
        _retreat_all(ledger, report)


def _apply_losses(ledger: Ledger[Theatre, State], report: _Report) -> None:
    """R12.7, R12.8 Headcount lost; at the limits a unit falls to task force size or is wiped out."""
    battle = report.battle
    for side, fighters in ((battle.attacker, battle.attackers), (enemy_of(battle.attacker), battle.defenders)):
        for fighter in fighters:
            lost = report.losses.get(fighter.unit, 0)
            if lost:
                _weaken(ledger, side, ledger.state.own[side].units[fighter.unit], lost)


def _weaken(ledger: Ledger[Theatre, State], side: SideId, unit: Unit, lost: int) -> None:
    strength = unit.strength - lost
    small = unit.small or strength <= SMALL_AT
    ledger.emit(Weakened(side, unit.id, lost, strength, small), rule="R12.7")
    if strength <= (SMALL_WIPED_OUT_AT if unit.small_from_start else WIPED_OUT_AT):
        _destroy(ledger, side, unit, Cause.LOSSES, rule="R12.8")


def _destroy(ledger: Ledger[Theatre, State], side: SideId, unit: Unit, cause: Cause, *, rule: str) -> None:
    assert unit.at is not None
    ledger.emit(Destroyed(side, unit.id, unit.label, unit.at, cause), rule=rule)


def _retreat_all(ledger: Ledger[Theatre, State], report: _Report) -> None:
    """R12.5 Each surviving defender goes to a hex of its owner's choice, or is destroyed for want of one."""
    side = enemy_of(report.battle.attacker)
    for fighter in report.battle.defenders:
        unit = ledger.state.own[side].units.get(fighter.unit)
        if unit is None or unit.at != report.battle.at:
            continue
        legal = retreat_hexes(ledger.theatre, ledger.state, report.battle, unit.id)
        chosen = report.retreats.get(unit.id)
        if not legal:
            _destroy(ledger, side, unit, Cause.NO_RETREAT, rule="R12.5")
        else:
            to = chosen if chosen in legal else legal[0]
            wanted = chosen if chosen != to else None
            ledger.emit(Retreated(side, unit.id, report.battle.at, to, wanted), rule="R12.5")


def retreat_hexes(theatre: Theatre, state: State, battle: Battle, unit: UnitId) -> tuple[PlaceId, ...]:
    """R12.5, G3 The hexes a beaten unit may retreat to, nearest to its own supply edge first.

    Next to the fought hex, empty, and in no enemy zone of control. It may follow a comrade from the same hex if the two
    may stack.
    """
    side = enemy_of(battle.attacker)
    own = state.own[side]
    enemy = occupied_hexes(state.own[battle.attacker])
    barred = enemy | zone(theatre, enemy)
    comrades = {fighter.unit for fighter in battle.defenders}
    legal = [
        place
        for place in theatre.open_neighbours(battle.at)
        if place not in barred and _has_room(own.units, place, own.units[unit], comrades)
    ]
    return tuple(sorted(legal, key=lambda place: (_way_home(theatre, side, place), place)))


def _has_room(units: Mapping[UnitId, Unit], place: PlaceId, unit: Unit, comrades: Iterable[UnitId]) -> bool:
    there = [other for other in units.values() if other.at == place]
    return not there or (all(other.id in set(comrades) for other in there) and not too_full([*there, unit]))


def _way_home(theatre: Theatre, side: SideId, place: PlaceId) -> int:
    return min(distance(place, edge) for edge in theatre.supply_edge[side])


def _advance(ledger: Ledger[Theatre, State], battle: Battle, result: Result | None) -> None:
    """R12.2 One of the victors may move into the hex that is now free. Only a won battle names one."""
    unit = ledger.state.own[battle.attacker].units.get(result.advance) if result and result.advance else None
    if unit is None or unit.at is None or battle.at not in ledger.theatre.open_neighbours(unit.at):
        return
    if battle.at not in occupied_hexes(ledger.state.own[enemy_of(battle.attacker)]):
        ledger.emit(Advanced(battle.attacker, unit.id, unit.at, battle.at), rule="R12.2")
