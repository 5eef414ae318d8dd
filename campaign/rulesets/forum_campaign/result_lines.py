"""R12 The lines of a result sheet or a report, one by one: what each means, what is wrong with it, whether it counts.

Lines are judged in their order; only a line that can stand claims its battle or unit, so that a faulty line never
annuls a good one after it. They are judged by what their reader knows: of an enemy's unit a player knows no strength,
so that nothing is said of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.orders import Placed, Problem, Severity, Understood
from campaign.rulesets.forum_campaign.casualties import medium_tanks
from campaign.rulesets.forum_campaign.facts import Decision
from campaign.rulesets.forum_campaign.orders import Losses, Pursue, Result, Retreat, Tanks, Withdrawal
from campaign.rulesets.forum_campaign.pursuit import fault_of, looks_free
from campaign.rulesets.forum_campaign.resolver import judge_decisions
from campaign.rulesets.forum_campaign.routs import doubts, is_too_far, unchosen
from campaign.rulesets.forum_campaign.state import Advance, Battle, Combatant, State, TankLosses, Unit, Winner
from campaign.rulesets.forum_campaign.theatre import Theatre, enemy_of
from campaign.rulesets.forum_campaign.verdicts import NOT_REPORTED, Verdict
from campaign.rulesets.forum_campaign.words import tanks_in_words

_ALL = 100
"""Percent of a full establishment."""


@dataclass
class Results:
    """The lines of a result sheet that count, and what is to be said of all its lines."""

    theatre: Theatre
    known: State
    only: PlaceId | None = None
    """The hex of the one battle that is reported; None: of all of them."""
    results: dict[PlaceId, Result] = field(default_factory=dict)
    """By the hex fought for, in the order entered."""
    withdrawals: dict[PlaceId, int] = field(default_factory=dict)
    """R12.6 The minute in which the defenders asked for it."""
    losses: dict[UnitId, int] = field(default_factory=dict)
    tanks: dict[UnitId, TankLosses] = field(default_factory=dict)
    retreats: dict[UnitId, PlaceId] = field(default_factory=dict)
    pursuers: dict[UnitId, PlaceId] = field(default_factory=dict)
    left_to_the_rules: tuple[PlaceId, ...] = ()
    """R12.11 By the hex fought for."""
    understood: list[Understood] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def battles(self) -> list[Battle]:
        """The battles in the order in which they are settled: as entered, those without a result last, by hex."""
        rank = {place: number for number, place in enumerate(self.results)}
        asked = [battle for battle in self.known.open.battles if self.only in (None, battle.at)]
        return sorted(asked, key=lambda battle: (rank.get(battle.at, len(rank)), battle.at))

    def verdict(self, battle: Battle) -> Verdict:
        """What came of a battle by these lines."""
        result = self.results.get(battle.at)
        if result is None:
            return NOT_REPORTED
        units = {fighter.unit for fighter in fighters(battle)}
        return Verdict(
            winner=result.winner,
            decision=Decision.WITHDRAWN if battle.at in self.withdrawals else Decision.REPORTED,
            losses=_of(units, self.losses),
            tanks=_of(units, self.tanks),
            retreats=_of(units, self.retreats),
            advance=Advance(result.advance, _of(units, self.pursuers)),
        )


def _of(units: set[UnitId], what: Mapping[UnitId, Any]) -> dict[UnitId, Any]:
    return {unit: value for unit, value in what.items() if unit in units}


def read_results(theatre: Theatre, known: State, sheet: Sequence[Placed], *, only: PlaceId | None = None) -> Results:
    """Judge a sheet of results, or a report of one battle."""
    read = Results(theatre, known, only)
    for kinds in _IN_THIS_ORDER:
        for placed in sheet:
            if isinstance(placed.order, kinds):
                _READERS[type(placed.order)](read, placed)
    _read_decisions(read, sheet)
    read.problems += _left_open(read)
    return read


def _read_decisions(read: Results, sheet: Sequence[Placed]) -> None:
    """R12.11 The battles that are left to the rules have no other result."""
    deciding = judge_decisions(read.theatre, read.known, sheet)
    read.left_to_the_rules = deciding.at
    read.understood += deciding.checked.understood
    read.problems += deciding.checked.problems


# --- who won ---------------------------------------------------------------------------------------------------------


def _read_result(read: Results, placed: Placed) -> None:
    result: Result = placed.order
    place = read.theatre.place_name(result.at)
    battle = _battle_asked_of(read, placed, result.at)
    if battle is None:
        return
    if result.at in read.withdrawals and result.winner is Winner.DEFENDERS:
        message = f"a line above says that the defenders withdrew from {place}: they did not win"
        _refuse(read, placed, "withdrawn", message, "R12.6")
    elif result.at in read.results and read.results[result.at] != _by_withdrawal(read, result.at):
        _refuse(read, placed, "twice", f"the battle of {place} already has a result", "R12.1")
    elif result.advance is not None and result.advance not in {fighter.unit for fighter in battle.attackers}:
        name = name_of(read, result.advance)
        _refuse(read, placed, "no-attacker", f"{name} did not attack {place} and cannot move in", "R12.2")
    elif result.advance is not None and result.winner is Winner.DEFENDERS:
        _refuse(read, placed, "no-advance", f"the attackers of {place} did not win; nobody moves in", "R12.2")
    else:
        read.results[result.at] = result
        moves_in = f"; {name_of(read, result.advance)} moves in" if result.advance else ""
        _accept(read, placed, f"{place}: the {result.winner.value} won{moves_in}")


def _by_withdrawal(read: Results, at: PlaceId) -> Result | None:
    """The result that a withdrawal alone has given."""
    return Result(at, Winner.ATTACKERS) if at in read.withdrawals else None


def _read_withdrawal(read: Results, placed: Placed) -> None:
    """R12.6 The GM has accepted it, or the players agree on it; what is checked is the minute."""
    withdrawal: Withdrawal = placed.order
    place = read.theatre.place_name(withdrawal.at)
    earliest = int(read.known.open.options.withdrawal_minute.value)
    if _battle_asked_of(read, placed, withdrawal.at) is None:
        return
    result = read.results.get(withdrawal.at)
    if withdrawal.at in read.withdrawals:
        _refuse(read, placed, "twice", f"the withdrawal from {place} is already entered", "R12.6")
    elif withdrawal.minute < earliest:
        message = f"nobody may withdraw before minute {earliest}; the battle goes on"
        _refuse(read, placed, "too-early", message, "R12.6")
    elif result is not None and result.winner is Winner.DEFENDERS:
        message = f"a line above says that the defenders of {place} won: they did not withdraw"
        _refuse(read, placed, "withdrawn", message, "R12.6")
    else:
        read.withdrawals[withdrawal.at] = withdrawal.minute
        read.results.setdefault(withdrawal.at, Result(withdrawal.at, Winner.ATTACKERS))
        _accept(read, placed, f"{place}: the defenders withdrew in minute {withdrawal.minute}; the attackers won")


def _battle_asked_of(read: Results, placed: Placed, at: PlaceId) -> Battle | None:
    """The battle that a line speaks of; else the line is refused."""
    battle = next((battle for battle in read.known.open.battles if battle.at == at), None)
    place = read.theatre.place_name(at)
    if battle is None:
        _refuse(read, placed, "no-battle", f"no battle is fought for {place}", "R12.1")
    elif read.only not in (None, at):
        message = f"this report is of another battle than that of {place}"
        _refuse(read, placed, "other-battle", message, "R12.1")
    else:
        return battle
    return None


# --- what it cost ----------------------------------------------------------------------------------------------------


def _read_losses(read: Results, placed: Placed) -> None:
    losses: Losses = placed.order
    name = name_of(read, losses.unit)
    if _in_a_settled_battle(read, placed, losses.unit, "R12.7") is None:
        return
    unit = _find(read.known, losses.unit)
    if losses.unit in read.losses:
        _refuse(read, placed, "twice", f"the losses of {name} are already entered", "R12.7")
    elif not 0 <= losses.percent <= _ALL:
        _refuse(read, placed, "too-many", f"no unit loses {losses.percent} percent of its full establishment", "R12.7")
    elif unit is None:
        read.losses[losses.unit] = losses.percent
        _accept(read, placed, f"{name} loses {losses.percent} %")
    else:
        read.losses[losses.unit] = lost = min(losses.percent, unit.strength)
        _accept(read, placed, f"{name} loses {lost} % of {unit.strength} %")
        if lost < losses.percent:
            message = f"{name} has {unit.strength} percent left and cannot lose {losses.percent}: it loses all it has"
            _warn(read, placed, "too-many", message, "R12.7")


def _read_tanks(read: Results, placed: Placed) -> None:
    tanks: Tanks = placed.order
    name = name_of(read, tanks.unit)
    if _in_a_settled_battle(read, placed, tanks.unit, "R12.9") is None:
        return
    unit = _find(read.known, tanks.unit)
    claimed = TankLosses(tanks.medium, tanks.heavy)
    lost = (
        claimed
        if unit is None
        else TankLosses(min(tanks.medium, medium_tanks(unit)), min(tanks.heavy, unit.heavy_tanks))
    )
    if tanks.unit in read.tanks:
        _refuse(read, placed, "twice", f"the tanks of {name} are already entered", "R12.9")
    elif not (0 <= tanks.medium <= _ALL and 0 <= tanks.heavy <= _ALL):
        _refuse(read, placed, "too-many", "no unit loses that many tanks", "R12.9")
    else:
        read.tanks[tanks.unit] = lost
        _accept(read, placed, f"{name} loses {tanks_in_words(lost)}")
        if lost != claimed:
            message = (
                f"{name} has not that many tanks and cannot lose {tanks_in_words(claimed)}: it loses all on its books"
            )
            _warn(read, placed, "too-many", message, "R12.9")


# --- who goes where --------------------------------------------------------------------------------------------------


def _read_retreat(read: Results, placed: Placed) -> None:
    retreat: Retreat = placed.order
    name = name_of(read, retreat.unit)
    battle = _in_a_settled_battle(read, placed, retreat.unit, "R12.5")
    if battle is None:
        return
    if retreat.unit not in {fighter.unit for fighter in battle.defenders}:
        _refuse(read, placed, "no-battle", f"{name} defends in no battle", "R12.5")
    elif enemy_of(battle.attacker) not in read.known.own:
        _refuse(read, placed, "not-yours", f"where {name} retreats to is its owner's choice", "R12.5")
    elif read.known.open.options.separate_retreats:
        message = f"where {name} retreats to is named at a stop of its own, when the battles are decided"
        _refuse(read, placed, "later", message, "R12.5")
    elif retreat.unit in read.retreats:
        _refuse(read, placed, "twice", f"{name} already has a hex to retreat to", "R12.5")
    elif is_too_far(read.theatre, read.known, battle, retreat.to):
        _refuse(read, placed, "retreat", f"{name} cannot retreat from {battle.at} to {retreat.to}", "R12.5")
    else:
        read.retreats[retreat.unit] = retreat.to
        _accept(read, placed, f"{name} retreats to {read.theatre.place_name(retreat.to)} if it must and can")
        read.problems += doubts(read.theatre, read.known, battle, retreat, placed.line)


def _read_pursuit(read: Results, placed: Placed) -> None:
    pursue: Pursue = placed.order
    battle = _in_a_settled_battle(read, placed, pursue.unit, "R12.3")
    if battle is None:
        return
    name, place = name_of(read, pursue.unit), read.theatre.place_name(pursue.to)
    result = read.results[battle.at]
    fault = fault_of(read.theatre, read.known, battle, result=result, pursue=pursue, pursuers=read.pursuers)
    if fault is not None:
        _refuse(read, placed, fault.code, f"{name} {fault.words}", "R12.3")
        return
    read.pursuers[pursue.unit] = pursue.to
    _accept(read, placed, f"{name} pursues to {place} if it can")
    if not looks_free(read.known, battle, result, pursue, read.pursuers):
        message = f"{place} is not open to {name} as things stand; unless that changes it gets no further than"
        _warn(read, placed, "pursuit", f"{message} {battle.at}", "R12.3")


_READERS: Mapping[type, Callable[[Results, Placed], None]] = {
    Result: _read_result,
    Withdrawal: _read_withdrawal,
    Losses: _read_losses,
    Tanks: _read_tanks,
    Retreat: _read_retreat,
    Pursue: _read_pursuit,
}
_IN_THIS_ORDER = ((Result, Withdrawal), Losses, Tanks, Retreat, Pursue)
"""Who won comes first, whatever the order of the lines."""


# --- what they have in common ----------------------------------------------------------------------------------------


def _in_a_settled_battle(read: Results, placed: Placed, unit: UnitId, rule: str) -> Battle | None:
    """The battle that a unit fights in, if it has a result and the unit is still there; else its line is refused."""
    battle = next((b for b in read.battles() if any(fighter.unit == unit for fighter in fighters(b))), None)
    if _is_gone(read.known, battle, unit):
        _refuse(read, placed, "gone", f"{unit} is not there any more", rule)
    elif battle is None:
        where = "not in this battle" if read.only else "in no battle"
        _refuse(read, placed, "no-battle", f"{name_of(read, unit)} is {where}", rule)
    elif battle.at not in read.results:
        message = f"the battle of {read.theatre.place_name(battle.at)} has no result, so nothing comes of it"
        _refuse(read, placed, "no-result", message, rule)
    else:
        return battle
    return None


def _is_gone(known: State, battle: Battle | None, unit: UnitId) -> bool:
    """Whether a unit is not there any more, for who knows its side's units."""
    if battle is None:
        return len(known.own) > 1 and _find(known, unit) is None
    own = known.own.get(side_of(battle, unit))
    return own is not None and unit not in own.units


def _refuse(read: Results, placed: Placed, code: str, message: str, rule: str) -> None:
    read.problems.append(Problem(code, Severity.ERROR, placed.line, 1, message, "", rule))


def _warn(read: Results, placed: Placed, code: str, message: str, rule: str) -> None:
    read.problems.append(Problem(code, Severity.WARNING, placed.line, 1, message, "", rule))


def _accept(read: Results, placed: Placed, text: str) -> None:
    read.understood.append(Understood(placed.line, text))


def _left_open(read: Results) -> Iterator[Problem]:
    """Battles without a result, and choices that nobody has made."""
    for battle in read.battles():
        if battle.at in read.left_to_the_rules:
            continue
        if battle.at not in read.results:
            place = read.theatre.place_name(battle.at)
            without = "say who won" if read.only else "it counts as a defence without losses"
            message = f"no result for the battle of {place}: {without}"
            hint = f"RESULT {battle.at} attackers, or RESULT {battle.at} defenders"
            yield Problem("no-result", Severity.ERROR if read.only else Severity.WARNING, 0, 1, message, hint, "R12.1")
        elif read.results[battle.at].winner is Winner.ATTACKERS and not read.known.open.options.separate_retreats:
            yield from unchosen(read.theatre, read.known, battle, read.retreats)


# --- the battles of a state ------------------------------------------------------------------------------------------


def fighters(battle: Battle) -> tuple[Combatant, ...]:
    return (*battle.attackers, *battle.defenders)


def side_of(battle: Battle, unit: UnitId) -> SideId:
    attacks = any(fighter.unit == unit for fighter in battle.attackers)
    return battle.attacker if attacks else enemy_of(battle.attacker)


def _find(known: State, unit: UnitId) -> Unit | None:
    return next((own.units[unit] for own in known.own.values() if unit in own.units), None)


def name_of(read: Results, unit: UnitId) -> str:
    """A unit's label, as everybody knows it who knows of its battle."""
    found = _find(read.known, unit)
    known = (fighter for battle in read.known.open.battles for fighter in fighters(battle))
    return found.label if found else next((fighter.label for fighter in known if fighter.unit == unit), unit)
