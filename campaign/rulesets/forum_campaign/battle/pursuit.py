"""R12.2, R12.3 Victors move on when all battles are decided: one occupies the hex, mechanized ones may pursue."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.facts.battle import Advanced, Pursued
from campaign.rulesets.forum_campaign.model.game_data import Branch, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Pursue, Result
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Unit, Winner
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, seen_hexes, too_full
from campaign.rulesets.forum_campaign.movement.commandos import follow, search
from campaign.rulesets.forum_campaign.movement.fuel import advance_counts

# --- what may be ordered ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ordered:
    """A pursuit as a line orders it."""

    battle: Battle
    result: Result
    pursue: Pursue
    pursuers: Container[UnitId]
    """The pursuits of the lines above."""
    name: str
    """The unit's label."""

    def refused(self, code: str, words: str) -> Refused:
        return Refused(code, f"{self.name} {words}", "R12.3")


def refuse_pursuit(game_data: GameData, known: State, ordered: Ordered) -> None:
    """R12.3, G4 Check a pursuit by what everyone knows of the battle; raises Refused."""
    battle, place = ordered.battle, game_data.place_name(ordered.battle.at)
    fighter = next((each for each in battle.attackers if each.unit == ordered.pursue.unit), None)
    if fighter is None:
        raise ordered.refused("no-attacker", f"did not attack {place}, so it cannot pursue")
    if battle.attacker not in known.own:
        raise ordered.refused("not-yours", "pursues by the choice of its own side")
    if ordered.result.winner is Winner.DEFENDERS:
        raise ordered.refused("no-advance", f"did not win at {place}, so it cannot pursue")
    if not is_mechanized(fighter):
        raise ordered.refused("not-mechanized", "is not mechanized and cannot pursue")
    _refuse_choice(game_data, ordered)


def _refuse_choice(game_data: GameData, ordered: Ordered) -> None:
    """R12.3 Check the moves of one battle's victors together; raises Refused."""
    battle, unit, to = ordered.battle, ordered.pursue.unit, ordered.pursue.to
    place = game_data.place_name(battle.at)
    origin = {fighter.unit: fighter.comes_from for fighter in battle.attackers}
    if unit == ordered.result.advance:
        raise ordered.refused("twice", f"advances into {place}, so only another unit may pursue")
    if unit in ordered.pursuers:
        raise ordered.refused("twice", "pursues already by a line above")
    if to not in (battle.at, *game_data.open_neighbours(battle.at)) or to == origin[unit]:
        raise ordered.refused("too-far", f"may pursue into {place} or one hex beyond it, not to {to}")
    if sum(each in ordered.pursuers for each in origin) >= _most_pursuers(battle):
        raise ordered.refused("one-pursuer", "does not pursue: only one may, since not all who attacked are mechanized")


def beyond(game_data: GameData, battle: Battle) -> tuple[PlaceId, ...]:
    """R12.3 The hex that was fought for, and those one hex beyond it."""
    return (battle.at, *sorted(game_data.open_neighbours(battle.at)))


_NO_OTHERS: Mapping[UnitId, PlaceId] = {}


def may_pursue(
    game_data: GameData,
    known: State,
    battle: Battle,
    result: Result,
    pursue: Pursue,
    *,
    others: Mapping[UnitId, PlaceId] = _NO_OTHERS,
) -> bool:
    """R12.3 Whether a unit of the known side may pursue to a hex, as far as that side knows."""
    label = next((fighter.label for fighter in battle.attackers if fighter.unit == pursue.unit), "")
    try:
        refuse_pursuit(game_data, known, Ordered(battle, result, pursue, others, label))
    except Refused:
        return False
    return looks_free(known, battle, result, pursue, others)


def is_mechanized(fighter: Combatant) -> bool:
    """R12.3 Whether a fighter is mechanized, as known to everyone who knows of the battle."""
    return fighter.branch in (Branch.ARMOR, Branch.MECHANIZED)


def _most_pursuers(battle: Battle) -> int:
    """R12.3 All may pursue if all attackers are mechanized, else one mechanized attacker."""
    all_are = all(map(is_mechanized, battle.attackers))
    return len(battle.attackers) if all_are else 1


def looks_free(
    known: State, battle: Battle, result: Result, pursue: Pursue, pursuers: Mapping[UnitId, PlaceId]
) -> bool:
    """Whether a hex holds no enemy and has room for another unit, as far as is known and by the lines above."""
    own, enemy = known.own[battle.attacker], known.own.get(enemy_of(battle.attacker))
    enemies = seen_hexes(own.sightings) if enemy is None else occupied_hexes(enemy)
    sent = {unit for unit, to in pursuers.items() if to == pursue.to}
    sent |= {result.advance} if result.advance and pursue.to == battle.at else set()
    there = [unit for unit in own.units.values() if unit.at == pursue.to or unit.id in sent | {pursue.unit}]
    return not too_full(there) and (pursue.to == battle.at or pursue.to not in enemies)


# --- execution -------------------------------------------------------------------------------------------------------


def move_on(ledger: Ledger[GameData, State], side: SideId) -> None:
    """R12.2, R12.3 First the units that move in, then those that pursue: by hex, then by unit."""
    advances = sorted(ledger.state.own[side].advances.items())
    for at, advance in advances:
        if advance.unit is not None and _is_open(ledger, side, advance.unit, (at,)):
            _occupy(ledger, side, advance.unit, at)
    for at, advance in advances:
        for unit, to in sorted(advance.pursuers.items()):
            _pursue(ledger, side, unit, at, to)


def _is_open(ledger: Ledger[GameData, State], side: SideId, unit_id: UnitId, way: Sequence[PlaceId]) -> bool:
    """Whether a unit that is still at its battle may go a way: past no enemy, and not into a full hex."""
    units = ledger.state.own[side].units
    unit = units.get(unit_id)
    if unit is None or unit.at is None or way[0] not in ledger.game_data.open_neighbours(unit.at):
        return False
    enemy = occupied_hexes(ledger.state.own[enemy_of(side)])
    there = [other for other in units.values() if other.at == way[-1]]
    return enemy.isdisjoint(way) and not too_full([*there, unit])


def _occupy(ledger: Ledger[GameData, State], side: SideId, unit_id: UnitId, at: PlaceId) -> None:
    unit = ledger.state.own[side].units[unit_id]
    start = _place_of(unit)
    ledger.emit(Advanced(side, unit_id, start, at, counts=_uses_fuel(ledger, side, unit)), rule="R12.2")
    _take_commandos_along(ledger, side, unit_id, start, (at,))


def _pursue(ledger: Ledger[GameData, State], side: SideId, unit_id: UnitId, at: PlaceId, to: PlaceId) -> None:
    """R12 G4 Up to one hex beyond; if that is not free, into the hex won, if it has room; else nowhere."""
    unit = ledger.state.own[side].units.get(unit_id)
    if unit is None or unit.at is None or at not in ledger.game_data.open_neighbours(unit.at):
        return
    ways = [(at,)] if to == at else [(at, to), (at,)]
    way = next((way for way in ways if _is_open(ledger, side, unit_id, way)), ())
    counts = bool(way) and _uses_fuel(ledger, side, unit)
    ledger.emit(Pursued(side, unit_id, unit.at, way, to, counts=counts), rule="R12.3")
    if way:
        _take_commandos_along(ledger, side, unit_id, unit.at, way)


def _uses_fuel(ledger: Ledger[GameData, State], side: SideId, unit: Unit) -> bool:
    return advance_counts(ledger.game_data, ledger.state.open.options, side, unit)


def _take_commandos_along(
    ledger: Ledger[GameData, State], side: SideId, unit: UnitId, start: PlaceId, way: Sequence[PlaceId]
) -> None:
    """R11.3, R11.5 Commandos go along, or are found."""
    follow(ledger, unit, start, way[-1])
    search(ledger, side, way)


def _place_of(unit: Unit) -> PlaceId:
    assert unit.at is not None
    return unit.at
