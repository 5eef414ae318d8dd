"""Creating a campaign: for others to play, or to practise alone."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from campaign.briefings import is_briefed
from campaign.engine.pasted import spreadsheet
from campaign.forms.creation import MOST_FAULTS, CreateCampaignForm
from campaign.forms.maps import ColoursForm
from campaign.forms.positions import positions_for, start_in_words
from campaign.forms.scenarios import PracticeForm, card_of, supplied
from campaign.game.beginning import FaultyPosition, WrongOptions
from campaign.game.loading import find_scenario
from campaign.maps.painter import bare_land
from campaign.people.memberships import Refused
from campaign.people.practice import start_practice
from campaign.people.throttles import (
    BOARDS,
    DRAWINGS,
    FOUNDINGS,
    PRACTICES,
    Limit,
    may,
    too_fast,
    wait_for,
)
from campaign.services import SlugTaken, create_campaign
from campaign.viewers import viewer_of
from campaign.views.people.profile import person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    """The form for a new campaign, whose creator becomes its game master.

    A position is shown first, and the campaign is created when the same one is sent again.
    """
    if request.POST.get("position") and not may(request, DRAWINGS):
        return _too_fast(request, DRAWINGS)
    form = CreateCampaignForm(request.POST if request.method == "POST" else None)
    valid = request.method == "POST" and form.is_valid()
    preview = form.preview if valid else None
    if valid and (preview is None or preview.mark == request.POST.get("previewed")):
        if not may(request, FOUNDINGS):
            return _too_fast(request, FOUNDINGS)
        try:
            campaign = create_campaign(
                slug=form.cleaned_data["slug"],
                title=form.cleaned_data["title"],
                scenario=find_scenario(form.cleaned_data["scenario"]),
                waits=form.cleaned_data["waits"],
                schedule=form.schedule(),
                handling=form.handling(),
                options=form.options(),
                settings=form.settings(),
                position=preview.text if preview else "",
                founder=person(request),
            )
        except SlugTaken:
            form.add_error("slug", "Another campaign already has this short name. Choose another one.")
        except WrongOptions as why:
            form.add_error(None, f"These house rules do not work: {why}.")
        except FaultyPosition as why:
            form.add_error("position", [each.without_line for each in why.faults[:MOST_FAULTS]])
        else:
            messages.success(request, "Campaign created. You are its game master.")
            return redirect("campaign", campaign.slug)
    context = {"form": form, "preview": None if form.errors else preview}
    return render(request, "campaign/creation/new.html", context, status=422 if form.errors else 200)


def _too_fast(request: HttpRequest, limit: Limit) -> HttpResponse:
    """The page with all that was filled in, for somebody who must wait. Nothing of it is checked."""
    context = {"form": CreateCampaignForm.filled_in(request.POST), "wait": wait_for(limit)}
    return render(request, "campaign/creation/new.html", context, status=429)


@login_required
@require_safe
def scenario_start(request: HttpRequest, ruleset: str, scenario: str) -> HttpResponse:
    """The start of a supplied scenario as a position that a new campaign's GM can fill in."""
    name = f"{ruleset}/{scenario}"
    if name not in supplied() or positions_for(name) is None:
        raise Http404
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    response = HttpResponse(spreadsheet(start_in_words(name)), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{scenario}-start.csv"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_practice(request: HttpRequest) -> HttpResponse:
    """The form for a practice campaign, which leads to its player's briefing."""
    form = PracticeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not may(request, PRACTICES):
            return too_fast(request, PRACTICES)
        name, side = form.chosen()
        try:
            campaign = start_practice(person(request), folder=find_scenario(name), loaded=supplied()[name], side=side)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            briefed = is_briefed(viewer_of(request.user, campaign.slug))
            return redirect("briefing" if briefed else "campaign", campaign.slug)
    return render(request, "campaign/creation/practice.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_safe
def scenario_map(request: HttpRequest, ruleset: str, scenario: str) -> HttpResponse:
    """The small map of a supplied scenario before anything stands on it, which everybody may see."""
    form, name = ColoursForm(request.GET), f"{ruleset}/{scenario}"
    found = supplied().get(name)
    if found is None or not form.is_valid():
        raise Http404
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    picture = bare_land(found.base_map, colours=form.cleaned_data["colours"])
    response = HttpResponse(picture, content_type="image/png")
    if request.GET.get("v") == card_of(name).version:
        response.headers["Cache-Control"] = "private, max-age=86400"
    return response
