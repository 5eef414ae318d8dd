"""What facts change about a side's units, and the helpers of the other files here."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from campaign.engine.facts import Fact
from campaign.engine.state import with_hidden, with_own
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import changed, replace, without
from campaign.rulesets.forum_campaign.model.facts.day import CutOff, Reinforced, Resupplied
from campaign.rulesets.forum_campaign.model.facts.movement import (
    CommandoSearched,
    CommandosGone,
    Detached,
    Followed,
    Following,
    Moved,
    Plotted,
    Rejoined,
    Resized,
    StrengthSet,
    UnitPlaced,
)
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.state import (
    Escort,
    Own,
    SavedMove,
    State,
    Unit,
    is_small,
    left_a_hex,
    stamp,
)
from campaign.rulesets.forum_campaign.model.task_forces import after_detaching, after_rejoining, back_among, together


def displaced(state: State, side: SideId, unit: UnitId, *way: PlaceId) -> State:
    """Move a unit without spending movement: retreat, advance, placement by the GM."""

    def change(own: Own) -> Own:
        gone = replace(own.units[unit], at=way[-1], dislodged=True)
        own = with_unit(own, gone)
        return enter(own, way, state) if gone.ground else own

    return with_own(state, side, change)


def enter(own: Own, path: tuple[PlaceId, ...], state: State) -> Own:
    now = stamp(state.open)
    return replace(own, entered={**own.entered, **dict.fromkeys(path, now)})


def with_unit(own: Own, unit: Unit) -> Own:
    return replace(own, units={**own.units, unit.id: unit})


def change_unit(state: State, side: SideId, unit: UnitId, **changes: Any) -> State:
    return with_own(state, side, lambda own: replace(own, units=changed(own.units, unit, **changes)))


def forgetting(unit: UnitId, at: PlaceId) -> Callable[[Own], Own]:
    """R15.2 Everyone knows where a unit was destroyed, so nobody keeps it as an enemy out of sight."""

    def change(own: Own) -> Own:
        kept = tuple(each for each in own.last_seen if each.sighting.unit != unit)
        named = [n for n, each in enumerate(own.sightings) if each.unit == unit]
        unnamed = [n for n, each in enumerate(own.sightings) if each.at == at and each.unit is None]
        gone = (named or unnamed)[:1]
        return replace(own, last_seen=kept, sightings=tuple(s for n, s in enumerate(own.sightings) if n not in gone))

    return change


def lose(own: Own, lost: UnitId) -> Own:
    """Remove a unit. What its task force, or the unit that it was a task force of, had lent is lost with it (R8)."""
    units = dict(own.units)
    unit = units.pop(lost)
    parent = units.get(unit.parent) if unit.parent else None
    if parent is not None:
        units[parent.id] = replace(parent, lent=0)
    return replace(own, units=units, lost={**own.lost, unit.id: unit}, defeated=without(own.defeated, lost))


# --- what each fact changes -------------------------------------------------------------------------------------------


def _moved(state: State, fact: Moved) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        at = fact.path[-1] if fact.path else unit.at
        moved = unit.moved or left_a_hex(fact.start, fact.path)
        own = with_unit(own, replace(unit, at=at, moved=moved, spent=fact.spent))
        return enter(own, fact.path, state) if unit.ground else own

    return with_own(state, fact.side, change)


def _recalled(state: State, fact: UnitPlaced) -> State:
    """A destroyed unit comes back."""

    def change(own: Own) -> Own:
        lost = dict(own.lost)
        unit = lost.pop(fact.unit, None)
        units = own.units if unit is None else dict(sorted(back_among(own.units, unit).items()))
        return replace(own, units=units, lost=lost, defeated=without(own.defeated, fact.unit))

    return with_own(state, fact.side, change)


def _strength_set(state: State, fact: StrengthSet) -> State:
    def change(own: Own) -> Own:
        unit = replace(own.units[fact.unit], strength=fact.strength)
        return with_unit(own, replace(unit, small=is_small(unit)))

    return with_own(state, fact.side, change)


def _commandos_gone(state: State, fact: CommandosGone) -> State:
    def change(own: Own) -> Own:
        for unit in fact.units:
            own = lose(own, unit)
        return own

    return with_own(state, fact.side, change)


def _commando_searched(state: State, fact: CommandoSearched) -> State:
    if not fact.eliminated:
        return state
    state = with_own(state, fact.side, lambda own: lose(own, fact.unit))
    for side in state.own:
        state = state if side == fact.side else with_own(state, side, forgetting(fact.unit, fact.at))
    return state


def _detached(state: State, fact: Detached) -> State:
    force = fact.task_force

    def change(own: Own) -> Own:
        parent = after_detaching(own.units[fact.parent], force)
        return replace(own, units=dict(sorted({**own.units, parent.id: parent, force.id: force}.items())))

    return with_own(state, fact.side, change)


def _rejoined(state: State, fact: Rejoined) -> State:
    def change(own: Own) -> Own:
        force = own.units[fact.unit]
        parent = after_rejoining(own.units[fact.parent], force)
        units = {id_: unit for id_, unit in own.units.items() if id_ != force.id}
        # it paid its own fuel only if both have moved; else the merged unit pays for the one that moved
        record = replace(force, at=None, moved=own.units[fact.parent].moved and force.moved)
        record = replace(record, strength=0, tanks=0, bought={}, ledger=UNSET)
        return replace(own, units={**units, parent.id: parent}, lost={**own.lost, force.id: record})

    return with_own(state, fact.side, change)


def _plotted(state: State, fact: Plotted) -> State:
    if fact.contact and state.hidden is not None:
        state = with_hidden(state, contacts=state.hidden.contacts | {fact.unit})
    saved = SavedMove(fact.unit, fact.path)
    return with_own(state, fact.side, lambda own: replace(own, plots=(*own.plots, saved)))


def _following(state: State, fact: Following) -> State:
    escort = Escort(fact.leader, fact.until)
    return with_own(state, fact.side, lambda own: replace(own, followers={**own.followers, fact.unit: escort}))


def _reinforced(state: State, fact: Reinforced) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        if fact.goods is Goods.MEN:
            return with_unit(own, replace(unit, strength=unit.strength + fact.amount))
        return with_unit(own, replace(unit, bought=together(unit.bought, {fact.goods: fact.amount})))

    return with_own(state, fact.side, change)


UNIT_CHANGES: Mapping[type[Fact], Callable[[State, Any], State]] = {
    CommandoSearched: _commando_searched,
    CommandosGone: _commandos_gone,
    Detached: _detached,
    Rejoined: _rejoined,
    Resized: lambda state, fact: change_unit(state, fact.side, fact.unit, small=fact.small),
    Plotted: _plotted,
    Following: _following,
    Followed: lambda state, fact: displaced(state, fact.side, fact.unit, fact.to),
    Reinforced: _reinforced,
    Moved: _moved,
    UnitPlaced: lambda state, fact: displaced(_recalled(state, fact), fact.side, fact.unit, fact.at),
    StrengthSet: _strength_set,
    CutOff: lambda state, fact: change_unit(state, fact.side, fact.unit, supplied=False),
    Resupplied: lambda state, fact: change_unit(state, fact.side, fact.unit, supplied=True),
}
