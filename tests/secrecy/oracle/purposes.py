"""R2.2, R3, R9.6, R11 What a die is for, in the words that its audience is told: what all of them know anyway."""

import datetime
from collections.abc import Callable, Mapping
from typing import Any

from tests.secrecy.oracle.ground import Ground

Json = dict[str, Any]
_NAMES = {"german": "German", "allied": "Allied"}


def purpose_of(label: str, truth: Json, ground: Ground) -> str:
    """What a roll with this label is for. Raises KeyError for a kind that only the game master may see."""
    kind, *parts = label.split("/")
    return _WORDS[kind](parts, truth, ground)


def _weather(parts: list[str], _truth: Json, _ground: Ground) -> str:
    return f"weather of {datetime.date.fromisoformat(parts[0]):%-d %B}"


def _air(parts: list[str], truth: Json, _ground: Ground) -> str:
    return f"{_NAMES[parts[0]]} air units ({truth['open']['weather'][f'{parts[0]}_air']:+d})"


def _interdiction(parts: list[str], _truth: Json, ground: Ground) -> str:
    return f"the {_NAMES[parts[1]]} side in the interdiction of {ground.name_of(parts[0])}"


def _demolition(parts: list[str], _truth: Json, ground: Ground) -> str:
    return f"the demolition of the depot of {ground.name_of(parts[0])}"


def _search(parts: list[str], truth: Json, _ground: Ground) -> str:
    return f"the search for {truth['own']['german']['units'][parts[0]]['label']}"


def _landing(_parts: list[str], truth: Json, _ground: Ground) -> str:
    own = truth["own"]["german"]
    return f"the landing of {own['units'][own['missions']['jump']['unit']]['label']}"


_WORDS: Mapping[str, Callable[[list[str], Json, Ground], str]] = {
    "weather": _weather,
    "air": _air,
    "interdiction": _interdiction,
    "demolition": _demolition,
    "commando": _search,
    "paratroops": _landing,
}
