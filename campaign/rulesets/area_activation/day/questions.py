"""R46 to R48: what sheets and answers say, and when a side is asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Order, Placed
from campaign.engine.phases import Orders
from campaign.engine.values.ids import PlaceId, SideId, audience_of
from campaign.rulesets.area_activation.day.ground import scout
from campaign.rulesets.area_activation.model.facts import Answered, Asked, Planned, Unanswered, Wished
from campaign.rulesets.area_activation.model.game_data import SIDES, GameData
from campaign.rulesets.area_activation.model.options import Alternation
from campaign.rulesets.area_activation.model.orders import ANSWERS, PLAN_ORDERS, AskMe, Decision, Delegate
from campaign.rulesets.area_activation.model.state import Open, Own, Question, State

L = TypeVar("L", bound=Order)


def lock(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R46 The sheets of a day are locked; R47 what each side wants to be asked is open from now on."""
    for side in SIDES:
        lines = [placed.order for placed in orders.get(audience_of(side), ())]
        plan = tuple(line for line in lines if isinstance(line, PLAN_ORDERS))
        if plan:
            ledger.emit(Planned(side, plan), rule="R46")
        wishes = wished(lines)
        if wishes:
            ledger.emit(Wished(side, wishes), rule="R47")


def wished(lines: Iterable[Order]) -> tuple[Decision, ...]:
    """R47 The decisions that a sheet wants to be asked about: the last line about each counts."""
    wants: dict[Decision, bool] = {}
    for line in lines:
        if isinstance(line, AskMe | Delegate):
            wants[line.about] = isinstance(line, AskMe)
    return tuple(decision for decision in Decision if wants.get(decision))


def must_ask(open_: Open, about: Decision, side: SideId) -> bool:
    """R47, R48 Whether a side is asked about a decision. It depends on what everybody knows, and on nothing else."""
    if about in open_.answered or about in open_.missed.get(side, ()):
        return False
    if open_.options.alternation is Alternation.LIVE:
        return True
    left = sum(open_.asked.values()) < open_.options.questions
    left_for_side = open_.asked.get(side, 0) < open_.options.questions_of_a_side
    return left and left_for_side and wants(open_, about, side)


def wants(open_: Open, about: Decision, side: SideId) -> bool:
    """R46, R47 Whether a side wants to be asked about a decision, as everybody knows."""
    return open_.options.alternation is Alternation.LIVE or about in open_.asks.get(side, ())


def ask(ledger: Ledger[GameData, State], about: Decision, side: SideId, at: PlaceId | None = None) -> None:
    """R48 Put a question to a side, which sees what has happened until now."""
    scout(ledger)
    ledger.emit(Asked(Question(about, side, at)), rule="R48")


def take_answer(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R48 Read an answer; without one the side is not asked the same again today."""
    question = ledger.state.open.question
    assert question is not None
    sheet: Sequence[Placed] | None = orders.get(audience_of(question.side))
    if sheet is None:
        ledger.emit(Unanswered(question.side, question.about), rule="R48")
        return
    lines = tuple(placed.order for placed in sheet if isinstance(placed.order, ANSWERS))
    ledger.emit(Answered(question.side, question.about, lines), rule="R48")


def lines_of(own: Own, kind: type[L]) -> Iterator[L]:
    """R48, R49 A side's lines of a kind in the order in which they count: its last answer before its sheet."""
    return (line for line in (*own.reply, *own.plan) if isinstance(line, kind))
