"""Scenario files: what is wrong is named with file, line and cure."""

import datetime
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import pytest

from campaign.engine.errors import ScenarioError
from campaign.engine.files import Source, Step, decode_csv, decode_json, decode_toml, line_in_json, line_in_toml, source
from campaign.engine.values.value import Value


class Band(Value, frozen=True):
    low: int
    high: int


class Day(Value, frozen=True):
    date: datetime.date
    bands: tuple[Band, ...]


class Tables(Value, frozen=True):
    die: int
    day: tuple[Day, ...] = ()


class Costs(Value, frozen=True):
    costs: Mapping[str, int]
    low: int = 0
    high: int = 9

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low lies above high")


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


CORRECT = "Correct the value."
PUNCTUATION = "Correct the punctuation there."
SPELLING = "Remove the field or correct its spelling."


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Tables, TOML, f"line 10: day[1].bands[0].high: Expected 'int', got 'str'. {CORRECT}"),
        (Tables, "die = = 3\n", f"line 1: this is not valid TOML: Invalid value (at line 1, column 7). {PUNCTUATION}"),
        (
            Tables,
            "die = 3\nday = [1,\n",
            f"line 3: this is not valid TOML: Invalid value (at end of document). {PUNCTUATION}",
        ),
        (Tables, "die = 3\nbogus = 1\n", f"line 2: bogus: contains unknown field 'bogus'. {SPELLING}"),
        (Tables, "# empty", "line 1: missing required field 'die'. Add the field."),
        (
            Tables,
            TOML.replace("high = 5", "hi = 5"),
            f"line 6: day[0].bands[0].hi: contains unknown field 'hi'. {SPELLING}",
        ),
        (
            Tables,
            "die = 1\n[[day]]\ndate = 'soon'\nbands = []\n",
            "line 3: day[0].date: Invalid RFC3339 encoded date. Write a day as 1944-12-16.",
        ),
        (Costs, "# costs\n\n[costs]\nclear = 'x'\n", f"line 3: costs[...]: Expected 'int', got 'str'. {CORRECT}"),
        (Costs, "low = 10\ncosts = {}\n", f"line 1: low lies above high. {CORRECT}"),
    ],
)
def test_a_fault_in_toml_is_named_with_its_line_and_cure(kind: Any, text: str, said: str) -> None:
    assert str(refusal(lambda: decode_toml(Source("t.toml", text), kind))) == f"t.toml, {said}"


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Tables, JSON, f"line 7: day[1].bands[1].low: Expected 'int', got 'str'. {CORRECT}"),
        (Tables, '{"die": 1,\n "day": [}', f"line 2: this is not valid JSON: Expecting value. {PUNCTUATION}"),
        (Tables, '{"die": 1,\n\t"bogus": 2}', f"line 2: bogus: contains unknown field 'bogus'. {SPELLING}"),
        (Tables, "\n[]", f"line 2: Expected 'object', got 'array'. {CORRECT}"),
        (Costs, '{"low": 1,\n "costs": {"mud":\n "x"}}', f"line 2: costs[...]: Expected 'int', got 'str'. {CORRECT}"),
        (Costs, '{"low": 1,\n "costs": {}, "high": "x"}', f"line 2: high: Expected 'int', got 'str'. {CORRECT}"),
    ],
)
def test_a_fault_in_json_is_named_with_its_line_and_cure(kind: Any, text: str, said: str) -> None:
    assert str(refusal(lambda: decode_json(Source("m.json", text), kind))) == f"m.json, {said}"


def test_a_value_that_is_not_listed_is_answered_with_where_the_list_is() -> None:
    class Weather(Value, frozen=True):
        sky: Literal["clear", "snow"]

    error = refusal(lambda: decode_toml(Source("t.toml", "sky = 'hail'"), Weather))
    cure = "Use one of the values that the scenario guide lists."
    assert str(error) == f"t.toml, line 1: sky: Invalid enum value 'hail'. {cure}"


@pytest.mark.parametrize(("decode", "text"), [(decode_json, "[" * 100_000), (decode_toml, "a = " + "[" * 100_000)])
def test_what_is_nested_too_deeply_is_refused(decode: Any, text: str) -> None:
    error = refusal(lambda: decode(Source("deep", text), Tables))
    assert str(error).startswith("deep: this cannot be read: maximum recursion depth exceeded")
    assert error.cure == "Use fewer nested levels and shorter numbers."


SPREAD = """\
die = "x"
costs = [
  { low = 1 },
  { low = 2 },
]

[movement]
points = 3

[movement.terrain]
clear = { sunny = 1 }
short = [ 1, 2 ]
low = 5

[[day]]
date = 1

[[day]]
date = 2
die = 3
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ([], 1),
        (["die"], 1),
        (["costs"], 2),
        (["costs", 0, "low"], 3),
        (["costs", 1], 4),
        (["movement"], 7),
        (["movement", "points"], 8),
        (["movement", "low"], 7),
        (["movement", "terrain"], 10),
        (["movement", "terrain", "clear", "sunny"], 11),
        (["movement", "terrain", "short", 1], 12),
        (["day"], 15),
        (["day", "date"], 16),
        (["day", 0, "die"], 15),
        (["day", 1, "die"], 20),
        (["day", 1, "date"], 19),
        (["day", 1, "hour"], 18),
        (["day", 7], 18),
    ],
)
def test_lines_of_toml_are_found_as_near_as_headings_and_keys_lead(path: list[Step], line: int) -> None:
    assert line_in_toml(SPREAD, path) == line


def test_a_list_over_several_lines_may_have_spaces_behind_its_bracket() -> None:
    assert line_in_toml("  days = [  \n 1,\n 2,\n]\n", ["days", 1]) == 3


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ([], 2),
        (["a"], 3),
        (["a", 0], 3),
        (["a", 1], 4),
        (["a", 1, "b"], 5),
        (["a", 1, "c"], 4),
        (["a", 2], 3),
        (["d"], 7),
        (["d", "e"], 7),
        (["z"], 2),
    ],
)
def test_lines_of_json_are_found_as_deep_as_the_path_leads(path: list[Step], line: int) -> None:
    text = '\n{\n "a": [[],\n  {"x": {"b": 1},\n   "b": ["c"]}\n ],\n "d" : 7}\n'
    assert line_in_json(text, path) == line


def test_csv_rows_come_with_their_lines_and_empty_cells_count_as_left_out() -> None:
    rows = decode_csv(Source("u.csv", 'id,strength,note\nA,5,\n\n"B ""x""", 6 ,"a, b"\n'), Row)
    assert rows == ((2, Row("A", 5)), (4, Row('B "x"', 6, "a, b")))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("A,five,", f"column strength: Expected 'int', got 'str'. {CORRECT}"),
        ("A,5,x,y", "the row has more or fewer cells than the heading. Count the commas."),
        ("A", "the row has more or fewer cells than the heading. Count the commas."),
        (",5,", "missing required field 'id'. Add the field."),
        ('A,"5"x,', "this is not valid CSV: ',' expected after '\"'. Correct the quotation marks there."),
        ('A,5,"x', "this is not valid CSV: unexpected end of data. Correct the quotation marks there."),
    ],
)
def test_a_wrong_csv_row_is_named_with_its_line(row: str, said: str) -> None:
    error = refusal(lambda: decode_csv(Source("u.csv", f"id,strength,note\nZ,1,\n{row}\n"), Row))
    assert str(error) == f"u.csv, line 3: {said}"


def test_a_missing_file_is_named() -> None:
    assert source({"map.json": "{}"}, "map.json") == Source("map.json", "{}")
    error = refusal(lambda: source({}, "map.json"))
    assert str(error) == "map.json: the file is missing. Add it to the scenario's folder."


def test_an_error_says_what_it_knows() -> None:
    bare = ScenarioError("nobody stands there", file="units.csv")
    assert (str(bare), bare.line, bare.cure) == ("units.csv: nobody stands there", 0, "")
    error = refusal(lambda: Source("units.csv", "").refuse("nobody stands there", cure="Name a hex."))
    assert str(error) == "units.csv: nobody stands there. Name a hex."
    assert (error.message, error.file, error.line, error.cure) == ("nobody stands there", "units.csv", 0, "Name a hex.")
