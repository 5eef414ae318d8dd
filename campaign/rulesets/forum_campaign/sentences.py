"""What sentences are made of: the line of a report, and who speaks it."""

from dataclasses import dataclass

from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.state import State, TankLosses, Unit
from campaign.rulesets.forum_campaign.supply import Bar, Blockade
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN, Box, Goods, Theatre, Ware

SIDE_NAMES = {GERMAN: "German", ALLIED: "Allied"}
BOX_NAMES = {
    Box.SUPERIORITY: "air superiority",
    Box.CAS: "close air support",
    Box.INTERDICTION: "interdiction",
    Box.DROP: "air drop",
}
PEOPLE = {GERMAN: "the Germans", ALLIED: "the Allies"}


@dataclass(frozen=True)
class Sentence:
    """A line of a report: the text, why it came about, and the places it speaks of."""

    text: str
    reasons: tuple[str, ...] = ()
    at: tuple[PlaceId, ...] = ()


@dataclass(frozen=True)
class Speaker:
    """What sentences are made with: the map, and the units that the audience knows by itself."""

    theatre: Theatre
    known: State

    def unit(self, side: SideId, unit: UnitId) -> str:
        return self.record(side, unit).label

    def record(self, side: SideId, unit: UnitId) -> Unit:
        own = self.known.own[side]
        return own.units.get(unit) or own.lost[unit]

    def place(self, place: PlaceId) -> str:
        return self.theatre.place_name(place)


def words_of(theatre: Theatre, blockade: Blockade, *, unbarred: str) -> tuple[str, ...]:
    """R7.2 Why a unit has no supply: the way that comes nearest to one, and what bars it, or that nothing does."""
    if not blockade.way:
        return ("no way leads to the supply edge",)
    way = f"freest way known to the supply edge: {'-'.join(blockade.way)}"
    if not blockade.bars:
        return (way, unbarred)
    return (way, *(_bar(theatre, bar) for bar in blockade.bars))


def _bar(theatre: Theatre, bar: Bar) -> str:
    what = "held by" if bar.held else "in the zone of control of"
    who = " and ".join(name if at == bar.place else f"{name} at {theatre.place_name(at)}" for at, name in bar.by)
    return f"{theatre.place_name(bar.place)} is {what} {who}"


def tanks_in_words(lost: TankLosses) -> str:
    """R12.9 Two medium tanks and a heavy one: 2 medium tanks and 1 heavy tank."""
    kinds = [(lost.medium, "medium"), (lost.heavy, "heavy")]
    return " and ".join(f"{count} {kind} {plural('tank', count)}" for count, kind in kinds if count) or "no tank"


def received(ware: Ware, side: SideId, amount: int) -> str:
    """R14.2 So much of a ware: 40 percent of headcount, 3 × 57 mm AT guns."""
    return f"{amount} {'' if ware.goods is Goods.MEN else '× '}{ware.names[side]}"


def plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
