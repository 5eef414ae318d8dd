"""R1 The sequence of play: a loop of turns in a loop of days, both by `step`."""

import datetime
from functools import partial

from campaign.engine.facts import Ledger
from campaign.engine.phases import Orders, Phase, Weight, asks, submitted, take_notes
from campaign.engine.values.ids import PUBLIC, Audience, PhaseKey, SideId
from campaign.engine.values.moments import Moment, day_moment
from tests.toy.combat import answer, attack, decide
from tests.toy.model.facts import Acted, Moved, Opened, Passed, Rested, Turned
from tests.toy.model.game_data import NORTH, SOUTH, GameData, enemy_of
from tests.toy.model.orders import ANSWER_ORDERS, TURN_ORDERS, Attack, Move
from tests.toy.model.state import Open, State
from tests.toy.rules.cards import draw, shuffle
from tests.toy.rules.movement import walk
from tests.toy.rules.sighting import scout
from tests.toy.rules.situation import as_true
from tests.toy.rules.standing import answers
from tests.toy.rules.victory import end, take_objectives
from tests.toy.sheets.sheet import check, chosen

PASSES_TO_END = 2
"""R1.4"""
_DAY = datetime.timedelta(days=1)


def _shuffle(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    shuffle(ledger)


def _dawn(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    """R1.2 Rest, cards, and the side with the first turn."""
    ledger.emit(Rested(), rule="R1.2")
    draw(ledger)
    label = f"first/{ledger.state.open.date}"
    (die,) = ledger.roll(label, sides=6, audience=PUBLIC, purpose="the first turn", rule="R1.2")
    ledger.emit(Opened(NORTH if die <= 3 else SOUTH), rule="R1.2")
    scout(ledger)


def _turn(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R1.3 Execute one order; R1.4 without one the side passes."""
    side = ledger.state.open.turn
    sheet = submitted(ledger, orders, side)
    take_notes(ledger, sheet)
    order = chosen(sheet, TURN_ORDERS)
    if not isinstance(order, Move | Attack):
        ledger.emit(Passed(side), rule="R1.4")
        return
    ledger.emit(Acted(side), rule="R1.3")
    if isinstance(order, Attack):
        attack(ledger, side, order)
    else:
        _move(ledger, side, order)
    scout(ledger)


def _move(ledger: Ledger[GameData, State], side: SideId, order: Move) -> None:
    """R3.2 Move as far as the truth allows."""
    situation = as_true(ledger.game_data, ledger.state, side)
    start = situation.forces[order.force].at
    way = walk(situation, start, order.path)
    ledger.emit(Moved(side, order.force, start, way.entered, way.before), rule="R3")


def _decide(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    decide(ledger)
    scout(ledger)


def _dusk(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    take_objectives(ledger)
    if ledger.state.open.date >= ledger.game_data.last_day or not all(own.forces for own in ledger.state.own.values()):
        end(ledger)


def _attacked(open_: Open) -> frozenset[Audience]:
    """R5.2 The attacked side, while there is an attack to answer."""
    return asks(enemy_of(open_.attack.attacker) if open_.attack else None)


SHUFFLE, DAWN, TURN = PhaseKey("shuffle"), PhaseKey("dawn"), PhaseKey("turn")
ANSWER, COMBAT, DUSK = PhaseKey("answer"), PhaseKey("combat"), PhaseKey("dusk")

PHASES: tuple[Phase[GameData, State], ...] = (
    Phase(key=SHUFFLE, title="Shuffle", rule="R4.1", resolve=_shuffle),
    Phase(key=DAWN, title="Dawn", rule="R1.2", resolve=_dawn),
    Phase(
        key=TURN,
        title="Turn",
        rule="R1.3",
        resolve=_turn,
        acts=lambda open_: asks(open_.turn),
        orders=TURN_ORDERS,
        check=partial(check, kinds=TURN_ORDERS),
        weight=Weight.IMPULSE,
    ),
    Phase(
        key=ANSWER,
        title="Answer",
        rule="R5.2",
        resolve=answer,
        acts=_attacked,
        orders=ANSWER_ORDERS,
        check=partial(check, kinds=ANSWER_ORDERS),
        standing=answers,
        weight=Weight.REPLY,
    ),
    Phase(key=COMBAT, title="Combat", rule="R5.3", resolve=_decide, weight=Weight.REPLY),
    Phase(key=DUSK, title="Dusk", rule="R1.4", resolve=_dusk),
)

_NEXT = {SHUFFLE: DAWN, DAWN: TURN, TURN: ANSWER, ANSWER: COMBAT, DUSK: DAWN}


def moment(state: State) -> Moment:
    """R1.1 There is no day before the first dawn."""
    return Moment("Before the first day") if state.open.phase == SHUFFLE else day_moment(state.open.date)


def step(state: State) -> Turned:
    """R1.3 After combat it is the other side's turn; R1.4 after two passes it is dusk."""
    open_ = state.open
    if open_.phase == COMBAT and open_.passes < PASSES_TO_END:
        return Turned(TURN, open_.date, enemy_of(open_.turn))
    if open_.phase == COMBAT:
        return Turned(DUSK, open_.date, open_.turn)
    date = open_.date + _DAY if open_.phase == DUSK else open_.date
    return Turned(_NEXT[open_.phase], date, open_.turn)
