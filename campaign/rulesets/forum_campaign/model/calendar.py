"""R1.4 The phases of a day: their keys, titles and rules, and in which half of the day they lie.

`sequence` has their order and what happens in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from campaign.engine.values.ids import PhaseKey, SideId
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN


class Half(IntEnum):
    """The halves of a day, each with the portion of one side. The night belongs to the second."""

    GERMAN = 0
    ALLIED = 1


@dataclass(frozen=True)
class Entry:
    """What a phase is called, and when it is."""

    key: PhaseKey
    title: str
    rule: str
    half: Half
    side: SideId | None = None
    """The side whose phase it is, if it is one side's."""


MORNING = Entry(PhaseKey("morning"), "Morning", "R1.4.1", Half.GERMAN)
AIR = Entry(PhaseKey("air"), "Purchases and air", "R1.5", Half.GERMAN)
REMOVALS = Entry(PhaseKey("removals"), "Removal of air units", "R3.7", Half.GERMAN)
DAWN = Entry(PhaseKey("dawn"), "Air missions", "R1.4.1", Half.GERMAN)
ALLIED_START = Entry(PhaseKey("allied_start"), "Before Allied movement", "R1.4.5", Half.ALLIED)
NIGHT = Entry(PhaseKey("night"), "Night", "R1.4.10", Half.ALLIED)

SHEET: Mapping[SideId, Entry] = {
    GERMAN: Entry(PhaseKey("german_sheet"), "German movement and attacks", "R1.4.2", Half.GERMAN, GERMAN),
    ALLIED: Entry(PhaseKey("allied_sheet"), "Allied movement and attacks", "R1.4.6", Half.ALLIED, ALLIED),
}
ATTACKS: Mapping[SideId, Entry] = {
    GERMAN: Entry(PhaseKey("german_attacks"), "German attacks", "R4.4", Half.GERMAN, GERMAN),
    ALLIED: Entry(PhaseKey("allied_attacks"), "Allied attacks", "R4.4", Half.ALLIED, ALLIED),
}
BATTLES: Mapping[SideId, Entry] = {
    GERMAN: Entry(PhaseKey("german_battles"), "German battles", "R1.4.3", Half.GERMAN, GERMAN),
    ALLIED: Entry(PhaseKey("allied_battles"), "Allied battles", "R1.4.7", Half.ALLIED, ALLIED),
}
RETREATS: Mapping[SideId, Entry] = {
    GERMAN: Entry(PhaseKey("german_retreats"), "Retreats from the German battles", "R12.5", Half.GERMAN, GERMAN),
    ALLIED: Entry(PhaseKey("allied_retreats"), "Retreats from the Allied battles", "R12.5", Half.ALLIED, ALLIED),
}
AFTER: Mapping[SideId, Entry] = {
    GERMAN: Entry(PhaseKey("german_after"), "After the German battles", "R1.4.3", Half.GERMAN, GERMAN),
    ALLIED: Entry(PhaseKey("allied_after"), "After the Allied battles", "R1.4.7", Half.ALLIED, ALLIED),
}

END: Mapping[SideId, Entry] = {
    GERMAN: Entry(PhaseKey("german_end"), "German fuel, and supply of both sides", "R1.4.4", Half.GERMAN, GERMAN),
    ALLIED: Entry(PhaseKey("allied_end"), "Supply of both sides", "R1.4.8", Half.ALLIED, ALLIED),
}

_OF_BOTH = (MORNING, AIR, REMOVALS, DAWN, ALLIED_START, NIGHT)
_OF_A_SIDE = (SHEET, ATTACKS, BATTLES, RETREATS, AFTER, END)
_BY_KEY: Mapping[PhaseKey, Entry] = {
    entry.key: entry for entry in (*_OF_BOTH, *(entry for entries in _OF_A_SIDE for entry in entries.values()))
}


def side_in(entries: Mapping[SideId, Entry], phase: PhaseKey) -> SideId | None:
    """The side that a phase belongs to among these entries; None if it is none of them."""
    return next((side for side, entry in entries.items() if entry.key == phase), None)


def title_of(phase: PhaseKey) -> str:
    """What players call a phase. Raises KeyError for a key that the calendar does not have."""
    return _BY_KEY[phase].title


def half_of(phase: PhaseKey) -> Half:
    """The half of the day in which a phase lies. Raises KeyError for a key that the calendar does not have."""
    return _BY_KEY[phase].half
