"""The GM's page that says who can see a place of the map."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.services import base_map_of
from campaign.viewers import gm_viewer
from gm.selectors import place_named, sights_of


@login_required
@require_safe
def sight(request: HttpRequest, slug: str) -> HttpResponse:
    """A form with one field, and how each side sees the place that was written there."""
    viewer = gm_viewer(request.user, slug)
    written = request.GET.get("place", "").strip()[:100]
    ground = place_named(viewer, written)
    one, _ = base_map_of(viewer.campaign).signs.place
    context: dict[str, object] = {"viewer": viewer, "written": written, "one": one, "known": ground is not None}
    context["found"] = sights_of(viewer, ground) if ground else None
    return render(request, "gm/sight.html", context, status=422 if written and not ground else 200)
