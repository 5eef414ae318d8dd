"""What the GM's rulings about a side's units change, and where the extras of destroyed units go."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.state import with_own
from campaign.engine.values.ids import UnitId
from campaign.engine.values.value import changed, replace
from campaign.rulesets.forum_campaign.evolve.units import change_unit, enter, lose
from campaign.rulesets.forum_campaign.model.facts.muster import (
    GoodsSet,
    LineStruck,
    LineWritten,
    TanksSet,
    UnitAdded,
    UnitRemoved,
)
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.ledger import (
    LineKind,
    coming_from,
    extras,
    joined,
    ledger_of,
    lines_in,
    struck,
)
from campaign.rulesets.forum_campaign.model.start import new_unit
from campaign.rulesets.forum_campaign.model.state import Own, State
from campaign.rulesets.forum_campaign.model.task_forces import removed


def with_extras_of(own: Own, unit: UnitId, gone: UnitId) -> Own:
    """R12.10 The extras of a destroyed unit join the one that absorbs it; all else in its ledger ends with it."""
    record = own.lost.get(gone)
    if record is None or not extras(record.ledger):
        return own
    came = coming_from(record.label, extras(record.ledger))
    rest = ledger_of(line for line in lines_in(record.ledger) if line.kind is not LineKind.EXTRA)
    units = changed(own.units, unit, ledger=joined(own.units[unit].ledger, came))
    return replace(own, units=units, lost=changed(own.lost, gone, ledger=rest))


def _added(state: State, fact: UnitAdded) -> State:
    options = state.open.options
    unit = new_unit(fact.label, fact.branch, small=fact.small, at=fact.at, strength=fact.strength, options=options)

    def change(own: Own) -> Own:
        own = replace(own, units=dict(sorted({**own.units, unit.id: unit}.items())))
        return enter(own, (fact.at,), state) if unit.ground else own

    return with_own(state, fact.side, change)


def _removed(state: State, fact: UnitRemoved) -> State:
    def change(own: Own) -> Own:
        own = lose(own, fact.unit)
        return replace(own, lost={**own.lost, fact.unit: removed(own.lost[fact.unit])})

    return with_own(state, fact.side, change)


def _tanks_set(state: State, fact: TanksSet) -> State:
    return change_unit(state, fact.side, fact.unit, tanks=fact.medium, heavy_tanks=fact.heavy)


def _goods_set(state: State, fact: GoodsSet) -> State:
    def change(own: Own) -> Own:
        amounts = {**own.units[fact.unit].bought, fact.goods: fact.amount}
        bought = {goods: amounts[goods] for goods in Goods if amounts.get(goods)}
        return replace(own, units=changed(own.units, fact.unit, bought=bought))

    return with_own(state, fact.side, change)


def _line_written(state: State, fact: LineWritten) -> State:
    def change(own: Own) -> Own:
        ledger = joined(own.units[fact.unit].ledger, (fact.line,))
        return replace(own, units=changed(own.units, fact.unit, ledger=ledger))

    return with_own(state, fact.side, change)


def _line_struck(state: State, fact: LineStruck) -> State:
    def change(own: Own) -> Own:
        ledger = struck(own.units[fact.unit].ledger, fact.line)
        return replace(own, units=changed(own.units, fact.unit, ledger=ledger))

    return with_own(state, fact.side, change)


MUSTER_CHANGES: Mapping[type[Fact], Callable[[State, Any], State]] = {
    UnitAdded: _added,
    UnitRemoved: _removed,
    TanksSet: _tanks_set,
    GoodsSet: _goods_set,
    LineWritten: _line_written,
    LineStruck: _line_struck,
}
