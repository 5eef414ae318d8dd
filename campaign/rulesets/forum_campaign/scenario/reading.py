"""Reads a scenario's files, checks that they are consistent, and makes the campaign's first state."""

import datetime
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

from campaign.engine.board.hexes import Grid, Numbering
from campaign.engine.display.backdrops import laid
from campaign.engine.errors import ScenarioError
from campaign.engine.files import Source, decode_csv, decode_json, decode_toml, line_in_json, line_in_toml, source
from campaign.engine.orders.lexicon import LONGEST_NAME, plain, unlettered, unprintable
from campaign.engine.ruleset import Scenario
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.game_data import (
    SIDES,
    Charts,
    Edge,
    Entry,
    GameData,
    Hex,
    River,
    RiverClass,
)
from campaign.rulesets.forum_campaign.model.state import (
    FULL,
    DepotStatus,
    Hidden,
    Open,
    Own,
    State,
    Unit,
    tanks_at_start,
)
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.scenario.charts import read_charts, side_name
from campaign.rulesets.forum_campaign.scenario.files import Head, MapFile, MapHex, MapRiver, UnitRow


def read_scenario(files: Mapping[str, str]) -> Scenario[GameData, State]:
    """A scenario from its files by name; raises ScenarioError with file, line and fix for the first fault."""
    head_file, map_file = source(files, "scenario.toml"), source(files, "map.json")
    units_file = source(files, "units.csv")
    head = decode_toml(head_file, Head)
    _check_head(head_file, head)
    raw_map = _map(map_file)
    charts = read_charts(files, head, [hex_.id for hex_ in raw_map.hexes], raw_map.numbering)
    game_data = game_data_of(raw_map, head, charts)
    if head.background is not None:
        game_data = replace(game_data, backdrop=laid(head_file, head.background, game_data.grid.middles))
    rows = decode_csv(units_file, UnitRow)
    _check_units(units_file, rows, game_data)
    start = start_state(game_data, (row for _, row in rows))
    outdated = _outdated(units_file, rows, game_data)
    return Scenario(
        head.title, game_data, start, outdated, options=charts.options, about=head.about, players=head.players
    )


def _check_head(file: Source, head: Head) -> None:
    if head.last_day < head.first_day:
        where = line_in_toml(file.text, ["last_day"])
        file.refuse("the last day is before the first day", line=where, cure="Correct one of the two.")
    if head.players and head.players[0] > head.players[1]:
        where = line_in_toml(file.text, ["players"])
        file.refuse("players: the fewest come first, then the most", line=where, cure="Swap the two numbers.")
    for key, text in {"title": head.title, "credit": head.credit, "scale": head.scale}.items():
        _check_letters(file, key, text, line=line_in_toml(file.text, [key]))


def _check_letters(file: Source, what: str, text: str, *, line: int) -> None:
    if letter := unlettered(text):
        file.refuse(f"{what}: maps cannot print {letter}", line=line, cure=_LETTERS)


_LETTERS = "Write it in Latin, Greek or Cyrillic letters."


# --- map -------------------------------------------------------------------------------------------------------------


def _map(file: Source) -> MapFile:
    raw = decode_json(file, MapFile)
    if raw.numbering.in_columns:
        cure = "Rotate the map so that each hex stands on a corner and rows are straight."
        file.refuse(
            "its hexes stand on a side, not on a corner", line=line_in_json(file.text, ["numbering"]), cure=cure
        )
    _check_hexes(file, raw)
    _check_edges(file, raw)
    _check_roads_out(file, raw)
    _check_rivers(file, raw)
    _check_places(file, raw)
    return raw


def game_data_of(raw: MapFile, head: Head, charts: Charts) -> GameData:
    """Map and charts from a map file."""
    grid = Grid.of((hex_.id for hex_ in raw.hexes), raw.numbering)
    return GameData(
        title=head.title,
        credit=head.credit,
        scale=head.scale,
        first_day=head.first_day,
        last_day=head.last_day,
        charts=charts,
        hexes={hex_.id: _hex(hex_) for hex_ in raw.hexes},
        grid=grid,
        board=grid.board(),
        roads=_both_ways({(road.a, road.b): road.kind for road in raw.roads}),
        bridges=frozenset(_both_ways({(road.a, road.b): True for road in raw.roads if road.bridge})),
        rivers=_both_ways({(river.a, river.b): _river(river, head.great_river) for river in raw.rivers}),
        closed=frozenset(_both_ways(dict.fromkeys(raw.closed_hexsides, True))),
        frontiers=frozenset((a, b) for a, b, _ in raw.frontiers),
        entries=tuple(Entry(entry.name, entry.hex, entry.edge, SideId(entry.side)) for entry in raw.entries),
        supply_edge={side: frozenset(raw.supply.get(side_name(side), ())) for side in SIDES},
        air_on_first_day=head.air_on_first_day,
        roads_out={(road.hex, road.to): road.kind for road in raw.roads_out},
    )


def _hex(raw: MapHex) -> Hex:
    return Hex(
        id=raw.id,
        terrain=raw.terrain,
        control=SideId(raw.control),
        country=raw.country,
        town=raw.town,
        importance=raw.importance,
        victory_points=raw.vp,
        depot=raw.depot,
        fortified=raw.fortified,
    )


def _river(raw: MapRiver, great: str) -> River:
    return River(RiverClass.MEUSE if great in raw.names else RiverClass.RIVER, raw.names)


def _both_ways(edges: Mapping[Edge, Any]) -> dict[Edge, Any]:
    return {**edges, **{(b, a): what for (a, b), what in edges.items()}}


def _check_hexes(file: Source, raw: MapFile) -> None:
    seen: set[PlaceId] = set()
    for number, hex_ in enumerate(raw.hexes):
        trouble = _trouble(hex_, seen, raw.numbering)
        if trouble:  # only now, because finding a line in a large file is slow
            file.refuse(trouble[0], line=line_in_json(file.text, ["hexes", number]), cure=trouble[1])
        seen.add(hex_.id)
    if not raw.hexes:
        file.refuse("the map has no hexes", cure="Add some to `hexes`.")


def _trouble(hex_: MapHex, seen: Container[PlaceId], numbering: Numbering) -> tuple[str, str] | None:
    """What is wrong with a hex, and the fix."""
    if not numbering.reads(hex_.id):
        return (
            f"{hex_.id!r} is not a hex number",
            f"Write row and column as the map numbers them, such as {numbering.written(16, 19)}.",
        )
    if unprintable(hex_.town):
        return f"{hex_.id}: its town has a character that cannot be shown", "Delete it."
    if letter := unlettered(hex_.town):
        return f"{hex_.id}: maps cannot print {letter}", _LETTERS
    if hex_.id in seen:
        return f"{hex_.id} is in the file twice", "Remove one of the two."
    return None


def _check_edges(file: Source, raw: MapFile) -> None:
    """Roads, rivers, frontiers and closed hexsides must join adjoining hexes."""
    board = Grid.of((hex_.id for hex_ in raw.hexes), raw.numbering).board()
    edges: dict[str, Iterable[Edge]] = {
        "roads": [(road.a, road.b) for road in raw.roads],
        "rivers": [(river.a, river.b) for river in raw.rivers],
        "frontiers": [(a, b) for a, b, _ in raw.frontiers],
        "closed_hexsides": raw.closed_hexsides,
    }
    for key, pairs in edges.items():
        for number, (a, b) in enumerate(pairs):
            if a not in board or b not in board or not board.adjoin(a, b):
                file.refuse(
                    f"{key}: {a} and {b} are not neighbours on this map",
                    line=line_in_json(file.text, [key, number]),
                    cure="Name two neighbouring hexes.",
                )


def _check_roads_out(file: Source, raw: MapFile) -> None:
    """Roads that leave the map must lead from a hex of it to a neighbour that is not on it."""
    known = {hex_.id for hex_ in raw.hexes}
    for number, road in enumerate(raw.roads_out):
        if road.hex not in known or road.to in known or not raw.numbering.reads(road.to):
            wrong = "does not lead from a hex of this map to one that is not on it"
        elif road.hex not in Grid.of((road.hex, road.to), raw.numbering).board().neighbours(road.to):
            wrong = "leads to a hex that is no neighbour"
        else:
            continue
        file.refuse(
            f"roads_out: {road.hex} to {road.to} {wrong}",
            line=line_in_json(file.text, ["roads_out", number]),
            cure="Name a hex at the edge, and the next one that the road enters.",
        )


def _check_rivers(file: Source, raw: MapFile) -> None:
    for number, river in enumerate(raw.rivers):
        for letter in filter(None, map(unlettered, river.names)):
            where = line_in_json(file.text, ["rivers", number])
            file.refuse(f"rivers: maps cannot print {letter}", line=where, cure=_LETTERS)


def _check_places(file: Source, raw: MapFile) -> None:
    """Entries and supply edges must be on the map; each side needs a supply edge."""
    known = {hex_.id for hex_ in raw.hexes}
    for number, entry in enumerate(raw.entries):
        if entry.hex not in known:
            where = line_in_json(file.text, ["entries", number])
            file.refuse(
                f"the entry {entry.name} is at {entry.hex}, which is not on this map",
                line=where,
                cure="Name a hex of this map.",
            )
        if letter := unlettered(entry.name):
            where = line_in_json(file.text, ["entries", number])
            file.refuse(f"the entry at {entry.hex}: maps cannot print {letter}", line=where, cure=_LETTERS)
    for side in SIDES:
        edge = raw.supply.get(side_name(side), ())
        where = line_in_json(file.text, ["supply", side])
        strange = [place for place in edge if place not in known]
        if strange:
            file.refuse(
                f"supply of {side}: {strange[0]} is not on this map", line=where, cure="Name hexes of this map."
            )
        if not edge:
            file.refuse(f"{side} has no supply edge", line=where, cure="List its hexes under `supply`.")


# --- units -----------------------------------------------------------------------------------------------------------


def _check_units(file: Source, rows: Iterable[tuple[int, UnitRow]], game_data: GameData) -> None:
    ids: set[str] = set()
    labels: set[tuple[str, str]] = set()
    standing: dict[PlaceId, list[UnitRow]] = {}
    jumping: set[datetime.date] = set()
    for line, row in rows:
        if row.id in ids or (row.side, plain(row.label)) in labels:
            file.refuse(
                f"{row.id}, {row.label!r}, is in the file twice", line=line, cure="Give each unit its own id and label."
            )
        _check_name(file, line, row)
        ids.add(row.id)
        labels.add((row.side, plain(row.label)))
        if row.how != "airdrop" and row.hex not in game_data.hexes:
            where = f"at {row.hex}, which is not on this map" if row.hex else "not on the map"
            file.refuse(
                f"{row.label} is {where}",
                line=line,
                cure="Name a hex of this map.",
            )
        if not 1 <= row.movement <= 12 or not 1 <= row.establishment <= 200 or not 1 <= row.strength <= 100:
            file.refuse(
                f"{row.label}: movement must be 1 to 12, establishment 1 to 200", line=line, cure="Correct the number."
            )
        if row.how == "airdrop":
            _check_jump(file, line, row, jumping)
        if row.how == "setup" and row.hex is not None:
            stack = standing.setdefault(row.hex, [])
            stack.append(row)
            _check_stack(file, line, stack)


def _outdated(file: Source, rows: Iterable[tuple[int, UnitRow]], game_data: GameData) -> ScenarioError | None:
    """What older releases let be, and no new campaign may have."""
    for line, row in rows:
        if found := _strength(row) or _jump_of_nobody(row, game_data):
            message, cure = found
            return ScenarioError(message, file=file.name, line=line, cure=cure)
    return None


def _strength(row: UnitRow) -> tuple[str, str] | None:
    """R12.7 Every unit starts with all of its establishment."""
    if row.strength == FULL:
        return None
    message = f"{row.label} starts at {row.strength} percent; every unit starts at {FULL} (R12.7)"
    return message, "Delete the column strength, or call it establishment."


def _jump_of_nobody(row: UnitRow, game_data: GameData) -> tuple[str, str] | None:
    """R1.5, R11.8 Nobody can jump before the first day, or on a first day on which nothing flies."""
    first = game_data.first_day
    if row.how != "airdrop" or row.arrives > first or (row.arrives == first and game_data.air_on_first_day):
        return None
    if row.arrives < first:
        return f"{row.label} would jump before the first day, {first} (R11.8)", "Give it a later date."
    message = f"{row.label} would jump on the first day, on which nothing flies (R1.5)"
    return message, "Give it a later date, or delete air_on_first_day from scenario.toml."


def _check_jump(file: Source, line: int, row: UnitRow, jumping: set[datetime.date]) -> None:
    """R11.8 Paratroops must be German, and only one unit may jump each day."""
    if row.side != "german":
        file.refuse(f"{row.label}: only German units can jump (R11.8)", line=line, cure="Give it an entry hex.")
    if row.arrives in jumping:
        file.refuse(f"{row.label}: another unit jumps on the same day", line=line, cure="Change its date.")
    jumping.add(row.arrives)


def _check_name(file: Source, line: int, row: UnitRow) -> None:
    """Orders must be able to name a unit by its label."""
    if unprintable(row.label + row.name):
        file.refuse(f"{row.id} has a character that cannot be shown", line=line, cure="Delete it.")
    _check_letters(file, row.id, row.label, line=line)
    if not plain(row.label) or "#" in row.label or "," in row.label or len(row.label.split()) > LONGEST_NAME:
        cure = f"Use letters and digits, at most {LONGEST_NAME} words, no commas and no #."
        file.refuse(f"{row.label!r} cannot be written in an order", line=line, cure=cure)


def _check_stack(file: Source, line: int, stack: list[UnitRow]) -> None:
    if len({row.side for row in stack}) > 1:
        file.refuse(f"{stack[0].hex} holds units of both sides", line=line, cure="Move one of them.")
    if too_full(unit_of(row) for row in stack):
        file.refuse(f"{stack[0].hex} holds too many units (R5.5)", line=line, cure="Move one of them.")


def unit_of(row: UnitRow) -> Unit:
    """The unit of a line: on the map, or to arrive."""
    there = row.how == "setup"
    tanks, heavy_tanks = tanks_at_start(row.branch)
    return Unit(
        id=row.id,
        label=row.label,
        name=row.name,
        branch=row.branch,
        echelon=row.echelon,
        small=row.size == "small",
        small_from_start=row.size == "small",
        movement=row.movement,
        strength=row.strength,
        establishment=row.establishment,
        at=row.hex if there else None,
        arrives=None if there else row.arrives,
        entry=row.hex if row.how == "reinforcement" else None,
        army=row.army,
        corps=row.corps,
        tanks=tanks,
        heavy_tanks=heavy_tanks,
    )


def start_state(game_data: GameData, rows: Iterable[UnitRow]) -> State:
    """The state before the first morning."""
    units: dict[SideId, dict[UnitId, Unit]] = {side: {} for side in SIDES}
    for row in sorted(rows, key=lambda row: row.id):
        units[SideId(row.side)][row.id] = unit_of(row)
    own = {side: Own(units=units[side]) for side in SIDES}
    return State(
        open=Open(
            date=game_data.first_day,
            phase=PhaseKey("morning"),
            fuel=game_data.charts.fuel.start,
            depots={id_: DepotStatus.INTACT for id_, hex_ in game_data.hexes.items() if hex_.depot},
            control={id_: hex_.control for id_, hex_ in game_data.hexes.items() if hex_.victory_points},
        ),
        own=own,
        hidden=Hidden(),
    )
