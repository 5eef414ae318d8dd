"""R12, R14, R15.3 What follows from facts about battles, and about the strength of units."""

from typing import Any

from tests.secrecy.oracle import muster
from tests.secrecy.oracle.position import go, lose, out_of_sight, own_of, unit_of

Json = dict[str, Any]


def opened(known: Json, fact: Json) -> None:
    battle = fact["battle"]
    known["open"]["battles"].append(battle)
    attackers, defenders = ([each["unit"] for each in battle[name]] for name in ("attackers", "defenders"))
    for side, own in known["own"].items():
        mine, others = (attackers, defenders) if side == battle["attacker"] else (defenders, attackers)
        for unit in mine:
            own["units"][unit] |= {"fought": True, "attacked": side == battle["attacker"]}
        own["identified"] = sorted({*own["identified"], *others})


def fought(known: Json, fact: Json) -> None:
    opened = known["open"]
    opened["battles"] = [battle for battle in opened["battles"] if battle["at"] != fact["at"]]
    for own in known["own"].values():
        own["support"].pop(fact["at"], None)
    if known.get("hidden"):
        known["hidden"]["ruled"].pop(fact["at"], None)


def ruled(known: Json, fact: Json) -> None:
    if known.get("hidden"):
        what = {name: fact[name] for name in fact if name not in ("type", "at")}
        known["hidden"]["ruled"][fact["at"]] = what


def weakened(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit |= {"strength": fact["strength"], "small": fact["small"]}


def strength_set(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        strength = fact["strength"]
        unit |= {"strength": strength, "small": unit["small_from_start"] or strength + unit["lent"] <= 50}


def resized(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit["small"] = fact["small"]


def tanks_lost(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        bought = unit["bought"].pop("tanks", 0)
        from_bought = min(bought, fact["medium"])  # ruling 50
        if bought:
            unit["bought"]["tanks"] = bought - from_bought
        unit["tanks"] -= fact["medium"] - from_bought
        unit["heavy_tanks"] -= fact["heavy"]


def absorbed(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is not None:
        unit["strength"] += fact["gained"]
        unit["absorbed"] += fact["debt"]
        if (gone := known["own"][fact["side"]]["lost"].get(fact["remains_of"])) is not None:
            muster.absorbed(unit, gone)


def destroyed(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        lose(own, fact["unit"])
        parent = own["units"].get(own["lost"].get(fact["unit"], {}).get("parent"))
        if parent is not None:  # R8.4 headcount that was lent is lost with its task force
            parent["lent"] = 0
    out_of_sight(known, fact)


def routed(known: Json, fact: Json) -> None:
    known["open"]["routs"].append({"battle": fact["battle"], "choice": fact["choice"]})


def beaten(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["beaten"][fact["unit"]] = fact["wanted"]


def retreated(known: Json, fact: Json) -> None:
    own, unit = own_of(known, fact), unit_of(known, fact)
    if own is not None and unit is not None:
        unit["dislodged"] = True
        go(known, own, unit, [*fact["through"], fact["to"]])
        own["beaten"].pop(fact["unit"], None)


def advance_ordered(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["advances"][fact["at"]] = {"unit": fact["unit"], "pursuers": fact["pursuers"]}


def advanced(known: Json, fact: Json) -> None:
    own, unit = own_of(known, fact), unit_of(known, fact)
    if own is not None and unit is not None:
        unit["dislodged"] = True
        unit["moved"] |= fact["counts"]
        go(known, own, unit, [fact["to"]])


def pursued(known: Json, fact: Json) -> None:
    own, unit = own_of(known, fact), unit_of(known, fact)
    if own is not None and unit is not None and fact["path"]:
        unit["dislodged"] = True
        unit["moved"] |= fact["counts"]
        go(known, own, unit, fact["path"])


def artillery(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        own["artillery"] = list(fact["units"])


def supported(known: Json, fact: Json) -> None:
    if (own := own_of(known, fact)) is not None:
        had = own["support"].get(fact["at"], {"artillery": False})
        own["barrages"] += fact["support"]["artillery"] and not had["artillery"]  # planes are told apart from guns
        own["support"][fact["at"]] = fact["support"]


def reinforced(known: Json, fact: Json) -> None:
    if (unit := unit_of(known, fact)) is None:
        return
    if fact["goods"] == "men":
        unit["strength"] += fact["amount"]
    else:
        unit["bought"][fact["goods"]] = unit["bought"].get(fact["goods"], 0) + fact["amount"]
