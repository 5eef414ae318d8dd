"""THREATS.md is complete: every threat has a counter-measure, and a test that exists or the part that it waits for."""

import ast
import re
from functools import cache

import pytest

from tests.locks import ROOT

TABLE = ROOT / "tests/THREATS.md"
NUMBERS = [*range(1, 31), 32, 91, *range(33, 79), 93, *range(79, 91), 92]
"""The numbers of the specification, which has no 31 and ends with 90."""
STILL_TO_COME = {"load tests", "releases"}
"""Parts that are not built yet, for which rows may wait."""


def rows() -> dict[int, list[str]]:
    """The rows of all tables by number: threat, counter-measure, tests."""
    lines = re.findall(r"^\| (\d+) \|(.*)\|$", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    found = {int(number): [cell.strip() for cell in rest.split(" | ")] for number, rest in lines}
    assert len(found) == len(lines), "a number comes twice"
    return found


@cache
def defined_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def faults(cells: list[str]) -> list[str]:
    """What is wrong with a row."""
    if len(cells) != 3 or not all(cells):
        return ["not three cells with something in them"]
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", cells[2])
    waits = re.findall(r"waits for ([a-z ]+)", cells[2])
    wrong = [f"{path}::{name}" for path, name in named if not (ROOT / path).is_file() or name not in defined_in(path)]
    wrong += [f"{name} is no test" for _, name in named if not name.startswith("test_")]
    wrong += [part for part in waits if part.strip() not in STILL_TO_COME]
    rest = re.sub(r"`[\w/]+\.py::\w+`|waits for [a-z ]+|[,;]", "", cells[2]).strip()
    return [*wrong, *([rest] if rest else []), *([] if named or waits else ["neither a test nor what it waits for"])]


def test_every_threat_has_its_row() -> None:
    assert list(rows()) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_a_row_names_tests_that_are_there_or_what_it_waits_for(number: int) -> None:
    assert faults(rows()[number]) == []


@pytest.mark.parametrize(
    "cells",
    [
        ["a threat", "a measure", ""],
        ["a threat", "", "`tests/test_threats.py::test_every_threat_has_its_row`"],
        ["a threat", "a measure", "`tests/test_threats.py::test_that_is_not_there`"],
        ["a threat", "a measure", "`tests/no_such_file.py::test_every_threat_has_its_row`"],
        ["a threat", "a measure", "`tests/test_threats.py::rows`"],
        ["a threat", "a measure", "waits for better days"],
        ["a threat", "a measure", "somebody would notice"],
    ],
)
def test_a_row_without_a_test_or_a_part_to_wait_for_is_noticed(cells: list[str]) -> None:
    assert faults(cells)
