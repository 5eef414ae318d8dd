"""Who sees a place, as rulesets answer the GM."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from campaign.engine.values.ids import PlaceId, SideId


@dataclass(frozen=True)
class Sight:
    """What a side sees of a place, and by whom, in words."""

    seen: bool
    what: str
    """What it makes out there, or why it sees nothing: one sentence."""
    by: tuple[str, ...]
    """Its units that see the place, the nearest first: 12 VG at Q19, 1 hex away."""
    rule: str
    """The number of the rule that says so."""


SeesPlace: TypeAlias = Callable[[Any, Any, SideId, PlaceId], Sight]
"""(game data, the true state, side, place): how the side sees the place if it looks now."""
