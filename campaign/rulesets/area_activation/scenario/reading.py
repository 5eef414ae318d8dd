"""Reads a scenario's files, checks that they are consistent, and makes the campaign's first state."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from campaign.engine.files import Source, decode_csv, decode_json, decode_toml, line_in_json, line_in_toml, source
from campaign.engine.ruleset import Scenario
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.area_activation.day.ground import shown_to_all
from campaign.rulesets.area_activation.model.game_data import (
    ALLIED,
    GERMAN,
    SIDES,
    Border,
    Card,
    Crossing,
    Day,
    GameData,
    Outline,
    Points,
    Space,
    Victory,
)
from campaign.rulesets.area_activation.model.options import Options
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, Due, Hidden, Open, Own, State, Unit
from campaign.rulesets.area_activation.rules.situation import picture
from campaign.rulesets.area_activation.scenario.files import (
    BorderLine,
    DayLine,
    Head,
    MapFile,
    SideName,
    SpaceLine,
    Tables,
    UnitRow,
)
from campaign.rulesets.area_activation.scenario.outlines import (
    SHORTEST,
    Broken,
    length,
    lines_round,
    outline_of,
    pixels_per_unit,
    shared,
)
from campaign.rulesets.area_activation.sequence import SETUP

_GREAT_RIVER = "Meuse"


def read_scenario(files: Mapping[str, str]) -> Scenario[GameData, State]:
    """A scenario from its files by name; raises ScenarioError with file, line and fix for the first fault."""
    head_file, units_file = source(files, "scenario.toml"), source(files, "units.csv")
    head = decode_toml(head_file, Head)
    _check_days(head_file, head)
    game_data = game_data_of(files, head, decode_csv(units_file, UnitRow))
    _check_goal(head_file, head, game_data)
    _check_units(units_file, decode_csv(units_file, UnitRow), game_data)
    start = with_pictures(game_data, start_state(game_data, Options()))
    return Scenario(head.title, game_data, start, about=head.about, players=head.players)


def game_data_of(files: Mapping[str, str], head: Head, rows: Iterable[tuple[int, UnitRow]]) -> GameData:
    """The map, units and tables of a scenario's files; raises ScenarioError."""
    map_file, tables_file = source(files, "map.json"), source(files, "tables.toml")
    raw, tables = decode_json(map_file, MapFile), decode_toml(tables_file, Tables)
    _check_map(map_file, raw)
    days = {line.date: _day(line) for line in tables.day if head.first_day <= line.date <= head.last_day}
    if head.first_day not in days or head.last_day not in days:
        tables_file.refuse("the first or last day of the scenario is missing", cure="Add a [[day]] for each day.")
    cards = (_card(row) for _, row in rows)
    return GameData(
        title=head.title,
        credit=head.credit,
        spaces={line.id: _space(line) for line in raw.spaces},
        borders=dict(_both_ways(raw)),
        cards={card.id: card for card in cards if _takes_part(card, head)},
        days=days,
        shore=raw.shore,
        out_of_supply=tables.out_of_supply,
        attackers_bonus=tables.attackers_bonus,
        british_free=tables.british_free,
        commando=tables.commando,
        no_attrition=tables.no_attrition,
        meuse_points=tables.meuse_points,
        victory=head.victory,
        goal=head.goal,
    )


def _takes_part(card: Card, head: Head) -> bool:
    """R44 The race is over before the reserve and later units come."""
    if card.in_reserve:
        return head.victory is Victory.POINTS
    return card.due is None or card.due <= head.last_day


def _both_ways(raw: MapFile) -> Iterator[tuple[Border, Crossing]]:
    for line in raw.borders:
        crossing = Crossing(line.road, line.river, line.river == _GREAT_RIVER, line.line)
        yield (line.a, line.b), crossing
        yield (line.b, line.a), crossing


def _space(line: SpaceLine) -> Space:
    return Space(
        id=line.id,
        name=line.name,
        at=line.at,
        terrain=line.terrain,
        town=line.town,
        points=line.points,
        control=SideId(line.control),
        edge=line.edge,
        entries=frozenset(line.entries),
        is_exit=line.exit,
        bank=line.bank,
        artillery=line.artillery,
        shelter=line.shelter[0],
        shelter_taken=line.shelter[1],
    )


def _card(row: UnitRow) -> Card:
    return Card(
        id=row.id,
        name=row.name,
        side=SideId(row.side),
        nation=row.nation,
        kind=row.kind,
        strength=row.strength,
        attack=row.attack,
        defence=row.defence,
        bonus=row.bonus == "yes",
        elite=row.elite == "yes",
        start=row.start,
        due=row.due,
        entry=row.entry,
    )


def _day(line: DayLine) -> Day:
    given: Mapping[SideName, Points] = line.replacements
    return Day(
        date=line.date,
        initiative=SideId(line.initiative),
        replacements={GERMAN: given.get("german", Points()), ALLIED: given.get("allied", Points())},
        supply=frozenset(map(SideId, line.supply)),
        german_win=line.german_win,
        allied_win=line.allied_win,
        marked=line.marked,
        refuelled=line.refuelled,
        german_strategic=line.german_strategic,
        allied_air=line.allied_air,
    )


# --- checks ----------------------------------------------------------------------------------------------------------


def _check_days(file: Source, head: Head) -> None:
    if head.last_day < head.first_day:
        where = line_in_toml(file.text, ["last_day"])
        file.refuse("the last day is before the first day", line=where, cure="Correct one of the two.")


def _check_goal(file: Source, head: Head, game_data: GameData) -> None:
    if head.goal is not None and head.goal not in game_data.spaces:
        where = line_in_toml(file.text, ["goal"])
        file.refuse(f"there is no space {head.goal}", line=where, cure="Name a space of map.json by its id.")


def _check_map(file: Source, raw: MapFile) -> None:
    """Spaces differ, borders join two of them once, and outlines close without touching where nothing adjoins."""
    ids = [space.id for space in raw.spaces]
    for number, space in enumerate(raw.spaces):
        if ids.index(space.id) != number:
            where = line_in_json(file.text, ["spaces", number])
            file.refuse(f"{space.id} appears twice", line=where, cure="Give each space an id of its own.")
    known: set[frozenset[PlaceId]] = set()
    for number, border in enumerate(raw.borders):
        pair = frozenset((border.a, border.b))
        wrong = _wrong_with(border, twice=pair in known, of_the_map=pair <= set(ids))
        if wrong:
            file.refuse(wrong[0], line=line_in_json(file.text, ["borders", number]), cure=wrong[1])
        known.add(pair)
    _check_outlines(file, raw)


def _wrong_with(border: BorderLine, *, twice: bool, of_the_map: bool) -> tuple[str, str] | None:
    """What is wrong with a border, and the cure."""
    if not of_the_map or border.a == border.b:
        return f"{border.a} and {border.b} are not two spaces of the map", "Name two spaces."
    if twice:
        return f"the border of {border.a} and {border.b} is written twice", "Delete one."
    if len(border.line) < 2:
        return f"the border of {border.a} and {border.b} is no line", "Give two points."
    return None


def _check_outlines(file: Source, raw: MapFile) -> None:
    scale = pixels_per_unit([border.line for border in raw.borders] + list(raw.shore))
    for number, border in enumerate(raw.borders):
        if length(border.line) * scale < SHORTEST:
            where = line_in_json(file.text, ["borders", number])
            file.refuse(
                f"the border of {border.a} and {border.b} is too short to be seen", line=where, cure="Draw it longer."
            )
    for a, b, c, d in shared([(border.a, border.b, border.line) for border in raw.borders]):
        file.refuse(
            f"the border of {a} and {b} runs along that of {c} and {d}, which do not adjoin there",
            cure="Let the lines of two borders meet in a point only.",
        )
    for number, space in enumerate(raw.spaces):
        try:
            outline_of(lines_round(_borders_of(raw, space.id), raw.shore))
        except Broken as error:
            where = line_in_json(file.text, ["spaces", number])
            file.refuse(f"{space.id}: {error}", line=where, cure="Let the lines of its borders and shore meet there.")


def _borders_of(raw: MapFile, place: PlaceId) -> Iterator[Outline]:
    return (border.line for border in raw.borders if place in (border.a, border.b))


def _check_units(file: Source, rows: Sequence[tuple[int, UnitRow]], game_data: GameData) -> None:
    ids: set[UnitId] = set()
    stacks: Counter[tuple[SideName, PlaceId]] = Counter()
    for line, row in rows:
        if row.id in ids:
            file.refuse(f"{row.id} appears twice", line=line, cure="Give each unit an id of its own.")
        ids.add(row.id)
        _check_arrival(file, line, row, game_data)
        if row.start is not None:
            stacks[row.side, row.start] += 1
            if stacks[row.side, row.start] > MOST_IN_A_SPACE:
                file.refuse(f"{row.start} has more than three units of a side", line=line, cure="Move one elsewhere.")


def _check_arrival(file: Source, line: int, row: UnitRow, game_data: GameData) -> None:
    """R1, R38 A unit starts in a space, or arrives on a day at a letter of the map, or is in reserve."""
    if row.start is not None and row.start not in game_data.spaces:
        file.refuse(f"{row.id} starts in {row.start}, which is no space", line=line, cure="Name a space by its id.")
    if row.start is not None and row.due is not None:
        file.refuse(f"{row.id} starts on the map and arrives", line=line, cure="Delete one of the two.")
    if (row.due is None) != (row.entry == ""):
        file.refuse(f"{row.id} needs both a day and a letter of arrival", line=line, cure="Add the other one.")
    if row.entry and not list(game_data.entries(row.entry)):
        file.refuse(f"no space has the letter {row.entry}", line=line, cure="Use a letter of map.json.")


# --- the first state -------------------------------------------------------------------------------------------------


def start_state(game_data: GameData, options: Options) -> State:
    """R1 to R3 The position at the set-up."""
    control = {place: space.control for place, space in game_data.spaces.items()}
    own = {
        side: Own(
            dict(sorted(_on_map(game_data, side))), dict(sorted(_due(game_data, side))), _reserve(game_data, side)
        )
        for side in SIDES
    }
    open_ = Open(
        date=game_data.first_day,
        phase=SETUP,
        turn=GERMAN,
        initiative=game_data.days[game_data.first_day].initiative,
        control=control,
        contested=contested_in(game_data, own),
        surprise=1,
        options=options,
    )
    return State(open_, own, Hidden())


def contested_in(game_data: GameData, own: Mapping[SideId, Own]) -> tuple[PlaceId, ...]:
    """R13 The spaces with units of both sides."""
    held = [{unit.at for unit in own[side].units.values()} for side in SIDES]
    return tuple(place for place in game_data.spaces if all(place in each for each in held))


def _on_map(game_data: GameData, side: SideId) -> Iterator[tuple[UnitId, Unit]]:
    for card in game_data.cards.values():
        if card.side == side and card.start is not None:
            yield card.id, Unit(card.id, side, card.start, card.strength)


def _due(game_data: GameData, side: SideId) -> Iterator[tuple[UnitId, Due]]:
    for card in game_data.cards.values():
        if card.side == side and card.due is not None:
            yield card.id, Due(card.due)


def _reserve(game_data: GameData, side: SideId) -> tuple[UnitId, ...]:
    return tuple(card.id for card in game_data.cards.values() if card.side == side and card.in_reserve)


def with_pictures(game_data: GameData, state: State) -> State:
    """R45 The same with what each side sees of the enemy."""
    own = {side: replace(state.own[side], seen=picture(game_data, state, side)) for side in SIDES}
    return replace(state, open=replace(state.open, shown=shown_to_all(state)), own=own)
