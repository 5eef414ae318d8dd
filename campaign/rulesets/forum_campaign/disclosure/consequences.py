"""How disclosures answer the lines of a sheet: which say what became of an order, and whether it went as written."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from campaign.engine.display.outcomes import Consequences, Follow
from campaign.engine.facts import Disclosure
from campaign.engine.values.ids import Audience, audience_of
from campaign.rulesets.forum_campaign.disclosure.describe import describe
from campaign.rulesets.forum_campaign.model import orders
from campaign.rulesets.forum_campaign.model.calendar import DAWN, SHEET, side_in
from campaign.rulesets.forum_campaign.model.facts.air import (
    AirAllocated,
    AirDropped,
    AirRemoved,
    CloseSupport,
    Interdicted,
    Landed,
    Landing,
    MissionsPlanned,
)
from campaign.rulesets.forum_campaign.model.facts.battle import (
    AdvanceOrdered,
    ArtilleryNamed,
    AttackCancelled,
    BattleFought,
    BattleOpened,
    Destroyed,
    Pursued,
    Retreated,
    TanksLost,
    Weakened,
)
from campaign.rulesets.forum_campaign.model.facts.day import Demolished, Reinforced
from campaign.rulesets.forum_campaign.model.facts.movement import (
    Detached,
    Followed,
    Following,
    Moved,
    Plotted,
    Rejoined,
    TaskForceDenied,
)
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State

Told = Sequence[Disclosure[Any]]


def _where(fits: Callable[[Any, Any], bool]) -> Follow:
    """The disclosures of facts that fit an order."""
    return lambda _who, order, told: [each for each in told if fits(order, each.fact)]


def _of_unit(*kinds: type[Any]) -> Follow:
    """Facts of these kinds about the order's unit."""
    return _where(lambda order, fact: isinstance(fact, kinds) and fact.unit == order.unit)


def _by_order(line: Disclosure[Any]) -> bool:
    """R4 Whether a move was one of the sheet's, and not one that was saved for later (R4.5)."""
    return side_in(SHEET, line.phase) is not None and line.rule == "R4"


def _move(who: Audience, order: orders.Move, told: Told) -> Iterator[Disclosure[Any]]:
    return (each for each in _of_unit(Moved)(who, order, told) if _by_order(each))


def _then(who: Audience, order: orders.Then, told: Told) -> Iterator[Disclosure[Any]]:
    """R4.5 What was saved, and how far it led if that is known already."""
    return (each for each in _of_unit(Plotted, Moved)(who, order, told) if not _by_order(each) or _is_plot(each))


def _is_plot(line: Disclosure[Any]) -> bool:
    return isinstance(line.fact, Plotted)


def _battles_of(_who: Audience, order: Any, told: Told) -> list[Disclosure[Any]]:
    """The battles that the order's unit begins."""
    opened = [each for each in told if isinstance(each.fact, BattleOpened)]
    return [each for each in opened if order.unit in {fighter.unit for fighter in each.fact.battle.attackers}]


def _attack(who: Audience, order: orders.Attack, told: Told) -> Iterator[Disclosure[Any]]:
    """R12 Its battle, with the winner if it is decided already."""
    battles = _battles_of(who, order, told)
    places = {each.fact.battle.at for each in battles}
    for each in told:
        fact = each.fact
        cancelled = isinstance(fact, AttackCancelled) and fact.unit == order.unit
        if cancelled or each in battles or (isinstance(fact, BattleFought) and fact.at in places):
            yield each


def _detach(order: orders.Detach, fact: Any) -> bool:
    denied = isinstance(fact, TaskForceDenied) and fact.unit == order.unit
    return denied or (isinstance(fact, Detached) and fact.parent == order.unit)


def _air(who: Audience, _order: orders.Air, told: Told) -> list[Disclosure[Any]]:
    return [each for each in told if isinstance(each.fact, AirAllocated) and audience_of(each.fact.side) == who]


def _remove(who: Audience, order: orders.Remove, told: Told) -> list[Disclosure[Any]]:
    """R3.7 The enemy's losses in the box."""
    removed = [each for each in told if isinstance(each.fact, AirRemoved) and each.fact.box is order.box]
    return [each for each in removed if audience_of(each.fact.side) != who]


def _flown(flown: Follow, planned: Callable[[Any, Any], bool]) -> Follow:
    """R3, R11.8 A mission as it was flown; until the dawn is resolved, as it was planned."""

    def follow(who: Audience, order: Any, told: Told) -> Iterator[Disclosure[Any]]:
        yield from flown(who, order, told)
        if not any(each.phase == DAWN.key for each in told):
            yield from (each for each in told if _is_planned(each.fact, order, planned))

    return follow


def _is_planned(fact: Any, order: Any, planned: Callable[[Any, Any], bool]) -> bool:
    return isinstance(fact, MissionsPlanned) and planned(order, fact.missions)


def _jumps(order: orders.Paradrop, missions: Any) -> bool:
    return missions.jump is not None and missions.jump.unit == order.unit


def _result(order: Any, fact: Any) -> bool:
    return isinstance(fact, BattleFought) and fact.at == order.at


def _pursue(order: orders.Pursue, fact: Any) -> bool:
    planned = isinstance(fact, AdvanceOrdered) and order.unit in fact.pursuers
    return planned or (isinstance(fact, Pursued) and fact.unit == order.unit)


_FOLLOWS: Mapping[type[Any], Follow] = {
    orders.Move: _move,
    orders.Then: _then,
    orders.Attack: _attack,
    orders.Outside: _battles_of,
    orders.Detach: _where(_detach),
    orders.Rejoin: _of_unit(Rejoined, TaskForceDenied),
    orders.Cas: _where(
        lambda order, fact: (
            isinstance(fact, CloseSupport) and (fact.unit, fact.air_units) == (order.unit, order.air_units)
        )
    ),
    orders.Artillery: _where(lambda order, fact: isinstance(fact, ArtilleryNamed) and order.unit in fact.units),
    orders.Follow: _of_unit(Following, Followed),
    orders.Demolish: _where(lambda order, fact: isinstance(fact, Demolished) and fact.place == order.at),
    orders.Air: _air,
    orders.Remove: _remove,
    orders.Interdict: _flown(
        _where(lambda order, fact: isinstance(fact, Interdicted) and fact.at == order.at),
        lambda order, missions: order.at in {target.at for target in missions.interdictions},
    ),
    orders.Airdrop: _flown(_of_unit(AirDropped), lambda order, missions: order.unit in missions.drops),
    orders.Paradrop: _flown(_of_unit(Landed), _jumps),
    orders.Buy: _where(
        lambda order, fact: isinstance(fact, Reinforced) and (fact.unit, fact.goods) == (order.unit, order.goods)
    ),
    orders.Result: _where(_result),
    orders.Decide: _where(_result),
    orders.Withdrawal: _where(_result),
    orders.Losses: _of_unit(Weakened, Destroyed),
    orders.Tanks: _of_unit(TanksLost),
    orders.Retreat: _of_unit(Retreated),
    orders.Pursue: _where(_pursue),
}

_SHORT: Mapping[type, Callable[[Any], bool]] = {
    Moved: lambda fact: fact.stop_reason is not None,
    AttackCancelled: lambda _fact: True,
    TaskForceDenied: lambda _fact: True,
    Demolished: lambda fact: not fact.destroyed,
    Interdicted: lambda fact: not fact.success,
    Landed: lambda fact: fact.landing is not Landing.NORMAL or fact.at != fact.wanted,
    Retreated: lambda fact: fact.wanted not in (None, fact.to),
    Pursued: lambda fact: fact.path[-1:] != (fact.wanted,),
}
"""The facts that may say that an order was not carried out as written."""


def _fell_short(_order: Any, fact: Any) -> bool:
    short = _SHORT.get(type(fact))
    return short is not None and short(fact)


CONSEQUENCES: Consequences[GameData, State] = Consequences(
    of=_FOLLOWS,
    plans=(AdvanceOrdered, Following, MissionsPlanned, Plotted),
    at_times=frozenset(
        {
            orders.Air,  # nobody flies
            orders.Artillery,  # it stays as it was
            orders.Outside,
            orders.Remove,  # the side does not win in the air
            orders.Losses,  # none
            orders.Tanks,
            orders.Retreat,  # in a later phase
            orders.Pursue,
        }
    ),
    fell_short=_fell_short,
    describe=describe,
)
