"""Who is told what in the toy, and what each side sees, written from its rules."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Areas:
    """R2.1 The areas of a scenario."""

    near: Mapping[str, frozenset[str]]
    """The areas linked to each."""
    names: Mapping[str, str]

    @classmethod
    def read(cls, files: Mapping[str, str]) -> "Areas":
        """From the texts of the scenario's files by name."""
        areas = tomllib.loads(files["areas.toml"])["area"]
        near: dict[str, set[str]] = {area["id"]: set(area.get("links", ())) for area in areas}
        for area, others in [(area, tuple(others)) for area, others in near.items()]:
            for other in others:  # links are written once
                near[other].add(area)
        linked = {area: frozenset(others) for area, others in near.items()}
        return cls(linked, {area["id"]: area["name"] for area in areas})


def told(fact: Json, truth: Json, areas: Areas) -> dict[str, Json]:
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
        return {side: {"type": kind, "pictures": {side: seen(truth, side, areas.near)}} for side in sides}
    if kind == "Rolled":  # R1.2, R5.3 by the audience that was named before
        named = (*sides, PUBLIC) if fact["audience"] == PUBLIC else (fact["audience"],)
        return {
            who: fact | {"purpose": _purpose(fact["label"], truth, areas)} for who in named if who in (*sides, PUBLIC)
        }
    if kind not in _TO_EVERYONE.split():
        raise KeyError(kind)
    return dict.fromkeys((*sides, PUBLIC), fact)


def _purpose(label: str, truth: Json, areas: Areas) -> str:
    """R1.2, R5.3 What a die is for: the first turn of a day, or a force in a fight, by its name and its place."""
    kind, *parts = label.split("/")
    if kind == "first":
        return "the first turn"
    attack = truth["open"]["attack"]
    name = attack["name"] if parts[1] == attack["attacker"] else attack["defender_name"]
    return {"combat": f"{name} at {areas.names[parts[0]]}"}[kind]


def seen(truth: Json, side: str, near: Mapping[str, frozenset[str]]) -> list[Json]:
    """R6.1 Enemy forces in areas linked to the side's own, without their strength."""
    eyes = {force["at"] for force in truth["own"][side]["forces"].values()}
    others = [force for other in truth["own"] if other != side for force in truth["own"][other]["forces"].values()]
    found = [force for force in others if near.get(force["at"], frozenset()) & eyes]
    pictures = [{"at": force["at"], "force": force["id"], "name": force["name"]} for force in found]
    return sorted(pictures, key=lambda each: str(each["at"]))
