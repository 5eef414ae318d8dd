"""Small maps and positions written by hand, for cases. tests/cases/README.md describes the format."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec

from campaign.engine.errors import ScenarioError
from campaign.engine.files import CASE, convert_case, decode_toml, source
from campaign.engine.ruleset import Scenario
from campaign.engine.state import with_open, with_own
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.options import chosen
from campaign.engine.values.value import Value, replace
from campaign.rulesets.forum_campaign.day.sighting import sightings
from campaign.rulesets.forum_campaign.model.game_data import (
    SIDES,
    Box,
    Branch,
    Echelon,
    GameData,
    Goods,
    RoadClass,
    Terrain,
    Weather,
)
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, ledger_of
from campaign.rulesets.forum_campaign.model.options import Options
from campaign.rulesets.forum_campaign.model.state import (
    AirDay,
    DepotStatus,
    Own,
    Sighting,
    State,
    Unit,
    UnitType,
    WeatherToday,
    tanks_at_start,
)
from campaign.rulesets.forum_campaign.scenario.charts import charts_of, side_name
from campaign.rulesets.forum_campaign.scenario.files import (
    Head,
    MapEntry,
    MapFile,
    MapHex,
    MapRiver,
    MapRoad,
    SideName,
    Tables,
)
from campaign.rulesets.forum_campaign.scenario.reading import game_data_of, start_state
from campaign.rulesets.forum_campaign.scenario.tables import merged, tables_in


class CaseTown(Value, frozen=True):
    hex: PlaceId
    name: str
    importance: int = 1
    vp: int = 0
    depot: int = 0
    captured: bool = False
    destroyed: bool = False


class CaseMap(Value, frozen=True):
    """A rectangle of clear hexes and the exceptions on it."""

    size: str
    """Its south-western and north-eastern hex: A1-F8."""
    terrain: Mapping[Terrain, str] = {}
    german: str = ""
    """Hexes held by the Germans; the others are Allied."""
    fortified: str = ""
    roads: Mapping[RoadClass, tuple[str, ...]] = {}
    """Chains of hexes: A1-A2-A3."""
    rivers: Mapping[str, str] = {}
    """By name, hexsides: B2|B3 C2|C3."""
    closed: str = ""
    towns: tuple[CaseTown, ...] = ()
    entries: tuple[MapEntry, ...] = ()
    supply: Mapping[SideName, str] = {}
    """Hexes of each side's board edge. Left out: the easternmost column German, the westernmost Allied."""


class CaseUnit(Value, frozen=True):
    """A unit; its label is its id. Default: a full-size infantry division with the printed movement of its class."""

    at: PlaceId | None = None
    branch: Branch = msgspec.field(default=Branch.INFANTRY, name="class")
    size: Literal["full", "small"] = "full"
    reduced: bool = False
    """Small because of losses, full-size at the start."""
    movement: int = 0
    strength: int = 100
    establishment: int = 100
    supplied: bool = True
    arrives: datetime.date | None = None
    entry: PlaceId | None = None
    moved: bool = False
    spent: int = 0
    fought: bool = False
    dislodged: bool = False
    scattered: bool = False
    tanks: int | None = None
    """Medium tanks left. Default: those of its order of battle."""
    heavy_tanks: int | None = None
    bought: Mapping[Goods, int] = {}
    ledger: tuple[LedgerLine, ...] = ()
    parent: UnitId | None = None
    lent: int = 0
    raised: int = 0
    debt: int = 0
    """R12.10 Movement points that absorbing takes from it in this portion."""


class CaseAir(Value, frozen=True):
    """A side's air units of the day."""

    available: int
    boxes: Mapping[Box, int] = {}


class CasePosition(Value, frozen=True):
    """What a case starts from."""

    map: CaseMap
    units: Mapping[SideName, Mapping[UnitId, CaseUnit]] = {}
    phase: PhaseKey = PhaseKey("german_sheet")
    date: datetime.date = datetime.date(1944, 12, 16)
    last_day: datetime.date = datetime.date(1944, 12, 31)
    weather: Weather | None = Weather.GLOOMY
    fuel: int = 20
    control: Mapping[SideName, str] = {}
    """Objectives whose holder is not the one on the map."""
    artillery: Mapping[SideName, tuple[UnitId, ...]] = {}
    """R15.3 Units whose battles get heavy artillery."""
    barrages: Mapping[SideName, int] = {}
    """R15.3 Battles that had it today."""
    close_support: Mapping[SideName, Mapping[UnitId, int]] = {}
    """R3.10 Air units assigned to attackers."""
    positions: Mapping[SideName, Mapping[PlaceId, int]] = {}
    """R13 Prepared positions: 1 Dug-in, 2 Entrenched."""
    sees: Mapping[SideName, str] = {}
    """Enemy hexes that a side sees, by type only. Default: what the sighting rules give."""
    air: Mapping[SideName, CaseAir] = {}
    """R3 Today's air units. Default: not rolled yet."""
    air_on_first_day: bool = True
    """R1.5 As in scenario.toml."""
    options: Mapping[str, str] = {}
    """2.10 The campaign's options, each answer as text: `fuel_grouping = "pooled"`, `forecast = "yes"`."""
    charts: Mapping[str, Any] = {}
    """Changes to the tables of the scenario."""


def read_case(raw: Mapping[str, Any], files: Mapping[str, str]) -> Scenario[GameData, State]:
    """The map, charts and state of a case, with the tables of a scenario."""
    position = convert_case(raw, CasePosition, cure="See tests/cases/README.md.")
    *_, (_, given) = tables_in(files, decode_toml(source(files, "scenario.toml"), Head))
    tables = _changed_tables(given, position.charts)
    head = Head(
        title="Case",
        ruleset="forum_campaign",
        first_day=datetime.date(1944, 12, 16),
        last_day=position.last_day,
        credit="",
        scale="",
        air_on_first_day=position.air_on_first_day,
    )
    raw_map = _map_file(position.map)
    game_data = game_data_of(raw_map, head, charts_of(tables, [hex_.id for hex_ in raw_map.hexes], raw_map.numbering))
    return Scenario(head.title, game_data, _state(game_data, position))


def _changed_tables(tables: Tables, changes: Mapping[str, Any]) -> Tables:
    return msgspec.convert(merged(msgspec.to_builtins(tables), changes), Tables)


# --- the map ---------------------------------------------------------------------------------------------------------


def _map_file(case: CaseMap) -> MapFile:
    """What a scenario's map.json would hold."""
    places = _rectangle(case.size)
    terrain = {place: kind for kind, hexes in case.terrain.items() for place in _hexes(hexes)}
    german, fortified = set(_hexes(case.german)), set(_hexes(case.fortified))
    towns = {town.hex: town for town in case.towns}
    _require_on_map(places, [*terrain, *german, *fortified, *towns])
    hexes = tuple(
        MapHex(
            id=place,
            terrain=terrain.get(place, Terrain.CLEAR),
            control="german" if place in german else "allied",
            fortified=place in fortified,
            **_town(towns.get(place)),
        )
        for place in places
    )
    return MapFile(
        hexes=hexes,
        roads=tuple(MapRoad(a, b, kind) for kind, chains in case.roads.items() for a, b in _chains(chains)),
        rivers=tuple(MapRiver(a, b, (name,)) for name, sides in case.rivers.items() for a, b in _hexsides(sides)),
        closed_hexsides=tuple(_hexsides(case.closed)),
        entries=case.entries,
        supply=_supply(case, places),
    )


def _town(town: CaseTown | None) -> dict[str, Any]:
    if town is None:
        return {}
    return {"town": town.name, "importance": town.importance, "vp": town.vp, "depot": town.depot}


def _rectangle(size: str) -> list[PlaceId]:
    found = re.fullmatch(r"([A-Z])(\d+)-([A-Z])(\d+)", size)
    if found is None:
        raise ScenarioError(f"map.size is {size!r}", file=CASE, cure="Write two corners: A1-F8.")
    south, west, north, east = found.groups()
    rows = [chr(row) for row in range(ord(south), ord(north) + 1)]
    return [PlaceId(f"{row}{column}") for row in rows for column in range(int(west), int(east) + 1)]


def _require_on_map(places: Sequence[PlaceId], named: Sequence[PlaceId]) -> None:
    strange = sorted(set(named) - set(places))
    if strange:
        raise ScenarioError(f"{strange[0]} is not on the case's map", file=CASE, cure="Enlarge map.size.")


def _hexes(text: str) -> list[PlaceId]:
    return [PlaceId(word) for word in text.split()]


def _chains(chains: Sequence[str]) -> Iterator[tuple[PlaceId, PlaceId]]:
    for chain in chains:
        hexes = [PlaceId(word) for word in chain.split("-")]
        yield from pairwise(hexes)


def _hexsides(text: str) -> Iterator[tuple[PlaceId, PlaceId]]:
    for word in text.split():
        a, _, b = word.partition("|")
        yield PlaceId(a), PlaceId(b)


def _supply(case: CaseMap, places: Sequence[PlaceId]) -> dict[SideName, tuple[PlaceId, ...]]:
    columns = [int(place[1:]) for place in places]
    edges: dict[SideName, int] = {"german": max(columns), "allied": min(columns)}
    return {
        side: tuple(_hexes(case.supply[side]))
        if side in case.supply
        else tuple(place for place in places if int(place[1:]) == column)
        for side, column in edges.items()
    }


# --- the position ----------------------------------------------------------------------------------------------------


def _state(game_data: GameData, position: CasePosition) -> State:
    state = start_state(game_data, ())
    for side in SIDES:
        units = position.units.get(side_name(side), {})
        _require_on_map(tuple(game_data.hexes), [unit.at for unit in units.values() if unit.at is not None])
        state = _with_part(state, side, _own(position, side))
    weather = None if position.weather is None else WeatherToday(position.weather, 0, 0)
    captured = {town.hex: DepotStatus.CAPTURED for town in position.map.towns if town.captured}
    captured |= {town.hex: DepotStatus.DESTROYED for town in position.map.towns if town.destroyed}
    control = {place: SideId(side) for side, hexes in position.control.items() for place in _hexes(hexes)}
    state = with_open(
        state,
        phase=position.phase,
        date=position.date,
        turn=(position.date - game_data.first_day).days + 1,
        options=chosen(Options, position.options),
        air={SideId(side): AirDay(day.available, day.boxes) for side, day in position.air.items()},
        weather=weather,
        fuel=position.fuel,
        depots={**state.open.depots, **captured},
        control={**state.open.control, **control},
    )
    for side in SIDES:
        seen = _sees(game_data, state, position, side)
        state = _with_part(state, side, replace(state.own[side], sightings=seen))
    return state


def _own(position: CasePosition, side: SideId) -> Own:
    name = side_name(side)
    return Own(
        units={id_: _unit(id_, unit) for id_, unit in sorted(position.units.get(name, {}).items())},
        artillery=position.artillery.get(name, ()),
        barrages=position.barrages.get(name, 0),
        close_support=position.close_support.get(name, {}),
        positions=position.positions.get(name, {}),
    )


def _with_part(state: State, side: SideId, part: Own) -> State:
    return with_own(state, side, lambda _: part)


def _unit(id_: UnitId, case: CaseUnit) -> Unit:
    mechanized = case.branch in (Branch.ARMOR, Branch.MECHANIZED, Branch.COMMANDO)
    tanks, heavy_tanks = tanks_at_start(case.branch)
    return Unit(
        id=id_,
        label=id_,
        name=id_,
        branch=case.branch,
        echelon=Echelon.REGIMENT if case.size == "small" else Echelon.DIVISION,
        small=case.size == "small" or case.reduced,
        small_from_start=case.size == "small",
        movement=case.movement or (4 if mechanized else 3),
        strength=case.strength,
        establishment=case.establishment,
        at=case.at,
        supplied=case.supplied,
        arrives=case.arrives,
        entry=case.entry,
        moved=case.moved,
        spent=case.spent,
        fought=case.fought,
        dislodged=case.dislodged,
        scattered=case.scattered,
        tanks=tanks if case.tanks is None else case.tanks,
        heavy_tanks=heavy_tanks if case.heavy_tanks is None else case.heavy_tanks,
        bought=case.bought,
        ledger=ledger_of(case.ledger),
        parent=case.parent,
        lent=case.lent,
        raised=case.raised,
        debt=case.debt,
    )


def _sees(game_data: GameData, state: State, position: CasePosition, side: SideId) -> tuple[Sighting, ...]:
    name = side_name(side)
    if name not in position.sees:
        return sightings(game_data, state, side)
    return tuple(Sighting(place, UnitType.INFANTRY) for place in _hexes(position.sees[name]))
