"""What maps call the things on them: arms, sizes, states, events, sides. The legend and whatever tells of a map in
words say the same.
"""

from collections.abc import Sequence

from campaign.engine.ids import SideId
from campaign.engine.views import ArrowKind, BorderKind, Branch, Echelon, FlightKind, LineKind, Sortie, UnitState

ARMS = {
    Branch.INFANTRY: "Infantry",
    Branch.AIRBORNE: "Airborne",
    Branch.ARMOR: "Armour",
    Branch.MECHANIZED: "Mechanized",
    Branch.COMMANDO: "Commando",
}
SIZES = {
    Echelon.TEAM: "Team",
    Echelon.BATTALION: "Battalion",
    Echelon.REGIMENT: "Regiment",
    Echelon.BRIGADE: "Brigade",
    Echelon.DIVISION: "Division",
}
STATES = {
    UnitState.UNSUPPLIED: "Unsupplied",
    UnitState.OUT_OF_FUEL: "Out of fuel",
    UnitState.FOUGHT: "Has fought",
    UnitState.MOVED: "Has moved",
    UnitState.NEW: "New",
    UnitState.REDUCED: "Task force",
    UnitState.DUG_IN: "Dug-in",
    UnitState.ENTRENCHED: "Entrenched",
}
EVENTS = {
    ArrowKind.MOVE: "Move",
    ArrowKind.STOPPED: "Stopped",
    ArrowKind.ATTACK: "Attack",
    ArrowKind.ADVANCE: "Advance",
    ArrowKind.RETREAT: "Retreat",
}
BARRED = "Supply barred"
FLIGHTS = {
    FlightKind.INTERDICTION: "Interdiction",
    FlightKind.CLOSE_SUPPORT: "Close air support",
    FlightKind.SUPPLY_DROP: "Supply by air",
    FlightKind.PARADROP: "Paratroops",
}
SORTIES = {Sortie.PLANNED: "planned", Sortie.FAILED: "without success"}
ROADS = {LineKind.MAIN_ROAD: "Main road", LineKind.SECONDARY_ROAD: "Secondary road"}
BORDERS = {
    BorderKind.RIVER: "River",
    BorderKind.GREAT_RIVER: "Great river",
    BorderKind.FRONTIER: "Frontier",
    BorderKind.CLOSED: "Closed side",
}


def side_title(side: SideId) -> str:
    return side.replace("_", " ").capitalize()


def letter_of(sides: Sequence[SideId], side: SideId) -> str:
    """The first letter of a side's title; two where another side begins with the same."""
    title = side_title(side)
    alike = any(other != side and side_title(other)[:1] == title[:1] for other in sides)
    return title[: 2 if alike else 1]
