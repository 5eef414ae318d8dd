"""How parts of a state are changed: what the files of `evolve` share."""

from collections.abc import Callable
from typing import Any

from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.state import with_own
from campaign.engine.values import changed, replace, without
from campaign.rulesets.forum_campaign.model.state import Own, State, Unit, stamp


def displaced(state: State, side: SideId, unit: UnitId, *way: PlaceId) -> State:
    """A unit is elsewhere without having spent movement: retreat, advance, the GM's hand."""

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
    """R15.2 Everybody knows who was destroyed where: nobody takes him for an enemy who is only out of sight."""

    def change(own: Own) -> Own:
        kept = tuple(each for each in own.last_seen if each.sighting.unit != unit)
        named = [n for n, each in enumerate(own.sightings) if each.unit == unit]
        unnamed = [n for n, each in enumerate(own.sightings) if each.at == at and each.unit is None]
        gone = (named or unnamed)[:1]
        return replace(own, last_seen=kept, sightings=tuple(s for n, s in enumerate(own.sightings) if n not in gone))

    return change


def lose(own: Own, lost: UnitId) -> Own:
    """A unit is no more. What its task force, or whoever it was a task force of, had lent is lost with it (R8)."""
    units = dict(own.units)
    unit = units.pop(lost)
    parent = units.get(unit.parent) if unit.parent else None
    if parent is not None:
        units[parent.id] = replace(parent, lent=0)
    return replace(own, units=units, lost={**own.lost, unit.id: unit}, beaten=without(own.beaten, lost))
