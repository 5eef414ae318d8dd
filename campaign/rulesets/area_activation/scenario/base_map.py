"""The base map of a scenario, the same for everyone, and the tables of the rules."""

from collections.abc import Iterator

from campaign.engine.display.views import BaseMap, Border, Ground, Line, Panel
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.moments import day_moment
from campaign.rulesets.area_activation.model.game_data import (
    ALLIED,
    GERMAN,
    SIDE_NAMES,
    SIDES,
    Bank,
    Card,
    GameData,
    Outline,
    Space,
    Town,
)
from campaign.rulesets.area_activation.model.signs import GREAT_RIVER, RIVER, ROAD, SIGNS
from campaign.rulesets.area_activation.scenario.outlines import lines_round, outline_of

_IMPORTANCE = {Town.NONE: 1, Town.TOWN: 2, Town.CITY: 3}


def base_map(game_data: GameData) -> BaseMap:
    """Spaces with their terrain, points and defence values, roads and rivers."""
    first, last = game_data.first_day, game_data.last_day
    return BaseMap(
        title=game_data.title,
        credit=game_data.credit,
        scale="",
        grounds=tuple(_ground(game_data, space) for space in game_data.spaces.values()),
        lines=tuple(_roads(game_data)),
        borders=tuple(_rivers(game_data)),
        sides=SIDES,
        subtitle=f"{first.day} to {day_moment(last).label}",
        turns=tuple(day_moment(date).label for date in game_data.days),
        signs=SIGNS,
    )


def _ground(game_data: GameData, space: Space) -> Ground:
    return Ground(
        id=space.id,
        at=space.at,
        outline=outline_of(lines_round(_borders_of(game_data, space.id), game_data.shore)),
        terrain=space.terrain.value,
        name=space.name,
        importance=_IMPORTANCE[space.town],
        victory_points=space.points,
        note=defence(space),
    )


def _borders_of(game_data: GameData, place: PlaceId) -> Iterator[Outline]:
    return (crossing.line for (a, _), crossing in game_data.borders.items() if a == place)


def defence(space: Space) -> str:
    """R30 What a space takes off for a defender who controls it, and for one who does not: 2/1; empty: nothing."""
    if not space.shelter and not space.shelter_taken:
        return ""
    return str(space.shelter) if space.shelter == space.shelter_taken else f"{space.shelter}/{space.shelter_taken}"


def _roads(game_data: GameData) -> Iterator[Line]:
    for (a, b), crossing in game_data.borders.items():
        if crossing.road and a < b:
            yield Line(a, b, ROAD.key, bridge=bool(crossing.river))


def _rivers(game_data: GameData) -> Iterator[Border]:
    for (a, b), crossing in game_data.borders.items():
        if crossing.river and a < b:
            yield Border(a, b, (GREAT_RIVER if crossing.great else RIVER).key, (crossing.river,))


# --- the tables of the rules -----------------------------------------------------------------------------------------


def charts(game_data: GameData) -> tuple[Panel, ...]:
    """R2, R6, R30, R38 Spaces, units and calendar."""
    return (_spaces(game_data), *(_units(game_data, side) for side in SIDES), _calendar(game_data))


def _spaces(game_data: GameData) -> Panel:
    rows = tuple(
        (
            space.name,
            space.terrain.value + (f", {space.town.value}" if space.town.value else ""),
            defence(space) or "-",
            str(space.points or "-"),
            SIDE_NAMES[space.control],
            ", ".join(_marks(space)) or "-",
        )
        for space in game_data.spaces.values()
    )
    return Panel("spaces", "Spaces", ("Space", "Land", "Defence", "Points", "At the start", "Also"), rows)


def _marks(space: Space) -> Iterator[str]:
    if space.edge.side:
        yield f"{SIDE_NAMES[space.edge.side]} supply, edge {space.edge.value}"
    if space.entries:
        yield f"arrival {' '.join(sorted(space.entries))}"
    if space.is_exit:
        yield "exit"
    if space.bank.value:
        yield "beyond the Meuse" if space.bank is Bank.FAR else "at the Meuse"
    if space.artillery:
        yield "artillery"


def _units(game_data: GameData, side: SideId) -> Panel:
    rows = tuple(_row(game_data, card) for card in game_data.cards.values() if card.side == side)
    head = ("Unit", "Kind", "Strength", "Hits", "Dice", "Comes", "Points if lost")
    return Panel(f"units-{side}", f"{SIDE_NAMES[side]} units", head, rows)


def _row(game_data: GameData, card: Card) -> tuple[str, ...]:
    hits = str(card.attack) if card.attack == card.defence else f"{card.attack}, in defence {card.defence}"
    comes = "reserve"
    if card.start is not None:
        comes = game_data.spaces[card.start].name
    elif card.due is not None:
        comes = f"{card.due.day} December at {card.entry}"
    kind = f"elite {card.kind.value}" if card.elite else card.kind.value
    return (card.name, kind, str(card.strength), hits, str(card.strength + card.bonus), comes, str(card.worth or "-"))


def _calendar(game_data: GameData) -> Panel:
    rows = tuple(
        (
            day_moment(day.date).label,
            SIDE_NAMES[day.initiative],
            *(f"{day.replacements[side].armor} and {day.replacements[side].infantry}" for side in (GERMAN, ALLIED)),
            ", ".join(SIDE_NAMES[side] for side in SIDES if side in day.supply) or "-",
            "yes" if day.german_strategic else "-",
            "yes" if day.allied_air else "-",
            f"{day.marked}, {day.refuelled} freed" if day.marked else "-",
            f"{day.german_win} or more" if day.german_win is not None else "-",
            f"{day.allied_win} or fewer" if day.allied_win is not None else "-",
        )
        for day in game_data.days.values()
    )
    head = (
        "Day",
        "Initiative",
        "German replacements",
        "Allied replacements",
        "Supply checked",
        "German strategic moves",
        "Allied air support",
        "Marked",
        "German win",
        "Allied win",
    )
    return Panel("calendar", "Calendar", head, rows)


def figure(game_data: GameData, side: SideId, name: str) -> str:
    """What a briefing may name: units at the start and later, and the points of the map. KeyError: nothing else."""
    own = [card for card in game_data.cards.values() if card.side == side]
    figures = {
        "units": sum(card.start is not None for card in own),
        "arrivals": sum(card.due is not None for card in own),
        "points": sum(space.points for space in game_data.spaces.values()),
        "days": len(game_data.days),
    }
    return str(figures[name])
