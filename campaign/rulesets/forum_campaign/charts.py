"""The charts of a theatre as players read them beside the rules; RULES.md names each by its key."""

from collections.abc import Iterable, Iterator

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.modifiers import total
from campaign.engine.views import Branch, Echelon, Panel
from campaign.rulesets.forum_campaign.movement import allowance, attack_allowance
from campaign.rulesets.forum_campaign.sentences import SIDE_NAMES
from campaign.rulesets.forum_campaign.state import Unit
from campaign.rulesets.forum_campaign.template import template_of
from campaign.rulesets.forum_campaign.theatre import SIDES, TerrainCost, Theatre, Weather

_NOTHING = "–"
_FAIR_TO_FOUL = (Weather.SUNNY, Weather.GLOOMY, Weather.SNOW, Weather.WET, Weather.STORM)


def charts(theatre: Theatre) -> tuple[Panel, ...]:
    """Every table that the rules speak of, in their order."""
    return (
        _calendar(theatre),
        _weather(theatre),
        _allowances(),
        _terrain(theatre),
        _closed(theatre),
        _supply(theatre),
        _depots(theatre),
        _fuel(theatre),
        _forces(),
        _entries(theatre),
        _sight(theatre),
        _victory(theatre),
    )


def _calendar(theatre: Theatre) -> Panel:
    """R1.1"""
    days = (theatre.last_day - theatre.first_day).days + 1
    rows = (
        ("First day", f"{theatre.first_day:%-d %B %Y}"),
        ("Last day", f"{theatre.last_day:%-d %B %Y}"),
        ("Turns", str(days)),
    )
    return Panel("calendar", "Calendar", (), rows)


def _weather(theatre: Theatre) -> Panel:
    """R2.3"""
    title = f"Weather by a d{theatre.charts.weather_die}: the rolls, and in brackets Allied and German air units"
    conditions = tuple(reversed(_FAIR_TO_FOUL))
    rows = []
    for date, bands in sorted(theatre.charts.weather.items()):
        cells = (
            [
                f"{_span(band.low, band.high)} ({band.allied:+d}/{band.german:+d})"
                for band in bands
                if band.weather is condition
            ]
            for condition in conditions
        )
        rows.append((f"{date:%-d %B}", *(", ".join(cell) or _NOTHING for cell in cells)))
    return Panel("weather", title, ("Day", *(condition.value for condition in conditions)), tuple(rows))


def _allowances() -> Panel:
    """R4.1-R4.3, with examples worked out by the rules themselves."""
    foot, tracks = _example(Branch.INFANTRY, 3), _example(Branch.ARMOR, 4)
    head = ("The unit", "Infantry", "with 3 printed", "Mechanized", "with 4 printed")
    lines = (
        ("attacks", "printed", "printed", attack_allowance),
        (
            "does not attack, in contact",
            "printed + 1",
            "2 × printed",
            lambda unit: total(allowance(unit, contact=True)),
        ),
        (
            "does not attack, no contact",
            "2 × printed",
            "3 × printed",
            lambda unit: total(allowance(unit, contact=False)),
        ),
    )
    rows = tuple((what, on_foot, str(f(foot)), on_tracks, str(f(tracks))) for what, on_foot, on_tracks, f in lines)
    return Panel("allowances", "Movement points", head, rows)


def _example(branch: Branch, printed: int, *, small: bool = False) -> Unit:
    return Unit(
        id=UnitId(""),
        label="",
        name="",
        branch=branch,
        echelon=Echelon.DIVISION,
        small=small,
        small_from_start=False,
        movement=printed,
    )


def _terrain(theatre: Theatre) -> Panel:
    """R5.2, R6.1, R6.2"""
    costs = theatre.charts.movement
    ground = (
        ("Main road", costs.primary_road),
        ("Secondary road", costs.secondary_road),
        *((terrain.value.capitalize(), line) for terrain, line in costs.terrain.items()),
        ("Town", costs.town),
    )
    extras = (
        ("River crossed", costs.river),
        ("Meuse crossed", costs.meuse),
        ("Entering an enemy zone of control", costs.enter_zoc),
        ("Leaving an enemy zone of control", costs.leave_zoc),
    )
    rows = (
        *((name, *_by_weather(line)) for name, line in ground),
        *((name, *[f"{points:+d}"] * len(_FAIR_TO_FOUL)) for name, points in extras),
    )
    head = ("Entering", *(weather.value for weather in _FAIR_TO_FOUL))
    return Panel("terrain", "Movement points to enter a hex", head, rows)


def _by_weather(line: TerrainCost) -> Iterator[str]:
    for weather in _FAIR_TO_FOUL:
        cost = line.in_weather(weather)
        yield _NOTHING if cost is None else str(cost)


def _closed(theatre: Theatre) -> Panel:
    """R6.5"""
    sides = sorted(f"{a}/{b}" for a, b in theatre.closed if a < b)
    return Panel("closed", "Closed hexsides", (), (("Between", ", ".join(sides) or _NOTHING),))


def _supply(theatre: Theatre) -> Panel:
    """R7.2"""
    rows = tuple((SIDE_NAMES[side], _listed(theatre.supply_edge[side])) for side in SIDES)
    return Panel("supply", "Supply edges", ("Side", "Hexes"), rows)


def _depots(theatre: Theatre) -> Panel:
    """R9.1"""
    depots = [hex_ for hex_ in theatre.hexes.values() if hex_.depot]
    rows = tuple((theatre.place_name(hex_.id), str(hex_.depot)) for hex_ in sorted(depots, key=lambda h: h.id))
    total_points = sum(hex_.depot for hex_ in depots)
    return Panel("depots", f"Depots, {total_points} points in all", ("Place", "Fuel points"), rows)


def _fuel(theatre: Theatre) -> Panel:
    """R10"""
    fuel = theatre.charts.fuel
    rows = (
        ("Reserve at the start", f"{fuel.start} points"),
        ("Income each morning", f"{fuel.income} points"),
        ("A point moves", f"{fuel.infantry_per_point} infantry or {fuel.mechanized_per_point} mechanized units"),
    )
    return Panel("fuel", "German fuel", (), rows)


def _forces() -> Panel:
    """R15.4"""
    arms = (Branch.INFANTRY, Branch.AIRBORNE, Branch.MECHANIZED, Branch.ARMOR)
    rows = (
        *((arm.value.capitalize(), template_of(_example(arm, 3))) for arm in arms),
        ("Fallen to task force size", template_of(_example(Branch.INFANTRY, 3, small=True))),
    )
    return Panel("forces", "Orders of battle in the tactical game", ("Arm", "Brings"), rows)


def _entries(theatre: Theatre) -> Panel:
    """R14"""
    rows = tuple((entry.name, entry.hex, entry.edge, SIDE_NAMES[entry.side]) for entry in theatre.entries)
    return Panel("entries", "Entries of reinforcements", ("Road", "Hex", "Edge", "Side"), rows)


def _sight(theatre: Theatre) -> Panel:
    """R15.2"""
    sight = theatre.charts.sight
    bands = (
        (1, sight.identity, "its name, and with it its arm and size"),
        (sight.identity + 1, sight.type, "its type"),
    )
    rows = [(f"{_span(low, high)} hexes away", what) for low, high, what in bands if low <= high]
    furthest = max(sight.identity, sight.type)
    return Panel("sight", "What is made out of an enemy", (), (*rows, (f"more than {furthest}", "nothing")))


def _victory(theatre: Theatre) -> Panel:
    """R15.5"""
    objectives = sorted(
        (hex_ for hex_ in theatre.hexes.values() if hex_.victory_points),
        key=lambda h: (-h.victory_points, h.town, h.id),
    )
    rows = tuple(
        (theatre.place_name(hex_.id), str(hex_.victory_points), SIDE_NAMES[hex_.control]) for hex_ in objectives
    )
    points = sum(hex_.victory_points for hex_ in objectives)
    return Panel("victory", f"Objectives, {points} points in all", ("Place", "Points", "Held at the start by"), rows)


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _listed(places: Iterable[PlaceId]) -> str:
    """Hexes row by row, those side by side as a span: A1–A19, B1."""
    runs: list[list[PlaceId]] = []
    for place in sorted(places, key=_row_and_column):
        row, column = _row_and_column(place)
        if runs and _row_and_column(runs[-1][-1]) == (row, column - 1):
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs) or _NOTHING


def _row_and_column(place: PlaceId) -> tuple[str, int]:
    return place[0], int(place[1:])
