"""The guide's buttons: show it, go on, leave it. They lose nothing of a sheet that is on the page."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaign.core.requests import number
from campaign.selectors import addressed_phase
from campaign.viewers import Viewer, viewer_of
from orders import services
from orders.desks import first_place, place
from orders.guide import progress
from orders.intake import TooLate
from orders.selectors import draft_of, versions
from orders.services import Overtaken, TooLong


@login_required
@require_POST
def steps(request: HttpRequest, slug: str) -> HttpResponse:
    """Do what a button of the guide says; then the page of the step that follows, or to htmx the guide alone."""
    viewer = viewer_of(request.user, slug)
    if not progress.may_be_guided(viewer):
        raise Http404
    here = _here(request, viewer)
    if refusal := _keep_sheet(request, viewer, here):
        return refusal
    act, there = request.POST.get("guide", ""), here
    if act == "next":
        there = progress.address_of(viewer, progress.go_on(viewer, request.POST.get("step", "")))
    elif act == "leave":
        progress.leave(viewer)
    else:
        progress.begin(viewer)
    if "HX-Request" in request.headers:
        return render(
            request, "orders/_guide.html", progress.context_of(viewer, here, has_sheet="stop" in request.POST)
        )
    return redirect(there)


def _here(request: HttpRequest, viewer: Viewer) -> str:
    """The page with the button, as the form says; the situation if that is no page of the campaign."""
    situation = reverse("campaign", args=[viewer.campaign.slug])
    here = request.POST.get("here", "")
    return here if here.startswith(situation) and progress.page_at(here) else situation


def _keep_sheet(request: HttpRequest, viewer: Viewer, here: str) -> HttpResponse | None:
    """Save the sheet on the page as a draft if it was changed; if that fails, a page with its text."""
    if "text" not in request.POST:
        return None
    text = request.POST["text"].replace("\r\n", "\n")
    phase = addressed_phase(viewer, number(request, "stop"), number(request, "rev"))
    match = progress.page_at(here)
    desk = match.kwargs.get("desk") if match else None
    at = place(viewer, desk) if desk else first_place(viewer)
    if not at.writes:
        raise Http404
    kept, sent = draft_of(viewer, phase, at), versions(viewer, phase, at)
    if text.strip() == (kept.text if kept else sent[0].text if sent else "").strip():
        return None
    try:
        services.save_draft(viewer, phase, at, text=text, base_version=number(request, "version"))
    except (TooLate, TooLong, Overtaken) as refusal:
        trouble = f"Draft not saved: {str(refusal) or 'this phase has closed'}."
        context = {"viewer": viewer, "place": at, "phase": phase, "trouble": trouble, "text": text}
        return render(request, "orders/not_received.html", context, status=409)
    return None
