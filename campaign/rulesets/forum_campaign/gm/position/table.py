"""What a position is written in: the columns of its units, the lines about anything else, and their words."""

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TypeVar

from campaign.engine.orders.lexicon import plain
from campaign.engine.pasted import LONGEST_CELL, Fault, PastedLine, pasted_lines
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.words import listed

W = TypeVar("W")


class Column(StrEnum):
    """The columns of units, by their headings."""

    SIDE = "side"
    UNIT = "unit"
    HEX = "hex"
    STATUS = "status"
    STRENGTH = "strength"
    SUPPLIED = "supplied"
    YESTERDAY = "yesterday"
    POSITION = "position"
    SIZE = "size"
    TANKS = "tanks"
    HEAVY_TANKS = "heavy tanks"
    BOUGHT = "bought"
    ABSORBING = "absorbing"
    SCATTERED = "scattered"
    ARRIVES = "arrives"
    PART_OF = "part of"
    RAISED = "raised at"
    CLASS = "class"
    MOVEMENT = "movement"


class About(StrEnum):
    """The lines that are about no unit, by their first word."""

    DAY = "day"
    FUEL = "fuel"
    WEATHER = "weather"
    CONTROL = "control"
    DEPOT = "depot"
    HELD = "held"
    LEDGER = "ledger"


class Status(Enum):
    """Where a unit is."""

    MAP = "on the map"
    TO_ARRIVE = "to arrive"
    ELIMINATED = "eliminated"
    REMOVED = "removed"


STATUSES: Mapping[str, Status] = {
    **{status.value: status for status in Status},
    "map": Status.MAP,
    "off map": Status.TO_ARRIVE,
    "off the map": Status.TO_ARRIVE,
    "arriving": Status.TO_ARRIVE,
    "destroyed": Status.ELIMINATED,
}
SIDES_IN_WORDS: Mapping[str, SideId] = {"german": GERMAN, "allied": ALLIED, "germans": GERMAN, "allies": ALLIED}
YES_NO: Mapping[str, bool] = {"yes": True, "no": False}
MOVED, FOUGHT, DISPLACED, RESTED = "moved", "fought", "displaced", "rested"

COLUMNS: Mapping[str, str] = {
    Column.UNIT: "its label or name, as in the scenario. A name that both sides have needs the side too",
    Column.SIDE: "german or allied",
    Column.HEX: "its hex, or the town there. Empty if it is not on the map. For an eliminated unit, where that was",
    Column.STATUS: "on the map, to arrive, eliminated, or removed (taken out by a ruling, nobody’s loss). If empty, a"
    " unit with a hex is on the map, and one without is to arrive",
    Column.STRENGTH: "headcount in percent of its establishment. Of a unit that has a task force out, without it",
    Column.SUPPLIED: "no for a unit with an unsupplied marker",
    Column.YESTERDAY: "moved, fought, displaced (it retreated or advanced), or some of these. It decides what the unit"
    " can dig and buy this morning. Empty: it rested",
    Column.POSITION: "dug-in or entrenched, as in the evening before. It digs again this morning if it may",
    Column.SIZE: "small for a unit that is kept small because its hex has no room; full or small for a unit that is not"
    " in the scenario",
    Column.TANKS: "medium tanks of its own that are left. Empty: those of its order of battle",
    Column.HEAVY_TANKS: "the same for heavy tanks",
    Column.BOUGHT: "guns and tanks that it has bought, such as 2 at 1 heavy-aa",
    Column.ABSORBING: "movement points that absorbing costs it in its next portion",
    Column.SCATTERED: "yes for paratroops that landed dispersed",
    Column.ARRIVES: "the day on which it arrives, if that is not the scenario’s",
    Column.PART_OF: "for a task force or Kampfgruppe that is out: the unit that created it",
    Column.RAISED: "its headcount when it was created, if not 30",
    Column.CLASS: "for a unit that is not in the scenario: infantry, airborne, armor, mechanized or commando",
    Column.MOVEMENT: "for the same: its movement points, if they are not the usual ones of its class",
}
"""What each column says."""

LINES: Mapping[str, str] = {
    "day,1944-12-18": "the morning on which the campaign begins",
    "fuel,14": "the German reserve before the income of this day",
    "weather,Snow": "the weather of this day, if you have rolled it already. Otherwise Fieldpost rolls it",
    "control,Bastogne,german": "who holds an objective, where that is neither as at the scenario’s start nor the side"
    " that has a unit there",
    "depot,Spa,captured": "a depot that is no longer intact: captured or destroyed",
    "held,german,Q19 Q20": "hexes that have changed hands and hold no unit now. Only the front line on that side’s maps"
    " depends on them",
    "ledger,2 Pz,extra,2 jeeps,106 Inf": "a line of a unit’s ledger: extra, medium or heavy (the name of a tank), or"
    " remark; the text; the destroyed unit from which it came, if any",
}
"""Examples of the other lines, each with what it says."""

LEFT_OUT = (
    "What a side saw of enemies that are out of sight now. Each side begins with what its units see that morning.",
    "The list of units whose battles get heavy artillery. Each side names them again on its first air sheet.",
    "Purchase points that a demolition of the day before has cost.",
    "Battles that wait for results. Finish the day elsewhere first, as a position is always that of a morning.",
    "Task forces that have rejoined their units. Their names can be used again.",
    "Earlier days: their reports, dice and figures. Statistics, replays and the archive begin with this day.",
)


@dataclass(frozen=True)
class Row:
    """The line of a unit."""

    line: int
    cells: Mapping[Column, str]
    faults: list[Fault]
    """To which its own are added."""

    def text(self, column: Column) -> str:
        return self.cells.get(column, "")

    def wrong(self, message: str, cure: str) -> None:
        self.faults.append(Fault(self.line, message, cure))

    def word(self, column: Column, words: Mapping[str, W], default: W) -> W:
        """What a cell says of a few words; the default if it is empty, and for a fault."""
        written = self.text(column)
        found = words.get(" ".join(written.lower().split()))
        if found is not None or not written:
            return default if found is None else found
        self.wrong(f"{column} is {written!r}", f"Write {_either(words)}, or nothing.")
        return default

    def number(self, column: Column, default: int, *, least: int = 0, most: int) -> int:
        """A whole number, with or without a percent sign; the default if it is empty, and for a fault."""
        written = self.text(column)
        if not written:
            return default
        number = whole_number(written)
        if number is not None and least <= number <= most:
            return number
        self.wrong(f"{column} is {written!r}", f"Write a whole number from {least} to {most}, or nothing.")
        return default

    def day(self, column: Column, default: datetime.date | None) -> datetime.date | None:
        written = self.text(column)
        found = date_in(written) if written else default
        if written and found is None:
            self.wrong(f"{column} is {written!r}", "Write a day as 1944-12-16, or nothing.")
            return default
        return found


@dataclass(frozen=True)
class Table:
    """A position by its lines."""

    rows: tuple[Row, ...]
    lines: tuple[tuple[About, PastedLine], ...]
    faults: list[Fault] = field(default_factory=list)


def read_table(text: str) -> Table:
    """The units and the other lines of a position; a unit's line comes after the heading."""
    pasted, faults = pasted_lines(text, columns=_columns, words=_ABOUT)
    rows, lines, found = list[Row](), list[tuple[About, PastedLine]](), list(faults)
    heading: tuple[Column | None, ...] = ()
    for line in pasted:
        first = line.cells[0].lower()
        if first != About.HELD and (long := next((cell for cell in line.cells if len(cell) > LONGEST_CELL), "")):
            cure = f"Shorten it to {LONGEST_CELL} characters."
            found.append(Fault(line.number, f"the cell that begins with {long[:20]!r} is too long", cure))
        elif first in _ABOUT:
            lines.append((_ABOUT[first], line))
        elif Column.UNIT in map(_column, line.cells):
            if heading:
                found.append(Fault(line.number, "this is a second heading", "Delete it, or move its units up."))
            heading = heading or _heading(line, found)
        elif not heading:
            cure = f"Begin with a line such as: {Column.UNIT},{Column.HEX},{Column.STRENGTH}."
            found.append(Fault(line.number, "no heading names the columns of units above this line", cure))
            break
        else:
            rows += _row(line, heading, found)
    return Table(tuple(rows), tuple(lines), found)


_ABOUT = {about.value: about for about in About}
_KNOWN = {plain(column): column for column in Column}


def _column(cell: str) -> Column | None:
    """The column that a heading names: Strength (%) as well as strength."""
    return _KNOWN.get(plain(re.sub(r"\([^()]*\)", "", cell))) if len(cell) <= LONGEST_CELL else None


def _columns(cells: Sequence[str]) -> int:
    """How many columns a line names; 0 if it is no heading."""
    named = set(map(_column, cells)) - {None}
    return len(named) if Column.UNIT in named else 0


def _heading(line: PastedLine, faults: list[Fault]) -> tuple[Column | None, ...]:
    columns, before = tuple(map(_column, line.cells)), set[Column]()
    for cell, column in zip(line.cells, columns, strict=True):
        if cell and column is None:
            cure = f"Correct it, or delete the column. There are: {listed(tuple(Column))}."
            faults.append(Fault(line.number, f"there is no column {cell!r}", cure))
        elif column in before:
            faults.append(Fault(line.number, f"the column {column} is there twice", "Delete one of the two."))
        elif column is not None:
            before.add(column)
    return columns


def _row(line: PastedLine, heading: tuple[Column | None, ...], faults: list[Fault]) -> list[Row]:
    """The line of a unit; none if it has more cells than the heading."""
    if any(line.cells[len(heading) :]):
        cure = "Count what is between the cells; put quotation marks around a cell that has such a character in it."
        faults.append(Fault(line.number, "the line has more cells than the heading", cure))
        return []
    named = {column: cell for column, cell in zip(heading, line.cells, strict=False) if column is not None}
    return [Row(line.number, named, faults)]


def whole_number(text: str) -> int | None:
    """A whole number with an optional sign and percent sign; None if it is none."""
    found = re.fullmatch(r"([+-]?[0-9]{1,6})(?:[.,]00?)?\s*%?", text.strip().replace("\u2212", "-"))
    return int(found[1]) if found else None


def date_in(text: str) -> datetime.date | None:
    """A day as 1944-12-16; None if it is none."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def place_in(game_data: GameData, text: str) -> PlaceId | None:
    """The hex of a number or a town; None if there is none, or more than one."""
    found = game_data.place_names.meanings.get(plain(text), ())
    return found[0] if len(found) == 1 else None


def _either(words: Mapping[str, W]) -> str:
    """The words in a list; of those that mean the same, the first."""
    meanings = list(words.values())
    *first, last = [word for at, (word, meaning) in enumerate(words.items()) if meanings.index(meaning) == at]
    return f"{', '.join(first)} or {last}" if first else last
