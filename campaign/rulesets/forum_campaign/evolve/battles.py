"""What the facts of battles change, from their start to the last pursuit."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.state import in_every_own, with_hidden, with_open, with_own, with_part
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace, without
from campaign.rulesets.forum_campaign.evolve.muster import with_extras_of
from campaign.rulesets.forum_campaign.evolve.units import (
    change_unit,
    displaced,
    forgetting,
    lose,
    with_unit,
)
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Absorbed,
    Advanced,
    AdvanceOrdered,
    ArtilleryNamed,
    BattleFought,
    BattleOpened,
    BattleRuled,
    Defeated,
    Destroyed,
    Pursued,
    Retreated,
    RetreatsBegun,
    Supported,
    TanksLost,
    Weakened,
)
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.state import (
    Advance,
    Combatant,
    Own,
    PendingRetreat,
    RuledResult,
    State,
    Support,
    ruled_results,
)


def _battle_opened(state: State, fact: BattleOpened) -> State:
    battle = fact.battle
    state = with_open(state, battles=(*state.open.battles, battle))
    for side in state.own:
        sides = (battle.attackers, battle.defenders)
        ours, theirs = sides if side == battle.attacker else reversed(sides)
        state = with_own(state, side, _engaged(ours, theirs))
    return state


def _engaged(ours: tuple[Combatant, ...], theirs: tuple[Combatant, ...]) -> Callable[[Own], Own]:
    def change(own: Own) -> Own:
        for fighter in ours:
            attacks = fighter.comes_from is not None
            own = with_unit(own, replace(own.units[fighter.unit], fought=True, attacked=attacks))
        return replace(own, identified=own.identified | {fighter.unit for fighter in theirs})

    return change


def _battle_ruled(state: State, fact: BattleRuled) -> State:
    result = RuledResult(fact.winner, fact.advance, fact.losses, fact.retreats, fact.tanks, fact.pursuers, fact.minute)
    return with_hidden(state, ruled={**ruled_results(state), fact.at: result})


def _battle_fought(state: State, fact: BattleFought) -> State:
    ruled = {place: result for place, result in ruled_results(state).items() if place != fact.at}
    battles = tuple(battle for battle in state.open.battles if battle.at != fact.at)
    state = in_every_own(state, lambda own: replace(own, support=without(own.support, fact.at)))
    return with_open(with_hidden(state, ruled=ruled), battles=battles)


def _destroyed(state: State, fact: Destroyed) -> State:
    state = with_own(state, fact.side, lambda own: lose(own, fact.unit))
    for side in state.own:
        state = state if side == fact.side else with_own(state, side, forgetting(fact.unit, fact.at))
    return state


def _supported(state: State, fact: Supported) -> State:
    def change(own: Own) -> Own:
        before = own.support.get(fact.at, Support())
        barrages = own.barrages + (fact.support.artillery and not before.artillery)
        return replace(own, support={**own.support, fact.at: fact.support}, barrages=barrages)

    return with_own(state, fact.side, change)


def _defeated(state: State, fact: Defeated) -> State:
    return with_own(state, fact.side, lambda own: replace(own, defeated={**own.defeated, fact.unit: fact.wanted}))


def _routed(state: State, fact: RetreatsBegun) -> State:
    return with_open(state, pending_retreats=(*state.open.pending_retreats, PendingRetreat(fact.battle, fact.choice)))


def _retreated(state: State, fact: Retreated) -> State:
    state = displaced(state, fact.side, fact.unit, *fact.through, fact.to)
    return with_own(state, fact.side, lambda own: replace(own, defeated=without(own.defeated, fact.unit)))


def _advance_ordered(state: State, fact: AdvanceOrdered) -> State:
    advance = Advance(fact.unit, fact.pursuers)
    return with_own(state, fact.side, lambda own: replace(own, advances={**own.advances, fact.at: advance}))


def _tanks_lost(state: State, fact: TanksLost) -> State:
    """R12.9 Bought tanks are lost first, so that the guaranteed minimum stays a minimum."""

    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        bought = unit.bought.get(Goods.TANKS, 0)
        from_bought = min(bought, fact.medium)
        left = {**without(unit.bought, Goods.TANKS), **({Goods.TANKS: bought - from_bought} if bought else {})}
        tanks = max(0, unit.tanks - (fact.medium - from_bought))
        return with_unit(
            own, replace(unit, bought=left, tanks=tanks, heavy_tanks=max(0, unit.heavy_tanks - fact.heavy))
        )

    return with_own(state, fact.side, change)


def _absorbed(state: State, fact: Absorbed) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        unit = replace(unit, strength=unit.strength + fact.gained, absorbed=unit.absorbed + fact.debt)
        return with_extras_of(with_unit(own, unit), fact.unit, fact.remains_of)

    return with_own(state, fact.side, change)


def _followed_up(state: State, fact: Advanced | Pursued, *way: PlaceId) -> State:
    state = displaced(state, fact.side, fact.unit, *way)
    return change_unit(state, fact.side, fact.unit, moved=True) if fact.counts else state


BATTLE_CHANGES: Mapping[type[Fact], Callable[[State, Any], State]] = {
    BattleOpened: _battle_opened,
    BattleRuled: _battle_ruled,
    BattleFought: _battle_fought,
    Weakened: lambda state, fact: change_unit(state, fact.side, fact.unit, strength=fact.strength, small=fact.small),
    TanksLost: _tanks_lost,
    Destroyed: _destroyed,
    Absorbed: _absorbed,
    ArtilleryNamed: lambda state, fact: with_part(state, fact.side, artillery=fact.units),
    Supported: _supported,
    Defeated: _defeated,
    RetreatsBegun: _routed,
    Retreated: _retreated,
    AdvanceOrdered: _advance_ordered,
    Advanced: lambda state, fact: _followed_up(state, fact, fact.to),
    Pursued: lambda state, fact: _followed_up(state, fact, *fact.path) if fact.path else state,
}
