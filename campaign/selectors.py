"""What people read of a campaign: the published phases, as their audience received them, and the open one.

The viewer comes first and decides the audience. This module reads published artefacts only, never a state.
"""

import datetime
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Case, F, Q, QuerySet, When
from django.http import Http404

from campaign.engine.display.outcomes import Outcomes
from campaign.engine.display.views import View
from campaign.engine.orders.lexicon import Names
from campaign.engine.phases import Weight
from campaign.engine.values.ids import PhaseKey
from campaign.game.artefacts import ANSWERS, OUTCOMES
from campaign.game.loading import Loaded
from campaign.game.store import decode_answers, decode_outcomes, decode_state, decode_view
from campaign.models import Artefact, Battle, BattleState, DeadlineKind, Desk, Phase, PhaseState
from campaign.record.clock_changes import ClockChange, clock_changes
from campaign.record.reopenings import reopenings
from campaign.services import scenario_of, title_of, writers_of
from campaign.story import shown_view
from campaign.viewers import Viewer


@dataclass(frozen=True)
class PhaseInfo:
    """A phase of the campaign, as pages name it."""

    phase_id: int
    """Primary key of its row, for services; no page shows it."""
    no: int
    rev: int
    """How often it was reopened."""
    key: PhaseKey
    title: str
    moment: str
    """When it is in the game, in words."""
    file_stem: str
    """The beginning of names of files about it."""
    state: str
    weight: str
    """For a published phase: full if its report gathers earlier ones."""
    acts: tuple[str, ...]
    """Who must act in it: sides, or the GM."""
    writers: tuple[str, ...]
    """Who may write a sheet for it: those, and sides that may change their standing orders."""
    opens_at: datetime.datetime
    deadline_at: datetime.datetime
    nags: bool
    """Whether its deadline only reminds: the phase waits for results."""
    untimed: bool
    """Whether it has no deadline: it closes when all who act are READY."""
    held: bool
    published_at: datetime.datetime | None
    lock: int | None
    """The number by which the dice logs name it; None while it is not locked."""

    @property
    def open(self) -> bool:
        return self.state == PhaseState.OPEN

    @property
    def failed(self) -> bool:
        return self.state == PhaseState.FAILED

    @property
    def published(self) -> bool:
        return self.state == PhaseState.PUBLISHED


def mark_of(phase: PhaseInfo) -> str:
    """The phase that a form was made for, as text, so that the form has no effect on another."""
    return f"{phase.no}.{phase.rev}"


def open_phase(viewer: Viewer) -> PhaseInfo | None:
    """The phase in which people act, or that is being resolved; None when the campaign is over."""
    phase = _phases(viewer).exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).first()
    return _info(phase) if phase else None


def addressed_phase(viewer: Viewer, no: int, rev: int) -> PhaseInfo:
    """A phase by number and revision, whatever its state is now; Http404 if it never existed."""
    phase = _phases(viewer).filter(no=no, rev=rev).first()
    if phase is None:
        raise Http404
    return _info(phase)


def told_of_the_clock(viewer: Viewer, phase: PhaseInfo) -> tuple[ClockChange, ...]:
    """What the campaign's members were told of a phase's deadline and pauses, the newest first; nothing for others."""
    if viewer.membership is None:
        return ()
    return clock_changes(viewer.campaign.pk, phase.no, phase.rev)


def waits(viewer: Viewer, phase: PhaseInfo | None, *, after: int | None = None) -> bool:
    """Whether somebody who practises has nothing to do but wait: others act in the open phase, or it is resolved.

    `after`: the number of a phase for which they have just submitted their last sheet.
    """
    if phase is None or not viewer.campaign.practice or phase.failed:
        return False
    return not phase.open or viewer.side not in phase.acts or phase.no == after


def writes_a_sheet(viewer: Viewer) -> bool:
    """Whether the viewer writes the sheet of HQ or of a desk; other staff only read their side's."""
    if viewer.is_gm or viewer.commands:
        return True
    return viewer.writes_sheets and Desk.objects.for_viewer(viewer).filter(holder=viewer.member).exists()


def fights(viewer: Viewer) -> bool:
    """Whether the viewer plays a battle of the open phase whose result is open."""
    if viewer.membership is None:
        return False
    plays = Q(attacking_player=viewer.membership) | Q(defending_player=viewer.membership)
    settled = [BattleState.CONFIRMED, BattleState.ACCEPTED, BattleState.RULED]
    battles = Battle.objects.filter(plays, phase__campaign=viewer.campaign, phase__state=PhaseState.OPEN)
    return battles.exclude(state__in=settled).exists()


def published_phases(viewer: Viewer) -> list[PhaseInfo]:
    """All published phases, the newest first."""
    return [_info(phase) for phase in _published(viewer).order_by("-no")]


def newest_phase(viewer: Viewer) -> PhaseInfo | None:
    """The phase published last; None before the first."""
    phase = _published(viewer).order_by("-no").first()
    return _info(phase) if phase else None


def published_phase(viewer: Viewer, no: int) -> PhaseInfo:
    """A phase by its number; Http404 unless it is published."""
    phase = _published(viewer).filter(no=no).first()
    if phase is None:
        raise Http404
    return _info(phase)


def artefact(viewer: Viewer, no: int, kind: str) -> bytes:
    """What the viewer's audience received of a published phase, byte for byte; Http404 if it received no such thing."""
    found = _artefacts(viewer).filter(phase__no=no, kind=kind).values_list("content", flat=True).first()
    if found is None:
        raise Http404
    return bytes(found)


def artefacts(viewer: Viewer, no: int, kinds: Collection[str]) -> dict[str, bytes]:
    """Several kinds in one query; Http404 unless all exist."""
    found = _artefacts(viewer).filter(phase__no=no, kind__in=kinds).values_list("kind", "content")
    by_kind = {kind: bytes(content) for kind, content in found}
    if by_kind.keys() != set(kinds):
        raise Http404
    return by_kind


def kinds_of(viewer: Viewer, no: int) -> set[str]:
    """The kinds of artefacts that the viewer's audience received of a published phase; older releases made fewer."""
    return set(_artefacts(viewer).filter(phase__no=no).values_list("kind", flat=True))


def phases_with(viewer: Viewer, kind: str) -> set[int]:
    """The numbers of the published phases of which the viewer's audience received this kind."""
    return set(_artefacts(viewer).filter(kind=kind).values_list("phase__no", flat=True))


def withdrawn_locks(viewer: Viewer) -> set[int]:
    """The numbers of the locks whose publication is withdrawn."""
    withdrawn = _phases(viewer).filter(state=PhaseState.WITHDRAWN, lock_no__isnull=False)
    return {lock for lock in withdrawn.values_list("lock_no", flat=True) if lock is not None}


@dataclass(frozen=True)
class Reopened:
    """A reopening, as pages name it."""

    no: int
    title: str
    moment: str
    reason: str
    withdrawn: int
    """The number of the withdrawn lock."""
    lock: int | None
    """The number of the first lock after it; None until there is one."""


def reopened(viewer: Viewer) -> list[Reopened]:
    """All reopenings, the newest first. They are public."""
    return [
        Reopened(each.phase.no, title_of(each.phase), each.phase.moment, each.reason, each.withdrawn, each.lock)
        for each in reversed(reopenings(viewer.campaign))
    ]


def outcomes(viewer: Viewer, phase_id: int) -> Outcomes | None:
    """What became of the lines of the viewer's audience in a published phase; None if an older release resolved it."""
    found = _artefacts(viewer).filter(phase=phase_id, kind=OUTCOMES).values_list("content", flat=True).first()
    return None if found is None else decode_outcomes(bytes(found))


def answers(viewer: Viewer, no: int) -> Mapping[str, str]:
    """What the GM has answered to the viewer's audience in a published phase, by the keys of the questions."""
    found = _artefacts(viewer).filter(phase__no=no, kind=ANSWERS).values_list("content", flat=True).first()
    return {} if found is None else decode_answers(bytes(found))


def view(viewer: Viewer, no: int) -> View:
    """The View that the viewer's audience received of a published phase; Http404 if there is none."""
    return _view(viewer, artefact(viewer, no, "view"))


def view_and_kinds(viewer: Viewer, no: int) -> tuple[View, set[str]]:
    """That View, and the kinds of all artefacts that the viewer's audience received of the phase, in one query."""
    shown = Case(When(kind="view", then=F("content")))
    found = dict(_artefacts(viewer).filter(phase__no=no).annotate(shown=shown).values_list("kind", "shown"))
    if "view" not in found:
        raise Http404
    return _view(viewer, bytes(found["view"])), set(found)


def views(viewer: Viewer, *, most: int) -> list[View]:
    """The newest Views that the viewer's audience received, the oldest first."""
    found = _artefacts(viewer).filter(kind="view").order_by("-phase__no")
    return [_view(viewer, bytes(content)) for content in found.values_list("content", flat=True)[:most]][::-1]


def views_by_phase(viewer: Viewer) -> dict[int, View]:
    """All Views that the viewer's audience received, by the number of their phase."""
    found = _artefacts(viewer).filter(kind="view").values_list("phase__no", "content")
    return {no: _view(viewer, bytes(content)) for no, content in found}


def view_before(viewer: Viewer, phase: PhaseInfo) -> View | None:
    """The View at the beginning of what a published phase reports: that of the report before."""
    earlier = _artefacts(viewer).filter(kind="view", phase__no__lt=phase.no)
    if phase.weight == Weight.FULL.value:
        earlier = earlier.filter(phase__weight=phase.weight)
    found = earlier.order_by("-phase__no").values_list("content", flat=True).first()
    return None if found is None else _view(viewer, bytes(found))


@dataclass(frozen=True)
class Knowledge:
    """What an audience knows now: its state, and the scenario."""

    loaded: Loaded
    state: Any
    after: int = 0
    """The number of the published phase that it follows."""

    @cached_property
    def names(self) -> Names:
        """All that its orders may name."""
        return self.loaded.rules.names(self.loaded.scenario.game_data, self.state)


def knowledge(viewer: Viewer) -> Knowledge:
    """All that the viewer's audience knows since the last publication; Http404 before the first."""
    states = _artefacts(viewer).filter(kind="slice").order_by("-phase__no")
    found = states.values_list("content", "phase__resolution__state_version", "phase__no").first()
    if found is None:
        raise Http404
    content, version, after = found
    loaded = scenario_of(viewer.campaign)
    return Knowledge(loaded, decode_state(loaded.rules, bytes(content), version=version), after)


def _phases(viewer: Viewer) -> QuerySet[Phase]:
    return viewer.campaign.phases.all()


def _published(viewer: Viewer) -> QuerySet[Phase]:
    return _phases(viewer).filter(state=PhaseState.PUBLISHED)


def _artefacts(viewer: Viewer) -> QuerySet[Artefact]:
    """Published artefacts, for all reads. The same table holds drafts in review, which pages must not read.

    Where a side's notes stay shut, so do the texts with them and its state; its Views are shown without notes.
    """
    found = Artefact.objects.for_viewer(viewer).filter(phase__state=PhaseState.PUBLISHED, audience=viewer.audience)
    return found.filter(kind__in=_WITHOUT_NOTES) if viewer.without_notes else found


_WITHOUT_NOTES = ("view", "map", "thumbnail", "chart", "chart_text", "chart_markdown", "chart_bbcode", OUTCOMES)


def _view(viewer: Viewer, content: bytes) -> View:
    return shown_view(viewer, decode_view(content))


def _info(phase: Phase) -> PhaseInfo:
    return PhaseInfo(
        phase_id=phase.pk,
        no=phase.no,
        rev=phase.rev,
        key=PhaseKey(phase.key),
        title=title_of(phase),
        moment=phase.moment,
        file_stem=phase.file_stem,
        state=phase.state,
        weight=phase.weight,
        acts=tuple(phase.acts),
        writers=writers_of(phase),
        opens_at=phase.opens_at,
        deadline_at=phase.deadline_at,
        nags=phase.deadline_kind == DeadlineKind.NAGS,
        untimed=phase.deadline_kind == DeadlineKind.READY,
        held=phase.held,
        published_at=phase.published_at,
        lock=phase.lock_no,
    )
