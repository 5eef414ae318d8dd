"""The game master decides a battle."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from campaign.viewers import Viewer, gm_viewer
from gm.phases import battles
from orders.battles.reporting import Which
from orders.views.battles import attempt, fill, text_of
from orders.views.reports import lacks_what_was_filled_in


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Decide its result, whatever was reported."""
    viewer = gm_viewer(request.user, slug)
    if lacks_what_was_filled_in(request, viewer, key):
        return fill(request, viewer, key)
    return attempt(request, viewer, key, _decide)


def _decide(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    battles.decide(viewer, which, text_of(request))
    return "Decided. The result is final."
