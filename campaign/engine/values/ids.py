"""Names of things, kept apart by type so that a unit is never passed for a place."""

from typing import NewType

SideId = NewType("SideId", str)
UnitId = NewType("UnitId", str)
PlaceId = NewType("PlaceId", str)
PhaseKey = NewType("PhaseKey", str)

Audience = NewType("Audience", str)
"""Who may learn something: a side (its SideId), the GM or the public."""

GM = Audience("gm")
PUBLIC = Audience("public")


def audience_of(side: SideId) -> Audience:
    """The audience that is the members of one side."""
    return Audience(side)
