"""What everybody has of the area game: the map and the units as they are printed (R1, R2)."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Land:
    """Spaces by id, units by id, and which spaces adjoin."""

    spaces: Mapping[str, Json]
    near: Mapping[str, frozenset[str]]
    roads: frozenset[frozenset[str]]
    """Borders with a road."""
    units: Mapping[str, Json]

    @classmethod
    def read(cls, files: Mapping[str, str]) -> "Land":
        """From the texts of the scenario's files by name."""
        drawn = json.loads(files["map.json"])
        near: dict[str, set[str]] = {space["id"]: set() for space in drawn["spaces"]}
        for border in drawn["borders"]:
            near[border["a"]].add(border["b"])
            near[border["b"]].add(border["a"])
        return cls(
            spaces={space["id"]: space for space in drawn["spaces"]},
            near={place: frozenset(others) for place, others in near.items()},
            roads=frozenset(frozenset((each["a"], each["b"])) for each in drawn["borders"] if each.get("road")),
            units={row["id"]: row for row in csv.DictReader(io.StringIO(files["units.csv"]))},
        )

    def watched(self, truth: Json, side: str) -> frozenset[str]:
        """R45 The spaces of a side's units, those that it controls, and one border around both."""
        if not is_fog(truth):
            return frozenset(self.spaces)
        held = {unit["at"] for unit in truth["own"][side]["units"].values()}
        held |= {place for place, holder in truth["open"]["control"].items() if holder == side}
        return frozenset(held.union(*(self.near[place] for place in held)))

    def seen(self, truth: Json, side: str) -> list[Json]:
        """R45 The enemy units that a side sees, by their ids: all about them."""
        watched, units = self.watched(truth, side), truth["own"][enemy_of(side)]["units"]
        return [dict(units[unit]) for unit in sorted(units) if units[unit]["at"] in watched]


def is_fog(position: Json) -> bool:
    """R45 Whether the campaign has chosen that units are hidden."""
    return bool(position["open"]["options"]["fog"] == "on")


def enemy_of(side: str) -> str:
    return "allied" if side == "german" else "german"
