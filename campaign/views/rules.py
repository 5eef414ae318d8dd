"""The rules page."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from campaign.game.example_day import example_day, has_example_day
from campaign.game.rulebook import rulebook_of
from campaign.house_rules import began_on, house_rules
from campaign.services import scenario_of, shared_digest
from campaign.viewers import Viewer, public_viewer, viewer_of

Page = Callable[[HttpRequest, str], HttpResponse]


def asks_to_sign_in(page: Page) -> Page:
    """Decorate a page that is missing for a visitor: they are asked to sign in, whether or not it exists."""

    @wraps(page)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return page(request, slug)
        except Http404:
            if request.user.is_authenticated:
                raise
            return redirect_to_login(request.get_full_path())

    return answer


@require_safe
@asks_to_sign_in
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a campaign: for its members, and for everybody if it is public."""
    viewer = _reading_seat(request, slug)
    campaign = viewer.campaign
    found = house_rules(campaign)
    rulebook = rulebook_of(shared_digest(campaign), scenario_of(campaign))
    context = {"viewer": viewer, "rulebook": rulebook, "house_rules": found}
    context["differing"] = sum(each.differs for each in found)
    context["began"] = began_on(campaign)
    context["has_example_day"] = has_example_day(campaign.ruleset)
    return render(request, "campaign/rules/rules.html", context)


@require_safe
@asks_to_sign_in
def day(request: HttpRequest, slug: str) -> HttpResponse:
    """How a day goes by the rules of a campaign, for those who may read its rules."""
    viewer = _reading_seat(request, slug)
    found = example_day(viewer.campaign.ruleset, reverse("rules", args=[slug]))
    if not found:
        raise Http404
    return render(request, "campaign/rules/example_day.html", {"viewer": viewer, "example_day": found})


def _reading_seat(request: HttpRequest, slug: str) -> Viewer:
    try:
        return viewer_of(request.user, slug)
    except Http404:
        return public_viewer(request.user, slug)
