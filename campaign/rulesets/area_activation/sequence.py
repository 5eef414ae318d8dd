"""R4 to R9, R46: the set-up, the surprise turns and the phases of each day, and how they follow each other."""

import datetime
from collections.abc import Callable

from campaign.engine.facts import Ledger
from campaign.engine.phases import Check, Orders, Phase, Weight, asks, submitted, take_notes
from campaign.engine.values.ids import Audience, PhaseKey, audience_of
from campaign.engine.values.moments import Moment, day_moment
from campaign.rulesets.area_activation.day.evening import evening
from campaign.rulesets.area_activation.day.morning import dawn, resolve_morning
from campaign.rulesets.area_activation.day.questions import lock, take_answer
from campaign.rulesets.area_activation.day.turns import play_turn
from campaign.rulesets.area_activation.model.facts import Turned
from campaign.rulesets.area_activation.model.game_data import GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.area_activation.model.options import Alternation
from campaign.rulesets.area_activation.model.orders import (
    DAY_ORDERS,
    LAST_TURN,
    MORNING_ORDERS,
    REPLY_ORDERS,
    Decision,
)
from campaign.rulesets.area_activation.model.state import SURPRISE_TURNS, Open, Stage, State, Unit, is_surprise
from campaign.rulesets.area_activation.sheets.checking import accepted, check_day, check_morning, check_reply

SETUP, SURPRISE = PhaseKey("setup"), PhaseKey("surprise")
DAWN, MORNING, DAY = PhaseKey("dawn"), PhaseKey("morning"), PhaseKey("day")
TURN, IMPULSE, REPLY, EVENING = PhaseKey("turn"), PhaseKey("impulse"), PhaseKey("reply"), PhaseKey("evening")

PASSES_TO_END = 2
"""R8"""
Resolve = Callable[[Ledger[GameData, State], Orders], None]

_DAY = datetime.timedelta(days=1)
_BOTH = frozenset(map(audience_of, SIDES))


def _by_sheets(open_: Open) -> frozenset[Audience]:
    """R46 Both sides, unless they are asked turn by turn."""
    return _BOTH if open_.options.alternation is Alternation.SHEETS else frozenset()


def _in_the_morning(open_: Open) -> frozenset[Audience]:
    """R5 Both sides, but for the first day."""
    return _BOTH if open_.decides else frozenset()


def _asked(open_: Open) -> frozenset[Audience]:
    return asks(open_.question.side if open_.question else None)


def _counting(check: Check[GameData, State], resolve: Resolve) -> Resolve:
    """A phase's work on the lines that count, with the notes to the GM on record."""

    def work(ledger: Ledger[GameData, State], orders: Orders) -> None:
        sheets = {audience_of(side): submitted(ledger, orders, side) for side in SIDES}
        for sheet in sheets.values():
            take_notes(ledger, sheet)
        resolve(ledger, {who: accepted(sheet, check) for who, sheet in sheets.items() if who in orders})

    return work


def _nothing(_ledger: Ledger[GameData, State], _orders: Orders) -> None:
    """The scenario says where everything is. Players read it here before they give orders."""


PHASES: tuple[Phase[GameData, State], ...] = (
    Phase(key=SETUP, title="Set-up", rule="R1", resolve=_nothing),
    Phase(
        key=SURPRISE,
        title="Surprise turns",
        rule="R4",
        resolve=_counting(check_day, lock),
        acts=_by_sheets,
        orders=DAY_ORDERS,
        check=check_day,
    ),
    Phase(key=DAWN, title="Dawn", rule="R5", resolve=dawn),
    Phase(
        key=MORNING,
        title="Morning",
        rule="R5",
        resolve=_counting(check_morning, resolve_morning),
        acts=_in_the_morning,
        orders=MORNING_ORDERS,
        check=check_morning,
    ),
    Phase(
        key=DAY,
        title="Day",
        rule="R7",
        resolve=_counting(check_day, lock),
        acts=_by_sheets,
        orders=DAY_ORDERS,
        check=check_day,
    ),
    Phase(key=TURN, title="Turn", rule="R7", resolve=play_turn, weight=Weight.IMPULSE),
    Phase(
        key=IMPULSE,
        title="Impulse",
        rule="R46",
        resolve=_counting(check_reply, take_answer),
        acts=_asked,
        orders=REPLY_ORDERS,
        check=check_reply,
        weight=Weight.IMPULSE,
    ),
    Phase(
        key=REPLY,
        title="Reply",
        rule="R48",
        resolve=_counting(check_reply, take_answer),
        acts=_asked,
        orders=REPLY_ORDERS,
        check=check_reply,
        weight=Weight.REPLY,
    ),
    Phase(key=EVENING, title="Evening", rule="R43", resolve=evening),
)


def moment(state: State) -> Moment:
    """The day."""
    return day_moment(state.open.date)


def step(state: State) -> Turned:
    """R4 to R9 The phase that follows, and whose turn it is in it."""
    open_ = state.open
    if open_.question is not None:
        is_turn = open_.question.about is Decision.ACTIVATIONS and open_.options.alternation is Alternation.LIVE
        return _to(open_, IMPULSE if is_turn else REPLY)
    if open_.phase == EVENING:
        return Turned(DAWN, open_.date + _DAY, open_.turn, surprise=0, new_turn=False)
    if open_.phase in _NEXT:
        return _to(open_, _NEXT[open_.phase])
    if open_.phase == SURPRISE:
        return Turned(TURN, open_.date, GERMAN, surprise=1, new_turn=True)
    if open_.phase == DAY:
        return Turned(TURN, open_.date, open_.initiative, surprise=0, new_turn=True)
    return _after_turn(state)


_NEXT = {SETUP: SURPRISE, DAWN: MORNING, MORNING: DAY}


def _to(open_: Open, phase: PhaseKey) -> Turned:
    return Turned(phase, open_.date, open_.turn, surprise=open_.surprise, new_turn=False)


def _after_turn(state: State) -> Turned:
    """R4, R7, R8 Go on with the turn if it is not over; else the next one, or the end of the day."""
    open_ = state.open
    if open_.stage is not Stage.DONE:
        return _to(open_, TURN)
    if is_surprise(open_):
        is_last = open_.surprise == SURPRISE_TURNS
        phase, surprise = (DAWN, 0) if is_last else (TURN, open_.surprise + 1)
        return Turned(phase, open_.date, GERMAN, surprise=surprise, new_turn=not is_last)
    if is_day_over(state):
        return _to(open_, EVENING)
    return Turned(TURN, open_.date, enemy_of(open_.turn), surprise=0, new_turn=True)


def is_day_over(state: State) -> bool:
    """R7, R8 After two passes in a row, the last turn of the second side, or when nobody is left to act."""
    open_ = state.open
    if open_.passes >= PASSES_TO_END or open_.turns.get(enemy_of(open_.initiative), 0) >= LAST_TURN:
        return True
    units = [unit for own in state.own.values() for unit in own.units.values()]
    return not any(_keeps_day_open(open_, unit) for unit in units)


def _keeps_day_open(open_: Open, unit: Unit) -> bool:
    """R8"""
    return not unit.acted and (open_.options.idle_units_count or not unit.stuck)
