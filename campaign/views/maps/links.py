"""Links to pictures: commanders and the GM make, watch and revoke them; everybody with one can follow it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign import links as service
from campaign.core import clock
from campaign.core.requests import network, number
from campaign.models import User
from campaign.selectors import published_phases
from campaign.viewers import viewer_of


@login_required
@require_safe
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """Every link of the viewer's side, or all for the GM, and who fetched it."""
    viewer = viewer_of(request.user, slug)
    governed = service.governed(viewer)
    context = {
        "viewer": viewer,
        "links": service.watched(viewer),
        "phases": published_phases(viewer),
        "audiences": [(each, service.is_open(viewer.campaign, each)) for each in governed],
        "pictures": service.PICTURES,
        "kept_days": service.KEPT.days,
    }
    return render(request, "campaign/maps/links.html", context)


@login_required
@require_POST
def make(request: HttpRequest, slug: str) -> HttpResponse:
    """Make links to pictures of a phase, unless there are some."""
    viewer = viewer_of(request.user, slug)
    no, audience, kinds = number(request, "stop"), request.POST.get("audience", ""), request.POST.getlist("kind")
    for kind in kinds or ["map"]:
        service.make_link(viewer, no, audience, kind, now=clock.now())
    if "post" in request.POST:
        messages.success(request, "The pictures are in the post now.")
        return redirect("posts" if viewer.is_gm else "post", slug, no)
    messages.success(request, "Link created.")
    return redirect("links", slug)


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke a link."""
    viewer = viewer_of(request.user, slug)
    service.revoke_link(viewer, request.POST.get("link", ""), now=clock.now())
    messages.success(request, "Link revoked. Posts that use it no longer show the picture.")
    return redirect("links", slug)


@require_safe
def picture(request: HttpRequest, token: str) -> HttpResponse:
    """The picture of a link, as it was published. No cache keeps it, so revoking works at once."""
    user = request.user if isinstance(request.user, User) else None
    response = HttpResponse(service.follow(user, token, network=network(request)), content_type="image/png")
    response.headers["Content-Disposition"] = "inline"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # forums show it in their pages
    return response
