"""2.10 What a campaign has chosen of its options."""

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

_USUAL: Mapping[str, Any] = {
    "battles": "outside",
    "friends_cover_retreat": False,
    "last_known": "none",
    "movement_scale": "full",
    "outside_allied": "1",
    "outside_german": "3",
    "retreat_length": "one",
    "separate_attacks": False,
    "separate_removals": False,
    "separate_retreats": False,
    "third_band": "type",
}
"""What a campaign has chosen of which its position says nothing."""


def chosen(opened: Json, option: str) -> Any:
    """A campaign's answer to one of its options, from the open part of a position."""
    return opened["options"].get(option, _USUAL[option])
