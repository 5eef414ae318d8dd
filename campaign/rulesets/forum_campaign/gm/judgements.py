"""What these rules leave to the GM in a phase: calibres, withdrawals, drift, absorption, named tanks, full hexes."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from campaign.engine.facts import Event
from campaign.engine.judgements import Judgement
from campaign.engine.values.ids import PlaceId, SideId, UnitId, audience_of
from campaign.rulesets.forum_campaign.battle.absorption import nearest
from campaign.rulesets.forum_campaign.battle.artillery import calibre_key
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.model.facts.air import Landed
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Absorbed,
    BattleFought,
    Decision,
    Destroyed,
    Supported,
    TanksLost,
)
from campaign.rulesets.forum_campaign.model.facts.muster import LineStruck, LineWritten, UnitAdded
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.ledger import NAMED_TANKS, LineKind, extras, in_words, lines_in
from campaign.rulesets.forum_campaign.model.state import State, TankLosses
from campaign.rulesets.forum_campaign.model.words import counted, listed, tanks_in_words
from campaign.rulesets.forum_campaign.model.zoc import too_full


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
            case Absorbed() | TanksLost() | UnitAdded():
                state = reduce(evolve, (each.fact for each in events[:nth]), before)
                yield from _of_units(game_data, state, event.fact, events)


def _of_units(
    game_data: GameData, state: State, fact: Absorbed | TanksLost | UnitAdded, events: Sequence[Event[Any]]
) -> Iterator[Judgement]:
    match fact:
        case Absorbed():
            yield from _tie(game_data, state, fact, events)
            yield from _remains(state, fact, events)
        case TanksLost():
            yield from _named_tanks(state, fact, events)
        case UnitAdded():
            yield from _full_hex(game_data, evolve(state, fact), fact)


def _calibre(game_data: GameData, side: SideId, at: PlaceId) -> Judgement:
    return Judgement(
        key=calibre_key(side, at),
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


def _remains(state: State, fact: Absorbed, events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    """R12 G7 Survivors beyond the establishment, and things: nobody is asked once the GM has written an extra."""
    gone, taker = state.own[fact.side].lost.get(fact.remains_of), state.own[fact.side].units[fact.unit].label
    if gone is None or any(_is_extra_for(fact.unit, each.fact) for each in events):
        return
    has = [
        *([f"{gone.strength - fact.gained} % more than {taker} can take"] if gone.strength > fact.gained else []),
        *(["vehicles"] if gone.mechanized else []),
        *([counted(gone.tanks, "medium tank")] if gone.tanks else []),
        *([counted(gone.heavy_tanks, "heavy tank")] if gone.heavy_tanks else []),
        *(f"{count} × {goods.value}" for goods, count in gone.bought.items() if count),
        *(f"{line.text} (with {taker} now)" for line in extras(gone.ledger)),
    ]
    if has:
        yield Judgement(
            key=f"remains/{fact.remains_of}",
            kind="Remains",
            question=f"{taker} absorbs what is left of {gone.label}: which teams and vehicles join it?",
            audiences=(audience_of(fact.side),),
            hint=f"{gone.label} had: {listed(has)}. Write each that joins as a ruling: EXTRA {taker} gets ...",
            rule="R12.10",
        )


def _is_extra_for(unit: UnitId, fact: Any) -> bool:
    return isinstance(fact, LineWritten) and fact.unit == unit and fact.line.kind is LineKind.EXTRA


def _named_tanks(state: State, fact: TanksLost, events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    """R12.9 A unit lost tanks of a class in which some have names: nobody is asked once the GM has struck one."""
    unit = state.own[fact.side].units[fact.unit]
    lost = {LineKind.MEDIUM_TANK: fact.medium, LineKind.HEAVY_TANK: fact.heavy}
    named = [line for line in lines_in(unit.ledger) if lost.get(line.kind)]
    if named and not any(_is_tank_struck(unit.id, each.fact) for each in events):
        yield Judgement(
            key=f"tanks/{unit.id}",
            kind="Named tanks",
            question=f"{unit.label} loses {tanks_in_words(TankLosses(fact.medium, fact.heavy))}: is a named one lost?",
            audiences=(audience_of(fact.side),),
            hint=f"In its ledger: {listed([in_words(line) for line in named])}. Strike a lost one by a ruling: STRIKE.",
            rule="R12.9",
        )


def _is_tank_struck(unit: UnitId, fact: Any) -> bool:
    return isinstance(fact, LineStruck) and fact.unit == unit and fact.line.kind in NAMED_TANKS


def _full_hex(game_data: GameData, state: State, fact: UnitAdded) -> Iterator[Judgement]:
    """R5.5 The GM may add a unit to a full hex; nobody need leave it before they move."""
    units = [unit for unit in state.own[fact.side].units.values() if unit.at == fact.at]
    if too_full(units):
        yield Judgement(
            key=f"full/{fact.label}",
            kind="Full hex",
            question=f"{game_data.place_name(fact.at)} is too full with {fact.label}: who leaves?",
            audiences=(audience_of(fact.side),),
            hint=f"There are {listed([unit.label for unit in units])}. They may stay until they move.",
            rule="R5.5",
        )


def _lost(unit: UnitId, events: Sequence[Event[Any]]) -> Destroyed | None:
    facts = (event.fact for event in events if isinstance(event.fact, Destroyed))
    return next((fact for fact in facts if fact.unit == unit), None)
