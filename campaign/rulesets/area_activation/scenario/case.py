"""The small positions of cases, on the map of the scenario's files."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from campaign.engine.files import convert_case, decode_csv, decode_toml, source
from campaign.engine.ruleset import Scenario
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.options import chosen
from campaign.engine.values.value import Value, replace
from campaign.rulesets.area_activation.model.game_data import SIDES, GameData, enemy_of
from campaign.rulesets.area_activation.model.options import Options
from campaign.rulesets.area_activation.model.state import Due, Open, Own, State, Unit
from campaign.rulesets.area_activation.scenario.files import Head, SideName, UnitRow
from campaign.rulesets.area_activation.scenario.reading import contested_in, game_data_of, start_state, with_pictures
from campaign.rulesets.area_activation.sequence import DAY


class CaseUnit(Value, frozen=True):
    at: PlaceId
    strength: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None
    """Default: the printed one."""
    acted: bool = False
    unsupplied: bool = False
    unfuelled: bool = False


class CasePosition(Value, frozen=True):
    """The start of a case, on the scenario's map. A unit is named by its id; others are not in the game."""

    units: Mapping[UnitId, CaseUnit] = {}
    due: Mapping[UnitId, bool] = {}
    """Units that wait for their arrival, with whether they were delayed."""
    reserve: tuple[UnitId, ...] = ()
    control: Mapping[PlaceId, SideName] = {}
    """Where it differs from the start of the scenario."""
    date: datetime.date | None = None
    """Default: the first day."""
    phase: PhaseKey = DAY
    turn: SideName | None = None
    """Default: the side with the initiative."""
    surprise: int = 0
    turns: Mapping[SideName, int] = {}
    passes: int = 0
    points: int = 0
    british_free: bool = False
    meuse_reached: bool = False
    commando_used: bool = False
    options: Mapping[str, str] = {}


def read_case(raw: Mapping[str, Any], files: Mapping[str, str]) -> Scenario[GameData, State]:
    """A position with the map, units and tables of the scenario's files; raises ScenarioError."""
    position = convert_case(raw, CasePosition, cure="See CasePosition.")
    head = decode_toml(source(files, "scenario.toml"), Head)
    game_data = game_data_of(files, head, decode_csv(source(files, "units.csv"), UnitRow))
    state = start_state(game_data, chosen(Options, position.options))
    own = {side: _part(game_data, position, side) for side in SIDES}
    placed = replace(state, open=_open(game_data, position, state.open, own), own=own)
    return Scenario(head.title, game_data, with_pictures(game_data, placed))


def _open(game_data: GameData, position: CasePosition, start: Open, own: Mapping[SideId, Own]) -> Open:
    date = position.date or game_data.first_day
    initiative = game_data.days[date].initiative
    given = {place: SideId(side) for place, side in position.control.items()}
    return replace(
        start,
        date=date,
        phase=position.phase,
        turn=SideId(position.turn) if position.turn else initiative,
        initiative=initiative,
        control=_settled({**start.control, **given}, own),
        contested=contested_in(game_data, own),
        decides=date > game_data.first_day,
        surprise=position.surprise,
        turns={SideId(side): number for side, number in position.turns.items()},
        passes=position.passes,
        points=position.points,
        british_free=position.british_free,
        meuse_reached=position.meuse_reached,
        commando_used=position.commando_used,
    )


def _settled(control: Mapping[PlaceId, SideId], own: Mapping[SideId, Own]) -> dict[PlaceId, SideId]:
    """R13 Spaces with units of one side are its own."""
    held = {side: {unit.at for unit in own[side].units.values()} for side in SIDES}
    alone = {place: side for side in SIDES for place in held[side] - held[enemy_of(side)]}
    return {**control, **alone}


def _part(game_data: GameData, position: CasePosition, side: SideId) -> Own:
    units = {
        id_: Unit(
            id_,
            side,
            case.at,
            case.strength or game_data.cards[id_].strength,
            acted=case.acted,
            unsupplied=case.unsupplied,
            unfuelled=case.unfuelled,
        )
        for id_, case in sorted(position.units.items())
        if game_data.cards[id_].side == side
    }
    due = {
        id_: Due(game_data.cards[id_].due or game_data.first_day, delayed)
        for id_, delayed in sorted(position.due.items())
        if game_data.cards[id_].side == side
    }
    reserve = tuple(id_ for id_ in position.reserve if game_data.cards[id_].side == side)
    return Own(units, due, reserve)
