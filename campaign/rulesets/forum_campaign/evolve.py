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
    Advanced,
    AttackLapsed,
    BattleFought,
    BattleOpened,
    BattleRuled,
    CampaignEnded,
    Controlled,
    CutOff,
    DepotCaptured,
    DepotSet,
    Destroyed,
    FuelReceived,
    FuelSet,
    FuelSpent,
    Moved,
    Noted,
    Resupplied,
    Retreated,
    Scouted,
    StrengthSet,
    Turned,
    UnitPlaced,
    Weakened,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.state import (
    SMALL_AT,
    Combatant,
    DepotStatus,
    Own,
    RuledResult,
    Sighting,
    Stamp,
    State,
    Unit,
    left_a_hex,
    ruled_results,
    stamp,
)


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Raises KeyError for a unit or place that is not there, TypeError for no fact of ours."""
    return _EVOLVE[type(fact)](state, fact)


def _turned(state: State, fact: Turned) -> State:
    state = with_open(state, phase=fact.phase, date=fact.date)
    if fact.phase == "morning":
        return _in_every_own(state, _new_day)
    if fact.phase.endswith("_sheet"):
        return with_own(state, SideId(fact.phase.removesuffix("_sheet")), _new_portion)
    return state


def _in_every_own(state: State, change: Callable[[Own], Own]) -> State:
    for side in state.own:
        state = with_own(state, side, change)
    return state


def _new_day(own: Own) -> Own:
    units = {id_: replace(unit, fought=False) for id_, unit in own.units.items()}
    return replace(own, units=units, identified=frozenset())


def _new_portion(own: Own) -> Own:
    return replace(own, units=_at_rest(own.units), lost=_at_rest(own.lost))


def _at_rest(units: Mapping[UnitId, Unit]) -> dict[UnitId, Unit]:
    return {id_: replace(unit, spent=0, moved=False) for id_, unit in units.items()}


def _scouted(state: State, fact: Scouted) -> State:
    for side, sightings in fact.sightings.items():
        state = with_own(state, side, _seeing(sightings, stamp(state.open)))
    return state


def _seeing(sightings: tuple[Sighting, ...], now: Stamp) -> Callable[[Own], Own]:
    seen = {sighting.at: now for sighting in sightings}
    return lambda own: replace(own, sightings=sightings, seen={**own.seen, **seen})


def _moved(state: State, fact: Moved) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        at = fact.path[-1] if fact.path else unit.at
        moved = unit.moved or left_a_hex(fact.start, fact.path)
        own = _with_unit(own, replace(unit, at=at, moved=moved, spent=fact.spent))
        return _enter(own, fact.path, state)

    return with_own(state, fact.side, change)


def _displaced(state: State, side: SideId, unit: UnitId, to: PlaceId) -> State:
    """A unit is elsewhere without having spent movement: retreat, advance, the GM's hand."""
    return with_own(state, side, lambda own: _enter(_with_unit(own, replace(own.units[unit], at=to)), (to,), state))


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
            own = _with_unit(own, replace(own.units[fighter.unit], fought=True))
        return replace(own, identified=own.identified | {fighter.unit for fighter in theirs})

    return change


def _battle_ruled(state: State, fact: BattleRuled) -> State:
    result = RuledResult(fact.winner, fact.advance, fact.losses, fact.retreats)
    return with_hidden(state, ruled={**ruled_results(state), fact.at: result})


def _battle_fought(state: State, fact: BattleFought) -> State:
    ruled = {place: result for place, result in ruled_results(state).items() if place != fact.at}
    battles = tuple(battle for battle in state.open.battles if battle.at != fact.at)
    return with_open(with_hidden(state, ruled=ruled), battles=battles)


def _destroyed(state: State, fact: Destroyed) -> State:
    def change(own: Own) -> Own:
        units = dict(own.units)
        unit = units.pop(fact.unit)
        return replace(own, units=units, lost={**own.lost, unit.id: unit})

    return with_own(state, fact.side, change)


def _recalled(state: State, fact: UnitPlaced) -> State:
    """A destroyed unit among the living again."""

    def change(own: Own) -> Own:
        lost = dict(own.lost)
        unit = lost.pop(fact.unit, None)
        units = own.units if unit is None else dict(sorted({**own.units, unit.id: unit}.items()))
        return replace(own, units=units, lost=lost)

    return with_own(state, fact.side, change)


def _strength_set(state: State, fact: StrengthSet) -> State:
    def change(own: Own) -> Own:
        unit = own.units[fact.unit]
        small = unit.small_from_start or fact.strength <= SMALL_AT
        return _with_unit(own, replace(unit, strength=fact.strength, small=small))

    return with_own(state, fact.side, change)


def _depot_captured(state: State, fact: DepotCaptured) -> State:
    depots = {**state.open.depots, fact.place: DepotStatus.CAPTURED}
    return with_open(state, depots=depots, fuel=state.open.fuel + fact.value)


def _nothing(state: State, _fact: Fact) -> State:
    return state


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    Rolled: _nothing,
    Noted: _nothing,
    AttackLapsed: _nothing,
    Turned: _turned,
    WeatherSet: lambda state, fact: with_open(state, weather=fact.today),
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
    Retreated: lambda state, fact: _displaced(state, fact.side, fact.unit, fact.to),
    Advanced: lambda state, fact: _displaced(state, fact.side, fact.unit, fact.to),
    CutOff: lambda state, fact: _change_unit(state, fact.side, fact.unit, supplied=False),
    Resupplied: lambda state, fact: _change_unit(state, fact.side, fact.unit, supplied=True),
    DepotCaptured: _depot_captured,
    Controlled: lambda state, fact: with_open(state, control={**state.open.control, fact.place: fact.side}),
    CampaignEnded: lambda state, _fact: with_open(state, ended=True),
}
