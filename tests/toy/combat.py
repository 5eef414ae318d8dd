"""R5 Attacks: declared in a turn, answered by the opponent within it, decided by dice."""

from campaign.engine.facts import Ledger
from campaign.engine.phases import Orders, submitted, take_notes
from campaign.engine.values.ids import PUBLIC, PlaceId, SideId
from campaign.engine.values.modifiers import Modifier, total
from tests.toy.model import facts
from tests.toy.model.game_data import Card, GameData, enemy_of
from tests.toy.model.orders import ANSWER_ORDERS, FallBack, Reaction, Stand
from tests.toy.model.orders import Attack as AttackOrder
from tests.toy.model.state import Answer, Attack, Force, State
from tests.toy.rules.movement import ways_out
from tests.toy.rules.situation import Situation, as_known, as_true
from tests.toy.rules.standing import answer_to
from tests.toy.sheets.sheet import chosen


def attack(ledger: Ledger[GameData, State], side: SideId, order: AttackOrder) -> None:
    """R5.1 Everybody learns who attacks whom, and with which card."""
    force, defender = ledger.state.own[side].forces[order.force], _force_at(ledger.state, enemy_of(side), order.at)
    if defender is None:
        ledger.emit(facts.AttackLapsed(side, force.id, order.at), rule="R5.1")
        return
    if order.card is not None:
        ledger.emit(facts.Played(side, order.card), rule="R4.3")
    declared = Attack(side, force.id, force.name, force.at, order.at, defender.id, defender.name, order.card)
    ledger.emit(facts.Attacked(declared), rule="R5.1")


def answer(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R5.2 The answer of the attacked side; by default its force meets the attack."""
    current = ledger.state.open.attack
    if current is None:
        return
    side = enemy_of(current.attacker)
    sheet = submitted(ledger, orders, side)
    take_notes(ledger, sheet)
    order = chosen(sheet, ANSWER_ORDERS) or _standing_answer(as_known(sheet.game_data, sheet.known, side), current)
    truth = as_true(ledger.game_data, ledger.state, side)
    if isinstance(order, FallBack):
        if order.to in ways_out(truth, current.at):
            ledger.emit(facts.Answered(side, Answer.FALLS_BACK), rule="R5.2")
            ledger.emit(facts.FellBack(side, current.defender, order.to), rule="R5.2")
            return
        order = Stand()
    if order.card is not None:
        ledger.emit(facts.Played(side, order.card), rule="R4.3")
    ledger.emit(facts.Answered(side, Answer.STANDS, order.card), rule="R5.2")


def _standing_answer(known: Situation, current: Attack) -> Stand | FallBack:
    """R5.6 What the side's standing orders say, as far as the side knows; by default the force meets the attack."""
    order, ways = answer_to(current, known.standing), ways_out(known, current.at)
    evades = order is not None and order.reaction is Reaction.EVADE and ways
    return FallBack(ways[0]) if evades else Stand()


def decide(ledger: Ledger[GameData, State]) -> None:
    """R5.3 Roll for an attack that was met; R5.5 if nobody is left, the attacker moves in."""
    current = ledger.state.open.attack
    if current is None:
        return
    if current.answer is Answer.STANDS:
        _fight(ledger, current)
    gone = _force_at(ledger.state, enemy_of(current.attacker), current.at) is None
    if gone and ledger.state.open.options.advance and current.force in ledger.state.own[current.attacker].forces:
        ledger.emit(facts.Advanced(current.attacker, current.force, current.at), rule="R5.5")


def _fight(ledger: Ledger[GameData, State], current: Attack) -> None:
    """R5.3 The attacker needs the higher sum."""
    attacker, defender = current.attacker, enemy_of(current.attacker)
    fighters = {attacker: (current.force, current.card), defender: (current.defender, current.answer_card)}
    sums = {
        side: _sum(ledger, current, ledger.state.own[side].forces[unit], card, side)
        for side, (unit, card) in fighters.items()
    }
    winner = attacker if total(sums[attacker]) > total(sums[defender]) else defender
    ledger.emit(facts.Fought(current.at, winner, sums), rule="R5.3")
    loser = enemy_of(winner)
    _beaten(ledger, loser, ledger.state.own[loser].forces[fighters[loser][0]], retreats=loser == defender)


def _sum(
    ledger: Ledger[GameData, State], current: Attack, force: Force, card: Card | None, side: SideId
) -> tuple[Modifier, ...]:
    """R5.3 Die, strength and card of one force. Everybody sees the dice, but not the strengths."""
    purpose = f"{force.name} at {ledger.game_data.areas[current.at].name}"
    (die,) = ledger.roll(f"combat/{current.at}/{side}", sides=6, audience=PUBLIC, purpose=purpose, rule="R5.3")
    parts = (Modifier(die, "die", "R5.3"), Modifier(force.strength, "strength", "R5.3"))
    return parts if card is None else (*parts, Modifier(ledger.game_data.cards[card].bonus, card.value, "R4.3"))


def _beaten(ledger: Ledger[GameData, State], side: SideId, force: Force, *, retreats: bool) -> None:
    """R5.4 The loser loses a point and its area; without strength or a way out it is destroyed."""
    ledger.emit(facts.Weakened(side, force.id), rule="R5.4")
    ways = ways_out(as_true(ledger.game_data, ledger.state, side), force.at)
    if force.strength == 1 or (retreats and not ways):
        ledger.emit(facts.Destroyed(side, force.id, force.name), rule="R5.4")
    elif retreats:
        ledger.emit(facts.FellBack(side, force.id, ways[0]), rule="R5.4")


def _force_at(state: State, side: SideId, place: PlaceId) -> Force | None:
    return next((force for force in state.own[side].forces.values() if force.at == place), None)
