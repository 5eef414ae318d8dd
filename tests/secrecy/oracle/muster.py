"""R12.9, R12.10, R15.6 What follows from what the game master sets of a side's units, and who gets which ledger."""

from typing import Any

from tests.secrecy.oracle.chosen import chosen
from tests.secrecy.oracle.position import go, lose, own_of, unit_of

Json = dict[str, Any]

_NEW: Json = {
    "supplied": True,
    "arrives": None,
    "entry": None,
    "army": "",
    "corps": "",
    "spent": 0,
    "moved": False,
    "fought": False,
    "attacked": False,
    "dislodged": False,
    "split": False,
    "debt": 0,
    "absorbed": 0,
    "parent": None,
    "lent": 0,
    "raised": 0,
    "scattered": False,
    "establishment": 100,
}
_SCALES = {"full": 4, "three_quarters": 3, "half": 2}
"""2.11 Quarters of the printed movement."""


def added(known: Json, fact: Json) -> None:
    """Ruling 81: a unit of its kind, which has not moved."""
    if (own := own_of(known, fact)) is None:
        return
    label, branch, small = fact["label"], fact["branch"], fact["small"]
    size = "team" if branch == "commando" else "regiment" if small else "division"
    points = 3 if branch in ("infantry", "airborne") else 4
    medium, heavy = (3, 1) if branch == "armor" else (0, 0)  # R15.4
    unit = _NEW | {
        "id": label,
        "label": label,
        "name": label,
        "branch": branch,
        "echelon": size,
        "small": small or fact["strength"] <= 50,
        "small_from_start": small,
        "movement": -(-points * _SCALES[chosen(known["open"], "movement_scale")] // 4),
        "strength": fact["strength"],
        "tanks": medium,
        "heavy_tanks": heavy,
        "bought": {},
    }
    own["units"][label] = unit
    go(known, own, unit, [fact["at"]])


def removed(known: Json, fact: Json) -> None:
    """Ruling 82: no loss, and a unit of nobody if it comes back; headcount that it had of another one goes with it."""
    if (own := own_of(known, fact)) is not None:
        parent = own["units"].get(own["units"][fact["unit"]]["parent"])
        lose(own, fact["unit"])
        own["beaten"].pop(fact["unit"], None)
        own["lost"][fact["unit"]] |= {"at": None, "arrives": None, "entry": None, "parent": None}
        if parent is not None:
            parent["lent"] = 0


def tanks_set(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit |= {"tanks": fact["medium"], "heavy_tanks": fact["heavy"]}


def goods_set(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit["bought"] = {name: count for name, count in unit["bought"].items() if count and name != fact["goods"]}
        if fact["amount"]:
            unit["bought"][fact["goods"]] = fact["amount"]


def written(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        keep(unit, [*unit.get("ledger", []), fact["line"]])


def struck(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        lines = list(unit["ledger"])
        lines.remove(fact["line"])
        keep(unit, lines)


def rejoined(parent: Json, force: Json) -> None:
    """Ruling 79: a task force's lines come after its unit's, and it has none left."""
    keep(parent, [*parent.get("ledger", []), *force.get("ledger", [])])
    keep(force, [])


def absorbed(taker: Json, gone: Json) -> None:
    """Ruling 80: extras go on, with the label of the first unit that lost them; all else stays in its grave."""
    lines = gone.get("ledger", [])
    came = [line | {"origin": line["origin"] or gone["label"]} for line in lines if line["kind"] == "extra"]
    keep(taker, [*taker.get("ledger", []), *came])
    keep(gone, [line for line in lines if line["kind"] != "extra"])


def keep(unit: Json, lines: list[Json]) -> None:
    """A ledger without lines is not there."""
    unit.pop("ledger", None)
    if lines:
        unit["ledger"] = lines
