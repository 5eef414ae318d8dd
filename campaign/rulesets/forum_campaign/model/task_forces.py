"""R8 Task forces and Kampfgruppen: which units may create one, what it takes along, and how it rejoins."""

from collections.abc import Container, Iterable, Mapping
from string import ascii_uppercase

from msgspec import UNSET

from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.movement import RefusalReason
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Echelon, Goods
from campaign.rulesets.forum_campaign.model.ledger import joined, lines_in
from campaign.rulesets.forum_campaign.model.state import FULL, Own, Unit, is_small

MORE_THAN = 70
"""R8.1 Percent of its establishment that a unit must exceed to create a task force."""
SHARE = 30
"""Headcount that goes along, in percent of the unit's establishment."""
MOST_TANKS = 1


def why_not_detach(unit: Unit, tanks: int = 0) -> RefusalReason | None:
    """R8.1 Why a unit cannot create a task force, regardless of place and movement; None if it can."""
    causes = (
        (not unit.ground, RefusalReason.COMMANDO),
        (unit.scattered, RefusalReason.SCATTERED),
        (unit.split, RefusalReason.SPLIT),
        (unit.lent > 0, RefusalReason.OUT),
        (unit.small, RefusalReason.SMALL),
        (unit.strength <= MORE_THAN, RefusalReason.WEAK),
        (not unit.supplied, RefusalReason.UNSUPPLIED),
        (tanks > min(MOST_TANKS, unit.tanks), RefusalReason.TANKS),
    )
    return _first(causes)


def why_not_rejoin(force: Unit, parent: Unit | None) -> RefusalReason | None:
    """R8.3 Why a task force cannot rejoin its unit, regardless of their movement; None if it can."""
    if parent is None or not force.parent:
        return RefusalReason.NO_PARENT
    causes = (
        (force.split or parent.split, RefusalReason.SPLIT),
        (force.at is None, RefusalReason.OFF_MAP),
        (force.at != parent.at, RefusalReason.APART),
        (not (force.supplied and parent.supplied), RefusalReason.UNSUPPLIED),
    )
    return _first(causes)


def _first(causes: Iterable[tuple[bool, RefusalReason]]) -> RefusalReason | None:
    return next((refusal_reason for applies, refusal_reason in causes if applies), None)


def task_force(side: SideId, parent: Unit, taken: Container[UnitId], *, tanks: int = 0) -> Unit:
    """R8.1 The task force that a unit would create: a part of it, in its hex and with its spent movement."""
    label = _label(side, parent, taken)
    return replace(
        parent,
        id=UnitId(label),
        label=label,
        name=label,
        echelon=Echelon.BATTALION,
        small=True,
        small_from_start=True,
        strength=SHARE,
        raised=SHARE,
        parent=parent.id,
        lent=0,
        tanks=tanks,
        heavy_tanks=0,
        bought={},
        ledger=UNSET,
        arrives=None,
        entry=None,
        moved=False,
        attacked=False,
        absorbed=0,
        split=True,
    )


def _label(side: SideId, parent: Unit, taken: Container[UnitId]) -> str:
    """`KG 2 Pz`, and if there has been one already `KG 2 Pz B`, as reports still speak of the first."""
    plain = f"{'KG' if side == GERMAN else 'TF'} {parent.label}"
    labels = (plain, *(f"{plain} {letter}" for letter in ascii_uppercase[1:]))
    return next((label for label in labels if label not in taken), labels[-1])


def creatable_task_forces(
    side: SideId, units: Mapping[UnitId, Unit], retired: Iterable[UnitId]
) -> Mapping[UnitId, Unit]:
    """R8.1 The task force of every unit that may create one, by id, so that a sheet can name it before it exists."""
    taken = {*units, *retired}
    parents = [unit for unit in units.values() if why_not_detach(unit) is None]
    forces = [task_force(side, parent, taken) for parent in parents]
    return {force.id: force for force in forces}


def if_supplied(units: Mapping[UnitId, Unit]) -> Mapping[UnitId, Unit]:
    """R3.8 Units as if all were supplied from the air, to find the task forces that a sheet may name."""
    return {id_: unit if unit.supplied else replace(unit, supplied=True) for id_, unit in units.items()}


def after_detaching(parent: Unit, force: Unit) -> Unit:
    """R8.2 A unit without what its task force has taken along, with one printed point less."""
    return replace(
        parent,
        strength=parent.strength - force.strength,
        lent=force.strength,
        tanks=parent.tanks - force.tanks,
        split=True,
    )


def after_rejoining(parent: Unit, force: Unit) -> Unit:
    """R8.3 A unit with its task force again; the spent movement is that of the one that spent more.

    A unit that is small for lack of room stays small (R14.5).
    """
    whole = replace(
        parent,
        strength=min(FULL, parent.strength + force.strength),
        lent=0,
        tanks=parent.tanks + force.tanks,
        bought=together(parent.bought, force.bought),
        ledger=joined(parent.ledger, lines_in(force.ledger)),
        spent=max(parent.spent, force.spent),
        moved=parent.moved or force.moved,
        fought=parent.fought or force.fought,
        debt=max(parent.debt, force.debt),
        absorbed=parent.absorbed + force.absorbed,
        split=True,
    )
    return replace(whole, small=parent.small or is_small(whole))


def back_among(units: Mapping[UnitId, Unit], unit: Unit) -> Mapping[UnitId, Unit]:
    """R8, R15.6 The units with a destroyed one back among them: headcount is lent again to its task force.

    A task force whose unit has another one, or is gone, is on its own.
    """
    if not any(other.parent == unit.id for other in units.values()):
        unit = replace(unit, lent=0)
    parent = units.get(unit.parent) if unit.parent else None
    if parent is None:
        return {**units, unit.id: unit}
    if parent.lent:
        return {**units, unit.id: replace(unit, parent=None)}
    lent = min(unit.raised, FULL - parent.strength)
    return {**units, unit.id: unit, parent.id: replace(parent, lent=lent)}


def together(some: Mapping[Goods, int], more: Mapping[Goods, int]) -> dict[Goods, int]:
    """What two units have received, together."""
    return {goods: some.get(goods, 0) + more.get(goods, 0) for goods in Goods if goods in some or goods in more}


def removed(unit: Unit) -> Unit:
    """R15.6 The record of a unit that the GM took out of the campaign: a unit of nobody, at no hex, on no day."""
    return replace(unit, at=None, arrives=None, entry=None, parent=None)


def was_removed(record: Unit) -> bool:
    """R15.6 Whether a lost unit was taken out by the GM."""
    return record.at is None and record.arrives is None and record.parent is None


def has_rejoined(own: Own, unit: UnitId) -> bool:
    """Whether a lost unit was a task force that has rejoined its unit."""
    record = own.lost.get(unit)
    return record is not None and record.parent is not None and record.at is None
