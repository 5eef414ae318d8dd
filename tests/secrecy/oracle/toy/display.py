"""What a View of the toy may show, from what its audience knows and was told."""

import json
from collections.abc import Iterator
from typing import Any

from tests.secrecy.oracle.account import GM, Account, Gap, Played

Json = dict[str, Any]


def gaps_in_view(view: Json, played: Played, who: str, account: Account) -> Iterator[Gap]:
    """Where a View shows what its audience may not know, or lacks what it knows. The game master has no gaps."""
    known = account.known
    ways = [way for event in (*account.earlier, *account.told) if (way := _way(event["fact"]))]
    shown = {
        "audience": (who, view["audience"]),
        "counters": (sorted(_counters(known)), sorted(map(_shown_counter, view["counters"]))),
        "sightings": (sorted(_sightings(known)), sorted(json.dumps(each) for each in view["sightings"])),
        "markers": (sorted(_markers(known)), sorted(_marker(each) for each in view["markers"])),
        "panels": (dict(_hands(known)), {key: rows for key, rows in _panels(view) if key in _OF_A_SIDE}),
        "arrows": ([], [arrow for arrow in view["arrows"] if arrow["path"] not in ways]),
        "(names)": ([], _strange_names(view, played, who, account)),
    }
    for name, (may, does) in shown.items():
        if may != does:
            yield Gap(who, played.name, "View", name, may, does)


def _counters(known: Json) -> Iterator[str]:
    """R6.1 Own forces alone, with their strength."""
    for side, own in known["own"].items():
        for force in own["forces"].values():
            yield json.dumps([side, force["id"], force["at"], force["name"], force["strength"], force["spent"]])


def _shown_counter(counter: Json) -> str:
    (strength,) = (figure["value"] for figure in counter["figures"])
    about = [counter[name] for name in ("side", "unit", "at", "name")]
    return json.dumps([*about, strength, "spent" in counter["states"]])


def _sightings(known: Json) -> Iterator[str]:
    """R6.1 Where enemy forces are and which, but not how strong."""
    for side, own in known["own"].items():
        (enemy,) = {"north", "south"} - {side}
        for seen in own["seen"]:
            about = {"at": seen["at"], "side": enemy, "branch": "marines", "label": seen["force"]}
            yield json.dumps({**about, "echelon": "battalion", "age": None, "count": None})


def _markers(known: Json) -> Iterator[str]:
    """R7.1, R5.1 Objectives and the attack that everybody knows of."""
    opened = known["open"]
    yield from (json.dumps(["objective", at, side]) for at, side in opened["control"].items())
    if opened["attack"]:
        yield json.dumps(["attack", opened["attack"]["at"], opened["attack"]["attacker"]])


def _marker(marker: Json) -> str:
    return json.dumps([marker[name] for name in ("kind", "at", "side")])


_OF_A_SIDE = ("hand-north", "hand-south", "standing-north", "standing-south")


def _hands(known: Json) -> Iterator[tuple[str, list[str]]]:
    """R4.2, R5.6 The own hand, and the forces that the own standing orders name."""
    for side, own in known["own"].items():
        yield f"hand-{side}", own["hand"]
        yield f"standing-{side}", [order["force"] or "every force" for order in own["standing"]]


def _panels(view: Json) -> Iterator[tuple[str, list[str]]]:
    for panel in view["panels"]:
        rows = [row[0] for row in panel["rows"]]
        yield panel["key"], [row.partition(" will ")[0] for row in rows]


def _way(fact: Json) -> list[str]:
    """R3, R5.1 The areas of a move or an attack of which the audience is told."""
    if fact["type"] == "Moved":
        return [fact["start"], *fact["path"]]
    return [fact["attack"]["start"], fact["attack"]["at"]] if fact["type"] == "Attacked" else []


def _strange_names(view: Json, played: Played, who: str, account: Account) -> list[str]:
    """Names of forces that are in the View's words, and that the audience never met."""
    if who == GM:
        return []
    words, heard = json.dumps(view), json.dumps([account.earlier, account.told, account.known])
    others = [own["forces"] for side, own in played.before["own"].items() if side != who]
    names = {force["name"] for forces in others for force in forces.values()}
    return sorted(name for name in names if name in words and name not in heard)
