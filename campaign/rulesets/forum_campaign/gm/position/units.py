"""The units of a position: what each line says of its unit, on top of what the unit begins with."""

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.air.paratroops import is_paratroop
from campaign.rulesets.forum_campaign.gm.position.roster import Line
from campaign.rulesets.forum_campaign.gm.position.table import (
    DISPLACED,
    FOUGHT,
    MOVED,
    RESTED,
    STATUSES,
    YES_NO,
    Column,
    Row,
    Status,
    place_in,
)
from campaign.rulesets.forum_campaign.model.game_data import GameData, Goods
from campaign.rulesets.forum_campaign.model.options import WipedOut
from campaign.rulesets.forum_campaign.model.state import COMMANDO, FULL, State, Unit, is_small, wiped_out_at
from campaign.rulesets.forum_campaign.model.task_forces import removed
from campaign.rulesets.forum_campaign.model.words import listed

_MOST_GOODS = 99
_DEPTHS = {"none": 0, "dug-in": 1, "dug in": 1, "entrenched": 2}


@dataclass(frozen=True)
class Entry:
    """A line with its unit as the position has it."""

    line: Line
    unit: Unit
    status: Status
    position: int
    """R13 The prepared position in its hex."""

    @property
    def row(self) -> Row:
        return self.line.row

    @property
    def side(self) -> SideId:
        return self.line.side


def entries_of(game_data: GameData, start: State, lines: Sequence[Line], day: datetime.date) -> list[Entry]:
    """The units that the lines are about, each with its faults."""
    entries = [_entry(game_data, line, day) for line in lines]
    lent = _lent(entries)
    return [_sized(each, lent.get((each.side, each.unit.id), 0), start.open.options.wiped_out) for each in entries]


def _entry(game_data: GameData, line: Line, day: datetime.date) -> Entry:
    row, unit = line.row, line.unit
    status, at = _whereabouts(game_data, line)
    there = status is Status.MAP
    yesterday = _yesterday(row)
    unit = replace(
        unit,
        at=at,
        arrives=_arrival(game_data, row, unit),
        strength=row.number(Column.STRENGTH, unit.strength, most=FULL),
        supplied=row.word(Column.SUPPLIED, YES_NO, default=True),
        moved=MOVED in yesterday,
        fought=FOUGHT in yesterday,
        dislodged=DISPLACED in yesterday,
        tanks=row.number(Column.TANKS, unit.tanks, most=_MOST_GOODS),
        heavy_tanks=row.number(Column.HEAVY_TANKS, unit.heavy_tanks, most=_MOST_GOODS),
        bought=_bought(game_data, row),
        absorbed=row.number(Column.ABSORBING, 0, most=_MOST_GOODS),
        scattered=row.word(Column.SCATTERED, YES_NO, default=False),
    )
    if not unit.supplied and not unit.ground:
        row.wrong("commandos need no supply (R11.1)", "Leave supplied empty.")
    position = row.word(Column.POSITION, _DEPTHS, 0)
    if position and not (there and unit.ground):
        row.wrong(f"{unit.label} is not on the map as a ground unit and has no position (R13)", "Leave it empty.")
    if there:
        _check_day(game_data, row, unit, day)
    return Entry(line, removed(unit) if status is Status.REMOVED else unit, status, position)


# --- where it is -----------------------------------------------------------------------------------------------------


def _whereabouts(game_data: GameData, line: Line) -> tuple[Status, PlaceId | None]:
    """Whether the unit is on the map, and its hex; of an eliminated one the hex where it was, if that is known."""
    row, unit, written = line.row, line.unit, line.row.text(Column.HEX)
    at = place_in(game_data, written) if written else None
    if written and at is None:
        row.wrong(f"this map has no hex or town {written!r}", "Write a hex as the map numbers it, such as Q19.")
    status = row.word(Column.STATUS, STATUSES, Status.MAP if written else Status.TO_ARRIVE)
    if status is Status.TO_ARRIVE:
        _check_arrival(row, unit)
        return status, None
    if status is Status.ELIMINATED:
        at = at or unit.at or unit.entry or None
        if at is None and unit.arrives is None:
            row.wrong(f"{unit.label} is eliminated, and nothing says where", "Write the hex where it was.")
        return status, at
    if status is Status.REMOVED:
        return status, None
    if not written:
        row.wrong(f"{unit.label} is on the map, and has no hex", "Write its hex, or correct its status.")
    return status, at


def _check_arrival(row: Row, unit: Unit) -> None:
    if unit.arrives is None:
        cure = "Write its hex; or write eliminated or removed as its status, if it is gone."
        row.wrong(f"{unit.label} has no hex, and no day on which it arrives", cure)
    elif row.text(Column.HEX):
        row.wrong(f"{unit.label} is to arrive, and has a hex", "Leave one of the two empty.")


def _arrival(game_data: GameData, row: Row, unit: Unit) -> datetime.date | None:
    """R1.1 The day of its arrival: one of the scenario's, as on any other the unit would never come."""
    if row.text(Column.ARRIVES) and unit.arrives is None:
        row.wrong(f"{unit.label} does not arrive: the scenario has it on the map", "Leave arrives empty.")
        return None
    day, days = row.day(Column.ARRIVES, unit.arrives), (game_data.first_day, game_data.last_day)
    if row.text(Column.ARRIVES) and day is not None and not days[0] <= day <= days[1]:
        row.wrong(f"arrives is {day}, which is no day of this scenario", f"Write one from {days[0]} to {days[1]}.")
    return day


def _check_day(game_data: GameData, row: Row, unit: Unit, day: datetime.date) -> None:
    """2.9, R11.6 Nobody is on the map before their day, and no commando after the last."""
    if unit.arrives is not None and unit.arrives > day:
        cure = "Write “to arrive” as its status; or if it came early, write the day on which it came into arrives."
        row.wrong(f"{unit.label} is on the map before {_day(unit.arrives)}, the day on which it arrives", cure)
    if is_past(game_data, unit, day):
        last = _day(game_data.charts.commandos.last_day)
        row.wrong(f"{unit.label} is on the map after {last} (R11.6)", "Write removed as its status.")


def is_past(game_data: GameData, unit: Unit, day: datetime.date) -> bool:
    """R11.6 Whether a unit is a commando, and their last day is over."""
    return unit.branch is COMMANDO and day > game_data.charts.commandos.last_day


def _day(date: datetime.date) -> str:
    return f"{date:%-d %B}"


# --- what else a line says -------------------------------------------------------------------------------------------


def _yesterday(row: Row) -> frozenset[str]:
    words = frozenset(re.findall(r"[^\s,;+/]+", row.text(Column.YESTERDAY).lower()))
    if strange := words - {MOVED, FOUGHT, DISPLACED, RESTED, "and"}:
        message = f"{Column.YESTERDAY} is {row.text(Column.YESTERDAY)!r}: {sorted(strange)[0]!r} is unknown"
        row.wrong(message, f"Write {MOVED}, {FOUGHT}, {DISPLACED}, or some of these, or nothing.")
    return words


def _bought(game_data: GameData, row: Row) -> dict[Goods, int]:
    """R14.2 What a unit has on top of its order of battle: 2 at 1 heavy-aa."""
    written = row.text(Column.BOUGHT)
    sold = [ware.goods for ware in game_data.charts.purchases.wares if ware.goods is not Goods.MEN]
    words = {goods.value: goods for goods in sold}
    counts, rest = dict[Goods, int](), written.lower().strip()
    while rest:
        found = _SOME_GOODS.match(rest)
        goods = words.get(found[2]) if found else None
        if found is None or goods is None or goods in counts or int(found[1]) == 0:
            cure = f"Write numbers with {listed(list(words))}, such as 2 {sold[0]}."
            row.wrong(f"{Column.BOUGHT} is {written!r}", cure)
            return {}
        counts[goods], rest = int(found[1]), rest[found.end() :]
    return {goods: counts[goods] for goods in Goods if goods in counts}


_SOME_GOODS = re.compile(r"([0-9]{1,2})\s*([a-z][a-z-]*)\s*(?:[,;+]\s*)?")
"""A number below 100, a word, and what may be between this pair and the next."""


# --- what follows for its size ---------------------------------------------------------------------------------------


def _lent(entries: Sequence[Entry]) -> Mapping[tuple[SideId, UnitId], int]:
    """R8 The headcount that units have lent to task forces on the map."""
    named = {(each.side, each.unit.id): each for each in entries}
    lent = dict[tuple[SideId, UnitId], int]()
    for each in entries:
        if each.unit.parent is None or each.status is not Status.MAP:
            continue
        key = (each.side, each.unit.parent)
        if key in lent:
            cure = "Delete what it is part of, and fill in its class and size: it is on its own."
            each.row.wrong(f"{each.unit.label}: its unit has another task force on the map", cure)
        elif key not in named:
            cure = "Add the line of its unit, with what the task force has left it."
            each.row.wrong(f"{each.unit.label} is part of {each.row.text(Column.PART_OF)}, which is not named", cure)
        lent.setdefault(key, each.unit.raised)
    return lent


def _sized(each: Entry, lent: int, wiped_out: WipedOut) -> Entry:
    """R12.7, R12.8 Whether a unit is small, and whether it has a strength that it can have."""
    row, unit = each.row, replace(each.unit, lent=lent)
    small = row.word(Column.SIZE, {"full": False, "small": True}, None)
    if small is False and is_small(unit):
        row.wrong(
            f"{unit.label} cannot be full size: it is small by its strength or its kind (R12.7)", "Leave it empty."
        )
    unit = replace(unit, small=bool(small) or is_small(unit))
    least, most = wiped_out_at(unit, wiped_out) + 1, FULL - lent
    if each.status in (Status.MAP, Status.TO_ARRIVE) and not least <= unit.strength <= most:
        has = f", as {lent} are lent to its task force" if lent else ""
        message = f"the strength of {unit.label} is {unit.strength}; it must be {least} to {most} percent{has}"
        row.wrong(message, "Correct it, or write eliminated as its status.")
    return Entry(each.line, unit, each.status, each.position)


def jumps_on(unit: Unit) -> datetime.date | None:
    """R11.8 The day on which paratroops that have not landed jump."""
    return unit.arrives if unit.at is None and is_paratroop(unit) else None
