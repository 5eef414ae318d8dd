"""Errors in the files of an area scenario: the message, the line, and the fix."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from campaign.engine.errors import ScenarioError
from campaign.game.loading import read_files
from tests.areas.test_outcomes import FILES


def refused(files: dict[str, str]) -> ScenarioError:
    with pytest.raises(ScenarioError) as error:
        read_files(files)
    return error.value


def line_of(files: dict[str, str], file: str, text: str) -> int:
    return next(number for number, line in enumerate(files[file].splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "said", "cure"),
    [
        (
            "scenario.toml",
            "last_day = 1944-12-28",
            "last_day = 1944-12-15",
            "last_day",
            "the last day is before the first day",
            "Correct one of the two.",
        ),
        (
            "scenario.toml",
            "last_day = 1944-12-28",
            "last_day = 1945-02-28",
            "",
            "the first or last day of the scenario is missing",
            "Add a [[day]] for each day.",
        ),
        (
            "scenario.toml",
            "players = [2, 2]",
            'players = [2, 2]\ngoal = "Bastonge"',
            "goal",
            "there is no space Bastonge",
            "Name a space of map.json by its id.",
        ),
        (
            "units.csv",
            "326VG,326 VG",
            "272VG,326 VG",
            "272VG,326 VG",
            "272VG appears twice",
            "Give each unit an id of its own.",
        ),
        (
            "units.csv",
            "3,3,3,,,Gemund,,",
            "3,3,3,,,Gemünd,,",
            "Gemünd",
            "272VG starts in Gemünd, which is no space",
            "Name a space by its id.",
        ),
        (
            "units.csv",
            "3,3,3,,,Gemund,,",
            "3,3,3,,,Gemund,1944-12-17,A",
            "1944-12-17,A",
            "272VG starts on the map and arrives",
            "Delete one of the two.",
        ),
        (
            "units.csv",
            "3,3,3,,,Gemund,,",
            "3,3,3,,,,1944-12-17,",
            "272VG",
            "272VG needs both a day and a letter of arrival",
            "Add the other one.",
        ),
        (
            "units.csv",
            "3,3,3,,,Gemund,,",
            "3,3,3,,,,,A",
            "272VG",
            "272VG needs both a day and a letter of arrival",
            "Add the other one.",
        ),
        (
            "units.csv",
            "3,3,3,,,Gemund,,",
            "3,3,3,,,,1944-12-17,Z",
            "272VG",
            "no space has the letter Z",
            "Use a letter of map.json.",
        ),
    ],
)
def test_a_fault_is_named_with_its_line_and_a_cure(
    file: str, old: str, new: str, at: str, said: str, cure: str
) -> None:
    assert old in FILES[file]
    files = {**FILES, file: FILES[file].replace(old, new, 1)}
    error = refused(files)
    assert (error.message, error.cure) == (said, cure)
    assert error.line == (line_of(files, file, at) if at else 0)
    assert error.file == ("tables.toml" if "missing" in said else file)


def test_a_fourth_unit_of_a_side_in_a_space_is_refused() -> None:
    files = {**FILES, "units.csv": FILES["units.csv"].replace(",Stadtkyll,,", ",Gemund,,")}
    error = refused(files)
    assert (error.file, error.message) == ("units.csv", "Gemund has more than three units of a side")
    assert error.cure == "Move one elsewhere."
    assert error.line == line_of(files, "units.csv", "3FJ,")


MAP = json.loads(FILES["map.json"])
Change = Callable[[dict[str, Any]], object]


def with_map(change: Change) -> dict[str, str]:
    """The files with a change of the map, one space or border to a line."""
    raw = json.loads(FILES["map.json"])
    change(raw)
    lists = (f'"{key}": [\n' + ",\n".join(map(json.dumps, each)) + "\n]" for key, each in raw.items())
    return {**FILES, "map.json": "{" + ",\n".join(lists) + "}"}


def _border(**more: Any) -> Change:
    return lambda raw: raw["borders"][3].update(more)


@pytest.mark.parametrize(
    ("change", "said", "cure", "written"),
    [
        (
            lambda raw: raw["spaces"][4].update(id="Gemund"),
            "Gemund appears twice",
            "Give each space an id of its own.",
            ("spaces", 4),
        ),
        (
            _border(a="Nowhere", b="Prum"),
            "Nowhere and Prum are not two spaces of the map",
            "Name two spaces.",
            ("borders", 3),
        ),
        (
            _border(a="Prum", b="Prum"),
            "Prum and Prum are not two spaces of the map",
            "Name two spaces.",
            ("borders", 3),
        ),
        (
            _border(a="Stadtkyll", b="Gemund"),
            "the border of Stadtkyll and Gemund is written twice",
            "Delete one.",
            ("borders", 3),
        ),
        (_border(line=[[1, 1]]), "the border of {a} and {b} is no line", "Give two points.", ("borders", 3)),
        (
            _border(line=[[1, 1], [1.01, 1]]),
            "the border of {a} and {b} is too short to be seen",
            "Draw it longer.",
            ("borders", 3),
        ),
    ],
)
def test_a_fault_of_the_map_is_named_with_its_line_and_a_cure(
    change: Change, said: str, cure: str, written: tuple[str, int]
) -> None:
    files = with_map(change)
    error = refused(files)
    border = MAP["borders"][3]
    assert (error.file, error.message, error.cure) == ("map.json", said.format(**border), cure)
    key, number = written
    assert error.line == line_of(files, "map.json", f'"{key}": [') + 1 + number


def test_borders_that_run_along_each_other_without_adjoining_are_refused() -> None:
    first, second = (
        MAP["borders"][0],
        next(
            each
            for each in MAP["borders"]
            if {each["a"], each["b"]}.isdisjoint({MAP["borders"][0]["a"], MAP["borders"][0]["b"]})
        ),
    )
    number = MAP["borders"].index(second)
    error = refused(with_map(lambda raw: raw["borders"][number].update(line=first["line"])))
    assert error.file == "map.json"
    assert "runs along that of" in error.message
    assert {first["a"], first["b"], second["a"], second["b"]} <= set(error.message.replace(",", "").split())
    assert error.cure == "Let the lines of two borders meet in a point only."


def test_a_space_whose_borders_do_not_meet_is_refused() -> None:
    files = with_map(lambda raw: raw["borders"].pop(0))
    error = refused(files)
    assert error.file == "map.json"
    assert error.message.startswith("Gemund: ")
    assert error.line == line_of(files, "map.json", '"id": "Gemund"')
    assert error.cure == "Let the lines of its borders and shore meet there."
