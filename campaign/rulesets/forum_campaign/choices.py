"""Every order that is legal as far as a side knows: the map offers them, bots and fuzzers pick from them.

Candidates are listed by kind of order; the checker decides, so that no rule is written twice.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product, takewhile
from typing import Any

from campaign.engine.choices import Draft, Way
from campaign.engine.orders.grammar import units_named
from campaign.engine.orders.order import Hold, Line, Order, Placed
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace as with_values
from campaign.rulesets.forum_campaign.air.paratroops import due_today
from campaign.rulesets.forum_campaign.battle.outside import most_outside
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.model import orders as o
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Box, GameData, Goods
from campaign.rulesets.forum_campaign.model.options import Shortage
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Unit, Winner
from campaign.rulesets.forum_campaign.movement.plan import Route, plan_moves
from campaign.rulesets.forum_campaign.movement.reach import reachable
from campaign.rulesets.forum_campaign.movement.saved_moves import check_plots
from campaign.rulesets.forum_campaign.movement.walking import Walk
from campaign.rulesets.forum_campaign.sheets.checking import CheckedSheet, checked_sheet, takes_attack

_ALL = 100
"""Percent of an establishment."""
_LONGEST_BATTLE = 60
"""Minutes."""


def candidates(draft: Draft[GameData, State], unit: UnitId | None) -> Iterator[Order]:
    """The orders for a unit that a draft allows; for None those that name no unit.

    Moves are listed by their destination, each once. Free text is not listed.
    """
    written = draft.once(_Written)
    return (order for kind in draft.kinds(unit) if kind in _CANDIDATES for order in _CANDIDATES[kind](written, unit))


@dataclass(frozen=True)
class _Written:
    """A draft, and the situation after its moves."""

    draft: Draft[GameData, State]

    @property
    def game_data(self) -> GameData:
        return self.draft.sheet.game_data

    @property
    def known(self) -> State:
        return self.draft.sheet.known

    @property
    def side(self) -> SideId:
        return self.draft.sheet.side

    @cached_property
    def checked(self) -> CheckedSheet:
        return checked_sheet(self.draft.sheet)

    @property
    def situation(self) -> Situation:
        return self.checked.plan.situation

    @cached_property
    def routed(self) -> Draft[GameData, State]:
        """The draft with the way of every move that needs none to be found: each check would search for it again."""
        if not self.draft.sheet.has(o.Move):
            return self.draft
        moves = (step for step in self.checked.plan.steps if step.walk.stop_reason is None)
        ways = {step.route.line: step.walk.entered for step in moves}
        lines = tuple(_routed(placed, ways.get(placed.where, ())) for placed in self.draft.sheet.lines)
        return replace(self.draft, sheet=replace(self.draft.sheet, lines=lines))

    def allows(self, order: Order) -> bool:
        """Whether the checker accepts the order as the sheet's next line."""
        return self.routed.allows(order)

    def allows_attack(self, attack: o.Attack) -> bool:
        """The same for an attack, by the checker's plan of the moves so far.

        It moves nobody, so the plan stays, unless fuel is put by for later: whether in vain depends on who attacks.
        """
        if self.known.open.options.separate_attacks or self.draft.sheet.has(o.Then):
            return self.allows(attack)
        return takes_attack(self.checked, attack)

    def unit(self, unit: UnitId | None) -> Unit | None:
        return self.situation.units.get(unit) if unit else None


def _routed(placed: Placed, way: tuple[PlaceId, ...]) -> Placed:
    if not way or not isinstance(placed.order, o.Move):
        return placed
    return with_values(placed, order=o.Move(placed.order.unit, path=way))


_Candidates = Callable[[_Written, Any], Iterator[Order]]


def _checked(candidates: _Candidates) -> _Candidates:
    """Only those of these candidates that the checker accepts."""
    return lambda written, unit: written.routed.allowed(candidates(written, unit))


def ways(draft: Draft[GameData, State], unit: UnitId) -> Iterator[Way]:
    """R4 Every hex in which a unit may end its move. A unit that moves already goes on from the end of its path.

    If further lines name it, they count on where it ends, so its path is left alone.
    """
    if o.Move not in draft.phase.orders:
        return
    written = draft.once(_Written)
    mover = written.unit(unit)
    kinds = {type(placed.order) for placed in draft.sheet.lines if unit in units_named(placed.order)}
    if mover is None or Hold in kinds or (o.Move in kinds and len(kinds) > 1):
        return
    entered = next((step.walk.entered for step in written.checked.plan.steps if step.route.unit == unit), ())
    if o.Move in kinds and not entered:
        return
    found: dict[Order, Way] = {}

    def marches() -> Iterator[Order]:
        for place, path in reachable(written.situation, mover).ways():
            walk = _walked(written, unit, path) if path else None
            if walk is not None and walk.stop_reason is None:
                order = o.Move(unit, path=(*entered, *path)) if entered else o.Move(unit, to=place)
                found[order] = Way(order, path, walk.spent, walk.allowance)
                yield order

    yield from (found[order] for order in _fuelled(_before(written, unit), marches()))


def _before(written: _Written, unit: UnitId) -> _Written:
    """The draft without all lines that name a unit."""
    sheet = written.draft.sheet
    stays = tuple(placed for placed in sheet.lines if unit not in units_named(placed.order))
    if len(stays) == len(sheet.lines):
        return written
    return _Written(replace(written.draft, sheet=replace(sheet, lines=stays)))


# --- marching --------------------------------------------------------------------------------------------------------


def _moves(written: _Written, unit: UnitId) -> Iterator[Order]:
    """R4 Every hex in which a unit may end. The way there is the one that the checker finds."""
    mover = written.unit(unit)
    if mover is None or written.draft.has(o.Move, unit) or written.draft.has(Hold, unit):
        return
    paths = reachable(written.situation, mover).ways()
    standing = (place for place, path in paths if path and _walked(written, unit, path).stop_reason is None)
    yield from _fuelled(written, (o.Move(unit, to=place) for place in standing))


def _walked(written: _Written, unit: UnitId, path: tuple[PlaceId, ...]) -> Walk:
    """R4.2 With the contact that the lines above have brought: a task force has met what its unit has met.

    Fuel is left out where all ways of a unit need the same (see `_fuelled`), and only then.
    """
    route, contacts = Route(Line(0), unit, path), written.checked.plan.contacts
    fuelled = written.known.open.options.fuel_shortage is Shortage.INFANTRY_FREE
    (step,) = plan_moves(written.situation, [route], contacts=contacts, fuelled=fuelled).steps
    return step.walk


def _fuelled(written: _Written, marches: Iterator[Order]) -> Iterator[Order]:
    """R10.7 The marches with enough fuel, whether for now or put by for later: it is the same for all ways of a unit.

    If infantry may go without fuel, or captured fuel counts at once (2.10), each is checked.
    """
    options = written.known.open.options
    if written.side != GERMAN:
        yield from marches
    elif options.captured_counts_now or options.fuel_shortage is Shortage.INFANTRY_FREE:
        yield from filter(written.allows, marches)
    else:
        first = next(marches, None)
        if first is not None and written.allows(first):
            yield first
            yield from marches


def _thens(written: _Written, unit: UnitId) -> Iterator[Order]:
    """R4.5 Where a unit may go with saved movement, if the battles change nothing."""
    mover = written.unit(unit)
    if mover is None or mover.at is None or written.draft.has(o.Then, unit):
        return
    paths = reachable(written.situation, mover).ways()
    standing = (place for place, path in paths if path and _stands_later(written, Placed(o.Then(unit, path=path), 0)))
    yield from _fuelled(written, (o.Then(unit, to=place) for place in standing))


def _stands_later(written: _Written, then: Placed) -> bool:
    (plot,) = check_plots(written.checked.plan, [then], written.checked.attacking, {})
    return plot.stands


def _attacks(written: _Written, unit: UnitId) -> Iterator[Order]:
    """R4.4 Attacks on every hex next to a unit, whether an enemy is seen there or not, and on contact."""
    attacker = written.unit(unit)
    if attacker is not None and attacker.at is not None:
        near = sorted(written.game_data.open_neighbours(attacker.at))
        attacks = (*(o.Attack(unit, at=place) for place in near), o.Attack(unit, contact=True))
        yield from filter(written.allows_attack, attacks)


@_checked
def _detachments(written: _Written, unit: UnitId) -> Iterator[Order]:
    parent = written.unit(unit)
    if parent is not None:
        yield from (o.Detach(unit, tanks) for tanks in range(min(parent.tanks, 1) + 1))


def _alone(kind: Callable[[UnitId], Order]) -> _Candidates:
    """Orders that name only the unit."""
    return _checked(lambda _asked, unit: iter([kind(unit)]))


@_checked
def _rejoinings(written: _Written, unit: UnitId) -> Iterator[Order]:
    force = written.unit(unit)
    if force is not None and force.parent:
        yield o.Rejoin(unit)


@_checked
def _rankings(written: _Written, unit: UnitId) -> Iterator[Order]:
    if most_outside(written.known.open.options, written.side):
        yield o.Outside(unit)


@_checked
def _follows(written: _Written, unit: UnitId) -> Iterator[Order]:
    """R11.5 The units in a commando's hex."""
    commando = written.unit(unit)
    if commando is not None and not commando.ground and commando.at is not None:
        yield from (o.Follow(unit, leader.id) for leader in written.situation.at(commando.at) if leader.ground)


@_checked
def _demolitions(written: _Written, _unit: None) -> Iterator[Order]:
    yield from (o.Demolish(place) for place in sorted(written.known.open.depots))


# --- air and purchases -----------------------------------------------------------------------------------------------


def _units_in(written: _Written, box: Box) -> int:
    day = written.known.open.air.get(written.side)
    return day.boxes.get(box, 0) if day else 0


@_checked
def _close_support(written: _Written, unit: UnitId) -> Iterator[Order]:
    yield from (o.Cas(unit, units) for units in range(1, _units_in(written, Box.CAS) + 1))


def _allocations(written: _Written, _unit: None) -> Iterator[Order]:
    """R3.5 All of the day's air units in one box, or in two. There may be a thousand other ways: those are written.

    Two boxes that the checker accepts for all units are also accepted for a part of them.
    """
    units = _available(written)
    boxes = [box for box in Box if units and written.allows(_allocation({box: units}))]
    yield from (_allocation({box: units}) for box in boxes)
    for one, two in combinations(boxes, 2):
        yield from (_allocation({one: part, two: units - part}) for part in range(1, units))


def _allocation(units: Mapping[Box, int]) -> o.Air:
    return o.Air(**{box.value: number for box, number in units.items()})


def _available(written: _Written) -> int:
    day = written.known.open.air.get(written.side)
    return day.available if day else 0


@_checked
def _removals(_asked: _Written, _unit: None) -> Iterator[Order]:
    yield from (o.Remove(box) for box in Box)


def _interdictions(written: _Written, _unit: None) -> Iterator[Order]:
    """R3.9 On every hex with an enemy in sight, as many units as are left."""
    for place in sorted({sighting.at for sighting in written.known.own[written.side].sightings}):
        attacks = (o.Interdict(place, units) for units in range(1, _available(written) + 1))
        yield from takewhile(written.allows, attacks)


@_checked
def _jumps(written: _Written, unit: UnitId) -> Iterator[Order]:
    if unit in {jumper.id for jumper in due_today(written.known, written.side)}:
        zone = written.game_data.charts.commandos.zone(whole=written.known.open.options.whole_drop_zone)
        yield from (o.Paradrop(unit, place) for place in sorted(zone))


@_checked
def _purchases(_asked: _Written, unit: UnitId) -> Iterator[Order]:
    yield from (o.Buy(unit, goods) for goods in Goods)


# --- battles ---------------------------------------------------------------------------------------------------------


@_checked
def _retreats(written: _Written, unit: UnitId) -> Iterator[Order]:
    """R12.5 In the retreats' own phase and in the GM's results: the hexes now open to a defeated unit."""
    battles = (*written.known.open.battles, *(pending.battle for pending in written.known.open.pending_retreats))
    for battle in battles:
        if unit in {fighter.unit for fighter in battle.defenders}:
            places = retreat_hexes(written.game_data, written.known, battle, unit)
            yield from (o.Retreat(unit, place) for place in places)


@_checked
def _results(written: _Written, _unit: None) -> Iterator[Order]:
    for battle in written.known.open.battles:
        yield o.Result(battle.at, Winner.DEFENDERS)
        for advance in (None, *(fighter.unit for fighter in battle.attackers)):
            yield o.Result(battle.at, Winner.ATTACKERS, advance)


@_checked
def _losses(written: _Written, unit: UnitId) -> Iterator[Order]:
    if _fighter(written, unit):
        yield from (o.Losses(unit, percent) for percent in range(1, _ALL + 1))


@_checked
def _tanks(written: _Written, unit: UnitId) -> Iterator[Order]:
    if _fighter(written, unit):
        fighter = next(own.units[unit] for own in written.known.own.values() if unit in own.units)
        mediums = range(fighter.tanks + fighter.bought.get(Goods.TANKS, 0) + 1)
        counts = product(mediums, range(fighter.heavy_tanks + 1))
        yield from (o.Tanks(unit, medium, heavy) for medium, heavy in counts if medium or heavy)


@_checked
def _pursuits(written: _Written, unit: UnitId) -> Iterator[Order]:
    for battle in written.known.open.battles:
        if unit in {fighter.unit for fighter in battle.attackers}:
            places = (battle.at, *sorted(written.game_data.open_neighbours(battle.at)))
            yield from (o.Pursue(unit, place) for place in places)


@_checked
def _withdrawals(written: _Written, _unit: None) -> Iterator[Order]:
    for battle in written.known.open.battles:
        yield from (o.Withdrawal(battle.at, minute) for minute in range(1, _LONGEST_BATTLE + 1))


@_checked
def _decisions(written: _Written, _unit: None) -> Iterator[Order]:
    yield from (o.Decide(battle.at) for battle in written.known.open.battles)


def _fighter(written: _Written, unit: UnitId) -> Combatant | None:
    fighters = (fighter for battle in written.known.open.battles for fighter in _all_of(battle))
    return next((fighter for fighter in fighters if fighter.unit == unit), None)


def _all_of(battle: Battle) -> tuple[Combatant, ...]:
    return (*battle.attackers, *battle.defenders)


_CANDIDATES: Mapping[type[Order], _Candidates] = {
    o.Move: _moves,
    o.Then: _thens,
    Hold: _alone(Hold),
    o.Attack: _attacks,
    o.Detach: _detachments,
    o.Rejoin: _rejoinings,
    o.Cas: _close_support,
    o.Artillery: _alone(o.Artillery),
    o.Outside: _rankings,
    o.Follow: _follows,
    o.Demolish: _demolitions,
    o.Air: _allocations,
    o.Remove: _removals,
    o.Interdict: _interdictions,
    o.Airdrop: _alone(o.Airdrop),
    o.Paradrop: _jumps,
    o.Buy: _purchases,
    o.Retreat: _retreats,
    o.Result: _results,
    o.Losses: _losses,
    o.Tanks: _tanks,
    o.Pursue: _pursuits,
    o.Withdrawal: _withdrawals,
    o.Decide: _decisions,
}
