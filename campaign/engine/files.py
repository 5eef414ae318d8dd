"""Scenario files as text, turned into values; each error names file, line and fix.

Nothing here opens a file: `campaign.game.loading` reads the disk and hands over the text.
"""

import csv
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NoReturn, TypeVar

import msgspec

from campaign.engine.errors import ScenarioError

K = TypeVar("K")

Step = str | int
_UNKNOWN_FIELD = re.compile(r"unknown field '(.+)'")
_STEP = re.compile(r"\.([\w-]+)|\[(\d+|\.\.\.)\]")
_HEADING = re.compile(r"\[\[?[A-Za-z_]")
_SOME_KEY = "..."
"""The step in a path for a key of a table, which msgspec does not name."""
_CURES = {
    "missing required field": "Add the field.",
    "unknown field": "Remove the field or correct its spelling.",
    "RFC3339": "Write a day as 1944-12-16.",
    "Invalid": "Use one of the values that the scenario guide lists.",
}


@dataclass(frozen=True)
class Source:
    """One file of a scenario."""

    name: str
    text: str

    def refuse(self, message: str, *, line: int = 0, cure: str) -> NoReturn:
        raise ScenarioError(message, file=self.name, line=line, cure=cure)


def source(files: Mapping[str, str], name: str) -> Source:
    """The file of this name, which must exist."""
    if name not in files:
        raise ScenarioError("the file is missing", file=name, cure="Add it to the scenario's folder.")
    return Source(name, files[name])


def decode_json(file: Source, kind: type[K]) -> K:
    """A JSON file as a value of this type."""
    try:
        raw = json.loads(file.text)
    except json.JSONDecodeError as error:
        file.refuse(f"this is not valid JSON: {error.msg}", line=error.lineno, cure="Correct the punctuation there.")
    except (ValueError, RecursionError) as error:
        file.refuse(f"this cannot be read: {error}", cure="Use fewer nested levels and shorter numbers.")
    return _convert(file, raw, kind, line_of=line_in_json)


def decode_toml(file: Source, kind: type[K]) -> K:
    """A TOML file as a value of this type."""
    try:
        raw = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else file.text.count("\n") + 1
        file.refuse(f"this is not valid TOML: {error}", line=line, cure="Correct the punctuation there.")
    except (ValueError, RecursionError) as error:
        file.refuse(f"this cannot be read: {error}", cure="Use fewer nested levels and shorter numbers.")
    return convert_toml(file, raw, kind)


def convert_toml(file: Source, raw: Any, kind: type[K]) -> K:
    """What a TOML file says, or leads to, as a value of this type; faults are at their lines in that file."""
    return _convert(file, raw, kind, line_of=line_in_toml)


def decode_csv(file: Source, kind: type[K]) -> tuple[tuple[int, K], ...]:
    """The rows of a CSV file with a heading, each with its line number; empty cells take their defaults."""
    reader = csv.DictReader(file.text.splitlines(), strict=True)
    rows: list[tuple[int, K]] = []
    try:
        for row in reader:
            if None in row or None in row.values():
                file.refuse(
                    "the row has more or fewer cells than the heading", line=reader.line_num, cure="Count the commas."
                )
            cells = {key: value.strip() for key, value in row.items() if value.strip()}
            rows.append((reader.line_num, _convert_row(file, cells, kind, reader.line_num)))
    except csv.Error as error:
        file.refuse(
            f"this is not valid CSV: {error}", line=reader.reader.line_num, cure="Correct the quotation marks there."
        )
    return tuple(rows)


def _convert_row(file: Source, cells: Mapping[str, str], kind: type[K], line: int) -> K:
    try:
        return msgspec.convert(cells, kind, strict=False)
    except msgspec.ValidationError as error:
        message, path = _split(error)
        column = f"column {path[-1]}: " if path else ""
        file.refuse(f"{column}{message}", line=line, cure=_cure(message))


def _convert(file: Source, raw: Any, kind: type[K], *, line_of: Any) -> K:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        message, path = _split(error)
        if stranger := _UNKNOWN_FIELD.search(message):
            path.append(stranger[1])
        where = "".join(map(_as_written, path)).removeprefix(".")
        file.refuse(f"{where}: {message}" if where else message, line=line_of(file.text, path), cure=_cure(message))


CASE = "the case"
"""The name, in place of a file's, of the position that a case gives."""


def convert_case(raw: Mapping[str, Any], kind: type[K], *, cure: str) -> K:
    """The position that a case gives, as a value of this type."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise ScenarioError(str(error), file=CASE, cure=cure) from error


def _as_written(step: Step) -> str:
    return f"[{step}]" if isinstance(step, int) or step == _SOME_KEY else f".{step}"


def _split(error: msgspec.ValidationError) -> tuple[str, list[Step]]:
    """A message of msgspec and its path, split: "... - at `$.roads[3].class`"."""
    message, _, at = str(error).partition(" - at `$")
    path = [name or (int(index) if index.isdigit() else index) for name, index in _STEP.findall(at)]
    return message.replace("Object ", "").replace("`", "'"), path


def _cure(message: str) -> str:
    return next((cure for sign, cure in _CURES.items() if sign in message), "Correct the value.")


def line_in_toml(text: str, path: list[Step]) -> int:
    """The line of a TOML text on which the value at this path begins, as exactly as headings, keys and lists tell."""
    lines, at, prefix = text.splitlines(), 0, ""
    for step, following in zip_longest(path, path[1:]):
        if isinstance(step, int):
            continue
        prefix = f"{prefix}.{step}" if prefix else step
        nth = following if isinstance(following, int) else 0
        headings = [number for number, line in enumerate(lines) if re.match(rf"\[\[?{re.escape(prefix)}\]", line)]
        key = _key_below(lines, at, step)
        if headings:
            at = headings[min(nth, len(headings) - 1)]
        elif key is not None:
            spread = isinstance(following, int) and lines[key].rstrip().endswith("[")
            return key + (2 + nth if spread else 1)
    return at + 1


def _key_below(lines: list[str], at: int, key: str) -> int | None:
    """The line of a key in the table that begins at a line and ends at the next heading."""
    for number, line in enumerate(lines[at:], at):
        if number > at and _HEADING.match(line):
            break
        if re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line):
            return number
    return None


def line_in_json(text: str, path: list[Step]) -> int:
    """The line of a JSON text on which the value at this path begins, or the deepest part of the path that exists."""
    at = _after_space(text, 0)
    for step in path:
        found = _step_into(text, at, step)
        if found is None:
            break
        at = found
    return text[:at].count("\n") + 1


_DECODER = json.JSONDecoder()
_BETWEEN = " \t\r\n,:"


def _after_space(text: str, at: int) -> int:
    while text[at] in _BETWEEN:
        at += 1
    return at


def _step_into(text: str, at: int, step: Step) -> int | None:
    """Where the member or element `step` of the value at `at` begins."""
    if not text.startswith(("[", "{"), at):
        return None
    keyed, index = text[at] == "{", 0
    at = _after_space(text, at + 1)
    while not text.startswith(("]", "}"), at):
        key: Step = index
        if keyed:
            key, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, at)
        if key == step:
            return at
        _, at = _DECODER.raw_decode(text, at)
        at, index = _after_space(text, at), index + 1
    return None
