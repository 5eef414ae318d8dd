"""Why an order does not happen, in words: for the problem of its line, and for the report."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rulesets.forum_campaign.model.facts.battle import CancelReason
from campaign.rulesets.forum_campaign.model.facts.movement import RefusalReason, StopReason


@dataclass(frozen=True)
class Reason:
    """A reason in both places. A refused line has its figures filled in."""

    refused: str
    """Empty if no line is refused for it."""
    reported: str
    rule: str = ""
    code: str = ""


HALTS: Mapping[StopReason, Reason] = {
    StopReason.GAP: Reason("{before} does not adjoin {last}", "the hexes do not adjoin", "R4"),
    StopReason.CLOSED: Reason("the hexside between {last} and {before} is closed", "the hexside is closed", "R6.5"),
    StopReason.ENEMY: Reason("{before} holds an enemy", "contact with the enemy", "R5.6"),
    StopReason.ZONE: Reason("", "an enemy zone of control"),
    StopReason.ALLOWANCE: Reason("{before} costs {price}, and it has {left} left", "it costs more than is left"),
    StopReason.UNSUPPLIED: Reason("it is unsupplied and may not move", "it is unsupplied", "R7.4"),
    StopReason.FULL: Reason("{goal} would hold too many units at the end", "no room there", "R5.5"),
    StopReason.FUEL: Reason(
        "the fuel in hand ({fuel} points) does not suffice for it; it stands still", "no fuel", "R10.7"
    ),
    StopReason.ENTRY: Reason("it cannot come onto the map at {before} today", "its way in is barred", "R14"),
    StopReason.TWICE: Reason("it moves already by a line above", "it has moved already", "R4"),
    StopReason.SCATTERED: Reason("it landed scattered and never moves", "it is scattered", "R11.8"),
    StopReason.STOPPED: Reason(
        "the enemy zone of control at {last} ends its move", "a zone of control ends its move", "R5.2"
    ),
    StopReason.ABSENT: Reason(
        "a task force is there below its DETACH line and above its REJOIN line only", "it is not there", "R8.1"
    ),
    StopReason.ASTRAY: Reason("it is not on the map and saves no movement", "it is off its plotted way", "R4.5"),
}
"""R4 Why a move ends before its time, or is not begun."""

LAPSES: Mapping[CancelReason, Reason] = {
    CancelReason.NOBODY_THERE: Reason("no enemy is there", "no enemy is there", "R12.2", "nobody-there"),
    CancelReason.NOT_ADJACENT: Reason("{to} is not next to {at}", "the hex is not next to it", "R12.2", "not-adjacent"),
    CancelReason.TOO_FAR: Reason(
        "it has spent {spent} points, an attacker at most {most}", "it has moved too far", "R4.4", "spent"
    ),
    CancelReason.UNSUPPLIED: Reason("it is unsupplied and may not attack", "it is unsupplied", "R7.4", "unsupplied"),
    CancelReason.OFF_MAP: Reason("it is not on the map", "it is not on the map", "R14", "off-map"),
    CancelReason.OWN_UNITS: Reason("{to} holds units of yours", "own units are there", "R12.2", "own"),
    CancelReason.TWICE: Reason("it attacks already by a line above", "it attacks elsewhere", "R12.2", "twice"),
    CancelReason.SCATTERED: Reason("it landed scattered and never attacks", "it is scattered", "R11.8", "scattered"),
    CancelReason.COMMANDO: Reason("commandos do not attack", "commandos do not attack", "R11.1", "commando"),
    CancelReason.ABSENT: Reason("there is no such task force when all have moved", "it is not there", "R8.1", "absent"),
}
"""R4.4, R12.2 Why an attack does not come about."""

DENIALS: Mapping[RefusalReason, str] = {
    RefusalReason.COMMANDO: "commandos have none",
    RefusalReason.SMALL: "a small unit cannot",
    RefusalReason.WEAK: "it has no more than 70 %",
    RefusalReason.OUT: "its task force is out already",
    RefusalReason.SPLIT: "it has created one or taken one back this turn",
    RefusalReason.OFF_MAP: "it is not on the map",
    RefusalReason.UNSUPPLIED: "it is unsupplied",
    RefusalReason.SCATTERED: "it is scattered",
    RefusalReason.TANKS: "it has not so many tanks to give",
    RefusalReason.SPENT: "it has moved further than one printed point less allows",
    RefusalReason.FULL: "there is no room for it",
    RefusalReason.NO_PARENT: "there is no unit of which it is the task force",
    RefusalReason.APART: "it is not in its unit's hex",
    RefusalReason.ABSENT: "there is no such task force",
}
"""R8 Why there is no task force, in the same words in both places."""
