"""The GM's pages for the clock of the open phase and the settings of the campaign."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaign.forms.settings import SettingsForm
from campaign.handling import weights_of
from campaign.house_rules import house_rules
from campaign.links import linked_audiences
from campaign.people.throttles import MAILINGS, may, too_fast
from campaign.selectors import mark_of, open_phase
from campaign.services import change_settings, fights_outside, scenario_of
from campaign.templatetags.fieldpost import who
from campaign.viewers import Viewer, gm_viewer
from gm.desk.deadlines import Refused, close, extend, hold, resume
from gm.desk.reopening import reopen
from gm.forms import CloseForm, ExtendForm, HoldForm, ReopenForm
from posting.deciding import on_forums


@login_required
@require_POST
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Extend, close, pause, resume or reopen, by the pressed button."""
    viewer = gm_viewer(request.user, slug)
    kind, act, done = _ACTS.get(request.POST.get("act", ""), _NOTHING)
    phase = open_phase(viewer)
    if phase is None or request.POST.get("seen") != mark_of(phase):
        messages.error(request, "This phase has already closed, so nothing was changed. Here is the current one.")
        return redirect("desk", slug)
    form = kind(request.POST)
    if not form.is_valid():
        for field, errors in form.errors.items():
            messages.error(request, f"{form.fields[field].label or field.capitalize()}: {' '.join(map(str, errors))}")
        return redirect("desk", slug)
    if not may(request, MAILINGS):
        return too_fast(request, MAILINGS, words=("reason", "until"))
    try:
        act(viewer, form.cleaned_data)
    except Refused as why:
        messages.error(request, str(why))
    else:
        messages.success(request, done)
        _warn_of_posts(request, viewer, form)
    return redirect("desk", slug)


def _warn_of_posts(request: HttpRequest, viewer: Viewer, form: forms.Form) -> None:
    """After a publication was withdrawn, tell what forums may still show of it."""
    count = on_forums(viewer) if isinstance(form, ReopenForm) else 0
    if count:
        what = "1 forum post is" if count == 1 else f"{count} forum posts are"
        messages.warning(
            request,
            f"{what} withdrawn, and Fieldpost deletes what it can. The forum may still show it in notification mails,"
            " quotes and caches. The page “Forum destinations” says which posts only you can delete.",
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings that may change while the campaign runs."""
    viewer = gm_viewer(request.user, slug)
    weights = weights_of(scenario_of(viewer.campaign).rules)
    now = SettingsForm.present(viewer.campaign, weights)
    audiences = [(each, f"the {who(each)}") for each in linked_audiences(viewer.campaign)]
    data = request.POST if request.method == "POST" else None
    outside = fights_outside(viewer.campaign)
    form = SettingsForm(data, initial=now, audiences=audiences, weights=weights, outside=outside)
    if form.is_valid():
        change_settings(viewer.campaign, handling=form.handling(), **form.others())
        messages.success(request, "Saved. The open phase keeps its deadline. The next one uses the new settings.")
        return redirect("desk", slug)
    context = {"viewer": viewer, "form": form, "house_rules": house_rules(viewer.campaign)}
    return render(request, "gm/settings.html", context, status=422 if form.errors else 200)


def _nothing(_viewer: Viewer, _data: Mapping[str, Any]) -> None:
    raise Http404


_Act = tuple[type[forms.Form], Callable[[Viewer, Mapping[str, Any]], object], str]

_NOTHING: _Act = (forms.Form, _nothing, "")
_ACTS: Mapping[str, _Act] = {
    "extend": (
        ExtendForm,
        lambda viewer, data: extend(viewer, data["until"], reason=data["reason"]),
        "The deadline is changed. All players have been notified.",
    ),
    "close": (
        CloseForm,
        lambda viewer, data: close(viewer, reason=data["reason"]),
        "The phase is closed, and its results are next. All players have been notified.",
    ),
    "hold": (
        HoldForm,
        lambda viewer, data: hold(viewer, reason=data["reason"], until=data["until"]),
        "The campaign is paused. All players have been notified.",
    ),
    "resume": (
        forms.Form,
        lambda viewer, _data: resume(viewer),
        "The campaign has resumed. All players have been notified.",
    ),
    "reopen": (
        ReopenForm,
        lambda viewer, data: reopen(viewer, reason=data["reason"]),
        "The phase is open again, and its maps and reports are withdrawn. All players have been notified.",
    ),
}
