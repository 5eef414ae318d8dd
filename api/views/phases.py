"""Phases: the open one, and those that were published, as the caller's side received them."""

import msgspec
from django.http import Http404
from django.urls import reverse

from api.answers.campaigns import KnownState, OpenPhase
from api.answers.phases import DiceLog, DiceRoll, EventsTold, EventTold, PhaseDetail, PhaseFile, PublishedPhase
from api.operations import Call, reads
from api.wire import File
from campaign import selectors
from campaign.engine.display.views import View
from campaign.engine.phases import Weight
from campaign.game.store import encode_state
from campaign.record import dice_log
from campaign.record.dice_log import Log, Roll
from campaign.selectors import PhaseInfo, mark_of
from campaign.views.reading import FILES

_HTML = "text/html; charset=utf-8"
_FILES = {**FILES, "report.html": ("html", _HTML)}
"""The files of a phase: name, kind of artefact, media type."""


@reads()
def phase_now(call: Call) -> OpenPhase:
    """The open phase: who acts in it, and until when. There is none once the campaign is over."""
    found = selectors.open_phase(call.viewer)
    if found is None:
        raise Http404
    return shown_open_phase(found)


@reads()
def phases(call: Call) -> tuple[PublishedPhase, ...]:
    """The phases that were published, the newest first."""
    return tuple(map(_published, selectors.published_phases(call.viewer)))


@reads()
def phase(call: Call, no: int) -> PhaseDetail:
    """A phase that was published, with the files that the caller's side received."""
    found = selectors.published_phase(call.viewer, no)
    shown, kinds = selectors.view_and_kinds(call.viewer, no)
    slug = call.viewer.campaign.slug
    files = tuple(
        PhaseFile(name, media, reverse("api_phase_file", args=[slug, no, name]))
        for name, (kind, media) in _FILES.items()
        if kind in kinds
    )
    return PhaseDetail(_published(found), shown.headlines, files)


@reads()
def phase_view(call: Call, no: int) -> View:
    """All that the caller's side was shown of a phase: the map, the tables and the report are made from it.

    Its keys of signs are explained with the map.
    """
    return selectors.view(call.viewer, no)


@reads()
def phase_events(call: Call, no: int) -> EventsTold:
    """The events of a phase that the caller's side was told."""
    told = selectors.view(call.viewer, no).log
    events = (
        EventTold(number, each.section, each.text, each.rule, each.reasons, each.at)
        for number, each in enumerate(told, 1)
    )
    return EventsTold(no, tuple(events))


@reads(files=tuple(sorted({media.partition(";")[0] for _, media in _FILES.values()})))
def phase_file(call: Call, no: int, name: str) -> File:
    """A picture or a text of a phase, byte for byte as it was published: map.png, chart.png, report.md and others."""
    if name not in _FILES:
        raise Http404
    kind, media = _FILES[name]
    return File(selectors.artefact(call.viewer, no, kind), media)


@reads(refuses=(503,))
def phase_dice(call: Call, no: int) -> tuple[DiceLog, ...]:
    """The rolls of a phase in the logs that the caller may read."""
    lock = selectors.published_phase(call.viewer, no).lock
    return tuple(_log(each, [roll for roll in each.rolls if roll.lock == lock]) for each in _logs(call))


@reads(refuses=(503,))
def dice(call: Call) -> tuple[DiceLog, ...]:
    """All rolls of the campaign in the logs that the caller may read."""
    return tuple(_log(each, each.rolls) for each in _logs(call))


@reads()
def state(call: Call) -> KnownState:
    """All that the caller's side knows now, in the form of stored states: for bots.

    It is what every sheet of the open phase is checked against.
    """
    known = selectors.knowledge(call.viewer)
    rules = known.loaded.rules
    return KnownState(rules.key, rules.state_version, known.after, msgspec.Raw(encode_state(known.state)))


# --- as answers ------------------------------------------------------------------------------------------------------


def shown_open_phase(found: PhaseInfo) -> OpenPhase:
    """The open phase as programs read it."""
    return OpenPhase(
        phase=mark_of(found),
        number=found.no,
        key=found.key,
        title=found.title,
        moment=found.moment,
        open=found.open,
        acts=found.acts,
        writers=found.writers,
        opens_at=found.opens_at,
        deadline=None if found.untimed else found.deadline_at,
        only_reminds=found.nags,
        paused=found.held,
    )


def _published(found: PhaseInfo) -> PublishedPhase:
    return PublishedPhase(
        phase=mark_of(found),
        number=found.no,
        key=found.key,
        title=found.title,
        moment=found.moment,
        whole=found.weight == Weight.FULL.value,
        lock=found.lock,
        published_at=found.published_at,
    )


def _logs(call: Call) -> list[Log]:
    return dice_log.logs_for(call.viewer)


def _log(found: Log, rolls: list[Roll]) -> DiceLog:
    return DiceLog(found.name, found.anchor, found.head, tuple(map(_roll, rolls)))


def _roll(found: Roll) -> DiceRoll:
    return DiceRoll(
        found.lock, found.label, found.sides, found.dice, found.purpose, found.rule, found.actor, found.void or ""
    )
