"""What players look up every day, as far as their audience knows it: the tables of the quick-reference chart."""

from collections.abc import Iterator

from campaign.engine.display.views import Panel
from campaign.engine.values.ids import PhaseKey, SideId
from campaign.rulesets.forum_campaign.air.checking import boxes_of
from campaign.rulesets.forum_campaign.day.victory import victory_points
from campaign.rulesets.forum_campaign.model.game_data import SIDES, Box, GameData, Weather
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Own, State
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, PEOPLES, SIDE_NAMES, counted

_NOTHING = "–"
_DEPOTS = {
    DepotStatus.INTACT: "intact",
    DepotStatus.CAPTURED: "captured",
    DepotStatus.DESTROYED: "destroyed",
}


def day_chart(game_data: GameData, known: State) -> tuple[Panel, ...]:
    """The tables in the order of the rules, each with its rule."""
    return tuple(_tables(game_data, known))


def _tables(game_data: GameData, known: State) -> Iterator[Panel]:
    yield _calendar(game_data, known)
    weather = known.open.weather
    if weather is not None:
        yield _weather(known)
        yield _ground(game_data, weather.condition)
    if weather is not None and known.open.air:
        yield _air(game_data, known, weather.condition)
    for side, own in known.own.items():
        if own.support:
            yield _support(game_data, side, own)
    yield _fuel(game_data, known)
    yield _depots(game_data, known)
    yield _victory(game_data, known)
    yield _objectives(game_data, known)


def _calendar(game_data: GameData, known: State) -> Panel:
    """R1.1"""
    turns = (game_data.last_day - game_data.first_day).days + 1
    rows = (("Turn", f"{known.open.turn} of {turns}"), ("Last day", f"{game_data.last_day:%-d %B %Y}"))
    return Panel("calendar", "Calendar [R1.1]", (), rows)


def _weather(known: State) -> Panel:
    """R2.3, and 2.10 where a campaign knows tomorrow's."""
    today, tomorrow = known.open.weather, known.open.forecast
    assert today is not None, "the weather is rolled before"
    rows = [("Today", today.condition.value)]
    if tomorrow is not None:
        rows.append(("Tomorrow", tomorrow.condition.value))
    rows += [("German air roll", f"{today.german_air:+d}"), ("Allied air roll", f"{today.allied_air:+d}")]
    return Panel("weather", "Weather [R2.3]", (), tuple(rows))


def _ground(game_data: GameData, weather: Weather) -> Panel:
    """R6.1 What the day's weather makes roads and ground cost."""
    costs = game_data.charts.movement
    lines = (
        ("Main road", costs.primary_road),
        ("Secondary road", costs.secondary_road),
        *((terrain.value.capitalize(), line) for terrain, line in costs.terrain.items()),
        ("Town", costs.town),
    )
    rows = ((name, str(line.in_weather(weather) or _NOTHING)) for name, line in lines)
    return Panel("ground", f"Entering a hex, {weather.value} [R6.1]", ("", "MP"), tuple(rows))


_BEFORE_THE_BOXES = PhaseKey("air")


def _air(game_data: GameData, known: State, weather: Weather) -> Panel:
    """R3.4, R3.5 Both sides' boxes: what may be flown until they are opened, then what is left in them."""
    days = known.open.air
    rows = [("Available", *(str(days[side].available) if side in days else _NOTHING for side in SIDES))]
    rows += [
        (BOX_NAMES[box].capitalize(), *(_box(game_data, known, weather, side, box) for side in SIDES)) for box in Box
    ]
    if known.open.air_winner is not None:
        rows.append(("Superiority won", *("yes" if side == known.open.air_winner else _NOTHING for side in SIDES)))
    return Panel("air", "Air units [R3.5]", ("Box", *(SIDE_NAMES[side] for side in SIDES)), tuple(rows))


def _box(game_data: GameData, known: State, weather: Weather, side: SideId, box: Box) -> str:
    if box not in boxes_of(game_data, side):
        return _NOTHING
    if box not in game_data.charts.air.missions[weather][side]:
        return "grounded"
    if known.open.phase == _BEFORE_THE_BOXES:
        return "allowed"
    return str(known.open.air[side].boxes.get(box, 0)) if side in known.open.air else _NOTHING


def _support(game_data: GameData, side: SideId, own: Own) -> Panel:
    """R3.10, R15.3 What supports a side in the battles that wait, which is its own secret until they are fought."""
    rows = (
        (game_data.place_name(place), str(support.air_units), "heavy" if support.artillery else _NOTHING)
        for place, support in sorted(own.support.items())
    )
    title = f"{SIDE_NAMES[side]} support in battle [R3.10]"
    return Panel(f"support-{side}", title, ("Battle", "Air", "Artillery"), tuple(rows))


def _fuel(game_data: GameData, known: State) -> Panel:
    """R10.1, R10.2, R10.4"""
    chart = game_data.charts.fuel
    rows = (
        ("Reserve", counted(known.open.fuel, "point")),
        ("Each morning", f"+{counted(chart.income, 'point')}"),
        ("1 point moves", f"{chart.infantry_per_point} infantry units"),
        ("or", f"{chart.mechanized_per_point} mechanized units"),
    )
    return Panel("fuel", "German fuel [R10.1]", (), rows)


def _depots(game_data: GameData, known: State) -> Panel:
    """R9.1 What each is worth, and what has become of it."""
    rows = (
        (game_data.place_name(place), str(game_data.hexes[place].depot), _DEPOTS[status])
        for place, status in sorted(known.open.depots.items())
    )
    return Panel("depots", "Depots [R9.1]", ("Place", "Fuel", "Now"), tuple(rows))


def _victory(game_data: GameData, known: State) -> Panel:
    """R15.5"""
    points = victory_points(game_data, known.open.control)
    return Panel("vp", "Victory points [R15.5]", (), tuple((SIDE_NAMES[side], str(points[side])) for side in SIDES))


def _objectives(game_data: GameData, known: State) -> Panel:
    """R15.5 Who holds what, the dearest first."""
    held = sorted(
        known.open.control.items(),
        key=lambda pair: (-game_data.hexes[pair[0]].victory_points, game_data.place_name(pair[0])),
    )
    rows = (
        (game_data.place_name(place), str(game_data.hexes[place].victory_points), PEOPLES[holder])
        for place, holder in held
    )
    return Panel("objectives", "Objectives [R15.5]", ("Place", "VP", "Held by"), tuple(rows))
