"""What these rules leave to the GM in a phase: calibres, withdrawals, ties in absorption, drift."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from campaign.engine.facts import Event
from campaign.engine.judgements import Judgement
from campaign.engine.values.ids import PlaceId, SideId, UnitId, audience_of
from campaign.rulesets.forum_campaign.battle.absorption import nearest
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.model.facts.air import Landed
from campaign.rulesets.forum_campaign.model.facts.battle import Absorbed, BattleFought, Decision, Destroyed, Supported
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.model.words import listed


def judgements(game_data: GameData, before: State, events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    """What the events of a phase leave to the GM; `before` is the state in which the phase began."""
    for nth, event in enumerate(events):
        match event.fact:
            case Supported(side=side, at=at, support=support) if support.artillery:
                yield _calibre(game_data, side, at)
            case BattleFought(at=at, attacker=attacker, decision=Decision.WITHDRAWN):
                yield _withdrawal(game_data, enemy_of(attacker), at)
            case Landed(side=side, wanted=wanted, at=at) if wanted != at:
                yield _drift(game_data, event.fact)
            case Absorbed():
                earlier = (each.fact for each in events[:nth])
                yield from _tie(game_data, reduce(evolve, earlier, before), event.fact, events)


def _calibre(game_data: GameData, side: SideId, at: PlaceId) -> Judgement:
    return Judgement(
        key=f"artillery/{side}/{at}",
        kind="Calibre of heavy artillery",
        question=f"Heavy artillery in the battle of {game_data.place_name(at)}: which calibre?",
        audiences=(audience_of(side),),
        rule="R15.3",
    )


def _withdrawal(game_data: GameData, defender: SideId, at: PlaceId) -> Judgement:
    return Judgement(
        key=f"withdrawal/{at}",
        kind="Withdrawal",
        question=f"The withdrawal from the battle of {game_data.place_name(at)}.",
        audiences=(audience_of(defender),),
        hint="The report says that the defenders withdrew. You decide by the latest saved game.",
        rule="R12.6",
    )


def _drift(game_data: GameData, fact: Landed) -> Judgement:
    wanted, came_down = game_data.place_name(fact.wanted), game_data.place_name(fact.at)
    return Judgement(
        key=f"drift/{fact.unit}",
        kind="Drift",
        question=f"The jump at {wanted}, which came down at {came_down}.",
        audiences=(audience_of(fact.side),),
        hint="Only you see the die for the place.",
        rule="R11.9",
    )


def _tie(game_data: GameData, state: State, fact: Absorbed, events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    """Remains that several units were equally near to. The question names one: which others are as near is secret."""
    lost = _lost(fact.remains_of, events)
    near = nearest(game_data, state, fact.side, lost.at) if lost else []
    others = [unit.label for cost, unit in near if cost == fact.debt and unit.id != fact.unit]
    if lost and others:
        taker = state.own[fact.side].units[fact.unit].label
        yield Judgement(
            key=f"absorbed/{fact.remains_of}",
            kind="Tie in absorption",
            question=f"{taker} absorbs what is left of {lost.label}.",
            audiences=(audience_of(fact.side),),
            hint=f"As near: {listed(others)}. The first by label absorbs, unless you rule otherwise.",
            rule="R12.10",
        )


def _lost(unit: UnitId, events: Sequence[Event[Any]]) -> Destroyed | None:
    facts = (event.fact for event in events if isinstance(event.fact, Destroyed))
    return next((fact for fact in facts if fact.unit == unit), None)
