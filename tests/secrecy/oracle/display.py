"""What a View may show, from what its audience knows and was told: each part that names a unit or a place.

The rest of a View is formatting: tables, words, the front line. It is held against the account by printing the account.
"""

import datetime
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tests.secrecy.oracle.account import GM, Account, Gap, Played
from tests.secrecy.oracle.ground import distance

Json = dict[str, Any]

_READS_AS = {"armour": "armor", "infantry": "infantry", "PzGr": "mechanized", "commando": "commando", "contact": None}
"""R15.2 The arm that a type from afar is drawn as."""


def gaps_in_view(view: Json, played: Played, who: str, account: Account) -> Iterator[Gap]:
    """Where a View shows what its audience may not know, or lacks a unit that it knows. The game master has no gaps."""
    shown = {
        "counters": (_counters(account.known), _shown_counters(view)),
        "sightings": (sorted(_sightings(account)), sorted(json.dumps(each) for each in view["sightings"])),
        "markers": (_markers(account), sorted(_marker(each) for each in view["markers"])),
        "audience": (who, view["audience"]),
    }
    for name, (may, does) in shown.items():
        if may != does:
            yield Gap(who, played.name, "View", name, *_apart(may, does))
    for name, unknown in (
        ("arrows", _strange_arrows(view, account.told)),
        ("flights", _strange_flights(view, account)),
        ("traces", _strange_traces(view, account.known)),
        ("(names)", _strange_names(view, played, who, account)),
    ):
        if unknown:
            yield Gap(who, played.name, "View", name, [], unknown)


def _apart(may: Any, does: Any) -> tuple[Any, Any]:
    """Only what differs, of two lists."""
    if isinstance(may, list):
        counted = Counter(map(str, may)), Counter(map(str, does))
        return sorted((counted[0] - counted[1]).elements()), sorted((counted[1] - counted[0]).elements())
    return may, does


def _counters(known: Json) -> list[Json]:
    """The own units on the map, with the strength and the state that only their side knows."""
    units = [(side, unit) for side, own in known["own"].items() for unit in own["units"].values() if unit["at"]]
    return sorted((_counter(known, side, unit) for side, unit in units), key=lambda each: str(each["unit"]))


def _counter(known: Json, side: str, unit: Json) -> Json:
    level = known["own"][side]["positions"].get(unit["at"], 0) if unit["branch"] != "commando" else 0
    states = {
        "unsupplied": not unit["supplied"],
        "moved": unit["moved"],
        "fought": unit["fought"],
        "dug_in": level == 1,
        "entrenched": level == 2,
    }
    about = {name: unit[name] for name in ("at", "label", "name", "branch", "echelon", "small")}
    figures = {"strength": unit["strength"], "movement": unit["movement"]}
    return about | {"unit": unit["id"], "side": side, **figures, "states": sorted(key for key in states if states[key])}


_OTHER_STATES = ("new", "reduced", "scattered", "detached")
"""Conditions of own units that follow from its counter's other fields and the date."""


def _shown_counters(view: Json) -> list[Json]:
    shown = []
    for counter in view["counters"]:
        figures = {figure["key"]: figure["value"] for figure in counter["figures"]}
        states = sorted(key for key in counter["states"] if key not in _OTHER_STATES)
        shown.append({**{name: counter[name] for name in counter if name != "figures"}, **figures, "states": states})
    return sorted(shown, key=lambda each: str(each["unit"]))


def _sightings(account: Account) -> Iterator[str]:
    known = account.known
    today = datetime.date.fromisoformat(known["open"]["date"])
    met = {event["fact"]["met"] for event in account.told if event["fact"]["type"] == "Moved"} - {None}
    for side, own in known["own"].items():
        (enemy,) = {"german", "allied"} - {side}
        for at in sorted(met - {seen["at"] for seen in own["sightings"]}):  # R4.7 something is there, but not what
            yield json.dumps(_sighting(_SOMETHING | {"at": at}, enemy, None))
        for seen in own["sightings"]:
            yield json.dumps(_sighting(seen, enemy, None))
        for each in own["last_seen"]:
            age = (today - datetime.date.fromisoformat(each["since"])).days
            yield json.dumps(_sighting(each["sighting"], enemy, age))


_SOMETHING: Json = {"type": "contact", "branch": None, "label": "", "echelon": ""}


def _sighting(seen: Json, enemy: str, age: int | None) -> Json:
    branch = seen["branch"] or _READS_AS[seen["type"]]
    about = {"at": seen["at"], "side": enemy, "branch": branch, "label": seen["label"], "echelon": seen["echelon"]}
    return about | {"age": age, "count": None}


def _markers(account: Account) -> list[str]:
    """R15 Objectives, depots and battles are public; of positions a side knows its own and those in sight."""
    marks: list[tuple[Any, ...]] = []
    known = account.known
    opened = known["open"]
    depots = {"intact": "depot", "captured": "captured_depot", "destroyed": "destroyed_depot"}
    marks += [("objective", at, side) for at, side in opened["control"].items()]
    marks += [
        (depots[status], at, "german" if status == "captured" else None) for at, status in opened["depots"].items()
    ]
    marks += [("battle", battle["at"], battle["attacker"]) for battle in opened["battles"]]
    fought = [event["fact"] for event in account.told if event["fact"]["type"] == "BattleFought"]
    marks += [("battle", fact["at"], fact["attacker"]) for fact in fought]
    for side, own in known["own"].items():
        (enemy,) = {"german", "allied"} - {side}
        marks += [("position", at, enemy, level) for at, level in own["seen_positions"].items()]
    return sorted(json.dumps(mark) for mark in marks)


def _marker(marker: Json) -> str:
    about = (marker["kind"], marker["at"], marker["side"])
    return json.dumps((*about, marker["value"]) if marker["kind"] == "position" else about)


def _strange_arrows(view: Json, told: Sequence[Json]) -> list[Json]:
    """Arrows that do not follow the way of a unit of which the audience was told."""
    ways = {(fact["fact"].get("side"), *_way(fact["fact"])) for fact in told}
    for event in told:
        if event["fact"]["type"] == "BattleOpened":
            battle = event["fact"]["battle"]
            ways |= {(battle["attacker"], each["comes_from"], battle["at"]) for each in battle["attackers"]}
    return [arrow for arrow in view["arrows"] if not any(_along(arrow, way) for way in ways)]


def _way(fact: Json) -> list[str | None]:
    """The places of a fact about one unit's way, in order; with the hex at which it was stopped."""
    if fact["type"] in ("Moved", "Pursued"):
        return [fact.get("start"), *fact["path"], *([at] if (at := fact.get("met") or fact.get("before")) else [])]
    if fact["type"] in ("Retreated", "Advanced", "Followed"):
        return [fact["start"], *fact.get("through", ()), fact["to"]]
    return []


def _along(arrow: Json, way: Sequence[str | None]) -> bool:
    side, *places = way
    path = arrow["path"]
    return side == arrow["side"] and any(places[n : n + len(path)] == path for n in range(len(places)))


def _strange_flights(view: Json, account: Account) -> list[Json]:
    """Air units over places of which no fact that was told speaks."""
    places = {place for event in account.told for place in _places(event["fact"])}
    own = {unit["at"] for part in account.known["own"].values() for unit in part["units"].values()}
    return [flight for flight in view["flights"] if flight["at"] not in places | own]


def _places(fact: Json) -> Iterator[str]:
    yield from (fact[name] for name in ("at", "wanted", "to") if isinstance(fact.get(name), str))
    if fact["type"] == "BattleOpened":
        yield fact["battle"]["at"]
    if fact["type"] == "MissionsPlanned":
        yield from (target["at"] for target in fact["missions"]["interdictions"])


def _strange_traces(view: Json, known: Json) -> list[Json]:
    """R7.2 Ruling 46: supply routes to others than own units, or that are barred by what the side does not see.

    A barred hex adjoins an enemy in sight, or holds one; if nothing in sight bars the route, none is named.
    """
    strange = []
    for trace in view["traces"]:
        own = known["own"].get(trace["side"], {"units": {}, "sightings": []})
        units = {unit["label"]: unit for unit in own["units"].values() if not unit["supplied"]}
        enemies = [seen["at"] for seen in own["sightings"] if seen["type"] != "commando"]
        unit = units.get(trace["label"])
        barred = all(any(distance(at, enemy) <= 1 for enemy in enemies) for at in trace["barred"])
        if unit is None or trace["path"][0] != unit["at"] or not barred:
            strange.append(trace)
    return strange


def _strange_names(view: Json, played: Played, who: str, account: Account) -> list[str]:
    """Names of units that are in the View's words, and that the audience never met."""
    if who == GM:
        return []
    words = json.dumps(view, ensure_ascii=False)
    heard = json.dumps([account.told, account.known], ensure_ascii=False)
    names = {
        name
        for position in (played.before, played.after)
        for side, own in position["own"].items()
        if side != who
        for unit in (*own["units"].values(), *own["lost"].values())
        for name in (unit["label"], unit["name"])
    }
    return sorted(name for name in names if _speaks_of(words, name) and not _speaks_of(heard, name))


def _speaks_of(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w/])", text) is not None
