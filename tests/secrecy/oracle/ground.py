"""The map as sight needs it: distances in hexes, and how far units see, read from a scenario's files."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Ground:
    """R15.2 The map: its hexes, and how far a name and a type are made out."""

    hexes: frozenset[str]
    name_at: int
    type_at: int
    commandos_until: str
    """R11.6 The last day of the commandos, as an ISO date."""

    @classmethod
    def read(cls, files: Mapping[str, str]) -> "Ground":
        """From the texts of a scenario's files by name."""
        drawn, tables = json.loads(files["map.json"]), tomllib.loads(files["tables.toml"])
        sight, commandos = tables["sight"], tables["commandos"]
        hexes = frozenset(each["id"] for each in drawn["hexes"])
        return cls(hexes, sight["identity"], sight["type"], str(commandos["last_day"]))


def distance(one: str, other: str) -> int:
    """Hexes from one to the other. Rows go from A in the south to Z; every second, A first, lies half a hex east."""
    (x, y), (u, v) = _at(one), _at(other)
    rows, halves = abs(y - v), abs(x - u)
    return rows + max(0, (halves - rows) // 2)


def _at(name: str) -> tuple[int, int]:
    """(half hexes from the west, rows from the south)."""
    found = re.fullmatch(r"([A-Z])(\d+)", name)
    assert found, name
    row = ord(found[1]) - ord("A")
    return 2 * int(found[2]) + (row % 2 == 0), row
