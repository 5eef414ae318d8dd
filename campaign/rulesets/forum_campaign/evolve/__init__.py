"""What each fact changes.

`evolve` works on the truth and on slices alike: a slice is told its faces and changes by them as the truth does, except
for what it does not hold.
"""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact, Noted, Rolled, unchanged
from campaign.engine.ids import UnitId
from campaign.engine.state import in_every_own, with_hidden, with_open, with_own, with_part
from campaign.engine.values import replace, without
from campaign.rulesets.forum_campaign.evolve.air import AIR_CHANGES
from campaign.rulesets.forum_campaign.evolve.battles import BATTLE_CHANGES
from campaign.rulesets.forum_campaign.model.calendar import AFTER, DAWN, MORNING, SHEET, side_in
from campaign.rulesets.forum_campaign.model.changes import (
    change_unit,
    displaced,
    enter,
    forgetting,
    lose,
    with_unit,
)
from campaign.rulesets.forum_campaign.model.facts import (
    AttackLapsed,
    CampaignEnded,
    CommandoSearched,
    CommandosGone,
    Controlled,
    CutOff,
    Demolished,
    DepotCaptured,
    DepotSet,
    Detached,
    Dug,
    Followed,
    Following,
    FuelReceived,
    FuelSet,
    FuelSpent,
    Moved,
    Plotted,
    PositionGone,
    Reinforced,
    Rejoined,
    Resized,
    Resupplied,
    Scouted,
    StrengthSet,
    TaskForceDenied,
    Turned,
    UnitPlaced,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.state import (
    DepotStatus,
    Escort,
    Missions,
    Own,
    SavedMove,
    Sighting,
    Stamp,
    State,
    Unit,
    UnitType,
    is_small,
    left_a_hex,
    stamp,
)
from campaign.rulesets.forum_campaign.model.task_forces import back_among, merged, parted, together


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Raises KeyError for a unit or place that is not there, TypeError for no fact of ours."""
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
        return in_every_own(with_open(state, routs=()), lambda own: replace(own, beaten={}))
    return state


def _new_day(own: Own) -> Own:
    return replace(own, identified=frozenset(), barrages=0, drops_flown=0, missions=Missions())


def _rested(own: Own) -> Own:
    """What a unit did yesterday counts until yesterday's purchases are made (R14.4)."""
    return replace(own, units={id_: replace(unit, fought=False) for id_, unit in own.units.items()})


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


def _moved(state: State, fact: Moved) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        at = fact.path[-1] if fact.path else unit.at
        moved = unit.moved or left_a_hex(fact.start, fact.path)
        own = with_unit(own, replace(unit, at=at, moved=moved, spent=fact.spent))
        return enter(own, fact.path, state) if unit.ground else own

    return with_own(state, fact.side, change)


def _recalled(state: State, fact: UnitPlaced) -> State:
    """A destroyed unit among the living again."""

    def change(own: Own) -> Own:
        lost = dict(own.lost)
        unit = lost.pop(fact.unit, None)
        units = own.units if unit is None else dict(sorted(back_among(own.units, unit).items()))
        return replace(own, units=units, lost=lost, beaten=without(own.beaten, fact.unit))

    return with_own(state, fact.side, change)


def _strength_set(state: State, fact: StrengthSet) -> State:
    def change(own: Own) -> Own:
        unit = replace(own.units[fact.unit], strength=fact.strength)
        return with_unit(own, replace(unit, small=is_small(unit)))

    return with_own(state, fact.side, change)


def _depot_captured(state: State, fact: DepotCaptured) -> State:
    depots = {**state.open.depots, fact.place: DepotStatus.CAPTURED}
    return with_open(state, depots=depots, fuel=state.open.fuel + fact.value)


def _weather_set(state: State, fact: WeatherSet) -> State:
    """A forecast has come true in the morning; what the GM makes of the weather later leaves tomorrow's alone."""
    forecast = None if state.open.phase == MORNING.key else state.open.forecast
    return with_open(state, weather=fact.today, forecast=forecast)


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


def _demolished(state: State, fact: Demolished) -> State:
    if not fact.destroyed:
        return state
    return with_open(state, depots={**state.open.depots, fact.place: DepotStatus.DESTROYED})


def _detached(state: State, fact: Detached) -> State:
    force = fact.task_force

    def change(own: Own) -> Own:
        parent = parted(own.units[fact.parent], force)
        return replace(own, units=dict(sorted({**own.units, parent.id: parent, force.id: force}.items())))

    return with_own(state, fact.side, change)


def _rejoined(state: State, fact: Rejoined) -> State:
    def change(own: Own) -> Own:
        force = own.units[fact.unit]
        parent = merged(own.units[fact.parent], force)
        units = {id_: unit for id_, unit in own.units.items() if id_ != force.id}
        # it paid its own fuel only if both have moved; else the merged unit pays for the one that did
        record = replace(force, at=None, moved=own.units[fact.parent].moved and force.moved)
        record = replace(record, strength=0, tanks=0, bought={})
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


def _dug(state: State, fact: Dug) -> State:
    return with_own(state, fact.side, lambda own: replace(own, positions={**own.positions, fact.at: fact.level}))


def _position_gone(state: State, fact: PositionGone) -> State:
    return with_own(state, fact.side, lambda own: replace(own, positions=without(own.positions, fact.at)))


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    **AIR_CHANGES,
    **BATTLE_CHANGES,
    Rolled: unchanged,
    Noted: unchanged,
    AttackLapsed: unchanged,
    Turned: _turned,
    WeatherSet: _weather_set,
    CommandoSearched: _commando_searched,
    CommandosGone: _commandos_gone,
    Demolished: _demolished,
    Detached: _detached,
    Rejoined: _rejoined,
    TaskForceDenied: unchanged,
    Resized: lambda state, fact: change_unit(state, fact.side, fact.unit, small=fact.small),
    Plotted: _plotted,
    Following: _following,
    Followed: lambda state, fact: displaced(state, fact.side, fact.unit, fact.to),
    Reinforced: _reinforced,
    Dug: _dug,
    PositionGone: _position_gone,
    FuelReceived: lambda state, fact: with_open(state, fuel=state.open.fuel + fact.points),
    FuelSpent: lambda state, fact: with_open(state, fuel=state.open.fuel - fact.points),
    FuelSet: lambda state, fact: with_open(state, fuel=fact.points),
    Scouted: _scouted,
    Moved: _moved,
    UnitPlaced: lambda state, fact: displaced(_recalled(state, fact), fact.side, fact.unit, fact.at),
    DepotSet: lambda state, fact: with_open(state, depots={**state.open.depots, fact.place: fact.status}),
    StrengthSet: _strength_set,
    CutOff: lambda state, fact: change_unit(state, fact.side, fact.unit, supplied=False),
    Resupplied: lambda state, fact: change_unit(state, fact.side, fact.unit, supplied=True),
    DepotCaptured: _depot_captured,
    Controlled: lambda state, fact: with_open(state, control={**state.open.control, fact.place: fact.side}),
    CampaignEnded: lambda state, _fact: with_open(state, ended=True),
}
