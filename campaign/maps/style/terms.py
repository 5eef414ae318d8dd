"""What maps call the things on them that every ruleset has: sizes, events, borders, sides. The legend and lists say the
same.
"""

from collections.abc import Sequence

from campaign.engine.display.signs import ArrowKind, Echelon
from campaign.engine.display.views import BorderKind, Sortie
from campaign.engine.values.ids import SideId

SIZES = {
    Echelon.TEAM: "Team",
    Echelon.BATTALION: "Battalion",
    Echelon.REGIMENT: "Regiment",
    Echelon.BRIGADE: "Brigade",
    Echelon.DIVISION: "Division",
}
EVENTS = {
    ArrowKind.MOVE: "Move",
    ArrowKind.STOPPED: "Stopped",
    ArrowKind.ATTACK: "Attack",
    ArrowKind.ADVANCE: "Advance",
    ArrowKind.RETREAT: "Retreat",
}
SORTIES = {Sortie.PLANNED: "planned", Sortie.FAILED: "without success"}
BORDERS = {
    BorderKind.RIVER: "River",
    BorderKind.GREAT_RIVER: "Great river",
    BorderKind.FRONTIER: "Frontier",
    BorderKind.CLOSED: "Closed side",
}


def side_title(side: SideId) -> str:
    return side.replace("_", " ").capitalize()


def letter_of(sides: Sequence[SideId], side: SideId) -> str:
    """The first letter of a side's title; two letters if another side begins with the same."""
    title = side_title(side)
    alike = any(other != side and side_title(other)[:1] == title[:1] for other in sides)
    return title[: 2 if alike else 1]
