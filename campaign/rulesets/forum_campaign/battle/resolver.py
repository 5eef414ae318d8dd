"""R12.1, 2.10 The resolver: the rules decide battles, if a campaign has chosen so.

It gives what a report would: a result, losses and tanks lost, as lines of a sheet of results. What follows from them is
the same either way. The model is written down in RULES.md; its numbers are a chart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Order, Placed
from campaign.engine.values.ids import GM, PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier, total
from campaign.rulesets.forum_campaign.battle.outside import fought_outside
from campaign.rulesets.forum_campaign.battle.template import medium_tanks
from campaign.rulesets.forum_campaign.day.digging import LEVELS
from campaign.rulesets.forum_campaign.model.game_data import (
    GERMAN,
    GameData,
    Goods,
    OddsLine,
    ResolverRules,
    Terrain,
    enemy_of,
)
from campaign.rulesets.forum_campaign.model.options import BattleMode
from campaign.rulesets.forum_campaign.model.orders import Decide, Losses, Result, Tanks, Withdrawal
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Support, Unit, Winner, wiped_out_at
from campaign.rulesets.forum_campaign.model.words import SIDE_NAMES, plural

_RULE = "R12.11"
_PERCENT = 100


@dataclass(frozen=True)
class Resolved:
    """A sheet of results, with lines for the battles that the rules decide."""

    lines: tuple[Placed, ...]
    reasons: Mapping[PlaceId, Mapping[SideId, tuple[Modifier, ...]]]
    """For battles that the rules decided: what each side's strength was made of."""


@dataclass(frozen=True)
class Deciding:
    """The battles that a sheet leaves to the rules, and the answer to its DECIDE lines."""

    at: tuple[PlaceId, ...]
    checked: Checked


def check_decisions(game_data: GameData, known: State, sheet: Sequence[Placed]) -> Deciding:
    """2.10 The battles that the GM leaves to the rules, if the campaign offers that choice."""
    decided = {placed.order.at for placed in sheet if isinstance(placed.order, Result | Withdrawal)}
    left: list[PlaceId] = []

    def check(order: Decide) -> str:
        place = game_data.place_name(order.at)
        if len(known.own) == 1:
            raise Refused("not-yours", f"only the GM can let the resolver decide the battle of {place}", _RULE)
        if known.open.options.battles is not BattleMode.BY_CHOICE:
            raise Refused("mode", "this campaign does not use the resolver for single battles", _RULE)
        if order.at not in {battle.at for battle in known.open.battles}:
            raise Refused("no-battle", f"there is no battle at {place}", _RULE)
        if order.at in decided:
            raise Refused("twice", f"another line decides the battle of {place}", _RULE)
        decided.add(order.at)
        left.append(order.at)
        return f"the resolver decides the battle of {place}"

    checked = check_lines(sheet, {Decide: check})
    return Deciding(tuple(left), checked)


def by_rules(_game_data: GameData, known: State, battle: str) -> Decide | None:
    """2.10 The line by which the GM leaves a battle to the rules, if the campaign offers that choice."""
    return Decide(PlaceId(battle)) if known.open.options.battles is BattleMode.BY_CHOICE else None


def resolve_by_rules(ledger: Ledger[GameData, State], sheet: Sequence[Placed]) -> Resolved:
    """2.10 Decide the battles that are left to the rules, and put the outcomes into the sheet; reports stay."""
    reported = {placed.order.at for placed in sheet if isinstance(placed.order, Result | Withdrawal)}
    chosen = _chosen(ledger, sheet)
    battles = [battle for battle in ledger.state.open.battles if battle.at in chosen and battle.at not in reported]
    outcomes = {battle.at: _outcome(ledger, battle) for battle in battles}
    lines = _with_outcomes(sheet, battles, {at: outcome.orders for at, outcome in outcomes.items()})
    return Resolved(tuple(lines), {at: outcome.reasons for at, outcome in outcomes.items()})


# --- which battles ---------------------------------------------------------------------------------------------------


def _chosen(ledger: Ledger[GameData, State], sheet: Sequence[Placed]) -> frozenset[PlaceId]:
    """All that are not fought outside, and those of these that the GM leaves to the rules."""
    inside = [battle.at for battle in ledger.state.open.battles if battle not in fought_outside(ledger.state.open)]
    return frozenset((*inside, *check_decisions(ledger.game_data, ledger.state, sheet).at))


def _with_outcomes(
    sheet: Sequence[Placed], battles: Sequence[Battle], outcomes: Mapping[PlaceId, Sequence[Order]]
) -> Iterator[Placed]:
    """A battle's outcome replaces its DECIDE line, or comes last; other lines about the battle do not count."""
    units = {fighter.unit for battle in battles for fighter in (*battle.attackers, *battle.defenders)}
    left = dict(outcomes)
    for placed in sheet:
        if isinstance(placed.order, Decide):
            yield from (Placed(order, placed.line) for order in left.pop(placed.order.at, ()))
        elif getattr(placed.order, "unit", None) not in units and getattr(placed.order, "at", None) not in outcomes:
            yield placed
    for orders in left.values():
        yield from (Placed(order, 0) for order in orders)


# --- how one ends ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Outcome:
    orders: tuple[Order, ...]
    reasons: Mapping[SideId, tuple[Modifier, ...]]


def _outcome(ledger: Ledger[GameData, State], battle: Battle) -> _Outcome:
    """A roll for the winner, and one for each side's losses. They reveal both sides, so only the GM sees them."""
    game_data, state = ledger.game_data, ledger.state
    reasons = {
        battle.attacker: tuple(attacking(game_data, state, battle)),
        enemy_of(battle.attacker): tuple(defending(game_data, state, battle)),
    }
    line = odds_line(game_data.charts.resolver, *(max(total(parts), 1) for parts in reasons.values()))
    winner = _roll_winner(ledger, battle, line)
    toll = line.won if winner is Winner.ATTACKERS else line.held
    lost = {
        **_losses(ledger, battle, battle.attackers, toll.attackers),
        **_losses(ledger, battle, battle.defenders, toll.defenders),
    }
    advance = _moves_in(state, battle, lost) if winner is Winner.ATTACKERS else None
    return _Outcome((Result(battle.at, winner, advance), *_loss_lines(game_data, state, battle, lost)), reasons)


def odds_line(rules: ResolverRules, attackers: int, defenders: int) -> OddsLine:
    """The last line of the odds table that these strengths reach."""
    odds = attackers * _PERCENT // defenders
    return [line for line in rules.odds if line.at <= odds][-1]


def _roll_winner(ledger: Ledger[GameData, State], battle: Battle, line: OddsLine) -> Winner:
    place = ledger.game_data.place_name(battle.at)
    purpose = f"the battle of {place}, which the attackers win at {line.chance} or less"
    label = f"battle/{battle.at}/winner"
    (die,) = ledger.roll(label, sides=_PERCENT, audience=GM, purpose=purpose, rule=_RULE)
    return Winner.ATTACKERS if die <= line.chance else Winner.DEFENDERS


def _losses(
    ledger: Ledger[GameData, State], battle: Battle, fighters: Sequence[Combatant], base: int
) -> dict[UnitId, int]:
    """One roll for all units of a side: each loses that percentage, rounded to the nearest."""
    who = "attackers" if fighters is battle.attackers else "defenders"
    purpose = f"the losses of the {who} at {ledger.game_data.place_name(battle.at)}, which are {base} percent more"
    sides = ledger.game_data.charts.resolver.loss_die
    label = f"battle/{battle.at}/losses/{who}"
    (die,) = ledger.roll(label, sides=sides, audience=GM, purpose=purpose, rule=_RULE)
    return dict.fromkeys((fighter.unit for fighter in fighters), min(base + die, _PERCENT))


def _loss_lines(
    game_data: GameData, state: State, battle: Battle, lost: Mapping[UnitId, int]
) -> Iterator[Losses | Tanks]:
    for unit in (*_units(state, battle.attacker, battle.attackers), *_defenders(state, battle)):
        yield Losses(unit.id, _share(unit.strength, lost[unit.id]))
        of_tanks = min(lost[unit.id] * game_data.charts.resolver.tank_losses // _PERCENT, _PERCENT)
        medium = _share(unit.tanks + unit.bought.get(Goods.TANKS, 0), of_tanks)
        heavy = _share(unit.heavy_tanks, of_tanks)
        if medium or heavy:
            yield Tanks(unit.id, medium=medium, heavy=heavy)


def _share(number: int, percent: int) -> int:
    """Percent of a number, rounded to the nearest, halves up."""
    return (number * percent + _PERCENT // 2) // _PERCENT


def _moves_in(state: State, battle: Battle, lost: Mapping[UnitId, int]) -> UnitId | None:
    """R12.2 The strongest mechanized victor that is left, else the strongest."""
    option = state.open.options.wiped_out
    left = [
        (unit.mechanized, after, unit.id)
        for unit in _units(state, battle.attacker, battle.attackers)
        if (after := unit.whole - _share(unit.strength, lost[unit.id])) > wiped_out_at(unit, option)
        and after > unit.lent
    ]
    return max(left)[-1] if left else None


# --- strength --------------------------------------------------------------------------------------------------------


def attacking(game_data: GameData, state: State, battle: Battle) -> Iterator[Modifier]:
    """The parts of the attackers' strength: units, support, then what terrain and weather change."""
    rules = game_data.charts.resolver
    units = [_worth(rules, battle.attacker, unit) for unit in _units(state, battle.attacker, battle.attackers)]
    yield from units
    yield from _support(rules, _support_of(state, battle.attacker, battle))
    yield from _in_percent(total(units), _helping_attackers(game_data, state, battle))


def defending(game_data: GameData, state: State, battle: Battle) -> Iterator[Modifier]:
    """The parts of the defenders' strength: units and their guns, support, then terrain and fortifications."""
    rules, side = game_data.charts.resolver, enemy_of(battle.attacker)
    units = [part for unit in _defenders(state, battle) for part in _worth_defending(rules, side, unit)]
    yield from units
    yield from _support(rules, _support_of(state, side, battle))
    yield from _in_percent(total(units), _helping_defenders(game_data, battle))


def worth(rules: ResolverRules, side: SideId, unit: Unit) -> int:
    """Headcount by arm and establishment, and tanks; a unit small from the start counts for a part of a division.

    All of it counts for what a unit of its side is worth.
    """
    men = unit.strength * unit.establishment * rules.arms.get(unit.branch, 0) // (_PERCENT * _PERCENT)
    tanks = medium_tanks(unit) * rules.medium_tank + unit.heavy_tanks * rules.heavy_tank
    part = rules.small if unit.small_from_start and not unit.raised else _PERCENT
    return (men + tanks) * part * rules.sides.get(side, _PERCENT) // (_PERCENT * _PERCENT)


def _worth(rules: ResolverRules, side: SideId, unit: Unit) -> Modifier:
    named = {"establishment": unit.establishment, f"{SIDE_NAMES[side]} units": rules.sides.get(side, _PERCENT)}
    of_full = ", ".join(f"{what} {percent} %" for what, percent in named.items() if percent != _PERCENT)
    words = f"{unit.label} at {unit.strength} %{of_full and f' ({of_full})'}"
    return Modifier(worth(rules, side, unit), words, _RULE)


def _worth_defending(rules: ResolverRules, side: SideId, unit: Unit) -> Iterator[Modifier]:
    yield _worth(rules, side, unit)
    light = unit.bought.get(Goods.AT_GUNS, 0) + unit.bought.get(Goods.AA_GUNS, 0)
    heavy = unit.bought.get(Goods.HEAVY_AT_GUNS, 0) + unit.bought.get(Goods.HEAVY_AA_GUNS, 0)
    if light or heavy:
        yield Modifier(light * rules.gun + heavy * rules.heavy_gun, f"guns that {unit.label} has received", _RULE)


def _support(rules: ResolverRules, support: Support) -> Iterator[Modifier]:
    if support.air_units:
        words = f"{support.air_units} air {plural('unit', support.air_units)} in close support"
        yield Modifier(support.air_units * rules.air_unit, words, _RULE)
    if support.artillery:
        yield Modifier(rules.artillery, "heavy artillery", _RULE)


def _in_percent(units: int, causes: Iterator[tuple[int, str]]) -> Iterator[Modifier]:
    for percent, words in causes:
        if percent:
            yield Modifier(units * percent // _PERCENT, f"{words} ({percent:+d} %)", _RULE)


def _helping_attackers(game_data: GameData, state: State, battle: Battle) -> Iterator[tuple[int, str]]:
    rules, origins = game_data.charts.resolver, {fighter.comes_from for fighter in battle.attackers}
    yield rules.direction * (len(origins) - 1), f"out of {len(origins)} hexes"
    if all(origin is not None and (origin, battle.at) in game_data.rivers for origin in origins):
        yield -rules.river, "all of them across a river"
    if state.open.weather is not None:
        condition = state.open.weather.condition
        yield rules.weather.get(condition, 0), condition.value


def _helping_defenders(game_data: GameData, battle: Battle) -> Iterator[tuple[int, str]]:
    rules, here, side = game_data.charts.resolver, game_data.hexes[battle.at], enemy_of(battle.attacker)
    yield rules.terrain.get(here.terrain, 0), here.terrain.value
    if game_data.is_town(battle.at) and here.terrain is not Terrain.CITY:
        yield rules.town, "town"
    if battle.position:
        yield (rules.dug_in, rules.entrenched)[battle.position - 1], LEVELS[battle.position]
    if here.fortified and side == GERMAN:
        yield rules.fortified, "fortified"


def _support_of(state: State, side: SideId, battle: Battle) -> Support:
    return state.own[side].support.get(battle.at, Support())


def _defenders(state: State, battle: Battle) -> tuple[Unit, ...]:
    return _units(state, enemy_of(battle.attacker), battle.defenders)


def _units(state: State, side: SideId, fighters: Sequence[Combatant]) -> tuple[Unit, ...]:
    """The fighters who are still there: a ruling may have removed one."""
    units = state.own[side].units
    return tuple(units[fighter.unit] for fighter in fighters if fighter.unit in units)
