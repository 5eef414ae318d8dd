"""The figures that briefings name, all from map and charts: `[[points to win]]`, `[[worth P18 M13]]`."""

from collections.abc import Callable, Mapping

from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.day.victory import victory_points
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.words import counted


def figure(game_data: GameData, side: SideId, name: str) -> str:
    """A figure by its name; for `worth` and `depot` it is the sum of the hexes named. KeyError: there is none."""
    what, _, places = name.partition(" ")
    if places and what in _OF_PLACES:
        return _OF_PLACES[what](game_data, [PlaceId(place) for place in places.split()])
    return _PLAIN[name](game_data, side)


def _worth(game_data: GameData, places: list[PlaceId]) -> str:
    """R15.5"""
    return counted(sum(game_data.hexes[place].victory_points for place in places), "victory point")


def _depot(game_data: GameData, places: list[PlaceId]) -> str:
    """R9.1"""
    return counted(sum(game_data.hexes[place].depot for place in places), "point")


def _points(game_data: GameData) -> int:
    return sum(hex_.victory_points for hex_ in game_data.hexes.values())


def _to_win(game_data: GameData) -> int:
    """R15.5 More than half: every objective is somebody's."""
    return _points(game_data) // 2 + 1


def _at_start(game_data: GameData, side: SideId) -> int:
    control = {id_: hex_.control for id_, hex_ in game_data.hexes.items() if hex_.victory_points}
    return victory_points(game_data, control)[side]


_OF_PLACES: Mapping[str, Callable[[GameData, list[PlaceId]], str]] = {"worth": _worth, "depot": _depot}

_PLAIN: Mapping[str, Callable[[GameData, SideId], str]] = {
    "points": lambda game_data, _side: str(_points(game_data)),
    "points to win": lambda game_data, _side: str(_to_win(game_data)),
    "points at start": lambda game_data, side: str(_at_start(game_data, side)),
    "points to gain": lambda game_data, side: str(max(0, _to_win(game_data) - _at_start(game_data, side))),
    "points to spare": lambda game_data, side: str(max(0, _at_start(game_data, side) - _to_win(game_data))),
    "last day": lambda game_data, _side: f"{game_data.last_day:%-d %B}",
    "fuel": lambda game_data, _side: counted(game_data.charts.fuel.start, "point"),
    "fuel a day": lambda game_data, _side: counted(game_data.charts.fuel.income, "point"),
}
