"""Every order that is legal as far as a side knows: the map offers them, bots and fuzzers pick from them.

Candidates are listed by kind of order; the checker decides, so that no rule is written twice.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from campaign.engine.choices import Draft
from campaign.engine.ids import SideId, UnitId
from campaign.engine.orders import Hold, Line, Order, Placed
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.model import orders as o
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Box, Goods, Theatre
from campaign.rulesets.forum_campaign.model.options import Shortage
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Unit, Winner
from campaign.rulesets.forum_campaign.movement.plan import Route, plan_moves
from campaign.rulesets.forum_campaign.movement.reach import reachable
from campaign.rulesets.forum_campaign.movement.saved_moves import judge_plots
from campaign.rulesets.forum_campaign.sheets.checking import Judged, judge_sheet

_ALL = 100
"""Percent of a full establishment."""
_LONGEST_BATTLE = 60
"""Minutes."""


def candidates(draft: Draft[Theatre, State], unit: UnitId | None) -> Iterator[Order]:
    """The orders for a unit that a draft allows; for None those that name no unit.

    Moves are listed by their destination, each once. Free text is not listed.
    """
    asked = _Asked(draft)
    return (order for kind in draft.kinds(unit) if kind in _CANDIDATES for order in _CANDIDATES[kind](asked, unit))


@dataclass(frozen=True)
class _Asked:
    """A draft, and how things stand when its moves are made."""

    draft: Draft[Theatre, State]

    @property
    def theatre(self) -> Theatre:
        return self.draft.sheet.theatre

    @property
    def known(self) -> State:
        return self.draft.sheet.known

    @property
    def side(self) -> SideId:
        return self.draft.sheet.side

    @cached_property
    def judged(self) -> Judged:
        return judge_sheet(self.draft.sheet)

    @property
    def situation(self) -> Situation:
        return self.judged.plan.situation

    def unit(self, unit: UnitId | None) -> Unit | None:
        return self.situation.units.get(unit) if unit else None


_Candidates = Callable[[_Asked, Any], Iterator[Order]]


def _checked(candidates: _Candidates) -> _Candidates:
    """Only those of these candidates that the checker accepts."""
    return lambda asked, unit: asked.draft.allowed(candidates(asked, unit))


# --- marching --------------------------------------------------------------------------------------------------------


def _moves(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    """R4 Every hex in which a unit may end. The way there is the one that the checker finds."""
    mover = asked.unit(unit)
    if mover is None or asked.draft.has(o.Move, unit) or asked.draft.has(Hold, unit):
        return
    ways = reachable(asked.situation, mover).ways()
    standing = (place for place, way in ways if way and _stands(asked, Route(Line(0), unit, way)))
    yield from _fuelled(asked, (o.Move(unit, to=place) for place in standing))


def _stands(asked: _Asked, route: Route) -> bool:
    (step,) = plan_moves(asked.situation, [route]).steps
    return step.walk.halt is None


def _fuelled(asked: _Asked, marches: Iterator[Order]) -> Iterator[Order]:
    """R10.7 The marches with enough fuel, whether for now or put by for later: it is the same for all ways of a unit.

    If infantry may go without fuel, or captured fuel counts at once (2.10), each is checked.
    """
    options = asked.known.open.options
    if asked.side != GERMAN:
        yield from marches
    elif options.captured_counts_now or options.fuel_shortage is Shortage.INFANTRY_FREE:
        yield from filter(asked.draft.allows, marches)
    else:
        first = next(marches, None)
        if first is not None and asked.draft.allows(first):
            yield first
            yield from marches


def _thens(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    """R4.5 Where a unit may go with saved movement, if the battles change nothing."""
    mover = asked.unit(unit)
    if mover is None or mover.at is None or asked.draft.has(o.Then, unit):
        return
    ways = reachable(asked.situation, mover).ways()
    standing = (place for place, way in ways if way and _stands_later(asked, Placed(o.Then(unit, path=way), 0)))
    yield from _fuelled(asked, (o.Then(unit, to=place) for place in standing))


def _stands_later(asked: _Asked, then: Placed) -> bool:
    (plot,) = judge_plots(asked.judged.plan, [then], asked.judged.attacking, {})
    return plot.stands


@_checked
def _attacks(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    """R4.4 Attacks on every hex next to a unit, whether an enemy is seen there or not, and on contact."""
    attacker = asked.unit(unit)
    if attacker is not None and attacker.at is not None:
        yield from (o.Attack(unit, at=place) for place in sorted(asked.theatre.open_neighbours(attacker.at)))
        yield o.Attack(unit, contact=True)


@_checked
def _detachments(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    parent = asked.unit(unit)
    if parent is not None:
        yield from (o.Detach(unit, tanks) for tanks in range(min(parent.tanks, 1) + 1))


def _alone(kind: Callable[[UnitId], Order]) -> _Candidates:
    """Orders that name only the unit."""
    return _checked(lambda _asked, unit: iter([kind(unit)]))


@_checked
def _follows(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    """R11.5 The units in a commando's hex."""
    commando = asked.unit(unit)
    if commando is not None and not commando.ground and commando.at is not None:
        yield from (o.Follow(unit, leader.id) for leader in asked.situation.at(commando.at) if leader.ground)


@_checked
def _demolitions(asked: _Asked, _unit: None) -> Iterator[Order]:
    yield from (o.Demolish(place) for place in sorted(asked.known.open.depots))


# --- air and purchases -----------------------------------------------------------------------------------------------


def _units_in(asked: _Asked, box: Box) -> int:
    day = asked.known.open.air.get(asked.side)
    return day.boxes.get(box, 0) if day else 0


@_checked
def _close_support(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    yield from (o.Cas(unit, units) for units in range(1, _units_in(asked, Box.CAS) + 1))


@_checked
def _allocations(asked: _Asked, _unit: None) -> Iterator[Order]:
    """R3.5 Every way to send out some or all of the day's air units."""
    day = asked.known.open.air.get(asked.side)
    counts = range((day.available if day else 0) + 1)
    yield from (o.Air(*boxes) for boxes in product(counts, repeat=len(Box)) if 0 < sum(boxes) <= counts[-1])


@_checked
def _removals(_asked: _Asked, _unit: None) -> Iterator[Order]:
    yield from (o.Remove(box) for box in Box)


@_checked
def _interdictions(asked: _Asked, _unit: None) -> Iterator[Order]:
    day = asked.known.open.air.get(asked.side)
    places = sorted({sighting.at for sighting in asked.known.own[asked.side].sightings})
    counts = range(1, (day.available if day else 0) + 1)
    yield from (o.Interdict(place, units) for place in places for units in counts)


@_checked
def _jumps(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    mover = asked.known.own[asked.side].units.get(unit)
    if mover is not None and mover.at is None and mover.entry is None:
        yield from (o.Paradrop(unit, place) for place in sorted(asked.theatre.charts.commandos.drop_zone))


@_checked
def _purchases(_asked: _Asked, unit: UnitId) -> Iterator[Order]:
    yield from (o.Buy(unit, goods) for goods in Goods)


# --- battles ---------------------------------------------------------------------------------------------------------


@_checked
def _retreats(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    """R12.5 In the retreats' own phase and in the GM's results: the hexes now open to a beaten unit."""
    battles = (*asked.known.open.battles, *(rout.battle for rout in asked.known.open.routs))
    for battle in battles:
        if unit in {fighter.unit for fighter in battle.defenders}:
            places = retreat_hexes(asked.theatre, asked.known, battle, unit)
            yield from (o.Retreat(unit, place) for place in places)


@_checked
def _results(asked: _Asked, _unit: None) -> Iterator[Order]:
    for battle in asked.known.open.battles:
        yield o.Result(battle.at, Winner.DEFENDERS)
        for advance in (None, *(fighter.unit for fighter in battle.attackers)):
            yield o.Result(battle.at, Winner.ATTACKERS, advance)


@_checked
def _losses(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    if _fighter(asked, unit):
        yield from (o.Losses(unit, percent) for percent in range(1, _ALL + 1))


@_checked
def _tanks(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    if _fighter(asked, unit):
        fighter = next(own.units[unit] for own in asked.known.own.values() if unit in own.units)
        mediums = range(fighter.tanks + fighter.bought.get(Goods.TANKS, 0) + 1)
        counts = product(mediums, range(fighter.heavy_tanks + 1))
        yield from (o.Tanks(unit, medium, heavy) for medium, heavy in counts if medium or heavy)


@_checked
def _pursuits(asked: _Asked, unit: UnitId) -> Iterator[Order]:
    for battle in asked.known.open.battles:
        if unit in {fighter.unit for fighter in battle.attackers}:
            places = (battle.at, *sorted(asked.theatre.open_neighbours(battle.at)))
            yield from (o.Pursue(unit, place) for place in places)


@_checked
def _withdrawals(asked: _Asked, _unit: None) -> Iterator[Order]:
    for battle in asked.known.open.battles:
        yield from (o.Withdrawal(battle.at, minute) for minute in range(1, _LONGEST_BATTLE + 1))


@_checked
def _decisions(asked: _Asked, _unit: None) -> Iterator[Order]:
    yield from (o.Decide(battle.at) for battle in asked.known.open.battles)


def _fighter(asked: _Asked, unit: UnitId) -> Combatant | None:
    fighters = (fighter for battle in asked.known.open.battles for fighter in _all_of(battle))
    return next((fighter for fighter in fighters if fighter.unit == unit), None)


def _all_of(battle: Battle) -> tuple[Combatant, ...]:
    return (*battle.attackers, *battle.defenders)


_CANDIDATES: Mapping[type[Order], _Candidates] = {
    o.Move: _moves,
    o.Then: _thens,
    Hold: _alone(Hold),
    o.Attack: _attacks,
    o.Detach: _detachments,
    o.Rejoin: _alone(o.Rejoin),
    o.Cas: _close_support,
    o.Artillery: _alone(o.Artillery),
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
