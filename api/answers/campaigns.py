"""Campaigns: whose they are, what is open, what everybody knows of their scenario."""

from datetime import datetime

import msgspec

from campaign.engine.display.views import Border, Entry, Exit, Ground, Line, Panel
from campaign.engine.values.ids import SideId
from campaign.engine.values.value import Value


class OwnPart(Value, frozen=True):
    """A campaign in which the caller takes part."""

    slug: str
    """The name of the campaign in addresses."""
    title: str
    """The name of the campaign."""
    scenario: str
    """The title of its scenario."""
    ruleset: str
    """The key of its rules."""
    role: str
    """What the caller is: gm, commander, deputy, staff, tactical, spectator."""
    side: str
    """The side that the caller plays on; empty for none."""


class HouseRuleAnswer(Value, frozen=True):
    """A choice of the rules that was made for a campaign."""

    name: str
    """The name of the option."""
    question: str
    """What it decides."""
    answer: str
    """The answer of the campaign."""
    meaning: str
    """What that answer means."""
    differs: bool
    """Whether the scenario is made for another answer."""


class Participant(Value, frozen=True):
    """A person who takes part, or a bot that plays a side."""

    name: str
    """The forum name; of a bot: its style."""
    role: str
    """What they are, as in OwnPart."""
    side: str
    """The side that they play on; empty for none."""
    bot: bool
    """Whether it is a bot."""
    away_until: datetime | None = None
    """When they are back, if they are away. Of another side only the GM reads it."""


class OpenPhase(Value, frozen=True):
    """The phase in which people act, or that is being resolved."""

    phase: str
    """Its mark: its number, a dot, how often it was reopened. Requests about it name it so."""
    number: int
    """Its number in the campaign."""
    key: str
    """What kind of phase it is."""
    title: str
    """What players call it."""
    moment: str
    """When it is in the game."""
    open: bool
    """Whether it takes sheets. If not, it is being resolved, or its results wait to be published."""
    acts: tuple[str, ...]
    """Whom it waits for: sides, or gm."""
    writers: tuple[str, ...]
    """Who may submit a sheet: those, and sides that may change their standing orders."""
    opens_at: datetime
    """When it opened."""
    deadline: datetime | None
    """When it closes; null if it closes when all who act are READY."""
    only_reminds: bool
    """Whether nothing closes at the deadline, as the phase waits for the results of battles."""
    paused: bool
    """Whether the deadline does not run."""


class CampaignDetail(Value, frozen=True):
    """A campaign as the caller sees it."""

    part: OwnPart
    """The caller's part in it."""
    sides: tuple[SideId, ...]
    """The sides in the order of the rules."""
    public: bool
    """Whether everybody may read what the public is told."""
    closed: bool
    """Whether it has ended: nobody gives orders any more, and all its dice are open."""
    options: tuple[HouseRuleAnswer, ...]
    """Its house rules."""
    people: tuple[Participant, ...]
    """Who takes part, by role."""
    open_phase: OpenPhase | None
    """The phase in which people act; null if the campaign is over."""
    newest: int | None
    """The number of the phase that was published last; null before the first."""


class SignMeaning(Value, frozen=True):
    """What a key of the map or of a View means."""

    of: str
    """What it is a key of.

    One of lands, lines, borders, arms, sizes, conditions, figures, markers, flights, sorties, arrows.
    """
    key: str
    """The key."""
    name: str
    """What it stands for, in words."""


class MapOfPlaces(Value, frozen=True):
    """The map under all maps of the campaign, the same for everybody."""

    title: str
    """The title of the map."""
    credit: str
    """Who made it."""
    kilometres: float
    """The length of a map unit; 0 if the map has no scale."""
    picture: str
    """The address of the map as a PNG picture."""
    places: tuple[Ground, ...]
    """All places. Positions are in map units: x to the east, y to the south."""
    lines: tuple[Line, ...]
    """Roads, railways and the like, from place to place."""
    borders: tuple[Border, ...]
    """Rivers, frontiers and the like, between neighbouring places."""
    exits: tuple[Exit, ...]
    """Where lines leave the map."""
    entries: tuple[Entry, ...]
    """Where roads of the surrounding country come onto the map."""
    signs: tuple[SignMeaning, ...]
    """What the keys on the map and in Views mean."""


class Chapter(Value, frozen=True):
    """A heading of the rules."""

    id: str
    """The anchor of the heading."""
    title: str
    """The heading."""


class RulesText(Value, frozen=True):
    """The rules of a campaign with its charts in place, as on the rules page."""

    page: str
    """The address of the page for people. A rule's number is its anchor there."""
    chapters: tuple[Chapter, ...]
    """The headings in order."""
    html: str
    """The whole text, as harmless HTML."""


class ScenarioCharts(Value, frozen=True):
    """The tables of the rules that do not change in a campaign."""

    charts: tuple[Panel, ...]
    """All of them, by their keys."""


class KnownState(Value, frozen=True):
    """All that the caller's side knows since the last publication, in the form of stored states.

    It has three parts: `open`, which everybody knows, `own` by side, which has only what the caller may know, and
    `hidden`, which is null. What they consist of depends on the ruleset and on the version.
    """

    ruleset: str
    """The key of the ruleset, which decides the form."""
    version: int
    """The version of the form."""
    after: int
    """The number of the published phase that it follows."""
    state: msgspec.Raw
    """The state."""
