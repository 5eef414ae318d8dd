"""R15 Who sees a hex, in words for the GM."""

from collections.abc import Iterator

from campaign.engine.sight import Sight
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.options import ThirdBand
from campaign.rulesets.forum_campaign.model.state import State, Unit, commandos_on_map, on_map


def sees_place(game_data: GameData, state: State, side: SideId, place: PlaceId) -> Sight:
    """R15.2 How a side sees a hex from where its units are now, and which of them see it."""
    own = state.own[side]
    ground = list(_within(game_data, on_map(own), place))
    nearest = sorted([*ground, *_within(game_data, commandos_on_map(own), place)], key=lambda each: (each[0], each[1]))
    if not nearest:
        most = game_data.charts.sight.type
        return Sight(seen=False, what=f"No unit of it is within {_hexes(most)}.", by=(), rule="R15.2")
    return Sight(
        seen=True,
        what=_made_out(game_data, state, nearest[0][0], min((steps for steps, _, _ in ground), default=None)),
        by=tuple(f"{label} at {game_data.place_name(at)}, {_away(steps)}" for steps, label, at in nearest),
        rule="R15.2",
    )


def _within(
    game_data: GameData, units: list[tuple[Unit, PlaceId]], place: PlaceId
) -> Iterator[tuple[int, str, PlaceId]]:
    """The units that are near enough to a hex to see it: distance in hexes, name and hex."""
    grid = game_data.grid
    steps = grid.steps_around((place,), most=game_data.charts.sight.type)
    for unit, at in units:
        away = steps.get(grid.coordinates[at])
        if away is not None:
            yield away, unit.label, at


def _made_out(game_data: GameData, state: State, steps: int, ground: int | None) -> str:
    """R15.2, R11 What is made out at this distance from the nearest unit, and the nearest ground unit."""
    sight = game_data.charts.sight
    if steps <= sight.identity:
        commandos = "and commandos" if ground is not None and ground <= sight.identity else "but no commandos"
        return f"It sees units by name, prepared positions, {commandos}."
    if steps == sight.type and state.open.options.third_band is ThirdBand.CONTACT:
        return "It sees only that something is there, and no commandos."
    return "It sees units by type, and no commandos. It knows the names of those that it met in battle today."


def _hexes(number: int) -> str:
    return f"{number} hex{'' if number == 1 else 'es'}"


def _away(steps: int) -> str:
    return f"{_hexes(steps)} away" if steps else "in the hex itself"
