"""Which unit each line of a position is about: one of the scenario, or one that was created or added since."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.engine.orders.lexicon import Lexicon, lexicon, plain
from campaign.engine.orders.notation import nearest
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.gm.position.table import SIDES_IN_WORDS, Column, Row
from campaign.rulesets.forum_campaign.gm.rulings import taken_names, why_unwritable
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, Branch
from campaign.rulesets.forum_campaign.model.start import new_unit
from campaign.rulesets.forum_campaign.model.state import COMMANDO, FULL, State, Unit
from campaign.rulesets.forum_campaign.model.task_forces import SHARE, task_force
from campaign.rulesets.forum_campaign.model.words import SIDE_NAMES, listed

_NOWHERE = PlaceId("")
_MOST_NEW = 200
"""The most units that a position can add to the scenario's."""
_MOST_MOVEMENT = 12
_MOST_HINTS = 20
"""The most unknown names for which similar ones are looked for."""


@dataclass(frozen=True)
class Line:
    """A line of the position with the unit that it is about, which is as at the start until the line is read."""

    row: Row
    side: SideId
    unit: Unit


def units_named(start: State, rows: Iterable[Row]) -> tuple[Line, ...]:
    """The lines whose units are known. The others get faults, as does every line about a unit that had one before."""
    known, first = _Roster(start), dict[tuple[SideId, UnitId], int]()
    lines = []
    for row in sorted(rows, key=lambda row: (bool(row.text(Column.PART_OF)), row.line)):
        found = known.line(row)
        if found is None:
            continue
        before = first.setdefault((found.side, found.unit.id), row.line)
        if before != row.line:
            row.wrong(f"{found.unit.label} is on line {before} already", "Delete one of the two lines.")
            continue
        known.add(found)
        lines.append(found)
    return tuple(sorted(lines, key=lambda line: line.row.line))


class _Roster:
    """The units that are known so far."""

    def __init__(self, start: State) -> None:
        self._start = start
        self._units = {side: dict(own.units) for side, own in start.own.items()}
        self._names = {side: names_of((side,), self._units) for side in self._units}
        self._everybody = names_of(tuple(self._units), self._units)
        self._labels = {
            side: {plain(label): label for label in names.usual.values()} for side, names in self._names.items()
        }
        self._taken = taken_names(start)
        self._new_labels = dict[str, Line]()
        self._called = defaultdict[str, dict[UnitId, Line]](dict)
        """The units by each of their names, for what is part of them."""
        self._hints = 0
        for side, units in self._units.items():
            for unit in units.values():
                self._call(Line(Row(0, {}, []), side, unit))

    def add(self, line: Line) -> None:
        if line.unit.id not in self._units[line.side]:
            self._new_labels[plain(line.unit.label)] = line
            self._call(line)
        self._units[line.side][line.unit.id] = line.unit

    def _call(self, line: Line) -> None:
        for name in (line.unit.label, line.unit.name, line.unit.id):
            self._called[plain(name)][line.unit.id] = line

    def line(self, row: Row) -> Line | None:
        side = row.word(Column.SIDE, SIDES_IN_WORDS, None)
        written = row.text(Column.UNIT)
        if not written:
            row.wrong("the line names no unit", "Write the unit, or delete the line.")
            return None
        if row.text(Column.SIDE) and side is None:
            return None
        found = self._full(written, side)
        if found is None and (row.text(Column.PART_OF) or row.text(Column.CLASS)):
            return self._new(row, written, side)
        return self._known(row, written, side)

    def _full(self, written: str, side: SideId | None) -> UnitId | None:
        """The unit with exactly this name."""
        names = self._names[side] if side else self._everybody
        key = plain(written)
        found = names.meanings.get(key, ()) if key in names.full else ()
        return found[0] if len(found) == 1 else None

    def _known(self, row: Row, written: str, side: SideId | None) -> Line | None:
        names = self._names[side] if side else self._everybody
        found = names.meanings.get(plain(written), ())
        owners = [(owner, id_) for id_ in found for owner, units in self._units.items() if id_ in units]
        owners = [each for each in owners if side in (None, each[0])]
        if len(owners) == 1:
            owner, id_ = owners[0]
            self._check(row, self._units[owner][id_])
            return Line(row, owner, self._units[owner][id_])
        if owners:
            can = [f"{self._units[owner][id_].label} ({SIDE_NAMES[owner]}, {id_})" for owner, id_ in owners]
            row.wrong(f"{written!r} can be {listed(can)}", "Write its whole label, or what comes last in brackets.")
            return None
        others = self._everybody.meanings.get(plain(written), ())
        if side and len(others) == 1:
            row.wrong(f"{written} is no {SIDE_NAMES[side]} unit", "Correct the side, or leave it empty.")
            return None
        hint = self._hint(written, side)
        add = "For a unit that is not in the scenario, fill in side and class; for a task force, part of."
        whose = f"{SIDE_NAMES[side]} unit" if side else "unit"
        row.wrong(f"the scenario has no {whose} {written!r}", " ".join(filter(None, (hint, add))))
        return None

    def _hint(self, written: str, side: SideId | None) -> str:
        """A suggestion for an unknown name; looking for one is slow, so only the first have one."""
        self._hints += 1
        if self._hints > _MOST_HINTS:
            return ""
        labels = self._labels.values() if side is None else [self._labels[side]]
        return nearest(plain(written), {key: label for each in labels for key, label in each.items()})

    def _check(self, row: Row, unit: Unit) -> None:
        """Columns that are for other units say of one that the scenario has what it is, or nothing."""
        faults = len(row.faults)
        branch = row.word(Column.CLASS, {branch.value: branch for branch in Branch}, unit.branch)
        movement = row.number(Column.MOVEMENT, unit.movement, most=_MOST_MOVEMENT)
        raised = row.number(Column.RAISED, unit.raised, most=FULL)
        if len(row.faults) > faults:
            return
        is_ = {Column.CLASS: unit.branch.value, Column.MOVEMENT: unit.movement}
        differ = {Column.CLASS: branch is not unit.branch, Column.MOVEMENT: movement != unit.movement}
        for column in (column for column, differs in differ.items() if differs):
            message = f"{unit.label} is in the scenario, where its {column} is {is_[column]}"
            row.wrong(message, f"Leave {column} empty; or choose another label, if it is another unit.")
        differ = {Column.PART_OF: bool(row.text(Column.PART_OF)), Column.RAISED: raised != unit.raised}
        for column in (column for column, differs in differ.items() if differs):
            message = f"{unit.label} is in the scenario, and is no task force"
            row.wrong(message, f"Leave {column} empty; or choose another label, if it is another unit.")

    # --- units that the scenario does not have ---

    def _new(self, row: Row, written: str, side: SideId | None) -> Line | None:
        if why := why_unwritable(written) or self._why_taken(written):
            row.wrong(f"{written!r} cannot be the label of a new unit: {why}", "Choose another label.")
            return None
        if len(self._new_labels) >= _MOST_NEW:
            row.wrong(f"the position adds more than {_MOST_NEW} units to the scenario", "Delete those that are gone.")
            return None
        if row.text(Column.PART_OF):
            return self._force(row, written, side)
        if side is None:
            row.wrong(f"{written} is not in the scenario, and no side is given", "Write german or allied as its side.")
            return None
        branch = row.word(Column.CLASS, {branch.value: branch for branch in Branch}, None)
        small = row.word(Column.SIZE, {"full": False, "small": True}, None)
        if branch is None or (small is None and branch is not COMMANDO):
            row.wrong(f"{written} is not in the scenario", "Fill in its class, and its size: full or small.")
            return None
        if side == ALLIED and branch is COMMANDO:
            row.wrong("only the Germans have commandos (R11)", "Correct the side, or the class.")
            return None
        label, options = " ".join(written.split()), self._start.open.options
        unit = new_unit(label, branch, small=small is not False, at=_NOWHERE, strength=FULL, options=options)
        unit = replace(unit, raised=row.number(Column.RAISED, 0, most=FULL))
        return Line(row, side, self._with_movement(row, unit))

    def _why_taken(self, written: str) -> str:
        """Why a label means another unit: one of the scenario, or a new one of either side."""
        if plain(written) in self._taken:
            return f"there is a unit {written} already"
        new = self._new_labels.get(plain(written))
        return f"{new.unit.label} is on line {new.row.line} already" if new else ""

    def _force(self, row: Row, written: str, side: SideId | None) -> Line | None:
        """R8.1 A task force: a part of its unit."""
        name, label = row.text(Column.PART_OF), " ".join(written.split())
        owners = [
            (line.side, line.unit) for line in self._called.get(plain(name), {}).values() if side in (None, line.side)
        ]
        if len(owners) != 1:
            cure = "Write the label of its unit as in the scenario, and the side."
            row.wrong(
                f"{label} is part of {name!r}, and there is {'more than one' if owners else 'no'} such unit", cure
            )
            return None
        owner, parent = owners[0]
        if not parent.ground or parent.raised or parent.small_from_start:
            row.wrong(f"{parent.label} can have no task force (R8.1)", "Correct what it is part of.")
            return None
        raised = row.number(Column.RAISED, SHARE, least=1, most=FULL)
        force = replace(task_force(owner, parent, ()), id=UnitId(label), label=label, name=label, split=False)
        force = replace(force, strength=raised, raised=raised)
        return Line(row, owner, self._with_movement(row, force))

    @staticmethod
    def _with_movement(row: Row, unit: Unit) -> Unit:
        return replace(unit, movement=row.number(Column.MOVEMENT, unit.movement, least=1, most=_MOST_MOVEMENT))


def names_of(sides: Iterable[SideId], units: Mapping[SideId, Mapping[UnitId, Unit]]) -> Lexicon[UnitId]:
    """The names of the units of these sides."""
    called = {id_: (unit.label, unit.name, id_) for side in sides for id_, unit in units[side].items()}
    return lexicon("a unit of the scenario", called)


def named_surely(units: Mapping[SideId, Mapping[UnitId, Unit]]) -> Mapping[UnitId, str]:
    """How a position names each unit: by its label, or by its id.

    By its id if the label can mean another unit too, or if a spreadsheet would turn it into a date: 26/1.
    """
    meanings = names_of(tuple(units), units).meanings
    everybody = [unit for side in units for unit in units[side].values()]
    return {
        unit.id: unit.label
        if meanings[plain(unit.label)] == (unit.id,) and not _LIKE_A_DATE.fullmatch(unit.label)
        else unit.id
        for unit in everybody
    }


_LIKE_A_DATE = re.compile(r"[0-9]{1,2}[/.-][0-9]{1,4}(?:[/.-][0-9]{1,4})?")
