"""What the facts of the air change, drops and paratroops included."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.state import with_open, with_own, with_part
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.evolve.units import change_unit, enter, lose, with_unit
from campaign.rulesets.forum_campaign.model.facts.air import (
    AirAllocated,
    AirAvailable,
    AirDropped,
    AirRemoved,
    CloseSupport,
    Forecast,
    Interdicted,
    Landed,
    Landing,
    MissionsPlanned,
    SuperiorityWon,
)
from campaign.rulesets.forum_campaign.model.state import AirDay, Own, State


def _air_available(state: State, fact: AirAvailable) -> State:
    return with_open(state, air={**state.open.air, fact.side: AirDay(fact.units)})


def _air_allocated(state: State, fact: AirAllocated) -> State:
    day = replace(state.open.air[fact.side], boxes=fact.boxes)
    return with_open(state, air={**state.open.air, fact.side: day})


def _air_removed(state: State, fact: AirRemoved) -> State:
    day = state.open.air[fact.side]
    boxes = {**day.boxes, fact.box: day.boxes[fact.box] - 1}
    air = {**state.open.air, fact.side: replace(day, boxes=boxes)}
    return with_open(state, air=air, removals=state.open.removals - 1)


def _air_dropped(state: State, fact: AirDropped) -> State:
    def change(own: Own) -> Own:
        own = with_unit(own, replace(own.units[fact.unit], supplied=True))
        return replace(own, drops_flown=own.drops_flown + 1)

    return with_own(state, fact.side, change)


def _interdicted(state: State, fact: Interdicted) -> State:
    if not fact.success or fact.side is None or fact.unit is None:
        return state
    return change_unit(state, fact.side, fact.unit, supplied=False)


def _landed(state: State, fact: Landed) -> State:
    def change(own: Own) -> Own:
        unit = replace(own.units[fact.unit], scattered=fact.landing is Landing.SCATTERED)
        if fact.landing is Landing.CALLED_OFF:
            return own
        if fact.landing is Landing.ELIMINATED:
            return lose(with_unit(own, unit), fact.unit)
        return enter(with_unit(own, replace(unit, at=fact.at)), (fact.at,), state)

    return with_own(state, fact.side, change)


def _close_support(state: State, fact: CloseSupport) -> State:
    def change(own: Own) -> Own:
        assigned = own.close_support.get(fact.unit, 0) + fact.air_units
        return replace(own, close_support={**own.close_support, fact.unit: assigned})

    return with_own(state, fact.side, change)


AIR_CHANGES: Mapping[type[Fact], Callable[[State, Any], State]] = {
    Forecast: lambda state, fact: with_open(state, forecast=fact.tomorrow),
    AirAvailable: _air_available,
    MissionsPlanned: lambda state, fact: with_part(state, fact.side, missions=fact.missions),
    AirAllocated: _air_allocated,
    SuperiorityWon: lambda state, fact: with_open(state, air_winner=fact.side, removals=fact.removals),
    AirRemoved: _air_removed,
    AirDropped: _air_dropped,
    Interdicted: _interdicted,
    Landed: _landed,
    CloseSupport: _close_support,
}
