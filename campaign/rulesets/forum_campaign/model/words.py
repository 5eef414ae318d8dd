"""Words that texts share: the names of sides, air boxes and goods, and numbers with their nouns."""

from campaign.engine.values.ids import SideId
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Box, Goods, Ware
from campaign.rulesets.forum_campaign.model.state import TankLosses

SIDE_NAMES = {GERMAN: "German", ALLIED: "Allied"}
BOX_NAMES = {
    Box.SUPERIORITY: "air superiority",
    Box.CAS: "close air support",
    Box.INTERDICTION: "interdiction",
    Box.DROP: "air drop",
}


def tanks_in_words(lost: TankLosses) -> str:
    """R12.9 Two medium tanks and a heavy one: 2 medium tanks and 1 heavy tank."""
    kinds = [(lost.medium, "medium"), (lost.heavy, "heavy")]
    return " and ".join(f"{count} {kind} {plural('tank', count)}" for count, kind in kinds if count) or "no tank"


def received(ware: Ware, side: SideId, amount: int) -> str:
    """R14.2 An amount of a ware: 40 percent of headcount, 3 × 57 mm AT guns."""
    return f"{amount} {'' if ware.goods is Goods.MEN else '× '}{ware.names[side]}"


def plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
