"""R47, R48 Who is asked while the sheets of a day are played: worked out from what everybody knows alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.secrecy.oracle.account import Played
from tests.secrecy.oracle.area_activation.land import Land, enemy_of
from tests.secrecy.oracle.area_activation.memory import remember

Json = dict[str, Any]
Question = dict[str, Any]

_ACTS: Mapping[str, tuple[str, ...]] = {
    "choice": ("Asked", "Used", "Passed", "Activated"),
    "combats": ("Asked", "Joined", "Rolled", "Fought", "TurnOver"),
    "retreat": ("Asked", "FellBack", "Stood"),
    "defender": ("Asked", "Hit", "Eliminated", "Retreated", "Staged"),
    "attacker": ("Asked", "Hit", "Eliminated", "Staged", "CombatOver"),
    "breakthrough": ("Asked", "BrokeThrough", "CombatOver"),
}
"""By the stage of a turn: the facts with which what is to be decided there is decided, or asked."""


def decisions(played: Played, land: Land) -> Iterator[tuple[Question | None, Question | None]]:
    """For each decision of a phase: the question that is due, as everybody sees, and the one that was asked."""
    known: Json = {"open": _copied(played.before["open"]), "own": {}, "hidden": None}
    decided: Json = {}
    for event in played.events:
        fact, opened = event["fact"], known["open"]
        stage = {"stage": opened["stage"], "answered": opened["answered"], "fight": opened["fights"]}
        if event["phase"].startswith("turn") and fact["type"] in _ACTS.get(opened["stage"], ()) and decided != stage:
            decided = stage
            yield question_due(opened, land), fact["question"] if fact["type"] == "Asked" else None
        if fact["type"] in ("Answered", "Unanswered", "Turned"):
            decided = {}
        remember(known, _copied(fact))


def question_due(opened: Json, land: Land) -> Question | None:
    """The question that must be asked now, from the open part of a position."""
    return next((each for each in _wanted(opened, land) if _must_ask(opened, each)), None)


def _must_ask(opened: Json, question: Question) -> bool:
    options, side = opened["options"], question["side"]
    if question["about"] in (*opened["answered"], *opened["missed"].get(side, [])):
        return False
    if options["alternation"] == "live":
        return True
    if sum(opened["asked"].values()) >= options["questions"]:
        return False
    wishes = question["about"] in opened["asks"].get(side, [])
    return wishes and bool(opened["asked"].get(side, 0) < options["questions_of_a_side"])


def _wanted(opened: Json, land: Land) -> Iterator[Question]:
    """What is to be decided now, by either side."""
    side, fight, at = opened["turn"], opened["fight"], opened["fight"] and opened["fight"]["at"]
    match opened["stage"]:
        case "choice":
            yield from _choice(opened, side)
        case "combats" if len(opened["fights"]) > 1:
            yield {"about": "combats", "side": side, "at": None}
        case "retreat" if _could_retreat(opened, fight, land):
            yield {"about": "retreats", "side": enemy_of(fight["attacker"]), "at": at}
        case "defender" if _chooses(fight["defenders"], fight["on_defender"]):
            yield {"about": "losses", "side": enemy_of(fight["attacker"]), "at": at}
        case "attacker" if _chooses(fight["attackers"], fight["on_attacker"]):
            yield {"about": "losses", "side": fight["attacker"], "at": at}
        case "breakthrough" if _could_go_on(opened, fight, land):
            yield {"about": "breakthroughs", "side": fight["attacker"], "at": at}


def _choice(opened: Json, side: str) -> Iterator[Question]:
    """R9 An activation if the side wants to be asked about it, else a pass if it is allowed.

    Nothing if everybody sees that nobody is left to act.
    """
    idle = ("acted", "active", "unsupplied", "unfuelled")
    own = [unit for unit in opened["shown"] if unit["side"] == side]
    if opened["options"]["fog"] == "off" and all(any(unit[sign] for sign in idle) for unit in own):
        return
    if opened["options"]["alternation"] == "live" or "activations" in opened["asks"].get(side, []):
        yield {"about": "activations", "side": side, "at": None}
    elif not opened["surprise"] and (side != opened["initiative"] or opened["passes"]):
        yield {"about": "passes", "side": side, "at": None}


def _could_retreat(opened: Json, fight: Json, land: Land) -> bool:
    """R32, ruling 8: an adjoining space is the defender's alone, full or not, and no defender lacks supply or fuel."""
    side, contested = enemy_of(fight["attacker"]), opened["contested"]
    ways = [at for at in land.near[fight["at"]] if opened["control"][at] == side and at not in contested]
    reasons = {part["reason"] for fighter in fight["defenders"] for part in fighter["chance"]}
    return bool(ways) and "without supply or fuel" not in reasons


def _chooses(fighters: list[Json], hits: int) -> bool:
    """R31 Whether in some round there are fewer hits than units: each takes one before any takes a second."""
    left = [fighter["strength"] for fighter in fighters]
    hits = min(hits, sum(left))
    while hits >= (alive := sum(strength > 0 for strength in left)) > 0:
        hits, left = hits - alive, [max(0, strength - 1) for strength in left]
    return hits > 0


def _could_go_on(opened: Json, fight: Json, land: Land) -> bool:
    """R33 Whether armor is left that a border lets through: into forest by road only."""
    armor = [each["unit"] for each in fight["attackers"] if land.units[each["unit"]]["kind"] == "armor"]
    near = land.near[fight["at"]]
    free = [at for at in near if land.spaces[at]["terrain"] != "forest" or frozenset((fight["at"], at)) in land.roads]
    return bool(free) and any(unit not in opened["lost"] for unit in armor)


def _copied(part: Json) -> Json:
    return {name: list(each) if isinstance(each, list) else dict(each) if isinstance(each, dict) else each
            for name, each in part.items()}  # fmt: skip
