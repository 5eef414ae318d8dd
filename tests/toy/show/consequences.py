"""How disclosures answer the orders of a turn, the answers to an attack, and standing orders."""

from collections.abc import Callable, Sequence
from typing import Any

from campaign.engine.display.outcomes import Consequences, Follow
from campaign.engine.display.sentences import Sentence, sentence_for
from campaign.engine.facts import Disclosure
from campaign.engine.orders.order import NoStandingOrders
from campaign.engine.values.ids import Audience
from tests.toy.model import facts
from tests.toy.model.game_data import GameData
from tests.toy.model.orders import Attack, FallBack, Move, Pass, Stand, WhenAttacked
from tests.toy.model.state import Answer, State
from tests.toy.sequence import ANSWER, TURN
from tests.toy.show.describe import SENTENCES


def _in(phase: str, fits: Callable[[Any, Any], bool]) -> Follow:
    def follow(_who: Audience, order: Any, told: Sequence[Disclosure[Any]]) -> list[Disclosure[Any]]:
        return [each for each in told if each.phase == phase and fits(order, each.fact)]

    return follow


def _attack(order: Attack, fact: Any) -> bool:
    if isinstance(fact, facts.Attacked):
        return fact.attack.force == order.force
    return isinstance(fact, facts.AttackLapsed) and fact.force == order.force


def _given(_who: Audience, _order: Any, told: Sequence[Disclosure[Any]]) -> list[Disclosure[Any]]:
    return [each for each in told if isinstance(each.fact, facts.StandingOrdersGiven)]


def _fell_short(order: Any, fact: Any) -> bool:
    match fact:
        case facts.Moved(met=met):
            return met is not None
        case facts.Answered(answer=answer):
            return isinstance(order, FallBack) and answer is Answer.STANDS
        case _:
            return isinstance(fact, facts.AttackLapsed)


def _describe(_game_data: GameData, _known: State, told: Disclosure[Any]) -> Sentence | None:
    return sentence_for(told, SENTENCES)


CONSEQUENCES: Consequences[GameData, State] = Consequences(
    of={
        Move: _in(TURN, lambda order, fact: isinstance(fact, facts.Moved) and fact.force == order.force),
        Attack: _in(TURN, _attack),
        Pass: _in(TURN, lambda _order, fact: isinstance(fact, facts.Passed)),
        Stand: _in(ANSWER, lambda _order, fact: isinstance(fact, facts.Answered)),
        FallBack: _in(ANSWER, lambda _order, fact: isinstance(fact, facts.Answered | facts.FellBack)),
        WhenAttacked: _given,
        NoStandingOrders: _given,
    },
    at_times=frozenset({WhenAttacked, NoStandingOrders}),
    fell_short=_fell_short,
    describe=_describe,
)
