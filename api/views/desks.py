"""Desks: their sheets for the open phase, all versions with their receipts, drafts."""

from collections.abc import Iterable, Iterator

from django.http import Http404

from api.answers.desks import (
    DeskSheetNow,
    DeskStatus,
    LineResult,
    NewDraft,
    Reason,
    SavedDraft,
    SheetVersion,
    VersionLine,
)
from api.models import Scope
from api.operations import Call, operation, reads
from campaign.people.throttles import TYPING
from campaign.selectors import PhaseInfo, addressed_phase, mark_of, open_phase
from orders import selectors, services
from orders.desks import Place, first_place, place
from orders.intake import effective_at
from orders.models import Draft, Sheet
from orders.outcomes import WrittenLine
from orders.standing import standing_lines


@reads()
def desks(call: Call) -> tuple[DeskStatus, ...]:
    """The desks whose sheets the caller may read, with the state of each in the open phase."""
    first_place(call.viewer)
    return tuple(map(_status, selectors.desk_statuses(call.viewer, _open_phase(call))))


@reads()
def desk(call: Call, desk: str) -> DeskSheetNow:
    """A desk's sheet for the open phase: the newest version, and the caller's own draft."""
    here, phase = place(call.viewer, desk), _open_phase(call)
    sent = selectors.versions(call.viewer, phase, here)
    draft = selectors.draft_of(call.viewer, phase, here) if here.writes else None
    newest = sent[0] if sent else None
    status = next(each for each in selectors.desk_statuses(call.viewer, phase) if each.place.name == here.name)
    return DeskSheetNow(
        desk=_status(status),
        phase=mark_of(phase),
        text=newest.text if newest else "",
        draft=_draft(draft) if draft else None,
        standing=tuple(standing_lines(call.viewer, here) or ()),
    )


@operation(scope=Scope.ORDERS, limit=TYPING, refuses=(409, 422))
def save_draft(call: Call, desk: str, body: NewDraft) -> SavedDraft:
    """Save a draft. Nobody but its writer reads it, and no phase is resolved with it.

    Refused if the caller's draft has changed since they read it, so that a program never replaces what its owner has
    written on the page meanwhile.
    """
    here = own_desk(call, desk)
    phase = addressed(call, body.phase)
    draft = services.replace_draft(
        call.viewer, phase, here, text=body.text, base_version=body.version, seen=body.replaces
    )
    return _draft(draft)


@reads()
def sheet_versions(call: Call, desk: str, *, no: int, rev: int) -> tuple[VersionLine, ...]:
    """All versions of a desk's sheet for a phase, the newest first."""
    here, phase = place(call.viewer, desk), addressed_phase(call.viewer, no, rev)
    return tuple(
        VersionLine(each.version, each.ready, each.received_at, _author(each), each.digest)
        for each in selectors.versions(call.viewer, phase, here)
    )


@reads()
def sheet_version(call: Call, desk: str, *, no: int, rev: int, nth: int) -> SheetVersion:
    """A version of a desk's sheet with its receipt: proof of what was submitted, whether it counted, what became of it.

    Those who may read their side's sheets can also read those of closed desks.
    """
    found = selectors.version_of(call.viewer, desk, no=no, rev=rev, nth=nth)
    counted = selectors.counted(call.viewer, found)
    return SheetVersion(
        phase=f"{no}.{rev}",
        desk=found.desk,
        version=found.version,
        text=found.text,
        ready=found.ready,
        author=_author(found),
        channel=found.channel,
        received_at=found.received_at,
        nonce=found.nonce,
        digest=found.digest,
        counted=counted,
        outcomes=tuple(line_results(selectors.line_outcomes(call.viewer, found))) if counted else (),
    )


def line_results(lines: Iterable[WrittenLine]) -> Iterator[LineResult]:
    """What became of the lines that are orders. A comment has no outcome."""
    for each in lines:
        if each.outcome is not None:
            because = (Reason(why.text, why.rule, why.reasons) for why in each.outcome.because)
            yield LineResult(each.number, each.text, each.outcome.effect.value, tuple(because))


def own_desk(call: Call, desk: str) -> Place:
    """A desk whose sheet the caller writes."""
    here = place(call.viewer, desk)
    if not here.writes:
        raise Http404
    return here


def addressed(call: Call, mark: str) -> PhaseInfo:
    """The phase of this mark."""
    no, _, rev = mark.partition(".")
    return addressed_phase(call.viewer, int(no), int(rev))


def _open_phase(call: Call) -> PhaseInfo:
    phase = open_phase(call.viewer)
    if phase is None:
        raise Http404
    return phase


def _status(found: selectors.DeskStatus) -> DeskStatus:
    here, newest = found.place, found.newest
    version, ready, for_side = (newest.version, newest.ready, newest.for_side) if newest else (0, False, False)
    ready_at = effective_at(newest) if newest else None
    return DeskStatus(here.name, here.writes, here.formations, version, ready, ready_at, for_side, found.waited_for)


def _draft(found: Draft) -> SavedDraft:
    return SavedDraft(found.text, found.base_version, found.saved_at)


def _author(found: Sheet) -> str:
    return found.author.username if found.author else ""
