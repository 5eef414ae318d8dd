"""The GM's page to report a leak."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.models import Phase, PhaseState
from campaign.people.throttles import MAILINGS, may
from campaign.services import scenario_of, title_of
from campaign.templatetags.fieldpost import who
from campaign.viewers import Viewer, gm_viewer
from gm.desk.deadlines import Refused, hold
from gm.desk.exposure import Exposed, Notify, exposable, expose, exposures
from gm.forms import ExposureForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exposure(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke, record and tell in one act; pause the campaign if the GM wants time to think."""
    viewer = gm_viewer(request.user, slug)
    form = _form(request, viewer)
    status = 422 if form.errors else 200
    if form.is_valid():
        if may(request, MAILINGS):
            _act(request, viewer, form)
            return redirect("exposure", slug)
        _only_revoke(request, viewer, form)
        status = 429
    context = {"viewer": viewer, "form": form, "exposures": exposures(viewer)}
    return render(request, "gm/exposure.html", context, status=status)


def _form(request: HttpRequest, viewer: Viewer) -> ExposureForm:
    phases = [(f"{phase.no}.{phase.rev}", _named(phase)) for phase in exposable(viewer)]
    sides = [(side, who(side)) for side in scenario_of(viewer.campaign).rules.sides]
    return ExposureForm(request.POST if request.method == "POST" else None, phases=phases, sides=sides)


def _named(phase: Phase) -> str:
    withdrawn = " (withdrawn)" if phase.state == PhaseState.WITHDRAWN else ""
    return f"{phase.moment}, {title_of(phase)}{withdrawn}"


def _exposed(viewer: Viewer, form: ExposureForm, tells: Notify) -> Exposed:
    answers = form.cleaned_data
    no, rev = map(int, answers["stop"].split("."))
    return expose(viewer, no=no, rev=rev, side=answers["side"], what=answers["what"], tells=tells)


def _only_revoke(request: HttpRequest, viewer: Viewer, form: ExposureForm) -> None:
    """Revoke the links when the limit on mailings is reached: no limit delays that. The form keeps its text."""
    done = _exposed(viewer, form, Notify.NOBODY)
    messages.error(
        request,
        f"Links revoked: {done.revoked}. Too many mails were sent within an hour, so nobody was notified"
        " and the campaign"
        " was not paused. Wait up to an hour, then submit this again.",
    )


def _act(request: HttpRequest, viewer: Viewer, form: ExposureForm) -> None:
    answers = form.cleaned_data
    done = _exposed(viewer, form, Notify.ALL if answers["tell_all"] else Notify.SIDE)
    messages.success(
        request,
        f"Links revoked: {done.revoked}. Visitors so far: {done.visitors}, {done.own} of them members of"
        " the side or GM."
        " The players have been notified.",
    )
    if answers["hold"]:
        try:
            hold(viewer, reason="report of a leak")
        except Refused as why:
            messages.error(request, f"The campaign was not paused: {why}")
