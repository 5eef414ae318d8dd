"""What follows from facts: a position as it is known, changed by one fact as it was told.

The same function keeps the truth, from the facts themselves, and what an audience may know, from what it was told. A
position is plain JSON with `open` and the `own` parts that are known; parts that are missing are left alone.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.secrecy.oracle import fights, muster
from tests.secrecy.oracle.position import go, lose, out_of_sight, own_of, stamp, unit_of

Json = dict[str, Any]


def remember(known: Json, fact: Json) -> None:
    """Change a position by a fact; raises KeyError for a kind that is not known here."""
    _CHANGES[fact["type"]](known, fact)


# --- the day -------------------------------------------------------------------------------------------------------


def _turned(known: Json, fact: Json) -> None:
    opened = known["open"]
    opened["phase"] = fact["phase"]
    if fact["date"] != opened["date"]:
        opened["date"] = fact["date"]
        opened["turn"] += 1
        opened |= {"air": {}, "air_winner": None, "removals": 0}
        for own in known["own"].values():
            own |= {"identified": [], "drops_flown": 0, "barrages": 0, "missions": _NO_MISSIONS}
    for side, own in known["own"].items():
        if fact["phase"] == f"{side}_sheet":
            _begin_portion(own)
        if fact["phase"] == "german_sheet":  # purchases ask in the morning who fought on the day before (R14.4)
            own.pop("demolition_cost", None)
            for unit in own["units"].values():
                unit["fought"] = False
    if fact["phase"].endswith("_after"):
        opened["routs"] = []


def _begin_portion(own: Json) -> None:
    """R4, R12.10 What units did in their side's last portion is over, and what they owe is due."""
    own |= {"plots": [], "close_support": {}, "followers": {}, "advances": {}}
    for unit in _all_units(own):
        unit |= {"spent": 0, "moved": False, "attacked": False, "dislodged": False, "split": False}
        unit |= {"debt": unit["absorbed"], "absorbed": 0}


def _all_units(own: Json) -> Iterator[Json]:
    yield from own["units"].values()
    yield from own["lost"].values()


_NO_MISSIONS: Json = {"priorities": [], "drops": [], "interdictions": [], "jump": None}


def _weather(known: Json, fact: Json) -> None:
    known["open"] |= {"weather": fact["today"], "forecast": None}


def _forecast(known: Json, fact: Json) -> None:
    known["open"]["forecast"] = fact["tomorrow"]


def _fuel(sign: int) -> Callable[[Json, Json], None]:
    def change(known: Json, fact: Json) -> None:
        known["open"]["fuel"] += sign * fact["points"]

    return change


def _fuel_set(known: Json, fact: Json) -> None:
    known["open"]["fuel"] = fact["points"]


def _captured(known: Json, fact: Json) -> None:
    known["open"]["depots"][fact["place"]] = "captured"
    known["open"]["fuel"] += fact["value"]


def _demolished(known: Json, fact: Json) -> None:
    if fact["destroyed"]:
        known["open"]["depots"][fact["place"]] = "destroyed"


def _paid(known: Json, fact: Json) -> None:
    """R9.5 Ruling 72: until the purchases of the next morning are made."""
    if (own := own_of(known, fact)) is not None:
        own["demolition_cost"] = fact["points"]


def _depot_set(known: Json, fact: Json) -> None:
    known["open"]["depots"][fact["place"]] = fact["status"]


def _controlled(known: Json, fact: Json) -> None:
    known["open"]["control"][fact["place"]] = fact["side"]


def _ended(known: Json, _fact: Json) -> None:
    known["open"]["ended"] = True


def _scouted(known: Json, fact: Json) -> None:
    now = stamp(known)
    for side, own in known["own"].items():
        if side not in fact["sightings"]:
            continue
        own["sightings"] = fact["sightings"][side]
        own["seen"] |= {seen["at"]: now for seen in own["sightings"] if seen["type"] != "commando"}
        own["seen_positions"] = fact["positions"].get(side, {})
        own["last_seen"] = fact["last_seen"].get(side, [])


def _dug(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["positions"][fact["at"]] = fact["level"]


def _undug(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["positions"].pop(fact["at"], None)


# --- in the air ----------------------------------------------------------------------------------------------------


def _available(known: Json, fact: Json) -> None:
    known["open"]["air"][fact["side"]] = {"available": fact["units"], "boxes": {}}


def _allocated(known: Json, fact: Json) -> None:
    known["open"]["air"][fact["side"]]["boxes"] = dict(fact["boxes"])


def _won(known: Json, fact: Json) -> None:
    known["open"] |= {"air_winner": fact["side"], "removals": fact["removals"]}


def _removed(known: Json, fact: Json) -> None:
    known["open"]["air"][fact["side"]]["boxes"][fact["box"]] -= 1
    known["open"]["removals"] -= 1


def _planned(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["missions"] = fact["missions"]


def _dropped(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["units"][fact["unit"]]["supplied"] = True
        own["drops_flown"] += 1


def _interdicted(known: Json, fact: Json) -> None:
    if fact["success"] and fact["side"] and (unit := unit_of(known, fact)) is not None:
        unit["supplied"] = False


def _landed(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is None:
        return
    landing, unit = fact["landing"], own["units"][fact["unit"]]
    if landing == "eliminated":
        lose(own, fact["unit"])
    elif landing != "called off":
        unit |= {"at": fact["at"], "scattered": landing == "scattered"}
        own["entered"][fact["at"]] = stamp(known)


def _close_support(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["close_support"][fact["unit"]] = fact["air_units"]


# --- on the ground -------------------------------------------------------------------------------------------------


def _moved(known: Json, fact: Json) -> None:
    own, unit = own_of(known, fact), unit_of(known, fact)
    if own is None or unit is None:
        return
    path = fact["path"]
    unit["spent"] = fact["spent"]
    if path:
        unit["moved"] |= len(path) > (fact["start"] is None)
        go(known, own, unit, path)


def _placed(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        if fact["unit"] in own["lost"]:
            own["units"][fact["unit"]] = own["lost"].pop(fact["unit"])
        own["units"][fact["unit"]]["dislodged"] = True
        go(known, own, own["units"][fact["unit"]], [fact["at"]])


def _detached(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        parent, force = own["units"][fact["parent"]], dict(fact["task_force"])
        own["units"][force["id"]] = force
        parent |= {"split": True, "lent": force["strength"], "strength": parent["strength"] - force["strength"]}
        parent["tanks"] -= force["tanks"]


def _rejoined(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        parent, force = own["units"][fact["parent"]], own["units"].pop(fact["unit"])
        both_moved = parent["moved"] and force["moved"]  # R10.6 its own fuel is paid only if its unit has moved too
        gone = {"at": None, "strength": 0, "tanks": 0, "heavy_tanks": 0, "bought": {}, "moved": both_moved}
        muster.rejoined(parent, force)
        own["lost"][force["id"]] = force | gone
        parent |= {"split": True, "lent": 0, "strength": min(100, parent["strength"] + force["strength"])}
        parent |= {"spent": max(parent["spent"], force["spent"]), "debt": max(parent["debt"], force["debt"])}
        parent |= {name: parent[name] or force[name] for name in ("moved", "fought")}
        parent["absorbed"] += force["absorbed"]
        for name in ("tanks", "heavy_tanks"):
            parent[name] += force[name]
        for goods, amount in force["bought"].items():
            parent["bought"][goods] = parent["bought"].get(goods, 0) + amount


def _cut_off(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit["supplied"] = False


def _resupplied(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit["supplied"] = True


def _plotted(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["plots"].append({"unit": fact["unit"], "path": list(fact["path"])})
        if fact["contact"] and known.get("hidden"):
            known["hidden"]["contacts"] = sorted({*known["hidden"]["contacts"], fact["unit"]})


def _following(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["followers"][fact["unit"]] = {"leader": fact["leader"], "until": fact["until"]}


def _followed(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit |= {"at": fact["to"], "dislodged": True}


def _searched(known: Json, fact: Json) -> None:
    own = own_of(known, fact)
    if not fact["eliminated"]:
        return
    if own is not None:
        lose(own, fact["unit"])
    out_of_sight(known, fact)


def _commandos_gone(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        for unit in fact["units"]:
            lose(own, unit)


def _nothing(_known: Json, _fact: Json) -> None:
    """It is told, and nothing follows from it."""


_CHANGES: Mapping[str, Callable[[Json, Json], None]] = {
    "Turned": _turned,
    "WeatherSet": _weather,
    "Forecast": _forecast,
    "FuelReceived": _fuel(1),
    "FuelSpent": _fuel(-1),
    "FuelSet": _fuel_set,
    "DepotCaptured": _captured,
    "Demolished": _demolished,
    "DemolitionPaid": _paid,
    "DepotSet": _depot_set,
    "Controlled": _controlled,
    "CampaignEnded": _ended,
    "Scouted": _scouted,
    "Dug": _dug,
    "PositionGone": _undug,
    "AirAvailable": _available,
    "AirAllocated": _allocated,
    "SuperiorityWon": _won,
    "AirRemoved": _removed,
    "MissionsPlanned": _planned,
    "AirDropped": _dropped,
    "Interdicted": _interdicted,
    "Landed": _landed,
    "CloseSupport": _close_support,
    "Moved": _moved,
    "UnitPlaced": _placed,
    "Detached": _detached,
    "Rejoined": _rejoined,
    "CutOff": _cut_off,
    "Resupplied": _resupplied,
    "Plotted": _plotted,
    "Following": _following,
    "Followed": _followed,
    "CommandoSearched": _searched,
    "CommandosGone": _commandos_gone,
    "UnitAdded": muster.added,
    "UnitRemoved": muster.removed,
    "TanksSet": muster.tanks_set,
    "GoodsSet": muster.goods_set,
    "LineWritten": muster.written,
    "LineStruck": muster.struck,
    "BattleOpened": fights.opened,
    "BattleFought": fights.fought,
    "BattleRuled": fights.ruled,
    "Weakened": fights.weakened,
    "StrengthSet": fights.strength_set,
    "Resized": fights.resized,
    "TanksLost": fights.tanks_lost,
    "Absorbed": fights.absorbed,
    "Destroyed": fights.destroyed,
    "Routed": fights.routed,
    "Beaten": fights.beaten,
    "Retreated": fights.retreated,
    "AdvanceOrdered": fights.advance_ordered,
    "Advanced": fights.advanced,
    "Pursued": fights.pursued,
    "ArtilleryNamed": fights.artillery,
    "Supported": fights.supported,
    "Reinforced": fights.reinforced,
    **dict.fromkeys(("Rolled", "Noted", "AttackLapsed", "TaskForceDenied"), _nothing),
}
