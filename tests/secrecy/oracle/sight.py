"""R15.1, R15.2, R13.7 What a side makes out of the enemy, from where all units really are."""

import datetime
from collections.abc import Iterator
from typing import Any

from tests.secrecy.oracle.chosen import chosen
from tests.secrecy.oracle.ground import Ground, distance

Json = dict[str, Any]

_TYPE = {
    "armor": "armour",
    "infantry": "infantry",
    "airborne": "infantry",
    "mechanized": "PzGr",
    "commando": "commando",
}
"""R15.2 Airborne reads as infantry, mechanized units and cavalry as Panzergrenadiers."""


def sightings(truth: Json, side: str, ground: Ground) -> list[Json]:
    """R15.2 The enemies in sight of a side now."""
    met = truth["own"][side]["identified"]
    edge = chosen(truth["open"], "third_band")
    found = [
        seen
        for unit in _others_on_map(truth, side)
        if (seen := _seen(unit, _far(truth, side, unit), ground, met=unit["id"] in met, edge=edge))
    ]
    return sorted(found, key=_in_order)


def _seen(unit: Json, far: int, ground: Ground, *, met: bool, edge: str) -> Json | None:
    named = far <= ground.name_at or (met and far <= ground.type_at)
    if unit["branch"] == "commando" and far > ground.name_at:  # R11 they are seen at a name's distance or not at all
        return None
    if named:
        about = {"unit": unit["id"], "label": unit["label"], "branch": unit["branch"], "echelon": unit["echelon"]}
        return {"at": unit["at"], "type": _TYPE[unit["branch"]], **about}
    if far > ground.type_at:
        return None
    kind = "contact" if far == ground.type_at and edge == "contact" else _TYPE[unit["branch"]]
    return {"at": unit["at"], "type": kind, "unit": None, "label": "", "branch": None, "echelon": ""}


def positions(truth: Json, side: str, ground: Ground) -> Json:
    """R13.7 The enemy's prepared positions that a side sees: at a name's distance."""
    eyes = [at for at, _ in _eyes(truth, side)]
    dug = [each for other in truth["own"] if other != side for each in truth["own"][other]["positions"].items()]
    return {at: level for at, level in dug if any(distance(at, eye) <= ground.name_at for eye in eyes)}


def memories(truth: Json, side: str, ground: Ground, now: list[Json]) -> list[Json]:
    """R15.2 Ruling 45: enemies out of sight again, where they were, if the campaign keeps them."""
    if chosen(truth["open"], "last_known") != "kept":
        return []
    own, today = truth["own"][side], truth["open"]["date"]
    since = _yesterday(today) if truth["open"]["phase"] == "morning" else today  # when sight was last updated (R15.1)
    before = [{"sighting": seen, "since": since} for seen in own["sightings"]] + own["last_seen"]
    kept = [each for each in before if _remembered(truth, side, ground, now, each, today)]
    return sorted(kept, key=lambda each: (*_in_order(each["sighting"]), each["since"]))


def _yesterday(today: str) -> str:
    return (datetime.date.fromisoformat(today) - datetime.timedelta(days=1)).isoformat()


def _remembered(truth: Json, side: str, ground: Ground, now: list[Json], memory: Json, today: str) -> bool:
    seen = memory["sighting"]
    reach = ground.name_at if seen["type"] == "commando" else ground.type_at
    in_sight = any(
        distance(seen["at"], eye) <= reach
        for eye, grounded in _eyes(truth, side)
        if grounded or seen["type"] != "commando"
    )
    elsewhere = seen["unit"] is not None and seen["unit"] in {each["unit"] for each in now}
    gone = any(_destroyed(truth["own"][other]["lost"].get(seen["unit"])) for other in truth["own"] if other != side)
    over = seen["type"] == "commando" and today > ground.commandos_until
    return not (in_sight or elsewhere or gone or over)


def _destroyed(lost: Json | None) -> bool:
    """Not of a task force that has rejoined its unit and left nothing: its side alone is told that (R8.3)."""
    return lost is not None and not (lost["parent"] and not lost["strength"])


def _far(truth: Json, side: str, unit: Json) -> int:
    """From the nearest of the side's units that can see it: commandos do not see commandos."""
    commando = unit["branch"] == "commando"
    return min((distance(eye, unit["at"]) for eye, grounded in _eyes(truth, side) if grounded or not commando),
               default=99)  # fmt: skip


def _eyes(truth: Json, side: str) -> Iterator[tuple[str, bool]]:
    """The hexes of a side's units on the map, and whether each is a ground unit."""
    for unit in truth["own"][side]["units"].values():
        if unit["at"] is not None:
            yield unit["at"], unit["branch"] != "commando"


def _others_on_map(truth: Json, side: str) -> Iterator[Json]:
    for other in truth["own"]:
        if other != side:
            yield from (unit for unit in truth["own"][other]["units"].values() if unit["at"] is not None)


def _in_order(seen: Json) -> tuple[Any, ...]:
    """By place, then as it reads: an order that is the same whatever is not made out."""
    return tuple(seen[name] for name in ("at", "type", "label"))
