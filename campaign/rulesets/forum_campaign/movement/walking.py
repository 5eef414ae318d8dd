"""R4 Movement: allowances, and how far an ordered path leads."""

from collections.abc import Sequence
from itertools import pairwise

from campaign.engine.board.paths import Costs, shortest_path
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.modifiers import Modifier, total
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.facts.movement import StopReason
from campaign.rulesets.forum_campaign.model.options import ZoneCost
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import ON_FOOT, Unit
from campaign.rulesets.forum_campaign.movement.reinforcement import entry_hexes

_FURTHEST = 99
"""The most any unit can spend in a day; bounds the search for a path."""


class Walk(Value, frozen=True):
    """How far a path leads."""

    entered: tuple[PlaceId, ...]
    spent: int
    """Movement points used in this portion, earlier moves included."""
    allowance: int
    """What it could spend, by the worst contact met."""
    stop_reason: StopReason | None = None
    before: PlaceId | None = None
    """The hex that it did not enter."""
    contact: bool = False
    """R4.2 Whether it has met an enemy zone of control."""
    met: PlaceId | None = None
    """R4.7 The hex of the enemy that it ran into."""
    possible: tuple[PlaceId, ...] = ()
    """How far it would have led, if the move was impossible and did not begin."""


# --- allowance -------------------------------------------------------------------------------------------------------


def allowance(unit: Unit, *, contact: bool) -> tuple[Modifier, ...]:
    """R4.1-R4.3, R4.6 The movement points of a unit that does not attack, by whether it meets an enemy zone of control.

    An attacker may have spent at most its printed movement: see `attack_allowance`.
    """
    printed = _printed_points(unit)
    why = (
        Modifier(_extra_in_contact(unit, printed), "no attack, in contact", "R4.2")
        if contact
        else Modifier(_extra_clear(unit, printed), "no attack, no contact", "R4.3")
    )
    return _less_debt(unit, (*_printed(unit), why))


def points(unit: Unit, *, contact: bool) -> int:
    """The total of its allowance."""
    return points_in_contact(unit) if contact else points_clear(unit)


def points_clear(unit: Unit) -> int:
    """R4.3 The movement points of a unit that meets no enemy zone of control. No calls in it: every path needs it."""
    if unit.scattered or not unit.supplied:
        return 0
    printed = unit.movement - 1 if unit.split and unit.movement else unit.movement
    left = (2 if unit.branch in ON_FOOT else 3) * printed - unit.debt
    return left if left > 0 else 0


def points_in_contact(unit: Unit) -> int:
    """R4.2 The movement points of a unit that meets one."""
    if unit.scattered or not unit.supplied:
        return 0
    printed = unit.movement - 1 if unit.split and unit.movement else unit.movement
    left = (printed + (printed > 0) if unit.branch in ON_FOOT else 2 * printed) - unit.debt
    return left if left > 0 else 0


def attack_allowance(unit: Unit) -> int:
    """R4.1, R4.4 The most points that an attacker may have spent."""
    return max(_printed_points(unit) - unit.debt, 0)


def _extra_clear(unit: Unit, printed: int) -> int:
    """R4.3 What a unit may spend beyond its printed movement: the same again, or twice that if mechanized."""
    return printed if unit.branch in ON_FOOT else 2 * printed


def _extra_in_contact(unit: Unit, printed: int) -> int:
    """R4.2 The same for one that meets an enemy zone: one point, or the same again if mechanized."""
    return 1 if unit.branch in ON_FOOT and printed else printed


def _printed_points(unit: Unit) -> int:
    """R4.6, R8.2 The points on its counter, one less after a task force left or rejoined; or none."""
    if not unit.supplied or unit.scattered:
        return 0
    return unit.movement - 1 if unit.split and unit.movement else unit.movement


def _printed(unit: Unit) -> tuple[Modifier, ...]:
    """R4.6, R8.2 The reasons for its printed points."""
    if not unit.supplied or unit.scattered:
        return ()
    printed = Modifier(unit.movement, "printed movement", "R4.1")
    if unit.split and unit.movement:
        return (printed, Modifier(-1, "a task force left or rejoined", "R8.2"))
    return (printed,)


def _less_debt(unit: Unit, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """R12.10 Subtract what absorbing costs, last, down to zero at most."""
    debt = min(unit.debt, total(parts))
    return (*parts, Modifier(-debt, "remains absorbed", "R12.10")) if debt else parts


# --- walking ---------------------------------------------------------------------------------------------------------


def walk(
    situation: Situation, unit: Unit, path: tuple[PlaceId, ...], *, contact: bool = False, most: int | None = None
) -> Walk:
    """R4 How far a path leads until it ends or something stops the unit.

    A zone of control lowers the allowance from its hex on. A zone that the side sees must be affordable on the lower
    allowance. One that it does not see is entered on the allowance that the unit had, and stops a unit that has then
    spent more than the lower one (R4.7). `contact`: it has met a zone before; `most`: a further limit on its points.
    """
    at = unit.at
    if at is not None:
        path_cost = situation.terms.costs.path_cost(at, path)
        if path_cost is not None:
            cost, meets = path_cost
            met = contact or meets
            limit = points_in_contact(unit) if met else points_clear(unit)
            if most is not None and most < limit:
                limit = most
            spent = unit.spent + cost
            if spent <= limit:
                return Walk(path, spent, limit, None, None, met)
    return _step_by_step(situation, unit, path, contact=contact, most=most)


def _step_by_step(
    situation: Situation, unit: Unit, path: tuple[PlaceId, ...], *, contact: bool, most: int | None
) -> Walk:
    """R4 Follow the path from hex to hex until something stops the unit."""
    cost_of, zone = situation.terms.costs.cost, situation.zone
    at, spent = unit.at, unit.spent
    contact = contact or at in zone
    in_contact = _limit(unit, contact=True, most=most)
    limit = in_contact if contact else _limit(unit, contact=False, most=most)
    entered: list[PlaceId] = []
    stop_reason, before = None, None
    for place in path:
        before = place
        stop_reason = _barrier(situation, unit, at, place)
        if stop_reason is None:
            stop_reason = _held(situation, entered, is_spent=spent > limit)
        if stop_reason is not None:
            break
        cost = cost_of(at, place)
        lower = in_contact if place in zone else limit
        limit = lower if situation.in_seen_zone(place) else limit
        if spent + cost > limit:
            stop_reason = StopReason.ALLOWANCE
            break
        at, spent, limit = place, spent + cost, lower
        contact = contact or place in zone
        entered.append(place)
    met = before if stop_reason is StopReason.ENEMY else None
    return Walk(tuple(entered), spent, limit, stop_reason, before if stop_reason else None, contact, met)


def _held(situation: Situation, entered: Sequence[PlaceId], *, is_spent: bool) -> StopReason | None:
    """R4.7, 2.10 What stops a unit in a zone of control that it has just entered."""
    stops = situation.options.zone_cost is ZoneCost.STOP
    if stops and entered and entered[-1] in situation.zone:
        return StopReason.STOPPED
    return StopReason.ZONE if is_spent else None


def _limit(unit: Unit, *, contact: bool, most: int | None = None) -> int:
    limit = points(unit, contact=contact)
    return limit if most is None else min(limit, most)


def _barrier(situation: Situation, unit: Unit, at: PlaceId | None, place: PlaceId) -> StopReason | None:
    """What keeps a unit out of a hex, regardless of its points."""
    if unit.scattered:
        return StopReason.SCATTERED
    if not unit.supplied:
        return StopReason.UNSUPPLIED
    if at is None:
        return None if place in entry_hexes(situation, unit) else StopReason.ENTRY
    if not situation.game_data.board.adjoin(at, place):
        return StopReason.GAP
    if (at, place) in situation.game_data.closed:
        return StopReason.CLOSED
    return StopReason.ENEMY if place in situation.enemy else None


def cheapest_path(situation: Situation, unit: Unit, goal: PlaceId) -> tuple[PlaceId, ...] | None:
    """The cheapest way to a place that the unit can pay for: clear of enemy zones, else through them.

    If it can pay for none, still the cheapest: the checker says how much is missing.
    """
    rates = situation.terms.costs
    free, in_contact = (_limit(unit, contact=contact) - unit.spent for contact in (False, True))
    if unit.at not in situation.zone and goal not in situation.zone:
        clear = _search(situation, unit, goal, budget=free, over=rates.clear)
        if clear is not None:
            return clear
    for budget in (in_contact, _FURTHEST):
        through = _search(situation, unit, goal, budget=max(budget, 0), over=rates.through)
        if through is not None:
            return through
    return None


def _search(situation: Situation, unit: Unit, goal: PlaceId, *, budget: int, over: Costs) -> tuple[PlaceId, ...] | None:
    """The cheapest way within a budget; for a unit off the map by its best entry."""
    if unit.at is not None:
        return shortest_path(over, unit.at, goal, budget=budget)
    rates = situation.terms.costs
    found: list[tuple[int, tuple[PlaceId, ...]]] = []
    for entry in entry_hexes(situation, unit):
        price = rates.cost(None, entry)
        way = shortest_path(over, entry, goal, budget=budget - price) if price <= budget else None
        if way is not None:
            price += sum(rates.cost(at, near) for at, near in pairwise((entry, *way)))
            found.append((price, (entry, *way)))
    return min(found)[1] if found else None
