"""Why an order is not carried out, in words: for the problem of its line, and for the report."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rulesets.forum_campaign.model.facts.battle import CancelReason
from campaign.rulesets.forum_campaign.model.facts.movement import RefusalReason, StopReason


@dataclass(frozen=True)
class Reason:
    """A reason in both places. In a refused line, its unit, hexes and figures are filled in."""

    refused: str
    """Empty if no line is refused for it."""
    reported: str
    rule: str = ""
    code: str = ""


STOP_REASONS: Mapping[StopReason, Reason] = {
    StopReason.GAP: Reason(
        "{unit} cannot go from {last} to {before}; they are not next to each other",
        "the hexes are not next to each other",
        "R4",
    ),
    StopReason.CLOSED: Reason(
        "{unit} cannot go from {last} to {before}; the hexside between them is closed", "the hexside is closed", "R6.5"
    ),
    StopReason.ENEMY: Reason("{unit} cannot enter {before}; an enemy unit is there", "contact with the enemy", "R5.6"),
    StopReason.ZONE: Reason("", "an enemy zone of control"),
    StopReason.ALLOWANCE: Reason(
        "{unit} cannot enter {before}; that costs {price}, and it has {left}", "not enough movement points"
    ),
    StopReason.UNSUPPLIED: Reason("{unit} is unsupplied and may not move", "it is unsupplied", "R7.4"),
    StopReason.FULL: Reason(
        "{unit} cannot end its move in {goal}; too many units would be there", "no room in the hex", "R5.5"
    ),
    StopReason.FUEL: Reason(
        "{unit} stays where it is; the fuel in hand ({fuel} points) is not enough", "not enough fuel", "R10.7"
    ),
    StopReason.ENTRY: Reason("{unit} cannot enter the map at {before} today", "its entry hex is blocked", "R14"),
    StopReason.TWICE: Reason("a line above already moves {unit}", "it has already moved", "R4"),
    StopReason.SCATTERED: Reason("{unit} landed scattered and cannot move", "it is scattered", "R11.8"),
    StopReason.STOPPED: Reason(
        "{unit} cannot go on from {last}; it is in an enemy zone of control", "a zone of control ends its move", "R5.2"
    ),
    StopReason.ABSENT: Reason(
        "{unit} exists only after its DETACH line and before its REJOIN line", "it does not exist", "R8.1"
    ),
    StopReason.ASTRAY: Reason(
        "{unit} is not on the map and cannot save movement", "it is not on its planned path", "R4.5"
    ),
}
"""R4 Why a move ends before its time, or is not begun."""

CANCEL_REASONS: Mapping[CancelReason, Reason] = {
    CancelReason.NOBODY_THERE: Reason("", "no enemy is there", "R12.2", "nobody-there"),
    CancelReason.NOT_ADJACENT: Reason(
        "{unit} cannot attack {to} from {at}; they are not next to each other",
        "the hex is not next to it",
        "R12.2",
        "not-adjacent",
    ),
    CancelReason.TOO_FAR: Reason(
        "{unit} cannot attack; it has spent {spent} points, and an attacker may spend at most {most}",
        "it has moved too far",
        "R4.4",
        "spent",
    ),
    CancelReason.UNSUPPLIED: Reason(
        "{unit} is unsupplied and may not attack", "it is unsupplied", "R7.4", "unsupplied"
    ),
    CancelReason.OFF_MAP: Reason(
        "{unit} cannot attack; it is not on the map", "it is not on the map", "R14", "off-map"
    ),
    CancelReason.OWN_UNITS: Reason(
        "{unit} cannot attack {to}; your own units are there", "own units are there", "R12.2", "own"
    ),
    CancelReason.TWICE: Reason("{unit} already attacks in a line above", "it attacks elsewhere", "R12.2", "twice"),
    CancelReason.SCATTERED: Reason(
        "{unit} landed scattered and cannot attack", "it is scattered", "R11.8", "scattered"
    ),
    CancelReason.COMMANDO: Reason(
        "{unit} is a commando; commandos do not attack", "commandos do not attack", "R11.1", "commando"
    ),
    CancelReason.ABSENT: Reason(
        "{unit} cannot attack; the task force does not exist after all moves", "it does not exist", "R8.1", "absent"
    ),
}
"""R4.4, R12.2 Why an attack does not take place."""

REFUSAL_REASONS: Mapping[RefusalReason, str] = {
    RefusalReason.COMMANDO: "it is a commando",
    RefusalReason.SMALL: "it is a small unit",
    RefusalReason.WEAK: "its strength is 70 % of its establishment or less",
    RefusalReason.OUT: "its task force is already out",
    RefusalReason.SPLIT: "a task force has already left or rejoined it this turn",
    RefusalReason.OFF_MAP: "it is not on the map",
    RefusalReason.UNSUPPLIED: "it is unsupplied",
    RefusalReason.SCATTERED: "it landed scattered",
    RefusalReason.TANKS: "it does not have that many tanks",
    RefusalReason.SPENT: "it has already moved further than one printed point less would allow",
    RefusalReason.FULL: "there is no room for it",
    RefusalReason.NO_PARENT: "it is no unit's task force",
    RefusalReason.APART: "it is not in its unit's hex",
    RefusalReason.ABSENT: "there is no such task force",
}
"""R8 Why there is no task force, in the same words in both places."""
