"""The state of a morning as the table from which `reading` makes it again."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.day.digging import LEVELS
from campaign.rulesets.forum_campaign.day.front import last_holders
from campaign.rulesets.forum_campaign.gm.position.roster import named_surely
from campaign.rulesets.forum_campaign.gm.position.table import DISPLACED, FOUGHT, MOVED, About, Column, Status
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData
from campaign.rulesets.forum_campaign.model.ledger import lines_in
from campaign.rulesets.forum_campaign.model.start import new_unit
from campaign.rulesets.forum_campaign.model.state import COMMANDO, FULL, Own, State, Unit, WeatherToday, is_small
from campaign.rulesets.forum_campaign.model.task_forces import SHARE, has_rejoined, was_removed
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes

ALWAYS = (
    *(Column.SIDE, Column.UNIT, Column.HEX, Column.STATUS, Column.STRENGTH),
    *(Column.SUPPLIED, Column.YESTERDAY, Column.POSITION),
)
"""Columns that a position has even where they are empty."""

Cells = Mapping[Column, str]
"""What the line of a unit says, without its empty cells."""


def write(game_data: GameData, start: State, state: State) -> str:
    """The position of a morning. `start`: the scenario's, with the campaign's options."""
    rows = tuple(cells_of(start, state).values())
    columns = (*ALWAYS, *(each for each in Column if each not in ALWAYS and any(each in row for row in rows)))
    units = [[row.get(column, "") for column in columns] for row in rows]
    lines = (*other_lines(game_data, start, state), (), columns, *units)
    return "".join(",".join(map(_quoted, cells)) + "\n" for cells in lines)


def _quoted(cell: str) -> str:
    return '"{}"'.format(cell.replace('"', '""')) if set(cell) & {",", '"', ";", "\t"} else cell


# --- units -----------------------------------------------------------------------------------------------------------


def cells_of(start: State, state: State) -> Mapping[tuple[SideId, UnitId], Cells]:
    """What the line of each unit says, by side and unit. Task forces that have rejoined their units have none."""
    names = names_in(start, state)
    return {
        (side, unit.id): {column: text for column, text in _cells(start, state, side, unit, names).items() if text}
        for side in SIDES
        for unit in _units(state.own[side])
    }


def names_in(start: State, state: State) -> Mapping[UnitId, str]:
    """How a position names each unit."""
    everybody = {
        side: {**start.own[side].units, **{unit.id: unit for unit in _units(state.own[side])}} for side in SIDES
    }
    return named_surely(everybody)


def _units(own: Own) -> list[Unit]:
    gone = [unit for id_, unit in own.lost.items() if not has_rejoined(own, id_)]
    return sorted([*own.units.values(), *gone], key=lambda unit: unit.id)


def _cells(start: State, state: State, side: SideId, unit: Unit, names: Mapping[UnitId, str]) -> dict[Column, str]:
    own = state.own[side]
    status = _status(own, unit)
    base = start.own[side].units.get(unit.id)
    depth = own.positions.get(unit.at, 0) if unit.at and unit.ground and status is Status.MAP else 0
    usual = base or _as_new(start, state, side, unit)
    cells = {
        Column.SIDE: side,
        Column.UNIT: names[unit.id],
        Column.HEX: unit.at or "",
        Column.STATUS: "" if status is Status.MAP else status.value,
        Column.STRENGTH: str(unit.strength),
        Column.SUPPLIED: "" if unit.supplied else "no",
        Column.YESTERDAY: _yesterday(unit),
        Column.POSITION: LEVELS[depth].lower() if depth else "",
        Column.SIZE: "small" if unit.small and not is_small(unit) else "",
        Column.TANKS: _if_changed(unit.tanks, usual.tanks),
        Column.HEAVY_TANKS: _if_changed(unit.heavy_tanks, usual.heavy_tanks),
        Column.BOUGHT: " ".join(f"{count} {goods.value}" for goods, count in unit.bought.items() if count),
        Column.ABSORBING: _if_changed(unit.absorbed, 0),
        Column.SCATTERED: "yes" if unit.scattered else "",
        Column.ARRIVES: _arrival(state, unit, base) if base else "",
    }
    return cells if base else cells | _of_new(unit, usual, names)


def _status(own: Own, unit: Unit) -> Status:
    if unit.id in own.units:
        return Status.TO_ARRIVE if unit.at is None else Status.MAP
    return Status.REMOVED if was_removed(unit) else Status.ELIMINATED


def _if_changed(count: int, usual: int) -> str:
    return "" if count == usual else str(count)


def _yesterday(unit: Unit) -> str:
    did = {MOVED: unit.moved or unit.spent > 0, FOUGHT: unit.fought, DISPLACED: unit.dislodged}
    return " ".join(word for word, applies in did.items() if applies)


def _arrival(state: State, unit: Unit, base: Unit) -> str:
    """The day of a unit's arrival if it is not the scenario's; today's if it came onto the map before it."""
    if unit.arrives is None or base.arrives is None:
        return ""
    day = unit.arrives if unit.at is None else min(unit.arrives, state.open.date)
    return "" if day == base.arrives else day.isoformat()


def _as_new(start: State, state: State, side: SideId, unit: Unit) -> Unit:
    """A unit that the scenario does not have, as it begins."""
    own, options = state.own[side], start.open.options
    parent = unit.parent and (own.units.get(unit.parent) or own.lost.get(unit.parent))
    at = PlaceId("")
    new = new_unit(unit.label, unit.branch, small=unit.small_from_start, at=at, strength=FULL, options=options)
    return replace(new, movement=parent.movement, tanks=0, heavy_tanks=0) if parent else new


def _of_new(unit: Unit, usual: Unit, names: Mapping[UnitId, str]) -> dict[Column, str]:
    """What a line also says of a unit that the scenario does not have."""
    movement = {Column.MOVEMENT: _if_changed(unit.movement, usual.movement)}
    if unit.parent is not None and unit.parent in names:
        return movement | {Column.PART_OF: names[unit.parent], Column.RAISED: _if_changed(unit.raised, SHARE)}
    size = "" if unit.branch is COMMANDO else "small" if unit.small_from_start else "full"
    kind = {Column.CLASS: unit.branch.value, Column.SIZE: size, Column.RAISED: _if_changed(unit.raised, 0)}
    return movement | kind


# --- the other lines -------------------------------------------------------------------------------------------------


def other_lines(game_data: GameData, start: State, state: State) -> Iterator[Sequence[str]]:
    """What a position says of everything else, line by line."""
    open_ = state.open
    yield About.DAY, open_.date.isoformat()
    yield About.FUEL, str(open_.fuel)
    if open_.forecast is not None:
        yield About.WEATHER, *_weather(game_data, state, open_.forecast)
    standing = {place: side for side in SIDES for place in occupied_hexes(state.own[side])}
    for place, holder in sorted(open_.control.items()):
        if holder != standing.get(place, start.open.control[place]):
            yield About.CONTROL, place, holder
    for place, status in sorted(open_.depots.items()):
        if status is not start.open.depots[place]:
            yield About.DEPOT, place, status.value
    yield from _held(game_data, state, standing)
    yield from _ledgers(state, names_in(start, state))


def _weather(game_data: GameData, state: State, today: WeatherToday) -> Iterator[str]:
    """R2.3 The condition; with its modifiers if the day's table has it with others too."""
    bands = [band for band in game_data.charts.weather[state.open.date] if band.weather is today.condition]
    yield today.condition.value
    if len({(band.allied, band.german) for band in bands}) > 1:
        yield from (str(today.allied_air), str(today.german_air))


def _held(game_data: GameData, state: State, standing: Mapping[PlaceId, SideId]) -> Iterator[Sequence[str]]:
    """Hexes that have changed hands and hold nobody; of objectives the control says so."""
    last = last_holders(game_data, state)
    for side in SIDES:
        held = [
            place
            for place, each in game_data.hexes.items()
            if last[place] == side != each.control and place not in standing and place not in state.open.control
        ]
        if held:
            yield About.HELD, side, " ".join(sorted(held))


def _ledgers(state: State, names: Mapping[UnitId, str]) -> Iterator[Sequence[str]]:
    for side in SIDES:
        for unit in state.own[side].units.values():
            for line in lines_in(unit.ledger):
                yield About.LEDGER, names[unit.id], line.kind.value, line.text, line.origin
