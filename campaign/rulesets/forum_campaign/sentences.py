"""What sentences are made of: the line of a report, and who speaks it."""

from dataclasses import dataclass

from campaign.engine.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.state import State, Unit
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN, Theatre

SIDE_NAMES = {GERMAN: "German", ALLIED: "Allied"}
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


def plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
