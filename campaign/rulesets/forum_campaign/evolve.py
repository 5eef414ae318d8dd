"""What each fact changes.

`evolve` works on the truth and on slices alike: a slice is told its faces and changes by them as the truth does, except
for what it does not hold.
"""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact, Rolled
from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.engine.state import with_hidden, with_open, with_own
from campaign.engine.values import replace
from campaign.rulesets.forum_campaign.facts import (
    Absorbed,
    Advanced,
    AdvanceOrdered,
    AirAllocated,
    AirAvailable,
    AirDropped,
    AirRemoved,
    ArtilleryNamed,
    AttackLapsed,
    BattleFought,
    BattleOpened,
    BattleRuled,
    Beaten,
    CampaignEnded,
    CloseSupport,
    CommandoSearched,
    CommandosGone,
    Controlled,
    CutOff,
    Demolished,
    DepotCaptured,
    DepotSet,
    Destroyed,
    Detached,
    Dug,
    Followed,
    Following,
    Forecast,
    FuelReceived,
    FuelSet,
    FuelSpent,
    Interdicted,
    Landed,
    Landing,
    MissionsPlanned,
    Moved,
    Noted,
    Plotted,
    PositionGone,
    Pursued,
    Reinforced,
    Rejoined,
    Resized,
    Resupplied,
    Retreated,
    Routed,
    Scouted,
    StrengthSet,
    SuperiorityWon,
    Supported,
    TanksLost,
    TaskForceDenied,
    Turned,
    UnitPlaced,
    Weakened,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.state import (
    Advance,
    AirDay,
    Combatant,
    DepotStatus,
    Escort,
    Missions,
    Own,
    Rout,
    RuledResult,
    SavedMove,
    Sighting,
    Stamp,
    State,
    Support,
    Unit,
    UnitType,
    is_small,
    left_a_hex,
    ruled_results,
    stamp,
)
from campaign.rulesets.forum_campaign.task_forces import back_among, merged, parted, together
from campaign.rulesets.forum_campaign.theatre import Goods


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Raises KeyError for a unit or place that is not there, TypeError for no fact of ours."""
    return _EVOLVE[type(fact)](state, fact)


def _turned(state: State, fact: Turned) -> State:
    new_day = fact.date != state.open.date
    state = with_open(state, phase=fact.phase, date=fact.date)
    if new_day:
        state = with_open(state, turn=state.open.turn + 1, air={}, air_winner=None, removals=0)
        return _in_every_own(state, _new_day)
    if fact.phase == "dawn":
        return _in_every_own(state, _rested)
    if fact.phase.endswith("_sheet"):
        state = with_hidden(state, contacts=frozenset())
        return with_own(state, SideId(fact.phase.removesuffix("_sheet")), _new_portion)
    if fact.phase.endswith("_after"):
        return _in_every_own(with_open(state, routs=()), lambda own: replace(own, beaten={}))
    return state


def _in_every_own(state: State, change: Callable[[Own], Own]) -> State:
    for side in state.own:
        state = with_own(state, side, change)
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
        state = _with_part(state, side, seen_positions=positions)
    for side, last_seen in fact.last_seen.items():
        state = _with_part(state, side, last_seen=last_seen)
    return state


def _with_part(state: State, side: SideId, **changes: Any) -> State:
    return with_own(state, side, lambda own: replace(own, **changes))


def _seeing(sightings: tuple[Sighting, ...], now: Stamp) -> Callable[[Own], Own]:
    seen = {sighting.at: now for sighting in sightings if sighting.type is not UnitType.COMMANDO}
    return lambda own: replace(own, sightings=sightings, seen={**own.seen, **seen})


def _moved(state: State, fact: Moved) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        at = fact.path[-1] if fact.path else unit.at
        moved = unit.moved or left_a_hex(fact.start, fact.path)
        own = _with_unit(own, replace(unit, at=at, moved=moved, spent=fact.spent))
        return _enter(own, fact.path, state) if unit.ground else own

    return with_own(state, fact.side, change)


def _displaced(state: State, side: SideId, unit: UnitId, *way: PlaceId) -> State:
    """A unit is elsewhere without having spent movement: retreat, advance, the GM's hand."""

    def change(own: Own) -> Own:
        gone = replace(own.units[unit], at=way[-1], dislodged=True)
        own = _with_unit(own, gone)
        return _enter(own, way, state) if gone.ground else own

    return with_own(state, side, change)


def _enter(own: Own, path: tuple[PlaceId, ...], state: State) -> Own:
    now = stamp(state.open)
    return replace(own, entered={**own.entered, **dict.fromkeys(path, now)})


def _with_unit(own: Own, unit: Unit) -> Own:
    return replace(own, units={**own.units, unit.id: unit})


def _change_unit(state: State, side: SideId, unit: UnitId, **changes: Any) -> State:
    return with_own(state, side, lambda own: _with_unit(own, replace(own.units[unit], **changes)))


def _battle_opened(state: State, fact: BattleOpened) -> State:
    battle = fact.battle
    state = with_open(state, battles=(*state.open.battles, battle))
    for side in state.own:
        sides = (battle.attackers, battle.defenders)
        ours, theirs = sides if side == battle.attacker else reversed(sides)
        state = with_own(state, side, _engaged(ours, theirs))
    return state


def _engaged(ours: tuple[Combatant, ...], theirs: tuple[Combatant, ...]) -> Callable[[Own], Own]:
    def change(own: Own) -> Own:
        for fighter in ours:
            attacks = fighter.comes_from is not None
            own = _with_unit(own, replace(own.units[fighter.unit], fought=True, attacked=attacks))
        return replace(own, identified=own.identified | {fighter.unit for fighter in theirs})

    return change


def _battle_ruled(state: State, fact: BattleRuled) -> State:
    result = RuledResult(fact.winner, fact.advance, fact.losses, fact.retreats, fact.tanks, fact.pursuers, fact.minute)
    return with_hidden(state, ruled={**ruled_results(state), fact.at: result})


def _battle_fought(state: State, fact: BattleFought) -> State:
    ruled = {place: result for place, result in ruled_results(state).items() if place != fact.at}
    battles = tuple(battle for battle in state.open.battles if battle.at != fact.at)
    state = _in_every_own(state, lambda own: replace(own, support=_without(own.support, fact.at)))
    return with_open(with_hidden(state, ruled=ruled), battles=battles)


def _without(mapping: Mapping[Any, Any], key: object) -> dict[Any, Any]:
    return {each: value for each, value in mapping.items() if each != key}


def _destroyed(state: State, fact: Destroyed) -> State:
    state = with_own(state, fact.side, lambda own: _lose(own, fact.unit))
    for side in state.own:
        state = state if side == fact.side else with_own(state, side, _forgetting(fact.unit, fact.at))
    return state


def _forgetting(unit: UnitId, at: PlaceId) -> Callable[[Own], Own]:
    """R15.2 Everybody knows who was destroyed where: nobody takes him for an enemy who is only out of sight."""

    def change(own: Own) -> Own:
        kept = tuple(each for each in own.last_seen if each.sighting.unit != unit)
        named = [n for n, each in enumerate(own.sightings) if each.unit == unit]
        unnamed = [n for n, each in enumerate(own.sightings) if each.at == at and each.unit is None]
        gone = (named or unnamed)[:1]
        return replace(own, last_seen=kept, sightings=tuple(s for n, s in enumerate(own.sightings) if n not in gone))

    return change


def _lose(own: Own, lost: UnitId) -> Own:
    """A unit is no more. What its task force, or whoever it was a task force of, had lent is lost with it (R8)."""
    units = dict(own.units)
    unit = units.pop(lost)
    parent = units.get(unit.parent) if unit.parent else None
    if parent is not None:
        units[parent.id] = replace(parent, lent=0)
    return replace(own, units=units, lost={**own.lost, unit.id: unit}, beaten=_without(own.beaten, lost))


def _recalled(state: State, fact: UnitPlaced) -> State:
    """A destroyed unit among the living again."""

    def change(own: Own) -> Own:
        lost = dict(own.lost)
        unit = lost.pop(fact.unit, None)
        units = own.units if unit is None else dict(sorted(back_among(own.units, unit).items()))
        return replace(own, units=units, lost=lost, beaten=_without(own.beaten, fact.unit))

    return with_own(state, fact.side, change)


def _strength_set(state: State, fact: StrengthSet) -> State:
    def change(own: Own) -> Own:
        unit = replace(own.units[fact.unit], strength=fact.strength)
        return _with_unit(own, replace(unit, small=is_small(unit)))

    return with_own(state, fact.side, change)


def _depot_captured(state: State, fact: DepotCaptured) -> State:
    depots = {**state.open.depots, fact.place: DepotStatus.CAPTURED}
    return with_open(state, depots=depots, fuel=state.open.fuel + fact.value)


def _weather_set(state: State, fact: WeatherSet) -> State:
    """A forecast has come true in the morning; what the GM makes of the weather later leaves tomorrow's alone."""
    forecast = None if state.open.phase == "morning" else state.open.forecast
    return with_open(state, weather=fact.today, forecast=forecast)


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
        own = _with_unit(own, replace(own.units[fact.unit], supplied=True))
        return replace(own, drops_flown=own.drops_flown + 1)

    return with_own(state, fact.side, change)


def _interdicted(state: State, fact: Interdicted) -> State:
    if not fact.success or fact.side is None or fact.unit is None:
        return state
    return _change_unit(state, fact.side, fact.unit, supplied=False)


def _landed(state: State, fact: Landed) -> State:
    def change(own: Own) -> Own:
        unit = replace(own.units[fact.unit], scattered=fact.landing is Landing.SCATTERED)
        if fact.landing is Landing.CALLED_OFF:
            return own
        if fact.landing is Landing.ELIMINATED:
            return _lose(_with_unit(own, unit), fact.unit)
        return _enter(_with_unit(own, replace(unit, at=fact.at)), (fact.at,), state)

    return with_own(state, fact.side, change)


def _commandos_gone(state: State, fact: CommandosGone) -> State:
    def change(own: Own) -> Own:
        for unit in fact.units:
            own = _lose(own, unit)
        return own

    return with_own(state, fact.side, change)


def _commando_searched(state: State, fact: CommandoSearched) -> State:
    if not fact.eliminated:
        return state
    state = with_own(state, fact.side, lambda own: _lose(own, fact.unit))
    for side in state.own:
        state = state if side == fact.side else with_own(state, side, _forgetting(fact.unit, fact.at))
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


def _close_support(state: State, fact: CloseSupport) -> State:
    def change(own: Own) -> Own:
        assigned = own.close_support.get(fact.unit, 0) + fact.air_units
        return replace(own, close_support={**own.close_support, fact.unit: assigned})

    return with_own(state, fact.side, change)


def _supported(state: State, fact: Supported) -> State:
    def change(own: Own) -> Own:
        before = own.support.get(fact.at, Support())
        barrages = own.barrages + (fact.support.artillery and not before.artillery)
        return replace(own, support={**own.support, fact.at: fact.support}, barrages=barrages)

    return with_own(state, fact.side, change)


def _following(state: State, fact: Following) -> State:
    escort = Escort(fact.leader, fact.until)
    return with_own(state, fact.side, lambda own: replace(own, followers={**own.followers, fact.unit: escort}))


def _beaten(state: State, fact: Beaten) -> State:
    return with_own(state, fact.side, lambda own: replace(own, beaten={**own.beaten, fact.unit: fact.wanted}))


def _routed(state: State, fact: Routed) -> State:
    return with_open(state, routs=(*state.open.routs, Rout(fact.battle, fact.choice)))


def _retreated(state: State, fact: Retreated) -> State:
    state = _displaced(state, fact.side, fact.unit, *fact.through, fact.to)
    return with_own(state, fact.side, lambda own: replace(own, beaten=_without(own.beaten, fact.unit)))


def _advance_ordered(state: State, fact: AdvanceOrdered) -> State:
    advance = Advance(fact.unit, fact.pursuers)
    return with_own(state, fact.side, lambda own: replace(own, advances={**own.advances, fact.at: advance}))


def _tanks_lost(state: State, fact: TanksLost) -> State:
    """R12.9 Bought tanks are counted off first, so that the guaranteed minimum stays a minimum."""

    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        bought = unit.bought.get(Goods.TANKS, 0)
        from_bought = min(bought, fact.medium)
        left = {**_without(unit.bought, Goods.TANKS), **({Goods.TANKS: bought - from_bought} if bought else {})}
        tanks = max(0, unit.tanks - (fact.medium - from_bought))
        return _with_unit(
            own, replace(unit, bought=left, tanks=tanks, heavy_tanks=max(0, unit.heavy_tanks - fact.heavy))
        )

    return with_own(state, fact.side, change)


def _absorbed(state: State, fact: Absorbed) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        unit = replace(unit, strength=unit.strength + fact.gained, absorbed=unit.absorbed + fact.debt)
        return _with_unit(own, unit)

    return with_own(state, fact.side, change)


def _reinforced(state: State, fact: Reinforced) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        if fact.goods is Goods.MEN:
            return _with_unit(own, replace(unit, strength=unit.strength + fact.amount))
        return _with_unit(own, replace(unit, bought=together(unit.bought, {fact.goods: fact.amount})))

    return with_own(state, fact.side, change)


def _dug(state: State, fact: Dug) -> State:
    return with_own(state, fact.side, lambda own: replace(own, positions={**own.positions, fact.at: fact.level}))


def _position_gone(state: State, fact: PositionGone) -> State:
    return with_own(state, fact.side, lambda own: replace(own, positions=_without(own.positions, fact.at)))


def _nothing(state: State, _fact: Fact) -> State:
    return state


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    Rolled: _nothing,
    Noted: _nothing,
    AttackLapsed: _nothing,
    Turned: _turned,
    WeatherSet: _weather_set,
    Forecast: lambda state, fact: with_open(state, forecast=fact.tomorrow),
    AirAvailable: _air_available,
    MissionsPlanned: lambda state, fact: _with_part(state, fact.side, missions=fact.missions),
    AirAllocated: _air_allocated,
    SuperiorityWon: lambda state, fact: with_open(state, air_winner=fact.side, removals=fact.removals),
    AirRemoved: _air_removed,
    AirDropped: _air_dropped,
    Interdicted: _interdicted,
    Landed: _landed,
    CommandoSearched: _commando_searched,
    CommandosGone: _commandos_gone,
    Demolished: _demolished,
    Detached: _detached,
    Rejoined: _rejoined,
    TaskForceDenied: _nothing,
    Resized: lambda state, fact: _change_unit(state, fact.side, fact.unit, small=fact.small),
    Plotted: _plotted,
    CloseSupport: _close_support,
    ArtilleryNamed: lambda state, fact: _with_part(state, fact.side, artillery=fact.units),
    Supported: _supported,
    Following: _following,
    Followed: lambda state, fact: _displaced(state, fact.side, fact.unit, fact.to),
    Beaten: _beaten,
    Routed: _routed,
    Pursued: lambda state, fact: _displaced(state, fact.side, fact.unit, *fact.path) if fact.path else state,
    AdvanceOrdered: _advance_ordered,
    TanksLost: _tanks_lost,
    Absorbed: _absorbed,
    Reinforced: _reinforced,
    Dug: _dug,
    PositionGone: _position_gone,
    FuelReceived: lambda state, fact: with_open(state, fuel=state.open.fuel + fact.points),
    FuelSpent: lambda state, fact: with_open(state, fuel=state.open.fuel - fact.points),
    FuelSet: lambda state, fact: with_open(state, fuel=fact.points),
    Scouted: _scouted,
    Moved: _moved,
    UnitPlaced: lambda state, fact: _displaced(_recalled(state, fact), fact.side, fact.unit, fact.at),
    DepotSet: lambda state, fact: with_open(state, depots={**state.open.depots, fact.place: fact.status}),
    BattleOpened: _battle_opened,
    BattleRuled: _battle_ruled,
    BattleFought: _battle_fought,
    Weakened: lambda state, fact: _change_unit(state, fact.side, fact.unit, strength=fact.strength, small=fact.small),
    StrengthSet: _strength_set,
    Destroyed: _destroyed,
    Retreated: _retreated,
    Advanced: lambda state, fact: _displaced(state, fact.side, fact.unit, fact.to),
    CutOff: lambda state, fact: _change_unit(state, fact.side, fact.unit, supplied=False),
    Resupplied: lambda state, fact: _change_unit(state, fact.side, fact.unit, supplied=True),
    DepotCaptured: _depot_captured,
    Controlled: lambda state, fact: with_open(state, control={**state.open.control, fact.place: fact.side}),
    CampaignEnded: lambda state, _fact: with_open(state, ended=True),
}
