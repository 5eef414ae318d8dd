"""The answer to a sheet: what each of its lines will do, as far as its side knows, or what is wrong with it."""

from collections.abc import Callable, Iterator

from campaign.engine.orders.checking import TO_HQ, Refused, check_lines, notice
from campaign.engine.orders.order import Checked, Order, Placed, Problem, Severity, Submission, in_order, verb_of
from campaign.rulesets.area_activation.model.game_data import GameData
from campaign.rulesets.area_activation.model.orders import OF_DECISION, Decision
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.situation import as_known
from campaign.rulesets.area_activation.sheets.day_lines import DayLines
from campaign.rulesets.area_activation.sheets.morning_lines import MorningLines
from campaign.rulesets.area_activation.sheets.reply_lines import ReplyLines

Written = Submission[GameData, State]


def accepted(sheet: Written, check: Callable[[Written], Checked]) -> tuple[Placed, ...]:
    """The lines of a sheet that count: a line with an error is ignored."""
    wrong = {(each.desk, each.line) for each in check(sheet).problems if each.severity is Severity.ERROR}
    return tuple(placed for placed in sheet.lines if (placed.desk, placed.line) not in wrong)


def check_morning(sheet: Written) -> Checked:
    """R37 to R41 The answer to a sheet of the morning."""
    reading = MorningLines(as_known(sheet.game_data, sheet.known, sheet.side), sheet.known)
    checked = check_lines(sheet.lines, reading.meanings())
    return in_order(checked.understood, checked.problems, reading.gauges())


def check_day(sheet: Written) -> Checked:
    """R46 to R49 The answer to a sheet of a day, or of the surprise turns."""
    reading = DayLines(as_known(sheet.game_data, sheet.known, sheet.side), [placed.order for placed in sheet.lines])
    checked = check_lines(sheet.lines, reading.meanings())
    return in_order(checked.understood, (*checked.problems, *_forced(reading)))


def _forced(reading: DayLines) -> Iterator[Problem]:
    """R9 Notices about spaces that act though no line says so."""
    return (notice(TO_HQ, "by-default", text, "R9") for text in reading.by_default())


def check_reply(sheet: Written) -> Checked:
    """R48 The answer to a reply: only lines about what was asked count."""
    question = sheet.known.open.question
    situation = as_known(sheet.game_data, sheet.known, sheet.side)
    if question is None or question.side != sheet.side:
        return Checked()
    fitting = OF_DECISION[question.about]
    answers = [placed.order for placed in sheet.lines if isinstance(placed.order, fitting)]
    plan = sheet.known.own[sheet.side].plan
    reading = ReplyLines(situation, [*answers, *plan], plan)
    meanings = reading.meanings()

    def refuse(order: Order) -> str:
        verbs = list_of([verb_of(kind) for kind in fitting], last="or")
        message = f"you are asked about {question.about.value}, and {verb_of(type(order))} does not answer that"
        raise Refused("other-question", message, "R48", hint=f"Write {verbs}.")

    checked = check_lines(sheet.lines, {kind: meanings[kind] if kind in fitting else refuse for kind in _PLANS})
    of_turn = question.about in (Decision.ACTIVATIONS, Decision.PASSES)
    return in_order(checked.understood, (*checked.problems, *(_forced(reading) if of_turn else ())))


_PLANS = tuple(kind for kinds in OF_DECISION.values() for kind in kinds)
