"""The draft results: read, judged, with messages, published."""

from collections.abc import Iterable

from django.http import Http404

from api.answers.gm.clock import GmCampaign
from api.answers.gm.drafts import (
    ChangeSeen,
    ChangesFor,
    CountingSheet,
    DraftResults,
    ForYouToJudge,
    MessageTo,
    NewJudgement,
    NewMessages,
    Publication,
    PublicationCancelled,
)
from api.answers.phases import EventTold
from api.models import Scope
from api.operations import Call, operation, reads
from api.problems import AboutToBePublished, OtherDraftResults
from api.views.desks import line_results
from api.views.gm.clock import campaign_now
from campaign.engine.values.ids import GM
from campaign.maps.differences import Change, Differences
from campaign.people.throttles import REPORTS
from campaign.viewers import Viewer
from gm import selectors
from gm.desk.absence import flags
from gm.phases import approval
from gm.phases.comparing import kept_differences
from gm.phases.judging import answer, for_you
from gm.phases.prefaces import LONGEST, save_preface
from gm.selectors import CountedSheet, ReviewDraft
from orders.intake import storable


@reads(refuses=(503,))
def draft(call: Call) -> DraftResults:
    """The draft results: what happened, what to check, what to judge, and the sheets that counted.

    There are none while a phase is open or is being resolved.
    """
    return _shown(call.game_master)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 503))
def judge(call: Call, body: NewJudgement) -> DraftResults:
    """Answer something that the rules leave to you, or delete the answer. It is published with the phase."""
    viewer, found = call.game_master, draft_seen(call, body.seen)
    text = storable(body.text)
    if not answer(found.phase.pk, fence=found.phase.fence, key=body.key, text=text, author=viewer.person):
        raise OtherDraftResults
    return _shown(viewer)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 503))
def save_messages(call: Call, body: NewMessages) -> DraftResults:
    """Save messages to audiences. They are published with the phase."""
    found = draft_seen(call, body.seen)
    _save(call.game_master, found, body.messages)
    return _shown(call.game_master)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 503))
def publish(call: Call, body: Publication) -> GmCampaign:
    """Publish the draft results to everyone, with your messages. The next phase opens.

    If the campaign has a time to think again, that happens when it is over, and you can cancel until then.
    """
    viewer, found = call.game_master, draft_seen(call, body.seen)
    _save(viewer, found, body.messages)
    if not approval.give(found.phase.pk, fence=found.phase.fence, author=viewer.person):
        raise OtherDraftResults
    return campaign_now(viewer)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 503))
def cancel_publication(call: Call, body: PublicationCancelled) -> DraftResults:
    """Cancel the publication of results that are about to be published. Nobody learns of it."""
    viewer, found = call.game_master, _seen(call, body.seen)
    if not approval.cancel(found.phase.pk, fence=found.phase.fence, author=viewer.person):
        raise OtherDraftResults
    return _shown(viewer)


def present_draft(call: Call) -> ReviewDraft:
    """The draft in review; Http404 if there is none."""
    found = selectors.draft(call.game_master)
    if found is None:
        raise Http404
    return found


def draft_seen(call: Call, seen: str) -> ReviewDraft:
    """The draft in review, if it is the one that the caller has seen; OtherDraftResults if not, or if there is none.

    AboutToBePublished if it is approved.
    """
    found = _seen(call, seen)
    if approval.waiting(found.phase) is not None:
        raise AboutToBePublished
    return found


def _seen(call: Call, seen: str) -> ReviewDraft:
    found = selectors.draft(call.game_master)
    if found is None or found.mark != seen:
        raise OtherDraftResults
    return found


def _save(viewer: Viewer, found: ReviewDraft, messages: Iterable[MessageTo]) -> None:
    """Save messages, all or none; Http404 for an audience that does not exist."""
    written, readers = {each.audience: each.text for each in messages}, selectors.readers(viewer)
    if not written.keys() <= set(readers):
        raise Http404
    for audience, text in written.items():
        if not save_preface(found.phase.pk, audience, storable(text)[:LONGEST]):
            raise OtherDraftResults


# --- as answers ------------------------------------------------------------------------------------------------------


def _shown(viewer: Viewer) -> DraftResults:
    found = selectors.draft(viewer)
    if found is None:
        raise Http404
    phase, view, given = found.phase, found.view, approval.waiting(found.phase)
    kept = kept_differences(phase)
    events = (
        EventTold(number, each.section, each.text, each.rule, each.reasons, each.at)
        for number, each in enumerate(view.log, 1)
    )
    return DraftResults(
        seen=found.mark,
        number=phase.no,
        title=view.stop,
        moment=view.date,
        opens_next=view.next_stop,
        drafted_at=phase.drafted_at,
        publishes_at=given.publishes_at if given else None,
        flags=flags(phase),
        to_judge=_to_judge(found),
        events=tuple(events),
        changes=None if kept is None else changes(kept),
        messages=tuple(MessageTo(each, found.prefaces.get(each, "")) for each in selectors.readers(viewer)),
        sheets=tuple(map(_sheet, found.sheets)),
    )


def _to_judge(found: ReviewDraft) -> tuple[ForYouToJudge, ...]:
    return tuple(
        ForYouToJudge(
            each.judgement.key,
            each.judgement.kind,
            each.judgement.question,
            tuple(each.judgement.audiences),
            each.judgement.hint,
            each.judgement.rule,
            each.answer,
        )
        for each in for_you(found.phase, found.events)
    )


def changes(found: Iterable[Differences]) -> tuple[ChangesFor, ...]:
    """What differs for each audience, the game master's own first."""
    return tuple(
        ChangesFor(
            each.audience,
            _changes(each.events),
            _changes(each.units),
            _changes(each.places),
            _changes(each.tables),
            each.at,
        )
        for each in sorted(found, key=lambda each: each.audience != GM)
    )


def _changes(found: Iterable[Change]) -> tuple[ChangeSeen, ...]:
    return tuple(ChangeSeen(each.subject, each.before, each.after) for each in found)


def _sheet(found: CountedSheet) -> CountingSheet:
    row, outcomes = found.row, found.outcomes
    lines = tuple(line_results(outcomes.lines)) if outcomes else ()
    return CountingSheet(row.side, row.desk, row.sheet.version, row.sheet.text, lines)
