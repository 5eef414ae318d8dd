"""Forms of sheets of movement, attacks and retreats: what supports the battles, and who goes where."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import Blank, Budget, Choice, Form, Row
from campaign.engine.orders.order import Order, Placed
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.battle.artillery import BARRAGES
from campaign.rulesets.forum_campaign.battle.close_air import close_support_left
from campaign.rulesets.forum_campaign.battle.outside import most_outside
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.day.depots import check_demolition
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.orders import (
    Artillery,
    Attack,
    Cas,
    Demolish,
    Outside,
    Rejoin,
    Retreat,
)
from campaign.rulesets.forum_campaign.model.state import State, Unit

MarchDraft = Draft[GameData, State]


def close_support(draft: MarchDraft) -> Form | None:
    """R3.10 The attackers of the sheet, for the air units that are left of today's box."""
    left = close_support_left(draft.sheet.known, draft.sheet.side)
    if left <= 0:
        return None
    blank = Blank(name="air_units", label="air units", most=left)
    rows = (Row(kind=Cas, label=unit.label, fixed={"unit": unit.id}, blanks=(blank,)) for unit in _attackers(draft))
    return Form(
        key="cas", title="Close air support", rows=tuple(rows), budget=Budget("air units for close support", left)
    )


def battles_outside(draft: MarchDraft) -> Form | None:
    """R12.11 The attackers in the order in which their battles are fought outside, if there is a limit."""
    most = most_outside(draft.sheet.known.open.options, draft.sheet.side)
    attackers = _attackers(draft)
    if not most or len(attackers) <= most:
        return None
    return Form(
        key="outside",
        title="Battles fought outside",
        help=f"At most {most} of your battles are fought outside; the resolver decides the others.",
        rows=_ranked(Outside, attackers, min(most, len(attackers))),
    )


def artillery(draft: MarchDraft) -> Form:
    """R15.3 The units whose next battles get the heavy artillery."""
    rejoining = {placed.order.unit for placed in draft.lines(Rejoin)}
    own = draft.sheet.known.own[draft.sheet.side].units.values()
    units = [unit for unit in own if unit.ground and unit.at and unit.id not in rejoining]
    return Form(
        key="artillery",
        title="Heavy artillery",
        help=f"The first {BARRAGES} battles of these units in a turn, attack or defence, get it.",
        rows=_ranked(Artillery, units, max(BARRAGES, len(draft.own_lines(Artillery)))),
    )


def _ranked(kind: type[Order], units: Sequence[Unit], count: int) -> tuple[Row, ...]:
    """Rows that each name a unit, in their order."""
    choices = tuple(Choice({"unit": unit.id}, unit.label, times=1) for unit in units)
    blank = Blank(name="unit", label="unit", choices=choices)
    return tuple(Row(kind=kind, label="Then" if n else "First", blanks=(blank,)) for n in range(count if units else 0))


def demolition(draft: MarchDraft) -> Form:
    """R9.5 The depots that may be tried, as far as the side sees."""
    names = draft.sheet.game_data.place_name
    places = [at for at in sorted(draft.sheet.known.open.depots) if _is_open(draft, at)]
    blank = Blank(name="at", label="depot", choices=tuple(Choice({"at": at}, names(at)) for at in places))
    rows = (Row(kind=Demolish, label="Depot", blanks=(blank,)),) if places else ()
    return Form(key="demolish", title="Demolition of a depot", help="One attempt a day.", rows=rows)


def _is_open(draft: MarchDraft, at: PlaceId) -> bool:
    alone = replace(draft.sheet, lines=(Placed(Demolish(at), 1),))
    return check_demolition(alone).place is not None


def pending_retreats(draft: MarchDraft) -> Form:
    """R12.5 The side's defeated units, with the hexes that are open to each as far as is known."""
    known, own = draft.sheet.known, draft.sheet.known.own[draft.sheet.side].units
    rows = []
    for pending in known.open.pending_retreats:
        for fighter in pending.battle.defenders:
            unit = own.get(fighter.unit)
            if unit is not None and unit.at == pending.battle.at:
                places = retreat_hexes(draft.sheet.game_data, known, pending.battle, unit.id)
                choices = tuple(Choice({"to": place}, draft.sheet.game_data.place_name(place)) for place in places)
                blank = Blank(name="to", label="retreats to", choices=choices, on_map=True, spread=True)
                rows.append(Row(kind=Retreat, label=unit.label, fixed={"unit": unit.id}, blanks=(blank,)))
    return Form(key="retreat", title="Retreats", rows=tuple(row for row in rows if row.blanks[0].choices), main=True)


def _attackers(draft: MarchDraft) -> list[Unit]:
    """The units whose attacks on the sheet count, as far as their side knows."""
    lines = {placed.where: placed.order.unit for placed in draft.lines(Attack)}
    accepted = {(each.line, each.desk) for each in draft.phase.check(draft.sheet).understood} if lines else set()
    units: Collection[UnitId] = {unit for where, unit in lines.items() if where in accepted}
    return [unit for unit in draft.sheet.known.own[draft.sheet.side].units.values() if unit.id in units]
