"""A position as a state: its units in their places, and all that a scenario's check would say of such a start."""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence

from campaign.engine.pasted import Fault
from campaign.engine.positions import LONGEST_POSITION, Entered
from campaign.engine.state import with_open, with_own, with_part
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.gm.position.comparing import tables
from campaign.rulesets.forum_campaign.gm.position.lines import day_of, evening_before, has_entered, with_lines
from campaign.rulesets.forum_campaign.gm.position.roster import units_named
from campaign.rulesets.forum_campaign.gm.position.table import Status, read_table
from campaign.rulesets.forum_campaign.gm.position.units import Entry, entries_of, is_past, jumps_on
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData
from campaign.rulesets.forum_campaign.model.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.model.task_forces import removed
from campaign.rulesets.forum_campaign.model.words import SIDE_NAMES, listed
from campaign.rulesets.forum_campaign.model.zoc import too_full

_Lines = Mapping[tuple[SideId, UnitId], int]
"""The line of each unit that the position names."""


def days(game_data: GameData) -> tuple[datetime.date, ...]:
    """R1.1 The days on which a campaign can begin."""
    count = (game_data.last_day - game_data.first_day).days + 1
    return tuple(game_data.first_day + datetime.timedelta(day) for day in range(count))


def read(game_data: GameData, start: State, text: str, day: datetime.date | None) -> Entered[State]:
    """The state of a position, or every fault of it. `day`: as chosen; None if the text names it.

    A unit that the text does not name is where the scenario has it, or arrives on its day. R11.6 A commando after their
    last day is removed.
    """
    if len(text) > LONGEST_POSITION:
        message = f"the position is longer than {LONGEST_POSITION} characters"
        return Entered(None, (Fault(0, message, "Paste the lines of the position only."),))
    table = read_table(text)
    morning = day_of(game_data, table, day)
    if not table.rows and not table.faults:
        table.faults.append(Fault(0, "the position has no units", "Paste a line for each unit, below a heading."))
    if morning is None:
        return Entered(None, _in_order(table.faults))
    turn = (morning - game_data.first_day).days + 1
    start = with_open(start, date=morning, turn=turn)
    entries = entries_of(game_data, start, units_named(start, table.rows), morning)
    state = _with_units(game_data, start, entries)
    lines = {(each.side, each.unit.id): each.row.line for each in entries}
    table.faults.extend((*_crowded(game_data, state, lines), *_jumps(state, lines)))
    state = with_lines(game_data, _in_their_hexes(game_data, state), table)
    if table.faults:
        return Entered(None, _in_order(table.faults))
    return Entered(state, (), tables(game_data, start, state, frozenset(lines)))


def _in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    return tuple(sorted(dict.fromkeys(faults)))


def _with_units(game_data: GameData, start: State, entries: Sequence[Entry]) -> State:
    today = start.open.date
    for side in SIDES:
        mine = [each for each in entries if each.side == side]
        gone = {id_: removed(each) for id_, each in start.own[side].units.items() if is_past(game_data, each, today)}
        gone |= {each.unit.id: each.unit for each in mine if each.status in (Status.ELIMINATED, Status.REMOVED)}
        named = {each.unit.id: each.unit for each in mine if each.unit.id not in gone}
        units = {id_: unit for id_, unit in {**start.own[side].units, **named}.items() if id_ not in gone}
        positions = {each.unit.at: each.position for each in mine if each.position and each.unit.at}
        start = with_part(
            start,
            side,
            units=dict(sorted(units.items())),
            lost=dict(sorted(gone.items())),
            positions=dict(sorted(positions.items())),
        )
        _check_positions(mine)
    return start


def _check_positions(entries: Sequence[Entry]) -> None:
    """R13 Units in one hex share its position; a line may leave it to the other."""
    first = dict[PlaceId, Entry]()
    for each in entries:
        if each.position and each.unit.at is not None:
            other = first.setdefault(each.unit.at, each)
            if other.position != each.position:
                message = f"line {other.row.line} gives {each.unit.at} another position"
                each.row.wrong(message, "Units in one hex share it. Correct one of the two.")


def _in_their_hexes(game_data: GameData, state: State) -> State:
    """Ground units in hexes that were the enemy's on the first morning have entered them since."""
    when = evening_before(state)
    for side in SIDES:
        taken = sorted(at for _, at in on_map(state.own[side]) if game_data.hexes[at].control != side)
        state = with_own(state, side, has_entered(tuple(taken), when))
    return state


# --- what a scenario's check says of units together ------------------------------------------------------------------


def _crowded(game_data: GameData, state: State, lines: _Lines) -> Iterator[Fault]:
    """R5.5, R5.6 Hexes with units of both sides, and hexes with too many."""
    there: dict[PlaceId, list[tuple[SideId, Unit]]] = {}
    for side in SIDES:
        for unit, at in on_map(state.own[side]):
            there.setdefault(at, []).append((side, unit))
    for at, units in there.items():
        sides = {side for side, _ in units}
        if len(sides) > 1:
            what = "holds units of both sides (R5.6)"
        elif too_full(unit for _, unit in units):
            what = "holds too many units (R5.5)"
        else:
            continue
        numbers = [lines.get((side, unit.id), 0) for side, unit in units]
        named = listed([_in_words(side, unit, lines) for side, unit in units])
        cure = "Move one of them."
        if not all(numbers):
            cure = "Move one of them, or add a line for each that is not named: it is still where the scenario has it."
        yield Fault(max(numbers), f"{game_data.place_name(at)} {what}: {named}", cure)


def _in_words(side: SideId, unit: Unit, lines: _Lines) -> str:
    number = lines.get((side, unit.id))
    return f"{unit.label} ({SIDE_NAMES[side]}, {f'line {number}' if number else 'not named'})"


def _jumps(state: State, lines: _Lines) -> Iterator[Fault]:
    """R11.8 Only one unit jumps each day."""
    first: dict[datetime.date, Unit] = {}
    for side in SIDES:
        for unit in state.own[side].units.values():
            day = jumps_on(unit)
            if day is None or day < state.open.date:
                continue
            other = first.setdefault(day, unit)
            if other is not unit:
                number = max(lines.get((side, each.id), 0) for each in (unit, other))
                message = f"{other.label} and {unit.label} jump on the same day (R11.8)"
                yield Fault(number, message, "Change what one of them has in arrives.")
