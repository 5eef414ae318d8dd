"""The page with the log of the GM's acts, for each audience its own."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.viewers import viewer_of
from gm.acts import gm_acts


@login_required
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """What the GM did, as far as the viewer's audience was told of it."""
    viewer = viewer_of(request.user, slug)
    return render(request, "campaign/record/gm_log.html", {"viewer": viewer, "gm_acts": gm_acts(viewer)})
