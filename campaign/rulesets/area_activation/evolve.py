"""What each fact changes, in the truth and in players' states alike."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campaign.engine.facts import Fact, Noted, Rolled, unchanged
from campaign.engine.state import in_every_own, with_open, with_own, with_part
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import changed, replace, without
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN
from campaign.rulesets.area_activation.model.orders import Sign
from campaign.rulesets.area_activation.model.state import Own, Stage, State, Unit, and_unit


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact; raises KeyError for an unknown kind of fact and for a unit that is not on the map."""
    return _EVOLVE[type(fact)](state, fact)


def _with_unit(state: State, side: SideId, unit: UnitId, **changes: Any) -> State:
    return with_own(state, side, lambda own: replace(own, units=changed(own.units, unit, **changes)))


def _with_units(state: State, side: SideId, units: Iterable[UnitId], **changes: Any) -> State:
    for unit in units:
        state = _with_unit(state, side, unit, **changes)
    return state


def _every_unit(state: State, change: Callable[[Unit], Unit]) -> State:
    def in_own(own: Own) -> Own:
        return replace(own, units={id_: change(unit) for id_, unit in own.units.items()})

    return in_every_own(state, in_own)


# --- the sequence ----------------------------------------------------------------------------------------------------


def _turned(state: State, fact: facts.Turned) -> State:
    state = with_open(state, phase=fact.phase, date=fact.date, turn=fact.turn, surprise=fact.surprise)
    if not fact.new_turn:
        return state
    state = with_open(state, stage=Stage.CHOICE, fights=(), fight=None, question=None, answered=())
    return in_every_own(state, lambda own: replace(own, reply=(), crossed=()))


def _day_began(state: State, fact: facts.DayBegan) -> State:
    asked = {} if fact.decides else state.open.asked  # R48 the surprise turns count with the first day
    state = with_open(state, initiative=fact.initiative, decides=fact.decides, turns={}, passes=0)
    state = with_open(state, asks={}, asked=asked, missed={})
    state = in_every_own(state, lambda own: replace(own, plan=(), reply=()))
    return _every_unit(state, lambda unit: replace(unit, acted=False, active=False, unfuelled=False))


def _supply_checked(state: State, fact: facts.SupplyChecked) -> State:
    def check(own: Own) -> Own:
        return replace(own, units={id_: replace(unit, unsupplied=id_ in fact.out) for id_, unit in own.units.items()})

    return with_own(state, fact.side, check)


def _meuse_reached(state: State, fact: facts.MeuseReached) -> State:
    return _with_points(with_open(state, meuse_reached=True), fact.points)


def _with_points(state: State, points: int) -> State:
    total = state.open.points + points
    return with_open(state, points=total if state.open.options.negative_points else max(0, total))


def _arrived(state: State, fact: facts.Arrived) -> State:
    def arrive(own: Own) -> Own:
        return replace(
            own,
            units=and_unit(own.units, Unit(fact.unit, fact.side, fact.at, fact.strength)),
            due=without(own.due, fact.unit),
            reserve=tuple(unit for unit in own.reserve if unit != fact.unit),
        )

    return with_own(state, fact.side, arrive)


def _delayed(state: State, fact: facts.Delayed) -> State:
    def delay(own: Own) -> Own:
        return replace(own, due=changed(own.due, fact.unit, delayed=True))

    return with_own(state, fact.side, delay)


def _commando_struck(state: State, fact: facts.CommandoStruck) -> State:
    state = with_open(state, commando_used=True)
    return state if fact.unit is None else _with_unit(state, ALLIED, fact.unit, acted=True)


def _weaker(state: State, side: SideId, unit: UnitId, *, by: int) -> State:
    def weaken(own: Own) -> Own:
        return replace(own, units=changed(own.units, unit, strength=own.units[unit].strength - by))

    return with_own(state, side, weaken)


def _wished(state: State, fact: facts.Wished) -> State:
    return with_open(state, asks={**state.open.asks, fact.side: fact.decisions})


def _asked(state: State, fact: facts.Asked) -> State:
    side = fact.question.side
    asked = {**state.open.asked, side: state.open.asked.get(side, 0) + 1}
    return with_open(state, question=fact.question, asked=asked)


def _answered(state: State, fact: facts.Answered) -> State:
    state = with_open(state, question=None, answered=(*state.open.answered, fact.about))
    return with_own(state, fact.side, lambda own: replace(own, reply=(*fact.lines, *own.reply)))


def _unanswered(state: State, fact: facts.Unanswered) -> State:
    missed = (*state.open.missed.get(fact.side, ()), fact.about)
    return with_open(state, question=None, missed={**state.open.missed, fact.side: missed})


def _used(state: State, fact: facts.Used) -> State:
    def use(own: Own) -> Own:
        lines = list(own.plan)
        if fact.line in lines:
            lines.remove(fact.line)
        return replace(own, plan=tuple(lines))

    return with_own(state, fact.side, use)


# --- turns -----------------------------------------------------------------------------------------------------------


def _passed(state: State, fact: facts.Passed) -> State:
    return with_open(_with_turn(state, fact.side), passes=state.open.passes + 1, stage=Stage.DONE)


def _with_turn(state: State, side: SideId) -> State:
    turns = state.open.turns
    return with_open(state, turns={**turns, side: turns.get(side, 0) + 1})


def _activated(state: State, fact: facts.Activated) -> State:
    state = with_open(_with_turn(state, fact.side), passes=0)
    return _with_units(state, fact.side, fact.units, active=True)


def _moved(state: State, fact: facts.Moved) -> State:
    def move(own: Own) -> Own:
        crossed = own.crossed if fact.barred is None else (*own.crossed, fact.barred)
        units = changed(own.units, fact.unit, at=fact.path[-1], across=fact.across)
        return replace(own, units=units, crossed=crossed)

    return with_own(state, fact.side, move)


def _exited(state: State, fact: facts.Exited) -> State:
    state = with_open(_without_unit(state, GERMAN, fact.unit), gone=(*state.open.gone, fact.unit))
    return _with_points(state, fact.points)


def _without_unit(state: State, side: SideId, unit: UnitId) -> State:
    return with_own(state, side, lambda own: replace(own, units=without(own.units, unit)))


def _taken(state: State, fact: facts.Taken | facts.ControlSet) -> State:
    return _with_points(with_open(state, control={**state.open.control, fact.place: fact.side}), fact.points)


def _turn_over(state: State, fact: facts.TurnOver) -> State:
    def rest(own: Own) -> Own:
        return replace(own, units={id_: _rested(unit) for id_, unit in own.units.items()})

    return with_open(with_own(state, fact.side, rest), stage=Stage.DONE)


def _rested(unit: Unit) -> Unit:
    return replace(unit, acted=unit.acted or unit.active, active=False, across=False)


# --- combat ----------------------------------------------------------------------------------------------------------


def _fought(state: State, fact: facts.Fought) -> State:
    left = tuple(place for place in state.open.fights if place != fact.fight.at)
    return with_open(state, fight=fact.fight, fights=left, stage=Stage.RETREAT, answered=())


def _fell_back(state: State, _fact: facts.FellBack) -> State:
    fight = state.open.fight
    assert fight is not None
    hits = max(0, fight.on_defender - 1)
    return with_open(state, fight=replace(fight, retreats=True, on_defender=hits), stage=Stage.DEFENDER, answered=())


def _eliminated(state: State, fact: facts.Eliminated) -> State:
    state = with_open(_without_unit(state, fact.side, fact.unit), lost=(*state.open.lost, fact.unit))
    return _with_points(state, fact.points)


def _broke_through(state: State, fact: facts.BrokeThrough) -> State:
    def move(own: Own) -> Own:
        crossed = (*own.crossed, (fact.start, fact.to)) if fact.barred else own.crossed
        return replace(own, units=changed(own.units, fact.unit, at=fact.to, acted=True, active=False), crossed=crossed)

    return with_own(state, fact.side, move)


def _sighted(state: State, fact: facts.Sighted) -> State:
    for side, picture in fact.pictures.items():
        state = with_part(state, side, seen=picture)
    return with_open(state, shown=fact.shown)


# --- rulings ---------------------------------------------------------------------------------------------------------


def _unit_placed(state: State, fact: facts.UnitPlaced) -> State:
    def place(own: Own) -> Own:
        unit = own.units.get(fact.unit)
        placed = replace(unit, at=fact.at) if unit else Unit(fact.unit, fact.side, fact.at, fact.strength)
        return replace(
            own,
            units=and_unit(own.units, placed),
            due=without(own.due, fact.unit),
            reserve=tuple(each for each in own.reserve if each != fact.unit),
        )

    return with_own(state, fact.side, place)


_FIELD = {Sign.ACTED: "acted", Sign.UNSUPPLIED: "unsupplied", Sign.UNFUELLED: "unfuelled"}


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    Rolled: unchanged,
    Noted: unchanged,
    facts.Turned: _turned,
    facts.DayBegan: _day_began,
    facts.SupplyChecked: _supply_checked,
    facts.Starved: lambda state, fact: _weaker(state, fact.side, fact.unit, by=1),
    facts.MeuseReached: _meuse_reached,
    facts.BritishFreed: lambda state, _fact: with_open(state, british_free=True),
    facts.Arrived: _arrived,
    facts.Delayed: _delayed,
    facts.Marked: unchanged,
    facts.RanDry: lambda state, fact: _with_units(state, GERMAN, fact.units, unfuelled=True),
    facts.Replaced: lambda state, fact: _weaker(state, fact.side, fact.unit, by=-1),
    facts.CommandoStruck: _commando_struck,
    facts.CommandoLapsed: unchanged,
    facts.Planned: lambda state, fact: with_part(state, fact.side, plan=fact.lines),
    facts.Wished: _wished,
    facts.Asked: _asked,
    facts.Answered: _answered,
    facts.Unanswered: _unanswered,
    facts.Used: _used,
    facts.Passed: _passed,
    facts.Activated: _activated,
    facts.Moved: _moved,
    facts.CouldNotMove: unchanged,
    facts.Exited: _exited,
    facts.Taken: _taken,
    facts.ContestedNow: lambda state, fact: with_open(state, contested=fact.places),
    facts.CombatsDue: lambda state, fact: with_open(state, fights=fact.places, stage=Stage.COMBATS, answered=()),
    facts.Joined: lambda state, fact: _with_units(state, fact.side, fact.units, active=True),
    facts.Fought: _fought,
    facts.Stood: lambda state, _fact: with_open(state, stage=Stage.DEFENDER, answered=()),
    facts.FellBack: _fell_back,
    facts.Hit: lambda state, fact: _weaker(state, fact.side, fact.unit, by=fact.points),
    facts.Eliminated: _eliminated,
    facts.Retreated: lambda state, fact: _with_unit(state, fact.side, fact.unit, at=fact.to, acted=True),
    facts.BrokeThrough: _broke_through,
    facts.Staged: lambda state, fact: with_open(state, stage=fact.stage, answered=()),
    facts.CombatOver: lambda state, _fact: with_open(state, fight=None, stage=Stage.COMBATS, answered=()),
    facts.TurnOver: _turn_over,
    facts.Sighted: _sighted,
    facts.Ended: lambda state, fact: with_open(state, ended=True, winner=fact.winner),
    facts.UnitPlaced: _unit_placed,
    facts.StrengthSet: lambda state, fact: _with_unit(state, fact.side, fact.unit, strength=fact.strength),
    facts.UnitRemoved: lambda state, fact: _without_unit(state, fact.side, fact.unit),
    facts.SignSet: lambda state, fact: _with_unit(state, fact.side, fact.unit, **{_FIELD[fact.sign]: fact.on}),
    facts.ControlSet: _taken,
    facts.PointsSet: lambda state, fact: with_open(state, points=fact.points),
}
