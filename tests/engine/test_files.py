"""Scenario files: what is wrong is named with file, line and cure."""

import datetime

import msgspec
import pytest

from campaign.engine.errors import ScenarioError
from campaign.engine.files import Source, decode_csv, decode_json, decode_toml, source
from campaign.engine.values import Value


class Band(Value, frozen=True):
    low: int
    high: int


class Day(Value, frozen=True):
    date: datetime.date
    bands: tuple[Band, ...]


class Tables(Value, frozen=True):
    die: int
    day: tuple[Day, ...] = ()


class Row(msgspec.Struct, frozen=True):
    id: str
    strength: int
    note: str = ""


TOML = """\
# charts
die = 10

[[day]]
date = 1944-12-16
bands = [{ low = 1, high = 5 }]

[[day]]
date = 1944-12-17
bands = [{ low = 1, high = "x" }]
"""

JSON = """\
{"die": 10,
 "day": [
  {"date": "1944-12-16", "bands": [{"low": 1, "high": 5}]},
  {"date": "1944-12-17",
   "bands": [
    {"low": 1, "high": 5},
    {"low": "}", "high": 7}]}
 ]}
"""


def refusal(call: object) -> ScenarioError:
    assert callable(call)
    with pytest.raises(ScenarioError) as refused:
        call()
    return refused.value


def test_a_wrong_value_in_toml_is_named_with_its_line() -> None:
    error = refusal(lambda: decode_toml(Source("tables.toml", TOML), Tables))
    assert (error.file, error.line) == ("tables.toml", 10)
    assert "high" in error.message
    assert error.cure


def test_a_wrong_value_in_json_is_named_with_its_line() -> None:
    error = refusal(lambda: decode_json(Source("map.json", JSON), Tables))
    assert (error.file, error.line) == ("map.json", 7)
    assert "day[1].bands[1].low" in error.message


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [("die = = 3\n", 1, "no TOML"), ("die = 3\nbogus = 1\n", 2, "unknown field"), ("", 1, "missing required field")],
)
def test_toml_that_is_none_or_has_wrong_fields(text: str, line: int, said: str) -> None:
    error = refusal(lambda: decode_toml(Source("t.toml", text), Tables))
    assert said in error.message
    assert error.line == line


def test_json_that_is_none() -> None:
    error = refusal(lambda: decode_json(Source("m.json", '{"die": 1,\n "day": [}'), Tables))
    assert "no JSON" in error.message
    assert error.line == 2


def test_csv_rows_come_with_their_lines_and_empty_cells_count_as_left_out() -> None:
    rows = decode_csv(Source("u.csv", 'id,strength,note\nA,5,\n"B ""x""",6,"a, b"\n'), Row)
    assert rows == ((2, Row("A", 5)), (3, Row('B "x"', 6, "a, b")))


@pytest.mark.parametrize(
    ("row", "said"),
    [("A,five,", "column strength"), ("A,5,x,y", "more or fewer cells"), ("A", "more or fewer cells"), (",5,", "id")],
)
def test_a_wrong_csv_row_is_named_with_its_line(row: str, said: str) -> None:
    error = refusal(lambda: decode_csv(Source("u.csv", f"id,strength,note\nZ,1,\n{row}\n"), Row))
    assert said in str(error)
    assert error.line == 3


def test_a_missing_file_is_named() -> None:
    error = refusal(lambda: source({}, "map.json"))
    assert str(error) == "map.json: the file is missing. Add it to the scenario's folder."
