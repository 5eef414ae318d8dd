"""The map as sight and retreats need it: distances in hexes, and how far units see, read from a scenario's files."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.secrecy.oracle.chosen import chosen

Json = dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """R15.2 The map: its hexes, and how far a name and a type are made out."""

    hexes: frozenset[str]
    name_at: int
    type_at: int
    commandos_until: str
    """R11.6 The last day of the commandos, as an ISO date."""
    towns: frozenset[tuple[str, str]]
    """Hexes with the names of their towns."""
    closed: frozenset[frozenset[str]]
    """R6.5 The closed hexsides, each as the two hexes that it parts."""

    @classmethod
    def read(cls, files: Mapping[str, str]) -> "Ground":
        """From the texts of a scenario's files by name."""
        drawn, tables = json.loads(files["map.json"]), _tables(files)
        sight, commandos = tables["sight"], tables["commandos"]
        hexes = frozenset(each["id"] for each in drawn["hexes"])
        towns = frozenset((each["id"], each["town"]) for each in drawn["hexes"] if each.get("town"))
        closed = frozenset(map(frozenset, drawn["closed_hexsides"]))
        return cls(hexes, sight["identity"], sight["type"], str(commandos["last_day"]), towns, closed)

    def name_of(self, place: str) -> str:
        """A hex as reports name it."""
        town = dict(self.towns).get(place, "")
        return f"{town} ({place})" if town else place

    def adjoins(self, one: str, other: str) -> bool:
        """R5.1, R6.5 Whether a unit could go from one hex to the other, and controls it."""
        return distance(one, other) == 1 and {one, other} not in self.closed

    def leaves_a_choice(self, battle: Json, opened: Json) -> bool:
        """R12.5 Ruling 54: whether the defeated may have a choice, by the map and the attackers who are left.

        More than one hex must be open; where retreats may be longer, one. Friends and longer retreats make up for
        zones of control.
        """
        longer = chosen(opened, "retreat_length") == "clear"
        came = {each["comes_from"] for each in battle["attackers"]} - {None}
        free = {at for at in self.hexes - came if self.adjoins(battle["at"], at)}
        if not (longer or chosen(opened, "friends_cover_retreat")):
            free = {at for at in free if not any(self.adjoins(at, enemy) for enemy in came)}
        return len(free) > (0 if longer else 1)


def _tables(files: Mapping[str, str]) -> Json:
    """The tables that apply: those of tables.toml, laid over the charts that the scenario shares with others."""
    own = tomllib.loads(files["tables.toml"])
    if name := tomllib.loads(files["scenario.toml"]).get("charts"):
        shared = tomllib.loads(files[f"charts/{name}.toml"])
        return {table: {**rows, **own.get(table, {})} for table, rows in shared.items()}
    return own


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
