"""Offering to step in: a form for people without a side, on the pages that the public and spectators read."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaign.core import clock
from campaign.forms.people import OfferForm
from campaign.people import substitutes
from campaign.people.throttles import COMMENTS, may, too_fast
from campaign.viewers import Viewer, memberships_of, public_viewer, viewer_of


@login_required
@require_POST
def substitute(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer to step in, or withdraw the offer."""
    viewer = _viewer(request, slug)
    if request.POST.get("act") == "withdraw":
        substitutes.withdraw(viewer)
        messages.success(request, "Your offer is withdrawn.")
        return _back(viewer)
    if not may(request, COMMENTS):
        return too_fast(request, COMMENTS, words=("words",))
    form = OfferForm(request.POST)
    if not substitutes.may_offer(viewer):
        raise Http404
    if form.is_valid():
        substitutes.offer(viewer, form.cleaned_data["words"], now=clock.now())
        messages.success(request, "The GM can see now that you would step in. Nobody else can.")
    else:
        messages.error(request, "Say it in at most 200 characters that can be seen in print.")
    return _back(viewer)


def _viewer(request: HttpRequest, slug: str) -> Viewer:
    member = memberships_of(request.user).filter(campaign__slug=slug).exists()
    return viewer_of(request.user, slug) if member else public_viewer(request.user, slug)


def _back(viewer: Viewer) -> HttpResponse:
    return redirect("campaign" if viewer.membership else "public", viewer.campaign.slug)
