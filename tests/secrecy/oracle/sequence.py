"""R1.2, R1.5 Who acts in a phase, by what everybody knows. Nothing else may decide it: that somebody acts is public."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.secrecy.oracle.chosen import chosen

Json = dict[str, Any]
NOBODY: frozenset[str] = frozenset()


def acts(opened: Json) -> frozenset[str]:
    """The audiences whose orders a phase waits for, from the open part of a position. Other phases run alone."""
    who = _ACTS.get(opened["phase"])
    return NOBODY if who is None or opened["ended"] else who(opened)


def _always(*who: str) -> Callable[[Json], frozenset[str]]:
    return lambda _opened: frozenset(who)


def _attacks(side: str) -> Callable[[Json], frozenset[str]]:
    """R4.4 If the campaign has a separate phase for attacks."""
    return lambda opened: frozenset({side}) if chosen(opened, "separate_attacks") else NOBODY


def _removals(opened: Json) -> frozenset[str]:
    """R3.7 The winner of air superiority, if there is something to remove and a phase for it."""
    chooses = chosen(opened, "separate_removals") and opened["removals"] and _flying(opened)
    return frozenset({opened["air_winner"]}) if chooses else NOBODY


def _flying(opened: Json) -> int:
    """The air units in the boxes of the side that has lost superiority."""
    return sum(sum(day["boxes"].values()) for side, day in opened["air"].items() if side != opened["air_winner"])


def _battles(opened: Json) -> frozenset[str]:
    """R12.1 The game master enters results, unless the rules decide all battles. R12.11 They do if none is outside."""
    if not opened["battles"] or chosen(opened, "battles") == "automatic":
        return NOBODY
    number = chosen(opened, f"outside_{opened['battles'][0]['attacker']}")
    return NOBODY if chosen(opened, "battles") == "by_choice" and number == "0" else frozenset({"gm"})


def _retreats(victor: str) -> Callable[[Json], frozenset[str]]:
    """R12.5 Ruling 54: the defeated, if by what everybody knows one of them may have a choice, and a phase for it."""
    (loser,) = {"german", "allied"} - {victor}
    return lambda opened: (
        frozenset({loser})
        if chosen(opened, "separate_retreats") and any(each["choice"] for each in opened["routs"])
        else NOBODY
    )


_ACTS: Mapping[str, Callable[[Json], frozenset[str]]] = {
    "air": _always("german", "allied"),
    "removals": _removals,
    "german_sheet": _always("german"),
    "german_attacks": _attacks("german"),
    "german_battles": _battles,
    "german_retreats": _retreats("german"),
    "allied_sheet": _always("allied"),
    "allied_attacks": _attacks("allied"),
    "allied_battles": _battles,
    "allied_retreats": _retreats("allied"),
}
