"""Creating a campaign: for others to play, or to practise alone."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from campaign.briefings import is_briefed
from campaign.forms.campaigns import CreateCampaignForm
from campaign.forms.maps import ColoursForm
from campaign.forms.scenarios import PracticeForm, card_of, supplied
from campaign.game.loading import find_scenario
from campaign.maps.painter import bare_land
from campaign.people.memberships import Refused
from campaign.people.practice import start_practice
from campaign.people.throttles import BOARDS, FOUNDINGS, PRACTICES, may, too_fast
from campaign.services import SlugTaken, create_campaign
from campaign.viewers import viewer_of
from campaign.views.profile import person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    """The form for a new campaign, whose creator becomes its game master."""
    form = CreateCampaignForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not may(request, FOUNDINGS):
            return too_fast(request, FOUNDINGS, words=("title", "slug"))
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
                founder=person(request),
            )
        except SlugTaken:
            form.add_error("slug", "Another campaign already has this short name. Choose another one.")
        except ValueError as why:
            form.add_error(None, f"These house rules do not work: {why}.")
        else:
            messages.success(request, "Campaign created. You are its game master.")
            return redirect("campaign", campaign.slug)
    return render(request, "campaign/new.html", {"form": form}, status=422 if form.errors else 200)


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
    return render(request, "campaign/practice.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_safe
def scenario_map(request: HttpRequest, ruleset: str, name: str) -> HttpResponse:
    """The small map of a supplied scenario before anything stands on it, which everybody may see."""
    form, scenario = ColoursForm(request.GET), supplied().get(f"{ruleset}/{name}")
    if scenario is None or not form.is_valid():
        raise Http404
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    picture = bare_land(scenario.base_map, colours=form.cleaned_data["colours"])
    response = HttpResponse(picture, content_type="image/png")
    if request.GET.get("v") == card_of(f"{ruleset}/{name}").version:
        response.headers["Cache-Control"] = "private, max-age=86400"
    return response
