"""Reads a scenario's charts and checks that they are consistent."""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from campaign.engine.board.hexes import Numbering
from campaign.engine.files import Source, line_in_toml
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.options import chosen
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.game_data import (
    ALLIED,
    GERMAN,
    SIDES,
    AirRules,
    Box,
    Branch,
    Charts,
    Commandos,
    MovementCosts,
    Purchases,
    ResolverRules,
    Terrain,
    Ware,
    Weather,
    WeatherBand,
)
from campaign.rulesets.forum_campaign.model.options import Options
from campaign.rulesets.forum_campaign.scenario.files import (
    AirTable,
    CommandoTable,
    Head,
    MovementTable,
    PurchaseTable,
    SideName,
    Tables,
    WareLine,
    WeatherTable,
)
from campaign.rulesets.forum_campaign.scenario.tables import tables_in


def read_charts(files: Mapping[str, str], head: Head, places: Sequence[PlaceId], numbering: Numbering) -> Charts:
    """The charts of a scenario, for its days; refuses the first fault."""
    for file, tables in tables_in(files, head):
        _check_weather(file, head, tables.weather)
        _check_costs(file, tables.movement)
        _check_missions(file, tables.air)
        _check_wares(file, tables.purchases)
        _check_odds(file, tables.resolver)
        _check_options(file, tables.options)
    _check_days(file, head, tables.weather)
    charts = charts_of(tables, places, numbering)
    days = {date: bands for date, bands in charts.weather.items() if head.first_day <= date <= head.last_day}
    return replace(charts, weather=days)


def charts_of(tables: Tables, places: Iterable[PlaceId], numbering: Numbering) -> Charts:
    """The charts in these tables, for a map of these hexes."""
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
        commandos=_commandos(tables.commandos, places, numbering),
        purchases=Purchases(tables.purchases.points, tuple(_ware(line) for line in tables.purchases.ware)),
        resolver=tables.resolver,
        options=tables.options,
    )


def _air_rules(table: AirTable) -> AirRules:
    missions = {
        weather: {side: sides.get(side_name(side), ()) for side in SIDES} for weather, sides in table.missions.items()
    }
    return AirRules(table.die, table.interdiction_die, table.planes, missions)


def _commandos(table: CommandoTable, places: Iterable[PlaceId], numbering: Numbering) -> Commandos:
    rows = frozenset(place for place in places if numbering.row_of(place) in table.drop_rows)
    zone = frozenset(place for place in rows if numbering.number_of_column(place) >= table.drop_from_column)
    return Commandos(table.last_day, zone, rows)


def _ware(line: WareLine) -> Ware:
    return Ware(line.goods, line.points, line.amount, {GERMAN: line.german, ALLIED: line.allied})


def _check_weather(file: Source, head: Head, table: WeatherTable) -> None:
    """R2.2 A day has one table, and that has one row for every roll."""
    for number, day in enumerate(table.day):
        rolls = [roll for line in day.lines for roll in range(line.roll[0], line.roll[1] + 1)]
        if sorted(rolls) != list(range(1, table.die + 1)):
            file.refuse(
                f"the weather lines of {day.date} must cover each roll from 1 to {table.die} exactly once",
                line=line_in_toml(file.text, ["weather", "day", number]),
                cure="Correct the roll ranges of that day.",
            )
    for date, times in Counter(day.date for day in table.day).items():
        if times > 1 and head.first_day <= date <= head.last_day:
            file.refuse(f"{date} has {times} weather tables", cure=_ONE_TABLE)


def _check_days(file: Source, head: Head, table: WeatherTable) -> None:
    """R2.2 Every day of the campaign has a table."""
    present = {day.date for day in table.day}
    for offset in range((head.last_day - head.first_day).days + 1):
        date = head.first_day + datetime.timedelta(days=offset)
        if date not in present:
            file.refuse(f"{date} has no weather tables", cure=_ONE_TABLE)


_ONE_TABLE = "Give each day one [[weather.day]]."


def _check_costs(file: Source, table: MovementTable) -> None:
    """Open ground can be entered in any weather."""
    for terrain in Terrain:
        if terrain not in table.terrain:
            file.refuse(f"movement.terrain has no line for {terrain.value}", cure="Add its line of costs.")
    open_ground = {**{f"terrain.{t.value}": line for t, line in table.terrain.items()}, "town": table.town}
    for name, line in open_ground.items():
        costs = [line.in_weather(weather) for weather in Weather]
        where = line_in_toml(file.text, ["movement", *name.split(".")])
        if None in costs:
            file.refuse(f"movement.{name} needs a cost for every weather", line=where, cure="Add the missing weather.")


def _check_missions(file: Source, table: AirTable) -> None:
    """R3.4 Every weather lists the missions allowed; interdiction and air drop are Allied (R3.3)."""
    for weather in Weather:
        if weather not in table.missions:
            file.refuse(f"air.missions has no line for {weather.value}", cure="Add its line of missions.")
        if {Box.INTERDICTION, Box.DROP} & set(table.missions[weather].get("german", ())):
            where = line_in_toml(file.text, ["air", "missions", weather.value])
            file.refuse(
                f"{weather.value}: the Germans fly no interdiction and no air drops", line=where, cure="Delete them."
            )


def _check_wares(file: Source, table: PurchaseTable) -> None:
    """R14.2 Each purchase is offered once."""
    offered = Counter(line.goods for line in table.ware)
    for goods, times in offered.items():
        if times > 1:
            where = line_in_toml(file.text, ["purchases", "ware"])
            file.refuse(f"{goods.value} is offered {times} times", line=where, cure="Keep one of its lines.")


def _check_odds(file: Source, table: ResolverRules) -> None:
    """R12.11 The resolver has a row for all odds, a worth for every arm, and names no other sides."""
    at = [line.at for line in table.odds]
    where = line_in_toml(file.text, ["resolver", "odds"])
    if at[:1] != [0] or at != sorted(set(at)):
        file.refuse(
            "the odds of the resolver must begin at 0 and rise", line=where, cure="Sort its lines by `at`, from 0."
        )
    for arm in (Branch.INFANTRY, Branch.AIRBORNE, Branch.MECHANIZED, Branch.ARMOR):
        if arm not in table.arms:
            where = line_in_toml(file.text, ["resolver", "arms"])
            file.refuse(
                f"resolver.arms has no line for {arm.value}",
                line=where,
                cure="Add what a unit of this arm at full strength is worth.",
            )
    for side in sorted(set(table.sides) - set(SIDES)):
        where = line_in_toml(file.text, ["resolver", "sides"])
        file.refuse(f"resolver.sides: there is no side {side!r}", line=where, cure="Write german or allied.")


def _check_options(file: Source, answers: Mapping[str, str]) -> None:
    """2.10 Each answer is one that the option offers."""
    for name, answer in answers.items():
        try:
            chosen(Options, {name: answer})
        except ValueError as error:
            where = line_in_toml(file.text, ["options", name])
            file.refuse(f"options: {error}", line=where, cure="Correct it, or delete the line.")


def side_name(side: SideId) -> SideName:
    return "german" if side == GERMAN else "allied"
