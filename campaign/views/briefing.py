"""The briefing page: what a side reads before it begins."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.briefings import briefings_for, first_sheet
from campaign.game.example_day import has_example_day
from campaign.selectors import open_phase, waits
from campaign.viewers import viewer_of


@login_required
@require_safe
def briefing(request: HttpRequest, slug: str) -> HttpResponse:
    """The briefing of the viewer's side. The GM, and spectators of a closed campaign, read all of them."""
    viewer = viewer_of(request.user, slug)
    found = briefings_for(viewer)
    if not found:
        raise Http404
    phase = open_phase(viewer)
    offered = phase.key if phase and phase.open and viewer.commands and first_sheet(viewer, phase) else ""
    context = {"viewer": viewer, "briefings": found, "open": phase, "offered": offered, "waits": waits(viewer, phase)}
    context["has_example_day"] = has_example_day(viewer.campaign.ruleset)
    return render(request, "campaign/reading/briefing.html", context)
