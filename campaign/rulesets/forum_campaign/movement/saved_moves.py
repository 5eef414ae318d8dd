"""R4.5 Saved movement: plotted before the battles, used after them."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Line, Placed
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.movement import Moved, Plotted, StopReason
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.orders import Then
from campaign.rulesets.forum_campaign.model.situation import as_true
from campaign.rulesets.forum_campaign.model.state import State, Unit, contacts_of
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.plan import Plan, Route, execute, plan_moves
from campaign.rulesets.forum_campaign.movement.walking import Walk, attack_allowance, cheapest_path, walk

# --- on the sheet ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plot:
    """The meaning of a line of saved movement, as far as its side knows."""

    placed: Placed
    unit: UnitId
    start: PlaceId | None
    path: tuple[PlaceId, ...] | None
    """None: there is no path to the place it names."""
    walk: Walk
    """How far it leads if the battles remove every enemy."""
    as_seen: Walk
    """How far it leads if the battles change nothing."""

    @property
    def stands(self) -> bool:
        return bool(self.path) and self.walk.stop_reason is None


Ways = dict[tuple[UnitId, PlaceId | None, PlaceId], tuple[PlaceId, ...] | None]
"""Ways to places, each found once for a sheet."""


def check_plots(plan: Plan, thens: Sequence[Placed], attacking: Collection[UnitId], ways: Ways) -> tuple[Plot, ...]:
    """R4.5 The saved movement of a sheet, after its moves and attacks.

    The battles may clear its way, so a plot is refused only for what no battle changes.
    """
    plots: list[Plot] = []
    plotted: set[UnitId] = set()
    for placed in thens:
        unit = plan.situation.units.get(placed.order.unit)
        stop_reason = _why_none(plan, placed.order.unit, unit, plotted)
        if unit is None or stop_reason is not None:
            plots.append(_refused(placed, unit, stop_reason or StopReason.ABSENT))
            continue
        plotted.add(unit.id)
        plots.append(_check(plan, placed, unit, attacking, ways))
    return tuple(plots)


def _why_none(plan: Plan, id_: UnitId, unit: Unit | None, plotted: Collection[UnitId]) -> StopReason | None:
    causes = (
        (unit is None, StopReason.ABSENT),
        (id_ in plotted, StopReason.TWICE),
        (unit is not None and unit.at is None, StopReason.ASTRAY),
        (id_ in plan.unpaid, StopReason.FUEL),
    )
    return next((stop_reason for applies, stop_reason in causes if applies), None)


def _refused(placed: Placed, unit: Unit | None, stop_reason: StopReason) -> Plot:
    start = unit.at if unit else None
    nowhere = Walk((), unit.spent if unit else 0, 0, stop_reason)
    return Plot(placed, placed.order.unit, start, placed.order.path or (placed.order.to,), nowhere, nowhere)


def _check(plan: Plan, placed: Placed, unit: Unit, attacking: Collection[UnitId], ways: Ways) -> Plot:
    path = _path(plan, unit, placed.order, ways)
    contact = plan.in_contact(unit)
    most = attack_allowance(unit) if unit.id in attacking else None
    at_best = walk(plan.situation.cleared(), unit, path or (), contact=contact, most=most)
    as_seen = walk(plan.situation, unit, path or (), contact=contact, most=most)
    return Plot(placed, unit.id, unit.at, path, at_best, as_seen)


def _path(plan: Plan, unit: Unit, order: Then, ways: Ways) -> tuple[PlaceId, ...] | None:
    if order.to is None:
        return order.path[1:] if order.path[:1] == (unit.at,) else order.path
    key = (unit.id, unit.at, order.to)
    if key not in ways:
        ways[key] = _cheapest(plan, unit, order.to)
    return ways[key]


def _cheapest(plan: Plan, unit: Unit, goal: PlaceId) -> tuple[PlaceId, ...] | None:
    """Around the enemy if the unit can pay for that, else as if the enemy were gone."""
    found = cheapest_path(plan.situation, unit, goal)
    if found is not None and walk(plan.situation, unit, found, contact=plan.in_contact(unit)).stop_reason is None:
        return found
    return cheapest_path(plan.situation.cleared(), unit, goal)


def crowded(plan: Plan, plots: Sequence[Plot]) -> frozenset[PlaceId]:
    """R5.5 Hexes that would be too full after saved movement, if the battles change nothing."""
    ends = {plot.unit: plot.walk.entered[-1] for plot in plots if plot.stands}
    units = [replace(unit, at=ends.get(unit.id, unit.at)) for unit in plan.situation.units.values()]
    places = Counter(unit.at for unit in units if unit.at is not None)
    full = (place for place, count in places.items() if count > 1)
    return frozenset(place for place in full if too_full(unit for unit in units if unit.at == place))


# --- when the battles are over ---------------------------------------------------------------------------------------


def plot_moves(ledger: Ledger[GameData, State], side: SideId, plan: Plan, plots: Sequence[Route]) -> None:
    """R4.5 Record saved movement, and whether the unit has met an enemy zone so far."""
    for route in plots:
        unit = plan.situation.units.get(route.unit)
        if unit is None or unit.at is None:
            continue
        if unit.id in plan.unpaid:
            _stays(ledger, side, unit, StopReason.FUEL, before=route.path[0])
        else:
            ledger.emit(Plotted(side, unit.id, (unit.at, *route.path), plan.in_contact(unit)), rule="R4.5")


def use_saved_moves(ledger: Ledger[GameData, State], side: SideId) -> Plan:
    """R4.5, G2 Saved movement, in sheet order: each goes until its first illegal or unaffordable step.

    The worst contact of the whole portion counts, with zones as they are now. A unit that has attacked has the points
    of an attacker for both halves.
    """
    own = ledger.state.own[side]
    routes: list[Route] = []
    for number, saved in enumerate(own.plots):
        unit = own.units.get(saved.unit)
        rest = _rest(unit, saved.path) if unit else ()
        if unit and rest is None:
            _stays(ledger, side, unit, StopReason.ASTRAY, before=saved.path[1])
        elif unit and rest:
            routes.append(Route(Line(number), unit.id, rest, attack_allowance(unit) if unit.attacked else None))
    situation = as_true(ledger.game_data, ledger.state, side)
    plan = plan_moves(situation, routes, contacts=contacts_of(ledger.state), fuelled=False)
    execute(ledger, side, plan)
    return plan


def _rest(unit: Unit, path: tuple[PlaceId, ...]) -> tuple[PlaceId, ...] | None:
    """The rest of a plotted way; None for a unit that is not on it. One that has advanced along it continues."""
    if unit.at not in path:
        return None
    return path[path.index(unit.at) + 1 :]


def _stays(
    ledger: Ledger[GameData, State], side: SideId, unit: Unit, stop_reason: StopReason, *, before: PlaceId
) -> None:
    ledger.emit(Moved(side, unit.id, unit.at, (), unit.spent, stop_reason, before), rule="R4.5")
