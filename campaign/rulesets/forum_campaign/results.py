"""R12 Results as the game master or a player enters them: what the lines mean, what is wrong, and which of them count.

Lines are judged one by one in their order; only a line that can stand claims its battle or unit, so that a faulty line
never annuls a good one after it. They are judged by what their reader knows: of an enemy's unit a player knows no
strength, so that nothing is said of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from campaign.engine.ids import GM, Audience, PlaceId, SideId, UnitId, audience_of
from campaign.engine.orders import Checked, Order, Placed, Problem, Severity, Understood
from campaign.rulesets.forum_campaign.facts import BattleRuled
from campaign.rulesets.forum_campaign.orders import Losses, Result, Retreat
from campaign.rulesets.forum_campaign.retreat import retreat_hexes
from campaign.rulesets.forum_campaign.state import Battle, Combatant, RuledResult, State, Unit, Winner
from campaign.rulesets.forum_campaign.theatre import Theatre, enemy_of

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
    losses: dict[UnitId, int] = field(default_factory=dict)
    retreats: dict[UnitId, PlaceId] = field(default_factory=dict)
    understood: list[Understood] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def battles(self) -> list[Battle]:
        """The battles in the order in which they are settled: as entered, those without a result last, by hex."""
        rank = {place: number for number, place in enumerate(self.results)}
        asked = [battle for battle in self.known.open.battles if self.only in (None, battle.at)]
        return sorted(asked, key=lambda battle: (rank.get(battle.at, len(rank)), battle.at))


def read_results(theatre: Theatre, known: State, sheet: Sequence[Placed], *, only: PlaceId | None = None) -> Results:
    """Judge a sheet of results, or a report of one battle."""
    read = Results(theatre, known, only)
    for kind, judge in ((Result, _read_result), (Losses, _read_losses), (Retreat, _read_retreat)):
        for placed in sheet:
            if isinstance(placed.order, kind):
                judge(read, placed)
    read.problems += _left_open(read)
    return read


def check_results(theatre: Theatre, known: State, sheet: Sequence[Placed]) -> Checked:
    """Everything that can be said of a sheet of results, at once."""
    return _answer(read_results(theatre, known, sheet))


def check_report(theatre: Theatre, known: State, _who: Audience, battle: str, report: Sequence[Placed]) -> Checked:
    """The same of a report of one battle, judged by what its reader knows."""
    return _answer(read_results(theatre, known, report, only=PlaceId(battle)))


def settled(sheet: Sequence[Placed]) -> frozenset[str]:
    """The battles, by hex, that a sheet gives a result of."""
    return frozenset(placed.order.at for placed in sheet if isinstance(placed.order, Result))


def completed(
    theatre: Theatre, known: State, who: Audience, battle: str, lines: Sequence[Placed]
) -> tuple[tuple[Placed, ...], Checked]:
    """A report with what the other player adds in lines of his own: where his beaten units go, or which one moves in.

    Only what he added is faulted; the report was judged when it came, by who knew what it says.
    """
    whole = [placed for placed in lines if not placed.line]
    problems = []
    for placed in lines[len(whole) :]:
        at = _moves_in(known, who, whole, placed.order)
        if not isinstance(placed.order, Result):
            whole.append(placed)
        elif at is not None:
            whole[at] = placed
        else:
            message = "the result is reported; only who moves in may be added, by its side and if nobody is named yet"
            problems.append(Problem("not-yours", Severity.ERROR, placed.line, 1, message, "", "R12.2"))
    told = shown(known, who, battle, [placed for placed in whole if not placed.line], decided=False)
    checked = check_report(theatre, known, who, battle, [*told, *(placed for placed in whole if placed.line)])
    problems += [each for each in checked.problems if each.line or each.severity is not Severity.ERROR]
    return tuple(whole), Checked(checked.understood, tuple(problems))


def _moves_in(known: State, who: Audience, report: Sequence[Placed], added: Order) -> int | None:
    """Where in a report a RESULT stands that differs from the added one in that no unit moves in, if one of his may."""
    if not isinstance(added, Result) or added.advance not in _units_of(known, who, added.at):
        return None
    bare = Result(added.at, added.winner)
    return next((number for number, placed in enumerate(report) if placed.order == bare), None)


def shown(known: State, who: Audience, battle: str, report: Sequence[Placed], decided: bool) -> tuple[Placed, ...]:  # noqa: FBT001
    """What somebody may read of a report: where a unit retreats to and which moves in is its owner's to know.

    Both players saw the losses of a battle that they fought. What the GM decides tells each side its own.
    """
    if who == GM:
        return tuple(report)
    own = _units_of(known, who, PlaceId(battle))
    lines: list[Placed] = []
    for placed in report:
        match placed.order:
            case Result(at, winner, advance) if advance not in own:
                lines.append(Placed(Result(at, winner), placed.line))
            case Result():
                lines.append(placed)
            case Losses(unit=unit) if unit in own or not decided:
                lines.append(placed)
            case Retreat(unit=unit) if unit in own:
                lines.append(placed)
    return tuple(lines)


def _units_of(known: State, who: Audience, at: PlaceId) -> frozenset[UnitId]:
    """The units of a battle that are of the reader's side."""
    fighters = [(each, battle) for battle in known.open.battles if battle.at == at for each in _fighters(battle)]
    return frozenset(each.unit for each, battle in fighters if audience_of(_side_of(battle, each.unit)) == who)


def orders_of(at: PlaceId, ruled: RuledResult | BattleRuled) -> Iterator[Order]:
    """What the GM has ruled of a battle, as the lines of a sheet would say it."""
    yield Result(at, ruled.winner, ruled.advance)
    yield from (Losses(unit, lost) for unit, lost in ruled.losses.items())
    yield from (Retreat(unit, to) for unit, to in ruled.retreats.items())


def with_ruled(
    sheet: Sequence[Placed], ruled: Mapping[PlaceId, RuledResult], battles: Sequence[Battle]
) -> list[Placed]:
    """A sheet in which the GM's rulings stand for all that it says of their battles, each in its battle's place."""
    units = {fighter.unit for battle in battles if battle.at in ruled for fighter in _fighters(battle)}
    lines: list[Placed] = []
    left = dict(ruled)
    for placed in sheet:
        if isinstance(placed.order, Result) and placed.order.at in ruled:
            lines += _ruled_lines(left, placed.order.at)
        elif not (isinstance(placed.order, Losses | Retreat) and placed.order.unit in units):
            lines.append(placed)
    for at in sorted(left):
        lines += _ruled_lines(left, at)
    return lines


def _ruled_lines(left: dict[PlaceId, RuledResult], at: PlaceId) -> list[Placed]:
    result = left.pop(at, None)
    return [Placed(order, 0) for order in orders_of(at, result)] if result else []


def _answer(read: Results) -> Checked:
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
    elif read.only not in (None, result.at):
        message = f"this report is of another battle than that of {place}"
        _refuse(read, placed, "other-battle", message, "R12.1")
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
            read.problems.append(Problem("too-many", Severity.WARNING, placed.line, 1, message, "", "R12.7"))


def _read_retreat(read: Results, placed: Placed) -> None:
    retreat: Retreat = placed.order
    name = _name(read, retreat.unit)
    battle = _in_a_settled_battle(read, placed, retreat.unit, "R12.5")
    if battle is None:
        return
    if retreat.unit not in {fighter.unit for fighter in battle.defenders}:
        _refuse(read, placed, "no-battle", f"{name} defends in no battle", "R12.5")
    elif enemy_of(battle.attacker) not in read.known.own:
        _refuse(read, placed, "not-yours", f"where {name} retreats to is its owner's choice", "R12.5")
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


def _in_a_settled_battle(read: Results, placed: Placed, unit: UnitId, rule: str) -> Battle | None:
    """The battle that a unit fights in, if it has a result and the unit is still there; else its line is refused."""
    battle = _battle_of(read, unit)
    if _is_gone(read.known, battle, unit):
        _refuse(read, placed, "gone", f"{unit} is not there any more", rule)
    elif battle is None:
        where = "not in this battle" if read.only else "in no battle"
        _refuse(read, placed, "no-battle", f"{_name(read, unit)} is {where}", rule)
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
    own = known.own.get(_side_of(battle, unit))
    return own is not None and unit not in own.units


def _refuse(read: Results, placed: Placed, code: str, message: str, rule: str) -> None:
    read.problems.append(Problem(code, Severity.ERROR, placed.line, 1, message, "", rule))


def _accept(read: Results, placed: Placed, text: str) -> None:
    read.understood.append(Understood(placed.line, text))


# --- what is left open -----------------------------------------------------------------------------------------------


def _left_open(read: Results) -> Iterator[Problem]:
    for battle in read.battles():
        if battle.at not in read.results:
            place = read.theatre.place_name(battle.at)
            without = "say who won" if read.only else "it counts as a defence without losses"
            message = f"no result for the battle of {place}: {without}"
            hint = f"RESULT {battle.at} attackers, or RESULT {battle.at} defenders"
            yield Problem("no-result", Severity.ERROR if read.only else Severity.WARNING, 0, 1, message, hint, "R12.1")
        elif read.results[battle.at].winner is Winner.ATTACKERS:
            yield from _unchosen_retreats(read, battle)


def _unchosen_retreats(read: Results, battle: Battle) -> Iterator[Problem]:
    own = read.known.own.get(enemy_of(battle.attacker))
    for fighter in battle.defenders if own else ():
        unit = _find(read.known, fighter.unit)
        if unit is None or unit.id in read.retreats:
            continue
        legal = retreat_hexes(read.theatre, read.known, battle, unit.id)
        if len(legal) > 1:
            message = f"{unit.label} may retreat to {' or '.join(legal)}; no hex is named, so it goes to {legal[0]}"
            yield Problem("unchosen", Severity.NOTICE, 0, 1, message, f"RETREAT {unit.label} to ...", "R12.5")


# --- the battles of a state ------------------------------------------------------------------------------------------


def _battle_of(read: Results, unit: UnitId) -> Battle | None:
    return next((b for b in read.battles() if any(fighter.unit == unit for fighter in _fighters(b))), None)


def _fighters(battle: Battle) -> tuple[Combatant, ...]:
    return (*battle.attackers, *battle.defenders)


def _side_of(battle: Battle, unit: UnitId) -> SideId:
    attacks = any(fighter.unit == unit for fighter in battle.attackers)
    return battle.attacker if attacks else enemy_of(battle.attacker)


def _find(known: State, unit: UnitId) -> Unit | None:
    return next((own.units[unit] for own in known.own.values() if unit in own.units), None)


def _name(read: Results, unit: UnitId) -> str:
    """A unit's label, as everybody knows it who knows of its battle."""
    found = _find(read.known, unit)
    fighters = (fighter for battle in read.known.open.battles for fighter in _fighters(battle))
    return found.label if found else next((fighter.label for fighter in fighters if fighter.unit == unit), unit)
