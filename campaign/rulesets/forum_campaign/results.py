"""R12 Results as the game master enters them: what his lines mean, what is wrong with them, and which of them count.

Lines are judged one by one in their order; only a line that can stand claims its battle or unit, so that a faulty line
never annuls a good one after it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.orders import Checked, Placed, Problem, Severity, Understood
from campaign.rulesets.forum_campaign.facts import Winner
from campaign.rulesets.forum_campaign.orders import Losses, Result, Retreat
from campaign.rulesets.forum_campaign.retreat import retreat_hexes
from campaign.rulesets.forum_campaign.state import Battle, State, Unit
from campaign.rulesets.forum_campaign.theatre import Theatre, enemy_of


@dataclass
class Results:
    """The lines of a result sheet that count, and what is to be said of all its lines."""

    theatre: Theatre
    known: State
    results: dict[PlaceId, Result] = field(default_factory=dict)
    """By the hex fought for, in the order entered."""
    losses: dict[UnitId, int] = field(default_factory=dict)
    retreats: dict[UnitId, PlaceId] = field(default_factory=dict)
    understood: list[Understood] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def battles(self) -> list[Battle]:
        """The battles in the order in which they are settled: as entered, those without a result last, by hex."""
        rank = {place: number for number, place in enumerate(self.results)}
        return sorted(self.known.open.battles, key=lambda battle: (rank.get(battle.at, len(rank)), battle.at))


def read_results(theatre: Theatre, known: State, sheet: Sequence[Placed]) -> Results:
    """Judge a sheet of results. It is the GM's, who knows both sides."""
    read = Results(theatre, known)
    for kind, judge in ((Result, _read_result), (Losses, _read_losses), (Retreat, _read_retreat)):
        for placed in sheet:
            if isinstance(placed.order, kind):
                judge(read, placed)
    read.problems += _left_open(read)
    return read


def check_results(theatre: Theatre, known: State, sheet: Sequence[Placed]) -> Checked:
    """Everything that can be said of a sheet of results, at once."""
    read = read_results(theatre, known, sheet)
    return Checked(
        tuple(sorted(read.understood, key=lambda answer: answer.line)),
        tuple(sorted(read.problems, key=lambda problem: (problem.line == 0, problem.line))),
    )


# --- line by line ----------------------------------------------------------------------------------------------------


def _read_result(read: Results, placed: Placed) -> None:
    result: Result = placed.order
    place = read.theatre.place_name(result.at)
    battle = next((battle for battle in read.known.open.battles if battle.at == result.at), None)
    if battle is None:
        _refuse(read, placed, "no-battle", f"no battle is fought for {place}", "R12.1")
    elif result.at in read.results:
        _refuse(read, placed, "twice", f"the battle of {place} already has a result", "R12.1")
    elif result.advance is not None and result.advance not in {fighter.unit for fighter in battle.attackers}:
        name = _name(read, result.advance)
        _refuse(read, placed, "no-attacker", f"{name} did not attack {place} and cannot move in", "R12.2")
    elif result.advance is not None and result.winner is Winner.DEFENDERS:
        _refuse(read, placed, "no-advance", f"the attackers of {place} did not win; nobody moves in", "R12.2")
    else:
        read.results[result.at] = result
        moves_in = f"; {_name(read, result.advance)} moves in" if result.advance else ""
        _accept(read, placed, f"{place}: the {result.winner.value} won{moves_in}")


def _read_losses(read: Results, placed: Placed) -> None:
    losses: Losses = placed.order
    name = _name(read, losses.unit)
    unit = _in_a_settled_battle(read, placed, losses.unit, "R12.7")
    if unit is None:
        return
    if losses.unit in read.losses:
        _refuse(read, placed, "twice", f"the losses of {name} are already entered", "R12.7")
    elif losses.percent > unit.strength:
        message = f"{name} has {unit.strength} percent left and cannot lose {losses.percent}"
        _refuse(read, placed, "too-many", message, "R12.7")
    else:
        read.losses[losses.unit] = losses.percent
        _accept(read, placed, f"{name} loses {losses.percent} % of {unit.strength} %")


def _read_retreat(read: Results, placed: Placed) -> None:
    retreat: Retreat = placed.order
    name = _name(read, retreat.unit)
    if _in_a_settled_battle(read, placed, retreat.unit, "R12.5") is None:
        return
    battle = _battle_of(read.known, retreat.unit)
    assert battle is not None
    if retreat.unit not in {fighter.unit for fighter in battle.defenders}:
        _refuse(read, placed, "no-battle", f"{name} defends in no battle", "R12.5")
    elif retreat.unit in read.retreats:
        _refuse(read, placed, "twice", f"{name} already has a hex to retreat to", "R12.5")
    elif retreat.to not in read.theatre.open_neighbours(battle.at):
        _refuse(read, placed, "retreat", f"{name} cannot retreat from {battle.at} to {retreat.to}", "R12.5")
    else:
        read.retreats[retreat.unit] = retreat.to
        _accept(read, placed, f"{name} retreats to {read.theatre.place_name(retreat.to)} if it must and can")
        if retreat.to not in retreat_hexes(read.theatre, read.known, battle, retreat.unit):
            message = f"{retreat.to} is not open to {name} as things stand; unless that changes it goes elsewhere"
            read.problems.append(Problem("retreat", Severity.WARNING, placed.line, 1, message, "", "R12.5"))


def _in_a_settled_battle(read: Results, placed: Placed, unit: UnitId, rule: str) -> Unit | None:
    """The unit, if it fights in a battle that has a result; else its line is refused."""
    battle = _battle_of(read.known, unit)
    found = _find(read.known, unit)
    if found is None:
        _refuse(read, placed, "gone", f"{unit} is not there any more", rule)
    elif battle is None:
        _refuse(read, placed, "no-battle", f"{found.label} is in no battle", rule)
    elif battle.at not in read.results:
        message = f"the battle of {read.theatre.place_name(battle.at)} has no result, so nothing comes of it"
        _refuse(read, placed, "no-result", message, rule)
    else:
        return found
    return None


def _refuse(read: Results, placed: Placed, code: str, message: str, rule: str) -> None:
    read.problems.append(Problem(code, Severity.ERROR, placed.line, 1, message, "", rule))


def _accept(read: Results, placed: Placed, text: str) -> None:
    read.understood.append(Understood(placed.line, text))


# --- what is left open -----------------------------------------------------------------------------------------------


def _left_open(read: Results) -> Iterator[Problem]:
    for battle in read.battles():
        if battle.at not in read.results:
            place = read.theatre.place_name(battle.at)
            message = f"no result for the battle of {place}: it counts as a defence without losses"
            hint = f"RESULT {battle.at} attackers, or RESULT {battle.at} defenders"
            yield Problem("no-result", Severity.WARNING, 0, 1, message, hint, "R12.1")
        elif read.results[battle.at].winner is Winner.ATTACKERS:
            yield from _unchosen_retreats(read, battle)


def _unchosen_retreats(read: Results, battle: Battle) -> Iterator[Problem]:
    for fighter in battle.defenders:
        unit = read.known.own[enemy_of(battle.attacker)].units.get(fighter.unit)
        if unit is None or unit.id in read.retreats:
            continue
        legal = retreat_hexes(read.theatre, read.known, battle, unit.id)
        if len(legal) > 1:
            message = f"{unit.label} may retreat to {' or '.join(legal)}; no hex is named, so it goes to {legal[0]}"
            yield Problem("unchosen", Severity.NOTICE, 0, 1, message, f"RETREAT {unit.label} to ...", "R12.5")


# --- the battles of a state ------------------------------------------------------------------------------------------


def _battle_of(known: State, unit: UnitId) -> Battle | None:
    for battle in known.open.battles:
        if any(fighter.unit == unit for fighter in (*battle.attackers, *battle.defenders)):
            return battle
    return None


def _find(known: State, unit: UnitId) -> Unit | None:
    return next((own.units[unit] for own in known.own.values() if unit in own.units), None)


def _name(read: Results, unit: UnitId) -> str:
    found = _find(read.known, unit)
    return found.label if found else unit
