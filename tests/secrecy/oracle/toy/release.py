"""Who is told what in the toy, and what each side sees, written from its rules."""

import tomllib
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
PUBLIC = "public"
EVERYONE = ("north", "south", PUBLIC)

_TO_EVERYONE = """
    Turned Rested Opened Played Passed Acted Attacked Answered Destroyed Taken Ended
"""
_TO_ITS_SIDE = """
    Noted Moved AttackLapsed StandingOrdersGiven Weakened FellBack Advanced ForcePlaced StrengthSet
"""


def links(files: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """R2.1 The areas linked to each, from the texts of the scenario's files."""
    areas = tomllib.loads(files["areas.toml"])["area"]
    near: dict[str, set[str]] = {area["id"]: set(area.get("links", ())) for area in areas}
    for area, others in [(area, tuple(others)) for area, others in near.items()]:
        for other in others:  # links are written once
            near[other].add(area)
    return {area: frozenset(others) for area, others in near.items()}


def told(fact: Json, truth: Json, near: Mapping[str, frozenset[str]]) -> dict[str, Json]:
    """The fact as each audience may be told it; an audience that may not know of it is missing."""
    kind, sides = fact["type"], tuple(truth["own"])
    if kind == "Shuffled":  # R4.1
        return {}
    if kind in _TO_ITS_SIDE.split():
        return {fact["side"]: fact}
    if kind == "Drawn":  # R4.2 everyone sees that a card was drawn
        return dict.fromkeys((*sides, PUBLIC), fact | {"card": None}) | {fact["side"]: fact}
    if kind == "Fought":  # R5.3 each side its own sum
        sums = {who: {who: fact["sums"][who]} if who in sides else {} for who in (*sides, PUBLIC)}
        return {who: fact | {"sums": sums[who]} for who in sums}
    if kind == "Scouted":
        return {side: {"type": kind, "pictures": {side: seen(truth, side, near)}} for side in sides}
    if kind == "Rolled":  # R1.2, R5.3 by the audience that was named before
        named = (*sides, PUBLIC) if fact["audience"] == PUBLIC else (fact["audience"],)
        return {who: fact for who in named if who in (*sides, PUBLIC)}
    if kind not in _TO_EVERYONE.split():
        raise KeyError(kind)
    return dict.fromkeys((*sides, PUBLIC), fact)


def seen(truth: Json, side: str, near: Mapping[str, frozenset[str]]) -> list[Json]:
    """R6.1 Enemy forces in areas linked to the side's own, without their strength."""
    eyes = {force["at"] for force in truth["own"][side]["forces"].values()}
    others = [force for other in truth["own"] if other != side for force in truth["own"][other]["forces"].values()]
    found = [force for force in others if near.get(force["at"], frozenset()) & eyes]
    pictures = [{"at": force["at"], "force": force["id"], "name": force["name"]} for force in found]
    return sorted(pictures, key=lambda each: str(each["at"]))
