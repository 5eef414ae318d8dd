"""How maps call sides. The legend and lists say the same."""

from collections.abc import Sequence

from campaign.engine.values.ids import SideId


def side_title(side: SideId) -> str:
    return side.replace("_", " ").capitalize()


def letter_of(sides: Sequence[SideId], side: SideId) -> str:
    """The first letter of a side's title; two letters if another side begins with the same."""
    title = side_title(side)
    alike = any(other != side and side_title(other)[:1] == title[:1] for other in sides)
    return title[: 2 if alike else 1]
