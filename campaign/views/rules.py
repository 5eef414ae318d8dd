"""The rules page."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.game.rulebook import rulebook_of
from campaign.house_rules import house_rules
from campaign.services import scenario_of
from campaign.viewers import Viewer, public_viewer, viewer_of


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a campaign: for its members, and for everybody if it is public."""
    try:
        viewer = _reading_seat(request, slug)
    except Http404:
        if request.user.is_authenticated:
            raise
        return redirect_to_login(request.get_full_path())
    campaign = viewer.campaign
    found = house_rules(campaign)
    rulebook = rulebook_of(campaign.scenario_digest, scenario_of(campaign))
    context = {"viewer": viewer, "rulebook": rulebook, "house_rules": found}
    context["differing"] = sum(each.differs for each in found)
    return render(request, "campaign/rules.html", context)


def _reading_seat(request: HttpRequest, slug: str) -> Viewer:
    try:
        return viewer_of(request.user, slug)
    except Http404:
        return public_viewer(request.user, slug)
