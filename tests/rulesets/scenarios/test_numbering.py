"""A scenario whose hexes are numbered in another way: the same map, read, drawn and ordered on by its own ids."""

import json
import re

import pytest

from campaign.engine.errors import ScenarioError
from campaign.engine.orders.notation import parse
from campaign.engine.values.ids import PlaceId
from campaign.game.loading import WithStart, find_scenario, read_files, scenario_files
from campaign.rulesets.forum_campaign.model.orders import Move

_ROWS, _FROM = 'drop_rows = ["Q", "R", "S"]', "drop_from_column = 18"
_WHY = '[reasons]\ncommandos.drop_from_column = "As in the large scenario."\n'
FILES = {
    name: text.replace("drop_rows = []", f"{_ROWS}\n{_FROM}").replace("[reasons]\n", _WHY)
    for name, text in scenario_files(find_scenario("forum_campaign/st-vith-1944")).items()
}
NUMBERING = {"pattern": "c{column:02}r{row:02}", "first_row": "north", "shifted": "odd rows"}
_ID = re.compile(r"\b([A-Z])([1-9][0-9]?)\b")


def renumbered(place: str) -> PlaceId:
    """The same hex: Z is row 0 in the north, and A, C, E, which are shifted, have odd numbers."""
    return PlaceId(f"c{int(place[1:]):02}r{ord('Z') - ord(place[0]):02}")


def _other_files() -> dict[str, str]:
    raw = json.loads(re.sub(r'"([A-Z][1-9][0-9]?)"', lambda id_: f'"{renumbered(id_[1])}"', FILES["map.json"]))
    units = re.sub(r"(?<=,)([A-Z][1-9][0-9]?)(?=,|\n|$)", lambda id_: renumbered(id_[0]), FILES["units.csv"])
    rows = FILES["tables.toml"].replace(_ROWS, 'drop_rows = ["09", "08", "07"]')
    return {**FILES, "map.json": json.dumps({**raw, "numbering": NUMBERING}), "units.csv": units, "tables.toml": rows}


@pytest.fixture(scope="module")
def usual() -> WithStart:
    return read_files(FILES)


@pytest.fixture(scope="module")
def other() -> WithStart:
    return read_files(_other_files())


def test_it_is_the_same_map(usual: WithStart, other: WithStart) -> None:
    assert {renumbered(ground.id): (ground.at, ground.outline) for ground in usual.base_map.grounds} == {
        ground.id: (ground.at, ground.outline) for ground in other.base_map.grounds
    }


def test_hexes_adjoin_and_lie_apart_as_before(usual: WithStart, other: WithStart) -> None:
    before, now = usual.scenario.game_data, other.scenario.game_data
    first, *_ = before.hexes
    for place in before.hexes:
        near = before.board.neighbours(place)
        assert list(map(renumbered, near)) == list(now.board.neighbours(renumbered(place)))
        assert before.grid.distance(first, place) == now.grid.distance(renumbered(first), renumbered(place))


def test_a_row_is_named_as_ids_name_it(usual: WithStart, other: WithStart) -> None:
    before, now = (loaded.scenario.game_data.charts.commandos for loaded in (usual, other))
    assert {renumbered(place) for place in before.drop_zone} == now.drop_zone
    assert {renumbered(place) for place in before.whole_drop_zone} == now.whole_drop_zone
    assert {place[:3] for place in now.drop_zone} == {f"c{column}" for column in range(18, 24)}
    assert {place[:3] for place in now.whole_drop_zone} == {f"c{column}" for column in range(12, 24)}
    assert {(label.text, label.at) for label in other.base_map.margin} == {
        (f"{ord('Z') - ord(label.text):02}" if label.text.isalpha() else f"{int(label.text):02}", label.at)
        for label in usual.base_map.margin
    }


def test_orders_are_written_with_its_ids_and_help_names_its_own(other: WithStart) -> None:
    game_data, start = other.scenario.game_data, other.scenario.start
    names = other.rules.names(game_data, start)
    unit = next(unit for own in start.own.values() for unit in own.units.values() if unit.at)
    path = (unit.at, game_data.board.neighbours(unit.at)[0])
    (placed,) = parse(f"MOVE {unit.label} {'-'.join(path).upper()}", (Move,), names).orders
    assert placed.order == Move(unit.id, path=path)
    (problem,) = parse(f"MOVE {unit.label} Q22", (Move,), names).problems
    assert re.fullmatch(
        r"A path is written in hex numbers, c\d\dr\d\d-c\d\dr\d\d-c\d\dr\d\d; for a town write: to St. Vith.",
        problem.hint,
    )


@pytest.mark.parametrize(
    ("numbering", "message"),
    [
        ({"pattern": "{row}"}, "must have {row} and {column} once each"),
        ({"shifted": "all rows"}, "all rows"),
        ({"shifted": "odd columns"}, "its hexes stand on a side"),
    ],
)
def test_a_numbering_that_cannot_be_is_refused(numbering: dict[str, str], message: str) -> None:
    raw = {**json.loads(FILES["map.json"]), "numbering": numbering}
    with pytest.raises(ScenarioError, match=re.escape(message)):
        read_files({**FILES, "map.json": json.dumps(raw)})
