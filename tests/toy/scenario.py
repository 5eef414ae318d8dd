"""Reading a scenario's files, and the small positions of cases."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from campaign.engine.board.board import Board
from campaign.engine.files import Source, convert_case, decode_csv, decode_toml, line_in_toml, source
from campaign.engine.ruleset import Scenario
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.options import chosen
from campaign.engine.values.value import Value, replace
from tests.toy.model.game_data import NORTH, SIDES, Area, Card, CardLine, GameData
from tests.toy.model.options import Options
from tests.toy.model.state import FULL_STRENGTH, Force, Hidden, Open, Own, State
from tests.toy.rules.cards import all_cards
from tests.toy.rules.sighting import picture
from tests.toy.sequence import SHUFFLE, TURN

SideName = Literal["north", "south"]
Strength = Annotated[int, msgspec.Meta(ge=1, le=FULL_STRENGTH)]


class Head(Value, frozen=True):
    """scenario.toml"""

    title: str
    ruleset: str
    first_day: datetime.date
    last_day: datetime.date
    draw: int
    hand: int


class AreaLine(Value, frozen=True):
    """A table of areas.toml."""

    id: PlaceId
    name: str
    at: tuple[int, int]
    links: tuple[PlaceId, ...] = ()
    terrain: str = "clear"
    points: int = 0
    holder: SideName | None = None


class AreaFile(Value, frozen=True):
    area: tuple[AreaLine, ...]


class ForceRow(msgspec.Struct, frozen=True):
    """A line of forces.csv."""

    id: UnitId
    name: str
    side: SideName
    at: PlaceId
    strength: Strength
    brigade: str = ""


class CardFile(Value, frozen=True):
    """cards.toml"""

    card: Mapping[Card, CardLine]


def read_scenario(files: Mapping[str, str]) -> Scenario[GameData, State]:
    """A scenario from its files by name; raises ScenarioError with file, line and fix for the first fault."""
    head, lines, cards = _read_charts(files)
    game_data = _game_data(head, lines, cards)
    forces_file = source(files, "forces.csv")
    rows = decode_csv(forces_file, ForceRow)
    _check_forces(forces_file, rows, game_data)
    own = {side: Own(forces={row.id: _force(row) for _, row in rows if row.side == side}) for side in SIDES}
    start = _opening(game_data, lines, head.first_day, own)
    return Scenario(head.title, game_data, _scouted(game_data, start))


def _read_charts(files: Mapping[str, str]) -> tuple[Head, tuple[AreaLine, ...], CardFile]:
    head = decode_toml(source(files, "scenario.toml"), Head)
    areas_file = source(files, "areas.toml")
    lines = decode_toml(areas_file, AreaFile).area
    _check_areas(areas_file, lines)
    return head, lines, decode_toml(source(files, "cards.toml"), CardFile)


def _check_areas(file: Source, lines: Sequence[AreaLine]) -> None:
    """Areas must differ in id, and links must lead to areas."""
    known: set[PlaceId] = set()
    for number, line in enumerate(lines):
        strange = sorted(set(line.links) - {area.id for area in lines})
        if strange:
            where = line_in_toml(file.text, ["area", number, "links"])
            file.refuse(f"{line.id} is linked to {strange[0]}", line=where, cure="Link areas of this file.")
        if line.id in known or (line.points > 0) != (line.holder is not None):
            where = line_in_toml(file.text, ["area", number, "id"])
            file.refuse(
                f"{line.id} appears twice, or is an objective without a holder", line=where, cure="Correct the area."
            )
        known.add(line.id)


def _check_forces(file: Source, rows: Iterable[tuple[int, ForceRow]], game_data: GameData) -> None:
    """R2.2 Each force must have an area of its own."""
    ids: set[UnitId] = set()
    held: set[PlaceId] = set()
    for line, row in rows:
        if row.at not in game_data.areas or row.at in held:
            file.refuse(f"{row.id} cannot be in {row.at}", line=line, cure="Name an empty area.")
        if row.id in ids:
            file.refuse(f"{row.id} appears twice", line=line, cure="Give each force an id of its own.")
        ids.add(row.id)
        held.add(row.at)


def _game_data(head: Head, lines: Sequence[AreaLine], cards: CardFile) -> GameData:
    areas = {line.id: Area(line.id, line.name, line.at, line.terrain, line.points) for line in lines}
    return GameData(head.title, head.first_day, head.last_day, areas, _board(lines), cards.card, head.draw, head.hand)


def _board(lines: Sequence[AreaLine]) -> Board:
    """R2.1 Links are written once and lead both ways."""
    links = {(line.id, other) for line in lines for other in line.links}
    both = links | {(b, a) for a, b in links}
    return Board({line.id: [other.id for other in lines if (line.id, other.id) in both] for line in lines})


def _force(row: ForceRow) -> Force:
    return Force(row.id, row.name, row.at, row.strength, row.brigade)


def _opening(game_data: GameData, lines: Sequence[AreaLine], date: datetime.date, own: Mapping[SideId, Own]) -> State:
    control = {line.id: SideId(line.holder) for line in lines if line.holder is not None}
    sizes = {side: len(own[side].hand) for side in SIDES}
    open_ = Open(date=date, phase=SHUFFLE, turn=NORTH, control=control, hand_sizes=sizes)
    return State(open_, own, Hidden(tuple(all_cards(game_data))))


def _scouted(game_data: GameData, state: State) -> State:
    for side in SIDES:
        own = replace(state.own[side], seen=picture(game_data, state, side))
        state = replace(state, own={**state.own, side: own})
    return state


# --- cases -----------------------------------------------------------------------------------------------------------


class CaseForce(Value, frozen=True):
    at: PlaceId
    strength: Strength = FULL_STRENGTH
    spent: bool = False


class CasePosition(Value, frozen=True):
    """The start of a case, on the scenario's map. A force is named by its id."""

    forces: Mapping[SideName, Mapping[UnitId, CaseForce]]
    hands: Mapping[SideName, tuple[Card, ...]] = {}
    deck: tuple[Card, ...] = ()
    phase: PhaseKey = TURN
    turn: SideName = "north"
    passes: int = 0
    date: datetime.date | None = None
    """Default: the first day."""
    options: Mapping[str, str] = {}


def read_case(raw: Mapping[str, Any], files: Mapping[str, str]) -> Scenario[GameData, State]:
    """A position with the map and charts of the scenario's files; raises ScenarioError."""
    position = convert_case(raw, CasePosition, cure="See CasePosition.")
    head, lines, cards = _read_charts(files)
    game_data = _game_data(head, lines, cards)
    state = _opening(game_data, lines, position.date or head.first_day, {side: _part(position, side) for side in SIDES})
    open_ = replace(state.open, phase=position.phase, turn=SideId(position.turn), passes=position.passes)
    open_ = replace(open_, options=chosen(Options, position.options))
    placed = replace(state, open=open_, hidden=Hidden(position.deck))
    return Scenario(head.title, game_data, _scouted(game_data, placed))


def _part(position: CasePosition, side: SideId) -> Own:
    name: SideName = "north" if side == NORTH else "south"
    forces = position.forces.get(name, {})
    return Own(
        forces={id_: Force(id_, id_, case.at, case.strength, spent=case.spent) for id_, case in forces.items()},
        hand=position.hands.get(name, ()),
    )
