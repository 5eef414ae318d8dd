"""What a View of the area game may show, from what its audience knows and was told."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.secrecy.oracle.account import GM, Account, Gap, Played
from tests.secrecy.oracle.area_activation.land import Land

Json = dict[str, Any]
PUBLIC = "public"


def gaps_in_view(view: Json, played: Played, who: str, account: Account, land: Land) -> Iterator[Gap]:
    """Where a View shows what its audience may not know, or lacks what it knows. The game master has no gaps."""
    facts = [event["fact"] for event in (*account.earlier, *account.told)]
    ways = [way for fact in facts if (way := _way(fact))]
    shown = {
        "audience": (who, view["audience"]),
        "counters": (sorted(_counters(account.known, who)), sorted(map(_shown_counter, view["counters"]))),
        "sightings": ([], [*view["sightings"], *view["traces"], *view["flights"], *view["front"]]),
        "markers": (sorted(_objectives(account.known, land)), sorted(_marker(view, "objective"))),
        "combats": ([], sorted(set(_marker(view, "combat")) - {_fight(fact) for fact in facts})),
        "control": (sorted(map(list, account.known["open"]["control"].items())), sorted(view["control"])),
        "panels": (dict(_panels(account.known, land)), _named_rows(view)),
        "arrows": ([], [arrow for arrow in view["arrows"] if arrow["path"] not in ways]),
        "(names)": ([], _strange_names(view, who, account, land)),
    }
    for name, (may, does) in shown.items():
        if may != does:
            yield Gap(who, played.name, "View", name, may, does)


def _counters(known: Json, who: str) -> Iterator[str]:
    """R45 Own units and those in sight, with all about them; for the public all, or none where units are hidden."""
    parts = known["own"].values()
    units = [unit for own in parts for unit in own["units"].values()]
    units += [] if who == GM else [unit for own in parts for unit in own["seen"]]
    for unit in known["open"]["shown"] if who == PUBLIC else units:
        signs = [sign for sign in ("acted", "unfuelled", "unsupplied") if unit[sign]]
        yield json.dumps([unit["side"], unit["id"], unit["at"], unit["strength"], signs])


def _shown_counter(counter: Json) -> str:
    (strength,) = (figure["value"] for figure in counter["figures"] if figure["key"] == "strength")
    about = [counter[name] for name in ("side", "unit", "at")]
    return json.dumps([*about, strength, sorted(counter["states"])])


def _objectives(known: Json, land: Land) -> Iterator[str]:
    """R42 The spaces with points, and who holds them."""
    for place, holder in known["open"]["control"].items():
        if land.spaces[place].get("points"):
            yield json.dumps([place, holder, land.spaces[place]["points"]])


def _marker(view: Json, kind: str) -> list[str]:
    found = [marker for marker in view["markers"] if marker["kind"] == kind]
    return [json.dumps([each["at"], each["side"], each["value"]]) for each in found]


def _fight(fact: Json) -> str:
    """R25 A combat of which everybody was told."""
    fight = fact.get("fight") or {"at": None, "attacker": None}
    return json.dumps([fight["at"], fight["attacker"], 0])


def _panels(known: Json, land: Land) -> Iterator[tuple[str, list[str]]]:
    """R13 Contested spaces; R38, R39 what an own side has to come. Points and time follow from what is open."""
    contested = known["open"]["contested"]
    if contested:
        yield "contested", [land.spaces[place]["name"] for place in contested]
    for side, own in known["own"].items():
        if own["due"] or own["reserve"]:
            yield f"waiting-{side}", [land.units[unit]["name"] for unit in (*own["due"], *own["reserve"])]


def _named_rows(view: Json) -> dict[str, list[str]]:
    rows = {panel["key"]: [row[0] for row in panel["rows"]] for panel in view["panels"]}
    return {key: row for key, row in rows.items() if key not in ("points", "time")}


def _way(fact: Json) -> list[str]:
    """The spaces of a move, a retreat or a breakthrough of which the audience is told."""
    if fact["type"] == "Moved":
        return list(fact["path"])
    return [fact["start"], fact["to"]] if fact["type"] in ("Retreated", "BrokeThrough") else []


def _strange_names(view: Json, who: str, account: Account, land: Land) -> list[str]:
    """Names of enemy units in the View's words of which the audience has neither been told nor knows."""
    if who == GM:
        return []
    words, heard = json.dumps(view), json.dumps([account.earlier, account.told, account.known])
    strange = [card for id_, card in land.units.items() if card["side"] != who and f'"{id_}"' not in heard]
    return sorted(card["name"] for card in strange if re.search(rf"(?<![\w/]){re.escape(card['name'])}(?!\w)", words))
