"""How disclosures answer the lines of a sheet: which say what became of an order, and whether it went as written."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from campaign.engine.display.outcomes import Consequences, Follow
from campaign.engine.display.sentences import Sentence, sentence_for
from campaign.engine.facts import Disclosure
from campaign.engine.values.ids import Audience, PlaceId, SideId, audience_of
from campaign.engine.values.value import replace
from campaign.rulesets.area_activation.day.turns import clock, is_met
from campaign.rulesets.area_activation.evolve import evolve
from campaign.rulesets.area_activation.model import facts, orders
from campaign.rulesets.area_activation.model.game_data import GameData
from campaign.rulesets.area_activation.model.state import Fight, State
from campaign.rulesets.area_activation.rules.situation import as_known
from campaign.rulesets.area_activation.show.describe import SENTENCES

Told = Sequence[Disclosure[Any]]


def _where(fits: Callable[[Any, Any], bool]) -> Follow:
    """The disclosures of facts that fit an order."""
    return lambda _who, order, told: [each for each in told if fits(order, each.fact)]


def _of_unit(*kinds: type[Any]) -> Follow:
    """Facts of these kinds about the order's unit."""
    return _where(lambda order, fact: isinstance(fact, kinds) and fact.unit == order.unit)


def _of_turn(follow: Follow) -> Follow:
    """R48 The same, of an answer's lines within the turn in which it was given: they do not count after it."""

    def within(who: Audience, order: Any, told: Told) -> Any:
        return follow(who, order, list(takewhile(_is_same_turn, told)) if _is_answer(who, told) else told)

    return within


def _is_answer(who: Audience, told: Told) -> bool:
    """Whether these are the disclosures that follow on an answer: a day's sheet ends where its side is asked."""
    return any(isinstance(each.fact, facts.Answered) and audience_of(each.fact.side) == who for each in told)


def _is_same_turn(each: Disclosure[Any]) -> bool:
    return not (isinstance(each.fact, facts.Turned) and each.fact.new_turn)


# --- the morning -----------------------------------------------------------------------------------------------------


def _is_marked(order: orders.Mark | orders.Refuel, fact: Any) -> bool:
    return isinstance(fact, facts.Marked | facts.RanDry) and order.unit in _marked(fact)


def _marked(fact: facts.Marked | facts.RanDry) -> Sequence[str]:
    return fact.units if isinstance(fact, facts.Marked) else (*fact.units, *fact.seen)


def _is_replaced(order: orders.Replace, fact: Any) -> bool:
    dry = isinstance(fact, facts.RanDry) and order.unit in fact.units
    return dry or (isinstance(fact, facts.Replaced) and fact.unit == order.unit)


# --- turns -----------------------------------------------------------------------------------------------------------


class _Choice(NamedTuple):
    """R49 What a side did in its turn."""

    said: Disclosure[Any]
    """That it activated a space or passed."""
    used: Any
    """The line of its sheet that it used up for this; None: none, as for what an answer decides."""
    time: orders.Time | None
    """R7 The time; None: unknown, since these disclosures do not begin with the day's first turn."""


def _choices(who: Audience, told: Told) -> Iterator[_Choice]:
    """A side's choices in the order of its turns."""
    first, turns, used, on_clock = None, 0, None, True
    for each in told:
        fact = each.fact
        if isinstance(fact, facts.Turned) and fact.new_turn:
            first, on_clock = first or fact.turn, not fact.surprise
        elif isinstance(fact, facts.Used):
            used = fact.line
        elif isinstance(fact, facts.Activated | facts.Passed):
            if audience_of(fact.side) == who:
                yield _Choice(each, used, orders.TIMES[min(turns, orders.LAST_TURN)] if first else None)
            used, turns = None, turns + (on_clock and fact.side == first)


def _activation(who: Audience, order: orders.Activate, told: Told) -> Iterator[Disclosure[Any]]:
    answer = _is_answer(who, told)
    for said, used, _ in _choices(who, told):
        by_answer = answer and used is None and isinstance(said.fact, facts.Activated) and said.fact.at == order.at
        if used == order or by_answer:
            yield said


def _pass(who: Audience, order: orders.Pass, told: Told) -> Iterator[Disclosure[Any]]:
    """R49.1 A line with a time is not used up: it passes whenever its time has come."""
    answer = _is_answer(who, told)
    for said, used, now in _choices(who, told):
        by_answer = answer and used is None and order.after is None
        in_time = order.after is not None and now is not None and now.value >= order.after.value
        if isinstance(said.fact, facts.Passed) and (used == order or by_answer or in_time):
            yield said


def _going_on(who: Audience, _order: orders.GoOn, told: Told) -> list[Disclosure[Any]]:
    return [choice.said for choice in _choices(who, told)]


def _moves(_who: Audience, order: orders.Move | orders.Exit, told: Told) -> Iterator[Disclosure[Any]]:
    """Where the unit went when its space acted, and what stopped it then: not what bars a breakthrough later."""
    kinds: tuple[type[Any], ...] = (facts.Moved, facts.Exited, facts.CouldNotMove)
    for each in told:
        if isinstance(each.fact, facts.Activated):
            kinds = (facts.Moved, facts.Exited, facts.CouldNotMove)
        elif isinstance(each.fact, facts.Fought):
            kinds = (facts.Moved, facts.Exited)
        elif isinstance(each.fact, kinds) and each.fact.unit == order.unit:
            yield each


def _is_as_written(order: Any, fact: Any) -> bool:
    """R49.2 Whether a unit has gone the way of this line, and not that of another, or a part of it."""
    if isinstance(order, orders.Exit):
        return isinstance(fact, facts.Exited)
    moved = isinstance(fact, facts.Moved) and isinstance(order, orders.Move)
    return moved and (fact.path[1:], fact.strategic) == (order.path, order.strategic)


# --- combat ----------------------------------------------------------------------------------------------------------


def _combat(who: Audience, order: orders.Combat, told: Told) -> list[Disclosure[Any]]:
    return [each for each in told if _is_fight_at(each.fact, order.at) and _attacks(who, each.fact.fight)]


def _is_fight_at(fact: Any, place: PlaceId) -> bool:
    return isinstance(fact, facts.Fought) and fact.fight.at == place


def _attacks(who: Audience, fight: Fight) -> bool:
    return audience_of(fight.attacker) == who


def _losses(_who: Audience, order: orders.Lose, told: Told) -> list[Disclosure[Any]]:
    """R31 Hits of a combat: want of supply is no matter of these lines."""
    lost = [each for each in told if isinstance(each.fact, facts.Hit | facts.Eliminated) and each.rule == "R31"]
    return [each for each in lost if each.fact.unit == order.unit]


def _defence(who: Audience, order: orders.Retreat | orders.Stand, told: Told) -> Iterator[Disclosure[Any]]:
    """R32, R49.5 What the side did in combats there, for a RETREAT line in those with enough hits; and where to."""
    fought, enough, left = None, True, False
    for each in _attacked(who, told):
        fact = each.fact
        if _is_fight_at(fact, order.at):
            fought, left = each, False
            enough = isinstance(order, orders.Stand) or fact.fight.on_defender >= order.hits
        elif isinstance(fact, facts.FellBack | facts.Stood) and fact.at == order.at and enough:
            left = isinstance(fact, facts.FellBack)
            if fought is not None:
                yield fought
            yield each
        elif left and isinstance(fact, facts.Retreated) and fact.start == order.at:
            yield each


def _attacked(who: Audience, told: Told) -> Iterator[Disclosure[Any]]:
    """The same without the combats in which the side attacks."""
    attacks = False
    for each in told:
        if isinstance(each.fact, facts.Fought):
            attacks = _attacks(who, each.fact.fight)
        if not attacks:
            yield each


def _breakthrough(who: Audience, order: orders.BreakThrough, told: Told) -> Iterator[Disclosure[Any]]:
    """R33 The combats of the unit as an attacker, and where it went after them, or what has barred its way.

    In what follows on an answer about breakthroughs its combat comes without dice.
    """
    fought, is_combat = None, True
    for each in told:
        fact = each.fact
        if isinstance(fact, facts.Activated):
            is_combat = False
        elif isinstance(fact, facts.Fought):
            fought, is_combat = each if _has_part(who, order, fact.fight) else None, True
        elif isinstance(fact, facts.BrokeThrough | facts.CouldNotMove) and fact.unit == order.unit and is_combat:
            fought = None
            yield each
        elif isinstance(fact, facts.CombatOver) and fought is not None:
            yield fought
            fought = None


def _has_part(who: Audience, order: orders.BreakThrough, fight: Fight) -> bool:
    """Whether a unit attacks in a combat."""
    return _attacks(who, fight) and order.unit in {fighter.unit for fighter in fight.attackers}


# --- conditions ------------------------------------------------------------------------------------------------------

_OPEN = (facts.Turned, facts.Taken, facts.ControlSet, facts.ContestedNow, facts.Activated, facts.Passed)
"""Facts that change the time, or how spaces stand."""


def _unmet(game_data: GameData, known: State, who: Audience, order: Any, told: Told) -> bool:
    """R37, R49 Whether a line's mark, time, space or number of hits did not come."""
    if isinstance(order, orders.Refuel):
        return not _has_mark(known, who, order, told)
    answer = _is_answer(who, told)
    if not answer and any(isinstance(each.fact, facts.Asked) for each in told):
        return False  # the rest of the day is to come
    now = list(takewhile(_is_same_turn, told)) if answer else told
    if isinstance(order, orders.Retreat):
        fights = [known.open.fight, *(each.fact.fight for each in now if isinstance(each.fact, facts.Fought))]
        hits = [fight.on_defender for fight in fights if fight and fight.at == order.at and not _attacks(who, fight)]
        return bool(hits) and max(hits) < order.hits
    if not isinstance(order, orders.Activate | orders.Pass) or not order.is_conditional:
        return False
    side = SideId(who)
    moments = [as_known(game_data, each, side) for each in _at_choices(known, who, now)]  # none if it took no turn
    return bool(moments) and not any(is_met(each, order, clock(each.open)) for each in moments)


def _has_mark(known: State, who: Audience, order: orders.Refuel, told: Told) -> bool:
    """R37 Whether a unit was marked, on the map, and in supply: other marks are lost."""
    unit = known.own[SideId(who)].units.get(order.unit)
    here = not unit.unsupplied if unit else any(_is_arrival(order, each.fact) for each in told)
    return here and any(isinstance(each.fact, facts.Marked) and order.unit in each.fact.units for each in told)


def _is_arrival(order: orders.Refuel, fact: Any) -> bool:
    return isinstance(fact, facts.Arrived) and fact.unit == order.unit


def _at_choices(known: State, who: Audience, told: Told) -> Iterator[State]:
    """R49 The time and the map when the side chose what it does in its turns."""
    for each in told:
        fact = each.fact
        if isinstance(fact, facts.Activated | facts.Passed) and audience_of(fact.side) == who:
            yield known
        if isinstance(fact, _OPEN):
            known = evolve(known, replace(fact, units=()) if isinstance(fact, facts.Activated) else fact)


# --- all of them -----------------------------------------------------------------------------------------------------


def _is_elsewhere(order: orders.Retreat, fact: Any) -> bool:
    return isinstance(fact, facts.Retreated) and bool(order.to) and fact.to not in order.to


_SHORT: Mapping[type[Any], Callable[[Any, Any], bool]] = {
    orders.Arrive: lambda order, fact: isinstance(fact, facts.Delayed) or fact.at != order.at,
    orders.Refuel: lambda _order, fact: isinstance(fact, facts.RanDry),
    orders.Replace: lambda _order, fact: isinstance(fact, facts.RanDry),
    orders.Commando: lambda _order, fact: isinstance(fact, facts.CommandoLapsed),
    orders.Move: lambda order, fact: not _is_as_written(order, fact),
    orders.Exit: lambda order, fact: not _is_as_written(order, fact),
    orders.GoOn: lambda _order, fact: isinstance(fact, facts.Passed),
    orders.Retreat: lambda order, fact: isinstance(fact, facts.Stood) or _is_elsewhere(order, fact),
    orders.Stand: lambda _order, fact: isinstance(fact, facts.FellBack),
    orders.BreakThrough: lambda order, fact: not isinstance(fact, facts.BrokeThrough) or fact.to != order.to,
    orders.Halt: lambda _order, _fact: True,
}
"""The orders that may not be carried out as written, each with whether a fact about it says so."""


def _fell_short(order: Any, fact: Any) -> bool:
    short = _SHORT.get(type(order))
    return short is not None and short(order, fact)


def _describe(game_data: GameData, _known: State, told: Disclosure[Any]) -> Sentence | None:
    return sentence_for(told, SENTENCES, game_data)


def _is_question(who: Audience, order: orders.AskMe, told: Told) -> Iterator[Disclosure[Any]]:
    asked = [each for each in told if isinstance(each.fact, facts.Asked) and each.fact.question.about is order.about]
    return (each for each in asked if audience_of(each.fact.question.side) == who)


_OF_MORNINGS: Mapping[type[Any], Follow] = {
    orders.Arrive: _of_unit(facts.Arrived, facts.Delayed),
    orders.Replace: _where(_is_replaced),
    orders.Mark: _where(_is_marked),
    orders.Refuel: _where(_is_marked),
    orders.Commando: _of_unit(facts.CommandoStruck, facts.CommandoLapsed),
}
_OF_DAYS: Mapping[type[Any], Follow] = {
    orders.Activate: _activation,
    orders.Move: _moves,
    orders.Exit: _moves,
    orders.Pass: _pass,
    orders.GoOn: _going_on,
    orders.Combat: _combat,
    orders.Lose: _losses,
    orders.Retreat: _defence,
    orders.Stand: _defence,
    orders.BreakThrough: _breakthrough,
    orders.Halt: _of_unit(facts.BrokeThrough),
    orders.AskMe: _is_question,
}

CONSEQUENCES: Consequences[GameData, State] = Consequences(
    of={**_OF_MORNINGS, **{kind: _of_turn(follow) for kind, follow in _OF_DAYS.items()}},
    at_times=frozenset({orders.Refuel, *_OF_DAYS}),
    is_used_up=orders.is_used_up,
    unmet=_unmet,
    fell_short=_fell_short,
    describe=_describe,
)
