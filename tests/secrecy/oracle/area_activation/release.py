"""Who is told what in the area game, written from its rules (R45 to R48, the table) and the reference (H1 to H6)."""

import re
from collections.abc import Mapping
from typing import Any

from tests.secrecy.oracle.area_activation.land import Land, enemy_of, is_fog

Json = dict[str, Any]
PUBLIC = "public"
SIDES = ("german", "allied")
EVERYONE = (*SIDES, PUBLIC)

_TO_EVERYONE = """
    Turned DayBegan BritishFreed Replaced Wished Asked Unanswered Passed Taken ContestedNow CombatsDue Joined Fought
    Stood FellBack Hit Eliminated Retreated Staged CombatOver TurnOver Ended ControlSet PointsSet
"""
"""R45 Control, contested spaces, points and combats; R47, R48 who wants to be asked, and is; H6 replacements."""
_TO_ITS_SIDE = """
    Noted Planned Used CouldNotMove
"""
_TO_ITS_SIDE_IN_FOG = """
    SupplyChecked Starved Delayed UnitPlaced StrengthSet UnitRemoved SignSet
"""


def told(fact: Json, truth: Json, land: Land) -> dict[str, Json]:
    """The fact as each audience may be told it; an audience that may not know of it is missing."""
    kind = fact["type"]
    if kind in _TO_ITS_SIDE.split():
        return {fact["side"]: fact}
    if kind in _TO_EVERYONE.split():
        return dict.fromkeys(EVERYONE, fact)
    if kind in _ANYWAY:
        return dict(_ANYWAY[kind](fact, truth, land))
    if kind in _TO_ITS_SIDE_IN_FOG.split():
        return {fact["side"]: fact} if is_fog(truth) else dict.fromkeys(EVERYONE, fact)
    whole = with_sight(fact, truth, land)
    return dict(_IN_FOG[kind](whole)) if is_fog(truth) else dict.fromkeys(EVERYONE, whole)


# --- whether units are hidden or not ---------------------------------------------------------------------------------


def _rolled(fact: Json, truth: Json, land: Land) -> Mapping[str, Json]:
    """R26 The dice of combats, which are open: what each is for names the unit, what it does, and where."""
    _, _, at, unit = fact["label"].split("/")
    card = land.units[unit]
    verb = "attacks" if card["side"] == truth["open"]["turn"] else "defends"
    said = f"{card['name']} {verb} in {land.spaces[at]['name']}, hits with "
    chance = re.fullmatch(r"(10|\d) or less", fact["purpose"].removeprefix(said))
    return dict.fromkeys(EVERYONE, fact | {"purpose": f"{said}{chance[0] if chance else 'a number'}"})


def _answered(fact: Json, _truth: Json, _land: Land) -> Mapping[str, Json]:
    """R48 That a side has answered is open, what it has answered is its own."""
    return {who: fact if who == fact["side"] else fact | {"lines": []} for who in EVERYONE}


def _lapsed(fact: Json, _truth: Json, _land: Land) -> Mapping[str, Json]:
    """R41, H2 The target of an operation that is not carried out stays sealed."""
    return {"german": fact}


def _sighted(fact: Json, truth: Json, land: Land) -> Mapping[str, Json]:
    """R45 Each side what it sees now; the public all units, if nothing is hidden, and nothing else."""
    units = {unit["id"]: unit for own in truth["own"].values() for unit in own["units"].values()}
    shown = [] if is_fog(truth) else [dict(units[unit]) for unit in sorted(units)]
    faces = {side: fact | {"pictures": {side: land.seen(truth, side)}, "shown": shown} for side in SIDES}
    if shown != truth["open"]["shown"]:
        faces[PUBLIC] = fact | {"pictures": {}, "shown": shown}
    return faces


_ANYWAY = {"Rolled": _rolled, "Answered": _answered, "CommandoLapsed": _lapsed, "Sighted": _sighted}


# --- where units are hidden ------------------------------------------------------------------------------------------


def with_sight(fact: Json, truth: Json, land: Land) -> Json:
    """The fact with what the enemy really sees of it, whatever it says."""
    if "seen" not in fact:
        return fact
    side = fact.get("side", "german")
    watched = land.watched(truth, enemy_of(side))
    match fact["type"]:
        case "Moved":
            return fact | {"seen": [place for place in fact["path"] if place in watched]}
        case "BrokeThrough":
            return fact | {"seen": fact["to"] in watched}
        case "MeuseReached":
            return fact | {"seen": truth["own"][side]["units"][fact["unit"]]["at"] in watched}
        case "RanDry":
            units = truth["own"][side]["units"]
            return fact | {"seen": [unit for unit in fact["units"] if units[unit]["at"] in watched]}
    return fact | {"seen": fact["at"] in watched}


def _activated(fact: Json) -> Mapping[str, Json]:
    """R45 That a side activates a space is open; which one, the enemy knows if it sees it; which units act, nobody."""
    nothing = fact | {"at": None, "units": [], "seen": False}
    return _of(fact, enemy=fact | {"units": []} if fact["seen"] else nothing, public=nothing)


def _moved(fact: Json) -> Mapping[str, Json]:
    """R45 The enemy knows the part of the way that it sees."""
    part = fact | {"path": fact["seen"], "strategic": False, "across": False, "barred": None}
    return _of(fact, enemy=part if fact["seen"] else None)


def _if_seen(fact: Json) -> Mapping[str, Json]:
    return _of(fact, enemy=fact if fact["seen"] else None)


def _points(**unknown: Any) -> Any:
    """R42, R45 The points are open, and who has made them is not, where nobody sees it."""

    def faces(fact: Json) -> Mapping[str, Json]:
        nobody = fact | unknown | {"seen": False}
        return _of({"side": "german", **fact}, enemy=fact if fact["seen"] else nobody, public=nobody, whole=fact)

    return faces


def _dry(fact: Json) -> Mapping[str, Json]:
    """R37 The Allies know whom of their marked units they see without fuel."""
    own = {"german": fact | {"seen": []}}
    return own | ({"allied": fact | {"units": fact["seen"]}} if fact["seen"] else {})


def _of(fact: Json, *, enemy: Json | None, public: Json | None = None, whole: Json | None = None) -> dict[str, Json]:
    faces = {fact["side"]: whole or fact, enemy_of(fact["side"]): enemy, PUBLIC: public}
    return {who: face for who, face in faces.items() if face is not None}


_IN_FOG = {
    "Activated": _activated,
    "Moved": _moved,
    "Arrived": _if_seen,
    "BrokeThrough": _if_seen,
    "MeuseReached": _points(unit=None),
    "Exited": _points(at=None),
    "RanDry": _dry,
    "Marked": lambda fact: dict.fromkeys(SIDES, fact),
    "CommandoStruck": lambda fact: {**dict.fromkeys(SIDES, fact), PUBLIC: fact | {"unit": None}},
}
