"""The open phase on the desk of the game master, its clock, and what waits for them."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django import forms

from api.answers.gm.clock import (
    DeskReadiness,
    EarlyClosing,
    GmCampaign,
    GmPhase,
    NewDeadline,
    NewPause,
    Reopening,
    Resumption,
    WaitingItem,
)
from api.models import Scope
from api.operations import Call, operation, reads
from api.problems import PhaseOver, Unfit
from api.views.phases import shown_open_phase
from campaign.models import PhaseState
from campaign.people.throttles import MAILINGS, REPORTS
from campaign.selectors import PhaseInfo, mark_of, open_phase
from campaign.viewers import Viewer
from gm import selectors
from gm.desk.deadlines import Refused, close, extend, hold
from gm.desk.deadlines import resume as resume_clock
from gm.desk.reopening import reopen
from gm.forms import CloseForm, ExtendForm, HoldForm, ReopenForm
from gm.inbox import waiting_for
from gm.phases.lifecycle import retry


@reads(scope=Scope.GM)
def waiting(call: Call) -> tuple[WaitingItem, ...]:
    """What waits for the game master in this campaign, as in their inbox."""
    viewer = call.game_master
    phase = open_phase(viewer)
    found = waiting_for(viewer, phase) if phase else ()
    return tuple(WaitingItem(each.text, each.button, each.address, each.due) for each in found)


@reads(scope=Scope.GM)
def gm_phase(call: Call) -> GmCampaign:
    """The phase in which people act, with its desks and who is READY. No sheet is shown before the phase is locked."""
    return campaign_now(call.game_master)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def move_deadline(call: Call, body: NewDeadline) -> GmCampaign:
    """Move the deadline of the open phase. Players keep at least one hour, and are notified."""
    form = ExtendForm({"until": _utc(body.until), "reason": body.reason})
    return _change(call, body.phase, form, lambda gm, sent: extend(gm, sent["until"], reason=sent["reason"]))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def close_phase(call: Call, body: EarlyClosing) -> GmCampaign:
    """Close the open phase now, even if not all are READY. Players are notified, and the report has the reason."""
    form = CloseForm({"reason": body.reason})
    return _change(call, body.phase, form, lambda gm, sent: close(gm, reason=sent["reason"]))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def pause(call: Call, body: NewPause) -> GmCampaign:
    """Pause the campaign. Players can still submit sheets, and keep the time that is left."""
    form = HoldForm({"reason": body.reason, "until": body.until and _utc(body.until)})
    return _change(call, body.phase, form, lambda gm, sent: hold(gm, reason=sent["reason"], until=sent["until"]))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def resume(call: Call, body: Resumption) -> GmCampaign:
    """Resume a paused campaign, with the time that was left."""
    return _change(call, body.phase, forms.Form({}), lambda gm, _sent: resume_clock(gm))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def reopen_phase(call: Call, body: Reopening) -> GmCampaign:
    """Undo the last publication: its phase opens again. Its dice stay as they fell. Players are notified."""
    form = ReopenForm({"reason": body.reason})
    return _change(call, body.phase, form, lambda gm, sent: reopen(gm, reason=sent["reason"]))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409,))
def retry_phase(call: Call) -> GmCampaign:
    """Try again to resolve a phase that could not be resolved."""
    viewer = call.game_master
    phase = open_phase(viewer)
    if phase is None or not phase.failed or not retry(phase.phase_id):
        raise Refused("No phase has failed, so there is nothing to try again.")
    return campaign_now(viewer)


def require_present(viewer: Viewer, mark: str) -> PhaseInfo:
    """The phase in which people act; PhaseOver if the request names another."""
    phase = open_phase(viewer)
    if phase is None or mark_of(phase) != mark:
        raise PhaseOver
    return phase


def _change(call: Call, mark: str, form: forms.Form, act: Callable[[Viewer, Mapping[str, Any]], object]) -> GmCampaign:
    """Change the clock of the open phase as the page's form does, with its checks. Only then it counts as a mailing."""
    viewer = call.game_master
    require_present(viewer, mark)
    for field, errors in form.errors.items():
        raise Unfit(f"{form.fields[field].label or field.capitalize()}: {' '.join(map(str, errors))}")
    call.count(MAILINGS)
    act(viewer, form.cleaned_data)
    return campaign_now(viewer)


def _utc(at: datetime) -> datetime:
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise Unfit("This time cannot be used. Choose one within the next years.") from None


# --- as answers ------------------------------------------------------------------------------------------------------


def campaign_now(viewer: Viewer) -> GmCampaign:
    """Where a campaign is now, as its game master reads it."""
    phase = open_phase(viewer)
    return GmCampaign(_phase(viewer, phase) if phase else None)


def _phase(viewer: Viewer, phase: PhaseInfo) -> GmPhase:
    desks = selectors.progress(phase, viewer.campaign)
    return GmPhase(
        phase=shown_open_phase(phase),
        state=_STATES.get(phase.state, "resolving"),
        desks=tuple(
            DeskReadiness(each.side, each.desk, each.holder, each.version, each.ready, waited_for=each.waited_for)
            for each in desks
        ),
    )


_STATES: Mapping[str, str] = {
    PhaseState.OPEN: "open",
    PhaseState.REVIEW: "draft",
    PhaseState.FAILED: "failed",
}
