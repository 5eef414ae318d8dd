"""The charts of a scenario as players read them on the rules page; RULES.md names each by its key."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from campaign.engine.display.views import Panel
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.modifiers import total
from campaign.rulesets.forum_campaign.air.checking import boxes_of
from campaign.rulesets.forum_campaign.air.missions import PER_AIR_UNIT, interdicts
from campaign.rulesets.forum_campaign.air.paratroops import LANDING_DIE, LANDINGS
from campaign.rulesets.forum_campaign.battle.template import COMPANY_MEN, STEPS, template_of
from campaign.rulesets.forum_campaign.day.digging import FORTS, LEVELS, WORKS
from campaign.rulesets.forum_campaign.disclosure.setup_sheet import HOUR, MINUTES, SKIES
from campaign.rulesets.forum_campaign.model.facts.air import Landing
from campaign.rulesets.forum_campaign.model.game_data import SIDES, Branch, Echelon, GameData, TerrainCost, Weather
from campaign.rulesets.forum_campaign.model.state import Unit, tanks_at_start
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, PEOPLES, SIDE_NAMES, counted, received
from campaign.rulesets.forum_campaign.movement.walking import allowance, attack_allowance

_NOTHING = "–"
_FAIR_TO_FOUL = (Weather.SUNNY, Weather.GLOOMY, Weather.SNOW, Weather.WET, Weather.STORM)


def charts(game_data: GameData) -> tuple[Panel, ...]:
    """Every table that the rules show, in their order."""
    return (
        _calendar(game_data),
        _weather(game_data),
        _missions(game_data),
        _air(game_data),
        _interdiction(game_data),
        _allowances(),
        _terrain(game_data),
        _closed(game_data),
        _supply(game_data),
        _depots(game_data),
        _fuel(game_data),
        _landings(game_data),
        _works(),
        _forces(),
        _setting_up(),
        _entries(game_data),
        _purchases(game_data),
        _worth(game_data),
        _ground(game_data),
        _odds(game_data),
        _sight(game_data),
        _victory(game_data),
    )


def _calendar(game_data: GameData) -> Panel:
    """R1.1"""
    days = (game_data.last_day - game_data.first_day).days + 1
    rows = (
        ("First day", f"{game_data.first_day:%-d %B %Y}"),
        ("Last day", f"{game_data.last_day:%-d %B %Y}"),
        ("Turns", str(days)),
        ("Air units", "from the first day" if game_data.air_on_first_day else "from the second day"),
    )
    return Panel("calendar", "Calendar", (), rows)


def _weather(game_data: GameData) -> Panel:
    """R2.3"""
    die = game_data.charts.weather_die
    title = f"Weather: rolls of a d{die}, with the Allied/German modifiers of air units in brackets"
    conditions = tuple(reversed(_FAIR_TO_FOUL))
    rows = []
    for date, bands in sorted(game_data.charts.weather.items()):
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


def _missions(game_data: GameData) -> Panel:
    """R3.3, R3.4"""
    missions = game_data.charts.air.missions
    rows = tuple(
        (SIDE_NAMES[side], BOX_NAMES[box], *("yes" if box in missions[w][side] else _NOTHING for w in _FAIR_TO_FOUL))
        for side in SIDES
        for box in boxes_of(game_data, side)
    )
    return Panel("missions", "Air missions allowed", ("Side", "Box", *(w.value for w in _FAIR_TO_FOUL)), rows)


def _air(game_data: GameData) -> Panel:
    """R3.1, R3.9, R3.10"""
    air = game_data.charts.air
    rows = (
        ("Air units of each side", f"d{air.die} + modifier of the weather, at least 0"),
        ("Interdiction, Allied roll", f"d{air.interdiction_die} + {PER_AIR_UNIT} per air unit"),
        (
            "Interdiction, German roll",
            f"d{air.interdiction_die}; interdiction succeeds if the Allied total is at least twice this",
        ),
        ("Close air support", f"{air.planes} planes in the battle per air unit"),
    )
    return Panel("air", "Air dice", (), rows)


def _interdiction(game_data: GameData) -> Panel:
    """R3.9, with the chances worked out by the rule itself."""
    rolls = list(product(range(1, game_data.charts.air.interdiction_die + 1), repeat=2))
    rows = []
    for units in range(1, 6):
        good = sum(interdicts(allied, german, air_units=units) for allied, german in rolls)
        rows.append((str(units), f"{round(100 * good / len(rolls))} %"))
    return Panel("interdiction", "Chances of a successful interdiction", ("Air units", "Chance"), tuple(rows))


def _landings(game_data: GameData) -> Panel:
    """R11.8"""
    said = {
        Landing.NORMAL: "in good order: an infantry unit that may move and attack at once",
        Landing.SCATTERED: "scattered: it never moves, attacks or digs",
        Landing.ELIMINATED: "lost in the jump",
    }
    rolls = ((_span(rolls[0], rolls[-1]), said[landing]) for landing, rolls in LANDINGS.items())
    commandos = game_data.charts.commandos
    zones = [("Drop zone", _listed(game_data, commandos.drop_zone) or _NOTHING)]
    if commandos.whole_drop_zone != commandos.drop_zone:
        zones.append(("Drop zone with all rows", _listed(game_data, commandos.whole_drop_zone)))
    return Panel("landings", f"Landing of paratroops: roll of a d{LANDING_DIE}", (), (*rolls, *zones))


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
    tanks, heavy_tanks = tanks_at_start(branch)
    return Unit(
        id=UnitId(""),
        label="",
        name="",
        branch=branch,
        echelon=Echelon.DIVISION,
        small=small,
        small_from_start=False,
        movement=printed,
        tanks=tanks,
        heavy_tanks=heavy_tanks,
    )


def _terrain(game_data: GameData) -> Panel:
    """R5.2, R6.1, R6.2"""
    costs = game_data.charts.movement
    ground = (
        ("Main road", costs.primary_road),
        ("Secondary road", costs.secondary_road),
        *((terrain.value.capitalize(), line) for terrain, line in costs.terrain.items()),
        ("Town", costs.town),
    )
    extras = (
        ("Crossing a river", costs.river),
        ("Crossing the Meuse", costs.meuse),
        ("Entering an enemy zone of control, where that costs extra (R5.2)", costs.enter_zoc),
        ("Leaving an enemy zone of control, where that costs extra (R5.2)", costs.leave_zoc),
        ("Allied unit entering a commando's hex", costs.commando),
    )
    rows = (
        *((name, *_by_weather(line)) for name, line in ground),
        *((name, *[f"{points:+d}"] * len(_FAIR_TO_FOUL)) for name, points in extras),
    )
    head = ("Hex", *(weather.value for weather in _FAIR_TO_FOUL))
    return Panel("terrain", "Movement points to enter a hex", head, rows)


def _by_weather(line: TerrainCost) -> Iterator[str]:
    for weather in _FAIR_TO_FOUL:
        cost = line.in_weather(weather)
        yield _NOTHING if cost is None else str(cost)


def _closed(game_data: GameData) -> Panel:
    """R6.5"""
    sides = sorted(f"{a}/{b}" for a, b in game_data.closed if a < b)
    return Panel("closed", "Closed hexsides", (), (("Between", ", ".join(sides) or _NOTHING),))


def _supply(game_data: GameData) -> Panel:
    """R7.2"""
    rows = tuple((SIDE_NAMES[side], _listed(game_data, game_data.supply_edge[side])) for side in SIDES)
    return Panel("supply", "Supply edges", ("Side", "Hexes"), rows)


def _depots(game_data: GameData) -> Panel:
    """R9.1"""
    depots = [hex_ for hex_ in game_data.hexes.values() if hex_.depot]
    rows = tuple((str(fuel), places) for fuel, places in _by_amount(game_data, {h.id: h.depot for h in depots}))
    total_points = sum(hex_.depot for hex_ in depots)
    title = f"Depots: {counted(total_points, 'fuel point')} in all"
    return Panel("depots", title, ("Fuel points each", "Places"), rows)


def _fuel(game_data: GameData) -> Panel:
    """R10"""
    fuel = game_data.charts.fuel
    rows = (
        ("Reserve at the start", counted(fuel.start, "point")),
        ("Income every morning", counted(fuel.income, "point")),
        ("1 point moves", f"{fuel.infantry_per_point} infantry or {fuel.mechanized_per_point} mechanized units"),
        *((("A mechanized unit's advance or pursuit", "counts as a move"),) if fuel.advance_counts else ()),
    )
    return Panel("fuel", "German fuel", (), rows)


def _forces() -> Panel:
    """R15.4"""
    arms = (Branch.INFANTRY, Branch.AIRBORNE, Branch.MECHANIZED, Branch.ARMOR)
    rows = (
        *((arm.value.capitalize(), template_of(_example(arm, 3))) for arm in arms),
        ("Small after losses", template_of(_example(Branch.INFANTRY, 3, small=True))),
    )
    return Panel("forces", "What a unit brings to the tactical game", ("Arm", "Forces"), rows)


def _setting_up() -> Panel:
    """R15.4, R12.1 Rulings 74 and 76"""
    steps = ", ".join(f"{step} %" for step in reversed(STEPS))
    rows = (
        ("Company of full establishment", f"{COMPANY_MEN} men"),
        ("Headcount settings", steps),
        *((weather.value, f"sky {SKIES[weather][0]}, ground {SKIES[weather][1]}") for weather in _FAIR_TO_FOUL),
        ("Beginning", HOUR),
        ("Length", f"{MINUTES} minutes"),
    )
    return Panel("setting-up", "Settings in the tactical game", (), rows)


def _purchases(game_data: GameData) -> Panel:
    """R14.2"""
    chart = game_data.charts.purchases
    rows = tuple(
        (ware.goods.value, str(ware.points), *(received(ware, side, ware.amount) for side in SIDES))
        for ware in chart.wares
    )
    head = ("Write", "Points", *(f"{SIDE_NAMES[side]} unit receives" for side in SIDES))
    return Panel("purchases", f"Purchases: {counted(chart.points, 'point')} a day for each side", head, rows)


def _worth(game_data: GameData) -> Panel:
    """R12.11 What makes up a side's strength."""
    rules = game_data.charts.resolver
    arms = ((f"{arm.value.capitalize()} at 100 %", str(worth)) for arm, worth in rules.arms.items())
    rows = (
        *arms,
        ("Establishment smaller or larger than a full formation's", "that percentage of the above"),
        ("Unit that is small from the start", f"{rules.small} % of its worth, with its tanks"),
        ("Medium tank", str(rules.medium_tank)),
        ("Heavy tank", str(rules.heavy_tank)),
        *((f"{SIDE_NAMES[side]} unit", f"{percent} % of all that") for side, percent in rules.sides.items()),
        ("Bought gun, in defence", str(rules.gun)),
        ("Bought heavy gun, in defence", str(rules.heavy_gun)),
        ("Air unit in close support", str(rules.air_unit)),
        ("Heavy artillery", str(rules.artillery)),
        ("Tanks lost", f"{rules.tank_losses} % of the headcount lost, in percent"),
    )
    return Panel("resolver-worth", "Strengths in battles decided by the resolver", ("What", "Worth"), rows)


def _ground(game_data: GameData) -> Panel:
    """R12.11 What helps or hinders a side, in percent of the worth of its units."""
    rules = game_data.charts.resolver
    defence = (*((f"{ground.value.capitalize()}", percent) for ground, percent in rules.terrain.items()),)
    works = (
        ("Town", rules.town),
        ("Dug-in", rules.dug_in),
        ("Entrenched", rules.entrenched),
        ("Fortified, for Germans", rules.fortified),
    )
    rows = (
        ("Each further hex from which they attack", "attackers", f"{rules.direction:+d} %"),
        ("All of them attack across a river", "attackers", f"{-rules.river:+d} %"),
        *((weather.value, "attackers", f"{percent:+d} %") for weather, percent in rules.weather.items()),
        *((what, "defenders", f"{percent:+d} %") for what, percent in (*defence, *works)),
    )
    return Panel(
        "resolver-ground",
        "Terrain, fortifications and weather in battles decided by the resolver",
        ("What", "Affects", "Percent"),
        rows,
    )


def _odds(game_data: GameData) -> Panel:
    """R12.11"""
    rules = game_data.charts.resolver
    rows = tuple(
        (
            f"{line.at} %",
            f"{line.chance} %",
            *(f"{toll.attackers} / {toll.defenders}" for toll in (line.won, line.held)),
        )
        for line in rules.odds
    )
    head = ("Odds of at least", "Attackers win", "Losses if attackers win", "Losses if defenders hold")
    losses = f"losses in percent, attackers / defenders, each plus a d{rules.loss_die}"
    title = f"Odds in battles decided by the resolver; {losses}"
    return Panel("resolver-odds", title, head, rows)


def _entries(game_data: GameData) -> Panel:
    """R14"""
    rows = tuple((entry.name, entry.hex, entry.edge, SIDE_NAMES[entry.side]) for entry in game_data.entries)
    return Panel("entries", "Entry hexes of reinforcements", ("Road", "Hex", "Edge", "Side"), rows)


def _works() -> Panel:
    """R13.2-R13.4"""
    rows = (*((LEVELS[level], WORKS[level]) for level in sorted(LEVELS)), ("Fortified", FORTS))
    return Panel("works", "Prepared positions in the tactical game", ("Position", "The defenders receive"), rows)


def _sight(game_data: GameData) -> Panel:
    """R15.2"""
    sight = game_data.charts.sight
    bands = (
        (1, sight.identity, "its name, arm and size"),
        (sight.identity + 1, sight.type, "its type"),
    )
    rows = [
        (f"{_span(low, high)} {'hex' if high == 1 else 'hexes'} away", what) for low, high, what in bands if low <= high
    ]
    furthest = max(sight.identity, sight.type)
    return Panel("sight", "What you see of an enemy", (), (*rows, (f"more than {furthest}", "nothing")))


def _victory(game_data: GameData) -> Panel:
    """R15.5"""
    objectives = [hex_ for hex_ in game_data.hexes.values() if hex_.victory_points]
    rows = [
        (points, PEOPLES[side], places)
        for side in SIDES
        for points, places in _by_amount(game_data, {h.id: h.victory_points for h in objectives if h.control == side})
    ]
    points = sum(hex_.victory_points for hex_ in objectives)
    return Panel(
        "victory",
        f"Objectives: {counted(points, 'victory point')} in all",
        ("Points each", "Held at the start by", "Places"),
        tuple((str(each), holder, places) for each, holder, places in sorted(rows, key=lambda row: -row[0])),
    )


def _by_amount(game_data: GameData, amounts: Mapping[PlaceId, int]) -> Iterator[tuple[int, str]]:
    """Places that have the same amount of something, the most first: 6, St. Vith (P18), Houffalize (M13)."""
    for amount in sorted(set(amounts.values()), reverse=True):
        alike = sorted(game_data.place_name(place) for place, has in amounts.items() if has == amount)
        yield amount, ", ".join(alike)


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _listed(game_data: GameData, places: Iterable[PlaceId]) -> str:
    """Hexes row by row, neighbours as a span: A1–A19, B1."""
    runs: list[list[PlaceId]] = []
    at = game_data.grid.coordinates
    for place in sorted(places, key=lambda place: at[place][::-1]):
        q, r = at[place]
        if runs and at[runs[-1][-1]] == (q - 1, r):
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs) or _NOTHING
