"""What each fact changes.

`evolve` works on the true state and on players' states alike: a disclosed fact changes a player's state as the fact
changes the truth, except for what that state does not hold.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from campaign.engine.facts import Fact, Noted, Rolled, unchanged
from campaign.engine.state import in_every_own, with_hidden, with_open, with_own, with_part
from campaign.engine.values.ids import UnitId
from campaign.engine.values.value import replace, without
from campaign.rulesets.forum_campaign.evolve.air import AIR_CHANGES
from campaign.rulesets.forum_campaign.evolve.battles import BATTLE_CHANGES
from campaign.rulesets.forum_campaign.evolve.muster import MUSTER_CHANGES
from campaign.rulesets.forum_campaign.evolve.units import UNIT_CHANGES
from campaign.rulesets.forum_campaign.model.calendar import AFTER, DAWN, MORNING, SHEET, side_in
from campaign.rulesets.forum_campaign.model.facts.battle import AttackCancelled
from campaign.rulesets.forum_campaign.model.facts.day import (
    CampaignEnded,
    Controlled,
    Demolished,
    DemolitionPaid,
    DepotCaptured,
    DepotSet,
    Dug,
    FuelReceived,
    FuelSet,
    FuelSpent,
    PositionGone,
    Scouted,
    Turned,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.facts.movement import TaskForceDenied
from campaign.rulesets.forum_campaign.model.state import (
    DepotStatus,
    Missions,
    Own,
    Sighting,
    Stamp,
    State,
    Unit,
    UnitType,
    stamp,
)


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Raises KeyError for an unknown unit or place, TypeError for an unknown fact."""
    return _EVOLVE[type(fact)](state, fact)


def _turned(state: State, fact: Turned) -> State:
    new_day = fact.date != state.open.date
    state = with_open(state, phase=fact.phase, date=fact.date)
    if new_day:
        state = with_open(state, turn=state.open.turn + 1, air={}, air_winner=None, removals=0)
        return in_every_own(state, _new_day)
    if fact.phase == DAWN.key:
        return in_every_own(state, _rested)
    side = side_in(SHEET, fact.phase)
    if side is not None:
        state = with_hidden(state, contacts=frozenset())
        return with_own(state, side, _new_portion)
    if side_in(AFTER, fact.phase) is not None:
        return in_every_own(with_open(state, pending_retreats=()), lambda own: replace(own, defeated={}))
    return state


def _new_day(own: Own) -> Own:
    return replace(own, identified=frozenset(), barrages=0, drops_flown=0, missions=Missions())


def _rested(own: Own) -> Own:
    """What a unit did yesterday, and what was paid then, counts until yesterday's purchases are made (R14.4, R9.5)."""
    units = {id_: replace(unit, fought=False) for id_, unit in own.units.items()}
    return replace(own, units=units, demolition_cost=UNSET)


def _new_portion(own: Own) -> Own:
    return replace(
        own, units=_at_rest(own.units), lost=_at_rest(own.lost), close_support={}, plots=(), followers={}, advances={}
    )


def _at_rest(units: Mapping[UnitId, Unit]) -> dict[UnitId, Unit]:
    return {
        id_: replace(
            unit,
            spent=0,
            moved=False,
            attacked=False,
            dislodged=False,
            split=False,
            debt=unit.absorbed,
            absorbed=0,
        )
        for id_, unit in units.items()
    }


def _scouted(state: State, fact: Scouted) -> State:
    for side, sightings in fact.sightings.items():
        state = with_own(state, side, _seeing(sightings, stamp(state.open)))
    for side, positions in fact.positions.items():
        state = with_part(state, side, seen_positions=positions)
    for side, last_seen in fact.last_seen.items():
        state = with_part(state, side, last_seen=last_seen)
    return state


def _seeing(sightings: tuple[Sighting, ...], now: Stamp) -> Callable[[Own], Own]:
    seen = {sighting.at: now for sighting in sightings if sighting.type is not UnitType.COMMANDO}
    return lambda own: replace(own, sightings=sightings, seen={**own.seen, **seen})


def _depot_captured(state: State, fact: DepotCaptured) -> State:
    depots = {**state.open.depots, fact.place: DepotStatus.CAPTURED}
    return with_open(state, depots=depots, fuel=state.open.fuel + fact.value)


def _weather_set(state: State, fact: WeatherSet) -> State:
    """In the morning a forecast comes true; a later ruling on the weather leaves tomorrow's forecast alone."""
    forecast = None if state.open.phase == MORNING.key else state.open.forecast
    return with_open(state, weather=fact.today, forecast=forecast)


def _demolished(state: State, fact: Demolished) -> State:
    if not fact.destroyed:
        return state
    return with_open(state, depots={**state.open.depots, fact.place: DepotStatus.DESTROYED})


def _paid(state: State, fact: DemolitionPaid) -> State:
    return with_own(state, fact.side, lambda own: replace(own, demolition_cost=fact.points))


def _dug(state: State, fact: Dug) -> State:
    return with_own(state, fact.side, lambda own: replace(own, positions={**own.positions, fact.at: fact.level}))


def _position_gone(state: State, fact: PositionGone) -> State:
    return with_own(state, fact.side, lambda own: replace(own, positions=without(own.positions, fact.at)))


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    **AIR_CHANGES,
    **BATTLE_CHANGES,
    **MUSTER_CHANGES,
    **UNIT_CHANGES,
    Rolled: unchanged,
    Noted: unchanged,
    AttackCancelled: unchanged,
    Turned: _turned,
    WeatherSet: _weather_set,
    Demolished: _demolished,
    DemolitionPaid: _paid,
    TaskForceDenied: unchanged,
    Dug: _dug,
    PositionGone: _position_gone,
    FuelReceived: lambda state, fact: with_open(state, fuel=state.open.fuel + fact.points),
    FuelSpent: lambda state, fact: with_open(state, fuel=state.open.fuel - fact.points),
    FuelSet: lambda state, fact: with_open(state, fuel=fact.points),
    Scouted: _scouted,
    DepotSet: lambda state, fact: with_open(state, depots={**state.open.depots, fact.place: fact.status}),
    DepotCaptured: _depot_captured,
    Controlled: lambda state, fact: with_open(state, control={**state.open.control, fact.place: fact.side}),
    CampaignEnded: lambda state, _fact: with_open(state, ended=True),
}
