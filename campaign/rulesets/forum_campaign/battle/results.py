"""R12 Results as the GM or a player enters them, and the GM's rulings. Their lines are in `result_lines`."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.orders.checking import Refused, refusal
from campaign.engine.orders.order import Checked, Order, Placed, Severity
from campaign.engine.values.ids import GM, Audience, PlaceId, UnitId, audience_of
from campaign.rulesets.forum_campaign.battle.result_lines import fighters, read_results, side_of
from campaign.rulesets.forum_campaign.model.facts.battle import BattleRuled
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.orders import Decide, Losses, Pursue, Result, Retreat, Tanks, Withdrawal
from campaign.rulesets.forum_campaign.model.state import Battle, RuledResult, State, Winner

OF_A_UNIT = Losses | Tanks | Retreat | Pursue
"""Lines about a unit of a battle whose winner is decided elsewhere."""


def check_results(game_data: GameData, known: State, sheet: Sequence[Placed]) -> Checked:
    """The answer to a sheet of results."""
    return read_results(game_data, known, sheet).checked


def check_report(game_data: GameData, known: State, _who: Audience, battle: str, report: Sequence[Placed]) -> Checked:
    """The answer to a report of one battle, by what its reader knows."""
    return read_results(game_data, known, report, only=PlaceId(battle)).checked


def settled(sheet: Sequence[Placed]) -> frozenset[str]:
    """The battles, by hex, for which a sheet gives a result or which it leaves to the rules."""
    return frozenset(placed.order.at for placed in sheet if isinstance(placed.order, Result | Withdrawal | Decide))


# --- a report and its answer -----------------------------------------------------------------------------------------


def completed(
    game_data: GameData, known: State, who: Audience, battle: str, lines: Sequence[Placed]
) -> tuple[tuple[Placed, ...], Checked]:
    """A report, completed by the other player: where their defeated units go, or which of their units moves on.

    Only the added lines can be at fault; the report was checked when it came in, by what its writer knows.
    """
    whole = [placed for placed in lines if not placed.line]
    problems = []
    for placed in lines[len(whole) :]:
        at = _moves_in(known, who, whole, placed.order)
        if not isinstance(placed.order, Result):
            whole.append(placed)
        elif at is not None:
            whole[at : at + 1] = [placed]
        else:
            message = "the result is already reported; you may only add which of your units advances, if none is named"
            problems.append(refusal(placed.where, Refused("not-yours", message, "R12.2")))
    seen = shown(known, who, battle, [placed for placed in whole if not placed.line], decided=False)
    checked = check_report(game_data, known, who, battle, [*seen, *(placed for placed in whole if placed.line)])
    problems += [each for each in checked.problems if each.line or each.severity is not Severity.ERROR]
    return tuple(whole), Checked(checked.understood, tuple(problems))


def _moves_in(known: State, who: Audience, report: Sequence[Placed], added: Order) -> int | None:
    """The place in a report for a RESULT that only adds which of the player's units moves in; None if it adds more.

    It replaces a RESULT that names nobody; it comes last if the report only has a withdrawal.
    """
    if not isinstance(added, Result) or added.advance not in _units_of(known, who, added.at):
        return None
    said = [placed.order for placed in report]
    bare = Result(added.at, added.winner)
    if bare in said:
        return said.index(bare)
    reported = any(isinstance(order, Result) and order.at == added.at for order in said)
    withdrawn = any(isinstance(order, Withdrawal) and order.at == added.at for order in said)
    return len(said) if withdrawn and not reported and added.winner is Winner.ATTACKERS else None


def shown(known: State, who: Audience, battle: str, report: Sequence[Placed], decided: bool) -> tuple[Placed, ...]:  # noqa: FBT001
    """What an audience may read of a report: where a unit retreats to and which moves on, only its owner may know.

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
            case Result() | Withdrawal():
                lines.append(placed)
            case Losses(unit=unit) | Tanks(unit=unit) if unit in own or not decided:
                lines.append(placed)
            case Retreat(unit=unit) | Pursue(unit=unit) if unit in own:
                lines.append(placed)
    return tuple(lines)


def _units_of(known: State, who: Audience, at: PlaceId) -> frozenset[UnitId]:
    """The units of the reader's side in a battle."""
    there = [(each, battle) for battle in known.open.battles if battle.at == at for each in fighters(battle)]
    return frozenset(each.unit for each, battle in there if audience_of(side_of(battle, each.unit)) == who)


# --- the GM's rulings ------------------------------------------------------------------------------------------------


def orders_of(at: PlaceId, ruled: RuledResult | BattleRuled) -> Iterator[Order]:
    """What the GM has ruled of a battle, as lines of a sheet."""
    yield Result(at, ruled.winner, ruled.advance)
    if ruled.minute is not None:
        yield Withdrawal(at, ruled.minute)
    yield from (Losses(unit, lost) for unit, lost in ruled.losses.items())
    yield from (Tanks(unit, medium=lost.medium, heavy=lost.heavy) for unit, lost in ruled.tanks.items())
    yield from (Retreat(unit, to) for unit, to in ruled.retreats.items())
    yield from (Pursue(unit, to) for unit, to in ruled.pursuers.items())


def with_ruled(
    sheet: Sequence[Placed], ruled: Mapping[PlaceId, RuledResult], battles: Sequence[Battle]
) -> list[Placed]:
    """A sheet in which the GM's rulings replace all lines about their battles, each in its battle's place."""
    units = {fighter.unit for battle in battles if battle.at in ruled for fighter in fighters(battle)}
    lines: list[Placed] = []
    left = dict(ruled)
    for placed in sheet:
        if isinstance(placed.order, Result | Withdrawal | Decide) and placed.order.at in ruled:
            lines += _ruled_lines(left, placed.order.at)
        elif not (isinstance(placed.order, OF_A_UNIT) and placed.order.unit in units):
            lines.append(placed)
    for at in sorted(left):
        lines += _ruled_lines(left, at)
    return lines


def _ruled_lines(left: dict[PlaceId, RuledResult], at: PlaceId) -> list[Placed]:
    result = left.pop(at, None)
    return [Placed(order, 0) for order in orders_of(at, result)] if result else []
