"""R12.5 Defeated units retreat: what their owner chooses, and where they really go."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import TO_ALL, Doubt, Meaning, Refused, check_lines, notice
from campaign.engine.orders.order import Checked, Problem, Submission
from campaign.engine.phases import take_notes
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.casualties import destroy, shrink_sizes
from campaign.rulesets.forum_campaign.battle.retreat_hexes import FURTHEST, is_forward, retreat_hexes, ways_back
from campaign.rulesets.forum_campaign.day.digging import lose_position
from campaign.rulesets.forum_campaign.model.facts.battle import Cause, Defeated, Retreated
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Retreat
from campaign.rulesets.forum_campaign.model.state import Battle, PendingRetreat, State, Unit
from campaign.rulesets.forum_campaign.movement.commandos import retreat_with, search

# --- what the owner chooses ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choices:
    """The hexes chosen for defeated units, and the answer to the lines."""

    chosen: Mapping[UnitId, PlaceId]
    checked: Checked


def check_retreats(sheet: Submission[GameData, State]) -> Checked:
    """2.10 The answer to a sheet of the retreats' own phase."""
    game_data, known, choices = sheet.game_data, sheet.known, read_retreats(sheet)
    open_ = (
        each
        for pending in known.open.pending_retreats
        for each in unchosen(game_data, known, pending.battle, choices.chosen)
    )
    return choices.checked.and_also(open_)


def read_retreats(sheet: Submission[GameData, State]) -> Choices:
    """R12.5 Check the hexes that are chosen for defeated units."""
    game_data, known, chosen = sheet.game_data, sheet.known, dict[UnitId, PlaceId]()

    def check(order: Retreat) -> Meaning:
        unit = known.own[sheet.side].units.get(order.unit)
        battle = _battle_of(known.open.pending_retreats, order.unit)
        if unit is None:
            raise Refused("gone", f"{order.unit} no longer exists", "R12.5")
        if battle is None or unit.at != battle.at:
            raise Refused("not-beaten", f"{unit.label} does not have to retreat", "R12.5")
        if unit.id in chosen:
            raise Refused("twice", f"{unit.label} already has a hex to retreat to", "R12.5")
        require_in_reach(game_data, known, battle, unit.label, order.to)
        chosen[unit.id] = order.to
        text = f"{unit.label} retreats to {game_data.place_name(order.to)} if it can"
        return Meaning(text, doubts(game_data, known, battle, order))

    checked = check_lines(sheet.lines, {Retreat: check})
    return Choices(chosen, checked)


def _battle_of(pending_retreats: Sequence[PendingRetreat], unit: UnitId) -> Battle | None:
    return next((r.battle for r in pending_retreats if any(each.unit == unit for each in r.battle.defenders)), None)


def require_in_reach(game_data: GameData, known: State, battle: Battle, label: str, to: PlaceId) -> None:
    """R12 G3 Raise Refused for a hex in which no retreat can end, wherever units are."""
    furthest = FURTHEST[known.open.options.retreat_length]
    if to in game_data.open_neighbours(battle.at):
        return
    if furthest == 1:
        why = "a retreat is one hex, not across a closed hexside"
    elif to == battle.at or game_data.grid.distance(battle.at, to) > furthest:
        why = f"a retreat is one to {furthest} hexes"
    elif is_forward(game_data, enemy_of(battle.attacker), battle.at, to):
        why = f"a retreat of more than one hex does not lead further forward than {battle.at}"
    else:
        return
    raise Refused("retreat", f"{label} cannot retreat from {battle.at} to {to}; {why}", "R12.5")


def doubts(game_data: GameData, known: State, battle: Battle, retreat: Retreat) -> tuple[Doubt, ...]:
    """R12.5 A warning if the chosen hex is not open as far as is known."""
    if retreat.to in retreat_hexes(game_data, known, battle, retreat.unit):
        return ()
    label = known.own[enemy_of(battle.attacker)].units[retreat.unit].label
    message = f"{label} cannot retreat to {retreat.to} at present; unless that changes it goes elsewhere"
    return (Doubt("retreat", message, "R12.5"),)


def unchosen(game_data: GameData, known: State, battle: Battle, chosen: Mapping[UnitId, PlaceId]) -> Iterator[Problem]:
    """R12.5 Notices about defeated units with a choice that nobody has made, if the reader knows them."""
    own = known.own.get(enemy_of(battle.attacker))
    if own is None:
        return
    for fighter in battle.defenders:
        unit = own.units.get(fighter.unit)
        if unit is None or unit.at != battle.at or unit.id in chosen:
            continue
        legal = retreat_hexes(game_data, known, battle, unit.id)
        if len(legal) > 1:
            message = f"{unit.label} may retreat to {' or '.join(legal)}; no hex is chosen, so it goes to {legal[0]}"
            yield notice(TO_ALL, "unchosen", message, "R12.5", hint=f"RETREAT {unit.label} to ...")


# --- execution -------------------------------------------------------------------------------------------------------


def retreat_all(ledger: Ledger[GameData, State], sheet: Submission[GameData, State]) -> None:
    """R12.5 All defeated units of a side retreat, battle by battle, before anyone advances."""
    side = sheet.side
    take_notes(ledger, sheet)
    for unit, to in read_retreats(sheet).chosen.items():
        if unit in ledger.state.own[side].defeated:
            ledger.emit(Defeated(side, unit, to), rule="R12.5")
    for pending in ledger.state.open.pending_retreats:
        for fighter in pending.battle.defenders:
            _retreat(ledger, side, pending.battle, fighter.unit)
        lose_position(ledger, side, pending.battle.at)
    shrink_sizes(ledger)


def _retreat(ledger: Ledger[GameData, State], side: SideId, battle: Battle, unit_id: UnitId) -> None:
    """R12.5 To the hex that its owner chose, else to the one nearest home; with no open hex it is destroyed."""
    unit = ledger.state.own[side].units.get(unit_id)
    if unit is None or unit.at != battle.at:
        return
    ways = ways_back(ledger.game_data, ledger.state, battle, unit.id)
    chosen = ledger.state.own[side].defeated.get(unit.id)
    if not ways:
        destroy(ledger, side, unit.id, Cause.NO_RETREAT, rule="R12.5")
    else:
        to = chosen if chosen is not None and chosen in ways else next(iter(ways))
        _go(ledger, side, unit, ways[to], chosen)


def _go(
    ledger: Ledger[GameData, State], side: SideId, unit: Unit, way: tuple[PlaceId, ...], chosen: PlaceId | None
) -> None:
    assert unit.at is not None
    *through, to = way
    ledger.emit(Retreated(side, unit.id, unit.at, to, chosen, tuple(through)), rule="R12.5")
    retreat_with(ledger, side, unit.at, to)
    search(ledger, side, way)
