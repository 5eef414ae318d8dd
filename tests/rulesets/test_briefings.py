"""What briefings say of points and fuel is what the map has, in every scenario."""

import re
from itertools import product
from pathlib import Path

import pytest

from campaign.game.loading import load_scenario, supplied_scenarios
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData

FOLDERS = [folder for folder in supplied_scenarios() if load_scenario(folder).rules is RULESET]
each_briefing = pytest.mark.parametrize(
    ("folder", "side"), [pytest.param(*pair, id=f"{pair[0].name}-{pair[1]}") for pair in product(FOLDERS, SIDES)]
)
PLACE = r"\b[A-Z]\d+\b"


def read(folder: Path, side: str) -> tuple[GameData, list[str]]:
    """The map, and the paragraphs and tables of a side's briefing."""
    text = (folder / f"briefing-{side}.md").read_text(encoding="utf-8")
    return load_scenario(folder).scenario.game_data, text.split("\n\n")


@each_briefing
def test_the_table_of_a_briefing_has_every_place_with_its_points(folder: Path, side: str) -> None:
    game_data, parts = read(folder, side)
    (table,) = (part for part in parts if part.startswith("| Worth |"))
    rows = re.findall(r"^\| (\d+)[^|]* \| (.+) \|$", table, re.MULTILINE)
    worth = {id_: hex_.victory_points for id_, hex_ in game_data.hexes.items() if hex_.victory_points}
    assert {place: int(points) for points, places in rows for place in re.findall(PLACE, places)} == worth


@each_briefing
def test_a_briefing_says_how_many_points_there_are_and_how_many_are_needed(folder: Path, side: str) -> None:
    game_data, parts = read(folder, side)
    (aim,) = (part for part in parts if part.startswith("Victory points lie in"))
    worth = {id_: hex_.victory_points for id_, hex_ in game_data.hexes.items() if hex_.victory_points}
    total, own = sum(worth.values()), sum(worth[id_] for id_ in worth if game_data.hexes[id_].control == side)
    assert re.search(
        rf"places, {total} in all.*\b{total // 2 + 1} points are enough.*You begin with {own}\b", aim, re.S
    )


@each_briefing
def test_a_briefing_has_every_depot_with_its_fuel(folder: Path, side: str) -> None:
    """Names come before their number, as in "Spa T15, Verviers V15: 4 each" or "Liège W11 holds 8 points"."""
    game_data, parts = read(folder, side)
    text = next(part for part in parts if part.startswith(("**Depots.**", "**Fuel.**")) and re.search(PLACE, part))
    said: dict[str, int] = {}
    waiting: list[str] = []
    for place, number in re.findall(rf"({PLACE})|\b(\d+)\b", text):
        if place:
            waiting.append(place)
        else:
            said |= dict.fromkeys(waiting, int(number))
            waiting.clear()
    assert said == {id_: hex_.depot for id_, hex_ in game_data.hexes.items() if hex_.depot}
