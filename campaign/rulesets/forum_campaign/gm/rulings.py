"""R15.6 What the GM may rule: nothing that would leave an impossible position."""

from collections.abc import Iterator

from campaign.engine.orders.lexicon import LONGEST_NAME, plain, unlettered, unprintable
from campaign.engine.orders.order import Placed, Severity
from campaign.engine.rulings import Objections, no_side
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.battle.result_lines import read_results
from campaign.rulesets.forum_campaign.battle.results import orders_of
from campaign.rulesets.forum_campaign.battle.template import medium_tanks
from campaign.rulesets.forum_campaign.day.digging import LEVELS
from campaign.rulesets.forum_campaign.model.calendar import END, MORNING, side_in
from campaign.rulesets.forum_campaign.model.facts.battle import BattleRuled, Destroyed
from campaign.rulesets.forum_campaign.model.facts.day import (
    Controlled,
    CutOff,
    DepotSet,
    Dug,
    FuelSet,
    PositionGone,
    Resupplied,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.facts.movement import StrengthSet, UnitPlaced
from campaign.rulesets.forum_campaign.model.facts.muster import (
    GoodsSet,
    LineStruck,
    LineWritten,
    TanksSet,
    UnitAdded,
    UnitRemoved,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, PEOPLE, GameData, Goods, enemy_of
from campaign.rulesets.forum_campaign.model.ledger import NAMED_TANKS, LedgerLine, LineKind, lines_in
from campaign.rulesets.forum_campaign.model.options import Shortage
from campaign.rulesets.forum_campaign.model.start import new_unit
from campaign.rulesets.forum_campaign.model.state import COMMANDO, FULL, Own, State, Unit, is_small, wiped_out_at
from campaign.rulesets.forum_campaign.model.task_forces import has_rejoined
from campaign.rulesets.forum_campaign.model.words import SIDE_NAMES, listed
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, too_full


def _placed(game_data: GameData, state: State, fact: UnitPlaced) -> str:
    missing = no_side(state, fact.side)
    if missing:
        return missing
    own = state.own[fact.side]
    unit = own.units.get(fact.unit) or own.lost.get(fact.unit)
    if unit is None:
        return f"{PEOPLE[fact.side]} have no unit {fact.unit}"
    if has_rejoined(own, fact.unit):
        return f"{unit.label} is part of its unit again (R8.3)"
    if fact.at not in game_data.hexes:
        return f"{fact.at} is not on the map"
    if unit.ground and fact.at in occupied_hexes(state.own[enemy_of(fact.side)]):
        return f"the enemy is at {fact.at} (R5.6)"
    return _no_room(own, unit, fact.at)


def _strength_set(_game_data: GameData, state: State, fact: StrengthSet) -> str:
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    unit = state.own[fact.side].units[fact.unit]
    least = wiped_out_at(unit, state.open.options.wiped_out) + 1
    most = FULL - unit.lent
    if not least <= fact.strength <= most:
        lent = f" (another {unit.lent} is lent to its task force)" if unit.lent else ""
        return f"its strength must be {least} to {most} percent{lent}; for less, rule the unit destroyed"
    after = replace(unit, strength=fact.strength)
    after = replace(after, small=is_small(after))
    return _no_room(state.own[fact.side], after, unit.at) if unit.at else ""


def _battle_ruled(game_data: GameData, state: State, fact: BattleRuled) -> str:
    """The objections are the problems of such lines in a sheet."""
    lines = [Placed(order, 0) for order in orders_of(fact.at, fact)]
    problems = read_results(game_data, state, lines).checked.problems
    return "; ".join(problem.message for problem in problems if problem.severity is Severity.ERROR)


def _destroyed(_game_data: GameData, state: State, fact: Destroyed) -> str:
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    unit = state.own[fact.side].units[fact.unit]
    agrees = (unit.label, unit.at) == (fact.label, fact.at)
    return "" if agrees else f"{unit.id} is {unit.label} at {unit.at or 'no hex'}"


def _marked(_game_data: GameData, state: State, fact: CutOff | Resupplied) -> str:
    if side_in(END, state.open.phase) is not None:
        return "this phase checks supply and would undo it; make the ruling in the next phase"
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    return "" if state.own[fact.side].units[fact.unit].ground else "commandos need no supply (R11.1)"


def _dug(_game_data: GameData, state: State, fact: Dug) -> str:
    if state.open.phase == MORNING.key:
        return "positions grow in this phase; make the ruling in the next phase"
    if fact.level not in LEVELS:
        return f"a position must be {' or '.join(LEVELS.values())}"
    missing = no_side(state, fact.side)
    if missing or fact.at in occupied_hexes(state.own[fact.side]):
        return missing
    return f"no {SIDE_NAMES[fact.side]} ground unit is at {fact.at} (R13.5)"


def _position_gone(_game_data: GameData, state: State, fact: PositionGone) -> str:
    missing = no_side(state, fact.side)
    if missing or fact.at in state.own[fact.side].positions:
        return missing
    return f"{PEOPLE[fact.side]} have no position at {fact.at}"


def _weather_set(_game_data: GameData, state: State, _fact: WeatherSet) -> str:
    return "the weather is rolled in this phase; enter the roll instead" if state.open.phase == MORNING.key else ""


def _fuel_set(_game_data: GameData, state: State, fact: FuelSet) -> str:
    may_owe = state.open.options.fuel_shortage is Shortage.DEBT
    return "" if fact.points >= 0 or may_owe else "the reserve cannot be negative in this campaign (R10.7)"


def _controlled(_game_data: GameData, state: State, fact: Controlled) -> str:
    return no_side(state, fact.side) or (
        "" if fact.place in state.open.control else f"{fact.place} is not an objective"
    )


def _depot_set(_game_data: GameData, state: State, fact: DepotSet) -> str:
    return "" if fact.place in state.open.depots else f"there is no depot at {fact.place}"


# --- units and their ledgers -----------------------------------------------------------------------------------------


def _added(game_data: GameData, state: State, fact: UnitAdded) -> str:
    """A hex may be too full: the draft asks the GM who leaves it."""
    missing = no_side(state, fact.side) or why_no_label(state, fact.label)
    if missing:
        return missing
    if fact.at not in game_data.hexes:
        return f"{fact.at} is not on the map"
    if fact.branch is COMMANDO:
        return "only the Germans have commandos (R11)" if fact.side == ALLIED else ""
    if fact.at in occupied_hexes(state.own[enemy_of(fact.side)]):
        return f"the enemy is at {fact.at} (R5.6)"
    options = state.open.options
    unit = new_unit(fact.label, fact.branch, small=fact.small, at=fact.at, strength=fact.strength, options=options)
    least = wiped_out_at(unit, options.wiped_out) + 1
    return "" if least <= fact.strength <= FULL else f"its strength must be {least} to {FULL} percent"


def why_no_label(state: State, label: str) -> str:
    """Why a new unit cannot have this label; empty if it can."""
    return why_unwritable(label) or (f"there is a unit {label} already" if plain(label) in taken_names(state) else "")


def taken_names(state: State) -> frozenset[str]:
    """The names of all units that there are or ever were, in the form for comparing."""
    return frozenset(plain(name) for unit in _everybody(state) for name in (unit.id, unit.label, unit.name))


def why_unwritable(label: str) -> str:
    """Why no unit can have this label; empty if orders and maps are able to name it."""
    if not plain(label) or len(label) > _LONGEST_LABEL or len(label.split()) > LONGEST_NAME:
        return f"a label has letters or digits, at most {_LONGEST_LABEL} characters and at most {LONGEST_NAME} words"
    if unprintable(label) or unlettered(label) or set("#,") & set(label):
        return f"{label!r} is no label: write it in Latin, Greek or Cyrillic letters, without commas and #"
    return ""


def _everybody(state: State) -> Iterator[Unit]:
    """All units that there are or ever were."""
    for own in state.own.values():
        yield from (*own.units.values(), *own.lost.values())


_LONGEST_LABEL = 24


def _removed(_game_data: GameData, state: State, fact: UnitRemoved) -> str:
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    label = state.own[fact.side].units[fact.unit].label
    waiting = (*state.open.battles, *(pending.battle for pending in state.open.pending_retreats))
    fights = any(fact.unit == each.unit for battle in waiting for each in (*battle.attackers, *battle.defenders))
    return (
        f"the battle of {label} is not over (R12); make the ruling in a later phase, or rule it destroyed"
        if fights
        else ""
    )


def _tanks_set(_game_data: GameData, state: State, fact: TanksSet) -> str:
    return _no_unit(state, fact.side, fact.unit) or _wrong_number(fact.medium) or _wrong_number(fact.heavy)


def _goods_set(game_data: GameData, state: State, fact: GoodsSet) -> str:
    sold = [ware.goods for ware in game_data.charts.purchases.wares if ware.goods is not Goods.MEN]
    if fact.goods not in sold:
        return f"it must be one of {listed([goods.value for goods in sold])} (R14.2)"
    return _no_unit(state, fact.side, fact.unit) or _wrong_number(fact.amount)


def _wrong_number(count: int) -> str:
    return "" if 0 <= count <= _MOST_GOODS else f"the number must be 0 to {_MOST_GOODS}"


_MOST_GOODS = 99


def _line_written(_game_data: GameData, state: State, fact: LineWritten) -> str:
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    unit, text = state.own[fact.side].units[fact.unit], fact.line.text
    if not text.strip() or len(text) > _LONGEST_LINE or unprintable(text):
        return f"a line of a ledger has 1 to {_LONGEST_LINE} characters"
    if len(lines_in(unit.ledger)) >= _MOST_LINES:
        return f"the ledger of {unit.label} has {_MOST_LINES} lines already; strike one first"
    return _no_tank(unit, fact.line) if fact.line.kind in NAMED_TANKS else ""


_LONGEST_LINE, _MOST_LINES = 120, 20


def _no_tank(unit: Unit, line: LedgerLine) -> str:
    """R12.9, R14.3 Why a name is none of its tanks': the two that armour always brings can have names as well."""
    has = medium_tanks(unit) if line.kind is LineKind.MEDIUM_TANK else unit.heavy_tanks
    named = [each for each in lines_in(unit.ledger) if each.kind in NAMED_TANKS]
    if any(plain(each.text) == plain(line.text) for each in named):
        return f"a tank of {unit.label} is called {line.text} already"
    if sum(each.kind is line.kind for each in named) >= has:
        return f"{unit.label} has no {line.kind.value} tank without a name"
    return ""


def _line_struck(_game_data: GameData, state: State, fact: LineStruck) -> str:
    missing = _no_unit(state, fact.side, fact.unit)
    if missing:
        return missing
    unit = state.own[fact.side].units[fact.unit]
    return "" if fact.line in lines_in(unit.ledger) else f"the ledger of {unit.label} has no such line"


def _no_unit(state: State, side: SideId, unit: UnitId) -> str:
    return no_side(state, side) or ("" if unit in state.own[side].units else f"{PEOPLE[side]} have no unit {unit}")


def _no_room(own: Own, unit: Unit, at: PlaceId) -> str:
    there = [other for other in own.units.values() if other.at == at and other.id != unit.id]
    return f"{at} is full (R5.5)" if too_full([*there, unit]) else ""


RULINGS: Objections = {
    UnitPlaced: _placed,
    BattleRuled: _battle_ruled,
    StrengthSet: _strength_set,
    Destroyed: _destroyed,
    CutOff: _marked,
    Resupplied: _marked,
    FuelSet: _fuel_set,
    WeatherSet: _weather_set,
    Controlled: _controlled,
    DepotSet: _depot_set,
    Dug: _dug,
    PositionGone: _position_gone,
    UnitAdded: _added,
    UnitRemoved: _removed,
    TanksSet: _tanks_set,
    GoodsSet: _goods_set,
    LineWritten: _line_written,
    LineStruck: _line_struck,
}
"""What may be ruled, with the objections to each."""
