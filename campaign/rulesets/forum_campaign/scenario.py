"""Reading a scenario's files: what they hold, what must fit together, and the campaign's first state."""

import datetime
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from campaign.engine.files import Source, decode_csv, decode_json, decode_toml, line_in_json, line_in_toml, source
from campaign.engine.hexes import hex_board, is_hex
from campaign.engine.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.lexicon import LONGEST_NAME, plain, unprintable
from campaign.engine.ruleset import Scenario
from campaign.engine.views import Branch
from campaign.rulesets.forum_campaign.scenario_files import (
    AirTable,
    Head,
    MapFile,
    MapHex,
    MapRiver,
    MovementTable,
    PurchaseTable,
    SideName,
    Tables,
    UnitRow,
    WareLine,
    WeatherTable,
)
from campaign.rulesets.forum_campaign.state import DepotStatus, Hidden, Open, Own, State, Unit, tanks_at_start
from campaign.rulesets.forum_campaign.theatre import (
    ALLIED,
    GERMAN,
    SIDES,
    AirRules,
    Box,
    Charts,
    Commandos,
    Edge,
    Entry,
    Hex,
    MovementCosts,
    Purchases,
    ResolverRules,
    River,
    RiverClass,
    Terrain,
    Theatre,
    Ware,
    Weather,
    WeatherBand,
)
from campaign.rulesets.forum_campaign.zoc import too_full


def read_scenario(files: Mapping[str, str]) -> Scenario[Theatre, State]:
    """A scenario from its files by name; raises ScenarioError with file, line and cure for the first fault."""
    head_file, map_file = source(files, "scenario.toml"), source(files, "map.json")
    tables_file, units_file = source(files, "tables.toml"), source(files, "units.csv")
    head = decode_toml(head_file, Head)
    if head.last_day < head.first_day:
        where = line_in_toml(head_file.text, ["last_day"])
        head_file.refuse("the last day lies before the first", line=where, cure="Correct one of the two.")
    raw_map = _map(map_file)
    theatre = theatre_of(raw_map, head, _charts(tables_file, head, raw_map))
    rows = decode_csv(units_file, UnitRow)
    _check_units(units_file, rows, theatre)
    return Scenario(head.title, theatre, start_state(theatre, (row for _, row in rows)))


# --- charts ----------------------------------------------------------------------------------------------------------


def _charts(file: Source, head: Head, raw_map: MapFile) -> Charts:
    tables = decode_toml(file, Tables)
    _check_weather(file, head, tables.weather)
    _check_costs(file, tables.movement)
    _check_missions(file, tables.air)
    _check_wares(file, tables.purchases)
    _check_odds(file, tables.resolver)
    return charts_of(tables, [hex_.id for hex_ in raw_map.hexes])


def charts_of(tables: Tables, places: Iterable[PlaceId]) -> Charts:
    """The charts out of the tables as they are written, for a map of these hexes."""
    weather = {
        day.date: tuple(WeatherBand(*line.roll, line.weather, line.allied, line.german) for line in day.lines)
        for day in tables.weather.day
    }
    m = tables.movement
    movement = MovementCosts(
        terrain=m.terrain,
        town=m.town,
        town_from_importance=m.town_from_importance,
        primary_road=m.primary_road,
        secondary_road=m.secondary_road,
        river=m.river,
        meuse=m.meuse,
        enter_zoc=m.enter_zone_of_control,
        leave_zoc=m.leave_zone_of_control,
        commando=m.commando,
    )
    return Charts(
        weather_die=tables.weather.die,
        weather=weather,
        movement=movement,
        fuel=tables.fuel,
        sight=tables.sight,
        air=_air_rules(tables.air),
        commandos=Commandos(tables.commandos.last_day, frozenset(_rows(tables.commandos.drop_rows, places))),
        purchases=Purchases(tables.purchases.points, tuple(_ware(line) for line in tables.purchases.ware)),
        resolver=tables.resolver,
    )


def _air_rules(table: AirTable) -> AirRules:
    missions = {
        weather: {side: sides.get(side_name(side), ()) for side in SIDES} for weather, sides in table.missions.items()
    }
    return AirRules(table.die, table.interdiction_die, table.planes, missions)


def _rows(letters: Iterable[str], places: Iterable[PlaceId]) -> Iterator[PlaceId]:
    rows = set(letters)
    return (place for place in places if place[0] in rows)


def _ware(line: WareLine) -> Ware:
    return Ware(line.goods, line.points, line.amount, {GERMAN: line.german, ALLIED: line.allied})


def _check_weather(file: Source, head: Head, table: WeatherTable) -> None:
    """Every day of the campaign has a line for every roll, and one only."""
    for number, day in enumerate(table.day):
        rolls = [roll for line in day.lines for roll in range(line.roll[0], line.roll[1] + 1)]
        if sorted(rolls) != list(range(1, table.die + 1)):
            file.refuse(
                f"the weather lines of {day.date} do not cover each roll from 1 to {table.die} once",
                line=line_in_toml(file.text, ["weather", "day", number]),
                cure="Mend the roll ranges of that day.",
            )
    present = Counter(day.date for day in table.day)
    for offset in range((head.last_day - head.first_day).days + 1):
        date = head.first_day + datetime.timedelta(days=offset)
        if present[date] != 1:
            file.refuse(f"{date} has {present[date] or 'no'} weather tables", cure="Give each day one [[weather.day]].")


def _check_costs(file: Source, table: MovementTable) -> None:
    """Open ground can be entered in any weather."""
    for terrain in Terrain:
        if terrain not in table.terrain:
            file.refuse(f"movement.terrain lacks {terrain.value}", cure="Add its line of costs.")
    open_ground = {**{f"terrain.{t.value}": line for t, line in table.terrain.items()}, "town": table.town}
    for name, line in open_ground.items():
        costs = [line.in_weather(weather) for weather in Weather]
        where = line_in_toml(file.text, ["movement", *name.split(".")])
        if None in costs:
            file.refuse(f"movement.{name} needs a cost for every weather", line=where, cure="Add the missing weather.")


def _check_missions(file: Source, table: AirTable) -> None:
    """R3.4 Every weather says what may be flown; interdiction and air drop are Allied (R3.3)."""
    for weather in Weather:
        if weather not in table.missions:
            file.refuse(f"air.missions lacks {weather.value}", cure="Add its line of missions.")
        if {Box.INTERDICTION, Box.DROP} & set(table.missions[weather].get("german", ())):
            where = line_in_toml(file.text, ["air", "missions", weather.value])
            file.refuse(
                f"{weather.value}: the Germans fly no interdiction and no drops", line=where, cure="Delete them."
            )


def _check_wares(file: Source, table: PurchaseTable) -> None:
    """R14.2 Each ware is offered once."""
    offered = Counter(line.goods for line in table.ware)
    for goods, times in offered.items():
        if times > 1:
            where = line_in_toml(file.text, ["purchases", "ware"])
            file.refuse(f"{goods.value} is offered {times} times", line=where, cure="Keep one of its lines.")


def _check_odds(file: Source, table: ResolverRules) -> None:
    """2.10 The resolver has a line for every odds and a worth for every arm."""
    at = [line.at for line in table.odds]
    where = line_in_toml(file.text, ["resolver", "odds"])
    if at[:1] != [0] or at != sorted(set(at)):
        file.refuse("the odds of the resolver do not rise from 0", line=where, cure="Order its lines by `at`, from 0.")
    for arm in (Branch.INFANTRY, Branch.AIRBORNE, Branch.MECHANIZED, Branch.ARMOR):
        if arm not in table.arms:
            where = line_in_toml(file.text, ["resolver", "arms"])
            file.refuse(f"resolver.arms lacks {arm.value}", line=where, cure="Say what a full unit of it is worth.")


# --- map -------------------------------------------------------------------------------------------------------------


def _map(file: Source) -> MapFile:
    raw = decode_json(file, MapFile)
    _check_hexes(file, raw)
    _check_edges(file, raw)
    _check_places(file, raw)
    return raw


def theatre_of(raw: MapFile, head: Head, charts: Charts) -> Theatre:
    """The theatre out of a map as it is written."""
    return Theatre(
        title=head.title,
        credit=head.credit,
        scale=head.scale,
        first_day=head.first_day,
        last_day=head.last_day,
        charts=charts,
        hexes={hex_.id: _hex(hex_) for hex_ in raw.hexes},
        board=hex_board(hex_.id for hex_ in raw.hexes),
        roads=_both_ways({(road.a, road.b): road.kind for road in raw.roads}),
        bridges=frozenset(_both_ways({(road.a, road.b): True for road in raw.roads if road.bridge})),
        rivers=_both_ways({(river.a, river.b): _river(river, head.great_river) for river in raw.rivers}),
        closed=frozenset(_both_ways(dict.fromkeys(raw.closed_hexsides, True))),
        frontiers=frozenset((a, b) for a, b, _ in raw.frontiers),
        entries=tuple(Entry(entry.name, entry.hex, entry.edge, SideId(entry.side)) for entry in raw.entries),
        supply_edge={side: frozenset(raw.supply.get(side_name(side), ())) for side in SIDES},
    )


def side_name(side: SideId) -> SideName:
    return "german" if side == GERMAN else "allied"


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
        trouble = _trouble(hex_, seen)
        if trouble:  # only now: to find a line in a large file takes time
            file.refuse(trouble[0], line=line_in_json(file.text, ["hexes", number]), cure=trouble[1])
        seen.add(hex_.id)
    if not raw.hexes:
        file.refuse("the map has no hexes", cure="Add some to `hexes`.")


def _trouble(hex_: MapHex, seen: Container[PlaceId]) -> tuple[str, str] | None:
    """What is wrong with a hex and its cure."""
    if not is_hex(hex_.id):
        return f"{hex_.id!r} is no hex", "Write row letter and column number, such as Q19."
    if unprintable(hex_.town):
        return f"{hex_.id}: its town has a character that cannot be shown", "Delete it."
    if hex_.id in seen:
        return f"{hex_.id} is there twice", "Remove one of the two."
    return None


def _check_edges(file: Source, raw: MapFile) -> None:
    """Roads, rivers, frontiers and closed hexsides join hexes that adjoin."""
    board = hex_board(hex_.id for hex_ in raw.hexes)
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
                    f"{key}: {a} and {b} do not adjoin on this map",
                    line=line_in_json(file.text, [key, number]),
                    cure="Name two neighbouring hexes.",
                )


def _check_places(file: Source, raw: MapFile) -> None:
    """Entries and supply edges lie on the map; each side has a supply edge."""
    known = {hex_.id for hex_ in raw.hexes}
    for number, entry in enumerate(raw.entries):
        if entry.hex not in known:
            where = line_in_json(file.text, ["entries", number])
            file.refuse(f"the entry {entry.name} lies at {entry.hex}", line=where, cure="Name a hex of this map.")
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


def _check_units(file: Source, rows: Iterable[tuple[int, UnitRow]], theatre: Theatre) -> None:
    ids: set[str] = set()
    labels: set[tuple[str, str]] = set()
    standing: dict[PlaceId, list[UnitRow]] = {}
    jumping: set[datetime.date] = set()
    for line, row in rows:
        if row.id in ids or (row.side, plain(row.label)) in labels:
            file.refuse(
                f"{row.id}, {row.label!r}, is there twice", line=line, cure="Give each unit its own id and label."
            )
        _check_name(file, line, row)
        ids.add(row.id)
        labels.add((row.side, plain(row.label)))
        if row.how != "airdrop" and row.hex not in theatre.hexes:
            file.refuse(f"{row.label} stands at {row.hex or 'no hex'}", line=line, cure="Name a hex of this map.")
        if not 1 <= row.movement <= 12 or not 1 <= row.strength <= 100:
            file.refuse(f"{row.label}: movement is 1 to 12, strength 1 to 100", line=line, cure="Correct the number.")
        if row.how == "airdrop":
            _check_jump(file, line, row, jumping)
        if row.how == "setup" and row.hex is not None:
            stack = standing.setdefault(row.hex, [])
            stack.append(row)
            _check_stack(file, line, stack)


def _check_jump(file: Source, line: int, row: UnitRow, jumping: set[datetime.date]) -> None:
    """R11.8 Paratroops are German, and only one unit a day jumps."""
    if row.side != "german":
        file.refuse(f"{row.label}: only German units jump (R11.8)", line=line, cure="Let it come by road.")
    if row.arrives in jumping:
        file.refuse(f"{row.label}: another unit jumps on that day", line=line, cure="Change its date.")
    jumping.add(row.arrives)


def _check_name(file: Source, line: int, row: UnitRow) -> None:
    """A label must be one that orders can be written with."""
    if unprintable(row.label + row.name):
        file.refuse(f"{row.id} has a character that cannot be shown", line=line, cure="Delete it.")
    if not plain(row.label) or "#" in row.label or "," in row.label or len(row.label.split()) > LONGEST_NAME:
        cure = f"Use letters and digits, at most {LONGEST_NAME} words, no commas and no #."
        file.refuse(f"{row.label!r} is no name that an order can be written with", line=line, cure=cure)


def _check_stack(file: Source, line: int, stack: list[UnitRow]) -> None:
    if len({row.side for row in stack}) > 1:
        file.refuse(f"{stack[0].hex} holds units of both sides", line=line, cure="Move one of them.")
    if too_full(unit_of(row) for row in stack):
        file.refuse(f"{stack[0].hex} holds too many units (R5.5)", line=line, cure="Move one of them.")


def unit_of(row: UnitRow) -> Unit:
    """A unit as its line has it: on the map, or to arrive."""
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
        at=row.hex if there else None,
        arrives=None if there else row.arrives,
        entry=row.hex if row.how == "reinforcement" else None,
        army=row.army,
        corps=row.corps,
        tanks=tanks,
        heavy_tanks=heavy_tanks,
    )


def start_state(theatre: Theatre, rows: Iterable[UnitRow]) -> State:
    """The state before the first morning."""
    units: dict[SideId, dict[UnitId, Unit]] = {side: {} for side in SIDES}
    for row in sorted(rows, key=lambda row: row.id):
        units[SideId(row.side)][row.id] = unit_of(row)
    own = {side: Own(units=units[side]) for side in SIDES}
    return State(
        open=Open(
            date=theatre.first_day,
            phase=PhaseKey("morning"),
            fuel=theatre.charts.fuel.start,
            depots={id_: DepotStatus.INTACT for id_, hex_ in theatre.hexes.items() if hex_.depot},
            control={id_: hex_.control for id_, hex_ in theatre.hexes.items() if hex_.victory_points},
        ),
        own=own,
        hidden=Hidden(),
    )
