"""Adapters: how each kind of destination takes, changes, finds and deletes a post."""

from collections.abc import Mapping

from posting.adapters.discord import Discord
from posting.adapters.discourse import Discourse
from posting.adapters.places import (
    Adapter,
    InDoubt,
    NotSent,
    Outgoing,
    Place,
    PostRefused,
    Trouble,
    Wait,
)
from posting.adapters.xenforo import XenForo

ADAPTERS: Mapping[str, type[Adapter]] = {each.key: each for each in (Discourse, XenForo, Discord)}
"""By key, in the order of menus. Each is the key of the forum whose dialect it takes."""

__all__ = [
    "ADAPTERS",
    "Adapter",
    "Discord",
    "Discourse",
    "InDoubt",
    "NotSent",
    "Outgoing",
    "Place",
    "PostRefused",
    "Trouble",
    "Wait",
    "XenForo",
]
