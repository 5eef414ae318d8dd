"""The parts of a position, as plain JSON: what changes of it have in common."""

import datetime
from typing import Any

Json = dict[str, Any]
_ALLIED_HALF = ("allied_", "night")


def own_of(known: Json, fact: Json) -> Json | None:
    own: Json | None = known["own"].get(fact["side"])
    return own


def unit_of(known: Json, fact: Json, name: str = "unit") -> Json | None:
    own = own_of(known, fact)
    return None if own is None else own["units"].get(fact[name])


def stamp(known: Json) -> int:
    """Portions since the beginning of time, two a day: the unit in which a side remembers when it saw a hex."""
    opened = known["open"]
    later: bool = opened["phase"].startswith(_ALLIED_HALF)
    today = datetime.date.fromisoformat(opened["date"])
    return today.toordinal() * 2 + later


def go(known: Json, own: Json, unit: Json, path: list[str]) -> None:
    unit["at"] = path[-1]
    if unit["branch"] != "commando":
        own["entered"] |= dict.fromkeys(path, stamp(known))


def lose(own: Json, unit: str) -> None:
    if unit in own["units"]:
        own["lost"][unit] = own["units"].pop(unit)


def out_of_sight(known: Json, fact: Json) -> None:
    """A unit that is gone, as the enemy was told, is seen no more: by its name, or one unnamed where it was.

    R15.2 Nor is it remembered.
    """
    for side, own in known["own"].items():
        if side == fact["side"]:
            continue
        named = [seen for seen in own["sightings"] if seen["unit"] == fact["unit"]]
        there = [seen for seen in own["sightings"] if seen["unit"] is None and seen["at"] == fact["at"]]
        gone = (named or there)[:1]
        own["sightings"] = [seen for seen in own["sightings"] if not any(seen is each for each in gone)]
        own["last_seen"] = [each for each in own["last_seen"] if each["sighting"]["unit"] != fact["unit"]]
