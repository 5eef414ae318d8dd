"""What follows from facts in the area game: a position as it is known, changed by one fact as it was told."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Json = dict[str, Any]


def remember(known: Json, fact: Json) -> None:
    """Change a position by a fact; raises KeyError for a kind that is not known here."""
    _CHANGES[fact["type"]](known, fact)


def _own(known: Json, side: str) -> Json:
    """The part of a side; where it is not known, a part that is thrown away."""
    nobody: Json = {"units": {}, "due": {}, **{part: [] for part in ("reserve", "plan", "reply", "crossed")}}
    own: Json = known["own"].get(side) or nobody
    return own


def _unit(known: Json, side: str, unit: str) -> Json:
    found: Json = _own(known, side)["units"].get(unit, {"strength": 0})
    return found


def _all(known: Json) -> Iterable[Json]:
    return [unit for own in known["own"].values() for unit in own["units"].values()]


# --- the sequence ----------------------------------------------------------------------------------------------------


def _turned(known: Json, fact: Json) -> None:
    known["open"] |= {name: fact[name] for name in ("phase", "date", "turn", "surprise")}
    if fact["new_turn"]:
        known["open"] |= {"stage": "choice", "fights": [], "fight": None, "question": None, "answered": []}
        for own in known["own"].values():
            own |= {"reply": [], "crossed": []}


def _day_began(known: Json, fact: Json) -> None:
    opened = {"initiative": fact["initiative"], "decides": fact["decides"], "turns": {}, "passes": 0}
    asked = {} if fact["decides"] else known["open"]["asked"]
    known["open"] |= opened | {"asks": {}, "asked": asked, "missed": {}}
    for own in known["own"].values():
        own |= {"plan": [], "reply": []}
    for unit in _all(known):
        unit |= {"acted": False, "active": False, "unfuelled": False}


def _supply_checked(known: Json, fact: Json) -> None:
    for id_, unit in _own(known, fact["side"])["units"].items():
        unit["unsupplied"] = id_ in fact["out"]


def _score(known: Json, points: int) -> None:
    opened = known["open"]
    total = opened["points"] + points
    opened["points"] = total if opened["options"]["negative_points"] else max(0, total)


def _meuse(known: Json, fact: Json) -> None:
    known["open"]["meuse_reached"] = True
    _score(known, fact["points"])


def _arrived(known: Json, fact: Json) -> None:
    _put(_own(known, fact["side"]), fact)


def _put(own: Json, fact: Json) -> None:
    unit, signs = fact["unit"], ("acted", "active", "unsupplied", "unfuelled", "across")
    new = {"id": unit, "side": fact["side"], "strength": fact["strength"], **dict.fromkeys(signs, False)}
    own["units"][unit] = own["units"].get(unit, new) | {"at": fact["at"]}
    own["due"].pop(unit, None)
    own["reserve"] = [each for each in own["reserve"] if each != unit]


def _delayed(known: Json, fact: Json) -> None:
    if fact["unit"] in _own(known, fact["side"])["due"]:
        known["own"][fact["side"]]["due"][fact["unit"]]["delayed"] = True


def _dry(known: Json, fact: Json) -> None:
    for unit in fact["units"]:
        _unit(known, "german", unit)["unfuelled"] = True


def _stronger(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"])["strength"] += 1


def _weaker(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"])["strength"] -= fact.get("points", 1)


def _commando(known: Json, fact: Json) -> None:
    known["open"]["commando_used"] = True
    _unit(known, "allied", fact["unit"])["acted"] = True


# --- sheets and questions --------------------------------------------------------------------------------------------


def _planned(known: Json, fact: Json) -> None:
    _own(known, fact["side"])["plan"] = fact["lines"]


def _used(known: Json, fact: Json) -> None:
    plan = _own(known, fact["side"])["plan"]
    if fact["line"] in plan:
        plan.remove(fact["line"])


def _wished(known: Json, fact: Json) -> None:
    known["open"]["asks"][fact["side"]] = fact["decisions"]


def _asked(known: Json, fact: Json) -> None:
    opened, side = known["open"], fact["question"]["side"]
    opened["question"] = fact["question"]
    opened["asked"][side] = opened["asked"].get(side, 0) + 1


def _answered(known: Json, fact: Json) -> None:
    known["open"] |= {"question": None, "answered": [*known["open"]["answered"], fact["about"]]}
    own = _own(known, fact["side"])
    own["reply"] = [*fact["lines"], *own["reply"]]


def _unanswered(known: Json, fact: Json) -> None:
    opened, side = known["open"], fact["side"]
    opened["question"] = None
    opened["missed"][side] = [*opened["missed"].get(side, []), fact["about"]]


# --- turns -----------------------------------------------------------------------------------------------------------


def _turn_of(known: Json, side: str) -> None:
    turns = known["open"]["turns"]
    turns[side] = turns.get(side, 0) + 1


def _passed(known: Json, fact: Json) -> None:
    _turn_of(known, fact["side"])
    known["open"] |= {"passes": known["open"]["passes"] + 1, "stage": "done"}


def _activated(known: Json, fact: Json) -> None:
    _turn_of(known, fact["side"])
    known["open"]["passes"] = 0
    _joined(known, fact)


def _joined(known: Json, fact: Json) -> None:
    for unit in fact["units"]:
        _unit(known, fact["side"], unit)["active"] = True


def _moved(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"]).update(at=fact["path"][-1], across=fact["across"])
    if fact["barred"] is not None:
        _own(known, fact["side"])["crossed"].append(fact["barred"])


def _exited(known: Json, fact: Json) -> None:
    _own(known, "german")["units"].pop(fact["unit"], None)
    known["open"]["gone"].append(fact["unit"])
    _score(known, fact["points"])


def _taken(known: Json, fact: Json) -> None:
    known["open"]["control"][fact["place"]] = fact["side"]
    _score(known, fact["points"])


def _turn_over(known: Json, fact: Json) -> None:
    known["open"]["stage"] = "done"
    for unit in _own(known, fact["side"])["units"].values():
        unit |= {"acted": unit["acted"] or unit["active"], "active": False, "across": False}


# --- combat ----------------------------------------------------------------------------------------------------------


def _due(known: Json, fact: Json) -> None:
    known["open"] |= {"fights": fact["places"], "stage": "combats", "answered": []}


def _fought(known: Json, fact: Json) -> None:
    left = [place for place in known["open"]["fights"] if place != fact["fight"]["at"]]
    known["open"] |= {"fight": dict(fact["fight"]), "fights": left, "stage": "retreat", "answered": []}


def _fell_back(known: Json, _fact: Json) -> None:
    fight = known["open"]["fight"]
    fight |= {"retreats": True, "on_defender": max(0, fight["on_defender"] - 1)}
    _staged(known, {"stage": "defender"})


def _staged(known: Json, fact: Json) -> None:
    known["open"] |= {"stage": fact["stage"], "answered": []}


def _eliminated(known: Json, fact: Json) -> None:
    _own(known, fact["side"])["units"].pop(fact["unit"], None)
    known["open"]["lost"].append(fact["unit"])
    _score(known, fact["points"])


def _retreated(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"]).update(at=fact["to"], acted=True)


def _broke_through(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"]).update(at=fact["to"], acted=True, active=False)
    if fact["barred"]:
        _own(known, fact["side"])["crossed"].append([fact["start"], fact["to"]])


def _combat_over(known: Json, _fact: Json) -> None:
    known["open"]["fight"] = None
    _staged(known, {"stage": "combats"})


# --- sight, the end, rulings -----------------------------------------------------------------------------------------


def _sighted(known: Json, fact: Json) -> None:
    known["open"]["shown"] = fact["shown"]
    for side, picture in fact["pictures"].items():
        _own(known, side)["seen"] = picture


def _removed(known: Json, fact: Json) -> None:
    _own(known, fact["side"])["units"].pop(fact["unit"], None)


def _sign_set(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"])[fact["sign"]] = fact["on"]


def _strength_set(known: Json, fact: Json) -> None:
    _unit(known, fact["side"], fact["unit"])["strength"] = fact["strength"]


def _nothing(_known: Json, _fact: Json) -> None:
    """It is told, and nothing follows from it."""


_CHANGES: Mapping[str, Callable[[Json, Json], None]] = {
    "Turned": _turned,
    "DayBegan": _day_began,
    "SupplyChecked": _supply_checked,
    "Starved": _weaker,
    "MeuseReached": _meuse,
    "BritishFreed": lambda known, _fact: known["open"].update(british_free=True),
    "Arrived": _arrived,
    "Delayed": _delayed,
    "RanDry": _dry,
    "Replaced": _stronger,
    "CommandoStruck": _commando,
    "Planned": _planned,
    "Used": _used,
    "Wished": _wished,
    "Asked": _asked,
    "Answered": _answered,
    "Unanswered": _unanswered,
    "Passed": _passed,
    "Activated": _activated,
    "Joined": _joined,
    "Moved": _moved,
    "Exited": _exited,
    "Taken": _taken,
    "ControlSet": _taken,
    "ContestedNow": lambda known, fact: known["open"].update(contested=fact["places"]),
    "CombatsDue": _due,
    "Fought": _fought,
    "Stood": lambda known, _fact: _staged(known, {"stage": "defender"}),
    "FellBack": _fell_back,
    "Hit": _weaker,
    "Eliminated": _eliminated,
    "Retreated": _retreated,
    "BrokeThrough": _broke_through,
    "Staged": _staged,
    "CombatOver": _combat_over,
    "TurnOver": _turn_over,
    "Sighted": _sighted,
    "Ended": lambda known, fact: known["open"].update(ended=True, winner=fact["winner"]),
    "UnitPlaced": _arrived,
    "UnitRemoved": _removed,
    "StrengthSet": _strength_set,
    "SignSet": _sign_set,
    "PointsSet": lambda known, fact: known["open"].update(points=fact["points"]),
    **dict.fromkeys(("Rolled", "Noted", "Marked", "CommandoLapsed", "CouldNotMove"), _nothing),
}
