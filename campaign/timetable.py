"""What comes next in a campaign, and when: the open phase's deadline, its pause, and the phases after it.

Everything here is the same for every reader: the clock of the open phase is public, and the phases after it follow
from the sequence of play and from what the public knows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from itertools import islice

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Sum
from django.http import Http404

from campaign.core import clock
from campaign.engine.phases import Phase as Line
from campaign.engine.phases import Weight
from campaign.engine.values.ids import PhaseKey
from campaign.engine.values.moments import day_moment
from campaign.handling import handling_of
from campaign.models import Campaign, DeadlineKind, Phase, PhaseState
from campaign.schedule import at_allowed_time, next_deadline, schedule_of
from campaign.selectors import Knowledge, knowledge
from campaign.services import title_of
from campaign.viewers import Viewer

HORIZON = timedelta(days=21)
"""How far ahead phases are expected."""
MOST_EXPECTED = 12
_DAY = timedelta(days=1)


class Kind(Enum):
    """What happens at a time of the timetable."""

    CLOSES = "closes"
    REMINDS = "reminds"
    """Results are due; the phase waits for them."""
    RESUMES = "resumes"
    EXPECTED = "expected"
    """A deadline that is not set yet."""


@dataclass(frozen=True)
class Entry:
    """A time of the timetable."""

    kind: Kind
    at: datetime
    no: int
    """The number of the phase, or the number that it will have."""
    title: str
    moment: str
    """When the phase is in the game, in words; empty if that is not known."""
    acts: tuple[str, ...]
    """Who must act in it: sides, or the GM."""


@dataclass(frozen=True)
class Timetable:
    """The coming times of a campaign, the earliest first."""

    entries: tuple[Entry, ...]
    phase: Phase | None
    """The phase in which people act, or that is being resolved; None when the campaign is over."""
    revision: int
    """Grows whenever a phase opens and whenever a clock is changed."""

    @property
    def paused(self) -> bool:
        return self.phase is not None and self.phase.held

    @property
    def resolving(self) -> bool:
        return self.phase is not None and self.phase.state != PhaseState.OPEN


def timetable(campaign: Campaign) -> Timetable:
    """What comes next, as far as the clock and the schedule say."""
    phase = campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).first()
    if phase is None:
        return Timetable((), None, _revision(campaign))
    phase.campaign = campaign
    return Timetable(tuple(_entries(phase)), phase, _revision(campaign))


def _revision(campaign: Campaign) -> int:
    opened = campaign.phases.aggregate(phases=Count("pk"), changes=Sum("deadline_rev"))
    return int(opened["phases"]) + int(opened["changes"] or 0)


def _entries(phase: Phase) -> Iterator[Entry]:
    if phase.state != PhaseState.OPEN or phase.deadline_kind == DeadlineKind.READY or not phase.no:
        return
    due = phase.deadline_at
    if phase.held:
        if phase.held_until is None:
            return
        yield _of(phase, Kind.RESUMES, phase.held_until)
        remaining = phase.remaining or timedelta()
        due = at_allowed_time(schedule_of(phase.campaign), phase.held_until + remaining)
    if phase.deadline_kind == DeadlineKind.NAGS:
        yield _of(phase, Kind.REMINDS, due)
        return
    yield _of(phase, Kind.EXPECTED if phase.held else Kind.CLOSES, due)
    yield from islice(_expected(phase, due), MOST_EXPECTED)


def _of(phase: Phase, kind: Kind, at: datetime) -> Entry:
    return Entry(kind, at, phase.no, title_of(phase), phase.moment, tuple(phase.acts))


# --- phases that are not open yet ------------------------------------------------------------------------------------


def _expected(phase: Phase, due: datetime) -> Iterator[Entry]:
    """The phases after an open one, if each is open until its deadline and published at once.

    An impulse, a reply, or a wait for results ends the list: how long these last, nobody knows.
    """
    known = _public(phase.campaign)
    if known is None or phase.weight != Weight.FULL.value:
        return
    hours = handling_of(phase.campaign, Weight.FULL).hours
    schedule, end, no = schedule_of(phase.campaign, hours=hours), clock.now() + HORIZON, phase.no
    for line, day in _following(known, PhaseKey(phase.key), phase.day):
        acts = line.acts(known.state.open)
        if not acts:
            continue
        due, no = next_deadline(schedule, due), no + 1
        if line.weight is not Weight.FULL or not line.closes or due > end:
            return
        yield Entry(Kind.EXPECTED, due, no, line.title, day_moment(day).label if day else "", tuple(sorted(acts)))


def _following(known: Knowledge, key: PhaseKey, day: date | None) -> Iterator[tuple[Line[object, object], date | None]]:  # type: ignore[type-var] # of any ruleset
    """The lines of the sequence after this one, with their days; once more from the top for each further day."""
    rules = known.loaded.rules
    last = rules.last_day(known.loaded.scenario.game_data)
    first = next(nth for nth, line in enumerate(rules.phases) if line.key == key) + 1
    yield from ((line, day) for line in rules.phases[first:])
    while day is not None and last is not None and day < last:
        day += _DAY
        yield from ((line, day) for line in rules.phases)


def _public(campaign: Campaign) -> Knowledge | None:
    """What the public knows; None before the first publication."""
    try:
        return knowledge(Viewer(campaign, AnonymousUser(), None))
    except Http404:
        return None
