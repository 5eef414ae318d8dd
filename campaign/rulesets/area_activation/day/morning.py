"""R5, R34 to R42: dawn, and what the sheets of the morning decide."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Order
from campaign.engine.phases import Orders
from campaign.engine.values.ids import PlaceId, SideId, UnitId, audience_of
from campaign.rulesets.area_activation.day.fighting import eliminated
from campaign.rulesets.area_activation.day.ground import scout, settle
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Bank, GameData, Kind, enemy_of
from campaign.rulesets.area_activation.model.orders import Arrive, Commando, KeepReserve, Mark, Refuel, Replace
from campaign.rulesets.area_activation.model.state import State, Unit
from campaign.rulesets.area_activation.rules.arrival import due_today, entries_for, reserve_called
from campaign.rulesets.area_activation.rules.situation import as_true, watched
from campaign.rulesets.area_activation.rules.supply import is_checked, starving, supplied_spaces

L = TypeVar("L", bound=Order)

WEAK = 3
"""R40 The greatest strength of a unit that may receive a replacement point."""


def dawn(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    """R5 The day begins, and supply is checked."""
    date = ledger.state.open.date
    day = ledger.game_data.days[date]
    ledger.emit(facts.DayBegan(day.initiative, decides=date > ledger.game_data.first_day), rule="R5")
    settle(ledger)
    for side in _in_order(ledger):
        _check_supply(ledger, side)
    _test_meuse(ledger)
    scout(ledger)


def _in_order(ledger: Ledger[GameData, State]) -> tuple[SideId, SideId]:
    """R5 The sides, the one with the initiative first."""
    first = ledger.state.open.initiative
    return first, enemy_of(first)


def _check_supply(ledger: Ledger[GameData, State], side: SideId) -> None:
    """R34, R36 Supply of a side's units, and what want of it costs them."""
    game_data, open_ = ledger.game_data, ledger.state.open
    if not is_checked(game_data, open_, side):
        return
    supplied = supplied_spaces(game_data, open_, side)
    units = ledger.state.own[side].units.values()
    out = [unit for unit in units if unit.at not in supplied]
    enemy_at = frozenset(unit.at for unit in ledger.state.own[enemy_of(side)].units.values())
    starved = list(starving(game_data, open_, iter(out), enemy_at))
    if out or any(unit.unsupplied for unit in units):
        ledger.emit(facts.SupplyChecked(side, tuple(unit.id for unit in out)), rule="R34")
    for unit in starved:
        _starve(ledger, unit)
    settle(ledger)


def _starve(ledger: Ledger[GameData, State], unit: Unit) -> None:
    """R36 A point of strength, or the unit."""
    if unit.strength > 1:
        ledger.emit(facts.Starved(unit.side, unit.id), rule="R36")
        return
    ledger.emit(eliminated(ledger.game_data, unit), rule="R36")


def _test_meuse(ledger: Ledger[GameData, State]) -> None:
    """R42 Points for the first German unit that is in supply beyond the Meuse, in a space that is German.

    On the days on which the supply of Germans is not checked yet, they need it for this nevertheless.
    """
    open_, game_data = ledger.state.open, ledger.game_data
    if open_.meuse_reached:
        return
    supplied = supplied_spaces(game_data, open_, GERMAN)
    for unit in ledger.state.own[GERMAN].units.values():
        is_across = game_data.spaces[unit.at].bank is Bank.FAR and open_.control[unit.at] == GERMAN
        if is_across and unit.at in supplied:
            seen = unit.at in watched(game_data, ledger.state, ALLIED)
            ledger.emit(facts.MeuseReached(unit.id, game_data.meuse_points, seen), rule="R42")
            return


# --- sheets of the morning -------------------------------------------------------------------------------------------


def resolve_morning(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R5 Arrivals, fuel, replacements and the commando operation, in this order; R50 corrections count."""
    settle(ledger)
    scout(ledger)
    for side in _in_order(ledger):
        called = () if _lines(orders, side, KeepReserve) else _from_reserve(ledger, orders, side)
        _arrivals(ledger, _lines(orders, side, Arrive), side, tuple(called))
    settle(ledger)
    _fuel(ledger, _lines(orders, ALLIED, Mark), _lines(orders, GERMAN, Refuel))
    for side in _in_order(ledger):
        _replacements(ledger, _lines(orders, side, Replace), side)
    _commando(ledger, _lines(orders, GERMAN, Commando))
    scout(ledger)


def _lines(orders: Orders, side: SideId, kind: type[L]) -> list[L]:
    return [placed.order for placed in orders.get(audience_of(side), ()) if isinstance(placed.order, kind)]


def _arrivals(
    ledger: Ledger[GameData, State], lines: Sequence[Arrive], side: SideId, reserve: Sequence[UnitId]
) -> None:
    """R38, R39 Units arrive in the order of their lines; the others as the default says."""
    game_data = ledger.game_data
    due = [card.id for card in due_today(game_data, ledger.state, side)]
    named = [line.unit for line in lines if line.unit in (*due, *reserve)]
    for unit in dict.fromkeys([*named, *due, *reserve]):
        own = ledger.state.own[side]
        waiting = own.due.get(unit)
        places = entries_for(
            as_true(game_data, ledger.state, side), unit, delayed=waiting is not None and waiting.delayed
        )
        wanted = next((line.at for line in lines if line.unit == unit and line.at in places), None)
        if places:
            _arrive(ledger, side, unit, wanted or places[0])
        elif waiting is not None and not waiting.delayed:
            ledger.emit(facts.Delayed(side, unit), rule="R38")


def _from_reserve(ledger: Ledger[GameData, State], orders: Orders, side: SideId) -> Iterator[UnitId]:
    """R39 One unit of the reserve: the one that is named, else the first."""
    reserve = ledger.state.own[side].reserve
    if side == GERMAN and reserve and reserve_called(ledger.game_data, ledger.state):
        yield next((line.unit for line in _lines(orders, side, Arrive) if line.unit in reserve), reserve[0])


def _arrive(ledger: Ledger[GameData, State], side: SideId, unit: UnitId, at: PlaceId) -> None:
    card, seen = ledger.game_data.cards[unit], at in watched(ledger.game_data, ledger.state, enemy_of(side))
    rule = "R39" if card.in_reserve else "R38"
    ledger.emit(facts.Arrived(side, unit, at, card.strength, seen), rule=rule)


def _fuel(ledger: Ledger[GameData, State], marks: Sequence[Mark], freed: Sequence[Refuel]) -> None:
    """R37 The Allies mark, the Germans free, and what is left is short of fuel today."""
    day, cards = ledger.game_data.days[ledger.state.open.date], ledger.game_data.cards
    if not day.marked:
        return
    named = [line.unit for line in marks if may_be_marked(ledger.game_data, ledger.state, line.unit)]
    seen = [unit for unit in ledger.state.own[ALLIED].seen if cards[unit.id].drives and not unit.unsupplied]
    others = [unit.id for unit in sorted(seen, key=lambda unit: -unit.strength)]
    marked = tuple(dict.fromkeys([*named, *others]))[: day.marked]
    ledger.emit(facts.Marked(marked), rule="R37")
    units = ledger.state.own[GERMAN].units
    here = [unit for unit in marked if unit in units and not units[unit].unsupplied]
    wanted = [line.unit for line in freed if line.unit in here]
    strongest = sorted(here, key=lambda unit: -units[unit].strength)
    saved = list(dict.fromkeys([*wanted, *strongest]))[: day.refuelled]
    dry = tuple(unit for unit in here if unit not in saved)
    if dry:
        watching = watched(ledger.game_data, ledger.state, ALLIED)
        ledger.emit(facts.RanDry(dry, tuple(unit for unit in dry if units[unit].at in watching)), rule="R37")


def may_be_marked(game_data: GameData, known: State, unit: UnitId) -> bool:
    """R37 Whether a unit may be marked, as far as everybody knows: a German one with engines that is not lost."""
    card = game_data.cards[unit]
    return card.side == GERMAN and card.drives and unit not in (*known.open.lost, *known.open.gone)


def needs_men(game_data: GameData, unit: Unit) -> bool:
    """R40 Whether a unit may receive a replacement point."""
    return not unit.stuck and unit.strength <= WEAK and unit.strength < game_data.cards[unit.id].strength


def _replacements(ledger: Ledger[GameData, State], lines: Sequence[Replace], side: SideId) -> None:
    """R40 A point each for the units that are named, then for those with the greatest printed strength."""
    game_data, units = ledger.game_data, ledger.state.own[side].units
    left = game_data.days[ledger.state.open.date].replacements[side]
    points = {True: left.armor, False: left.infantry}
    others = sorted(units, key=lambda unit: -game_data.cards[unit].strength)
    for unit in dict.fromkeys([*(line.unit for line in lines if line.unit in units), *others]):
        is_armor = game_data.cards[unit].kind is Kind.ARMOR
        if points[is_armor] and needs_men(game_data, units[unit]):
            points[is_armor] -= 1
            ledger.emit(facts.Replaced(side, unit), rule="R40")


def may_strike(game_data: GameData, known: State) -> bool:
    """R41 Whether the commando operation may be carried out today."""
    first, last = game_data.commando
    return first <= known.open.date <= last and not known.open.commando_used


def _commando(ledger: Ledger[GameData, State], lines: Sequence[Commando]) -> None:
    """R41 The unit of the first line; one that is not on the map leaves the operation for another day."""
    if not lines or not may_strike(ledger.game_data, ledger.state):
        return
    unit = lines[0].unit
    found = unit in ledger.state.own[ALLIED].units
    ledger.emit(facts.CommandoStruck(unit) if found else facts.CommandoLapsed(unit), rule="R41")
