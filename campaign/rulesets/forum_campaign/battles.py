"""R12 Battles: opened by attacks, fought outside, and what follows from their results."""

from collections.abc import Sequence

from campaign.engine.facts import Ledger
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.orders import Placed
from campaign.engine.values import replace
from campaign.rulesets.forum_campaign.facts import (
    Advanced,
    AttackLapsed,
    BattleFought,
    BattleOpened,
    Cause,
    Decision,
    Destroyed,
    Retreated,
    Weakened,
)
from campaign.rulesets.forum_campaign.orders import Result
from campaign.rulesets.forum_campaign.plan import Assault
from campaign.rulesets.forum_campaign.results import Results, read_results, with_ruled
from campaign.rulesets.forum_campaign.retreat import retreat_hexes
from campaign.rulesets.forum_campaign.state import (
    Battle,
    State,
    Unit,
    Winner,
    combatant,
    is_small,
    ruled_results,
    wiped_out_at,
)
from campaign.rulesets.forum_campaign.theatre import Theatre, enemy_of
from campaign.rulesets.forum_campaign.zoc import occupied_hexes

# --- opening ---------------------------------------------------------------------------------------------------------


def open_battles(ledger: Ledger[Theatre, State], side: SideId, assaults: Sequence[Assault]) -> None:
    """R12.2 One battle for each attacked hex: all who attack it against all who stand in it."""
    for assault in assaults:
        if assault.lapse is not None:
            ledger.emit(AttackLapsed(side, assault.unit, assault.at, assault.lapse), rule="R4.4")
    by_hex: dict[PlaceId, list[UnitId]] = {}
    for assault in assaults:
        if assault.lapse is None and assault.at is not None:
            by_hex.setdefault(assault.at, []).append(assault.unit)
    own, enemy = ledger.state.own[side], ledger.state.own[enemy_of(side)]
    for place, attackers in sorted(by_hex.items()):
        battle = Battle(
            at=place,
            attacker=side,
            attackers=tuple(combatant(own.units[unit], attacks=True) for unit in sorted(attackers)),
            defenders=tuple(combatant(unit, attacks=False) for unit in enemy.units.values() if unit.at == place),
        )
        ledger.emit(BattleOpened(battle), rule="R12.2")


# --- what follows from their results ---------------------------------------------------------------------------------


def resolve_battles(ledger: Ledger[Theatre, State], sheet: Sequence[Placed]) -> None:
    """R12 Apply the results: battle by battle losses and the retreat of the beaten; then the victors advance (G3)."""
    counts = with_ruled(sheet, ruled_results(ledger.state), ledger.state.open.battles)
    read = read_results(ledger.theatre, ledger.state, counts)
    for battle in read.battles():
        _settle(ledger, battle, read)
    for battle in read.battles():
        _advance(ledger, battle, read.results.get(battle.at))


def _settle(ledger: Ledger[Theatre, State], battle: Battle, read: Results) -> None:
    result = read.results.get(battle.at)
    winner = result.winner if result else Winner.DEFENDERS
    decision = Decision.REPORTED if result else Decision.UNREPORTED
    ledger.emit(BattleFought(battle.at, battle.attacker, winner, decision), rule="R12.1")
    _apply_losses(ledger, battle, read)
    if winner is Winner.ATTACKERS:
        _retreat_all(ledger, battle, read)


def _apply_losses(ledger: Ledger[Theatre, State], battle: Battle, read: Results) -> None:
    """R12.7, R12.8 Headcount lost; at the limits a unit falls to task force size or is wiped out."""
    for side, fighters in ((battle.attacker, battle.attackers), (enemy_of(battle.attacker), battle.defenders)):
        for fighter in fighters:
            lost = read.losses.get(fighter.unit, 0)
            if lost:
                _weaken(ledger, side, ledger.state.own[side].units[fighter.unit], lost)


def _weaken(ledger: Ledger[Theatre, State], side: SideId, unit: Unit, lost: int) -> None:
    after = replace(unit, strength=unit.strength - lost)
    ledger.emit(Weakened(side, unit.id, lost, after.strength, unit.small or is_small(after)), rule="R12.7")
    if after.whole <= wiped_out_at(unit, ledger.state.open.options.wiped_out):
        _destroy(ledger, side, unit, Cause.LOSSES, rule="R12.8")


def _destroy(ledger: Ledger[Theatre, State], side: SideId, unit: Unit, cause: Cause, *, rule: str) -> None:
    assert unit.at is not None
    ledger.emit(Destroyed(side, unit.id, unit.label, unit.at, cause), rule=rule)


def _retreat_all(ledger: Ledger[Theatre, State], battle: Battle, read: Results) -> None:
    """R12.5 Each surviving defender goes to a hex of its owner's choice, or is destroyed for want of one."""
    side = enemy_of(battle.attacker)
    for fighter in battle.defenders:
        unit = ledger.state.own[side].units.get(fighter.unit)
        if unit is None or unit.at != battle.at:
            continue
        legal = retreat_hexes(ledger.theatre, ledger.state, battle, unit.id)
        chosen = read.retreats.get(unit.id)
        if legal:
            to = chosen if chosen in legal else legal[0]
            ledger.emit(Retreated(side, unit.id, battle.at, to, chosen), rule="R12.5")
        else:
            _destroy(ledger, side, unit, Cause.NO_RETREAT, rule="R12.5")


def _advance(ledger: Ledger[Theatre, State], battle: Battle, result: Result | None) -> None:
    """R12.2 One of the victors may move into the hex that is now free. Only a won battle names one."""
    unit = ledger.state.own[battle.attacker].units.get(result.advance) if result and result.advance else None
    if unit is None or unit.at is None or battle.at not in ledger.theatre.open_neighbours(unit.at):
        return
    if battle.at not in occupied_hexes(ledger.state.own[enemy_of(battle.attacker)]):
        ledger.emit(Advanced(battle.attacker, unit.id, unit.at, battle.at), rule="R12.2")
