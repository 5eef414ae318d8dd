"""R12 Battles: attacks open them, they are fought outside, and their results cost units. See retreats and pursuit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Placed
from campaign.engine.values import value as values
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.absorption import absorb
from campaign.rulesets.forum_campaign.battle.artillery import fire_artillery
from campaign.rulesets.forum_campaign.battle.casualties import lose_tanks, shrink_sizes, suffer
from campaign.rulesets.forum_campaign.battle.outcome import Outcome
from campaign.rulesets.forum_campaign.battle.outside import in_order, most_outside
from campaign.rulesets.forum_campaign.battle.resolver import resolve_by_rules
from campaign.rulesets.forum_campaign.battle.result_lines import read_results
from campaign.rulesets.forum_campaign.battle.results import with_ruled
from campaign.rulesets.forum_campaign.battle.retreat_hexes import open_to_all_eyes
from campaign.rulesets.forum_campaign.day.digging import lose_position
from campaign.rulesets.forum_campaign.model.facts.battle import (
    AdvanceOrdered,
    AttackCancelled,
    BattleFought,
    BattleOpened,
    Decision,
    Defeated,
    RetreatsBegun,
)
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.options import RetreatLength
from campaign.rulesets.forum_campaign.model.state import (
    Advance,
    Battle,
    Combatant,
    State,
    TankLosses,
    Unit,
    Winner,
    combatant,
    on_map,
    ruled_results,
)
from campaign.rulesets.forum_campaign.movement.attacks import PlannedAttack

# --- opening ---------------------------------------------------------------------------------------------------------


def open_battles(
    ledger: Ledger[GameData, State], side: SideId, assaults: Sequence[PlannedAttack], ranking: Sequence[UnitId]
) -> None:
    """R12.2 One battle for each attacked hex: all who attack it against all who are in it.

    R12.11 Those that are fought outside are opened first. Within both groups they are opened by hex, so that nobody
    learns the ranking.
    """
    for assault in assaults:
        if assault.cancel_reason is not None:
            ledger.emit(AttackCancelled(side, assault.unit, assault.at, assault.cancel_reason), rule="R4.4")
    by_hex: dict[PlaceId, list[UnitId]] = {}
    for assault in assaults:
        if assault.cancel_reason is None and assault.at is not None:
            by_hex.setdefault(assault.at, []).append(assault.unit)
    own, enemy = ledger.state.own[side], ledger.state.own[enemy_of(side)]
    outside = in_order(assaults, ranking)[: most_outside(ledger.state.open.options, side)]
    for place, attackers in sorted(by_hex.items(), key=lambda battle: (battle[0] not in outside, battle[0])):
        battle = Battle(
            at=place,
            attacker=side,
            attackers=tuple(combatant(own.units[unit], attacks=True) for unit in sorted(attackers)),
            defenders=tuple(combatant(unit, attacks=False) for unit, at in on_map(enemy) if at == place),
            position=enemy.positions.get(place, 0),
        )
        ledger.emit(BattleOpened(battle), rule="R12.2")
    fire_artillery(ledger)


# --- what their results cost -----------------------------------------------------------------------------------------


def decide_battles(ledger: Ledger[GameData, State], sheet: Sequence[Placed]) -> None:
    """R12 Decide all battles: losses, who must retreat, and which victors will move on."""
    decided = list(_outcomes(ledger, sheet))
    wiped_out: list[tuple[SideId, Unit]] = []
    for battle, outcome in decided:
        ledger.emit(
            BattleFought(battle.at, battle.attacker, outcome.winner, outcome.decision, outcome.reasons), rule="R12.1"
        )
        wiped_out += _apply_losses(ledger, battle, outcome)
    shrink_sizes(ledger)
    for side, unit in wiped_out:
        absorb(ledger, side, unit)
    for battle, outcome in decided:
        if outcome.winner is Winner.ATTACKERS:
            _order_retreats(ledger, battle, outcome.retreats)
            _order_advance(ledger, battle, outcome.advance)
        else:
            lose_position(ledger, enemy_of(battle.attacker), battle.at)


def _outcomes(ledger: Ledger[GameData, State], sheet: Sequence[Placed]) -> Iterator[tuple[Battle, Outcome]]:
    """The battles in the order of execution, each with its outcome."""
    resolved = resolve_by_rules(ledger, with_ruled(sheet, ruled_results(ledger.state), ledger.state.open.battles))
    read = read_results(ledger.game_data, ledger.state, resolved.lines)
    for battle in read.battles():
        outcome = read.outcome(battle)
        if battle.at in resolved.reasons:
            outcome = replace(outcome, decision=Decision.RESOLVED, reasons=resolved.reasons[battle.at])
        yield battle, outcome


def _apply_losses(ledger: Ledger[GameData, State], battle: Battle, outcome: Outcome) -> Iterator[tuple[SideId, Unit]]:
    """R12.7-R12.9 Take tanks and headcount from both sides; returns the units wiped out."""
    for side, fighters in ((battle.attacker, battle.attackers), (enemy_of(battle.attacker), battle.defenders)):
        for fighter in fighters:
            unit = ledger.state.own[side].units.get(fighter.unit)
            if unit is not None:
                yield from ((side, gone) for gone in _lose(ledger, side, unit, outcome))


def _lose(ledger: Ledger[GameData, State], side: SideId, unit: Unit, outcome: Outcome) -> Sequence[Unit]:
    """Take a unit's losses; returns the units wiped out by them."""
    lose_tanks(ledger, side, unit, outcome.tanks.get(unit.id, TankLosses()))
    lost = min(outcome.losses.get(unit.id, 0), unit.strength)
    return suffer(ledger, side, unit.id, lost) if lost else ()


def _order_retreats(ledger: Ledger[GameData, State], battle: Battle, retreats: Mapping[UnitId, PlaceId]) -> None:
    """R12.5 Defenders of a lost hex who are left must retreat. Everyone knows that, only their side knows where to."""
    loser = enemy_of(battle.attacker)
    left = values.replace(
        battle,
        attackers=_left(ledger, battle.attacker, battle.attackers),
        defenders=_left(ledger, loser, battle.defenders),
    )
    for fighter in left.defenders:
        if ledger.state.own[loser].units[fighter.unit].at == battle.at:
            ledger.emit(Defeated(loser, fighter.unit, retreats.get(fighter.unit)), rule="R12.5")
    if left.defenders:
        ledger.emit(RetreatsBegun(left, _has_choice(ledger, left)), rule="R12.5")
    else:
        lose_position(ledger, loser, battle.at)


def _left(ledger: Ledger[GameData, State], side: SideId, fighters: Sequence[Combatant]) -> tuple[Combatant, ...]:
    """The fighters who are not destroyed, as everyone knows. If the GM has moved one, only its side learns where."""
    return tuple(fighter for fighter in fighters if fighter.unit in ledger.state.own[side].units)


def _has_choice(ledger: Ledger[GameData, State], battle: Battle) -> bool:
    """2.10 Whether defeated units may have a choice, by what everyone knows."""
    needed = 1 if ledger.state.open.options.retreat_length is RetreatLength.CLEAR else 2
    return len(open_to_all_eyes(ledger.game_data, ledger.state, battle)) >= needed


def _order_advance(ledger: Ledger[GameData, State], battle: Battle, advance: Advance) -> None:
    if advance.unit is not None or advance.pursuers:
        ledger.emit(AdvanceOrdered(battle.attacker, battle.at, advance.unit, advance.pursuers), rule="R12.2")
