"""R12 The lines of a result sheet or a report: what each means, and what is wrong with it.

Lines are checked in their order; only an accepted line claims its battle or unit, so that a faulty line never annuls a
good one after it. They are checked by what their reader knows: a player does not know the strength of an enemy
unit, so the answer does not mention it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from campaign.engine.orders.checking import TO_HQ, Doubt, Meaning, Refused, check_lines, notice, refusal, warning
from campaign.engine.orders.order import Checked, Order, Placed, Problem, merged
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.casualties import medium_tanks
from campaign.rulesets.forum_campaign.battle.outcome import NOT_REPORTED, Outcome
from campaign.rulesets.forum_campaign.battle.outside import fought_outside
from campaign.rulesets.forum_campaign.battle.pursuit import Ordered, looks_free, refuse_pursuit
from campaign.rulesets.forum_campaign.battle.resolver import check_decisions
from campaign.rulesets.forum_campaign.battle.retreats import doubts, require_in_reach, unchosen
from campaign.rulesets.forum_campaign.model.facts.battle import Decision
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Losses, Pursue, Result, Retreat, Tanks, Withdrawal
from campaign.rulesets.forum_campaign.model.state import Advance, Battle, Combatant, State, TankLosses, Unit, Winner
from campaign.rulesets.forum_campaign.model.words import tanks_in_words

_ALL = 100
"""Percent of an establishment."""


@dataclass
class Results:
    """The lines of a result sheet that count, and the answer to all its lines."""

    game_data: GameData
    known: State
    only: PlaceId | None = None
    """The hex of the one battle that is reported. None: all battles."""
    results: dict[PlaceId, Result] = field(default_factory=dict)
    """By the hex of the battle, in the order entered."""
    withdrawals: dict[PlaceId, int] = field(default_factory=dict)
    """R12.6 The minute in which the defenders asked to withdraw."""
    losses: dict[UnitId, int] = field(default_factory=dict)
    tanks: dict[UnitId, TankLosses] = field(default_factory=dict)
    retreats: dict[UnitId, PlaceId] = field(default_factory=dict)
    pursuers: dict[UnitId, PlaceId] = field(default_factory=dict)
    left_to_the_rules: tuple[PlaceId, ...] = ()
    """R12.11 By the hex of the battle."""
    checked: Checked = field(default_factory=Checked)

    def battles(self) -> list[Battle]:
        """The battles in the order of execution: as entered, those without a result last, by hex."""
        rank = {place: number for number, place in enumerate(self.results)}
        asked = [battle for battle in self.known.open.battles if self.only in (None, battle.at)]
        return sorted(asked, key=lambda battle: (rank.get(battle.at, len(rank)), battle.at))

    def outcome(self, battle: Battle) -> Outcome:
        """The outcome of a battle by these lines."""
        result = self.results.get(battle.at)
        if result is None:
            return NOT_REPORTED
        units = {fighter.unit for fighter in fighters(battle)}
        return Outcome(
            winner=result.winner,
            decision=Decision.WITHDRAWN if battle.at in self.withdrawals else Decision.REPORTED,
            losses=_of(units, self.losses),
            tanks=_of(units, self.tanks),
            retreats=_of(units, self.retreats),
            advance=Advance(result.advance, _of(units, self.pursuers)),
        )


def _of(units: set[UnitId], what: Mapping[UnitId, Any]) -> dict[UnitId, Any]:
    return {unit: value for unit, value in what.items() if unit in units}


def read_results(game_data: GameData, known: State, sheet: Sequence[Placed], *, only: PlaceId | None = None) -> Results:
    """Check a sheet of results, or a report of one battle."""
    read = Results(game_data, known, only)
    answers = [check_lines(sheet, {kind: partial(_CHECKS[kind], read) for kind in kinds}) for kinds in _IN_THIS_ORDER]
    deciding = check_decisions(game_data, known, sheet)
    read.left_to_the_rules = deciding.at
    read.checked = merged(*answers, deciding.checked, Checked(problems=tuple(_left_open(read))))
    return read


# --- who won ---------------------------------------------------------------------------------------------------------


def _check_result(read: Results, result: Result) -> str:
    place = read.game_data.place_name(result.at)
    battle = _named_battle(read, result.at)
    if result.at in read.withdrawals and result.winner is Winner.DEFENDERS:
        message = f"a line above says that the defenders withdrew from {place}, so they did not win"
        raise Refused("withdrawn", message, "R12.6")
    if result.at in read.results and read.results[result.at] != _by_withdrawal(read, result.at):
        raise Refused("twice", f"the battle of {place} already has a result", "R12.1")
    if result.advance is not None and result.advance not in {fighter.unit for fighter in battle.attackers}:
        message = f"{name_of(read, result.advance)} did not attack {place}, so it cannot advance"
        raise Refused("no-attacker", message, "R12.2")
    if result.advance is not None and result.winner is Winner.DEFENDERS:
        raise Refused("no-advance", f"the attackers of {place} did not win, so nobody advances", "R12.2")
    read.results[result.at] = result
    advance = f"; {name_of(read, result.advance)} advances" if result.advance else ""
    return f"{place}: the {result.winner.value} won{advance}"


def _by_withdrawal(read: Results, at: PlaceId) -> Result | None:
    """The result that follows from a withdrawal alone."""
    return Result(at, Winner.ATTACKERS) if at in read.withdrawals else None


def _check_withdrawal(read: Results, withdrawal: Withdrawal) -> str:
    """R12.6 The GM has accepted the withdrawal, or the players agree on it; only the minute is checked."""
    place = read.game_data.place_name(withdrawal.at)
    earliest = int(read.known.open.options.withdrawal_minute.value)
    _named_battle(read, withdrawal.at)
    result = read.results.get(withdrawal.at)
    if withdrawal.at in read.withdrawals:
        raise Refused("twice", f"the withdrawal from {place} is already entered", "R12.6")
    if withdrawal.minute < earliest:
        raise Refused("too-early", f"nobody may withdraw before minute {earliest}; the battle continues", "R12.6")
    if result is not None and result.winner is Winner.DEFENDERS:
        message = f"a line above says that the defenders of {place} won, so they did not withdraw"
        raise Refused("withdrawn", message, "R12.6")
    read.withdrawals[withdrawal.at] = withdrawal.minute
    read.results.setdefault(withdrawal.at, Result(withdrawal.at, Winner.ATTACKERS))
    return f"{place}: the defenders withdrew in minute {withdrawal.minute}; the attackers won"


def _named_battle(read: Results, at: PlaceId) -> Battle:
    """The battle that a line names; raises Refused."""
    battle = next((battle for battle in read.known.open.battles if battle.at == at), None)
    place = read.game_data.place_name(at)
    if battle is None:
        raise Refused("no-battle", f"there is no battle at {place}", "R12.1")
    if read.only not in (None, at):
        raise Refused("other-battle", f"this is the report of another battle, not of {place}", "R12.1")
    return battle


# --- what it cost ----------------------------------------------------------------------------------------------------


def _check_losses(read: Results, losses: Losses) -> str | Meaning:
    name = name_of(read, losses.unit)
    _decided_battle_of(read, losses.unit, "R12.7")
    unit = _find(read.known, losses.unit)
    if losses.unit in read.losses:
        raise Refused("twice", f"the losses of {name} are already entered", "R12.7")
    if not 0 <= losses.percent <= _ALL:
        message = f"losses are 0 to 100 percent of the establishment, not {losses.percent}"
        raise Refused("too-many", message, "R12.7")
    if unit is None:
        read.losses[losses.unit] = losses.percent
        return f"{name} loses {losses.percent} %"
    read.losses[losses.unit] = lost = min(losses.percent, unit.strength)
    text = f"{name} loses {lost} %, has {unit.strength - lost} % left"
    if lost == losses.percent:
        return text
    message = f"{name} has only {unit.strength} % left, so it cannot lose {losses.percent} %: it loses all"
    return Meaning(text, (Doubt("too-many", message, "R12.7"),))


def _check_tanks(read: Results, tanks: Tanks) -> str | Meaning:
    name = name_of(read, tanks.unit)
    _decided_battle_of(read, tanks.unit, "R12.9")
    if tanks.unit in read.tanks:
        raise Refused("twice", f"the tanks of {name} are already entered", "R12.9")
    if not (0 <= tanks.medium <= _ALL and 0 <= tanks.heavy <= _ALL):
        raise Refused("too-many", f"tank losses are 0 to {_ALL} of each kind", "R12.9")
    unit, claimed = _find(read.known, tanks.unit), TankLosses(tanks.medium, tanks.heavy)
    lost = claimed if unit is None else _at_most(unit, claimed)
    read.tanks[tanks.unit] = lost
    text = f"{name} loses {tanks_in_words(lost)}"
    if lost == claimed:
        return text
    message = f"{name} does not have {tanks_in_words(claimed)}: it loses all that it has"
    return Meaning(text, (Doubt("too-many", message, "R12.9"),))


def _at_most(unit: Unit, claimed: TankLosses) -> TankLosses:
    return TankLosses(min(claimed.medium, medium_tanks(unit)), min(claimed.heavy, unit.heavy_tanks))


# --- who goes where --------------------------------------------------------------------------------------------------


def _check_retreat(read: Results, retreat: Retreat) -> Meaning:
    name = name_of(read, retreat.unit)
    battle = _decided_battle_of(read, retreat.unit, "R12.5")
    if retreat.unit not in {fighter.unit for fighter in battle.defenders}:
        raise Refused("no-battle", f"{name} defends in no battle", "R12.5")
    if enemy_of(battle.attacker) not in read.known.own:
        raise Refused("not-yours", f"the owner of {name} chooses where it retreats", "R12.5")
    if read.known.open.options.separate_retreats:
        message = "retreat hexes are chosen in a phase of their own, when the battles are decided"
        raise Refused("later", message, "R12.5")
    if retreat.unit in read.retreats:
        raise Refused("twice", f"{name} already has a retreat hex", "R12.5")
    require_in_reach(read.game_data, read.known, battle, name, retreat.to)
    read.retreats[retreat.unit] = retreat.to
    text = f"{name} retreats to {read.game_data.place_name(retreat.to)} if it must and if it can"
    return Meaning(text, doubts(read.game_data, read.known, battle, retreat))


def _check_pursuit(read: Results, pursue: Pursue) -> str | Meaning:
    battle = _decided_battle_of(read, pursue.unit, "R12.3")
    name, place = name_of(read, pursue.unit), read.game_data.place_name(pursue.to)
    result = read.results[battle.at]
    refuse_pursuit(read.game_data, read.known, Ordered(battle, result, pursue, read.pursuers, name))
    read.pursuers[pursue.unit] = pursue.to
    text = f"{name} pursues to {place} if it can"
    if looks_free(read.known, battle, result, pursue, read.pursuers):
        return text
    message = f"{name} cannot enter {place} at present; unless that changes it goes no further than {battle.at}"
    return Meaning(text, (Doubt("pursuit", message, "R12.3"),))


_CHECKS: Mapping[type[Order], Callable[[Results, Any], str | Meaning]] = {
    Result: _check_result,
    Withdrawal: _check_withdrawal,
    Losses: _check_losses,
    Tanks: _check_tanks,
    Retreat: _check_retreat,
    Pursue: _check_pursuit,
}
_IN_THIS_ORDER: tuple[tuple[type[Order], ...], ...] = ((Result, Withdrawal), (Losses,), (Tanks,), (Retreat,), (Pursue,))
"""The kinds of lines in the order in which they are checked: who won comes first."""


# --- what they have in common ----------------------------------------------------------------------------------------


def _decided_battle_of(read: Results, unit: UnitId, rule: str) -> Battle:
    """The battle of a unit, if it has a result and the unit still exists; raises Refused."""
    battle = next((b for b in read.battles() if any(fighter.unit == unit for fighter in fighters(b))), None)
    if battle is None and len(read.known.own) > 1 and _find(read.known, unit) is None:
        raise Refused("gone", f"{unit} no longer exists", rule)
    if battle is not None and is_gone(read.known, battle, unit):
        raise Refused("gone", f"{unit} no longer exists", rule)
    if battle is None:
        where = "not in this battle" if read.only else "in no battle"
        raise Refused("no-battle", f"{name_of(read, unit)} is {where}", rule)
    if battle.at not in read.results:
        message = f"the battle of {read.game_data.place_name(battle.at)} has no result, so this line has no effect"
        raise Refused("no-result", message, rule)
    return battle


def _left_open(read: Results) -> Iterator[Problem]:
    """Notices about battles without a result, and about choices that nobody has made."""
    for battle in read.battles():
        if battle.at in read.left_to_the_rules:
            continue
        if battle.at not in read.results and battle not in fought_outside(read.known.open):
            yield _left_to_the_resolver(read, battle)
        elif battle.at not in read.results:
            yield _without_result(read, battle)
        elif read.results[battle.at].winner is Winner.ATTACKERS and not read.known.open.options.separate_retreats:
            yield from unchosen(read.game_data, read.known, battle, read.retreats)


def _left_to_the_resolver(read: Results, battle: Battle) -> Problem:
    message = f"the resolver decides the battle of {read.game_data.place_name(battle.at)}"
    hint = f"A RESULT {battle.at} line takes precedence."
    return notice(TO_HQ, "resolver", message, "R12.11", hint=hint)


def _without_result(read: Results, battle: Battle) -> Problem:
    without = "write who won" if read.only else "without one, the defenders hold and nobody has losses"
    message = f"no result for the battle of {read.game_data.place_name(battle.at)}: {without}"
    hint = f"RESULT {battle.at} attackers, or RESULT {battle.at} defenders"
    if read.only:
        return refusal(TO_HQ, Refused("no-result", message, "R12.1", hint=hint))
    return warning(TO_HQ, "no-result", message, "R12.1", hint=hint)


# --- the battles of a state ------------------------------------------------------------------------------------------


def fighters(battle: Battle) -> tuple[Combatant, ...]:
    return (*battle.attackers, *battle.defenders)


def is_gone(known: State, battle: Battle, unit: UnitId) -> bool:
    """Whether a unit of a battle no longer exists, if the reader knows its side's units."""
    own = known.own.get(side_of(battle, unit))
    return own is not None and unit not in own.units


def side_of(battle: Battle, unit: UnitId) -> SideId:
    attacks = any(fighter.unit == unit for fighter in battle.attackers)
    return battle.attacker if attacks else enemy_of(battle.attacker)


def _find(known: State, unit: UnitId) -> Unit | None:
    return next((own.units[unit] for own in known.own.values() if unit in own.units), None)


def name_of(read: Results, unit: UnitId) -> str:
    """A unit's label, as known to everyone who knows of its battle."""
    found = _find(read.known, unit)
    known = (fighter for battle in read.known.open.battles for fighter in fighters(battle))
    return found.label if found else next((fighter.label for fighter in known if fighter.unit == unit), unit)
