"""R3.8 Supply from the air: named on the air sheet and on the Allied sheet, flown before the portion begins."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Submission
from campaign.engine.values.ids import SideId, UnitId
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.model.facts.air import AirDropped
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, Box, GameData
from campaign.rulesets.forum_campaign.model.orders import Airdrop
from campaign.rulesets.forum_campaign.model.state import State, Unit

PAIR = 2
"""R3.6, R3.8 Air units that supply one unit."""


@dataclass(frozen=True)
class Lift:
    """The units that the sheet supplies from the air, in the order of its lines, and the answer to these lines."""

    units: tuple[UnitId, ...]
    checked: Checked


def check_drops(sheet: Submission[GameData, State]) -> Lift:
    """R3.8 The second window: drops that were not flown at dawn are flown before the Allies move."""
    chosen: list[UnitId] = []
    left = pairs_left(sheet.known, sheet.side)

    def check(order: Airdrop) -> str:
        unit = dropped_to(sheet.known, sheet.side, order, chosen, pairs=left)
        chosen.append(unit.id)
        return f"{unit.label} is supplied from the air before anyone moves"

    checked = check_lines(sheet.lines, {Airdrop: check})
    return Lift(tuple(chosen), checked)


def dropped_to(known: State, side: SideId, order: Airdrop, chosen: Collection[UnitId], *, pairs: int) -> Unit:
    """R3.8 The unit that an AIRDROP line supplies; raises Refused. `chosen`: those of the lines above."""
    unit = known.own[side].units.get(order.unit)
    if unit is None:
        raise Refused("gone", f"{order.unit} no longer exists", "R3.8")
    if unit.at is None:
        raise Refused("off-map", f"{unit.label} is not on the map", "R3.8")
    if unit.supplied:
        raise Refused(
            "supplied", f"{unit.label} is in supply", "R3.8", hint="Only unsupplied units can be supplied from the air."
        )
    if unit.id in chosen:
        raise Refused(
            "twice", f"{unit.label} is already supplied in a line above", "R3.8", hint="Keep one of the two lines."
        )
    if len(chosen) >= pairs:
        hint = "Each drop takes two air units of the drop box, on the air sheet or on the Allied sheet."
        raise Refused("no-pairs", f"no pair of air units is left for {unit.label}", "R3.8", hint=hint)
    return unit


def pairs_left(known: State, side: SideId) -> int:
    """R3.8 Drops that are left in today's box; an odd air unit has no effect (R3.6)."""
    day = known.open.air.get(side)
    flown = known.own[side].drops_flown
    return max(0, (day.boxes.get(Box.DROP, 0) if day else 0) // PAIR - flown)


def supplied_so(sheet: Submission[GameData, State], lift: Lift) -> Submission[GameData, State]:
    """The sheet with its side's knowledge after these drops, by which the rest is checked."""
    known = sheet.known
    for unit in lift.units:
        known = evolve(known, AirDropped(sheet.side, unit))
    return replace(sheet, known=known)


def fly_dawn_drops(ledger: Ledger[GameData, State]) -> None:
    """R3.8 The first window: the first lines get what removals have left."""
    for unit in list(_flyable(ledger.state, ledger.state.own[ALLIED].missions.drops)):
        _drop(ledger, unit)


def _flyable(state: State, wanted: Sequence[UnitId]) -> Iterator[UnitId]:
    units = state.own[ALLIED].units
    needy = [id_ for id_ in wanted if id_ in units and not units[id_].supplied]
    yield from needy[: pairs_left(state, ALLIED)]


def fly_second_drops(ledger: Ledger[GameData, State], sheet: Submission[GameData, State]) -> None:
    """R3.8 The second window, before the Allies move: a unit that is supplied now may move in this portion."""
    for unit in check_drops(sheet).units:
        _drop(ledger, unit)


def _drop(ledger: Ledger[GameData, State], unit: UnitId) -> None:
    ledger.emit(AirDropped(ALLIED, unit, ledger.state.own[ALLIED].units[unit].at), rule="R3.8")
