"""How disclosures answer the orders of sheets."""

from collections.abc import Callable, Sequence
from typing import Any

from campaign.engine.display.outcomes import Consequences, Follow
from campaign.engine.display.sentences import Sentence, sentence_for
from campaign.engine.facts import Disclosure
from campaign.engine.values.ids import Audience
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import GameData
from campaign.rulesets.area_activation.model.orders import (
    Activate,
    Arrive,
    AskMe,
    BreakThrough,
    Combat,
    Commando,
    Delegate,
    Exit,
    Halt,
    Lose,
    Mark,
    Move,
    Pass,
    Refuel,
    Replace,
    Retreat,
    Stand,
)
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.show.describe import SENTENCES


def _when(fits: Callable[[str, Any, Any], bool]) -> Follow:
    """What they were told that fits an order, by (side, order, fact)."""

    def follow(who: Audience, order: Any, told: Sequence[Disclosure[Any]]) -> list[Disclosure[Any]]:
        return [each for each in told if fits(who, order, each.fact)]

    return follow


def _of_unit(*kinds: type) -> Follow:
    return _when(lambda _who, order, fact: isinstance(fact, kinds) and getattr(fact, "unit", None) == order.unit)


def _is_activation(who: str, order: Activate, fact: Any) -> bool:
    return isinstance(fact, facts.Activated) and fact.side == who and fact.at == order.at


def _is_march(_who: str, order: Move, fact: Any) -> bool:
    moved = isinstance(fact, facts.Moved) and fact.unit == order.unit and fact.path[-1] == order.path[-1]
    return moved or (isinstance(fact, facts.CouldNotMove) and fact.unit == order.unit)


def _fell_short(_order: Any, fact: Any) -> bool:
    return isinstance(fact, facts.CouldNotMove | facts.CommandoLapsed)


def _describe(game_data: GameData, _known: State, told: Disclosure[Any]) -> Sentence | None:
    return sentence_for(told, SENTENCES, game_data)


CONSEQUENCES: Consequences[GameData, State] = Consequences(
    of={
        Arrive: _of_unit(facts.Arrived, facts.Delayed),
        Replace: _of_unit(facts.Replaced),
        Mark: _when(lambda _who, order, fact: isinstance(fact, facts.Marked) and order.unit in fact.units),
        Refuel: _when(lambda _who, order, fact: isinstance(fact, facts.Marked) and order.unit in fact.units),
        Commando: _of_unit(facts.CommandoStruck, facts.CommandoLapsed),
        Activate: _when(_is_activation),
        Move: _when(_is_march),
        Exit: _of_unit(facts.Exited, facts.CouldNotMove),
        Pass: _when(lambda who, _order, fact: isinstance(fact, facts.Passed) and fact.side == who),
        Combat: _when(lambda who, order, fact: _fought_at(fact, order.at) and fact.fight.attacker == who),
        Lose: _of_unit(facts.Hit, facts.Eliminated),
        Retreat: _when(
            lambda who, order, fact: isinstance(fact, facts.FellBack) and (fact.side, fact.at) == (who, order.at)
        ),
        Stand: _when(lambda who, order, fact: _fought_at(fact, order.at) and fact.fight.attacker != who),
        BreakThrough: _of_unit(facts.BrokeThrough),
        Halt: _when(lambda _who, _order, _fact: False),
        AskMe: _when(lambda who, order, fact: isinstance(fact, facts.Asked) and _is_question(who, order, fact)),
        Delegate: _when(lambda _who, _order, _fact: False),
    },
    at_times=frozenset(
        {Refuel, Activate, Move, Exit, Pass, Combat, Lose, Retreat, Stand, BreakThrough, Halt, AskMe, Delegate}
    ),
    fell_short=_fell_short,
    describe=_describe,
)


def _fought_at(fact: Any, place: str) -> bool:
    return isinstance(fact, facts.Fought) and fact.fight.at == place


def _is_question(who: str, order: AskMe, fact: facts.Asked) -> bool:
    return fact.question.side == who and fact.question.about is order.about
