"""Words that texts share: the names of sides, air boxes and goods, lists, and numbers with their nouns."""

from collections.abc import Mapping, Sequence

from campaign.engine.values.ids import SideId
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, PEOPLE, SIDES, Box, Goods, Ware
from campaign.rulesets.forum_campaign.model.state import TankLosses

SIDE_NAMES = {GERMAN: "German", ALLIED: "Allied"}
PEOPLES = {GERMAN: "Germans", ALLIED: "Allies"}
BOX_NAMES = {
    Box.SUPERIORITY: "air superiority",
    Box.CAS: "close air support",
    Box.INTERDICTION: "interdiction",
    Box.DROP: "air drop",
}


def final_result(points: Mapping[SideId, int], winner: SideId | None) -> str:
    """R15.5 The campaign is over: the Germans win. Victory points: Germans 41, Allies 35."""
    result = "a draw" if winner is None else f"{PEOPLE[winner]} win"
    worth = ", ".join(f"{PEOPLES[side]} {points[side]}" for side in SIDES)
    return f"The campaign is over: {result}. Victory points: {worth}"


def tanks_in_words(lost: TankLosses) -> str:
    """R12.9 Two medium tanks and a heavy one: 2 medium tanks and 1 heavy tank."""
    kinds = [(lost.medium, "medium tank"), (lost.heavy, "heavy tank")]
    return " and ".join(counted(count, kind) for count, kind in kinds if count) or "no tanks"


def received(ware: Ware, side: SideId, amount: int) -> str:
    """R14.2 An amount of a ware: 40 percent of its establishment, 3 × 57 mm AT guns."""
    return f"{amount} {'' if ware.goods is Goods.MEN else '× '}{ware.names[side]}"


def counted(count: int, word: str) -> str:
    """A number with its noun: 1 point, 2 points."""
    return f"{count} {plural(word, count)}"


def plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def listed(names: Sequence[str], *, most: int | None = None) -> str:
    """Names as a list: A, B and C. If there are more than `most`, the last of them are only counted."""
    if most is not None and len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
