"""Words that texts share: the names of sides, air boxes and goods, numbers with their nouns, and reasons."""

from collections.abc import Mapping

from campaign.engine.ids import SideId
from campaign.rulesets.forum_campaign.facts import Denial
from campaign.rulesets.forum_campaign.state import TankLosses
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN, Box, Goods, Ware

SIDE_NAMES = {GERMAN: "German", ALLIED: "Allied"}
BOX_NAMES = {
    Box.SUPERIORITY: "air superiority",
    Box.CAS: "close air support",
    Box.INTERDICTION: "interdiction",
    Box.DROP: "air drop",
}
PEOPLE = {GERMAN: "the Germans", ALLIED: "the Allies"}
DENIALS: Mapping[Denial, str] = {
    Denial.COMMANDO: "commandos have none",
    Denial.SMALL: "a small unit cannot",
    Denial.WEAK: "it has no more than 70 %",
    Denial.OUT: "its task force is out already",
    Denial.SPLIT: "it has created one or taken one back this turn",
    Denial.OFF_MAP: "it is not on the map",
    Denial.UNSUPPLIED: "it is unsupplied",
    Denial.SCATTERED: "it is scattered",
    Denial.TANKS: "it has not so many tanks to give",
    Denial.SPENT: "it has moved further than one printed point less allows",
    Denial.FULL: "there is no room for it",
    Denial.NO_PARENT: "there is no unit of which it is the task force",
    Denial.APART: "it is not in its unit's hex",
    Denial.ABSENT: "there is no such task force",
}
"""R8 What speaks against a task force."""


def tanks_in_words(lost: TankLosses) -> str:
    """R12.9 Two medium tanks and a heavy one: 2 medium tanks and 1 heavy tank."""
    kinds = [(lost.medium, "medium"), (lost.heavy, "heavy")]
    return " and ".join(f"{count} {kind} {plural('tank', count)}" for count, kind in kinds if count) or "no tank"


def received(ware: Ware, side: SideId, amount: int) -> str:
    """R14.2 So much of a ware: 40 percent of headcount, 3 × 57 mm AT guns."""
    return f"{amount} {'' if ware.goods is Goods.MEN else '× '}{ware.names[side]}"


def plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
