"""What a position says that the scenario's start does not, and what it leaves to that start, as tables for its GM."""

from collections.abc import Iterator, Set

from campaign.engine.display.views import Panel
from campaign.engine.values.ids import SideId, UnitId
from campaign.rulesets.forum_campaign.air.paratroops import has_missed_its_day, is_paratroop
from campaign.rulesets.forum_campaign.gm.position.table import About, Column
from campaign.rulesets.forum_campaign.gm.position.units import is_past
from campaign.rulesets.forum_campaign.gm.position.writing import Cells, cells_of, other_lines
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData
from campaign.rulesets.forum_campaign.model.state import State, Unit
from campaign.rulesets.forum_campaign.model.words import SIDE_NAMES

Named = Set[tuple[SideId, UnitId]]


def tables(game_data: GameData, start: State, state: State, named: Named) -> tuple[Panel, ...]:
    """What differs, and which units are not named. `start`: the scenario's, on the day of the position."""
    differing = tuple(_differing(start, state))
    others = tuple(_others(game_data, start, state))
    quiet = tuple(_not_named(game_data, start, named))
    return tuple(
        panel
        for panel in (
            Panel("position-places", "Fuel, weather and places", ("What", "Scenario’s start", "Position"), others),
            Panel(
                "position-units", "Units that differ from the scenario’s start", ("Side", "Unit", "Change"), differing
            ),
            Panel("position-unnamed", "Units that are not named", ("Side", "Unit", "What happens"), quiet),
        )
        if panel.rows
    )


def _differing(start: State, state: State) -> Iterator[tuple[str, ...]]:
    before, after = cells_of(start, start), cells_of(start, state)
    for (side, unit), cells in after.items():
        if changes := _changes(before.get((side, unit)), cells):
            own = state.own[side]
            yield SIDE_NAMES[side], (own.units.get(unit) or own.lost[unit]).label, changes


def _changes(before: Cells | None, after: Cells) -> str:
    """Hex P18 → Q19, strength 100 → 85; of a new unit, all that its line says."""
    if before is None:
        said = [f"{column} {text}" for column, text in after.items() if column not in (Column.SIDE, Column.UNIT)]
        return f"not in the scenario: {', '.join(said)}"
    return ", ".join(
        f"{column} {before.get(column, '') or '(empty)'} → {after.get(column, '') or '(empty)'}"
        for column in Column
        if before.get(column, "") != after.get(column, "")
    )


def _others(game_data: GameData, start: State, state: State) -> Iterator[tuple[str, ...]]:
    yield "Fuel", str(start.open.fuel), str(state.open.fuel)
    weather = state.open.forecast
    yield "Weather", "rolled in the morning", weather.condition.value if weather else "rolled in the morning"
    for place, holder in sorted(state.open.control.items()):
        if holder != (was := start.open.control[place]):
            yield f"Who holds {game_data.place_name(place)}", SIDE_NAMES[was], SIDE_NAMES[holder]
    for place, status in sorted(state.open.depots.items()):
        if status is not (before := start.open.depots[place]):
            yield f"Depot of {game_data.place_name(place)}", before.value, status.value
    for about, *cells in other_lines(game_data, start, state):
        if about in (About.HELD, About.LEDGER):
            yield f"{about.capitalize()}: {cells[0]}", "", ", ".join(filter(None, cells[1:]))


def _not_named(game_data: GameData, start: State, named: Named) -> Iterator[tuple[str, ...]]:
    for side in SIDES:
        for unit in start.own[side].units.values():
            if (side, unit.id) not in named:
                yield SIDE_NAMES[side], unit.label, _stays(game_data, start, unit)


def _stays(game_data: GameData, start: State, unit: Unit) -> str:
    """What happens to a unit that is not named."""
    if is_past(game_data, unit, start.open.date):
        return f"is removed, as no commando is left after {game_data.charts.commandos.last_day:%-d %B} (R11.6)"
    if unit.at is not None:
        return f"stays in {unit.at}, with all its strength"
    if has_missed_its_day(unit, start.open.date):
        return f"has not jumped on {unit.arrives:%-d %B}, and can no longer jump"
    verb = "jumps" if is_paratroop(unit) else "arrives"
    if unit.arrives is not None and unit.arrives < start.open.date:
        return f"has not arrived yet; it could since {unit.arrives:%-d %B}"
    return f"{verb} on {unit.arrives:%-d %B}, as in the scenario"
